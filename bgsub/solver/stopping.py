"""When to stop, and how a run is said to have ended."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

from bgsub.errors import OptionError


class Status(enum.StrEnum):
    """Why a run ended.

    ``converged``: the *certified* gap is within the tolerance. ``flat``: the objective has stopped decreasing, but the
    gap is not proven small. ``max_iterations``, ``time_limit``: a limit was reached. ``stopped``: the callback asked.
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
        Most iterations; 0 only evaluates the start.
    gap_tolerance
        Converged when the certified gap is at most this times f₀, the objective at X′ = 0, Y = 0.
    change_tolerance
        Flat when the objective changes by at most this, relatively, in one iteration, or with momentum in each of three
        in a row. Negative: never.
    seconds
        Most seconds, counted from the call; looked at between iterations. None: no limit.

    Raises
    ------
    OptionError
        A value out of range; the message names it.
    """

    max_iterations: int = 200
    gap_tolerance: float = 1e-4
    change_tolerance: float = 1e-6
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.max_iterations, int) or self.max_iterations < 0:
            raise OptionError(
                f"max_iterations must be a whole number of at least 0, but is {self.max_iterations!r}"
            )
        if not self.gap_tolerance >= 0:
            raise OptionError(f"gap_tolerance must be at least 0, but is {self.gap_tolerance!r}")
        if math.isnan(self.change_tolerance):
            raise OptionError("change_tolerance must be a number, but is nan")
        if self.seconds is not None and not self.seconds >= 0:
            raise OptionError(f"seconds must be at least 0, but is {self.seconds!r}")
