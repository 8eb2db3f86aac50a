"""Half the weighted squared distance to the data; missing entries get a small weight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgsub.errors import InputError, OptionError
from bgsub.solver.arrays import real_numbers, working_matrix, working_vector
from bgsub.solver.sets.radius import positive_parameter

BLOCK_ENTRIES = 1 << 14
"""Entries processed in float64 at a time, so that they stay in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightedLoss:
    """``g(Z) = ½Σ w_ij (z_ij − m_ij)²``: (max w)-smooth and (min w)-strongly convex.

    Attributes
    ----------
    weights
        ``(n, p)`` finite positive numbers, dimensionless: uint8, float32 and float64 as they are, others as float64.
        Copied only if the dtype or memory order requires it; do not modify them afterwards.
    alpha, beta
        The smallest and the largest weight.

    Raises
    ------
    InputError
        *weights* is not a matrix of real numbers, or has NaN, infinite, negative or zero entries. For entries that
        should not count there is :meth:`for_missing`.

    Notes
    -----
    Every method is one pass over its arrays; :meth:`gradient` allocates only its result.
    """

    weights: NDArray[Any]
    alpha: float = field(init=False)
    beta: float = field(init=False)

    def __post_init__(self) -> None:
        weights = working_matrix(self.weights, "the weight matrix")
        low, high = float(weights.min()), float(weights.max())
        if low <= 0:
            raise InputError(
                f"the weights must be above 0, but the smallest is {low:g}: "
                "give missing entries a small weight, as WeightedLoss.for_missing does"
            )
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "alpha", low)
        object.__setattr__(self, "beta", high)

    @classmethod
    def for_missing(cls, observed: ArrayLike, ridge: float = 1e-3) -> WeightedLoss:
        """Return the loss with weight 1 where *observed* and weight *ridge* elsewhere, in float32.

        A missing entry of the data still needs a number, its *fill* c_ij, towards which the solution is pulled:
        ``g(Z) = ½Σ_observed (z − m)² + ½ridge·Σ_missing (z − c)²``. :func:`fill_missing` chooses the fills.

        Why a ridge: with weight zero g is not strongly convex (α = 0), and every theorem divides by α. Its effect on
        the solution: if (X*, Y*) with Z* = X* + Y* solves the problem without the ridge, then f without the ridge
        exceeds its minimum at the solution by at most ``½ridge·Σ_missing (z* − c)²``, which vanishes with the ridge and
        with good fills. Its cost: β/α = 1/ridge, and the theorems' first steps α/(2β) shrink by that factor.

        Parameters
        ----------
        observed
            ``(n, p)`` bool, True where the data were observed.
        ridge
            Weight of the missing entries, in (0, 1].

        Raises
        ------
        InputError
            *observed* is not a boolean matrix, is empty, or is False everywhere.
        OptionError
            *ridge* is outside (0, 1].
        """
        ridge = _ridge(ridge)
        seen = real_numbers(observed, "observed")
        if seen.dtype != np.bool_ or seen.ndim != 2:
            raise InputError(
                f"observed must be a boolean matrix, but has shape {seen.shape} and dtype {seen.dtype}"
            )
        if not seen.any():
            raise InputError(f"nothing is observed: all entries of the mask of shape {seen.shape} are False")
        return cls(np.where(seen, np.float32(1), np.float32(ridge)))

    @property
    def quadratic(self) -> bool:
        """True: the curvature is exact."""
        return True

    @property
    def on_matrices(self) -> bool:
        """True: the data have the shape of Z."""
        return True

    def check(self, matrix: NDArray[Any]) -> None:
        """Raise :class:`bgsub.errors.InputError` unless *matrix* has the shape of the weights."""
        if matrix.shape != self.weights.shape:
            raise InputError(
                f"the weights have shape {self.weights.shape}, but the data matrix has {matrix.shape}: "
                "give one weight per entry"
            )

    def shape(self, matrix: NDArray[Any]) -> tuple[int, int]:
        """Return the shape of the data."""
        n, p = matrix.shape
        return int(n), int(p)

    def value(self, matrix: NDArray[Any], z: NDArray[Any]) -> float:
        """Return g(Z), summed in float64."""
        return self._weighted_square(z, matrix) / 2

    def gradient(self, matrix: NDArray[Any], z: NDArray[Any]) -> NDArray[Any]:
        """Return ``w ∘ (Z − M)`` in the dtype of *z*."""
        out: NDArray[Any] = np.subtract(z, matrix, dtype=z.dtype, casting="same_kind")
        out *= self.weights
        return out

    def curvature(self, direction: NDArray[Any]) -> float:
        """Return ``Σ w_ij d_ij²``."""
        return self._weighted_square(direction, None)

    def _weighted_square(self, a: NDArray[Any], b: NDArray[Any] | None) -> float:
        """Return ``Σ w (a − b)²`` in float64; None stands for b = 0."""
        total, left, weights = 0.0, a.reshape(-1), self.weights.reshape(-1)
        right = None if b is None else b.reshape(-1)
        for start in range(0, weights.size, BLOCK_ENTRIES):
            part = slice(start, start + BLOCK_ENTRIES)
            minus = 0 if right is None else right[part]
            difference = np.subtract(left[part], minus, dtype=np.float64)
            total += float(np.dot(difference * weights[part], difference))
        return total


