"""Cached information about the gradient at the dense engine's current point."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from bgsub.solver.kernels.dense_passes import DensePasses
from bgsub.solver.kernels.passes import Sketch
from bgsub.solver.spectra.atoms import SingularPair
from bgsub.solver.spectra.ritz import Ritz, first_basis, leading_pair, rayleigh_ritz


class Seen:
    """A gradient, or a dual point near it, and its sketch.

    Attributes
    ----------
    gradient
        ``(n, p)``.
    sketch
        Sums, peak and a power step.
    """

    def __init__(self, gradient: NDArray[Any], sketch: Sketch) -> None:
        self.gradient = gradient
        self.sketch = sketch

    @cached_property
    def ritz(self) -> Ritz:
        """Rayleigh–Ritz estimate of the leading pair from the power step."""
        return rayleigh_ritz(self.sketch)


class Outlook:
    """Lazy sketches of the gradient: at most one per point, and none at points where it is not needed.

    The directions found warm-start the sketch at the next point.
    """

    def __init__(self, passes: DensePasses, rows: int) -> None:
        self._passes = passes
        self._basis: NDArray[Any] = first_basis(rows)
        self._seen: Seen | None = None
        self._paired = False

    def forget(self) -> None:
        """Drop everything but the directions: the point has moved."""
        if self._seen is not None and not self._paired:
            self._basis = self._seen.ritz.basis
        self._seen = None
        self._paired = False

    def seen(self, z: NDArray[Any], gradient: NDArray[Any]) -> Seen:
        """Return the sketch of *gradient* at Z = *z*, cached."""
        if self._seen is None:
            self._seen = self.beside(z, gradient)
        return self._seen

    def beside(self, z: NDArray[Any], gradient: NDArray[Any]) -> Seen:
        """Return the sketch of another matrix at the same point, not cached."""
        return Seen(gradient, self._passes.look(z, gradient, self._basis))

    def pair(self, z: NDArray[Any], gradient: NDArray[Any], accuracy: float) -> SingularPair:
        """Return the leading pair of *gradient*: power steps until the relative growth of σ₁ is at most *accuracy*."""
        first = self.seen(z, gradient).ritz
        found = leading_pair(first, lambda basis: self._passes.power(gradient, basis), accuracy)
        self._basis, self._paired = found.basis, True
        return found.pair
