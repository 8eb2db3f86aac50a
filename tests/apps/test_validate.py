"""apps/benchmark validate and tune: sequences in CDnet's layout, their variants, and what is told of them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from benchmark import (
    cli,
    curves,
    effects,
    plain,
    processes,
    sequences,
    tune,
    validate,
    validate_report,
    worst,
)
from benchmark.markdown import share
from benchmark.names import SYSTEMS, VARIANT_NAMES
from benchmark.separated import pooled
from benchmark.sequences import Clip
from benchmark.variants import VARIANTS
from click.testing import CliRunner

from bgsub.evaluation.counts import Counts
from bgsub.masks.decisions import DECIDED
from bgsub.masks.significance import level_of, stable_level

FRAMES, HEIGHT, WIDTH = 30, 48, 64


def made(gray: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Frames and labels of a bright thing that crosses a noisy picture."""
    rng = np.random.default_rng(3)
    frames = (90 + rng.integers(-2, 3, (FRAMES, HEIGHT, WIDTH, 3))).astype(np.uint8)
    labels = np.zeros((FRAMES, HEIGHT, WIDTH), np.uint8)
    for t in range(FRAMES):
        place = t, slice(15, 30), slice(2 * t, 2 * t + 12)
        frames[place], labels[place] = (200, 60, 40), 255
    return (frames[..., 0] if gray else frames), labels


