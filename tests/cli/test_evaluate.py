"""``bgsub evaluate``: masks against ground truth."""

from __future__ import annotations

import json
import re

import cv2
import numpy as np
import pytest
from clip_kit import f_measure, scene

import bgsub
from bgsub import Options


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """A run's folder, the truth's folder, and the F of the one against the other."""
    folder = tmp_path_factory.mktemp("scored")
    made = scene()
    result = bgsub.separate(made.frames, folder / "out", Options(outputs="mask,mask-png"))
    (folder / "truth").mkdir()
    for number, mask in enumerate(made.mask, 1):
        cv2.imwrite(str(folder / "truth" / f"gt{number:06d}.png"), mask)
    masks = np.stack([cv2.imread(str(path), 0) for path in sorted(result.outputs["mask-png"].iterdir())])
    return folder / "out", folder / "truth", f_measure(masks, made.mask)


def test_a_run_its_video_and_its_pictures_score_the_same(call, scored):
    out, truth, expected = scored
    for masks in ("", "mask.mkv", "mask-png"):
        done = call("evaluate", out / masks, truth)
        assert (done.code, done.err) == (0, "")
        assert f"F-measure {expected:.4f}" in re.sub(" +", " ", done.out)
        assert "frames scored" in done.out


def test_a_run_with_mask_pictures_only_is_scored_on_them(call, scored, tmp_path):
    made = scene()
    bgsub.separate(made.frames, tmp_path, Options(outputs="mask-png,plate"))
    done = call("evaluate", tmp_path, scored[1])
    assert f"F-measure {scored[2]:.4f}" in re.sub(" +", " ", done.out)


def test_a_run_without_masks_is_refused_instead_of_scoring_its_background_or_older_masks(
    call, scored, tmp_path
):
    bgsub.separate(scene().frames[:5], tmp_path, Options(outputs="mask"))
    bgsub.separate(scene().frames[:5], tmp_path, Options(outputs="plate"))
    done = call("evaluate", tmp_path, scored[1])
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        f"bgsub: {tmp_path} holds the results of a run without masks; run it again with --outputs mask\n"
    )


def test_the_scores_are_written_as_json(call, scored, tmp_path):
    out, truth, expected = scored
    done = call("evaluate", out, truth, "--json", tmp_path / "scores.json")
    assert done.code == 0
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["measures"]["f_measure"] == pytest.approx(expected)
    assert scores["frames"] == {"scored": 40, "missing": 0}
    assert len(scores["per_frame"]) == 40


def test_a_file_that_cannot_be_written_is_one_line(call, scored, tmp_path):
    out, truth, _ = scored
    done = call("evaluate", out, truth, "--json", tmp_path / "no" / "scores.json")
    assert done.code == 1
    assert (
        done.err
        == f"bgsub: cannot write {tmp_path / 'no' / 'scores.json'}: its folder does not exist; create it first\n"
    )


def test_what_is_not_there_is_named(call, scored, tmp_path):
    for arguments in ((tmp_path / "nowhere", scored[1]), (scored[0], tmp_path / "nowhere")):
        done = call("evaluate", *arguments)
        assert (done.code, done.out) == (1, "")
        [line] = done.err.splitlines()
        assert "nowhere" in line


def test_a_missing_argument_is_wrong_usage(call, scored):
    done = call("evaluate", scored[0])
    assert done.code == 2
    assert done.err == "bgsub: missing argument 'GROUNDTRUTH'; see bgsub evaluate --help\n"


def test_scores_replace_earlier_scores_and_nothing_else(call, scored, tmp_path):
    out, truth, _ = scored
    scores, note = tmp_path / "scores.json", tmp_path / "note.json"
    for _ in range(2):
        assert call("evaluate", out, truth, "--json", scores).code == 0
    note.write_text("{}")
    label = next(path for path in sorted(truth.iterdir())) if truth.is_dir() else truth
    for file in (note, label, out / "mask.mkv"):
        before = file.read_bytes()
        assert call("evaluate", out, truth, "--json", file).code == 1
        assert file.read_bytes() == before


def test_scores_do_not_replace_what_they_are_made_from(call, scored):
    out, truth, _ = scored
    for name in ("run.json", "mask.mkv"):
        before = (out / name).read_bytes()
        done = call("evaluate", out / "mask.mkv", truth, "--json", out / name)
        assert done.code == 1
        assert done.err.startswith("bgsub: will not write the scores over ")
        assert (out / name).read_bytes() == before
        assert (out / name).read_bytes() == before


def test_a_run_on_a_region_is_scored_inside_it(call, scored, tmp_path):
    _, truth, _ = scored
    made = scene()
    height, width = made.mask.shape[1:]
    region = (0, 0, width // 2, height)
    bgsub.separate(made.frames, tmp_path / "out", Options(outputs="mask,mask-png", roi=region))
    found = np.stack([cv2.imread(str(p), 0) for p in sorted((tmp_path / "out" / "mask-png").iterdir())])
    half = np.s_[:, :, : width // 2]
    evaluation = bgsub.evaluate(tmp_path / "out", truth)
    assert evaluation.counts.f_measure == pytest.approx(f_measure(found[half], made.mask[half]))
    assert evaluation.counts.total == found[half].size
    assert f"only inside   0,0,{width // 2},{height}" in call("evaluate", tmp_path / "out", truth).out
