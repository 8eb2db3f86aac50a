"""Small whole files of every kind that the program reads, to be damaged: footage, backgrounds and masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import tifffile
from numpy.typing import NDArray
from PIL import Image

from formats.encode import write
from formats.pictures import picture
from formats.recipe import Recipe

FOOTAGE, PICTURES, BACKGROUND, MASK = "footage", "pictures", "--background", "--roi"
SIZE, FRAMES = (64, 48), 8
PLAIN = "plain.avi"
"""Whole footage for what is given beside footage."""


@dataclass(frozen=True, slots=True)
class Seed:
    """A kind of file.

    Attributes
    ----------
    name
        What the table calls it.
    suffix
        Of the file's name.
    write
        Writes one to a path.
    role
        How the program is given it: FOOTAGE, one of the PICTURES of a folder, BACKGROUND or MASK.
    """

    name: str
    suffix: str
    write: Callable[[Path], None]
    role: str = FOOTAGE


def _video(container: str, codec: str, suffix: str, size: tuple[int, int] = SIZE) -> Seed:
    recipe = Recipe("fuzz", container, codec, size=size, frames=FRAMES)
    return Seed(f"{suffix[1:]} {codec}", suffix, lambda path: write(recipe, path))


def _frames() -> list[NDArray[np.uint8]]:
    return [picture(index, *SIZE) for index in range(FRAMES)]


def _animated(path: Path) -> None:
    first, *others = map(Image.fromarray, _frames())
    kind = "PNG" if path.suffix == ".png" else "WEBP"
    first.save(path, kind, save_all=True, append_images=others, duration=40)


def _still(path: Path) -> None:
    Image.fromarray(picture(0, *SIZE)).save(path)


def _gray(path: Path) -> None:
    Image.fromarray(picture(0, *SIZE)[..., 1]).save(path)


def _deep(path: Path) -> None:
    cv2.imwrite(str(path), picture(0, *SIZE).astype(np.uint16) * 257)


def _stack(path: Path, **how: str) -> None:
    tifffile.imwrite(path, np.stack(_frames()), photometric="rgb", **how)


def _model(path: Path) -> None:
    import bgsub

    bgsub.fit(np.stack(_frames())).save(path)


def seeds() -> Sequence[Seed]:
    """Return all kinds, in the order of the table."""
    return (
        _video("mp4", "libx264", ".mp4"),
        _video("mov", "mpeg4", ".mov"),
        _video("mov", "libx264", ".mov"),
        _video("matroska", "libx264", ".mkv"),
        _video("webm", "libvpx-vp9", ".webm"),
        _video("avi", "mpeg4", ".avi"),
        _video("mpeg", "mpeg1video", ".mpg"),
        _video("mpegts", "libx264", ".ts"),
        _video("flv", "flv", ".flv"),
        _video("gif", "gif", ".gif"),
        _video("yuv4mpegpipe", "wrapped_avframe", ".y4m"),
        _video("3gp", "h263", ".3gp", (176, 144)),
        Seed("png", ".png", _still, PICTURES),
        Seed("png 16 bits", ".png", _deep, PICTURES),
        Seed("apng", ".png", _animated),
        Seed("jpg", ".jpg", _still, PICTURES),
        Seed("webp", ".webp", _still, PICTURES),
        Seed("webp animated", ".webp", _animated),
        Seed("tiff", ".tif", _still, PICTURES),
        Seed("tiff stack", ".tif", _stack),
        Seed("tiff stack deflate", ".tif", lambda path: _stack(path, compression="zlib")),
        Seed("bmp", ".bmp", _still, PICTURES),
        Seed("pgm", ".pgm", _gray, PICTURES),
        Seed("ppm", ".ppm", _still, PICTURES),
        Seed("model", ".npz", _model, BACKGROUND),
        Seed("background png", ".png", _still, BACKGROUND),
        Seed("background tiff", ".tif", _still, BACKGROUND),
        Seed("mask png", ".png", _gray, MASK),
        Seed("mask jpg", ".jpg", _gray, MASK),
        Seed("mask bmp", ".bmp", _gray, MASK),
    )


def write_plain(path: Path) -> None:
    """Write the footage that is whole."""
    write(Recipe("fuzz", "avi", "mpeg4", size=SIZE, frames=FRAMES), path)
