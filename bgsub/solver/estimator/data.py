"""The data of a fit: their missing entries, and the problems posed with them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError, OptionError
from bgsub.solver.arrays import working_vector
from bgsub.solver.estimator.input import DataError
from bgsub.solver.losses.protocol import Loss
from bgsub.solver.losses.squared import SquaredLoss
from bgsub.solver.losses.weighted import fill_missing
from bgsub.solver.problem import SplitProblem, Term
from bgsub.solver.spectra.atoms import LowRank

LARGEST_DOUBLE = 1 << 22
"""Up to this many entries, computations use float64 for any input dtype: memory is no concern, rounding negligible."""


@dataclass(frozen=True, slots=True, eq=False)
class Observations:
    """Data with their missing entries filled.

    Attributes
    ----------
    matrix
        ``(n, p)`` uint8, float32 or float64, finite.
    observed
        ``(n, p)`` bool, or None if everything is.
    offset
        ``(p,)``, relative to which the low-rank part is measured.
    loss
        g, with a small weight for missing entries.
    """

    matrix: NDArray[Any]
    observed: NDArray[np.bool_] | None
    offset: NDArray[Any]
    loss: Loss

    @property
    def density(self) -> float:
        """Fraction of entries observed."""
        return 1.0 if self.observed is None else float(self.observed.mean())

    def problem(self, low_rank: Term, sparse: Term) -> SplitProblem:
        """Return the problem for these data with the given terms."""
        return SplitProblem(self.matrix, low_rank, sparse, self.offset, self.loss)

    def refilled(self, low_rank: LowRank) -> Observations:
        """Return the same data with missing entries filled from X, so that they no longer pull on it."""
        if self.observed is None:
            return self
        filled = np.where(self.observed, self.matrix, low_rank.dense()).astype(self.matrix.dtype)
        return replace(self, matrix=filled)

    def residual(self, low_rank: LowRank) -> NDArray[np.floating[Any]]:
        """Return the observed entries of M − X, as a vector if some are missing."""
        difference: NDArray[np.floating[Any]] = self.matrix - low_rank.dense()
        return difference if self.observed is None else difference[self.observed]


def observations(matrix: NDArray[Any], centre: object, ridge: float) -> Observations:
    """Return the data of a fit.

    Parameters
    ----------
    matrix
        ``(n, p)``, NaN where missing. Converted to float64 up to LARGEST_DOUBLE entries.
    centre
        None for no offset, ``"median"`` or ``"mean"`` of every column's observed values, or ``(p,)`` numbers.
    ridge
        Weight of a missing entry; see :meth:`bgsub.solver.losses.weighted.WeightedLoss.for_missing`. Missing entries
        are filled with the offset, or without one with the median of their column.

    Raises
    ------
    OptionError
        *centre* or *ridge* is invalid.
    DataError
        Nothing is observed.
    """
    if matrix.size <= LARGEST_DOUBLE:
        matrix = matrix.astype(np.float64, copy=False)
    missing = np.isnan(matrix) if matrix.dtype.kind == "f" else np.zeros((), dtype=bool)
    if missing.all():
        raise DataError("X holds nothing but NaN: at least one entry must be observed")
    offset = _offset(matrix, centre)
    if not missing.any():
        return Observations(
            matrix, None, np.zeros(matrix.shape[1]) if offset is None else offset, SquaredLoss()
        )
    filled, loss = fill_missing(matrix, ridge, offset)
    return Observations(filled, ~missing, np.zeros(matrix.shape[1]) if offset is None else offset, loss)


def _offset(matrix: NDArray[Any], centre: object) -> NDArray[Any] | None:
    if centre is None:
        return None
    if isinstance(centre, str):
        if centre not in ("median", "mean"):
            raise OptionError(
                f"centre must be None, 'median', 'mean' or one number per column, but is {centre!r}"
            )
        middle = np.ma.median if centre == "median" else np.ma.mean
        return np.ma.filled(middle(np.ma.masked_invalid(matrix), axis=0), 0.0).astype(np.float64)
    return _given(centre, matrix.shape[1])


def _given(centre: Any, columns: int) -> NDArray[Any]:
    try:
        return working_vector(centre, columns, np.dtype(np.float64), "centre")
    except InputError as error:
        raise OptionError(
            f"centre must be None, 'median', 'mean' or {columns} finite numbers, one per column: {error}"
        ) from None
