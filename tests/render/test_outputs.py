"""What each output is called on disk."""

from __future__ import annotations

from fractions import Fraction

import cv2
import numpy as np
import pytest

import bgsub
from bgsub.base.publish import Publication
from bgsub.cli.survey import survey
from bgsub.errors import OutputError
from bgsub.options.table import LAYERS
from bgsub.render.outputs import file_name, layer_of, open_output, refuse_impossible
from bgsub.render.sinks.open import Encoding, ImageSequenceSink, MaskSink, PictureSink, Timing, VideoSink


def test_an_output_gets_the_sink_that_suits_its_layer(tmp_path):
    for output, name, kind in [
        ("background", "background.mp4", VideoSink),
        ("side-by-side", "side-by-side.mp4", VideoSink),
        ("mask", "mask.mkv", MaskSink),
        ("mask-png", "mask-png/", ImageSequenceSink),
        ("plate", "background.png", PictureSink),
    ]:
        assert file_name(output) == name, output
        sink = open_output(output, tmp_path, Timing(fps=Fraction(25)), Encoding(threads=1), Publication())
        assert type(sink) is kind, output
        assert sink.path == tmp_path / name, output
        assert list(tmp_path.iterdir()) == [], output


def test_pictures_show_the_layer_of_the_video():
    for output in LAYERS:
        assert layer_of(output).name == layer_of(output.removesuffix("-png")).name, output


def test_pictures_that_no_video_file_holds_are_refused_before_any_is_made(tmp_path):
    for output, shape, says in [
        ("overlay", (16, 16_400), r"overlay\.mp4: pictures of 16400 × 16 .* ends at 16384 pixels a side"),
        ("side-by-side", (8_200, 16), r"side-by-side\.mp4: pictures of 32 × 16400 pixels are too large"),
        ("mask", (16_384, 16_384), r"mask\.mkv: .* ends at 268 million pixels; .*\(mask-png\)"),
    ]:
        with pytest.raises(OutputError, match=says) as caught:
            refuse_impossible(tmp_path, [output], shape)
        assert "\n" not in str(caught.value), output
    refuse_impossible(tmp_path, ["overlay"], (16_384, 16))
    refuse_impossible(tmp_path, ["mask"], (20_000, 1))
    refuse_impossible(tmp_path, ["overlay-png", "plate"], (16, 16_400))


def test_the_encoder_says_the_same(tmp_path):
    sink = open_output("overlay", tmp_path, Timing(), Encoding(threads=1), Publication())
    with pytest.raises(OutputError, match=r"pictures of 16386 × 2 pixels are too large"):
        sink.write(np.zeros((2, 16_386), np.uint8), Fraction(0))


def test_a_plan_and_a_run_refuse_them_alike(tmp_path):
    for number in range(4):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.zeros((4, 16_400), np.uint8))
    said = []
    for run in (bgsub.separate, lambda source, out: survey(source, bgsub.Options(), out, is_checked=True)):
        with pytest.raises(OutputError) as caught:
            run(str(tmp_path), tmp_path / "out")
        said.append(str(caught.value))
        assert not (tmp_path / "out").exists()
    assert "background.mp4: pictures of 16400 × 4 pixels are too large for a video file" in said[0]
    assert said[0] == said[1]
