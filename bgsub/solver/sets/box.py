"""Matrices with entries between two bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgsub.errors import InputError, OptionError
from bgsub.solver.checks import matrix_shape, shown
from bgsub.solver.sets.base import ConstraintTerm
from bgsub.solver.sets.points import Real, finite, largest_modulus, real_array


@dataclass(frozen=True, slots=True, eq=False)
class Box(ConstraintTerm):
    """``{Y : low ≤ Y ≤ high}``, entrywise.

    Attributes
    ----------
    low, high
        Scalars, or arrays that broadcast to the shape of the points; low ≤ high. Stored in float64, rounded to float32
        for float32 points.
    shape
        Shape ``(n, p)`` of the points, needed only for a finite diameter. Points of any other shape are rejected.

    Raises
    ------
    OptionError
        A bound is not finite (``NonNegative`` is the one-sided set), low > high somewhere, *shape* is not two integers,
        or the bounds do not broadcast to each other or to *shape*.
    InputError
        From every method: the bounds do not broadcast to the point. From LMO or projection: NaN or infinite values.
    """

    low: ArrayLike
    high: ArrayLike
    shape: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        low, high = _bound(self.low, "low"), _bound(self.high, "high")
        if self.shape is not None:
            object.__setattr__(self, "shape", matrix_shape(self.shape, "shape of Box"))
        try:
            ordered = np.less_equal(low, high).all()
            if self.shape is not None:
                np.broadcast_to(low, self.shape), np.broadcast_to(high, self.shape)
        except ValueError as error:
            raise OptionError(
                f"low {low.shape} and high {high.shape} of Box must broadcast to each other and to shape {self.shape}"
            ) from error
        if not ordered:
            raise OptionError("low of Box must not be above high, but is in at least one entry")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @property
    def diameter(self) -> float:
        """Frobenius diameter ‖high − low‖_F; infinite (unknown) without a shape."""
        if self.shape is None:
            return math.inf
        low, high = self._bounds(self.shape, np.dtype(np.float64))
        return float(np.linalg.norm(high - low))

    def value(self, point: NDArray[Any]) -> float:
        """Return the largest violation of a bound; 0 for members."""
        point = real_array(point)
        if point.size == 0:
            return 0.0
        low, high = self._bounds(point.shape, point.dtype)
        return max(float((low - point).max()), float((point - high).max()), 0.0)

    def is_feasible(self, point: NDArray[Any], tolerance: float = 1e-6) -> bool:
        """Return whether no bound is violated by more than *tolerance* times the largest one in magnitude (1 if 0)."""
        scale = max(largest_modulus(np.asarray(self.low)), largest_modulus(np.asarray(self.high)))
        return self.value(point) <= tolerance * (scale or 1.0)

    def conjugate(self, gradient: NDArray[Any], level: float) -> float:
        """Return ``max −⟨Y, G⟩`` over the box: ``Σ max(−low·g, −high·g)``, in float64. *level* is unused."""
        gradient = real_array(gradient).astype(np.float64)
        low, high = self._bounds(gradient.shape, gradient.dtype)
        return float(np.maximum(-low * gradient, -high * gradient).sum())

    def lmo(self, gradient: NDArray[Any]) -> Real:
        """Return the corner minimising ``⟨Y, G⟩``, an array: high where the gradient is negative, low elsewhere."""
        gradient = finite(real_array(gradient))
        low, high = self._bounds(gradient.shape, gradient.dtype)
        return np.where(gradient < 0, high, low)

    def project(self, point: NDArray[Any]) -> Real:
        """Return the projection. float32 stays float32, other types become float64."""
        point = finite(real_array(point))
        return np.asarray(np.clip(point, *self._bounds(point.shape, point.dtype)))

    def _bounds(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Real, Real]:
        if self.shape is not None and shape != self.shape:
            raise InputError(f"this Box holds matrices of shape {self.shape}, but the point has {shape}")
        bounds = (np.asarray(self.low, dtype), np.asarray(self.high, dtype))
        try:
            return np.broadcast_to(bounds[0], shape), np.broadcast_to(bounds[1], shape)
        except ValueError as error:
            shapes = f"{bounds[0].shape} and {bounds[1].shape}"
            raise InputError(
                f"the bounds of Box have shapes {shapes} and do not fit a point of {shape}"
            ) from error


def _bound(value: ArrayLike, name: str) -> NDArray[np.float64]:
    try:
        given = np.asarray(value)
    except (TypeError, ValueError):
        raise OptionError(f"{name} of Box must be a number or an array, but is {shown(value)}") from None
    with np.errstate(over="ignore"):
        array = np.array(given, np.float64) if given.dtype.kind in "uif" else np.array(np.nan)
    if not np.isfinite(array).all():
        raise OptionError(f"{name} of Box must be finite numbers, but is {shown(value)}")
    array.flags.writeable = False
    return array
