"""The clip on disk: raw frames, which every system reads alike, and an H.264 file for the whole program."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from benchmark.clip import Picture, Scene

if TYPE_CHECKING:
    from bgsub.frames.source import Frame, VideoInfo

FPS = 25


@dataclass(frozen=True, slots=True)
class Footage:
    """Frames of one size in a folder of their own: colour or gray."""

    folder: Path
    width: int
    height: int
    gray: bool = False

    @property
    def video(self) -> Path:
        """The clip as H.264; colour only."""
        return self.folder / "clip.mp4"

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of a frame."""
        return (self.height, self.width) if self.gray else (self.height, self.width, 3)

    def write(self, frames: int, on_frame: Callable[[], object]) -> None:
        """Render so many frames."""
        self.folder.mkdir(parents=True, exist_ok=True)
        scene = Scene(self.width, self.height)
        with (self.folder / "images").open("wb") as images, (self.folder / "masks").open("wb") as masks:
            for t in range(frames):
                image, truth = scene.render(t)
                if self.gray:
                    image = np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), np.uint8)
                image.tofile(images)
                truth.tofile(masks)
                on_frame()

    def write_video(self, frames: int) -> None:
        """Encode what has been rendered."""
        import av

        with av.open(str(self.video), "w") as container:
            stream = container.add_stream("libx264", rate=FPS)
            stream.width, stream.height, stream.pix_fmt = self.width, self.height, "yuv420p"
            stream.options = {"crf": "20", "preset": "veryfast"}
            for image in self.images(frames):
                container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
            container.mux(stream.encode())

    def images(self, frames: int) -> Iterator[Picture]:
        """Read the first frames, each into an array of its own."""
        return _read(self.folder / "images", self.shape, frames)

    def masks(self, frames: int) -> Iterator[Picture]:
        """Read the truth of the first frames."""
        return _read(self.folder / "masks", (self.height, self.width), frames)

    def matrix(self, frames: int) -> Picture:
        """Return the first frames of gray footage as ``(frames, pixels)``."""
        return np.fromfile(self.folder / "images", np.uint8, frames * self.width * self.height).reshape(
            frames, -1
        )


def _read(path: Path, shape: tuple[int, ...], frames: int) -> Iterator[Picture]:
    size = int(np.prod(shape))
    with path.open("rb") as stream:
        for _ in range(frames):
            yield np.fromfile(stream, np.uint8, size).reshape(shape)


@dataclass
class TimedSource:
    """The first frames of some footage, as bgsub takes them; *reading* are the seconds spent in reading."""

    footage: Footage
    frames: int
    reading: float = field(default=0.0)

    @property
    def info(self) -> VideoInfo:
        """What bgsub asks before it reads."""
        from bgsub.frames.source import VideoInfo

        length = Fraction(self.frames, FPS)
        width, height = self.footage.width, self.footage.height
        return VideoInfo("clip", "array", width, height, True, self.frames, Fraction(FPS), length)

    def __iter__(self) -> Iterator[Frame]:
        """Read from the first frame."""
        from bgsub.frames.source import Frame

        for index, image in enumerate(self._images()):
            yield Frame(index, index + 1, Fraction(index, FPS), image)

    def _images(self) -> Iterator[Picture]:
        images = self.footage.images(self.frames)
        while True:
            began = time.perf_counter()
            image = next(images, None)
            self.reading += time.perf_counter() - began
            if image is None:
                return
            yield image
