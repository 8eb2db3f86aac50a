"""apps/benchmark ablation: every stage that is left out changes what it says, nothing else, and is put back."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmark import ablation, cli
from benchmark.ablation_stages import STAGES, First, replaced
from benchmark.names import ABLATIONS
from benchmark.regularised import markov_field, total_variation
from click.testing import CliRunner

import bgsub
from bgsub import fit
from bgsub.background.ground.search import Ground
from bgsub.frames.changes.watch import Watched
from bgsub.frames.grid import Grid
from bgsub.frames.read.array import ArraySource
from bgsub.masks import detector
from bgsub.masks.dynamic_background import SceneActivity
from bgsub.masks.small_objects import Persistence
from bgsub.masks.thresholds import Thresholds

pytestmark = pytest.mark.slow

# Where they are used, which is where they are replaced.
FIT: Any = import_module("bgsub.background.fit")
COMPONENTS: Any = import_module("bgsub.background.light.components")
BY_NAME = {stage.name: stage for stage in STAGES}
SHAPE = 40, 48
NOISE = np.random.default_rng(0).integers(-3, 4, (60, *SHAPE))


def activity() -> SceneActivity:
    """Restless on the left, where the spread is three times the flicker of the smoothed picture."""
    left = np.where(np.arange(SHAPE[1]) < 24, 1, 0) * np.ones(SHAPE)
    flicker, smooth_flicker, deviation = ((level * left).astype(np.float32) for level in (12, 6, 18))
    return SceneActivity(flicker, smooth_flicker, deviation, np.zeros_like(flicker))


def thresholds() -> Thresholds:
    return Thresholds.of(activity())


def mask_of(place: tuple[slice, slice]) -> np.ndarray:
    """What is seen of a frame that differs from a quiet background by 60 there."""
    image = np.full(SHAPE, 100, np.uint8)
    image[place] += 60
    quiet = Thresholds.of(SceneActivity.none(SHAPE))
    return detector.Detector(quiet, 40)(image, np.full(SHAPE, 100, np.uint8))[1]


def median_is_kept() -> bool:
    """Whether the centre is the median where something with an outline stands for two thirds of the time."""
    clip = (120 + 20 * ((np.indices(SHAPE).sum(axis=0) // 4) % 2) + NOISE).astype(np.uint8)
    clip[20:, 10:26, 18:28] = 240
    frames = clip.reshape(len(clip), -1)
    median = np.median(frames, axis=0).astype(np.float32)
    grid = Grid(SHAPE[1], SHAPE[0], False)
    return bool((FIT.find_ground(frames, median, grid, np.zeros(SHAPE, bool)).centre == median).all())


def cuts() -> int:
    """How many change points there are where the light is switched."""
    texture = np.random.default_rng(1).integers(40, 90, SHAPE)
    clip = (np.repeat(texture[None], 60, axis=0) + NOISE // 3).astype(np.uint8)
    clip[30:] *= 2
    return sum(cut for _, cut in Watched(ArraySource(clip), lambda _: None).watched())


def sensor_noise() -> bool:
    """Whether noise that is too strong for a quiet scene is told from movement."""
    clip = np.clip(120 + np.random.default_rng(2).normal(0, 10, (30, *SHAPE)), 0, 255).astype(np.uint8)
    return bool(fit(clip).activity.sensor_noise.any())


def one_level() -> bool:
    found = thresholds()
    return found.high is found.low


def frames_with_small_objects() -> int:
    thing = np.zeros(SHAPE, np.uint8)
    thing[5:7, 5:7] = 255
    persistent = Persistence()
    return sum(bool(persistent(np.zeros_like(thing), thing).any()) for _ in range(5))


def line_of_two() -> int:
    """A line two pixels wide, less than half of the median's window."""
    return int(mask_of(np.s_[10:12, 5:40])[11, 20])


INSTEAD = {"median-filter", "markov-field", "total-variation"}
"""Stages that stand in one place."""

