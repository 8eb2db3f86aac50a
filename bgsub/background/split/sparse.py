"""The term of the foreground, from the data: a ball that holds what is no noise, or an elastic net."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bgsub.background.split.terms import FLOORED, Chosen
from bgsub.base.jit import compiled, inlined
from bgsub.options.table import Options
from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.sets.group_ball import GroupBall
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.lp_ball import LpBall

PIECE = 4096
"""Entries that are summed up in single precision."""

DELTA = 0.2
"""The middle of the paper's table."""
LAMBDA2 = 0.05
"""Strong convexity 2·λ2 = 0.1, for which the foreground is divided by 1.1."""


def choose_sparse(
    frames: NDArray[np.uint8],
    centre: NDArray[np.float32],
    outlier: float,
    options: Options,
    threads: int = 1,
    inside: float = 1.0,
    share: float = 1.0,
) -> Chosen:
    """Choose the term of Y from what exceeds the outlier level, E = (|M − centre| − outlier)₊.

    ``l1``: ‖Y‖₁ ≤ s = Σ E. ``lp``: ‖Y‖_p ≤ s = (Σ E^p)^{1/p} with p = 1 + δ. ``group``: Σ_j ‖y_j‖₂ ≤ s = Σ_j ‖e_j‖₂
    over the rows j of the paper's pixels × frames matrix, each a pixel (of one channel) over time. ``elastic-net``:
    λ1‖Y‖₁ + λ2‖Y‖²_F with λ1 = outlier, so that what deviates by less stays out of Y.

    Parameters
    ----------
    frames, centre
        ``(n, rows)`` uint8 and ``(rows,)`` float32.
    outlier
        Grey levels.
    options
        ``sparse``, ``sparsity``, ``delta``, ``lambda1`` and ``lambda2`` are read.
    threads
        To compute with; the result does not depend on it.
    inside
        Share of the rows that lie in the region; the others are 0 in *frames* and *centre*. For the reason only.
    share
        Share of all rows that *frames* are a sample of, by which the radius is estimated.

    Notes
    -----
    Cost: one pass over the frames; none for an elastic net, or where the radius is given.
    """
    if options.sparse == "elastic-net":
        return _elastic_net(outlier, options)
    excess = _Excess(frames, centre, outlier, threads, inside, share)
    if options.sparse == "group":
        words = "sum over the pixels of the ℓ2 norms over time"
        radius, why = _radius(excess, 0.0, words, options)
        return Chosen(GroupBall(radius, "columns"), {"sparsity": radius}, (why,), radius)
    if options.sparse == "lp":
        return _lp_ball(excess, options)
    radius, why = _radius(excess, 1.0, "ℓ1 norm", options)
    return Chosen(L1Ball(radius), {"sparsity": radius}, (why,), radius)


def _lp_ball(excess: _Excess, options: Options) -> Chosen:
    delta, why = DELTA, "the middle of the paper's table"
    if options.delta is not None:
        delta, why = options.delta, "as asked for"
    radius, why_radius = _radius(excess, 1 + delta, f"ℓ{1 + delta:.4g} norm", options)
    reasons = (why_radius, f"δ = {delta:.3g}: {why}")
    return Chosen(LpBall(radius, 1 + delta), {"sparsity": radius, "delta": delta}, reasons, radius)


def _elastic_net(outlier: float, options: Options) -> Chosen:
    first, why = outlier, "outlier level: what deviates by less stays out of the foreground"
    if options.lambda1 is not None:
        first, why = options.lambda1, "as asked for"
    second, why_second = LAMBDA2, "strong convexity 0.1, for which the foreground is divided by 1.1"
    if options.lambda2 is not None:
        second, why_second = options.lambda2, "as asked for"
    reasons = (f"λ1 = {first:.3g}: {why}", f"λ2 = {second:.3g}: {why_second}")
    return Chosen(ElasticNet(first, second), {"lambda1": first, "lambda2": second}, reasons)


class _Excess:
    """(|M − centre| − outlier)₊ frame by frame, in an array that is used again; counts what is not zero."""

    def __init__(
        self,
        frames: NDArray[np.uint8],
        centre: NDArray[np.float32],
        outlier: float,
        threads: int,
        inside: float,
        share: float,
    ) -> None:
        self.frames, self.centre, self.outlier = frames, centre, outlier
        self.threads, self.inside, self.share = threads, inside, share
        self.count = 0

    def __iter__(self) -> Iterator[NDArray[np.float32]]:
        for frame in self.frames:
            excess = np.abs(frame - self.centre)
            excess -= self.outlier
            np.maximum(excess, 0, out=excess)
            self.count += int(np.count_nonzero(excess))
            yield excess

    def norm(self, p: float) -> float:
        """Return the ℓp norm, p ≥ 1; for p = 0 the sum over the pixels of their ℓ2 norms over time."""
        if p == 0:
            squares = np.zeros(self.frames.shape[1])
            for excess in self:
                squares += np.square(excess, dtype=np.float64)
            return float(np.sqrt(squares).sum())
        if p == 1:
            return self._total()
        # No power of zeros, which are most of it; and of what is at most 255, so nothing overflows.
        total = sum(float((excess[excess > 0] ** np.float32(p)).sum(dtype=np.float64)) for excess in self)
        return float(total ** (1 / p))

    def _total(self) -> float:
        """Return the sum in one compiled pass, which most fits take."""
        sums, outlier = np.zeros((len(self.frames), 2)), np.float32(self.outlier)
        edges = np.linspace(0, len(sums), self.threads + 1).astype(np.int64)
        parts = [slice(*bounds) for bounds in pairwise(edges)]
        with ThreadPoolExecutor(self.threads) as pool:
            list(
                pool.map(
                    lambda part: _excess_pass(self.frames[part], self.centre, outlier, sums[part]), parts
                )
            )
        total, self.count = float(sums[:, 0].sum()), int(sums[:, 1].sum())
        return total


@compiled
def _excess_pass(
    frames: NDArray[np.uint8], centre: NDArray[np.float32], outlier: np.float32, sums: NDArray[np.float64]
) -> None:
    """Add the sum of what exceeds *outlier*, and the number of entries that do, to each frame's *sums* ``(n, 2)``."""
    for i in range(len(frames)):
        row = frames[i]
        for low in range(0, len(row), PIECE):
            high = min(low + PIECE, len(row))
            total, count = _excess(row[low:high], centre[low:high], outlier)
            sums[i, 0] += total
            sums[i, 1] += count


@inlined
def _excess(
    values: NDArray[np.uint8], centre: NDArray[np.float32], outlier: np.float32
) -> tuple[np.float32, np.float32]:
    # Of its own: in a loop over a part of a row the compiler takes one entry at a time.
    total, count = np.float32(0), np.float32(0)
    for j in range(len(values)):
        excess = abs(np.float32(values[j]) - centre[j]) - outlier
        total += max(excess, np.float32(0))
        count += np.float32(1) if excess > 0 else np.float32(0)
    return total, count


def _radius(excess: _Excess, p: float, words: str, options: Options) -> tuple[float, str]:
    if options.sparsity is not None:
        return options.sparsity, f"s = {options.sparsity:.3g}: as asked for"
    # Of as many rows as there are, all like those of a sample.
    norm = excess.norm(p) / excess.share ** (1 / max(p, 1))
    share = excess.count / max(excess.frames.size * excess.inside, 1)
    radius = max(norm, 1.0)
    reason = (
        f"s = {radius:.3g}: {words} of the deviations of more than {excess.outlier:.1f} grey levels from the centre "
        f"({share:.1%} of the entries)"
    )
    return radius, reason + FLOORED * (norm < 1)
