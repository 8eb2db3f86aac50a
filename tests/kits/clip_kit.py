"""Small footage with a known background and known foreground, and video files with exact time stamps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

Clip = NDArray[np.uint8]
SIDE = 10
DEFAULT = [
    "background.mp4",
    "background.png",
    "events.json",
    "foreground.mp4",
    "mask.mkv",
    "overlay.mp4",
    "run.json",
    "tracks.csv",
]
"""What a run writes when nothing else is asked for, in order."""


@dataclass(frozen=True)
class Scene:
    """A textured wall before which a square moves; *wall* and *mask* are the truth."""

    frames: Clip
    wall: Clip
    mask: Clip


def scene(
    count: int = 40, height: int = 48, width: int = 64, *, color: bool = True, light: float = 0.0
) -> Scene:
    """Make a scene; the wall grows brighter by the factor 1 + *light* from the first frame to the last."""
    rng = np.random.default_rng(1)
    y, x = np.mgrid[0:height, 0:width]
    plain = 90 + 25 * np.sin(x / 9) + 20 * np.cos(y / 7)
    gains = 1 + light * np.linspace(0, 1, count)
    wall = plain * gains[:, None, None]
    frames = wall + rng.normal(0, 1.5, wall.shape)
    mask = np.zeros(wall.shape, np.uint8)
    for index in range(count):
        left = round(index * (width - SIDE) / max(count - 1, 1))
        top = round((height - SIDE) / 2 + (height - SIDE) / 3 * math.sin(index / 5))
        frames[index, max(top, 0) : top + SIDE, left : left + SIDE] = 235
        mask[index, max(top, 0) : top + SIDE, left : left + SIDE] = 255
    tint = np.array([1.0, 0.9, 0.8])
    if color:
        frames, wall = frames[..., None] * tint, wall[..., None] * tint
    return Scene(*(np.clip(np.rint(part), 0, 255).astype(np.uint8) for part in (frames, wall, mask)))


def times(count: int, rate: int = 25, first: Fraction = Fraction(0)) -> list[Fraction]:
    """Return the time stamps of a constant frame rate."""
    return [first + Fraction(index, rate) for index in range(count)]


def uneven_times(count: int) -> list[Fraction]:
    """Return time stamps of a variable frame rate that start at 1.28 s: steps of 1/25, 2/25 and 4/77 s in turn."""
    steps = [Fraction(1, 25), Fraction(2, 25), Fraction(4, 77)]
    stamps = [Fraction(32, 25)]
    for index in range(count - 1):
        stamps.append(stamps[-1] + steps[index % 3])
    return stamps


def write_video(path: Path, clip: Clip, stamps: Sequence[Fraction] | None = None) -> Path:
    """Write *clip* losslessly, with exactly these time stamps (25 frames/s when None)."""
    stamps = stamps or times(len(clip))
    ticks = math.lcm(*(stamp.denominator for stamp in stamps))
    scales = {"movie_timescale": str(ticks), "video_track_timescale": str(ticks)}
    with av.open(str(path), "w", options=scales if path.suffix == ".mp4" else {}) as container:
        stream = container.add_stream("ffv1", rate=25)
        stream.height, stream.width = clip.shape[1:3]
        stream.pix_fmt = "bgr0" if clip.ndim == 4 else "gray"
        stream.time_base = stream.codec_context.time_base = Fraction(1, ticks)
        for image, stamp in zip(clip, stamps, strict=True):
            frame = av.VideoFrame.from_ndarray(image, format="rgb24" if clip.ndim == 4 else "gray")
            frame.time_base, frame.pts = Fraction(1, ticks), int(stamp * ticks)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def read_video(path: Path, pixels: str = "rgb24") -> tuple[Clip, list[Fraction]]:
    """Decode a file: ``(frames, height, width[, 3])`` uint8, and exact times."""
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
        stamps = [frame.pts * Fraction(frame.time_base) for frame in frames]
        return np.stack([frame.to_ndarray(format=pixels) for frame in frames]), stamps


def f_measure(found: Clip, truth: Clip) -> float:
    """Return F of *found* against *truth*, both non-zero where something moves."""
    hit = np.count_nonzero((found > 0) & (truth > 0))
    return 2 * hit / (np.count_nonzero(found) + np.count_nonzero(truth))


def psnr(image: NDArray[np.uint8], truth: NDArray[np.uint8]) -> float:
    """Return the peak signal-to-noise ratio in dB."""
    error = np.mean((image.astype(float) - truth.astype(float)) ** 2)
    return float(10 * np.log10(255**2 / max(error, 1e-12)))


def names(folder: Path) -> list[str]:
    """Everything in a folder, hidden files too."""
    return sorted(entry.name for entry in folder.iterdir())
