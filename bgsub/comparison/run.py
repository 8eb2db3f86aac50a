"""Run every system on every sequence: execution, timing and counting."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path

import cv2
import numpy as np

from bgsub.comparison.dataset import Sequence
from bgsub.comparison.footage import Footage, Store, loaded
from bgsub.comparison.methods import BGSUB
from bgsub.comparison.scores import Comparison, Score, SequenceScores
from bgsub.comparison.subtractors import SAMPLED, make_subtractor
from bgsub.errors import BgsubError
from bgsub.evaluation.counts import Counts, count
from bgsub.evaluation.predictions import read_masks
from bgsub.frames.source import Image
from bgsub.options.table import Options
from bgsub.run.pipeline import separate
from bgsub.run.progress import Progress

IN_MEMORY = 1_000_000_000
"""Maximum bytes of masks that bgsub keeps in memory; beyond this they go to a file, whose writing is timed too."""
WARM = 24
"""Number of frames for an untimed first run of bgsub, which loads its compiled passes."""


@dataclass(slots=True)
class Judged:
    """The masks of a system on a sequence, counted.

    Attributes
    ----------
    counts
        Pooled over all scored frames.
    errors
        Number of wrong pixels in each of them.
    masks
        The masks of the scored frames, bits packed along rows; None unless they are kept.
    """

    counts: Counts = field(default_factory=Counts)
    errors: list[int] = field(default_factory=list)
    masks: Store | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What to compare.

    Attributes
    ----------
    methods
        Names of systems, from :data:`bgsub.comparison.methods.METHODS`.
    threads
        For the systems that support it; None for all processors.
    sensitivities
        Additional sensitivities to run bgsub at.
    """

    methods: tuple[str, ...]
    threads: int | None = None
    sensitivities: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """All results for one sequence; *footage* and the masks exist only during :func:`compare`'s callback *look*."""

    sequence: Sequence
    footage: Footage
    scores: SequenceScores
    judged: dict[str, Judged]
    sensitivities: dict[float, Counts]


def compare(
    sequences: Iterable[Sequence],
    request: Request,
    progress: Progress,
    *,
    look: Callable[[Findings], None] | None = None,
    failed: Callable[[Sequence, BgsubError], None],
) -> Comparison:
    """Run every system on every sequence and count.

    Parameters
    ----------
    sequences
        From :func:`bgsub.comparison.dataset.find_sequences`.
    request
        What to run on each.
    progress
        Receives progress.
    look
        Called with the results for each sequence, including masks, which are kept only if this is given.
    failed
        Called with a sequence that cannot be compared, and why; the others go on.

    Notes
    -----
    Every system sees all frames of ``input``, in order. Frames with ground truth within temporalROI.txt are scored,
    inside the region of interest. The time is from decoded frames to cleaned masks, including the fit, if any.
    """
    cv2.setNumThreads(request.threads or -1)
    found = []
    for sequence in sequences:
        with ExitStack() as stack:
            try:
                footage = stack.enter_context(loaded(sequence, _Labelled(progress, sequence.label)))
                findings = _run(sequence, footage, request, progress, look is not None)
            except BgsubError as error:
                failed(sequence, error)
                continue
            if look is not None:
                look(findings)
        found.append(findings.scores)
        told = ", ".join(
            f"{name} {score.counts.f_measure:.3f}" for name, score in findings.scores.methods.items()
        )
        progress.say(f"{sequence.label}: F {told}")
    return Comparison(request.methods, tuple(found))


def _run(sequence: Sequence, footage: Footage, request: Request, progress: Progress, keep: bool) -> Findings:
    scores: dict[str, Score] = {}
    judged: dict[str, Judged] = {}
    for method in request.methods:
        named = _Labelled(progress, f"{sequence.label}: {method}")
        if method == BGSUB:
            _warm_up(footage, request.threads)
            masks = _Timed(_bgsub_masks(footage, Options(outputs=("mask",), threads=request.threads), named))
        else:
            masks = _Timed(_masks(method, footage, named))
        judged[method] = _judge(masks, footage, footage.place / f"masks-{method}" if keep else None)
        scores[method] = Score(judged[method].counts, footage.frames.count, masks.seconds)
    own = SequenceScores(sequence.category, sequence.name, footage.frames.count, len(footage.rows), scores)
    return Findings(
        sequence, footage, own, judged, _sensitivities(sequence, footage, request, judged, progress)
    )


