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
from benchmark.ablation_stages import STAGES
from benchmark.names import ABLATIONS
from benchmark.regularised import markov_field, total_variation
from click.testing import CliRunner

import bgsub
from bgsub.background.light.relight import FrameLight
from bgsub.frames.changes.watch import Watched
from bgsub.frames.read.array import ArraySource
from bgsub.masks import detector
from bgsub.masks.decisions import DECIDED
from bgsub.masks.small_objects import Persistence
from bgsub.masks.thresholds import Thresholds

pytestmark = pytest.mark.slow

# Where they are used, which is where they are replaced.
SEARCH: Any = import_module("bgsub.background.ground.search")
JUDGED: Any = import_module("bgsub.background.scene.judged")
COMPONENTS: Any = import_module("bgsub.background.light.components")
BY_NAME = {stage.name: stage for stage in STAGES}
SHAPE = 40, 48
NOISE = np.random.default_rng(0).integers(-3, 4, (60, *SHAPE))
SCENE = np.random.default_rng(1).integers(40, 90, SHAPE).astype(np.uint8)
QUIET = Thresholds.of(np.full(SHAPE, 0.5, np.float32), 20)


def mask_of(place: tuple[slice, slice]) -> np.ndarray:
    """What is seen of a frame that differs from a quiet background by 60 there."""
    image = np.full(SHAPE, 100, np.uint8)
    image[place] += 60
    return detector.Detector(QUIET, 40)(image, np.full(SHAPE, 100, np.uint8))[1]


def cuts() -> int:
    """How many change points there are where the light is switched."""
    clip = (np.repeat(SCENE[None], 60, axis=0) + NOISE // 3).astype(np.uint8)
    clip[30:] *= 2
    return sum(cut for _, cut in Watched(ArraySource(clip), lambda _: None).watched())


def shown_beside_movement() -> bool:
    """Whether the ground is taken to be seen where a thing moves in a third of the frames."""
    changes = np.zeros((36, *SHAPE), np.uint8)
    changes[:12, 10:30, 10:30] = 80
    return bool(SEARCH.at_rest(changes)[0, 20, 20])


def ghost_is_found() -> bool:
    """Whether something that the background shows, and half of the frames do not, is found."""
    background = np.full(SHAPE, 100, np.uint8)
    frames = [background.copy() for _ in range(12)]
    background[10:26, 18:28] = 240
    for frame in frames[:6]:
        frame[:] = background
    shown = np.ones((12, SHAPE[0] * SHAPE[1]), np.uint8)
    return bool(SEARCH.ghosts(frames, background, shown)[-1, 15, 22])


def background_follows() -> bool:
    """Whether the background is brighter where the whole frame is."""
    light = FrameLight(SCENE, np.full(SHAPE, 10, np.float32), None)
    return bool(light.lit(2 * SCENE, SCENE).mean() > 1.5 * SCENE.mean())


def line_in_noise() -> tuple[bool, bool]:
    """Whether the decision and what it is learnt from look at windows: noise of single pixels cancels there."""
    frame = (SCENE + 10 * (-1) ** np.indices(SHAPE).sum(axis=0)).astype(np.uint8)
    return tuple(bool(each.local_difference(frame, SCENE).max() < 50) for each in (detector, JUDGED))  # type: ignore[return-value]


def places_differ() -> bool:
    residuals = np.ones(SHAPE, np.float32)
    residuals[:, 24:] = 9
    return bool(np.ptp(JUDGED.ordinary_deviation(residuals)) > 2)


def level_of_clear_objects() -> bool:
    """Whether objects that are far above a quiet scene lead to another level than expected."""
    picture = np.full(SHAPE, 40, np.uint8)
    picture[:8] = 200
    picture[8:12] = 100
    return bool(JUDGED.stable_level([picture]) != DECIDED.level)


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
    "change-points": (cuts, 1, 0),
    "stillness": (shown_beside_movement, False, True),
    "ghosts": (ghost_is_found, True, False),
    "coverage": (lambda: COMPONENTS.is_light(0.2), False, True),
    "frame-light": (background_follows, True, False),
    "window": (line_in_noise, (True, True), (False, False)),
    "place": (places_differ, True, False),
    "valley": (level_of_clear_objects, True, False),
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
            if not {name, other} <= INSTEAD:
                assert value == on[other], (name, other)
    assert seen() == on


def test_options_of_a_stage_are_not_the_defaults() -> None:
    usual = bgsub.Options()
    given = [(stage, bgsub.Options(**stage.options)) for stage in STAGES if stage.options]
    assert given
    for stage, options in given:
        assert all(getattr(usual, name) != getattr(options, name) for name in stage.options), stage.name


def test_what_was_replaced_is_put_back_when_a_run_fails() -> None:
    kept = detector.local_difference, JUDGED.local_difference
    with pytest.raises(RuntimeError), BY_NAME["window"].left_out():
        raise RuntimeError
    assert (detector.local_difference, JUDGED.local_difference) == kept


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small scene in CDnet's layout."""
    out = tmp_path_factory.mktemp("tree")
    ablation.make_scenes(ablation.Scenes(("water",), 24, 96), out)
    (out / ablation.MADE_UP).rename(out / "category")
    return out


def test_a_folder_without_sequences_is_said_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "a/b/input").mkdir(parents=True)
    words = ["ablation", "--out", str(tmp_path / "out"), "--data", str(tmp_path)]
    done = CliRunner().invoke(cli.main, words)
    assert done.exit_code == 1
    assert done.output == (
        f"Error: --data {tmp_path}: no category/sequence with input and groundtruth in it\n"
    )
    assert not (tmp_path / "out").exists()


