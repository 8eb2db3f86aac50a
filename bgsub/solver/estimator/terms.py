"""From the parameters of an estimator to its two terms, with the reason for every number."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bgsub.errors import OptionError, nearest
from bgsub.solver.checks import number, shown
from bgsub.solver.estimator.data import Observations
from bgsub.solver.estimator.estimate import Estimate, first_estimate
from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.penalties.group import GroupPenalty
from bgsub.solver.penalties.l1 import L1Penalty
from bgsub.solver.problem import Term
from bgsub.solver.sets.group_ball import GroupBall
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.lp_ball import LpBall
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
from bgsub.solver.sets.points import largest_modulus
from bgsub.solver.sets.radius import nonnegative_parameter, positive_parameter

OWNER = "RobustPCA"

GROUPS = ("rows", "columns")

SPARSE = ("l1", "lp", *GROUPS, "elastic-net")

MARGIN = 1.1
"""Weight of the group penalty relative to the norm of a group of pure noise, which must not count as a gross error."""

NOTHING = 1e-12
"""Radius for a part found to be zero, relative to the data's largest magnitude: a radius must be positive."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The parameters of :class:`bgsub.solver.RobustPCA` that determine the terms.

    Raises
    ------
    OptionError
        A value is out of range, or belongs to a kind of term other than the one requested.
    """

    low_rank: str | Term
    sparse: str | Term
    tau: float | None
    sparsity: float | None
    delta: float
    lambda1: float | None
    lambda2: float | None

    def __post_init__(self) -> None:
        _check_kind("low_rank", self.low_rank, ("nuclear",))
        _check_kind("sparse", self.sparse, SPARSE)
        for name in ("tau", "sparsity", "lambda2"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, positive_parameter(value, name, OWNER))
        if self.lambda1 is not None:
            object.__setattr__(self, "lambda1", nonnegative_parameter(self.lambda1, "lambda1", OWNER))
        delta = number(self.delta, f"delta of {OWNER}", above=0, most=1)
        object.__setattr__(self, "delta", delta)
        if 1 + delta == 1:
            raise OptionError(
                f"delta of {OWNER} must be above 1e-16, for p = 1 + delta is 1 at {delta!r}: use sparse='l1' for that"
            )
        self._check_belonging("tau", self.low_rank == "nuclear", "low_rank='nuclear'")
        self._check_belonging("sparsity", self.sparse in SPARSE[:4], "sparse='l1', 'lp', 'rows' or 'columns'")
        self._check_belonging("lambda1", self.sparse == "elastic-net", "sparse='elastic-net'")
        self._check_belonging("lambda2", self.sparse == "elastic-net", "sparse='elastic-net'")

    @property
    def open(self) -> bool:
        """True if a number is to be chosen from the data."""
        asked = [self.tau] if self.low_rank == "nuclear" else []
        if self.sparse == "elastic-net":
            asked += [self.lambda1, self.lambda2]
        elif isinstance(self.sparse, str):
            asked += [self.sparsity]
        return None in asked

    def _check_belonging(self, name: str, belongs: bool, home: str) -> None:
        if getattr(self, name) is not None and not belongs:
            raise OptionError(f"{name} of {OWNER} has a meaning only with {home}: leave it None")


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The two terms, the first estimate if one was needed, and the reasons for the numbers."""

    low_rank: Term
    sparse: Term
    estimate: Estimate | None = None
    reasons: list[str] = field(default_factory=list)


def chosen_terms(data: Observations, wishes: Wishes) -> Chosen:
    """Return the requested terms; numbers left open come from a first estimate.

    By Lagrangian duality, a solution of the first estimate's problem also minimises g(X + Y) over the balls with its
    own norms as radii, and those are the radii used.
    """
    reasons: list[str] = []
    estimate = _estimated(data, wishes, reasons) if wishes.open else None
    low_rank, sparse = _low_rank(wishes, estimate, reasons), _sparse(wishes, estimate, reasons)
    return Chosen(low_rank, sparse, estimate, reasons)


def _estimated(data: Observations, wishes: Wishes, reasons: list[str]) -> Estimate:
    penalty, balance, formula = _balanced(data, wishes.sparse)
    estimate = first_estimate(data, penalty, balance)
    reasons.append(
        f"first estimate: stable principal component pursuit with λ = {formula} = {balance:.4g} and μ = "
        f"{estimate.weight:.4g}, the spectral norm of noise of standard deviation {estimate.noise:.3g} being "
        f"{estimate.asked:.3g}; the low-rank part has rank {estimate.result.rank} there"
    )
    return estimate


