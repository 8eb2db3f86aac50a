"""Every codec: what it makes is read again, with every frame at its time."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from render_kit import names, read_video, steps

import bgsub
from bgsub.errors import OptionError, OutputError
from bgsub.options.codecs import CODECS
from bgsub.render.sinks import encoder
from bgsub.render.sinks.open import open_sink
from bgsub.render.sinks.video import Encoding

ENCODED_AS = {"h264": "h264", "hevc": "hevc", "vp9": "vp9", "av1": "av1", "ffv1": "ffv1", "prores": "prores"}


def smooth(count: int, height: int, width: int, channels: tuple[int, ...] = (3,)) -> list[np.ndarray]:
    y, x = np.mgrid[:height, :width]
    plain = 120 + 60 * np.sin(x / 17) + 40 * np.cos(y / 13)
    colour = plain[..., None] * np.array([1.0, 0.8, 0.6]) if channels else plain
    return [np.clip(colour + 5 * t, 0, 255).astype(np.uint8) for t in range(count)]


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize(("size", "channels"), [((96, 128), (3,)), ((97, 131), (3,)), ((96, 128), ())])
def test_frames_and_times_survive(codec, size, channels, tmp_path: Path, capfd):
    path = tmp_path / f"a{CODECS[codec].suffix}"
    clip = smooth(8, *size, channels)
    with open_sink(path, "video", encoding=Encoding(codec)) as sink:
        for image, time in zip(clip, steps(8, first=Fraction(1, 5)), strict=True):
            sink.write(image, time)
    images, stamps = read_video(path)
    assert stamps == steps(8, first=Fraction(1, 5))
    for image, seen in zip(clip, images, strict=True):
        full = image if image.ndim == 3 else np.repeat(image[..., None], 3, axis=2)
        off = np.abs(seen[: size[0], : size[1]].astype(float) - full)
        assert off.mean() < 3
        assert off.max() == 0 or codec != "ffv1"
    with av.open(str(path)) as container:
        assert container.streams.video[0].codec_context.codec.canonical_name == ENCODED_AS[codec]
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("codec", [name for name, known in CODECS.items() if known.crf])
def test_a_larger_crf_makes_a_smaller_file(codec, tmp_path):
    noise = np.random.default_rng(0).integers(0, 256, (96, 128, 3), dtype=np.uint8)
    sizes = []
    for crf in (12, 45):
        path = tmp_path / f"{crf}{CODECS[codec].suffix}"
        with open_sink(path, "video", encoding=Encoding(codec, crf)) as sink:
            sink.write(noise, Fraction(0))
        sizes.append(path.stat().st_size)
    assert sizes[1] < 0.7 * sizes[0]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"crf": -1}, "--crf is -1, but must be"),
        ({"crf": 52}, "≤ 51 for h264"),
        ({"codec": "av1", "crf": 64}, "≤ 63"),
        ({"codec": "ffv1", "crf": 20}, "leave it out"),
        ({"preset": "quick"}, "h264 has ultrafast, "),
        ({"codec": "vp9", "preset": "9"}, "vp9 has 0, 1"),
        ({"codec": "prores", "preset": "fast"}, "leave it out"),
    ],
)
def test_a_codec_refuses_what_it_does_not_take(values, says):
    for make in (Encoding, bgsub.Options):
        with pytest.raises(OptionError, match=says):
            make(**values)


def test_a_video_of_another_codec_than_its_suffix_is_refused(tmp_path):
    with pytest.raises(OptionError, match=r"use \.mp4"):
        open_sink(tmp_path / "a.webm", "video")


@pytest.mark.parametrize("outputs", ["overlay", "clips"])
def test_an_encoder_that_is_not_there_is_told_before_the_work(outputs, tmp_path, monkeypatch):
    monkeypatch.setattr(encoder, "has_codec", lambda name: name != "libsvtav1")
    frames = np.zeros((5, 32, 32, 3), np.uint8)
    with pytest.raises(OutputError, match=r"no encoder 'libsvtav1'.*another --codec"):
        bgsub.separate(frames, tmp_path / "out", bgsub.Options(outputs=outputs, codec="av1"))
    assert names(tmp_path) == []


def test_a_run_writes_all_its_videos_with_the_codec(tmp_path):
    from clip_kit import scene

    result = bgsub.separate(
        scene(30).frames,
        tmp_path / "out",
        bgsub.Options(outputs="overlay,boxes,mask,clips", codec="vp9", min_event=0),
    )
    assert sorted(names(tmp_path / "out")) == ["boxes.webm", "clips", "mask.mkv", "overlay.webm", "run.json"]
    assert names(tmp_path / "out" / "clips") == ["001.webm"]
    assert result.outputs["boxes"].name == "boxes.webm"
