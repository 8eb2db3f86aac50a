"""Matrices with a bounded entrywise ℓp norm, 1 < p ≤ 2: a strongly convex set close to the ℓ1 ball."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import OptionError
from bgsub.solver.checks import whole_number
from bgsub.solver.sets.base import NormBall
from bgsub.solver.sets.points import Real, finite, largest_modulus, pieces, real_array
from bgsub.solver.sets.radius import first_guess, positive_parameter, positive_radius


@dataclass(frozen=True, slots=True)
class LpBall(NormBall):
    """``{Y : ‖Y‖_p = (Σ|y_ij|^p)^{1/p} ≤ radius}``; Frobenius diameter 2s.

    With p = 1 + δ and a small δ it replaces the ℓ1 ball (Garber, Kaplan and Sabach, Theorem 2 and table Lp).
    For N entries it is γ-strongly convex in the Frobenius norm with ``γ = δ·N^{1/2 − 1/p}/s`` (Garber and Hazan 2015):
    it is (δ/s)-strongly convex in its own norm, and ``‖·‖_F ≤ ‖·‖_p ≤ N^{1/p − 1/2}·‖·‖_F``.

    Attributes
    ----------
    radius
        s > 0, in the units of the entries.
    p
        1 < p ≤ 2. The LMO works with the exponent q = p/δ, 21 at δ = .05.

    Raises
    ------
    OptionError
        *radius* is not a finite positive number, or *p* is not in (1, 2].
    """

    radius: float
    p: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", positive_radius(self.radius, "LpBall"))
        object.__setattr__(self, "p", positive_parameter(self.p, "p", "LpBall"))
        if not 1 < self.p <= 2:
            raise OptionError(
                f"p of LpBall must be above 1 and at most 2, but is {self.p!r}: use L1Ball for 1"
            )

    def value(self, point: NDArray[Any]) -> float:
        """Return ‖point‖_p, summed in float64."""
        return _norm(real_array(point), self.p)

    def set_convexity(self, entries: int) -> float:
        """Return γ = δ·N^{1/2 − 1/p}/s for matrices of N *entries*."""
        entries = whole_number(entries, "entries of LpBall.set_convexity", 1)
        return (self.p - 1) * math.pow(entries, 1 / 2 - 1 / self.p) / self.radius

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``max −⟨Y, gradient⟩`` over the ball: s·‖gradient‖_q with 1/p + 1/q = 1. *level* is unused."""
        return self.support(_norm(real_array(gradient), self.p / (self.p - 1)))

    def support(self, dual_norm: float) -> float:
        """Return ``max ⟨Y, G⟩`` over the ball for a G with this ℓq norm."""
        return self.radius * dual_norm

    def lmo(self, gradient: NDArray[Any]) -> Real:
        """Return the minimiser of ``⟨Y, G⟩``: ``−s·sign(G)·|G|^{q−1}/‖G‖_q^{q−1}``, an array of the shape of G.

        Zero for a zero gradient. G is divided by its largest magnitude before powers are taken. float32 stays float32,
        other types become float64; subnormal results are flushed to zero.
        """
        gradient = finite(real_array(gradient))
        out = np.zeros(gradient.shape, gradient.dtype)
        peak = largest_modulus(gradient)
        if peak == 0:
            return out
        power = 1 / (self.p - 1)
        # Powers that would underflow are not computed at all: that is very slow.
        least, total = np.finfo(out.dtype).tiny ** (1 / power), 0.0
        for piece, result in zip(pieces(np.ascontiguousarray(gradient)), pieces(out), strict=True):
            moduli = np.abs(piece)
            moduli /= peak
            small = moduli <= least
            moduli[small] = 1
            np.power(moduli, power, out=result)
            result[small] = 0
            total += float(np.multiply(moduli, result, out=moduli).sum(dtype=np.float64))
            np.copysign(result, piece, out=result)
        # total = Σ|G/peak|^q, and (q − 1)/q = 1/p.
        out *= -self.radius / total ** (1 / self.p)
        return out

    def project(self, point: NDArray[Any], start: float = 0.0) -> Real:
        """Return the projection; see :meth:`project_with_multiplier`."""
        return self.project_with_multiplier(point, start)[0]

    def project_with_multiplier(self, point: NDArray[Any], start: float = 0.0) -> tuple[Real, float]:
        """Return the projection and the multiplier c in ``|v| + c·|v|^δ = |a|`` (0 for a member).

        The norm of the result is the radius, or less by at most a relative 1e-12 in float64 and 1e-6 in float32 (or
        1e-15/δ, if that is more); a member is returned unchanged. float32 stays float32, other types become float64;
        subnormal results are flushed to zero.

        Parameters
        ----------
        point
            Any shape.
        start
            Initial guess for c, such as that of the last projection; it does not affect the result. It saves little,
            since the search runs on a histogram.

        Raises
        ------
        InputError
            *point* has NaN or infinite values.

        Notes
        -----
        Three to four passes over the entries; memory for the result, and for a copy unless *point* is contiguous and
        of a working precision. See :mod:`bgsub.solver.sets.lp_projection`.
        """
        point = real_array(point)
        peak, start = largest_modulus(finite(point)), first_guess(start, "LpBall.project")
        if peak == 0:
            return point.copy(), 0.0
        from bgsub.solver.sets.lp_projection import projected

        return projected(point, self.p, self.radius, peak, start)


def _norm(array: Real, p: float) -> float:
    """Return the ℓp norm, dividing by the largest magnitude before powers are taken."""
    peak = largest_modulus(array)
    if peak == 0 or not math.isfinite(peak):
        return peak
    total = sum(float(((np.abs(piece).astype(np.float64) / peak) ** p).sum()) for piece in pieces(array))
    return peak * float(total ** (1 / p))