def fill_missing(
    matrix: ArrayLike, ridge: float = 1e-3, fill: ArrayLike | None = None
) -> tuple[NDArray[Any], WeightedLoss]:
    """Return the data with missing entries filled, and the loss that gives them a small weight.

    Parameters
    ----------
    matrix
        ``(n, p)``, NaN where missing, or a :class:`numpy.ma.MaskedArray`. float32, uint8 and bool are filled in
        float32, other types in float64. Copied.
    ridge
        Weight of a missing entry, relative to 1 for an observed one; see :meth:`WeightedLoss.for_missing`.
    fill
        Value that missing entries are pulled to: a number, or ``(p,)``, one per column, such as the offset of the
        problem. By default the median of the column's observed values, or 0 if it has none.

    Returns
    -------
    filled : (n, p) float32 or float64
    loss : WeightedLoss

    Raises
    ------
    InputError
        *matrix* is not a matrix of real numbers, has infinite values or nothing observed, or *fill* has the wrong shape
        or is not finite.
    OptionError
        *ridge* is outside (0, 1].
    """
    ridge = _ridge(ridge)
    filled, observed = _split(matrix)
    loss = WeightedLoss.for_missing(observed, ridge)
    if fill is None:
        centre = _column_medians(filled, observed)
    else:
        centre = real_numbers(fill, "fill")
        if centre.shape not in ((), (filled.shape[1],)):
            raise InputError(
                f"fill must be a number or have shape ({filled.shape[1]},), but has shape {centre.shape}"
            )
        centre = working_vector(
            np.broadcast_to(centre, filled.shape[1]), filled.shape[1], filled.dtype, "fill"
        )
    np.copyto(filled, centre, where=~observed, casting="same_kind")
    return working_matrix(filled, "the filled data matrix"), loss


def _split(matrix: ArrayLike) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return a floating-point copy of the data, NaN where missing, and the mask of observed entries."""
    gaps = np.ma.getmaskarray(matrix) if isinstance(matrix, np.ma.MaskedArray) else None
    data = real_numbers(matrix if gaps is None else np.ma.getdata(matrix), "the data matrix")
    if data.ndim != 2:
        raise InputError(f"the data matrix must be two-dimensional, but has shape {data.shape}")
    single = data.dtype in (np.dtype(np.float32), np.dtype(np.uint8), np.dtype(np.bool_))
    with np.errstate(over="ignore"):  # extended precision may overflow; infinite values are rejected later
        filled = np.array(data, dtype=np.float32 if single else np.float64, order="C")
    if gaps is not None:
        filled[gaps] = np.nan
    return filled, ~np.isnan(filled)


def _column_medians(data: NDArray[Any], observed: NDArray[np.bool_]) -> NDArray[Any]:
    n, p = data.shape
    out = np.zeros(p)
    step = max(1, BLOCK_ENTRIES // n)
    for start in range(0, p, step):
        columns = slice(start, min(start + step, p))
        ordered = np.sort(data[:, columns], axis=0).astype(np.float64)  # NaN sorts last
        counts = observed[:, columns].sum(axis=0)
        index = np.arange(counts.size)
        middle = ordered[(counts - 1) // 2, index] / 2 + ordered[counts // 2, index] / 2
        out[columns] = np.where(counts > 0, middle, 0)
    return out


def _ridge(value: float) -> float:
    ridge = positive_parameter(value, "ridge", "WeightedLoss")
    if ridge > 1:
        raise OptionError(f"ridge of WeightedLoss must be at most 1, but is {value!r}")
    return ridge
