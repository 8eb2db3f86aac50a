"""Rules for γ, the share of the step's end in the convex combination that closes an iteration."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bgsub.errors import OptionError
from bgsub.solver.checks import require_kind, true_or_false, whole_number
from bgsub.solver.rules.rule import Trial
from bgsub.solver.sets.radius import positive_parameter


@dataclass(frozen=True, slots=True)
class FollowWeight:
    """``γ = η``: Algorithm 1 as it is stated and proven. The objective may rise in single iterations."""

    def step(self, trial: Trial) -> float:
        """Return η."""
        require_kind(trial, Trial, "trial of FollowWeight", "a Trial")
        return trial.weight


@dataclass(frozen=True, slots=True)
class ExactLineSearch:
    """``γ = clip(−slope/curvature, 0, 1)``: the minimiser of the quadratic model of f over [0, 1].

    For a quadratic loss and two sets the model is f itself. With penalties or another loss it lies above f and touches
    it at γ = 0: the objective never increases, but a smaller one may lie elsewhere on the segment. Evaluates nothing.
    """

    def step(self, trial: Trial) -> float:
        """Return γ: 0 where the slope is not negative, 1 where f falls along a direction without curvature."""
        return _model_step(trial)


@dataclass(frozen=True, slots=True)
class Backtracking:
    """The first γ of a falling sequence with ``f(γ) ≤ f(0) + armijo·γ·slope``, by evaluation of f itself.

    For losses that are not quadratic. The sequence starts at ``clip(−slope/curvature, 0, 1)``, where the model promises
    the inequality, so that one evaluation is the rule and the search a guard against a wrong β. With *full* it starts
    at 1, for longer steps where the curvature along the way is far below β; such a step must lower f by as much as the
    model promises of its own step, which the theorems ask for, and the model's step is among the trials. If no trial
    satisfies its inequality, the best one that lowers f is taken, and 0 if there is none: f never rises.

    Attributes
    ----------
    shrink
        Factor from one trial to the next, in (0, 1).
    armijo
        Share of the linear decrease that is asked for, in (0, ½); at ½ and above, exact minimisers of a parabola fail.
    evaluations
        Most evaluations of f in one step, at least 1; each is a pass over the data.
    full
        Whether to start at γ = 1; a few evaluations more.

    Raises
    ------
    OptionError
        A value out of its range.
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
        """Return γ; 0 without an evaluation where the slope is not negative."""
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
    """Return the minimiser over [0, 1] of ``γ·slope + ½γ²·curvature``, 0 if that is no descent (or NaN)."""
    require_kind(trial, Trial, "trial of a combination rule", "a Trial")
    if not trial.slope < 0 or math.isnan(trial.curvature):
        return 0.0
    # Without curvature: D = 0, and only the penalties fall.
    return 1.0 if trial.curvature <= -trial.slope else -trial.slope / trial.curvature
