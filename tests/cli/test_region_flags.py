"""``--roi`` and ``--exclude``, given several times, and how the results are scored."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from clip_kit import f_measure, read_video, scene

import bgsub
from bgsub import Options
from bgsub.evaluation.predictions import recorded_outline
from bgsub.frames.grid import Grid
from bgsub.options.areas import encode_mask

SCENE = scene()
ROI = ("4,4 58,2 50,46 8,40", "0,40,20,8")


def inside_of(options: Options) -> np.ndarray:
    """Return the pixels of the scene that *options* look at."""
    return Grid(64, 48, True, options.scale, options.roi, options.exclude).outline > 0


def write_truth(folder, truth) -> None:
    folder.mkdir()
    for number, mask in enumerate(truth, 1):
        cv2.imwrite(str(folder / f"gt{number:06d}.png"), mask)


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["1", "0.5"])
def test_several_flags_reach_the_run_and_evaluate_scores_inside_only(scale, tmp_path, call, clip):
    cv2.imwrite(str(tmp_path / "clock.png"), np.uint8(np.arange(64 * 48).reshape(48, 64) % 64 > 52))
    flags = ["--roi", ROI[0], "--roi", ROI[1], "--exclude", tmp_path / "clock.png", "--exclude", "40,22,6,6"]
    done = call(
        "separate", clip, "-o", tmp_path / "out", "--outputs", "mask", "--quiet", "--scale", scale, *flags
    )
    assert (done.code, done.err) == (0, "")
    report = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    options = Options(**report["options"])
    assert options.roi == ROI
    assert options.exclude == (f"@{tmp_path / 'clock.png'}", "40,22,6,6")
    inside = inside_of(options)
    assert np.array_equal(recorded_outline(tmp_path / "out"), inside)
    y, x = np.nonzero(inside)
    box = [x.min(), y.min(), x.max() + 1 - x.min(), y.max() + 1 - y.min()]
    assert report["picture"]["region"] == box

    truth = SCENE.mask[:, :: round(1 / float(scale)), :: round(1 / float(scale))]
    write_truth(tmp_path / "truth", truth)
    found = read_video(tmp_path / "out" / "mask.mkv", "gray")[0]
    scores = bgsub.evaluate(tmp_path / "out", tmp_path / "truth")
    assert scores.counts.total == 40 * inside.sum()
    assert scores.counts.f_measure == pytest.approx(f_measure(found[:, inside], truth[:, inside]))
    assert scores.to_dict()["region_pixels"] == inside.sum()
    text = call("evaluate", tmp_path / "out", tmp_path / "truth").out
    assert f"only inside   {inside.sum():,} pixels of {','.join(map(str, box))} (x,y,width,height" in text


def test_an_exclusion_in_the_middle_is_scored_around_it(tmp_path, call):
    bgsub.separate(SCENE.frames[:5], tmp_path / "out", Options(outputs="mask", exclude="20,10,20,20"))
    write_truth(tmp_path / "truth", SCENE.mask[:5])
    done = call("evaluate", tmp_path / "out", tmp_path / "truth")
    assert "only inside   2,672 pixels of the picture (the run's region)" in done.out


def test_a_damaged_record_of_the_region_is_one_line(tmp_path, call):
    bgsub.separate(SCENE.frames[:5], tmp_path / "out", Options(outputs="mask", roi=ROI))
    path = tmp_path / "out" / "run.json"
    says = f"bgsub: {path}: picture.inside is no mask of the run's size; run the separation again\n"
    report = json.loads(path.read_text(encoding="utf-8"))
    for text in ("data:image/png;base64,AAAA", "", 3, encode_mask(np.ones((3, 5), bool))):
        report["picture"]["inside"] = text
        path.write_text(json.dumps(report), encoding="utf-8")
        done = call("evaluate", tmp_path / "out", tmp_path)
        assert (done.code, done.err) == (1, says)


IMPOSSIBLE = [
        (["--roi", "0,0,9,9", "--roi", "60,0,10,10"], 1, "which is 64 × 48 pixels: it ends at 70,10"),
        (["--roi", "60,0,10,10"], 1, "the region 60,0,10,10 (x,y,width,height) reaches outside the picture"),
        (["--roi", ""], 2, "--roi is empty; give x,y,width,height, or a polygon x,y x,y x,y, or a picture @FILE, or"),
        (["--exclude", " "], 2, "--exclude is empty; give x,y,width,height"),
        (["--roi", "", "--roi", ""], 2, "--roi: cannot read number 1, '': it is empty; expected x,y,width,height"),
        (["--exclude", "0,0,9,9", "--exclude", ""], 2, "--exclude: cannot read number 2, '': it is empty; expected"),
        (["--roi=-5,-5,20,20"], 1, "--roi -5,-5,20,20 begins outside of the picture, at -5,-5: x and y are 0 or more"),
        (["--roi", "0,0,0,0"], 1, "--roi 0,0,0,0 is empty, 0 × 0 pixels: width and height are 1 or more"),
        (["--exclude", "0,0,64,48"], 1, "the excluded regions cover all that was to be looked at of 64 × 48 pixels"),
        (["--roi", "1,1 9,9"], 2, "--roi: cannot read '1,1 9,9': a polygon has at least 3 points"),
        (["--roi", "0,0,9,9", "--roi", "x"], 2, "number 2, 'x': expected x,y,width,height, or a polygon"),
        (["--exclude", "0,0 5,5 9,9"], 1, "--exclude 0,0 5,5 9,9 encloses nothing"),
        (["--roi", "nowhere.png"], 1, "the region @nowhere.png: cannot read nowhere.png: no such file"),
]  # fmt: skip


def test_regions_that_cannot_be_are_one_line(tmp_path, call, clip):
    for flags, code, words in IMPOSSIBLE:
        done = call("separate", clip, "-o", tmp_path / "out", *flags)
        [line] = done.err.splitlines()
        assert done.code == code
        assert words in line
        assert not (tmp_path / "out").exists()


def test_a_file_finds_its_pictures_from_any_folder_and_a_flag_those_of_the_current_one(
    tmp_path, call, clip, monkeypatch
):
    for folder, rows in (("cam", 9), ("here", 20)):
        (tmp_path / folder).mkdir()
        cv2.imwrite(str(tmp_path / folder / "m.png"), np.uint8(np.arange(48)[:, None] >= rows + np.zeros(64)))
    monkeypatch.chdir(tmp_path / "here")
    arguments = ("info", clip, "--config", "../cam/my.toml")
    for flag in ("roi", "exclude"):
        (tmp_path / "cam" / "my.toml").write_text(f'{flag} = "m.png"\n')
        for more, first in (((), 9), ((f"--{flag}", "m.png"), 20)):
            rows = 48 - first if flag == "roi" else first
            assert f"region     {64 * rows:,} of 3,072 pixels are looked at" in call(*arguments, *more).out
    done = call("separate", *arguments[1:], "-o", "out", "--outputs", "mask", "--quiet", "--end", "5")
    assert done.code == 0
    box = json.loads(Path("out/run.json").read_text(encoding="utf-8"))["picture"]["region"]
    assert box == [0, 0, 64, 9]


def test_none_takes_back_what_a_file_says(call, tmp_path):
    (tmp_path / "my.toml").write_text('roi = ["1,2,3,4", "0,0 5,0 5,5"]\nexclude = "1,1,2,2"')
    shown = call("separate", "--print-config", "--config", tmp_path / "my.toml", "--exclude", "none")
    assert 'roi = ["1,2,3,4", "0,0 5,0 5,5"]\n' in shown.out
    assert 'exclude = "none"\n' in shown.out
