"""Extreme eigenvalues of AᵀA for a linear operator A, and an adjoint test."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, LinearOperator, eigsh

from bgsub.errors import IncompatibleProblem, InputError, OptionError
from bgsub.solver.checks import number, shown

DENSE_COLUMNS = 256
"""Up to this many columns A is formed explicitly, and its singular values come from LAPACK."""

TOLERANCE = 1e-3
"""Relative tolerance of a Lanczos run; its residual enters the result."""

RESTARTS = 100
"""Maximum number of restarts of a Lanczos run, each about 10 products with AᵀA."""

MARGIN = 1e-3
"""Relative safety margin added to an estimate, beyond its residual."""

LARGEST = 1e70
"""If products with A have values beyond this, or below its inverse, those with AᵀA could over- or underflow."""

SEED = 20
"""Seed of every pseudo-random vector here, so that the same operator always gets the same constants."""


def extreme_eigenvalues(operator: LinearOperator) -> tuple[float, float]:
    """Return estimates of the smallest eigenvalue of AᵀA, from below but at least 0, and of the largest, from above.

    The smallest is taken as 0 if there are fewer rows than columns, or if Lanczos does not converge.
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
    """Return *bounds* on the eigenvalues of AᵀA as floats, after testing them with a random product.

    Raises
    ------
    OptionError
        They are not two finite numbers with ``0 ≤ low ≤ high``.
    InputError
        ``‖A u‖²/‖u‖²`` for a pseudo-random u lies outside them.
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
    """Raise unless ``⟨A u, v⟩ = ⟨u, Aᵀ v⟩`` for pseudo-random u and v, to half the digits of the dtype.

    Raises
    ------
    InputError
        The two differ, or the products are not finite or their largest value is above 1e70 or below 1e-70.
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
    """Return the tolerance for half the digits of the operator's dtype; integer operators compute in float64."""
    dtype = np.dtype(operator.dtype)
    return math.sqrt(np.finfo(dtype if dtype.kind == "f" else np.float64).eps)
