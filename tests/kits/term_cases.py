"""Every term (set or penalty) with members of it by construction, and its value by definition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bgsub.solver.penalties.elastic_net import ElasticNet
from bgsub.solver.penalties.group import GroupPenalty
from bgsub.solver.penalties.l1 import L1Penalty
from bgsub.solver.penalties.nuclear_norm import NuclearNormPenalty
from bgsub.solver.sets.box import Box
from bgsub.solver.sets.group_ball import GroupBall
from bgsub.solver.sets.l1_ball import L1Ball
from bgsub.solver.sets.lp_ball import LpBall
from bgsub.solver.sets.nonnegative import NonNegative
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
from bgsub.solver.sets.trace_ball import TraceBall
from bgsub.solver.spectra.atoms import Entry, LowRank

SHAPE, RADIUS, LEVEL = (6, 9), 2.5, 7.0
LOW, HIGH = np.linspace(-2, 0.5, 9), np.linspace(0.6, 3, 6)[:, None]

Sampler = Callable[[np.random.Generator], np.ndarray]


def scaled(norm: Callable[[np.ndarray], float], shape: tuple[int, int] = SHAPE) -> Sampler:
    """Return a sampler of matrices whose norm is anything up to the radius, and often equal to it."""

    def sample(rng: np.random.Generator) -> np.ndarray:
        point = rng.standard_normal(shape) * (rng.random(shape) < rng.choice([0.05, 0.3, 1]))
        point[rng.integers(shape[0]), rng.integers(shape[1])] += 1
        return point * (RADIUS * rng.choice([1, 1, 0.5, 0.01]) / norm(point))

    return sample


def semidefinite(rng: np.random.Generator) -> np.ndarray:
    factor = rng.standard_normal((7, rng.integers(1, 8)))
    point = factor @ factor.T
    return point * (RADIUS * rng.choice([1, 1, 0.3]) / np.trace(point))


def in_box(rng: np.random.Generator) -> np.ndarray:
    share = rng.choice([0, 1, rng.random()], SHAPE)
    return LOW + share * (HIGH - LOW)


def anything(rng: np.random.Generator) -> np.ndarray:
    return rng.choice([0.01, 1, 10]) * rng.standard_normal(SHAPE) * (rng.random(SHAPE) < 0.5)


def nuclear(point: np.ndarray) -> float:
    return float(np.linalg.svd(point, compute_uv=False).sum())


def lp(p: float) -> Callable[[np.ndarray], float]:
    return lambda point: float((np.abs(point) ** p).sum() ** (1 / p))


def rows(point: np.ndarray) -> float:
    return float(sum(np.sqrt((row**2).sum()) for row in point))


def columns(point: np.ndarray) -> float:
    return rows(point.T)


@dataclass(frozen=True)
class Case:
    """A term, members of it, and what it is as a function by its definition."""

    term: Any
    member: Sampler
    definition: Callable[[np.ndarray], float]
    shape: tuple[int, int] = SHAPE
    farthest: tuple[np.ndarray, np.ndarray] | None = None
    """Two members of a bounded set that are as far apart as any."""

    @property
    def is_set(self) -> bool:
        return hasattr(self.term, "project")


def entry(row: int, column: int, value: float, shape: tuple[int, int] = SHAPE) -> np.ndarray:
    point = np.zeros(shape)
    point[row, column] = value
    return point


OPPOSITE = entry(2, 3, RADIUS), entry(2, 3, -RADIUS)
"""Members of every ball of a norm in which a matrix of one entry has that entry's modulus."""
CORNERS = np.broadcast_to(LOW, SHAPE), np.broadcast_to(HIGH, SHAPE)

CASES = {
    "l1 ball": Case(L1Ball(RADIUS), scaled(lp(1)), lp(1), SHAPE, OPPOSITE),
    "nuclear-norm ball": Case(NuclearNormBall(RADIUS), scaled(nuclear), nuclear, SHAPE, OPPOSITE),
    "trace ball": Case(
        TraceBall(RADIUS),
        semidefinite,
        lambda point: float(np.trace(point)),
        (7, 7),
        (entry(0, 0, RADIUS, (7, 7)), entry(1, 1, RADIUS, (7, 7))),
    ),
    "lp ball, 1.05": Case(LpBall(RADIUS, 1.05), scaled(lp(1.05)), lp(1.05), SHAPE, OPPOSITE),
    "lp ball, 1.5": Case(LpBall(RADIUS, 1.5), scaled(lp(1.5)), lp(1.5), SHAPE, OPPOSITE),
    "lp ball, 2": Case(LpBall(RADIUS, 2), scaled(lp(2)), lp(2), SHAPE, OPPOSITE),
    "row ball": Case(GroupBall(RADIUS, "rows"), scaled(rows), rows, SHAPE, OPPOSITE),
    "column ball": Case(GroupBall(RADIUS, "columns"), scaled(columns), columns, SHAPE, OPPOSITE),
    "box": Case(Box(LOW, HIGH, SHAPE), in_box, lambda point: 0.0, SHAPE, CORNERS),
    "nonnegative": Case(NonNegative(), lambda rng: np.abs(anything(rng)), lambda point: 0.0),
    "nuclear-norm penalty": Case(NuclearNormPenalty(0.7), anything, lambda point: 0.7 * nuclear(point)),
    "l1 penalty": Case(L1Penalty(0.7), anything, lambda point: 0.7 * lp(1)(point)),
    "elastic net": Case(
        ElasticNet(0.7, 0.2), anything, lambda point: 0.7 * lp(1)(point) + 0.2 * (point**2).sum()
    ),
    "row penalty": Case(GroupPenalty(0.7, "rows"), anything, lambda point: 0.7 * rows(point)),
    "column penalty": Case(GroupPenalty(0.7, "columns"), anything, lambda point: 0.7 * columns(point)),
}
BOUNDED = [name for name, case in CASES.items() if case.is_set and name != "nonnegative"]
SPECTRAL = ["nuclear-norm ball", "trace ball", "nuclear-norm penalty"]


def dense(vertex: Any, shape: tuple[int, int]) -> np.ndarray:
    if isinstance(vertex, Entry):
        return vertex.dense(shape)
    return vertex.dense() if isinstance(vertex, LowRank) else vertex


def step(term: Any, point: Any, weight: float = 0.8) -> np.ndarray:
    return term.project(point) if hasattr(term, "project") else term.prox(point, weight)
