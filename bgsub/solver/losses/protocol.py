"""The interface of a loss."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray


@runtime_checkable
class Loss(Protocol):
    """A function g ≥ 0 of ``Z = X + Y``, β-smooth and α-strongly convex in the Frobenius norm.

    Any object with these members is a loss. The data are passed in, so that one loss can serve several data sets. Z and
    D are ``(n, p)`` arrays of float32 or float64, in either memory order; no method modifies its arguments.
    ``isinstance(thing, Loss)`` only checks the names.
    """

    @property
    def alpha(self) -> float:
        """Strong-convexity modulus α > 0. Any lower bound is valid, but a small one makes the theorems' rates slow."""
        ...

    @property
    def beta(self) -> float:
        """Lipschitz constant β of the gradient, ``α ≤ β < ∞``. Any upper bound is valid, but a large one is slow."""
        ...

    @property
    def quadratic(self) -> bool:
        """True if g is quadratic in Z: then :meth:`curvature`, and with it the line search, is exact."""
        ...

    @property
    def on_matrices(self) -> bool:
        """True if the data are a matrix of the shape of Z, from which an offset may be subtracted; else a vector."""
        ...

    def check(self, matrix: NDArray[Any]) -> None:
        """Raise :class:`bgsub.errors.InputError` if *matrix* is not valid data for this loss."""
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
