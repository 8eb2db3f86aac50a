"""Arguments of ``solve``: type checks, and a starting point that is feasible for both sets."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError, OptionError
from bgsub.solver.arrays import largest_for
from bgsub.solver.capabilities import is_spectral
from bgsub.solver.checks import shown
from bgsub.solver.parts import Part
from bgsub.solver.problem import SplitProblem, checked_point, require_problem
from bgsub.solver.sets.points import largest_modulus
from bgsub.solver.sets.spectral import map_factors
from bgsub.solver.spectra.atoms import LowRank
from bgsub.solver.stopping import Stopping

METHOD = ("name", "asks", "anywhere", "rank", "adapts", "begin")
"""Members a method must have; see :class:`bgsub.solver.methods.method.Method`."""

ROUNDING = 1e-5
"""Relative infeasibility put down to rounding, and accepted in a part that can be neither projected nor scaled."""

BISECTIONS = 50


class Start(Protocol):
    """A starting point, such as an earlier :class:`Result`."""

    @property
    def low_rank(self) -> LowRank:
        """X; its offset is ignored."""
        ...

    @property
    def sparse(self) -> NDArray[Any]:
        """Y; copied."""
        ...


def check_kinds(problem: object, method: object, stop: object, callback: object) -> None:
    """Raise unless the arguments of ``solve`` have the right types.

    Raises
    ------
    OptionError
        Names the argument that does not.
    """
    require_problem(problem, "solve")
    if isinstance(method, type) or not all(hasattr(method, name) for name in METHOD):
        raise OptionError(
            f"solve takes a method such as alt_pgcg() or auto(problem), but was given {shown(method)}"
        )
    if stop is not None and not isinstance(stop, Stopping):
        raise OptionError(f"stop must be a Stopping, but is {shown(stop)}")
    if callback is not None and not callable(callback):
        raise OptionError(f"callback must be a function of a TraceRow, but is {shown(callback)}")


def starting_point(problem: SplitProblem, start: Start | None) -> tuple[LowRank, NDArray[Any]]:
    """Return the initial (X, Y) in the working precision: *start* if feasible, else a feasible point close to it.

    A part outside its set is projected onto it, or scaled down if the set has no projection.

    Raises
    ------
    OptionError
        *start* has no ``low_rank`` that is a :class:`LowRank`, or no ``sparse``.
    InputError
        Wrong shapes, values that are not finite or too large for the working precision, or a part outside a set
        that has no projection and does not contain zero.
    """
    if start is None:
        return problem.zero_low_rank(), np.zeros(problem.shape, problem.dtype)
    if not (hasattr(start, "low_rank") and hasattr(start, "sparse")):
        raise OptionError(f"start must have low_rank and sparse, as a Result has, but is {shown(start)}")
    given, sparse = checked_point(problem, start.low_rank, start.sparse, "start")
    low_rank = _low_rank_inside(
        problem, LowRank(given.left.astype(np.float64), given.right.astype(np.float64))
    )
    wide = np.promote_types(sparse.dtype, problem.dtype)
    sparse = _inside(problem, Part.SPARSE, sparse.astype(wide, copy=False))
    peak = max(*(largest_modulus(part) for part in (low_rank.left, low_rank.right, sparse)))
    if peak > largest_for(problem.dtype):
        raise InputError(f"start holds values up to {peak:.1e}, too large for the precision of the problem")
    left, right = low_rank.left.astype(problem.dtype), low_rank.right.astype(problem.dtype)
    return LowRank(left, right, problem.offset), sparse.astype(problem.dtype, order="C", copy=True)


def _low_rank_inside(problem: SplitProblem, point: LowRank) -> LowRank:
    """Return a feasible X in float64; for a spectral set, the projection acts on the factors themselves."""
    term: Any = problem.low_rank
    if is_spectral(term) and callable(getattr(term, "project", None)):
        if term.is_feasible(point, 0.0):
            return point
        return map_factors(point, lambda values: term.shrink_values(values, 1.0)[0], term.decomposition)
    found = _inside(problem, Part.LOW_RANK, point)
    if isinstance(found, LowRank):
        return found
    u, values, vt = np.linalg.svd(found, full_matrices=False)
    return LowRank(u * values, vt.T)


def _inside(problem: SplitProblem, part: Part, point: Any) -> Any:
    """Return *point* if it is feasible, else its projection, else its largest feasible multiple."""
    term: Any = problem.term(part)
    if term.is_feasible(point, 0.0):
        return point
    if callable(getattr(term, "project", None)):
        return term.project(point)
    if not term.is_feasible(_scaled(point, 0.0), 0.0):
        if term.is_feasible(point, ROUNDING):
            return point
        raise InputError(
            f"the {part.value} part of start lies outside of its set, and {type(term).__name__} has no projection, nor "
            "zero in it: give a start inside"
        )
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if term.is_feasible(_scaled(point, middle), 0.0) else (low, middle)
    return _scaled(point, low)


def _scaled(point: Any, factor: float) -> Any:
    return LowRank(factor * point.left, point.right) if isinstance(point, LowRank) else factor * point
