"""Stopping rule and final status of a run."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from bgsub.solver.checks import number, whole_number


class Status(enum.StrEnum):
    """Why a run ended.

    ``converged``: the *certified* gap is within the tolerance. ``flat``: the objective has stopped decreasing,
    but the gap is not proven small. ``max_iterations``, ``time_limit``: a limit was reached. ``stopped``: the
    callback ended the run.
    """

    CONVERGED = "converged"
    FLAT = "flat"
    MAX_ITERATIONS = "max_iterations"
    TIME_LIMIT = "time_limit"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Stopping:
    """The limits of a run.

    Attributes
    ----------
    max_iterations
        Maximum number of iterations; 0 only evaluates the start.
    gap_tolerance
        Converged when the certified gap is at most this times f₀, the objective at X′ = 0, Y = 0.
    change_tolerance
        Flat when the relative change of the objective is at most this in one iteration; with momentum or a warm
        start, in three in a row. Negative: never.
    seconds
        Time limit, counted from the call and checked between iterations. None: no limit.

    Raises
    ------
    OptionError
        A value is out of range or of the wrong type; the message names it.
    """

    max_iterations: int = 200
    gap_tolerance: float = 1e-4
    change_tolerance: float = 1e-6
    seconds: float | None = None

    def __post_init__(self) -> None:
        values = {
            "max_iterations": whole_number(self.max_iterations, "max_iterations"),
            "gap_tolerance": number(self.gap_tolerance, "gap_tolerance", least=0, finite=False),
            "change_tolerance": number(self.change_tolerance, "change_tolerance", finite=False),
        }
        if self.seconds is not None:
            values["seconds"] = number(self.seconds, "seconds", least=0, finite=False)
        for name, value in values.items():
            object.__setattr__(self, name, value)
