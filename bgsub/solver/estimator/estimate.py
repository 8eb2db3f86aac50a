"""A first robust estimate of both parts from the data alone, which tells how large they are.

Stable principal component pursuit (Zhou, Li, Wright, Candès and Ma 2010, doi:10.1109/ISIT.2010.5513535)::

    min  g(X + Y) + μ‖X‖_* + μλ·‖Y‖

for a decreasing sequence of weights μ, each solution warm-starting the next. λ depends only on the shape and the
fraction observed: ``1/√max(n, p)`` for entrywise sparsity with nothing missing (Candès, Li, Ma and Wright 2011,
doi:10.1145/1970392.1970395). The final μ matches the noise: noise of standard deviation σ has a spectral norm of about
``(√n + √p)·σ``; a larger μ would cut into X, a smaller one would let noise into it. σ is estimated along the way from
the median of |M − X|, which is robust to gross errors in fewer than half of the entries; for this, the shrinkage of X
by μ is undone. Without noise, σ decreases with μ and the sequence ends near zero, where the solution is that of
principal component pursuit, ``min ‖X‖_* + λ‖Y‖`` subject to ``X + Y = M``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.arrays import real_dtype
from bgsub.solver.estimator.data import Observations
from bgsub.solver.loop import solve
from bgsub.solver.methods.accelerated import alt_pgpg
from bgsub.solver.penalties.nuclear_norm import NuclearNormPenalty
from bgsub.solver.problem import Term
from bgsub.solver.result import Result
from bgsub.solver.sets.spectral import spectral_norm
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.stopping import Stopping

FIRST = 0.25
"""First weight μ, relative to the spectral norm of M minus the offset."""

LEAST = {np.dtype(np.float64): 1e-6, np.dtype(np.float32): 1e-5}
"""Smallest weight, likewise relative: noise below that counts as none."""

FASTEST = 0.02
"""Each weight is at least this fraction of the previous one, whose solution is the warm start."""

SETTLED = 0.7
"""A weight is a candidate if the noise calls for at least this fraction of it."""

NOISE_EXPONENT = 0.58
"""At a candidate, when μ is halved, σ of true noise decreases more slowly than this power of μ, and σ of gross errors
left in X faster (measured: at most 0.57 for noise, at least 0.60 for 30 % of gross errors)."""

STILL, SURELY = 1.2, 1.5
"""As μ decreases further, true noise eventually calls for a weight above SURELY·μ, while gross errors left in X do not;
the weight chosen is then the last μ for which it called for at most STILL·μ."""

MOST_STEPS = 60

NORMAL_QUARTILE = 0.6744897501960817
"""Median absolute value of a standard normal variable."""

INNER = Stopping(max_iterations=100, gap_tolerance=1e-9, change_tolerance=1e-8)


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """Both parts of the data at one weight.

    Attributes
    ----------
    result
        The solution: X and Y.
    weight
        μ, in the units of the singular values.
    noise
        σ, in the units of the entries.
    data
        The data, with missing entries filled from this solution.
    iterations
        Total over all solutions so far.
    """

    result: Result
    weight: float
    noise: float
    data: Observations
    iterations: int

    @property
    def asked(self) -> float:
        """The weight that noise of this σ calls for: its spectral norm."""
        n, p = self.data.matrix.shape
        return float((np.sqrt(n) + np.sqrt(p)) * self.noise * np.sqrt(self.data.density))


def first_estimate(data: Observations, penalty: Callable[[float], Term], balance: float) -> Estimate:
    """Return both parts at the weight that matches the noise.

    Parameters
    ----------
    data
        The data. Missing entries are refilled from X at every weight.
    penalty
        Returns the penalty of Y with a given weight.
    balance
        λ, the weight of Y relative to that of X.

    Notes
    -----
    Five to twenty problems of 5 to 20 iterations of ALT-PGPG each; more as rank and fraction of errors approach the
    recovery limit of principal component pursuit.
    """
    scale = spectral_norm(data.matrix - data.offset)
    if scale == 0:
        scale = 1.0
    least = LEAST[real_dtype(data.matrix)] * scale
    kept: Estimate | None = None
    now = _at(data, FIRST * scale, penalty, balance, None)
    for _ in range(MOST_STEPS):
        if now.weight <= least:
            return now
        settled, before = now.asked > SETTLED * now.weight, kept
        # Rank zero is not accepted while a smaller weight is left to try.
        if not (settled and now.result.rank):
            kept = None
        elif kept is None or now.asked <= STILL * now.weight:
            kept = now
        wanted = now.weight / 2 if settled else max(now.asked, FASTEST * now.weight)
        following = _at(now.data, max(wanted, least), penalty, balance, now)
        if kept is not None and _is_noise(now if before is None else None, following):
            return kept
        now = following
    return now


def _is_noise(found: Estimate | None, following: Estimate) -> bool:
    """Return whether σ is noise, judging by the next, smaller weight; *found* is the estimate if newly a candidate."""
    if following.asked > SURELY * following.weight:
        return True
    if found is None:
        return False
    return bool(following.noise > found.noise * (following.weight / found.weight) ** NOISE_EXPONENT)


def _at(
    data: Observations,
    weight: float,
    penalty: Callable[[float], Term],
    balance: float,
    before: Estimate | None,
) -> Estimate:
    """Return both parts at one weight, warm-started from the last solution."""
    problem = data.problem(NuclearNormPenalty(weight), penalty(balance * weight))
    start = None if before is None else before.result
    # Starting at the rank of the warm start, the method need not search for it again.
    method = alt_pgpg(None if start is None else max(start.rank, 1))
    result = solve(problem, method, stop=INNER, start=start)
    grown = unshrunk(result.low_rank, weight)
    residual: NDArray[Any] = np.abs(data.residual(grown))
    noise = float(np.median(residual)) / NORMAL_QUARTILE
    iterations = result.iterations + (0 if before is None else before.iterations)
    return Estimate(result, weight, noise, data.refilled(grown), iterations)


def unshrunk(low_rank: LowRank, weight: float) -> LowRank:
    """Return X with every singular value raised by *weight*, undoing the shrinkage of the penalty."""
    lengths = np.sqrt(np.square(low_rank.left, dtype=np.float64).sum(axis=0))
    factors = (1 + weight / lengths).astype(low_rank.left.dtype)
    return LowRank(low_rank.left * factors, low_rank.right, low_rank.offset)
