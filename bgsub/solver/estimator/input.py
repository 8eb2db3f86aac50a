"""Input validation for scikit-learn users: arrays, lists, masked arrays, data frames; NaN where missing."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from bgsub.errors import InputError
from bgsub.solver.arrays import LARGEST_DOUBLE, LARGEST_SINGLE

LONGEST_LIST = 5
"""Maximum number of feature names listed in a message."""


class DataError(InputError, ValueError):
    """The data cannot be used; also a ValueError, as scikit-learn users expect."""


class DataTypeError(InputError, TypeError):
    """The data are not numeric; also a TypeError, as scikit-learn users expect."""


def feature_names(data: Any) -> NDArray[Any] | None:
    """Return the column names ``(p,)`` of a data frame, or None if there are none or not all are strings."""
    columns = getattr(data, "columns", None)
    if columns is None:
        return None
    names = np.asarray(columns, dtype=object)
    return names if names.size and all(isinstance(name, str) for name in names) else None


def checked_rows(data: Any, least: tuple[int, int], owner: str) -> NDArray[Any]:
    """Return *data* as a matrix ``(n, p)`` of uint8, float32 or float64, NaN where missing.

    float32 (up to 1e12), uint8 and bool (as uint8) are kept, other types become float64; copied only where necessary.

    Parameters
    ----------
    data
        The user's input.
    least
        Minimum number of rows and of columns.
    owner
        Name of the estimator in messages.

    Raises
    ------
    DataError
        Sparse, not two-dimensional, too few rows or columns, complex or infinite values, or beyond 1e140.
    DataTypeError
        An entry is not a number.
    """
    array = _array(data)
    _check_shape(array, least, owner)
    if array.dtype.kind == "f":
        peak = float(np.nanmax(np.abs(array), initial=0.0))
        if not peak <= LARGEST_DOUBLE:
            raise DataError(
                f"X holds an infinite value or one beyond {LARGEST_DOUBLE:g}: NaN stands for a missing one"
            )
        if array.dtype == np.float32 and peak > LARGEST_SINGLE:
            array = array.astype(np.float64)
    return array


def checked_codes(data: Any) -> NDArray[Any]:
    """Return coefficients of any shape, finite, as uint8, float32 or float64.

    Raises
    ------
    DataError
        Sparse, complex, non-finite or non-numeric values.
    DataTypeError
        An entry is not a number.
    """
    codes = _array(data)
    if not np.isfinite(codes).all():
        raise DataError("X holds NaN or infinite coefficients, of which there are no rows: leave them out")
    return codes


def _array(data: Any) -> NDArray[Any]:
    if issparse(data):
        raise DataError("X is a sparse matrix, but a dense array is needed: call its toarray()")
    try:
        array: Any = data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    except ValueError as error:
        raise DataError(f"X must be a matrix: {error}") from None
    if array.dtype.kind == "c":
        raise DataError("Complex data not supported: X must hold real numbers")
    if array.dtype.kind not in "buifO":
        raise DataError(f"X must hold numbers, but its dtype is {array.dtype}")
    masked = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
    array = np.ma.getdata(array)
    kept = array.dtype in (np.dtype(np.uint8), np.dtype(bool), np.dtype(np.float32), np.dtype(np.float64))
    try:
        with np.errstate(over="ignore"):  # of extended precision; infinite values are rejected later
            array = np.ascontiguousarray(array) if kept and array.ndim else np.array(array, dtype=np.float64)
    except TypeError as error:
        raise DataTypeError(f"X must hold numbers: {error}") from None
    except ValueError as error:
        raise DataError(f"X must hold numbers: {error}") from None
    if masked is not None and masked.any():
        array = np.where(masked, np.nan, array.astype(np.result_type(array.dtype, np.float32)))
    result: NDArray[Any] = array.astype(np.uint8) if array.dtype == bool else array
    return result


def _check_shape(array: NDArray[Any], least: tuple[int, int], owner: str) -> None:
    if array.ndim != 2:
        raise DataError(
            f"Expected 2D array, got {array.ndim}D array instead: X must be (samples, features). Reshape your data: "
            "X.reshape(-1, 1) if it is one feature, X.reshape(1, -1) if it is one sample"
        )
    for found, fewest, what in zip(array.shape, least, ("sample", "feature"), strict=True):
        if found < fewest:
            raise DataError(
                f"Found array with {found} {what}(s) (shape={array.shape}) while a minimum of {fewest} is required by "
                f"{owner}."
            )


def check_features(data: Any, array: NDArray[Any], fitted: Any, owner: str) -> None:
    """Raise unless *array* has the columns that *fitted* was fitted on, by number and, where known, by name.

    Raises
    ------
    DataError
        The columns differ.

    Warns
    -----
    UserWarning
        Only one side has names.
    """
    seen, names = getattr(fitted, "feature_names_in_", None), feature_names(data)
    if names is not None and seen is not None:
        if list(names) != list(seen):
            raise DataError(_difference(list(names), list(seen)))
    elif names is not None:
        warnings.warn(f"X has feature names, but {owner} was fitted without feature names", UserWarning, 3)
    elif seen is not None:
        message = f"X does not have valid feature names, but {owner} was fitted with feature names"
        warnings.warn(message, UserWarning, 3)
    if array.shape[1] != fitted.n_features_in_:
        raise DataError(
            f"X has {array.shape[1]} features, but {owner} is expecting {fitted.n_features_in_} features as input."
        )


def check_names(names: Any, fitted: Any) -> None:
    """Raise unless *names* are those of the columns that *fitted* was fitted on, as far as they are known.

    Raises
    ------
    DataError
        The names or their number differ.
    """
    seen, given = getattr(fitted, "feature_names_in_", None), np.asarray(names, dtype=object)
    if seen is not None and not np.array_equal(seen, given):
        raise DataError("input_features is not equal to feature_names_in_")
    if given.shape != (fitted.n_features_in_,):
        raise DataError(
            f"input_features should have length equal to number of features ({fitted.n_features_in_}), "
            f"got {given.size}"
        )


def _difference(names: list[str], seen: list[str]) -> str:
    lines = ["The feature names should match those that were passed during fit."]
    unseen, missing = sorted(set(names) - set(seen)), sorted(set(seen) - set(names))
    lines += ["Feature names unseen at fit time:", *_listed(unseen)] if unseen else []
    lines += ["Feature names seen at fit time, yet now missing:", *_listed(missing)] if missing else []
    if not unseen and not missing:
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"


def _listed(names: list[str]) -> list[str]:
    more = ["- ..."] if len(names) > LONGEST_LIST else []
    return [f"- {name}" for name in names[:LONGEST_LIST]] + more
