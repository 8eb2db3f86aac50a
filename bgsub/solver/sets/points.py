"""Validation of the terms' array arguments, and soft thresholding."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError
from bgsub.solver.arrays import real_numbers
from bgsub.solver.spectra.atoms import LowRank

Real = NDArray[np.floating[Any]]

POINT = "a point or gradient"
"""Name of a term's argument in messages."""

PIECE = 1 << 16
"""Entries processed at a time where a data-sized temporary is to be avoided."""


def real_array(data: Any) -> Real:
    """Return *data* in float32 or float64: these two unchanged, every other real dtype as float64.

    Copied only if the dtype requires it. NaN is not checked for, see :func:`finite`. A :class:`LowRank` becomes an
    array, without its offset.

    Raises
    ------
    InputError
        *data* does not hold real numbers, or is a ragged list.
    """
    array = real_numbers(data.left @ data.right.T if isinstance(data, LowRank) else data, POINT)
    single = array.dtype.newbyteorder("=") == np.float32
    with np.errstate(over="ignore"):  # extended precision may overflow
        return cast(Real, np.asarray(array, np.float32 if single else np.float64))


def real_matrix(data: Any, square: bool = False) -> Real:
    """Return :func:`real_array` of a matrix.

    Raises
    ------
    InputError
        *data* does not hold real numbers, is not two-dimensional, or is not square where *square* is set.
    """
    array = real_array(data)
    if array.ndim != 2:
        raise InputError(f"{POINT} must have two dimensions, but has {array.ndim}")
    if square:
        require_square(array.shape)
    return array


def finite(array: Real) -> Real:
    """Return *array*, a point or a gradient, once it is known to be finite. One pass, no allocation.

    Raises
    ------
    InputError
        It has NaN or infinite values.
    """
    if not math.isfinite(largest_modulus(array)):
        raise InputError(f"{POINT} must be finite, but holds NaN or infinite values: replace them")
    return array


def require_square(shape: tuple[int, ...]) -> None:
    """Raise unless the matrix is square.

    Raises
    ------
    InputError
        It is not.
    """
    if shape[0] != shape[1]:
        raise InputError(f"symmetric matrices must be square, but the shape is {shape}")


def require_entries(array: Real) -> None:
    """Raise unless *array* is non-empty.

    Raises
    ------
    InputError
        It is empty.
    """
    if array.size == 0:
        raise InputError(f"a gradient without entries has no vertex: its shape is {array.shape}")


def soft_threshold(point: Real, theta: float, scale: float = 1.0) -> Real:
    """Return ``scale·sign(a)·max(|a| − θ, 0)`` for every entry a, in the dtype of *point*; allocates only this."""
    out = np.asarray(np.clip(point, -theta, theta))
    np.subtract(point, out, out=out)
    if scale != 1:
        out *= scale
    return np.asarray(out)


def pieces(array: Real) -> Iterator[Real]:
    """Yield all entries of *array* in vectors of at most PIECE entries, so that temporaries stay in the cache.

    The vectors are views, in memory order, unless the array is not contiguous in either order.
    """
    flat = array.ravel(order="K")
    for start in range(0, flat.size, PIECE):
        yield flat[start : start + PIECE]


def absolute_sum(array: Real) -> float:
    """Return Σ|a|, summed in float64."""
    return float(sum(np.abs(piece).sum(dtype=np.float64) for piece in pieces(array)))


def largest_modulus(array: Real) -> float:
    """Return max|a|, 0 for an empty array; no allocation."""
    return max(float(array.max()), -float(array.min()), 0.0) if array.size else 0.0
