"""What the solver asks of a loss."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray


@runtime_checkable
class Loss(Protocol):
    """A function g of ``Z = X + Y``, β-smooth and α-strongly convex with respect to the Frobenius norm, and g ≥ 0.

    Any object with these members is a loss. The data are passed in, so that one loss may serve many data. Z and D are
    ``(n, p)`` arrays of float32 or float64, in either memory order; none of the methods writes to what it is given.
    ``isinstance(thing, Loss)`` looks at the names only.
    """

    @property
    def alpha(self) -> float:
        """α, a modulus of strong convexity, ``0 < α``. Any lower bound is valid; a small one makes theorems slow."""
        ...

    @property
    def beta(self) -> float:
        """β, a Lipschitz constant of the gradient, ``α ≤ β < ∞``. Any upper bound is valid; a large one is slow."""
        ...

    @property
    def quadratic(self) -> bool:
        """Whether g is quadratic in Z: then :meth:`curvature` is exact, and so is the line search."""
        ...

    @property
    def on_matrices(self) -> bool:
        """Whether the data are a matrix of the shape of Z, which an offset may be subtracted from; else a vector."""
        ...

    def check(self, matrix: NDArray[Any]) -> None:
        """Raise :class:`bgsub.errors.InputError` if *matrix* cannot be the data."""
        ...

    def shape(self, matrix: NDArray[Any]) -> tuple[int, int]:
        """Return ``(n, p)``, the shape of Z for these data."""
        ...

    def value(self, matrix: NDArray[Any], z: NDArray[Any]) -> float:
        """Return g(Z), summed in float64."""
        ...

    def gradient(self, matrix: NDArray[Any], z: NDArray[Any]) -> NDArray[Any]:
        """Return ∇g(Z), a new ``(n, p)`` array of the dtype of *z*."""
        ...

    def curvature(self, direction: NDArray[Any]) -> float:
        """Return ``⟨D, ∇²g D⟩`` if g is quadratic, else ``β‖D‖²_F``; in float64."""
        ...