PROBES: dict[str, tuple[Callable[[], Any], Any, Any]] = {
    "ground": (median_is_kept, False, True),
    "light": (lambda: COMPONENTS.is_light((0.1, 0.2)), False, True),
    "change-points": (cuts, 1, 0),
    "sensor-noise": (sensor_noise, True, False),
    "dynamic-background": (lambda: int(thresholds().dynamic.sum()) > 0, True, False),
    "deviation": (lambda: int(thresholds().low[20, 5]), 36, 12),
    "hysteresis": (one_level, False, True),
    "median-filter": (lambda: int(mask_of(np.s_[10:30, 10:30])[10, 10]), 0, 255),
    "markov-field": (line_of_two, 0, 255),
    "total-variation": (line_of_two, 0, 255),
    "areas": (lambda: bool(mask_of(np.s_[10:15, 10:15]).any()), False, True),
    "small-objects": (frames_with_small_objects, 3, 0),
}
"""For each stage that is a function: what is seen of it, with it and without."""


def test_every_stage_is_listed_has_a_name_for_people_and_a_probe() -> None:
    assert list(BY_NAME) == list(ABLATIONS)
    assert len(set(ABLATIONS.values())) == len(STAGES)
    assert set(PROBES) == {stage.name for stage in STAGES if stage.make is not None}


def test_a_function_is_replaced_inside_the_block_only_and_leaves_the_other_stages_on() -> None:
    def seen() -> dict[str, Any]:
        return {name: probe() for name, (probe, _, _) in PROBES.items()}

    on = {name: expected for name, (_, expected, _) in PROBES.items()}
    assert seen() == on
    for name, (_, _, without) in PROBES.items():
        with BY_NAME[name].left_out():
            found = seen()
        assert found.pop(name) == without, name
        for other, value in found.items():
            # Where nothing is dynamic nothing deviates.
            if (name, other) != ("dynamic-background", "deviation") and not {name, other} <= INSTEAD:
                assert value == on[other], (name, other)
    assert seen() == on


def test_options_of_a_stage_are_not_the_defaults() -> None:
    usual = bgsub.Options()
    given = [(stage, bgsub.Options(**stage.options)) for stage in STAGES if stage.options]
    assert given
    for stage, options in given:
        assert all(getattr(usual, name) != getattr(options, name) for name in stage.options), stage.name


def test_what_was_replaced_is_put_back_when_a_run_fails() -> None:
    kept = vars(Thresholds)["of"]
    with pytest.raises(RuntimeError), BY_NAME["hysteresis"].left_out():
        raise RuntimeError
    assert vars(Thresholds)["of"] is kept


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small scenes in CDnet's layout."""
    out = tmp_path_factory.mktemp("tree")
    ablation.make_scenes(ablation.Scenes(("waving_trees", "camera_jitter"), 32, 96), out)
    return out


@pytest.mark.slow
def test_what_is_taken_from_the_first_run_is_what_a_run_of_its_own_gives(tree: Path) -> None:
    _, still = ablation.find_sequences(tree)
    sequences = [still]
    runs: list[Any] = []

    def counted(fit: Any) -> Any:
        def fit_one(*given: Any) -> Any:
            runs.append(fit(*given))
            return runs[-1]

        return fit_one

    with replaced("bgsub.background.model", "fit_background", counted):
        scores = ablation.measure(sequences, 1)
    assert 3 <= len(runs) < len(STAGES) / 2
    for stage in STAGES:
        for sequence in sequences:
            with stage.left_out():
                own = ablation.f_measure(sequence, stage, 1)
            assert scores[stage.name]["dataset"][sequence.name] == own, (stage.name, sequence.name)


def test_a_run_notes_what_it_does(tree: Path) -> None:
    shaking, still = ablation.find_sequences(tree)
    for sequence, is_still in ((shaking, False), (still, True)):
        first = First()
        with first.noted():
            ablation.f_measure(sequence, STAGES[0], 1)
        assert len(first.models) == len(first.grounds) == 1
        assert first.is_still == is_still
        assert BY_NAME["stabilise"].same(first) == BY_NAME["before"].same(first) == is_still
        assert BY_NAME["change-points"].same(first)