def test_the_page_keeps_what_is_around_the_marks() -> None:
    page = f"before\n{ablation.BEGIN}\nold\n{ablation.END}\nafter\n"
    assert ablation.updated(page, "new\n") == f"before\n{ablation.BEGIN}\nnew\n{ablation.END}\nafter\n"
    with pytest.raises(ValueError, match="no '<!-- ablation: begin -->'"):
        ablation.updated(f"{ablation.END}{ablation.BEGIN}", "new\n")
    assert ablation.updated(ablation.README.read_text(encoding="utf-8"), "").startswith("# Benchmarks")


def test_a_quick_run_with_a_data_set_writes_json_tables_and_page(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "README.md"
    page.write_text(f"before\n{ablation.BEGIN}\nold\n{ablation.END}\n", encoding="utf-8")
    monkeypatch.setattr(ablation, "README", page)
    monkeypatch.setattr(ablation, "QUICK_SCENES", ablation.Scenes(("standing_person",), 24, 96))
    some = [BY_NAME[name] for name in ("default", "window", "before")]
    monkeypatch.setattr(ablation, "STAGES", some)
    out = tmp_path / "out"
    words = ["--out", str(out), "--quick", "--readme", "--data", str(tree), "--processes", "1"]
    done = CliRunner().invoke(cli.main, ["ablation", *words])
    assert done.exit_code == 0, done.output
    content = json.loads((out / "ablation.json").read_text(encoding="utf-8"))
    assert content["schema"] == 2
    assert content["sequences"] == {"dataset": ["category/water"], "made-up": ["demos/standing_person"]}
    assert [stage["name"] for stage in content["stages"]] == [stage.name for stage in some]
    first = content["stages"][0]
    for stage in content["stages"]:
        for group, [name] in content["sequences"].items():
            assert 0 <= stage["f"][group][name] == stage["mean"][group] <= 1
            assert stage["difference"][group] == pytest.approx(stage["mean"][group] - first["mean"][group])
    assert len({stage["mean"]["dataset"] for stage in content["stages"]}) == len(some)
    table = (out / "ablation.md").read_text(encoding="utf-8")
    assert table in done.output
    assert page.read_text(encoding="utf-8") == f"before\n{ablation.BEGIN}\n{table}{ablation.END}\n"
    assert table.count("\n| ") == 2 * (len(some) + 2)


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
