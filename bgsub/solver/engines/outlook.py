"""What the dense engine knows about the gradient at a point."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from bgsub.solver.kernels.dense_passes import DensePasses
from bgsub.solver.kernels.passes import Sketch
from bgsub.solver.spectra.atoms import SingularPair
from bgsub.solver.spectra.ritz import Ritz, first_basis, leading_pair, rayleigh_ritz


class Seen:
    """A gradient, or a dual point near it, and what a look at it has told.

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
        """What the power step says about the leading pair."""
        return rayleigh_ritz(self.sketch)


class Outlook:
    """Look at a gradient once per point, and only where somebody asks, as nobody does on the way through others.

    The directions that were found are where the look at the next point begins.
    """

    def __init__(self, passes: DensePasses, rows: int) -> None:
        self._passes = passes
        self._basis: NDArray[Any] = first_basis(rows)
        self._seen: Seen | None = None
        self._paired = False

    def forget(self) -> None:
        """Drop what was seen, but for the directions: the point has moved."""
        if self._seen is not None and not self._paired:
            self._basis = self._seen.ritz.basis
        self._seen = None
        self._paired = False

    def seen(self, z: NDArray[Any], gradient: NDArray[Any]) -> Seen:
        """Return what there is to know about *gradient* at Z = *z*."""
        if self._seen is None:
            self._seen = self.beside(z, gradient)
        return self._seen

    def beside(self, z: NDArray[Any], gradient: NDArray[Any]) -> Seen:
        """Return what there is to know about another matrix at the same point; nothing is kept."""
        return Seen(gradient, self._passes.look(z, gradient, self._basis))

    def pair(self, z: NDArray[Any], gradient: NDArray[Any], accuracy: float) -> SingularPair:
        """Return the leading pair of *gradient*, with power steps until one raises σ₁ by no more than *accuracy*."""
        first = self.seen(z, gradient).ritz
        found = leading_pair(first, lambda basis: self._passes.power(gradient, basis), accuracy)
        self._basis, self._paired = found.basis, True
        return found.pair
