"""What is to be measured: one system, one stage, one clip, in a process of its own."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass

ONLINE = ("mog2", "mog2-no-shadows", "knn")
"""They learn from every frame they judge: "mask" is all there is to them."""
LEARNED = ("bgsub", "median")
"""They look at the clip first: "fit+mask" counts that, "mask" does not."""
WHOLE = {"end-to-end": (), "end-to-end, mask": ("--outputs", "mask")}
"""The whole program on an H.264 file, from start to exit: all default outputs, or the masks alone."""
PEERS = ("alm", "tensorly", "sporco")
"""Robust PCA by others, to bgsub's objective."""
OPTIONAL = ("tensorly", "sporco")

BYTES = 600_000_000
"""Raw frames of one size at most: larger pictures get fewer frames."""
FEWEST = 20
"""Frames: with fewer there is no background to find."""
SLOW = 60.0
"""Seconds: what takes longer is measured once, not in every round."""

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes and limits of a run.

    Attributes
    ----------
    sizes
        Width and height of the colour clips; the first one is also cut to fewer frames.
    frames
        Of each, unless they are too large for that.
    threads
        Of every system.
    rounds
        How often everything is measured; the fastest counts.
    limit
        Seconds after which a robust PCA peer is stopped.
    objectives
        Width, height and frames of the gray clips that are brought to an objective; one iteration is held against a
        copy on the last.
    """

    sizes: tuple[Size, ...] = ((320, 240), (640, 480), (1920, 1080))
    frames: int = 600
    threads: int = 1
    rounds: int = 3
    limit: float = 120.0
    objectives: tuple[tuple[int, int, int], ...] = ((160, 130, 200), (320, 240, 300))

    def frames_of(self, size: Size) -> int:
        """Return the frames of a size."""
        width, height = size
        return max(FEWEST, min(self.frames, BYTES // (3 * width * height)))

    def counts(self, size: Size) -> list[int]:
        """Return the lengths a size is measured at, ascending: a single one but for the first size."""
        most = self.frames_of(size)
        shares = (8, 4, 2) if size == self.sizes[0] else ()
        return [most // share for share in shares if most // share >= FEWEST] + [most]


@dataclass(frozen=True, slots=True)
class Job:
    """One measurement; *target* and *f* are the objective and F that a peer of bgsub has *limit* seconds to reach."""

    stage: str
    system: str
    width: int
    height: int
    frames: int
    threads: int
    limit: float = 0.0
    target: float = 0.0
    f: float = 0.0

    @property
    def size(self) -> Size:
        """Width and height."""
        return self.width, self.height

    @property
    def is_gray(self) -> bool:
        """Whether it takes the gray clip."""
        return self.stage in ("objective", "iteration")

    @property
    def name(self) -> str:
        """What a progress bar shows."""
        return f"{self.system} {self.stage} {self.width}×{self.height}×{self.frames}"


def missing() -> list[str]:
    """Return the peers that are not installed."""
    return [name for name in OPTIONAL if importlib.util.find_spec(name) is None]


def jobs(plan: Plan) -> list[Job]:
    """Return all measurements of one round, in an order in which each finds what it needs."""
    found = [
        Job(stage, system, *size, count, plan.threads)
        for size in plan.sizes
        for count in plan.counts(size)
        for system, stage in _measured(is_full=count == plan.frames_of(size))
    ]
    *_, last = plan.objectives
    found.append(Job("iteration", "bgsub", *last, plan.threads))
    peers = [name for name in ("bgsub", *PEERS) if name not in missing()]
    found += [
        Job("objective", system, *clip, plan.threads, plan.limit)
        for clip in plan.objectives
        for system in peers
    ]
    return found


def _measured(is_full: bool) -> Iterator[tuple[str, str]]:
    for system in LEARNED:
        yield system, "fit+mask"
        # The cost of a mask does not depend on the length: the curve over the frames does without.
        if is_full:
            yield system, "mask"
    for system in ONLINE:
        yield system, "mask"
    for stage, words in WHOLE.items():
        # The curve over the frames has all outputs; --quick is to stay short.
        if is_full or not words:
            yield "bgsub", stage
