"""A stored model of which any one value is what no fit leaves is refused, and the value is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fit_kit import footage, model_of, sample_of

from bgsub.background.model import BackgroundModel
from bgsub.errors import CannotOpen, InputError
from bgsub.frames.grid import Grid
from bgsub.masks.unrest import Unrest
from bgsub.options import Options

HEIGHT, WIDTH = 12, 16
GRID = Grid(WIDTH, HEIGHT, True)


def model() -> BackgroundModel:
    """Return a model of which every part holds something, of a camera that shakes."""
    components = np.zeros((GRID.rows, 2), np.float32)
    components[:4, 0], components[4:8, 1] = 0.5, -0.5
    plain = model_of(GRID, np.full(GRID.rows, 100), components, np.array([3.0, -2.0]))
    quiet = Unrest(*(np.full(GRID.shape, value, np.float32) for value in (5, 4, 3, 2)))
    around = np.full((HEIGHT + 6, WIDTH + 6, 3), 100, np.uint8)
    report = replace(plain.report, rank=2)
    return replace(plain, unrest=quiet, stabilise="affine", reference=around, report=report)


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


VALUES = [
    *(
        (name, value)
        for name in ("offset", "flicker", "swell", "spread", "grain")
        for value in (-3, 1e4, -np.inf)
    ),
    *((name, value) for name in ("components", "typical") for value in (1e9, -1e9, -np.inf)),
    *((name, value) for name in ("offset", "components", "typical") for value in (np.nan, np.inf)),
    *((name, value) for name in ("flicker", "swell", "spread") for value in (np.nan, np.inf)),
]


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_an_impossible_value_is_refused_by_the_name_of_its_array(stored, name, value, tmp_path) -> None:
    array = stored[name].copy()
    array.flat[-1] = value
    says = refusal(tmp_path / "model.npz", {**stored, name: array})
    assert f": {name} of a background model must lie between " in says
    assert f"got {np.float32(value):g} at 1 of {array.size} places" in says


ARRAYS = ("offset", "components", "typical", "flicker", "swell", "spread", "reference")


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("kind", [np.float64, np.float16, np.int32, ">f4", "U3", "complex64"])
def test_another_type_is_refused(stored, name, kind, tmp_path) -> None:
    says = refusal(tmp_path / "model.npz", {**stored, name: stored[name].astype(kind)})
    assert f": {name} of a background model must be " in says
    assert f"got {np.dtype(kind)} " in says


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize(
    "change", [lambda a: a[:-1], lambda a: a[None], lambda a: a.ravel()[0], lambda a: a[:0]]
)
def test_another_shape_is_refused(stored, name, change, tmp_path) -> None:
    says = refusal(tmp_path / "model.npz", {**stored, name: change(stored[name])})
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


@pytest.mark.parametrize(
    "shape", [(18, 20, 3), (20, 22, 3), (10, 14, 3), (HEIGHT + 66, WIDTH + 66, 3), (18, 22)]
)
def test_a_reference_without_an_even_margin_is_refused(stored, shape, tmp_path) -> None:
    says = refusal(tmp_path / "model.npz", {**stored, "reference": np.zeros(shape, np.uint8)})
    assert (
        "reference of a background model must be uint8 of shape (12, 16, 3) with a margin of at most 32"
        in says
    )


@pytest.mark.parametrize("margin", [0, 1, 32])
def test_a_reference_with_any_even_margin_is_read(stored, margin, tmp_path) -> None:
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
META = {
    "grid": [[], "grid", None],
    "outlier": [0, -1, NAN, INF, 1e6, "8", None, True, [8]],
    "stabilise": ["auto", "yes", None, 1, ["off"]],
    "threshold": [0, -3, NAN, INF, 300, "25", True],
    "sensitivity": [0, NAN, 100, None, "1"],
    "shadows": ["yes", None, 1],
    "min_area": [-1, 2.5, NAN, "9", True],
    "seed": [-1, 0.5, None, "0", True],
    "report": [[], None, "fitted"],
    **{f"grid.{name}": [0, -4, 12.0, "12", None, True] for name in ("width", "height")},
    "grid.color": [1, None, "yes"],
    "grid.scale": [0, -1, 2, NAN, None, "1"],
    "grid.roi": ["0,0,4,4", [0, 0, 4], [0.5, 0, 4, 4], {}, 7, ["data:image/png;base64,AAAA"], ["x"]],
    "grid.exclude": ["0,0,4,4", [1, 2], 7, ["nowhere.png"]],
    "grid.depth": [3],
    **{f"report.{name}": [-1, 0.5, NAN, None, "3", True] for name in ("first", "frames", "columns", "iterations")},
    "report.rank": [-1, 1, 3, None],
    "report.method": ["magic", None, 3],
    "report.status": ["done", None, 3],
    **{f"report.{name}": [NAN, INF, None, "1"] for name in ("noise", "objective", "initial_objective", "gap")},
    "report.seconds": [NAN, -1, None],
    "report.outlier": [0, NAN, None, 1e300, 7.5],
    "report.columns": [-1, 0, 0.5, 10**30, NAN, None, "3", True],
    "report.reasons": ["because", None, [1]],
    "report.low_rank": ["full", None],
    "report.sparse": ["full", None],
    **{f"report.{name}": [-1, NAN, "1"] for name in ("tau", "weight", "sparsity", "delta", "lambda1", "lambda2")},
}  # fmt: skip


@pytest.mark.parametrize(
    ("place", "value"), [(place, value) for place, values in META.items() for value in values]
)
def test_a_value_of_another_kind_is_refused_by_name(stored, place, value, tmp_path) -> None:
    says = refusal(tmp_path / "model.npz", changed(stored, place, value))
    # Of a region that fits no picture, and of a range of an option, it is the option's own error.
    named = {"roi": "region", "exclude": "excluded", "min_area": "--min-area"}
    name = place.rpartition(".")[2]
    assert any(word in says for word in (name, named.get(name, name))), says


@pytest.mark.parametrize("side", [10**6, 10**12, 10**30])
def test_a_grid_of_another_size_is_refused_however_large(stored, side, tmp_path) -> None:
    np.savez(tmp_path / "model.npz", **changed(changed(stored, "grid.width", side), "grid.height", side))
    with pytest.raises(CannotOpen, match=r"model\.npz is no"):
        BackgroundModel.load(tmp_path / "model.npz")


def test_an_absurd_radius_that_was_asked_for_makes_a_model_all_the_same(tmp_path) -> None:
    frames, *_ = footage(gains=1 + 0.1 * np.sin(np.arange(40)))
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
    unrest = replace(made.unrest, spread=np.full(GRID.shape, -1, np.float32))
    with pytest.raises(
        InputError, match="spread of a background model must lie between 0 and 255, got -1 at 192"
    ):
        replace(made, unrest=unrest)
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


@pytest.mark.parametrize("name", ["components", "flicker", "reference"])
def test_an_array_stored_column_by_column_gives_the_same(stored, name, tmp_path) -> None:
    np.savez(tmp_path / "model.npz", **{**stored, name: np.asfortranarray(stored[name])})
    loaded, frame = BackgroundModel.load(tmp_path / "model.npz"), np.full((HEIGHT, WIDTH, 3), 130, np.uint8)
    assert loaded.components.flags.c_contiguous
    assert np.array_equal(loaded.apply(frame).background, model().apply(frame).background)
