"""The extreme eigenvalues of AᵀA of a linear operator A, and whether its two products belong together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, LinearOperator, eigsh

from bgsub.errors import IncompatibleProblem, InputError, OptionError
from bgsub.solver.checks import number, shown

DENSE_COLUMNS = 256
"""Up to this number of columns A is written out, and its singular values are those of LAPACK."""

TOLERANCE = 1e-3
"""Relative accuracy that is asked of a Lanczos run; its residual enters the result."""

RESTARTS = 100
"""Most restarts of a Lanczos run, each about 20 products."""

MARGIN = 1e-3
"""Relative distance that an estimate is moved to its safe side, beyond its residual."""

LARGEST = 1e70
"""Beyond this, or below its inverse, the values of a product with A are too large or small for those with AᵀA."""

SEED = 20
"""Of every pseudo-random vector here: the same operator always has the same constants."""


def extreme_eigenvalues(operator: LinearOperator) -> tuple[float, float]:
    """Return a value at or below the smallest eigenvalue of AᵀA, at least 0, and one at or above the largest.

    With fewer rows than columns the smallest one is 0, and it is 0, too, where Lanczos does not find it.
    """
    rows, columns = operator.shape
    if columns <= DENSE_COLUMNS:
        values = np.linalg.svd(
            np.asarray(operator.matmat(np.eye(columns)), dtype=np.float64), compute_uv=False
        )
        low, high = float(values[-1] ** 2), float(values[0] ** 2)
    else:
        high = _ritz(operator, "LA")
        low = _ritz(operator, "SA") if rows >= columns else 0.0
    if rows < columns:
        low = 0.0
    return max(low * (1 - MARGIN), 0.0), high * (1 + MARGIN)


def check_bounds(operator: LinearOperator, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return *bounds* of the eigenvalues of AᵀA as floats, once a random product has not contradicted them.

    Raises
    ------
    OptionError
        Not two finite numbers with ``0 ≤ low ≤ high``.
    InputError
        ``‖A u‖²/‖u‖²`` of a pseudo-random u lies outside of them.
    """
    try:
        low, high = (number(value, "bounds of SensingLoss", least=0) for value in bounds)
    except (TypeError, ValueError):
        low, high = math.inf, -math.inf
    if low > high:
        raise OptionError(
            f"bounds of SensingLoss must be two finite numbers with 0 ≤ low ≤ high, but is {shown(bounds)}"
        )
    u = _noise(operator.shape[1])
    image = np.asarray(operator.matvec(u), dtype=np.float64)
    ratio = float(image @ image) / float(u @ u)
    slack = _accuracy(operator)
    if not low * (1 - slack) <= ratio <= high * (1 + slack):
        raise InputError(
            f"bounds {bounds!r} are not those of the eigenvalues of AᵀA: ‖A u‖²/‖u‖² is {ratio:.6g} for some u"
        )
    return low, high


def check_adjoint(operator: LinearOperator) -> None:
    """Raise unless ``⟨A u, v⟩ = ⟨u, Aᵀ v⟩`` for pseudo-random u and v, up to half of the digits of the dtype.

    Raises
    ------
    InputError
        The two differ, or a product is not finite, or its values are beyond 1e70 or below 1e-70.
    IncompatibleProblem
        The operator has no ``rmatvec``.
    """
    v, u = np.split(_noise(sum(operator.shape)), [operator.shape[0]])
    try:
        image, back = np.asarray(operator.matvec(u)), np.asarray(operator.rmatvec(v))
    except NotImplementedError:
        raise IncompatibleProblem(
            "SensingLoss needs the product with Aᵀ: give the LinearOperator an rmatvec"
        ) from None
    peak = max(float(np.abs(product).max(initial=0.0)) for product in (image, back))
    if not np.isfinite(image).all() or not np.isfinite(back).all():
        raise InputError("a product with the operator or its transpose holds NaN or infinite values")
    if peak > LARGEST or 0 < peak < 1 / LARGEST:
        raise InputError(
            f"a product with the operator has values of {peak:.1e}: scale it, and the data with it"
        )
    size = float(np.linalg.norm(image) * np.linalg.norm(v) + np.linalg.norm(u) * np.linalg.norm(back))
    difference = abs(float(image @ v) - float(u @ back))
    if difference > _accuracy(operator) * size:
        raise InputError(
            f"rmatvec is not the adjoint of matvec: ⟨A u, v⟩ and ⟨u, Aᵀ v⟩ differ by {difference:.3g}, "
            f"where ‖A u‖‖v‖ + ‖u‖‖Aᵀ v‖ is {size:.3g}"
        )


def _ritz(operator: LinearOperator, which: str) -> float:
    """Return the extreme Ritz value of AᵀA, moved outwards by its residual."""
    columns = operator.shape[1]

    def gram(v: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(operator.rmatvec(operator.matvec(v)), dtype=np.float64).ravel()

    start = _noise(columns)
    if not gram(start).any():
        return 0.0
    product = LinearOperator((columns, columns), matvec=gram, dtype=np.float64)
    try:
        values, vectors = eigsh(product, 1, which=which, v0=start, tol=TOLERANCE, maxiter=RESTARTS)
    except (ArpackNoConvergence, ArpackError) as error:
        if which == "SA":
            return 0.0
        raise IncompatibleProblem(
            f"SensingLoss cannot find the largest eigenvalue of AᵀA ({error}): give bounds of the eigenvalues"
        ) from error
    value, vector = float(values[0]), vectors[:, 0]
    residual = float(np.linalg.norm(gram(vector) - value * vector))
    return value + residual if which == "LA" else value - residual


def _noise(length: int) -> NDArray[np.float64]:
    return np.random.default_rng(SEED).standard_normal(length)


def _accuracy(operator: LinearOperator) -> float:
    """Return half of the digits of the operator's dtype; integers compute in float64."""
    dtype = np.dtype(operator.dtype)
    return math.sqrt(np.finfo(dtype if dtype.kind == "f" else np.float64).eps)
