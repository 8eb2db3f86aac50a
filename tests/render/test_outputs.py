"""What each output is called on disk."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import cv2
import numpy as np
import pytest

from bgsub.errors import OutputError
from bgsub.fit_options import OUTPUTS
from bgsub.render.outputs import file_name, layer_of, open_output, refuse_impossible
from bgsub.render.sinks import ImageSequenceSink, MaskSink, PictureSink, Timing, VideoSink


def test_every_output_has_a_name_of_its_own():
    assert len({file_name(name) for name in OUTPUTS}) == len(OUTPUTS)


@pytest.mark.parametrize(
    ("output", "name", "kind"),
    [
        ("background", "background.mp4", VideoSink),
        ("side-by-side", "side-by-side.mp4", VideoSink),
        ("mask", "mask.mkv", MaskSink),
        ("mask-png", "mask-png/", ImageSequenceSink),
        ("plate", "background.png", PictureSink),
    ],
)
def test_an_output_gets_the_sink_that_suits_its_layer(output, name, kind, tmp_path):
    assert file_name(output) == name
    sink = open_output(output, tmp_path, Timing(fps=Fraction(25)), threads=1)
    assert type(sink) is kind
    assert sink.path == tmp_path / name
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("output", OUTPUTS)
def test_pictures_show_the_layer_of_the_video(output):
    assert layer_of(output).name == layer_of(output.removesuffix("-png")).name


@pytest.mark.parametrize(
    ("output", "shape", "says"),
    [
        ("overlay", (16, 16_400), r"overlay\.mp4: pictures of 16400 × 16 .* ends at 16384 pixels a side"),
        ("side-by-side", (8_200, 16), r"side-by-side\.mp4: pictures of 32 × 16400 pixels are too large"),
        ("mask", (16_384, 16_384), r"mask\.mkv: .* ends at 268 million pixels; .*\(mask-png\)"),
        ("overlay", (16_384, 16), None),
        ("mask", (20_000, 1), None),
        ("overlay-png", (16, 16_400), None),
        ("plate", (16, 16_400), None),
    ],
)
def test_pictures_that_no_video_file_holds_are_refused_before_any_is_made(output, shape, says, tmp_path):
    if says is None:
        refuse_impossible(tmp_path, [output], shape)
        return
    with pytest.raises(OutputError, match=says) as caught:
        refuse_impossible(tmp_path, [output], shape)
    assert "\n" not in str(caught.value)


def test_the_encoder_says_the_same(tmp_path):
    with pytest.raises(OutputError, match=r"pictures of 16386 × 2 pixels are too large"):
        open_output("overlay", tmp_path, Timing(), 1).write(np.zeros((2, 16_386), np.uint8), Fraction(0))


@pytest.mark.parametrize("flags", [["--dry-run"], []])
def test_a_plan_and_a_run_refuse_them_alike(tmp_path, flags):
    for number in range(4):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.zeros((4, 16_400), np.uint8))
    command = [sys.executable, "-m", "bgsub", "separate", str(tmp_path), "-o", str(tmp_path / "out"), *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8", timeout=120)
    [line] = done.stderr.splitlines()
    assert "background.mp4: pictures of 16400 × 4 pixels are too large for a video file" in line
    assert not (tmp_path / "out").exists()