def _sensitivities(
    sequence: Sequence, footage: Footage, request: Request, judged: dict[str, Judged], progress: Progress
) -> dict[float, Counts]:
    found = {}
    for value in request.sensitivities:
        if value == Options().sensitivity and BGSUB in judged:
            found[value] = judged[BGSUB].counts
            continue
        options = Options(outputs=("mask",), threads=request.threads, sensitivity=value)
        named = _Labelled(progress, f"{sequence.label}: sensitivity {value:g}")
        found[value] = _judge(_Timed(_bgsub_masks(footage, options, named)), footage, None).counts
    return found


class _Timed:
    """Masks, one per frame, and the total seconds spent on them."""

    def __init__(self, items: Iterator[tuple[Image, float]]) -> None:
        self._items, self.seconds = items, 0.0

    def __iter__(self) -> Iterator[Image]:
        for mask, seconds in self._items:
            self.seconds += seconds
            yield mask


def _judge(masks: Iterable[Image], footage: Footage, keep: Path | None) -> Judged:
    """Count the masks of all frames; write those of scored frames to the file *keep*."""
    judged = Judged()
    scored = _scored(masks, footage, judged)
    if keep is None:
        for _ in scored:
            pass
    else:
        judged.masks = Store(keep)
        judged.masks.fill(np.packbits(mask > 0, axis=1) for mask in scored)
    return judged


def _scored(masks: Iterable[Image], footage: Footage, judged: Judged) -> Iterator[Image]:
    truths = footage.truths()
    wanted, _, labels = next(truths)
    for index, mask in enumerate(masks):
        # Masks after the last scored frame are consumed too: all are timed.
        if index != wanted:
            continue
        counts = count(mask, labels)
        judged.counts += counts
        judged.errors.append(counts.fp + counts.fn)
        yield mask
        wanted, _, labels = next(truths, (-1, -1, labels))


def _masks(method: str, footage: Footage, progress: Progress) -> Iterator[tuple[Image, float]]:
    """Yield the mask of each frame and the seconds it took; the first includes set-up and fit."""
    began = time.perf_counter()
    system = make_subtractor(method, footage.info.width, footage.info.height)
    spent = time.perf_counter() - began
    sample = footage.spread(SAMPLED) if system.looks_ahead else []
    progress.begin("masks", footage.frames.count)
    began = time.perf_counter()
    system.fit(sample)
    spent += time.perf_counter() - began
    for image in footage.frames:
        prepared = system.prepare(image)
        began = time.perf_counter()
        mask = system.mask(prepared)
        yield mask, spent + time.perf_counter() - began
        spent = 0.0
        progress.step()


def _bgsub_masks(footage: Footage, options: Options, progress: Progress) -> Iterator[tuple[Image, float]]:
    """Yield the masks of a run of bgsub; the first carries the seconds of all."""
    pixels = footage.info.width * footage.info.height
    if footage.frames.count * pixels <= IN_MEMORY:
        began = time.perf_counter()
        masks = separate(footage, None, options, progress=progress).layers["mask"]
        yield from zip(masks, (time.perf_counter() - began, *repeat(0.0, len(masks) - 1)), strict=True)
        return
    with tempfile.TemporaryDirectory(prefix="run-", dir=footage.place) as out:
        began = time.perf_counter()
        separate(footage, out, options, progress=progress)
        spent = time.perf_counter() - began
        for _, mask in read_masks(out):
            yield mask, spent
            spent = 0.0


def _warm_up(footage: Footage, threads: int | None) -> None:
    """Run bgsub on some frames, so that one-time compilation and loading are not timed; once per colour mode."""
    kind = footage.info.is_color
    if kind not in _warm and footage.frames.count >= WARM:
        frames = list(footage.frames.read(range(WARM)))
        separate(frames, None, Options(outputs=("mask",), threads=threads))
        _warm.add(kind)


_warm: set[bool] = set()
"""Colour modes (False: grey, True: colour) that have been warmed up in this process."""


class _Labelled:
    """Passes on phases and steps under its label, but no messages."""

    def __init__(self, progress: Progress, label: str) -> None:
        self._progress, self._label = progress, label

    def begin(self, phase: str, total: int | None) -> None:
        self._progress.begin(f"{self._label}, {phase}", total)

    def step(self) -> None:
        self._progress.step()

    def say(self, text: str) -> None:
        pass

    def detail(self, text: str) -> None:
        pass

    def end(self) -> None:
        pass
