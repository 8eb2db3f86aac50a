"""Rules for η, the weight of the proximal term: that of the paper's experiments and those of its three theorems.

Garber, Kaplan and Sabach, *Improved Complexities of Conditional Gradient-Type Methods with Applications to Robust
Matrix Recovery Problems*. Throughout, ``h_t = f(X_t, Y_t) − f*`` and C ≥ h₁. The theorems rest on Proposition 1,
which holds for every η (d is the distance from the vertex to an optimal block, z that from X_t + Y_t to X* + Y*)::

    h_{t+1} ≤ (1 − η)h_t + η z²(ηβ − α/2) + η d²(ηβ − c),   c = 0, γ‖∇g‖/8 or δ/2 in Theorems 1, 2 and 3

All three therefore require η ≤ α/(2β): with an ill-conditioned loss they start slowly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from bgsub.errors import IncompatibleProblem
from bgsub.solver.checks import number, require_kind, whole_number
from bgsub.solver.rules.rule import Setting, Weights
from bgsub.solver.sets.radius import positive_parameter


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """``η_t = 2/(t + shift)``, whatever the problem.

    ``shift = 1`` is the rule of the paper's experiments. No theorem covers it while 2/(t + 1) > α/(2β), but
    with exact line search for γ the objective still never increases.

    Raises
    ------
    OptionError
        The shift is not a finite number of at least 1; a smaller one would make η exceed 1.
    """

    shift: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "shift", number(self.shift, "shift of OpenLoop", least=1))

    def prepare(self, setting: Setting) -> Weights:
        """Return η; *setting* is ignored."""
        return lambda iteration: 2.0 / (iteration + self.shift)


@dataclass(frozen=True, slots=True)
class DiameterRule:
    """Theorem 1: for a block constrained to a compact set of diameter D; ``h_t = O(βD²/t)``.

    ``η_t = α/(2β)`` for ``t ≤ t₀`` and ``2/(t − t₀ + 4β/α)`` afterwards, with ``t₀ = max(0, ⌈(2β/α)·ln(2C/(αD²))⌉)``.
    """

    def prepare(self, setting: Setting) -> Weights:
        """Return η.

        Raises
        ------
        IncompatibleProblem
            The diameter or C is infinite.
        """
        start, first = self.first_phase(setting), setting.half_ratio

        def weight(iteration: int) -> float:
            return first if iteration <= start else 2.0 / (iteration - start + 2 / first)

        return weight

    def first_phase(self, setting: Setting) -> float:
        """Return t₀, the number of iterations with constant η; ``math.inf`` for a singleton (D = 0 < C)."""
        _check_arguments(self, setting)
        if math.isinf(setting.diameter):
            raise _unfit(self, "a bounded set for the block of the conditional-gradient step", setting)
        if math.isinf(setting.gap):
            raise IncompatibleProblem(
                "DiameterRule needs a finite bound of f − f* at the start, but the gap there is infinite: "
                "give the objective at the start as the bound, or use OpenLoop()"
            )
        if setting.gap == 0 or setting.diameter == 0:
            return 0 if setting.gap == 0 else math.inf
        # Difference of logarithms, since D² may overflow or underflow where D does not.
        excess = (
            math.log(2) + math.log(setting.gap) - math.log(setting.alpha) - 2 * math.log(setting.diameter)
        )
        return max(0, math.ceil(excess / setting.half_ratio))

    def bound(self, setting: Setting, iteration: int) -> float:
        """Return ``4βD²/(t − t₀ − 1 + 4β/α)`` for t > t₀; before, the unrolled recursion with η = α/(2β)."""
        _check_arguments(self, setting, iteration)
        start, first, diameter = self.first_phase(setting), setting.half_ratio, setting.diameter
        if iteration > start:
            return 4 * setting.beta / (iteration - start - 1 + 2 / first) * diameter * diameter
        kept = (1 - first) ** (iteration - 1)
        return kept * setting.gap + (1 - kept) * first * setting.beta * diameter * diameter


@dataclass(frozen=True, slots=True)
class StrongSetRule:
    """Theorem 2: for a block constrained to a γ-strongly convex set, e.g. an ℓ_p ball, 1 < p ≤ 2; ``h_t = O(1/t²)``.

    ``η_t = 3/(t − 1 + 6β/α)``. The theorem is printed with 1 in place of 3; the lemma behind it (with
    c₂ = α/(2β)) has 3, and with 1 the recursion gives only O(1/t). The lemma leaves out iterations where h_t is
    too small for its recursion, η_t > c₁√h_t. There h may increase, but not above the bound, because a
    γ-strongly convex set has D ≤ 4/γ.
    """

    def prepare(self, setting: Setting) -> Weights:
        """Return η.

        Raises
        ------
        IncompatibleProblem
            The block's set is not strongly convex, or the other block has a penalty: then f − f* is not the
            excess of g alone, from which the proof bounds the gradient.
        """
        self._check(setting)
        shift = 3 / setting.half_ratio - 1
        return lambda iteration: 3.0 / (iteration + shift)

    def bound(self, setting: Setting, iteration: int) -> float:
        """Return ``9·max(128β²/(αγ²), 4β²/α²·C)/(t − 1 + 6β/α)²``."""
        self._check(setting)
        _check_arguments(self, setting, iteration)
        # Divide before squaring, so that nothing overflows unless the bound itself does.
        first = setting.half_ratio
        by_set = 3 * setting.beta / setting.set_convexity / (iteration - 1 + 3 / first)
        by_start = 3 / (first * (iteration - 1) + 3)
        return max(128 * by_set * by_set / setting.alpha, by_start * by_start * setting.gap)

    def _check(self, setting: Setting) -> None:
        _check_arguments(self, setting)
        if setting.set_convexity == 0:
            raise _unfit(
                self, "a strongly convex set for the block of the conditional-gradient step", setting
            )
        if not setting.other_is_set:
            raise _unfit(self, "a set, not a penalty, for the block of the proximal step", setting)


@dataclass(frozen=True, slots=True)
class StrongSetFixed:
    """Theorem 2, second part: for a γ-strongly convex set and a gradient bounded away from zero; linear convergence.

    ``η = min(α/(2β), γG/(8β))``.

    Attributes
    ----------
    gradient_bound
        G > 0 with ``‖∇g(X + Y)‖_F ≥ G`` for all X and Y in the two sets, i.e. the data lie outside the sum of
        the sets. Not checked: if G is too large, neither the bound nor descent holds.

    Raises
    ------
    OptionError
        The gradient bound is not a finite positive number.
    """

    gradient_bound: float

    def __post_init__(self) -> None:
        bound = positive_parameter(self.gradient_bound, "gradient_bound", "StrongSetFixed")
        object.__setattr__(self, "gradient_bound", bound)

    def prepare(self, setting: Setting) -> Weights:
        """Return η.

        Raises
        ------
        IncompatibleProblem
            The block's set is not strongly convex.
        """
        weight = self._weight(setting)
        return lambda iteration: weight

    def bound(self, setting: Setting, iteration: int) -> float:
        """Return ``C·exp(−η(t − 1))``."""
        _check_arguments(self, setting, iteration)
        return setting.gap * math.exp(-self._weight(setting) * (iteration - 1))

    def _weight(self, setting: Setting) -> float:
        _check_arguments(self, setting)
        if setting.set_convexity == 0:
            raise _unfit(
                self, "a strongly convex set for the block of the conditional-gradient step", setting
            )
        by_set = setting.set_convexity * self.gradient_bound / (8 * setting.beta)
        return min(setting.half_ratio, by_set)


@dataclass(frozen=True, slots=True)
class StrongPenaltyRule:
    """Theorem 3: for a block with a δ-strongly convex penalty, e.g. the elastic net (δ = 2λ₂); linear convergence.

    ``η = min(α, δ)/(2β)``.
    """

    def prepare(self, setting: Setting) -> Weights:
        """Return η.

        Raises
        ------
        IncompatibleProblem
            The block has no strongly convex penalty.
        """
        weight = self._weight(setting)
        return lambda iteration: weight

    def bound(self, setting: Setting, iteration: int) -> float:
        """Return ``C·exp(−η(t − 1))``."""
        _check_arguments(self, setting, iteration)
        return setting.gap * math.exp(-self._weight(setting) * (iteration - 1))

    def _weight(self, setting: Setting) -> float:
        _check_arguments(self, setting)
        if setting.convexity == 0:
            raise _unfit(
                self, "a strongly convex penalty for the block of the conditional-gradient step", setting
            )
        return min(setting.alpha, setting.convexity) / (2 * setting.beta)


def _check_arguments(rule: object, setting: Setting, iteration: int = 1) -> None:
    owner = type(rule).__name__
    require_kind(setting, Setting, f"setting of {owner}", "a Setting")
    whole_number(iteration, f"iteration of {owner}.bound", 1)


def _unfit(rule: object, need: str, setting: Setting) -> IncompatibleProblem:
    fitting = []
    if setting.convexity > 0:
        fitting.append("StrongPenaltyRule()")
    if setting.set_convexity > 0 and setting.other_is_set:
        fitting.append("StrongSetRule()")
    if math.isfinite(setting.diameter):
        fitting.append("DiameterRule()")
    fitting.append("OpenLoop()")
    return IncompatibleProblem(
        f"{type(rule).__name__} needs {need}, and this problem has none: use {' or '.join(fitting)}"
    )
