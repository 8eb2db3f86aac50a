"""A stored model of which any one value is what no fit leaves is refused, and the value is named."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fit_kit import footage, model_of, sample_of

from bgsub.background.model import BackgroundModel
from bgsub.background.store.values import (
    AREA,
    COUNT,
    FLAG,
    MODEL,
    NOT_NEGATIVE,
    NUMBER,
    POSITIVE,
    REPORT,
    SIDE,
    TABLE,
    TEXTS,
    Kind,
)
from bgsub.errors import CannotOpen, InputError
from bgsub.frames.grid import Grid
from bgsub.options.table import Options

HEIGHT, WIDTH = 12, 16
GRID = Grid(WIDTH, HEIGHT, True)


def model() -> BackgroundModel:
    """Return a model of which every part holds something, of a camera that shakes."""
    components = np.zeros((GRID.rows, 2), np.float32)
    components[:4, 0], components[4:8, 1] = 0.5, -0.5
    plain = model_of(GRID, np.full(GRID.rows, 100), components, np.array([3.0, -2.0]))
    quiet = np.full(GRID.shape, 3, np.float32)
    around = np.full((HEIGHT + 6, WIDTH + 6, 3), 100, np.uint8)
    report = replace(plain.report, rank=2)
    return replace(
        plain,
        ordinary=quiet,
        shade=np.array([-0.5, -0.1, 0.1, 0, -0.1], np.float32),
        stabilise="affine",
        reference=around,
        report=report,
    )


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    path = tmp_path_factory.mktemp("stored") / "model.npz"
    model().save(path)
    with np.load(path) as file:
        return dict(file)


def refusal(path: Path, held: dict[str, Any]) -> str:
    np.savez(path, **held)
    with pytest.raises(CannotOpen) as caught:
        BackgroundModel.load(path)
    says = str(caught.value)
    assert says.startswith(f"{path} is no whole background model of bgsub: "), says
    assert says.endswith("; fit it again and save it")
    assert "\n" not in says
    return says


def test_the_model_of_these_tests_is_read(stored: dict[str, np.ndarray], tmp_path: Path) -> None:
    np.savez(tmp_path / "model.npz", **stored)
    assert BackgroundModel.load(tmp_path / "model.npz").rank == 2


BOUNDED = ("offset", "ordinary", "shade")
VALUES = [
    *((name, value) for name in BOUNDED for value in (-4, 1e4)),
    *((name, value) for name in ("components", "typical") for value in (1e9, -1e9)),
    *((name, value) for name in ("offset", "components", "typical") for value in (np.nan, np.inf, -np.inf)),
    *((name, np.nan) for name in BOUNDED[1:]),
]


def test_an_impossible_value_is_refused_by_the_name_of_its_array(stored, tmp_path) -> None:
    for name, value in VALUES:
        array = stored[name].copy()
        array.flat[-1] = value
        says = refusal(tmp_path / "model.npz", {**stored, name: array})
        assert f": {name} of a background model must lie between " in says
        assert f"got {np.float32(value):g} at 1 of {array.size} places" in says


ARRAYS = ("offset", "components", "typical", "ordinary", "shade", "reference")


def test_another_type_is_refused(stored, tmp_path) -> None:
    kinds = (np.float64, np.float16, np.int32, ">f4", "U3", "complex64")
    for name, kind in (*product(ARRAYS, kinds[:1]), *product(("offset", "reference"), kinds[1:])):
        says = refusal(tmp_path / "model.npz", {**stored, name: stored[name].astype(kind)})
        assert f": {name} of a background model must be " in says
        assert f"got {np.dtype(kind)} " in says


def test_another_shape_is_refused(stored, tmp_path) -> None:
    for name in ARRAYS:
        array = stored[name]
        # A scene without shadows has no shade.
        none = () if name == "shade" else (array[:0],)
        for other in (array[:-1], array[None], array.ravel()[0], *none):
            says = refusal(tmp_path / "model.npz", {**stored, name: other})
            # Where the components are of another rank, it may be the coefficients that do not fit.
            assert f": {name} of a background model must be " in says or name == "components"


def test_components_that_are_not_orthonormal_are_refused(stored, tmp_path) -> None:
    for array in (
        stored["components"] / 2,
        np.zeros_like(stored["components"]),
        stored["components"][:, [0, 0]],
    ):
        says = refusal(tmp_path / "model.npz", {**stored, "components": array})
        assert "components of a background model must be orthonormal" in says


def test_a_reference_without_an_even_margin_is_refused(stored, tmp_path) -> None:
    must = "must be uint8 of shape (12, 16, 3) with a margin of at most 32"
    for shape in ((18, 20, 3), (20, 22, 3), (10, 14, 3), (HEIGHT + 66, WIDTH + 66, 3), (18, 22)):
        says = refusal(tmp_path / "model.npz", {**stored, "reference": np.zeros(shape, np.uint8)})
        assert f"reference of a background model {must}" in says


def test_a_reference_with_any_even_margin_is_read(stored, tmp_path) -> None:
    for margin in (0, 1, 32):
        shape = (HEIGHT + 2 * margin, WIDTH + 2 * margin, 3)
        np.savez(tmp_path / "model.npz", **{**stored, "reference": np.zeros(shape, np.uint8)})
        assert BackgroundModel.load(tmp_path / "model.npz").reference.shape == shape


def test_a_reference_of_a_camera_that_stands_still_is_refused(stored, tmp_path) -> None:
    says = refusal(tmp_path / "model.npz", changed(stored, "stabilise", "off"))
    assert "reference of a background model must be left out where stabilise is off" in says


def changed(stored: dict[str, np.ndarray], place: str, value: Any) -> dict[str, np.ndarray]:
    meta = json.loads(str(stored["meta"]))
    *tables, name = place.split(".")
    table = meta
    for each in tables:
        table = table[each]
    table[name] = value
    return {**stored, "meta": np.array(json.dumps(meta))}


NAN, INF = float("nan"), float("inf")
KINDS: list[tuple[Kind, list[Any], list[Any]]] = [
    (NUMBER, [0, -1, 2.5], [NAN, INF, None, "1", True, [8]]),
    (POSITIVE, [1, 0.5], [0, -1, NAN, INF, "8", None, True, [8]]),
    (NOT_NEGATIVE, [0, 0.5], [-1, NAN, INF, "1", None, True]),
    (COUNT, [0, 7], [-1, 0.5, 12.0, NAN, None, "3", True]),
    (SIDE, [1, 10**30], [0, -4, 12.0, "12", None, True]),
    (FLAG, [True, False], [1, None, "yes"]),
    (AREA, [None, [], ["0,0,4,4"], [0, 0, 4, 4]], ["0,0,4,4", [0, 0, 4], [0.5, 0, 4, 4], {}, 7, [1, "x"]]),
    (TEXTS, [[], ["because"]], ["because", None, [1]]),
    (TABLE, [{}], [[], None, "fitted"]),
    (MODEL["stabilise"], ["off", "affine"], ["auto", "yes", None, 1, ["off"]]),
    (MODEL["threshold"], [None, 25], [0, -3, NAN, "25", True]),
    (REPORT["method"], ["sampled", "cgcg"], ["auto", "magic", None, 3]),
    (REPORT["tau"], [None, 0, 1e300], [-1, NAN, "1"]),
]


def test_a_kind_holds_what_it_says_and_nothing_else() -> None:
    for kind, right, wrong in KINDS:
        for value in right:
            assert kind.holds(value), (kind.words, value)
        for value in wrong:
            assert not kind.holds(value), (kind.words, value)


COUNTS = ("first", "frames", "columns", "iterations", "rank")
SIZES = ("noise", "objective", "initial_objective", "seconds")
PARAMETERS = ("tau", "weight", "sparsity", "delta", "lambda1", "lambda2")
META = {
    "grid": [[]],
    "outlier": ["8", 0, 1e6],
    "stabilise": ["auto", ["off"]],
    "threshold": ["25", 300],
    "sensitivity": ["1", 100],
    "shadows": ["yes"],
    "min_area": ["9", -1],
    "seed": ["0", -1],
    "report": [None],
    "grid.width": [float(WIDTH), 0],
    "grid.height": [float(HEIGHT), 0],
    "grid.color": [1],
    "grid.scale": ["1", 0, 2],
    "grid.roi": ["0,0,4,4", ["data:image/png;base64,AAAA"], ["x"]],
    "grid.exclude": ["0,0,4,4", 7, ["nowhere.png"]],
    "grid.depth": [3],
    **{f"report.{name}": [-1, True] for name in COUNTS},
    "report.frames": [0.5, 40.0],
    "report.rank": [1, 2.0, None],
    "report.columns": [0.5, 0, 10**30],
    "report.method": ["magic"],
    "report.status": ["done"],
    **{f"report.{name}": [-1, NAN] for name in SIZES},
    "report.gap": [NAN],
    "report.outlier": [None, 1e300, 7.5],
    "report.reasons": ["because"],
    "report.low_rank": ["full"],
    "report.sparse": ["full"],
    **{f"report.{name}": [-1] for name in PARAMETERS},
}
"""Of every value one that is of another kind, and those of the right kind that no fit leaves."""


def test_a_value_that_no_fit_leaves_is_refused_by_name(stored, tmp_path) -> None:
    for place, values in META.items():
        name = place.rpartition(".")[2]
        # Of a region that fits no picture, and of a range of an option, it is the option's own error.
        named = {"roi": "region", "exclude": "excluded", "min_area": "--min-area"}.get(name, name)
        for value in values:
            says = refusal(tmp_path / "model.npz", changed(stored, place, value))
            assert name in says or named in says, says


def test_a_grid_of_another_size_is_refused_however_large(stored, tmp_path) -> None:
    for side in (10**6, 10**12, 10**30):
        np.savez(tmp_path / "model.npz", **changed(changed(stored, "grid.width", side), "grid.height", side))
        with pytest.raises(CannotOpen, match=r"model\.npz is no"):
            BackgroundModel.load(tmp_path / "model.npz")


def test_an_absurd_radius_that_was_asked_for_makes_a_model_all_the_same(tmp_path) -> None:
    frames, *_ = footage(20, gains=1 + 0.1 * np.sin(np.arange(20)))
    options = Options(threads=1, method="alt-pgcg", centre="none", rank=5, tau=1e9, sparsity=1e12)
    model = BackgroundModel.fit(*sample_of(frames), options)
    assert np.abs(model.typical).max() > 1e7
    model.save(tmp_path / "model.npz")
    assert np.array_equal(BackgroundModel.load(tmp_path / "model.npz").typical, model.typical)


def test_a_radius_beyond_single_precision_is_no_warning(stored, tmp_path) -> None:
    """Warnings are errors here."""
    np.savez(tmp_path / "model.npz", **changed(stored, "report.tau", 1e300))
    BackgroundModel.load(tmp_path / "model.npz")
    says = refusal(
        tmp_path / "model.npz",
        {**changed(stored, "report.tau", 1e300), "typical": np.full_like(stored["typical"], np.inf)},
    )
    assert "typical of a background model must lie between" in says


def test_a_part_that_no_fit_leaves_is_refused_in_python_too() -> None:
    made = model()
    with pytest.raises(
        InputError, match="ordinary of a background model must lie between 0 and 255, got -1 at 192"
    ):
        replace(made, ordinary=np.full(GRID.shape, -1, np.float32))
    with pytest.raises(InputError, match="level of a background model must be between 3 and 30, got 31"):
        replace(made, level=31.0)
    with pytest.raises(InputError, match="outlier of a background model must be above 0"):
        replace(made, outlier=float("nan"))
    with pytest.raises(
        InputError, match="reference of a background model is needed where stabilise is affine"
    ):
        replace(made, reference=None)
    with pytest.raises(
        InputError, match="stabilise of a background model must be one of off, translation, affine"
    ):
        replace(made, stabilise="auto")


def test_an_array_stored_column_by_column_gives_the_same(stored, tmp_path) -> None:
    turned = {name: np.asfortranarray(stored[name]) for name in ("components", "ordinary", "reference")}
    np.savez(tmp_path / "model.npz", **{**stored, **turned})
    loaded, frame = BackgroundModel.load(tmp_path / "model.npz"), np.full((HEIGHT, WIDTH, 3), 130, np.uint8)
    assert loaded.components.flags.c_contiguous
    assert np.array_equal(loaded.apply(frame).background, model().apply(frame).background)
