"""Half the squared residual of linear measurements."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import aslinearoperator

from bgsub.errors import IncompatibleProblem, InputError
from bgsub.solver.arrays import real_numbers
from bgsub.solver.checks import matrix_shape
from bgsub.solver.losses.extremes import check_adjoint, check_bounds, extreme_eigenvalues
from bgsub.solver.sets.radius import nonnegative_parameter

SINGULAR = 1e-10
"""AᵀA counts as singular if α is at most this times β."""


class SensingLoss:
    """``g(Z) = ½‖A vec(Z) − b‖² + ½ridge·‖Z‖²_F``, with vec in C order (row by row) and b the data.

    β and α are the extreme eigenvalues of ``AᵀA + ridge·I``, found once, at construction, from products with A and Aᵀ.
    Both are moved to the safe side, β up and α down: by the residual norm of the Ritz vector (within which there is an
    eigenvalue) plus 0.1 %. That is no proof: an extreme eigenvalue whose eigenvector is almost orthogonal to the
    pseudo-random start can be missed. Too large an α invalidates the bounds of step rules; it affects the certificate
    only where a term is a cone (``NonNegative``).

    Parameters
    ----------
    operator
        A, ``(q, n·p)``: a :class:`scipy.sparse.linalg.LinearOperator` with ``matvec`` and ``rmatvec``, or a real array
        or sparse matrix.
    shape
        ``(n, p)``, the shape of Z.
    ridge
        At least 0. A positive ridge makes a semidefinite AᵀA definite (any A with q < n·p needs one) and shrinks Z
        towards zero: if (X*, Y*) with Z* = X* + Y* solves the problem without it, then f without the ridge exceeds its
        minimum at the solution by at most ``½ridge·‖Z*‖²``.
    bounds
        Lower and upper bound on the eigenvalues of AᵀA, if known: no Lanczos run is made. They are checked with one
        random product.

    Raises
    ------
    InputError
        Inconsistent shapes, a complex operator, products that are not finite or are beyond 1e70 or below 1e-70, an
        ``rmatvec`` that is not the adjoint of ``matvec``, or bounds contradicted by a product.
    IncompatibleProblem
        No ``rmatvec``; ``α ≤ 1e-10·β``, also if α cannot be found: AᵀA must be positive definite, or have a ridge; or
        β cannot be found.
    OptionError
        *shape*, *ridge* or *bounds* is out of range.

    Notes
    -----
    Construction: a dense SVD up to n·p = 256, otherwise two Lanczos runs (one if q < n·p) with 20 vectors of length
    n·p; each makes 50 to 500 products with AᵀA if it converges, and stops after some 1,000 if not. Every method makes
    one product with A, the gradient also one with Aᵀ.
    """

    __slots__ = ("alpha", "beta", "operator", "ridge", "size")

    def __init__(
        self,
        operator: Any,
        shape: tuple[int, int],
        ridge: float = 0.0,
        bounds: tuple[float, float] | None = None,
    ) -> None:
        self.size = matrix_shape(shape, "shape of SensingLoss")
        self.ridge = nonnegative_parameter(ridge, "ridge", "SensingLoss")
        self.operator = _operator(operator, self.size)
        check_adjoint(self.operator)
        if bounds is None:
            low, high = extreme_eigenvalues(self.operator)
        else:
            low, high = check_bounds(self.operator, bounds)
        self.alpha: float = low + self.ridge
        self.beta: float = high + self.ridge
        if not self.alpha > SINGULAR * self.beta:
            raise IncompatibleProblem(
                f"SensingLoss needs AᵀA to be positive definite, but of this operator of shape {self.operator.shape} "
                f"it has eigenvalues up to {high:.3g}, and none above {low:.3g} was found to be the smallest: "
                f"add a ridge, for example ridge={1e-3 * high or 1.0:.2g}, or more measurements, or give bounds"
            )

    @property
    def quadratic(self) -> bool:
        """True: the curvature is exact."""
        return True

    @property
    def on_matrices(self) -> bool:
        """False: the data are a vector."""
        return False

    def check(self, matrix: NDArray[Any]) -> None:
        """Raise :class:`bgsub.errors.InputError` unless *matrix* is b, ``(q,)`` finite real numbers."""
        q = self.operator.shape[0]
        if matrix.shape != (q,):
            raise InputError(f"the measurements must have shape ({q},), but have {matrix.shape}")
        if matrix.dtype.kind not in "buif" or not np.isfinite(matrix).all():
            raise InputError("the measurements must be finite real numbers")

    def shape(self, matrix: NDArray[Any]) -> tuple[int, int]:
        """Return the shape of Z, which does not depend on the data."""
        return self.size

    def value(self, matrix: NDArray[Any], z: NDArray[Any]) -> float:
        """Return g(Z), summed in float64."""
        return self._square(self._residual(matrix, z), z) / 2

    def gradient(self, matrix: NDArray[Any], z: NDArray[Any]) -> NDArray[Any]:
        """Return ``Aᵀ(A vec(Z) − b) + ridge·Z``, ``(n, p)`` in the dtype of *z*."""
        out = np.asarray(self.operator.rmatvec(self._residual(matrix, z))).reshape(self.size)
        if self.ridge > 0:
            out = out + self.ridge * z
        result: NDArray[Any] = out.astype(z.dtype)
        return result

    def curvature(self, direction: NDArray[Any]) -> float:
        """Return ``‖A vec(D)‖² + ridge·‖D‖²_F``."""
        return self._square(self.operator.matvec(direction.ravel()), direction)

    def _residual(self, matrix: NDArray[Any], z: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(self.operator.matvec(z.ravel()) - matrix)

    def _square(self, measured: NDArray[Any], z: NDArray[Any]) -> float:
        wide = measured.astype(np.float64)
        square = float(wide @ wide)
        if self.ridge > 0:
            flat = z.ravel().astype(np.float64)
            square += self.ridge * float(flat @ flat)
        return square


def _operator(operator: Any, size: tuple[int, int]) -> Any:
    try:
        linear = aslinearoperator(
            real_numbers(operator, "operator") if isinstance(operator, list) else operator
        )
    except (TypeError, ValueError):
        raise InputError(
            f"operator must be a LinearOperator or a matrix, but is {type(operator).__name__}"
        ) from None
    if linear.shape[0] == 0:
        raise InputError(f"the operator has no rows: its shape is {linear.shape}")
    if linear.shape[1] != size[0] * size[1]:
        raise InputError(
            f"the operator takes vectors of length {linear.shape[1]}, "
            f"but Z of shape {size} makes one of length {size[0] * size[1]}"
        )
    if np.dtype(linear.dtype).kind not in "buif":
        raise InputError(f"the operator must be real, but its dtype is {linear.dtype}")
    return linear
