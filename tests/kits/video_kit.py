"""Video files with what everyday ones have: sound beside the pictures, a late beginning, encryption."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

BT2020 = 9
RATE, SAMPLES, SAMPLE_RATE = 25, 1024, 48_000

NONE: Mapping[str, str] = {}


def noise(frames: int, height: int = 64, width: int = 96) -> np.ndarray:
    """Return pictures of which none is like another."""
    return np.random.default_rng(0).integers(0, 256, (frames, height, width, 3), np.uint8)


def write(
    path: Path,
    pictures: np.ndarray,
    *,
    codec: str = "mpeg4",
    rate: Fraction | int = RATE,
    first: int = 0,
    sound: str = "",
    options: Mapping[str, str] = NONE,
    muxer: Mapping[str, str] = NONE,
    in_turn: bool = True,
    pixel_format: str = "yuv420p",
    transfer: int = 0,
) -> Path:
    """Write *pictures* from frame number *first* on, with silence in the codec *sound* if one is named.

    Sound and pictures lie in the order of time; with *in_turn* false, the pictures come as far ahead of the sound as
    FFmpeg lets them, and it lasts twice as long.
    """
    patience = {} if in_turn else {"max_interleave_delta": "1"}
    with av.open(str(path), "w", options={**muxer, **patience}) as container:
        film = container.add_stream(codec, rate=rate, options=dict(options))
        film.height, film.width = pictures.shape[1:3]
        film.pix_fmt = pixel_format
        if transfer:
            film.codec_context.color_trc = transfer
            film.codec_context.colorspace = film.codec_context.color_primaries = BT2020
        track = container.add_stream(sound, rate=SAMPLE_RATE) if sound else None
        packets = list(_film(film, pictures, first))
        if track is not None:
            track.codec_context.layout = "mono"
            packets += _hiss(track, (1 if in_turn else 2) * len(pictures) / Fraction(rate))
        if in_turn:
            packets.sort(key=lambda packet: packet.dts * packet.time_base)
        container.start_encoding()
        for packet in packets:
            container.mux_one(packet)
    return path


def write_two(path: Path, one: np.ndarray, other: np.ndarray) -> Path:
    """Write a file with two video streams."""
    with av.open(str(path), "w") as container:
        films = [container.add_stream("mpeg4", rate=RATE) for _ in range(2)]
        for film, pictures in zip(films, (one, other), strict=True):
            film.height, film.width, film.pix_fmt = *pictures.shape[1:3], "yuv420p"
        for film, pictures in zip(films, (one, other), strict=True):
            for packet in _film(film, pictures, 0):
                container.mux_one(packet)
    return path


def combed(frames: int, height: int = 96, width: int = 160, step: int = 8) -> np.ndarray:
    """Return a bright bar that moves by *step* a frame, of which the odd lines are taken half a frame later."""
    pictures = np.full((frames, height, width, 3), 40, np.uint8)
    for index, picture in enumerate(pictures):
        for late in (0, 1):
            left = step * index + late * step // 2
            picture[late::2, left : left + 24] = 220
    return pictures


def combing(picture: np.ndarray) -> float:
    """Return by how much a line of a picture differs from both lines around it, on average."""
    lines = picture.astype(float)
    return float(np.abs(2 * lines[1:-1] - lines[:-2] - lines[2:]).mean())


def _film(stream: Any, pictures: np.ndarray, first: int) -> Iterator[Any]:
    for index, picture in enumerate(pictures):
        frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
        frame.pts = first + index
        frame.time_base = 1 / Fraction(stream.average_rate or RATE)
        yield from stream.encode(frame)
    yield from stream.encode(None)


def _hiss(stream: Any, seconds: Fraction) -> list[Any]:
    packets, stored = [], stream.codec_context.format.name
    loud = np.random.default_rng(1).integers(-9000, 9000, (1, SAMPLES))
    values = (loud / 32768).astype(np.float32) if "flt" in stored else loud.astype(np.int16)
    for index in range(int(seconds * SAMPLE_RATE / SAMPLES)):
        frame = av.AudioFrame.from_ndarray(values, format=stored, layout="mono")
        frame.rate, frame.pts = SAMPLE_RATE, index * SAMPLES
        packets += stream.encode(frame)
    return packets + stream.encode(None)
