"""A sequence, decoded once for all systems: frames and labels are kept raw in temporary files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

from bgsub.base.cleanup import begun, over
from bgsub.base.plural import count_of, span
from bgsub.comparison.dataset import Sequence as SequenceFolder
from bgsub.comparison.dataset import scored_region
from bgsub.errors import InputError, OutputError
from bgsub.evaluation.counts import FOREGROUND, OUTSIDE, size
from bgsub.evaluation.truth import TruthFrame, read_truth, within
from bgsub.frames.read.open import open_source
from bgsub.frames.source import Frame, FrameSource, Image, VideoInfo
from bgsub.run.progress import Progress


class Store:
    """A file of uint8 arrays of one shape: written in sequence, read in any order.

    Read, not memory-mapped: mapped pages would count as memory of the process, on which bgsub bases its planning.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.shape, self.count = path, (0,), 0

    def fill(self, arrays: Iterator[Image]) -> None:
        """Write *arrays*; raise OutputError if the disk is full."""
        stored = iter(arrays)
        with self.path.open("wb") as stream:
            for array in stored:
                try:
                    stream.write(np.ascontiguousarray(array).data)
                except OSError as error:
                    raise OutputError(_full(error)) from None
                self.shape, self.count = array.shape, self.count + 1

    def __iter__(self) -> Iterator[Image]:
        """Yield all arrays, each newly allocated. Several readers may be active at once."""
        return self.read(range(self.count))

    def read(self, places: Sequence[int]) -> Iterator[Image]:
        """Yield the arrays at *places*."""
        length = int(np.prod(self.shape))
        with self.path.open("rb") as stream:
            for place in places:
                array = np.empty(self.shape, np.uint8)
                if stream.tell() != place * length:
                    stream.seek(place * length)
                stream.readinto(array.data)
                yield array


def _full(error: OSError) -> str:
    return (
        f"cannot keep decoded frames in {tempfile.gettempdir()}: {(error.strerror or str(error)).lower()}; "
        "set TMPDIR to a folder with more room"
    )


@dataclass(slots=True)
class Footage:
    """Frames and labels of a sequence; a source of frames for :func:`bgsub.separate`.

    Attributes
    ----------
    place
        A temporary folder, also for other files with the same lifetime.
    info
        That of the folder ``input``.
    frames, labels
        Decoded; labels are OUTSIDE wherever the sequence is not scored.
    numbers, times
        Of each frame.
    rows
        Position in *labels* of each scored frame number, in increasing order of the numbers.
    foreground
        Number of foreground pixels in each of *labels*.
    """

    place: Path
    info: VideoInfo
    frames: Store
    labels: Store
    numbers: list[int] = field(default_factory=list)
    times: list[Fraction] = field(default_factory=list)
    rows: dict[int, int] = field(default_factory=dict)
    foreground: list[int] = field(default_factory=list)

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames, from the first."""
        known = zip(self.numbers, self.times, self.frames, strict=True)
        for index, (number, time, image) in enumerate(known):
            yield Frame(index, number, time, image)

    def spread(self, most: int) -> list[Image]:
        """Return at most *most* evenly spaced frames."""
        return list(self.frames.read(range(0, self.frames.count, -(-self.frames.count // most))))

    def truths(self) -> Iterator[tuple[int, int, Image]]:
        """Yield frame index, frame number and labels of each scored frame, in order."""
        for (index, number), labels in zip(self.truths_at(range(len(self.rows))), self.labels, strict=True):
            yield index, number, labels

    def truths_at(self, rows: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield frame index and frame number for some *rows* of the labels."""
        index = {number: place for place, number in enumerate(self.numbers)}
        scored = list(self.rows)
        for row in rows:
            yield index[scored[row]], scored[row]


@contextmanager
def loaded(sequence: SequenceFolder, progress: Progress) -> Iterator[Footage]:
    """Decode a sequence; delete its temporary files on exit.

    Raises
    ------
    InputError
        Part of it is missing or damaged, truth and frames differ in size or have no number in common, or there is no
        foreground, without which precision and recall mean nothing.
    OutputError
        There is no room for the decoded frames.
    """
    try:
        place = tempfile.TemporaryDirectory(prefix="bgsub-benchmark-")
    except OSError as error:
        raise OutputError(_full(error)) from None
    begun(place.name, place.cleanup)
    try:
        with place as folder:
            yield _load(sequence.folder, Path(folder), progress)
    finally:
        over(place.name)


def _load(folder: Path, place: Path, progress: Progress) -> Footage:
    for part, what in (("input", "frames"), ("groundtruth", "labels")):
        if not (folder / part).is_dir():
            raise InputError(f"{folder / part} is missing, the folder of the {what}")
    source = open_source(folder / "input")
    footage = Footage(place, source.info, Store(place / "frames"), Store(place / "labels"))
    progress.begin("decoding", source.info.frame_count)
    footage.frames.fill(_frames(source, footage, progress))
    try:
        truth = list(read_truth(folder))
        footage.labels.fill(_labels(truth, footage, folder))
    except OSError as error:
        raise InputError(
            f"cannot read {error.filename or folder}: {(error.strerror or str(error)).lower()}"
        ) from None
    if not footage.rows:
        raise InputError(_nothing_in_common(footage.numbers, truth, folder))
    if not any(footage.foreground):
        scored = count_of(len(footage.rows), "scored frame")
        raise InputError(
            f"{folder}: no foreground to be found: no pixel of the {scored} has label {FOREGROUND}, "
            "and without any there is no F"
        )
    return footage


def _nothing_in_common(numbers: list[int], truth: list[TruthFrame], folder: Path) -> str:
    """Describe the numbers of frames and ground truth; if there were no ground truth, reading it would have failed."""
    frames = f"the frames have {span(numbers[0], numbers[-1])}" if numbers else "there is no frame"
    labels = f"the ground truth{within(folder)} {span(truth[0].number, truth[-1].number)}"
    return f"{folder}: no frame to be scored, since no number is in both: {frames}, {labels}"


def _frames(source: FrameSource, footage: Footage, progress: Progress) -> Iterator[Image]:
    for frame in source:
        footage.numbers.append(frame.number)
        footage.times.append(frame.time)
        yield frame.image
        progress.step()


def _labels(truth: list[TruthFrame], footage: Footage, folder: Path) -> Iterator[Image]:
    height, width = footage.info.height, footage.info.width
    inside = scored_region(folder, width, height)
    there = set(footage.numbers)
    for each in truth:
        if each.number not in there:
            continue
        labels = each.labels()
        if labels.shape != (height, width):
            raise InputError(f"{each.name} is {size(labels)}, and the frames are {width}×{height}")
        if inside is not None:
            labels = np.where(inside, labels, np.uint8(OUTSIDE))
        footage.rows[each.number] = len(footage.rows)
        footage.foreground.append(int(np.count_nonzero(labels == FOREGROUND)))
        yield labels
