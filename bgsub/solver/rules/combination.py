"""Rules for γ, the weight of the endpoint in the convex combination that closes an iteration."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bgsub.errors import OptionError
from bgsub.solver.checks import require_kind, true_or_false, whole_number
from bgsub.solver.rules.rule import Trial
from bgsub.solver.sets.radius import positive_parameter


@dataclass(frozen=True, slots=True)
class FollowWeight:
    """``γ = η``: Algorithm 1 as stated and proven. The objective may increase in single iterations."""

    def step(self, trial: Trial) -> float:
        """Return η."""
        require_kind(trial, Trial, "trial of FollowWeight", "a Trial")
        return trial.weight


@dataclass(frozen=True, slots=True)
class ExactLineSearch:
    """``γ = clip(−slope/curvature, 0, 1)``: exact minimisation over [0, 1] of the quadratic model of f.

    For a quadratic loss and two sets the model is f itself. With penalties or another loss it is an upper
    model, tight at γ = 0: the objective never increases, but γ need not minimise f along the segment. Needs no
    evaluation of f.
    """

    def step(self, trial: Trial) -> float:
        """Return γ: 0 unless the slope is negative, 1 along a descent direction without curvature."""
        return _model_step(trial)


@dataclass(frozen=True, slots=True)
class Backtracking:
    """Armijo backtracking on f itself: the first trial γ with ``f(γ) ≤ f(0) + armijo·γ·slope``.

    For non-quadratic losses. Trials start at the model minimiser ``clip(−slope/curvature, 0, 1)``, where the
    model guarantees the condition: one evaluation is the norm, and backtracking only guards against a wrong β.
    With *full* they start at 1, which permits longer steps where the curvature along the segment is far below
    β. A step beyond the model minimiser must also achieve the decrease that the model guarantees there, as the
    theorems require, and the model minimiser is itself among the trials (given two evaluations). If no trial
    passes, the best one that decreases f is returned, or 0 if there is none: f never increases.

    Attributes
    ----------
    shrink
        Backtracking factor, in (0, 1).
    armijo
        Armijo constant, the required share of the linear decrease, in (0, ½); from ½ on, exact minimisers of a
        parabola fail.
    evaluations
        Maximum number of evaluations of f per step, at least 1; each is a pass over the data.
    full
        If True, start at γ = 1, for a few more evaluations.

    Raises
    ------
    OptionError
        A value is out of range.
    """

    shrink: float = 0.5
    armijo: float = 1e-4
    evaluations: int = 20
    full: bool = False

    def __post_init__(self) -> None:
        for name, limit in (("shrink", 1.0), ("armijo", 0.5)):
            value = positive_parameter(getattr(self, name), name, "Backtracking")
            if value >= limit:
                raise OptionError(f"{name} of Backtracking must be below {limit:g}, but is {value!r}")
            object.__setattr__(self, name, value)
        evaluations = whole_number(self.evaluations, "evaluations of Backtracking", 1)
        object.__setattr__(self, "evaluations", evaluations)
        object.__setattr__(self, "full", true_or_false(self.full, "full of Backtracking"))

    def step(self, trial: Trial) -> float:
        """Return γ; 0, without evaluating f, unless the slope is negative."""
        model = _model_step(trial)
        if model == 0:
            return 0.0
        promise = model * trial.slope + model * model * trial.curvature / 2
        gamma = 1.0 if self.full else model
        best, lowest = 0.0, trial.value
        for left in range(self.evaluations - 1, -1, -1):
            value = trial.along(gamma)
            asked = self.armijo * gamma * trial.slope
            if value <= trial.value + (asked if gamma <= model else min(asked, promise)):
                return gamma
            if value < lowest:
                best, lowest = gamma, value
            shorter = self.shrink * gamma
            gamma = model if gamma > model and (shorter < model or left == 1) else shorter
        return best


def _model_step(trial: Trial) -> float:
    """Return the minimiser of ``γ·slope + ½γ²·curvature`` over [0, 1], or 0 if there is no descent (or NaN)."""
    require_kind(trial, Trial, "trial of a combination rule", "a Trial")
    if not trial.slope < 0 or math.isnan(trial.curvature):
        return 0.0
    # Zero curvature: D = 0, and only the penalties decrease.
    return 1.0 if trial.curvature <= -trial.slope else -trial.slope / trial.curvature