def _balanced(data: Observations, sparse: str | Term) -> tuple[Callable[[float], Term], float, str]:
    """Return the penalty of Y, its weight relative to that of X, and the formula for this weight."""
    n, p = data.matrix.shape
    if sparse in GROUPS:
        size = p if sparse == "rows" else n
        balance = MARGIN * math.sqrt(size) / (math.sqrt(n) + math.sqrt(p))
        formula = f"{MARGIN}·√{size}/(√{n} + √{p})"
        return lambda weight: GroupPenalty(weight, str(sparse)), balance, formula
    seen = data.density * max(n, p)
    return L1Penalty, 1 / math.sqrt(seen), f"1/√{max(n, p) if data.observed is None else round(seen)}"


def _low_rank(wishes: Wishes, estimate: Estimate | None, reasons: list[str]) -> Term:
    if not isinstance(wishes.low_rank, str):
        reasons.append(f"low-rank term as given: {wishes.low_rank}")
        return wishes.low_rank
    if wishes.tau is not None or estimate is None:
        reasons.append(f"tau = {wishes.tau:.6g} as given")
        return NuclearNormBall(wishes.tau)  # type: ignore[arg-type] # without a value there is an estimate
    tau = _radius(estimate.result.low_rank.nuclear_norm(), estimate)
    reasons.append(f"tau = {tau:.6g}: nuclear norm of the low-rank part of the first estimate")
    return NuclearNormBall(tau)


def _sparse(wishes: Wishes, estimate: Estimate | None, reasons: list[str]) -> Term:
    if not isinstance(wishes.sparse, str):
        reasons.append(f"sparse term as given: {wishes.sparse}")
        return wishes.sparse
    if wishes.sparse == "elastic-net":
        return _elastic_net(wishes, estimate, reasons)
    if wishes.sparsity is not None or estimate is None:
        reasons.append(f"sparsity = {wishes.sparsity:.6g} as given")
        return _ball(wishes, wishes.sparsity)
    radius = _radius(_ball(wishes, 1.0).value(estimate.result.sparse), estimate)
    kind = {"l1": "ℓ1 norm", "lp": f"ℓp norm, p = {1 + wishes.delta:g},"}.get(
        wishes.sparse, f"sum of the norms of the {wishes.sparse}"
    )
    reasons.append(f"sparsity = {radius:.6g}: {kind} of the sparse part of the first estimate")
    return _ball(wishes, radius)


def _ball(wishes: Wishes, radius: Any) -> Term:
    if wishes.sparse == "l1":
        return L1Ball(radius)
    if wishes.sparse == "lp":
        return LpBall(radius, 1 + wishes.delta)
    return GroupBall(radius, str(wishes.sparse))


def _elastic_net(wishes: Wishes, estimate: Estimate | None, reasons: list[str]) -> Term:
    lambda1, lambda2 = wishes.lambda1, wishes.lambda2
    if lambda1 is None and estimate is not None:
        lambda1 = estimate.weight * _balanced(estimate.data, "l1")[1]
        reasons.append(f"lambda1 = {lambda1:.4g}: the threshold of gross errors in the first estimate, μλ")
    if lambda2 is None and estimate is not None:
        largest = largest_modulus(estimate.result.sparse) or largest_modulus(estimate.data.matrix) or 1.0
        lambda2 = (lambda1 or largest) / (2 * largest)
        reasons.append(
            f"lambda2 = {lambda2:.4g}: at the largest gross error, {largest:.4g}, the pull on the low-rank part is "
            "twice what lambda1 alone gives it"
        )
    return ElasticNet(lambda1, lambda2)  # type: ignore[arg-type] # without a value there is an estimate


def _radius(value: float, estimate: Estimate) -> float:
    """Return *value*, or a negligible radius if it is zero."""
    return value if value > 0 else NOTHING * (largest_modulus(estimate.data.matrix) or 1.0)


def _check_kind(name: str, value: object, known: tuple[str, ...]) -> None:
    if value in known if isinstance(value, str) else isinstance(value, Term) and not isinstance(value, type):
        return
    guess = nearest(value, known) if isinstance(value, str) else ""
    names = ", ".join(repr(kind) for kind in known)
    raise OptionError(
        f"{name} of {OWNER} must be {names} or a term such as L1Ball(3.0), but is {shown(value)}{guess}"
    )
