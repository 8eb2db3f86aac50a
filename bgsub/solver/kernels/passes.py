"""The compiled passes mapped over all columns, with their inputs and results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.kernels.between import between
from bgsub.solver.kernels.iteration import BLOCK, Point, Span, Target, advance, measure
from bgsub.solver.kernels.tiles import Workers, chunk_bounds, tile_width
from bgsub.solver.problem import with_offset
from bgsub.solver.spectra.atoms import Entry, LowRank

SAMPLE_EVERY = 8
"""One tile in this many belongs to the column sample."""

SMALLEST_SAMPLE = 8
"""A sample of fewer tiles than this is of no use."""


@dataclass(frozen=True, slots=True)
class PowerStep:
    """One block power step on the gradient G, from any block U ``(n, 4)``.

    Attributes
    ----------
    image
        ``(4, p)``: ``Uᵀ G``.
    product
        ``(n, 4)`` float64: ``G Gᵀ U``.
    """

    image: NDArray[Any]
    product: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sketch(PowerStep):
    """A power step, and what else the same pass over the gradient yields.

    Attributes
    ----------
    square
        ‖G‖²_F.
    inner
        ⟨G, X′ + Y⟩.
    peak
        The entry of G of largest magnitude.
    penalty
        Σ|y|, Σy² and Σ max(|g| − λ1, 0)², if the step was towards the endpoint of an elastic net.
    """

    square: float
    inner: float
    peak: Entry
    penalty: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Direction:
    """Sums over the step D for the threshold search and the line search, V being the sparse endpoint.

    Attributes
    ----------
    total, count
        Σ|v| and #{v ≠ 0}.
    slope, square
        ⟨D, ∇⟩ and ‖D‖²_F.
    sample_share
        Σ|v| over the column sample, scaled up to all columns, divided by ``total``; 1 for a representative sample.
    length
        Σv².
    """

    total: float
    count: float
    slope: float
    square: float
    sample_share: float
    length: float = 0.0


class Soft(NamedTuple):
    """The sparse endpoint ``κ·soft(q − ρ∇, θ)``, q = M − X̂; ``level`` is λ1 of an elastic net, negative for a ball."""

    rho: float
    theta: float
    keep: float = 1.0
    level: float = -1.0


def packed(low_rank: LowRank) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return X as ``left (n, K)``, ``rows (K, p)``, offset first, zero-padded to K a multiple of four."""
    left, right = with_offset(low_rank)
    n, used = left.shape
    size = -(-used // BLOCK) * BLOCK
    wide = np.zeros((n, size), left.dtype)
    wide[:, :used] = left
    rows = np.zeros((size, right.shape[0]), left.dtype)
    rows[:used] = right.T
    return wide, rows


def target(end: LowRank, soft: Soft, entry: Entry | None = None) -> Target:
    """Return the endpoint of a step in the form the kernels read."""
    real = end.left.dtype.type
    e = Entry(-1, -1, 0.0) if entry is None else entry
    rho, theta, keep, level = (real(value) for value in soft)
    return Target(*packed(end), rho, theta, keep, level, e.row, e.column, real(e.value))


class Passes:
    """Run the kernels over one data matrix.

    Parameters
    ----------
    matrix
        ``(n, p)`` as returned by :func:`bgsub.solver.arrays.working_matrix`.
    dtype
        Working precision.
    workers
        Threads. Results do not depend on their number.
    """

    def __init__(self, matrix: NDArray[Any], dtype: np.dtype[Any], workers: Workers) -> None:
        self.matrix = matrix
        self.dtype = dtype
        self._workers = workers
        n, p = matrix.shape
        self._padded = -(-n // BLOCK) * BLOCK
        self._width = tile_width(n, p)
        self._chunks = chunk_bounds(p, self._width)
        self._scratch = [np.zeros((self._padded, self._width), dtype) for _ in range(workers.threads)]

    @property
    def may_sample(self) -> bool:
        """True if there are enough tiles for the sample to be useful."""
        return int(self.matrix.shape[1]) >= self._width * SAMPLE_EVERY * SMALLEST_SAMPLE

    def measure(self, point: Point, end: Target, only_sample: bool = False) -> Direction:
        """Return the sums over the step; with *only_sample*, from one tile in eight, scaled up to all columns."""

        def task(index: int, worker: int) -> NDArray[np.float64]:
            sums = np.zeros(8)
            measure(point, end, self._span(index, only_sample), sums)
            return sums

        total, count, slope, square, columns, sample_total, sample_columns, length = (
            float(value) for value in self._sum(self._workers.map(task, len(self._chunks)))
        )
        scale = self.matrix.shape[1] / columns
        share = sample_total / sample_columns * columns / total if total > 0 else 1.0
        return Direction(total * scale, count * scale, slope * scale, square * scale, share, length * scale)

    def advance(self, point: Point, end: Target, step: float, basis: NDArray[Any]) -> Sketch:
        """Move the sparse part by *step* towards the endpoint, in place, and sketch the gradient at the new point.

        With ``step = 0`` nothing moves. *basis* is ``(n, 4)``.
        """
        gamma = self.dtype.type(step)

        def run(span: Span, work: tuple[NDArray[Any], ...], worker: int) -> None:
            advance(point, end, gamma, span, work)

        return self._sketch(run, basis)

    def _sketch(
        self, run: Callable[[Span, tuple[NDArray[Any], ...], int], None], basis: NDArray[Any]
    ) -> Sketch:
        """Return the sketch from a pass that moves; *run* executes it on one chunk."""
        n, p = self.matrix.shape
        wide = np.zeros((self._padded, BLOCK), self.dtype)
        wide[:n] = basis
        image = np.empty((BLOCK, p), self.dtype)

        def task(index: int, worker: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
            product, stats = np.zeros((self._padded, BLOCK)), np.zeros(8)
            work = (wide, image, self._scratch[worker], product, stats)
            run(self._span(index, False), work, worker)
            return product, stats

        parts = self._workers.map(task, len(self._chunks))
        product = self._sum([part[0] for part in parts])[:n]
        stats = [part[1] for part in parts]
        top = max(stats, key=lambda s: abs(s[2]))
        peak = Entry(int(top[3]), int(top[4]), float(top[2]))
        square, inner, total, length, beyond = (sum(float(s[k]) for s in stats) for k in (0, 1, 5, 6, 7))
        return Sketch(image, product, square, inner, peak, (total, length, beyond))

    def between(self, point: Point, end: Target, step: float) -> tuple[float, float]:
        """Return Σ|e| and Σe² of the sparse part e after a trial step."""

        def task(index: int, worker: int) -> NDArray[np.float64]:
            sums = np.zeros(2)
            between(point, end, self.dtype.type(step), self._span(index, False), sums)
            return sums

        total, length = (float(value) for value in self._sum(self._workers.map(task, len(self._chunks))))
        return total, length

    def _span(self, index: int, only_sample: bool) -> Span:
        return Span(*self._chunks[index], self._width, SAMPLE_EVERY, only_sample)

    @staticmethod
    def _sum(parts: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        total = parts[0].copy()
        for part in parts[1:]:
            total += part
        return total
