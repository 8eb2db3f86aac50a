"""Weights of the entries of a new row, by their residuals, as implied by the sparse term.

Given X, an optimal Y takes everything from the residual ``R = M − X`` but ``R − Y = ψ(R)``, where ψ is the derivative
of ``min_Y g + R_Y``, Huber's function for the ℓ1 norm. The weight of an entry is ``w = ψ(r)/r``, at most 1 and
decreasing in |r|: gross errors count less. An influence maps residuals ``(m, p)`` to weights that broadcast to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.penalties.group import GroupPenalty
from bgsub.solver.sets.group_ball import GroupBall
from bgsub.solver.sets.lp_ball import LpBall

LEAST = 1e-9
"""Smallest threshold, relative to the residuals: without noise this gives least-absolute-deviations regression."""

PARALLEL = 0.99
"""Minimum cosine between ``|∇g|`` and ``|y|^δ``, which are parallel at an optimum of the ℓp ball."""

NEWTON = 60

Matrix = NDArray[np.float64]


class Influence(Protocol):
    """A map from residuals to weights."""

    def weights(self, residual: Matrix) -> Matrix:
        """Return weights in (0, 1] for rows of residuals, ``(m, p)`` or broadcasting to that shape."""
        ...


@dataclass(frozen=True, slots=True)
class EntryInfluence:
    """``w = min(1, θ/|r|)`` for the ℓ1 norm; with λ2 > 0 ``w = (2λ2 + θ/|r|)/(1 + 2λ2)`` beyond θ."""

    threshold: float
    slope: float = 0.0

    def weights(self, residual: Matrix) -> Matrix:
        """Return the weight of every entry."""
        share = self.threshold / np.maximum(np.abs(residual), self.threshold)
        return np.asarray((share + 2 * self.slope) / (1 + 2 * self.slope))


@dataclass(frozen=True, slots=True)
class PowerInfluence:
    """``w = 1 − v/|r|`` with ``v + c·v^δ = |r|``, for the ℓp norm, p = 1 + δ."""

    multiplier: float
    delta: float

    def weights(self, residual: Matrix) -> Matrix:
        """Return the weight of every entry, by Newton's method in ``u = v^δ``, which is monotone."""
        moduli = np.abs(residual)
        u = np.minimum(moduli**self.delta, moduli / self.multiplier)
        power = 1 / self.delta
        for _ in range(NEWTON):
            u -= (u**power + self.multiplier * u - moduli) / (power * u ** (power - 1) + self.multiplier)
            np.maximum(u, 0, out=u)
        return np.divide(self.multiplier * u, moduli, out=np.ones_like(u), where=moduli > 0)


@dataclass(frozen=True, slots=True)
class RowInfluence:
    """``w = min(1, θ/‖r‖₂)``, the same for all entries of a row."""

    threshold: float

    def weights(self, residual: Matrix) -> Matrix:
        """Return one weight per row, ``(m, 1)``."""
        lengths = np.linalg.norm(residual, axis=1, keepdims=True)
        return np.asarray(self.threshold / np.maximum(lengths, self.threshold))


@dataclass(frozen=True, slots=True, eq=False)
class ColumnInfluence:
    """The columns' weights ``(p,)`` from the fit: a new row does not tell which columns are corrupted."""

    columns: Matrix

    def weights(self, residual: Matrix) -> Matrix:
        """Return one weight per column, ``(1, p)``."""
        return self.columns[None]


def influence_of(term: Any, gradient: Matrix, residual: Matrix, sparse: NDArray[Any]) -> Influence:
    """Return the influence for the sparse term at a solution.

    Parameters
    ----------
    term
        The sparse term. An unknown kind is treated as the ℓ1 norm.
    gradient
        ∇g at the solution, ``(n, p)``: −ψ(R).
    residual
        ``M − X``, zero where missing.
    sparse
        Y.
    """
    scale = float(np.abs(residual).max()) or 1.0
    if isinstance(term, ElasticNet):
        return EntryInfluence(max(term.lambda1, LEAST * scale), term.lambda2)
    if isinstance(term, GroupBall | GroupPenalty):
        return _group_influence(term.groups, gradient, residual)
    if isinstance(term, LpBall):
        powers, slopes = np.abs(sparse.astype(np.float64)) ** (term.p - 1), np.abs(gradient)
        lengths, common = float(np.linalg.norm(powers)), float(np.vdot(powers, slopes))
        # A vanishing gradient determines no multiplier; what is left of it stems from the first estimate.
        if common > PARALLEL * lengths * float(np.linalg.norm(slopes)):
            return PowerInfluence(common / lengths**2, term.p - 1)
    return EntryInfluence(max(float(np.abs(gradient).max()), LEAST * scale))


def _group_influence(groups: str, gradient: Matrix, residual: Matrix) -> Influence:
    axis = 1 if groups == "rows" else 0
    left, lengths = np.linalg.norm(gradient, axis=axis), np.linalg.norm(residual, axis=axis)
    floor = LEAST * (float(lengths.max()) or 1.0)
    if groups == "rows":
        return RowInfluence(max(float(left.max()), floor))
    theta = max(float(left.max()), floor)
    return ColumnInfluence(theta / np.maximum(lengths, theta))
