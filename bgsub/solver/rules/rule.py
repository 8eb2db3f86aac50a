"""How far to go: what a step rule may look at, and what it answers.

Algorithm 1 has two weights. The *weight rule* gives η_t, which scales the proximal term ``½η_tβ‖V + W − X − Y‖²`` and
is fixed before the run from the constants of the problem. The *combination rule* gives γ_t, the share of the end (V, W)
in ``(X, Y) ← (1 − γ)(X, Y) + γ(V, W)``, and may look at the objective along the way. The theorems are proven for γ = η.
They hold as well for every γ at which f is at most f(η), or at most the quadratic upper model of f at η, since each of
them follows from one such inequality per iteration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bgsub.errors import OptionError
from bgsub.solver.checks import number, true_or_false

Weights = Callable[[int], float]
"""η_t in (0, 1] for t = 1, 2, and so on."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The constants of a problem ``min g(X + Y) + R_X(X) + R_Y(Y)`` that the theorems speak of.

    *Block* is the one of X and Y that takes the conditional-gradient step; all norms are Frobenius.

    Attributes
    ----------
    alpha, beta
        Modulus of strong convexity of g and Lipschitz constant of its gradient, ``0 < α ≤ β < ∞``.
    diameter
        D, the largest distance of two members of the block's set; ``math.inf`` for a penalty or an unbounded set.
    set_convexity
        γ, the modulus of strong convexity of the block's set; 0 if it has none.
    convexity
        δ, the modulus of strong convexity of the block's penalty; 0 if it has none.
    gap
        C, an upper bound of ``f(X₁, Y₁) − f*``. The conditional-gradient gap at the start is one (the remark after
        Theorem 1), ``f(X₁, Y₁)`` itself is another wherever f ≥ 0. Rounding may bring a gap below zero: it counts as 0.
    other_is_set
        Whether the other block is bound by a set, not by a penalty. Only :class:`StrongSetRule` needs that.

    Raises
    ------
    OptionError
        A constant outside of its range, or NaN.
    """

    alpha: float
    beta: float
    diameter: float
    set_convexity: float
    convexity: float
    gap: float
    other_is_set: bool = True

    def __post_init__(self) -> None:
        alpha, beta = (number(getattr(self, name), f"{name} of a Setting") for name in ("alpha", "beta"))
        if not 0 < alpha <= beta:
            raise OptionError(f"a loss must have 0 < alpha ≤ beta < ∞, but has {alpha!r} and {beta!r}")
        values: dict[str, object] = {"alpha": alpha, "beta": beta}
        for name in ("diameter", "set_convexity", "convexity"):
            values[name] = number(getattr(self, name), f"{name} of a Setting", least=0, finite=False)
        values["gap"] = max(number(self.gap, "gap of a Setting", finite=False), 0.0)
        values["other_is_set"] = true_or_false(self.other_is_set, "other_is_set of a Setting")
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def half_ratio(self) -> float:
        """The largest η for which the loss term of every theorem has the right sign: ``α/(2β)``."""
        return self.alpha / (2 * self.beta)


@dataclass(frozen=True, slots=True)
class Trial:
    """One step from Q = (X, Y) towards its end (V, W), with ``D = V + W − X − Y``.

    Attributes
    ----------
    slope
        ``⟨D, ∇g⟩ + R(end) − R(start)``, R being both penalties together: an upper bound of the slope of f at γ = 0.
    curvature
        ``⟨D, ∇²g D⟩`` of a quadratic loss, an upper bound of it (``β‖D‖²``) of another one. Then
        ``f(γ) ≤ value + γ·slope + ½γ²·curvature`` for γ in [0, 1].
    weight
        η_t.
    value
        f at γ = 0.
    beta
        β of the loss.
    along
        ``γ ↦ f((1 − γ)Q + γ·end)``. A call costs at least one pass over the data.
    """

    slope: float
    curvature: float
    weight: float
    value: float
    beta: float
    along: Callable[[float], float]


@runtime_checkable
class WeightRule(Protocol):
    """A rule for η."""

    def prepare(self, setting: Setting) -> Weights:
        """Return η_t as a function of t, counted from 1.

        Raises
        ------
        IncompatibleProblem
            A constant that the rule needs is missing; the message names it and the rules that fit.
        """
        ...


@runtime_checkable
class BoundedRule(WeightRule, Protocol):
    """A rule for η that comes with a theorem."""

    def bound(self, setting: Setting, iteration: int) -> float:
        """Return an upper bound of ``f(X_t, Y_t) − f*``, t = *iteration* counted from 1 (the start)."""
        ...


@runtime_checkable
class CombinationRule(Protocol):
    """A rule for γ."""

    def step(self, trial: Trial) -> float:
        """Return γ in [0, 1]."""
        ...
