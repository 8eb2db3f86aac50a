"""How far to go: the weight η of the proximal term and the weight γ of the convex combination."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bgsub.errors import OptionError


class ProximalWeight(Protocol):
    """The sequence η_t in (0, 1], t = 1, 2 and so on."""

    def weight(self, iteration: int) -> float:
        """Return η_t."""
        ...


class Combination(Protocol):
    """The weight of the new point in the convex combination that ends an iteration."""

    def step(self, slope: float, square: float, weight: float) -> float:
        """Return γ in [0, 1] from ``slope = ⟨D, ∇⟩``, ``square = ‖D‖²_F`` and ``weight = η_t``."""
        ...


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """``η_t = 2/(t + shift)``, fixed in advance.

    ``shift = 1`` is the rule of the paper's experiments; ``shift = 4β/α`` is that of its Theorem 1 once t₀ = 0. As a
    combination it takes γ = η.

    Raises
    ------
    OptionError
        A shift below 1, which would make η larger than 1.
    """

    shift: float = 1.0

    def __post_init__(self) -> None:
        if not self.shift >= 1:
            raise OptionError(f"shift of OpenLoop must be at least 1, but is {self.shift!r}")

    def weight(self, iteration: int) -> float:
        """Return η_t for t = *iteration*, counted from 1."""
        return 2.0 / (iteration + self.shift)

    def step(self, slope: float, square: float, weight: float) -> float:
        """Return η."""
        return weight


@dataclass(frozen=True, slots=True)
class ExactLineSearch:
    """``γ = clip(−⟨D, ∇⟩/‖D‖²_F, 0, 1)``: the exact minimiser of ½‖Z + γD − M‖²_F over [0, 1]; 0 for D = 0."""

    def step(self, slope: float, square: float, weight: float) -> float:
        """Return γ."""
        if slope >= 0 or square <= 0:
            return 0.0
        return min(-slope / square, 1.0)