def test_a_stage_that_did_something_is_run_again() -> None:
    ground = Ground(np.zeros(1, np.float32), np.zeros(1, bool), np.ones(1, bool))
    assert not BY_NAME["change-points"].same(First(models=[None, None]))  # type: ignore[list-item]
    assert not BY_NAME["ground"].same(First(grounds=[ground]))
    assert not BY_NAME["light"].same(First(lights=[True, False]))


def test_sequences_are_found_by_their_folders(tree: Path, tmp_path: Path) -> None:
    assert [each.name for each in ablation.find_sequences(tree)] == [
        "demos/camera_jitter",
        "demos/waving_trees",
    ]
    (tmp_path / "a/b/input").mkdir(parents=True)
    done = CliRunner().invoke(
        cli.main, ["ablation", "--out", str(tmp_path / "out"), "--dataset", str(tmp_path)]
    )
    assert done.exit_code == 1
    assert done.output == (
        f"Error: --dataset {tmp_path}: no category/sequence with input and groundtruth in this folder\n"
    )
    assert not (tmp_path / "out").exists()


def test_the_page_keeps_what_is_around_the_marks() -> None:
    page = f"before\n{ablation.BEGIN}\nold\n{ablation.END}\nafter\n"
    assert ablation.updated(page, "new\n") == f"before\n{ablation.BEGIN}\nnew\n{ablation.END}\nafter\n"
    with pytest.raises(ValueError, match="no '<!-- ablation: begin -->'"):
        ablation.updated(f"{ablation.END}{ablation.BEGIN}", "new\n")
    assert ablation.updated(ablation.README.read_text(encoding="utf-8"), "").startswith("# Benchmarks")


@pytest.mark.slow
def test_a_quick_run_with_a_data_set_writes_json_tables_and_page(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "README.md"
    page.write_text(f"before\n{ablation.BEGIN}\nold\n{ablation.END}\n", encoding="utf-8")
    monkeypatch.setattr(ablation, "README", page)
    out = tmp_path / "out"
    words = ["ablation", "--out", str(out), "--quick", "--readme", "--dataset", str(tree)]
    done = CliRunner().invoke(cli.main, words)
    assert done.exit_code == 0, done.output
    content = json.loads((out / "ablation.json").read_text(encoding="utf-8"))
    assert content["schema"] == 1
    assert content["sequences"]["dataset"] == ["demos/camera_jitter", "demos/waving_trees"]
    assert content["sequences"]["made-up"] == ["standing_person", "waving_trees"]
    assert [stage["name"] for stage in content["stages"]] == list(BY_NAME)
    first = content["stages"][0]
    for stage in content["stages"]:
        for group, names in content["sequences"].items():
            scores = [stage["f"][group][name] for name in names]
            assert all(0 <= f <= 1 for f in scores)
            assert stage["mean"][group] == pytest.approx(sum(scores) / 2)
            assert stage["difference"][group] == pytest.approx(stage["mean"][group] - first["mean"][group])
    by_name = {stage["name"]: stage["difference"]["made-up"] for stage in content["stages"]}
    assert by_name["ground"] < -0.05
    assert by_name["before"] < -0.05
    table = (out / "ablation.md").read_text(encoding="utf-8")
    assert table in done.output
    assert page.read_text(encoding="utf-8") == f"before\n{ablation.BEGIN}\n{table}{ablation.END}\n"
    assert table.count("\n| ") == 2 * (len(STAGES) + 2)


def test_what_stands_in_for_the_median_filter_takes_specks_away_and_closes_gaps() -> None:
    mask = np.zeros((30, 40), np.uint8)
    mask[5:20, 5:30] = 255
    mask[10, 10] = 0
    mask[25, 35] = 255
    expected = np.zeros_like(mask)
    expected[5:20, 5:30] = 255
    inner = np.s_[7:18, 7:28]
    for clean in (markov_field, total_variation):
        found = clean(mask)
        assert np.array_equal(found[inner], expected[inner])
        assert not found[22:].any()
        assert set(np.unique(found)) == {0, 255}
