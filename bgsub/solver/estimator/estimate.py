"""A first robust estimate of both parts, from the data alone: it tells how large they are.

Stable principal component pursuit (Zhou, Li, Wright, Candès and Ma 2010, doi:10.1109/ISIT.2010.5513535)::

    min  g(X + Y) + μ‖X‖_* + μλ·‖Y‖

for a decreasing sequence of weights μ, each solved from the last one. λ depends on the shape only: ``1/√max(n, p)`` for
entries (Candès, Li, Ma and Wright 2011, doi:10.1145/1970392.1970395). μ ends where it is what noise asks for: noise of
standard deviation σ has a spectral norm of about ``(√n + √p)·σ``; a larger μ would cut into X, a smaller one would let
noise into it. σ is estimated from M − X on the way, by the median, which gross errors in less than half of the entries
hardly move; X is taken without the shrinkage that μ has caused. Where there is no noise, σ falls with μ, and the
sequence ends near zero: there the solution is that of principal component pursuit, ``min ‖X‖_* + λ‖Y‖`` with
``X + Y = M``.
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
"""First weight μ, relative to ‖M‖₂."""

LEAST = {np.dtype(np.float64): 1e-6, np.dtype(np.float32): 1e-5}
"""Smallest weight, relative to ‖M‖₂: noise below that counts as none."""

FASTEST = 0.02
"""The weight falls to no less than this share of the last one, for the next solution starts from the last."""

SETTLED = 0.7
"""The weight may be found when what noise asks for is at least this share of it."""

NOISE_EXPONENT = 0.58
"""Where the weight may be found, σ of true noise falls more slowly than this power of μ when μ is halved; what gross
errors have left in X falls faster (measured: at most 0.57 for noise, at least 0.60 for 30 % of gross errors)."""

STILL, SURELY = 1.2, 1.5
"""On the way further down noise asks for a weight of more than SURELY·μ sooner or later, and what gross errors left
in X does not; then the last μ counts for which it was at most STILL·μ."""

MOST_STEPS = 60

NORMAL_QUARTILE = 0.6744897501960817
"""The median modulus of a standard normal variable."""

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
        The data as they were filled for this solution.
    iterations
        Of all solutions so far.
    """

    result: Result
    weight: float
    noise: float
    data: Observations
    iterations: int

    @property
    def asked(self) -> float:
        """The weight that noise of this σ asks for: its spectral norm."""
        n, p = self.data.matrix.shape
        return float((np.sqrt(n) + np.sqrt(p)) * self.noise * np.sqrt(self.data.density))


def first_estimate(data: Observations, penalty: Callable[[float], Term], balance: float) -> Estimate:
    """Return both parts at the weight that the noise asks for.

    Parameters
    ----------
    data
        The data. Missing entries are filled anew from X at every weight.
    penalty
        The penalty of Y with a given weight.
    balance
        λ, the weight of Y over that of X.

    Notes
    -----
    Five to twenty problems of 5 to 20 iterations of ALT-PGPG each; the more, the nearer rank and share of errors are to
    the limit of what principal component pursuit can recover.
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
        # A part of rank zero is no answer as long as there is a smaller weight.
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
    """Tell from the next, smaller weight whether σ is noise; *found*: where that is asked for the first time."""
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
    """Return both parts at one weight, starting from the last solution."""
    problem = data.problem(NuclearNormPenalty(weight), penalty(balance * weight))
    start = None if before is None else before.result
    # From a start of its rank the method need not find out again that so many directions are needed.
    method = alt_pgpg(None if start is None else max(start.rank, 1))
    result = solve(problem, method, stop=INNER, start=start)
    grown = unshrunk(result.low_rank, weight)
    residual: NDArray[Any] = np.abs(data.residual(grown))
    noise = float(np.median(residual)) / NORMAL_QUARTILE
    iterations = result.iterations + (0 if before is None else before.iterations)
    return Estimate(result, weight, noise, data.refilled(grown), iterations)


def unshrunk(low_rank: LowRank, weight: float) -> LowRank:
    """Return X with every singular value raised by *weight*: by what the penalty has shortened it."""
    lengths = np.sqrt(np.square(low_rank.left, dtype=np.float64).sum(axis=0))
    factors = (1 + weight / lengths).astype(low_rank.left.dtype)
    return LowRank(low_rank.left * factors, low_rank.right, low_rank.offset)
