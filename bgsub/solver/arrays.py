"""What the solver accepts as data, and the form it works on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgsub.errors import InputError
from bgsub.solver.checks import shown

LARGEST_SINGLE = 1e12
"""Above this modulus the squares of float32 values come near overflow, and the work is done in float64."""

LARGEST_DOUBLE = 1e140
"""Above this modulus the sum of squares of float64 values may overflow."""

SMALLEST_SINGLE, SMALLEST_DOUBLE = 1e-12, 1e-140
"""The same below: squares of smaller values vanish, and with them the objective and its gap."""


def real_numbers(data: Any, name: str) -> NDArray[Any]:
    """Return *data* as an array of a real dtype, as it is if it is one.

    Raises
    ------
    InputError
        A masked array, rows of different lengths, or something else than real numbers; the message calls it *name*.
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
    """Return the largest modulus that sums of squares are safe with in *dtype*."""
    return LARGEST_DOUBLE if dtype == np.float64 else LARGEST_SINGLE


def working_matrix(data: ArrayLike, name: str = "the data matrix") -> NDArray[Any]:
    """Return *data* as a read-only C-ordered matrix of uint8, float32 or float64.

    Parameters
    ----------
    data
        ``(n, p)`` numbers. uint8 (and bool) stays uint8, float32 stays float32, everything else becomes float64. The
        array is copied only if its type or memory order asks for it, and is never written to.
    name
        What messages call it.

    Raises
    ------
    InputError
        Not two-dimensional, empty, not real numbers, or NaN, infinite or beyond 1e140 somewhere, or
        nowhere beyond 1e-140.
    """
    array = data if isinstance(data, np.ma.MaskedArray) else real_numbers(data, name)
    if array.ndim != 2:
        raise InputError(f"{name} must have two dimensions (frames, rows), but has {array.ndim}")
    return working_data(array, name)


def working_data(data: ArrayLike, name: str = "the data matrix") -> NDArray[Any]:
    """Return *data* like :func:`working_matrix`, whatever the number of its dimensions.

    Raises
    ------
    InputError
        Empty, not real numbers, or NaN, infinite or beyond 1e140 somewhere, or
        nowhere beyond 1e-140.
    """
    if isinstance(data, np.ma.MaskedArray):
        raise InputError(f"{name} is a masked array: fill_missing makes data and a loss of it")
    array = real_numbers(data, name)
    if array.size == 0:
        raise InputError(f"{name} is empty: its shape is {array.shape}")
    with np.errstate(over="ignore"):  # of extended precision; infinite values are refused below
        array = np.ascontiguousarray(array, dtype=_working_dtype(array.dtype))
    if array.dtype.kind == "f":
        array = _checked(array, name)
    # One memory type for numba, whether the caller's array was writable or not: it compiles once.
    array = array.view()
    array.flags.writeable = False
    return array


def working_vector(data: ArrayLike | None, length: int, dtype: np.dtype[Any], name: str) -> NDArray[Any]:
    """Return *data* as a vector of *length* numbers of *dtype*, zeros for None.

    Raises
    ------
    InputError
        A wrong length, a value that is not a finite real number, or one too large for *dtype*.
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
    """Return the precision of the work on a working matrix: float64 for float64, float32 otherwise."""
    return np.dtype(np.float64 if matrix.dtype == np.float64 else np.float32)


def square_norm(array: NDArray[Any]) -> float:
    """Return ‖array‖²_F: sums in the working precision along a row, in float64 over the rows."""
    return inner(array, array)


def inner(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return ⟨a, b⟩ of two matrices, summed like :func:`square_norm`."""
    return float(np.einsum("ij,ij->i", a, b).sum(dtype=np.float64))


def _working_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.kind == "b" or dtype == np.uint8:
        return np.dtype(np.uint8)
    return np.dtype(np.float32 if dtype.newbyteorder("=") == np.float32 else np.float64)


def _checked(array: NDArray[Any], name: str) -> NDArray[Any]:
    # Row by row: one mask of the whole matrix would be a quarter of its size again.
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
