"""Validation of input arrays and their conversion to the solver's working types."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgsub.errors import InputError
from bgsub.solver.checks import shown

LARGEST_SINGLE = 1e12
"""Above this magnitude, squares of float32 values come close to overflow; float64 is used instead."""

LARGEST_DOUBLE = 1e140
"""Above this magnitude the sum of squares of float64 values may overflow."""

SMALLEST_SINGLE, SMALLEST_DOUBLE = 1e-12, 1e-140
"""The corresponding lower limits: below them squares underflow, and with them the objective and its gap."""


def real_numbers(data: Any, name: str) -> NDArray[Any]:
    """Return *data* as an array of real dtype, without copying if it already is one.

    Raises
    ------
    InputError
        *data* is masked, ragged or not real-valued; the message calls it *name*.
    """
    if isinstance(data, np.ma.MaskedArray):
        raise InputError(f"{name} is a masked array: fill what is masked")
    try:
        array = np.asarray(data)
    except (TypeError, ValueError):
        raise InputError(
            f"{name} must be an array of numbers with rows of one length, but is {shown(data)}"
        ) from None
    if array.dtype.kind not in "buif":
        raise InputError(f"{name} must hold real numbers, but its dtype is {array.dtype}")
    return array


def largest_for(dtype: np.dtype[Any]) -> float:
    """Return the largest magnitude for which sums of squares are safe in *dtype*."""
    return LARGEST_DOUBLE if dtype == np.float64 else LARGEST_SINGLE


def working_matrix(data: ArrayLike, name: str = "the data matrix") -> NDArray[Any]:
    """Return *data* as a read-only C-ordered matrix of uint8, float32 or float64.

    Parameters
    ----------
    data
        ``(n, p)``. uint8 and bool become uint8; float32 stays float32 unless its largest magnitude is outside [1e-12,
        1e12]; everything else becomes float64. Copied only if dtype or memory order requires it; never written to.
    name
        Name used in error messages.

    Raises
    ------
    InputError
        *data* is masked, not two-dimensional, empty or not real-valued, holds NaN, infinite values or
        magnitudes above 1e140, or is nonzero with all magnitudes below 1e-140.
    """
    array = data if isinstance(data, np.ma.MaskedArray) else real_numbers(data, name)
    if array.ndim != 2:
        raise InputError(f"{name} must have two dimensions (frames, rows), but has {array.ndim}")
    return working_data(array, name)


def working_data(data: ArrayLike, name: str = "the data matrix") -> NDArray[Any]:
    """Return *data* as :func:`working_matrix` does, in any number of dimensions.

    Raises
    ------
    InputError
        *data* is masked, empty or not real-valued, holds NaN, infinite values or magnitudes above 1e140, or is
        nonzero with all magnitudes below 1e-140.
    """
    if isinstance(data, np.ma.MaskedArray):
        raise InputError(f"{name} is a masked array: fill_missing makes data and a loss of it")
    array = real_numbers(data, name)
    if array.size == 0:
        raise InputError(f"{name} is empty: its shape is {array.shape}")
    with np.errstate(over="ignore"):  # longdouble may overflow; infinite values are rejected below
        array = np.ascontiguousarray(array, dtype=_working_dtype(array.dtype))
    if array.dtype.kind == "f":
        array = _checked(array, name)
    # Always read-only, so that numba compiles a single specialisation.
    array = array.view()
    array.flags.writeable = False
    return array


def working_vector(data: ArrayLike | None, length: int, dtype: np.dtype[Any], name: str) -> NDArray[Any]:
    """Return *data* as a vector of *length* numbers of *dtype*; None gives zeros.

    Raises
    ------
    InputError
        Wrong shape, a value that is not a finite real number, or one too large for *dtype*.
    """
    if data is None:
        return np.zeros(length, dtype)
    array = real_numbers(data, name)
    if array.shape != (length,):
        raise InputError(f"{name} must have shape ({length},), one value per column, but has {array.shape}")
    if not np.isfinite(array).all():
        raise InputError(f"{name} must hold finite real numbers, but holds NaN or infinite values")
    limit = largest_for(dtype)
    if length and (peak := np.abs(array).max()) > limit:
        hint = "" if dtype == np.float64 else ", or give the data in float64"
        raise InputError(
            f"{name} holds values up to {peak:.1e}, beyond {limit:g}: scale everything down{hint}"
        )
    return array.astype(dtype)


def real_dtype(matrix: NDArray[Any]) -> np.dtype[Any]:
    """Return the working precision for a working matrix: float64 for float64, float32 otherwise."""
    return np.dtype(np.float64 if matrix.dtype == np.float64 else np.float32)


def square_norm(array: NDArray[Any]) -> float:
    """Return ‖array‖²_F, summed in the working precision along rows and in float64 across them."""
    return inner(array, array)


def inner(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return ⟨a, b⟩ of two matrices, summed as in :func:`square_norm`."""
    return float(np.einsum("ij,ij->i", a, b).sum(dtype=np.float64))


def _working_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.kind == "b" or dtype == np.uint8:
        return np.dtype(np.uint8)
    return np.dtype(np.float32 if dtype.newbyteorder("=") == np.float32 else np.float64)


def _checked(array: NDArray[Any], name: str) -> NDArray[Any]:
    # Row by row, to avoid temporaries the size of the matrix.
    largest = 0.0
    for index, row in enumerate(np.atleast_1d(array)):
        peak = float(np.abs(row).max())
        if not np.isfinite(peak):
            raise InputError(
                f"{name} holds NaN or infinite values (first in row {index}): replace or leave them out"
            )
        largest = max(largest, peak)
    if largest > LARGEST_DOUBLE:
        raise InputError(f"{name} holds values up to {largest:.1e}, beyond 1e140: scale it down")
    if 0 < largest < SMALLEST_DOUBLE:
        raise InputError(f"{name} holds no value beyond {largest:.1e}, and 1e-140 is the least: scale it up")
    fits = largest == 0 or SMALLEST_SINGLE <= largest <= LARGEST_SINGLE
    return array if fits or array.dtype == np.float64 else array.astype(np.float64)