def write(folder: Path, first: int = 101) -> None:
    frames, labels = made()
    for part in ("input", "groundtruth"):
        (folder / part).mkdir(parents=True)
    for t in range(FRAMES):
        cv2.imwrite(str(folder / f"input/in{first + t:06d}.png"), frames[t][..., ::-1])
        if t % 2 == 0:
            cv2.imwrite(str(folder / f"groundtruth/gt{first + t:06d}.png"), labels[t])
    (folder / "temporalROI.txt").write_text(f"{first + 4} {first + 25}\n", encoding="utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sequences of one scene, one of them with a region, and one that no frames are left of."""
    out = tmp_path_factory.mktemp("tree")
    write(out / "thermal/remote1")
    write(out / "baseline/highway", first=1)
    region = np.full((HEIGHT, WIDTH), 255, np.uint8)
    region[:16] = 0
    cv2.imwrite(str(out / "baseline/highway/ROI.bmp"), region[:, :-8])
    cv2.imwrite(str(out / "baseline/highway/ROI.png"), region)
    (out / "baseline/empty/groundtruth").mkdir(parents=True)
    return out


def run(*words: str | Path) -> str:
    done = CliRunner().invoke(cli.main, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_frames_with_truth_within_the_limits_are_scored_inside_the_region(tree: Path) -> None:
    assert [each.label for each in sequences.find(tree)] == ["baseline/highway", "thermal/remote1"]
    clip = sequences.load(tree / "baseline/highway")
    frames, labels = made()
    assert np.array_equal(clip.frames, frames)
    assert list(clip.truth) == list(range(4, 26, 2))
    assert (clip.truth[6][:16] == 85).all()
    assert np.array_equal(clip.truth[6][16:], labels[6][16:])
    assert list(sequences.thinned(clip, 4).truth) == [4, 10, 16, 22]
    assert list(sequences.load(tree / "thermal/remote1").truth) == list(clip.truth)


def test_a_sequence_has_its_name_or_its_label_or_is_said_to_be_none(tree: Path) -> None:
    for name in ("highway", "baseline/highway"):
        assert [each.name for each in sequences.find(tree, [name])] == ["highway"]
    for command in ("validate", "tune", "numbers"):
        done = CliRunner().invoke(cli.main, [command, "motorway", "--data", str(tree)])
        assert done.output == (
            f"Error: there is no sequence 'motorway' in {tree}; there are highway, remote1\n"
        )


def test_a_scene_counts_once() -> None:
    scores = {"thermal/remote1": 0.2, "thermal/remote5": 0.4, "baseline/office": 0.9}
    assert sequences.mean_of_scenes(scores) == pytest.approx(0.6)
    assert np.isnan(sequences.mean_of_scenes({}))


def test_variants_keep_the_truth_with_its_frames() -> None:
    frames, labels = made()
    clip = Clip(frames, {t: labels[t] for t in (3, 7, 8, 13, 23)})
    found = {name: change(clip) for name, change in VARIANTS.items()}
    assert list(found) == list(VARIANT_NAMES)
    fifth = found["fifth"]
    assert list(fifth.truth) == [0, 1, 2, 4]
    assert all(np.array_equal(fifth.frames[t], frames[3 + 5 * t]) for t in range(6))
    assert all(np.array_equal(fifth.truth[t], labels[3 + 5 * t]) for t in fifth.truth)
    first = found["first"]
    assert np.array_equal(first.frames, frames[3:])
    assert list(first.truth) == [0, 4, 5, 10, 20]
    assert found["gray"].frames.shape == frames.shape[:3]
    assert found["half"].frames.shape == (FRAMES, HEIGHT // 2, WIDTH // 2, 3)
    assert np.array_equal(found["half"].truth[8], labels[8][::2, ::2])
    noise = found["dark"].frames - frames / 2
    assert abs(noise.mean()) < 0.1
    assert noise.std() == pytest.approx(4, abs=0.1)
    assert np.array_equal(VARIANTS["dark"](clip).frames, found["dark"].frames)


def test_the_short_variant_has_its_number_of_scored_frames() -> None:
    frames = np.zeros((200, 4, 5), np.uint8)
    first = VARIANTS["first"]
    dense = first(Clip(frames, dict.fromkeys(range(20, 180), frames[0])))
    assert (len(dense.frames), len(dense.truth)) == (60, 60)
    sparse = first(Clip(frames, dict.fromkeys(range(20, 180, 2), frames[0])))
    assert (len(sparse.frames), len(sparse.truth)) == (119, 60)


def test_plain_systems_find_what_is_plain_and_clean_their_masks() -> None:
    for gray in (False, True):
        frames, labels = made(gray)
        frames[20, 40, 5] = 255
        clip = Clip(frames, {t: labels[t] for t in range(15, 25)})
        for name, masks in plain.PLAIN.items():
            found = masks(clip)
            assert list(found) == list(clip.truth)
            assert not found[20][40, 5]
            counts = pooled(clip, found)
            # What learns fast has taken half of a slow thing for background.
            assert counts.recall > (0.9 if name == "median" else 0.4), name
            assert counts.precision > 0.95, name


def test_a_validation_scores_everything_and_draws_the_worst_frames(tree: Path, tmp_path: Path) -> None:
    file, pictures = tmp_path / "out.json", tmp_path / "pictures"
    words = ("validate", "--data", tree, "--json", file, "--processes", "1")
    output = run(*words, "--pictures", pictures, "remote1")
    content = json.loads(file.read_text(encoding="utf-8"))
    [row] = content["sequences"]
    assert (row["name"], row["scene"], row["frames"], row["scored"]) == (
        "thermal/remote1",
        "thermal/remote",
        30,
        11,
    )
    assert list(row["f"]) == ["bgsub", *plain.PLAIN]
    assert list(row["variants"]) == list(VARIANT_NAMES)
    assert row["f"]["bgsub"] > 0.95
    assert list(content["means"]) == ["all", "others"]
    head = output.splitlines()[0]
    assert all(SYSTEMS[name] in head for name in row["f"])
    assert all(name in head for name in VARIANT_NAMES.values())
    assert "Below the temporal median by more than .005: none." in output
    assert cv2.imread(str(pictures / "thermal-remote1.png")).shape == (HEIGHT, 3 * WIDTH, 3)


def test_a_quick_validation_has_no_variants_and_few_scored_frames(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validate, "FEW", 4)
    file = tmp_path / "out.json"
    output = run("validate", "--data", tree, "--json", file, "--processes", "1", "--quick")
    content = json.loads(file.read_text(encoding="utf-8"))
    assert [row["name"] for row in content["sequences"]] == ["baseline/highway", "thermal/remote1"]
    assert all(row["scored"] == 4 and not row["variants"] for row in content["sequences"])
    assert content["drops"] == {}
    assert "| **mean, first six (1)** |" in output
    assert not any(name in output for name in VARIANT_NAMES.values())


def test_what_is_worse_than_the_median_is_said() -> None:
    def row(name: str, bgsub: float, median: float, gray: float) -> validate.Row:
        scores = {"bgsub": bgsub, "median": median}
        variants = {} if np.isnan(gray) else {"gray": gray}
        return validate.Row(name, sequences.scene_of(name), 9, 9, scores, 1, 1, variants)

    rows = [
        row("baseline/highway", 0.9, 0.904, 0.8),
        row("baseline/office", 0.3, 0.2, float("nan")),
        row("thermal/remote1", 0.5, 0.6, 0.6),
        row("thermal/remote2", 0.7, 0.6, 0.6),
    ]
    assert validate_report.below_median(rows) == ["thermal/remote1"]
    assert validate_report.drops(rows) == pytest.approx({"gray": 0.05})
    lines = validate_report.tables(rows).splitlines()
    assert lines[3] == "| baseline/office | .300 | .200 |  |"
    assert lines[6] == "| **mean, all scenes (3)** | .600 | .568 | .700 |"
    assert lines[-3] == "| **mean change** |  |  | −.050 |"
    assert lines[-1] == "Below the temporal median by more than .005: thermal/remote1."


def test_the_picture_tells_hits_from_errors() -> None:
    mask = np.array([[255, 255, 255, 0, 0, 0]], np.uint8)
    labels = np.array([[255, 0, 170, 255, 50, 85]], np.uint8)
    expected = [worst.HIT, worst.FALSE, worst.UNKNOWN, worst.MISSED, (0, 0, 0), worst.UNKNOWN]
    assert worst.compared(mask, labels)[0].tolist() == [list(colour) for colour in expected]


def test_a_file_that_cannot_be_written_is_said_before_the_work(tree: Path) -> None:
    done = CliRunner().invoke(
        cli.main, ["validate", "--data", str(tree), "--json", str(tree / "no/such/file.json")]
    )
    assert done.exit_code == 1
    assert done.output.startswith("Error: --json ")


def test_the_level_is_that_of_the_program_where_the_numbers_are() -> None:
    rng = np.random.default_rng(0)
    for spread in (10, 25, 60):
        picture = np.clip(rng.normal(60, spread, (50, 60)), 0, 255).astype(np.uint8)
        histogram = np.bincount(picture.reshape(-1), minlength=256).astype(float)
        assert level_of(histogram, DECIDED) == stable_level([picture])


def test_numbers_are_chosen_by_the_other_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing but noise: the expected level decides.
    noise = np.zeros(256)
    noise[:60] = 1e6
    low, high = (np.exp(-((np.log(curves.LEVELS / best)) ** 2)) for best in (6, 12))
    given = [curves.Curve(name, noise, f) for name, f in (("a/a", low), ("a/b", low), ("a/c", high))]
    monkeypatch.setattr(tune, "GRID", {"level": (6.0, 12.0), "confidence": (10.0,), "unseen": (1e-2,)})
    rows = {row.name: row for row in tune.left_out(given)}
    assert rows["a/c"].chosen == {"level": 6.0, "confidence": 10.0, "unseen": 1e-2}
    assert rows["a/c"].level == pytest.approx(6, rel=0.05)
    assert rows["a/c"].f_in_force < rows["a/c"].f < rows["a/c"].best_f
    assert rows["a/c"].best_level == pytest.approx(12, rel=0.06)
    found = tune.matters(given)
    assert set(found["level"]) == {6.0, DECIDED.level, 12.0}
    one = [curves.Curve("a/a", noise, low)]
    assert tune.left_out(one)[0].level == tune.left_out(one)[0].level_in_force


def test_tuning_fits_once_and_scores_at_every_level(tree: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    output = run("tune", "--data", tree, "--json", file, "--processes", "1")
    content = json.loads(file.read_text(encoding="utf-8"))
    assert [row["name"] for row in content["sequences"]] == ["baseline/highway", "thermal/remote1"]
    assert all(0.9 < row["f_in_force"] <= row["best_f"] for row in content["sequences"])
    assert content["in_force"] == {name: getattr(DECIDED, name) for name in tune.GRID}
    assert content["matters"].keys() == tune.GRID.keys()
    assert "| **mean of scenes** |" in output
    assert all(f"\n| {name} |" in output for name in tune.GRID)


@pytest.mark.parametrize("count", [1, 2])
def test_processes_give_everything_in_order(count: int) -> None:
    assert processes.each(share, [0.3, 0.1, 0.2], count) == [".300", ".100", ".200"]


@pytest.mark.slow
@pytest.mark.shared_data
def test_bgsub_is_better_than_the_median_on_the_smallest_sequence(shared_data: Path) -> None:
    [boats] = sequences.find(shared_data / "sequences", ["boats"])
    row = validate.measure(validate.Job(boats, quick=True))
    assert (row.frames, row.scored) == (31, 31)
    assert row.f["bgsub"] > row.f["median"] + 0.1


def test_counts_are_pooled() -> None:
    labels = np.array([[255, 0]], np.uint8)
    clip = Clip(np.zeros((2, 1, 2), np.uint8), {0: labels, 1: labels})
    masks = np.array([[[255, 0]], [[0, 255]]], np.uint8)
    assert pooled(clip, masks) == Counts(tp=1, fp=1, fn=1, tn=1)


def test_every_number_is_tried_on_both_sides_and_put_back(tree: Path, tmp_path: Path, monkeypatch) -> None:
    tried = effects.changes()
    assert len({name for name, _ in tried}) > 25
    assert all(value != getattr(DECIDED, name) for name, value in tried if name)
    kept = [("", 0.0), ("level", 3.5), ("blur", 2), ("blur", 4)]
    monkeypatch.setattr(effects, "changes", lambda: kept)
    before = DECIDED.level, DECIDED.blur
    file = tmp_path / "out.json"
    output = run("numbers", "--data", tree, "--json", file, "--processes", "1")
    assert (DECIDED.level, DECIDED.blur) == before
    content = json.loads(file.read_text(encoding="utf-8"))
    assert 0.9 < content["mean"] <= 1
    assert [row["value"] for row in content["numbers"]] == [3.5, 2, 4]
    assert content["left_out"]["chosen"].keys() == content["f"].keys()
    assert "Neither 0.003 on the mean" in output


def test_the_change_is_chosen_by_the_other_scenes() -> None:
    none, one, other = ("", 0.0), ("level", 4.0), ("level", 8.0)
    rows = [
        effects.Scored("a/a", {none: 0.5, one: 0.9, other: 0.1}),
        effects.Scored("a/b", {none: 0.5, one: 0.2, other: 0.6}),
        effects.Scored("a/c", {none: 0.5, one: 0.3, other: 0.9}),
    ]
    assert effects._elsewhere_best(rows[0], rows) == other
    assert effects._elsewhere_best(rows[1], rows) == one
    assert effects._elsewhere_best(rows[0], rows[:1]) == none
