"""R(Y) and R*(−G) of entrywise terms for the certificate, accumulated block by block in float64."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.sets.lp_ball import LpBall


class Dual:
    """The accumulator for the ℓ1 ball, which needs nothing beyond max|g|, and the base class of the others.

    Attributes
    ----------
    constants
        λ1 of an elastic net and q of an ℓp ball, for the compiled pass; negative for other terms.
    """

    constants = (-1.0, -1.0)

    def add_block(self, gradient: NDArray[np.float64], sparse: NDArray[Any]) -> None:
        """Add a block of G and the matching block of Y."""

    def add_sums(self, sums: NDArray[np.float64]) -> None:
        """Add the sums from the compiled pass."""

    def penalty(self, entry: float, size: int) -> tuple[float, float] | None:
        """Return R(Y) and a bound on R*(−G), each of the *size* entries of G being off by up to *entry*."""
        return None


class _NetDual(Dual):
    """R(Y) and ``Σ max(|g| − λ1, 0)²/(4λ2)``."""

    def __init__(self, net: ElasticNet) -> None:
        self.constants = (net.lambda1, -1.0)
        self._net, self._cost, self._dual = net, 0.0, 0.0

    def add_block(self, gradient: NDArray[np.float64], sparse: NDArray[Any]) -> None:
        self._cost += self._net.value(sparse)
        self._dual += self._net.conjugate(gradient, 0.0)

    def add_sums(self, sums: NDArray[np.float64]) -> None:
        total, length, beyond = sums[:3].tolist()
        self._cost += self._net.lambda1 * total + self._net.lambda2 * length
        self._dual += beyond / (4 * self._net.lambda2)

    def penalty(self, entry: float, size: int) -> tuple[float, float]:
        # Triangle inequality for the vector of excesses over λ1.
        root = math.sqrt(self._dual) + entry * math.sqrt(size / (4 * self._net.lambda2))
        return self._cost, root * root


class _BallDual(Dual):
    """‖G‖_q, as the largest block norm a and Σ(‖block‖_q/a)^q."""

    def __init__(self, ball: LpBall) -> None:
        self._power = ball.p / (ball.p - 1)
        self.constants = (-1.0, self._power)
        self._ball, self._top, self._total = ball, 0.0, 0.0

    def add_block(self, gradient: NDArray[np.float64], sparse: NDArray[Any]) -> None:
        self._add(self._ball.conjugate(gradient, 0.0) / self._ball.radius, 1.0)

    def add_sums(self, sums: NDArray[np.float64]) -> None:
        self._add(float(sums[3]), float(sums[4]))

    def _add(self, top: float, total: float) -> None:
        largest = max(top, self._top)
        if largest > 0:
            self._total *= (self._top / largest) ** self._power
            self._total += total * (top / largest) ** self._power
            self._top = largest

    def penalty(self, entry: float, size: int) -> tuple[float, float]:
        norm = self._top * self._total ** (1 / self._power) + entry * size ** (1 / self._power)
        return 0.0, self._ball.support(norm)


def dual_of(term: Any) -> Dual:
    """Return an empty accumulator for a term of Y."""
    if isinstance(term, ElasticNet):
        return _NetDual(term)
    return _BallDual(term) if isinstance(term, LpBall) else Dual()
