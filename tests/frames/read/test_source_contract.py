"""What every source of frames promises, asked of each of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
import tifffile
from PIL import Image

from bgsub.base.prefetch import prefetch
from bgsub.frames.read.array import ArraySource
from bgsub.frames.read.open import open_source
from bgsub.frames.source import Frame, FrameSource, VideoInfo
from bgsub.options.table import Options

COUNT, HEIGHT, WIDTH = 9, 21, 34

CLIP = np.random.default_rng(1).integers(0, 256, (COUNT, HEIGHT, WIDTH, 3), np.uint8)


def video(path: Path, codec: str, pixel_format: str, clip: np.ndarray) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=Fraction(25))
        stream.height, stream.width = clip.shape[1:3]
        stream.pix_fmt = pixel_format
        for image in clip:
            frame = av.VideoFrame.from_ndarray(image, format="gray" if image.ndim == 2 else "rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def pictures(folder: Path, clip: np.ndarray) -> Path:
    for index, image in enumerate(clip):
        data = cv2.imencode(".png", image if image.ndim == 2 else image[..., ::-1])[1]
        (folder / f"in{index + 98:04d}.png").write_bytes(data.tobytes())
    return folder


def stack(path: Path, clip: np.ndarray, **how: object) -> Path:
    tifffile.imwrite(path, clip, **how)
    return path


def animation(path: Path, kind: str) -> Path:
    first, *others = map(Image.fromarray, CLIP)
    first.save(path, kind, save_all=True, append_images=others, duration=40)
    return path


SOURCES: dict[str, Callable[[Path], FrameSource]] = {
    "video": lambda tmp: open_source(video(tmp / "a.mkv", "ffv1", "bgr0", CLIP)),
    "video with B-frames": lambda tmp: open_source(video(tmp / "a.mp4", "libx264", "yuv444p", CLIP)),
    "interlaced video": lambda tmp: open_source(
        video(tmp / "a.mkv", "ffv1", "yuv420p", CLIP), options=Options(deinterlace="on")
    ),
    "turned video": lambda tmp: open_source(
        video(tmp / "a.mkv", "ffv1", "bgr0", CLIP.swapaxes(1, 2)), options=Options(rotate=90)
    ),
    "gray video": lambda tmp: open_source(video(tmp / "a.mkv", "ffv1", "gray", CLIP[..., 0])),
    "folder": lambda tmp: open_source(pictures(tmp, CLIP)),
    "gray folder": lambda tmp: open_source(pictures(tmp, CLIP[..., 0])),
    "numbered pattern": lambda tmp: open_source(pictures(tmp, CLIP) / "in%04d.png"),
    "array": lambda tmp: open_source(CLIP),
    "gray array": lambda tmp: open_source(CLIP[..., 0], fps=Fraction(50)),
    "TIFF stack": lambda tmp: open_source(stack(tmp / "a.tif", CLIP)),
    "compressed TIFF stack": lambda tmp: open_source(stack(tmp / "a.tif", CLIP[..., 0], compression="zlib")),
    "deep TIFF stack": lambda tmp: open_source(stack(tmp / "a.tif", CLIP.astype(np.uint16)), range=(0, 300)),
    "animated PNG": lambda tmp: open_source(animation(tmp / "a", "png")),
    "animated WebP": lambda tmp: open_source(animation(tmp / "a", "webp")),
    "deep array": lambda tmp: open_source(CLIP.astype(np.int32), range=(0, 300)),
    "gray array of bytes in a range": lambda tmp: open_source(CLIP[..., 0], range=(0, 300)),
    "booleans": lambda tmp: open_source(CLIP > 100),
    "RGB and alpha": lambda tmp: open_source(np.concatenate([CLIP, CLIP[..., :1]], axis=3)),
    "generator": lambda tmp: open_source(image for image in CLIP),
    "generator of floats": lambda tmp: open_source((image / 2 for image in CLIP[..., 0]), range=(0, 128)),
    "sequence of views": lambda tmp: ArraySource([image[:, ::-1] for image in CLIP]),
}


@pytest.fixture(scope="module", params=SOURCES)
def source(request, tmp_path_factory) -> FrameSource:
    return SOURCES[request.param](tmp_path_factory.mktemp("source"))


@pytest.fixture(scope="module")
def frames(source: FrameSource) -> list[Frame]:
    return list(source)


def test_frames_are_numbered_in_time_and_as_the_info_says(source: FrameSource, frames: list[Frame]):
    info = source.info
    assert isinstance(source, FrameSource)
    assert isinstance(info, VideoInfo)
    assert info.name
    assert info.kind in {"video", "images", "array"}
    assert (info.width, info.height) == (WIDTH, HEIGHT)
    assert info.frame_count in (None, COUNT)
    assert info.fps is None or Fraction(1, 100) <= info.fps <= 1000
    assert info.duration is None or info.duration > 0
    assert [frame.index for frame in frames] == list(range(COUNT))
    first = 98 if info.codec == "png" else 1
    assert [frame.number for frame in frames] == list(range(first, first + COUNT))
    assert all(isinstance(frame.time, Fraction) for frame in frames)
    assert all(after.time > before.time for before, after in pairwise(frames))
    shape = (info.height, info.width, 3) if info.is_color else (info.height, info.width)
    for frame in frames:
        assert frame.image.shape == shape
        assert frame.image.dtype == np.uint8
        assert frame.image.flags.c_contiguous
        assert frame.image.flags.writeable


def test_the_receiver_owns_the_picture(source: FrameSource):
    kept = [(frame.image, frame.image.copy()) for frame in source]
    for image, copy in kept:
        np.testing.assert_array_equal(image, copy)
    for one, other in pairwise(image for image, _ in kept):
        assert not np.shares_memory(one, other)


def test_readings_do_not_disturb_each_other_nor_does_one_that_ends_early(
    source: FrameSource, frames: list[Frame]
):
    early = iter(source)
    next(early)
    early.close()
    threads = threading.active_count()
    for kept, *read in zip(frames, source, source, prefetch(source, 2), strict=True):
        for frame in read:
            assert (frame.index, frame.number, frame.time) == (kept.index, kept.number, kept.time)
            np.testing.assert_array_equal(frame.image, kept.image)
    assert threading.active_count() == threads
