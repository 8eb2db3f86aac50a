"""Interfaces of the step-size rules.

Algorithm 1 has two weights. The *weight rule* gives η_t, which scales the proximal term ``½η_tβ‖V + W − X − Y‖²`` and
is fixed in advance from the constants of the problem. The *combination rule* gives γ_t, the weight of the endpoint
(V, W) in ``(X, Y) ← (1 − γ)(X, Y) + γ(V, W)``, and may evaluate the objective along the segment. The theorems are
proven for γ = η. They also hold for every γ at which f is at most f(η), or at most the quadratic upper model of f at
η, since each of them follows from one such inequality per iteration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bgsub.errors import OptionError
from bgsub.solver.checks import number, true_or_false

Weights = Callable[[int], float]
"""η_t in (0, 1] for t = 1, 2, …"""


@dataclass(frozen=True, slots=True)
class Setting:
    """The constants of a problem ``min g(X + Y) + R_X(X) + R_Y(Y)`` that appear in the theorems.

    *Block* is the one of X and Y that takes the conditional-gradient step; all norms are Frobenius.

    Attributes
    ----------
    alpha, beta
        Strong convexity modulus of g and Lipschitz constant of its gradient, ``0 < α ≤ β < ∞``.
    diameter
        D, the diameter of the block's set; ``math.inf`` for a penalty or an unbounded set.
    set_convexity
        γ, the strong convexity modulus of the block's set; 0 if none.
    convexity
        δ, the strong convexity modulus of the block's penalty; 0 if none.
    gap
        C, an upper bound on ``f(X₁, Y₁) − f*``. The conditional-gradient (Frank–Wolfe) gap at the start is one
        (remark after Theorem 1); ``f(X₁, Y₁)`` itself is another if f ≥ 0. A gap made negative by rounding
        counts as 0.
    other_is_set
        True if the other block is constrained to a set rather than penalised. Only :class:`StrongSetRule` needs this.

    Raises
    ------
    OptionError
        A constant is out of range or NaN.
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
        """``α/(2β)``, the largest η for which the loss term of every theorem has the right sign."""
        return self.alpha / (2 * self.beta)


@dataclass(frozen=True, slots=True)
class Trial:
    """One step from Q = (X, Y) towards its endpoint (V, W), with ``D = V + W − X − Y``.

    Attributes
    ----------
    slope
        ``⟨D, ∇g⟩ + R(end) − R(start)``, R being the sum of both penalties: an upper bound on the slope of f at γ = 0.
    curvature
        ``⟨D, ∇²g D⟩`` for a quadratic loss, otherwise its upper bound ``β‖D‖²``. Then
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
            A constant the rule needs is missing; the message names it and the rules that apply.
        """
        ...


@runtime_checkable
class BoundedRule(WeightRule, Protocol):
    """A rule for η backed by a convergence theorem."""

    def bound(self, setting: Setting, iteration: int) -> float:
        """Return an upper bound on ``f(X_t, Y_t) − f*``, t = *iteration* counted from 1 (the start)."""
        ...


@runtime_checkable
class CombinationRule(Protocol):
    """A rule for γ."""

    def step(self, trial: Trial) -> float:
        """Return γ in [0, 1]."""
        ...
