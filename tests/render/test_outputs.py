"""What each output is called on disk."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bgsub.fit_options import OUTPUTS
from bgsub.render.outputs import file_name, layer_of, open_output
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
