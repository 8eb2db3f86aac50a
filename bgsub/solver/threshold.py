"""The soft threshold of the projection onto the ℓ1 ball, by Newton's method from any start.

For magnitudes |a|, the function φ(θ) = Σ max(|a| − θ, 0) is convex, decreasing and piecewise linear with slope
−#{|a| > θ}. A Newton step from any θ lands at or left of the root of φ = s; from there the iterates increase
monotonically and terminate in finitely many steps (Michelot 1986; Condat 2016, doi:10.1007/s10107-015-0946-6).
A bracket guards against rounding. The threshold returned is on the feasible side: φ(θ) ≤ s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

LONGEST_SEARCH = 200


class Shrunk(Protocol):
    """The result of shrinking by θ: the sum of the magnitudes and the number of nonzeros."""

    @property
    def total(self) -> float:
        """Σ max(|a| − θ, 0)."""
        ...

    @property
    def count(self) -> float:
        """#{|a| > θ}."""
        ...


S = TypeVar("S", bound=Shrunk)


@dataclass(frozen=True, slots=True)
class Threshold(Generic[S]):
    """The threshold found, and the result of the pass over the data at exactly that θ."""

    theta: float
    shrunk: S


@dataclass(frozen=True, slots=True)
class Shrinkage:
    """The two sums, for an array in memory."""

    total: float
    count: float


class DenseShrinkage:
    """Evaluate φ for an array, in float64."""

    def __init__(self, array: NDArray[Any]) -> None:
        self._moduli = np.abs(np.asarray(array, dtype=np.float64))

    def __call__(self, theta: float) -> Shrinkage:
        """Return φ(θ) and the number of entries above θ."""
        above = self._moduli[self._moduli > theta]
        return Shrinkage(float((above - theta).sum()), float(above.size))


def acceptance(dtype: np.dtype[Any]) -> float:
    """Return the relative tolerance below s to which φ(θ) is accepted: 1e-5 in float32, 1e-12 in float64."""
    return 1e-12 if dtype == np.float64 else 1e-5


def find_threshold(
    evaluate: Callable[[float], S],
    radius: float,
    start: float,
    dtype: np.dtype[Any],
    accept: float | None = None,
) -> Threshold[S]:
    """Find θ ≥ 0 with ``radius·(1 − accept) ≤ φ(θ) ≤ radius``, or 0 if ``φ(0) ≤ radius``.

    Parameters
    ----------
    evaluate
        Returns φ and its slope; called once per pass over the data, with a θ that is representable in *dtype*.
    radius
        s > 0.
    start
        Initial guess, any finite number; a poor one only costs passes.
    dtype
        Precision in which the data are shrunk. If it has no θ in the accepted range, the smallest feasible one
        is returned.
    accept
        See above; :func:`acceptance` of *dtype* by default.
    """
    accept = acceptance(dtype) if accept is None else accept
    aim = radius * (1 - accept / 2)
    low, best = 0.0, None
    theta = _rounded(max(start, 0.0), dtype)
    for _ in range(LONGEST_SEARCH):
        shrunk = evaluate(theta)
        if shrunk.total <= radius:
            if best is None or theta < best.theta:
                best = Threshold(theta, shrunk)
            if shrunk.total >= radius * (1 - accept) or theta == 0:
                return Threshold(theta, shrunk)
        else:
            low = max(low, theta)
        high = np.inf if best is None else best.theta
        theta = _next(theta, shrunk, aim, (low, high), dtype)
        if best is not None and not low < theta < high and not (theta == 0 and low == 0):
            return best
    return best if best is not None else Threshold(theta, evaluate(theta))


def _next(
    theta: float, shrunk: Shrunk, aim: float, bracket: tuple[float, float], dtype: np.dtype[Any]
) -> float:
    """Return the Newton step if it stays inside the bracket, else the midpoint of the bracket."""
    low, high = bracket
    newton = theta + (shrunk.total - aim) / shrunk.count if shrunk.count > 0 else -1.0
    if high == np.inf:
        # The Newton step may be lost to rounding; the root is then one ulp away.
        return max(_rounded(newton, dtype), float(np.nextafter(dtype.type(theta), dtype.type(np.inf))))
    if low < newton < high:
        return _rounded(newton, dtype)
    if low == 0 and newton <= 0:
        return 0.0
    return _rounded((low + high) / 2, dtype)


def _rounded(theta: float, dtype: np.dtype[Any]) -> float:
    return float(dtype.type(theta))
