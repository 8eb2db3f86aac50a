"""The values of a stored background model that are no arrays: of what kind each must be, before it is used."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bgsub.errors import InputError
from bgsub.options.choices import LOW_RANK, METHODS, SHADOWS, SPARSE, STABILISE
from bgsub.solver.stopping import Status

LONGEST = 40
"""Characters of a wrong value that are shown."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value must be.

    Attributes
    ----------
    words
        In words.
    holds
        Whether a value is that.
    needed
        Whether files without it are refused.
    """

    words: str
    holds: Callable[[Any], bool]
    needed: bool = True

    def or_none(self, needed: bool = True) -> Kind:
        """Return the kind that takes None, too."""
        return Kind(f"{self.words} or null", lambda value: value is None or self.holds(value), needed)

    def optional(self) -> Kind:
        """Return the same for a value that files of earlier versions do not hold."""
        return Kind(self.words, self.holds, needed=False)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_area(value: Any) -> bool:
    """Tell whether it is a list of texts, or the four numbers of a rectangle, as earlier versions wrote it."""
    if not isinstance(value, list):
        return False
    return all(isinstance(each, str) for each in value) or (len(value) == 4 and all(map(_is_whole, value)))


def _one_of(words: tuple[str, ...]) -> Kind:
    return Kind(f"one of {', '.join(words)}", lambda value: isinstance(value, str) and value in words)


NUMBER = Kind("a number", _is_number)
POSITIVE = Kind("a number above 0", lambda value: _is_number(value) and value > 0)
NOT_NEGATIVE = Kind("a number, at least 0", lambda value: _is_number(value) and value >= 0)
COUNT = Kind("a whole number, at least 0", lambda value: _is_whole(value) and value >= 0)
SIDE = Kind("a whole number, at least 1", lambda value: _is_whole(value) and value >= 1)
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
AREA = Kind("a list of areas", _is_area).or_none(needed=False)
TEXTS = Kind(
    "a list of texts", lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value)
)
TABLE = Kind("a table", lambda value: isinstance(value, dict))

MODEL = {
    "grid": TABLE,
    "outlier": POSITIVE,
    "level": POSITIVE,
    "stabilise": _one_of(tuple(name for name in STABILISE if name != "auto")),
    "threshold": POSITIVE.or_none(),
    "sensitivity": POSITIVE,
    "shadows": _one_of(SHADOWS),
    "min_area": COUNT.or_none(),
    "seed": COUNT,
    "report": TABLE,
}
GRID = {"width": SIDE, "height": SIDE, "color": FLAG, "scale": POSITIVE, "roi": AREA, "exclude": AREA}
REPORT = {
    **dict.fromkeys(("first", "frames", "columns", "rank", "iterations"), COUNT),
    "method": _one_of((*(name for name in METHODS if name != "auto"), "sampled")),
    **dict.fromkeys(("noise", "objective", "initial_objective", "seconds"), NOT_NEGATIVE),
    "outlier": POSITIVE,
    "gap": NUMBER,
    "status": _one_of(tuple(status.value for status in Status)),
    "reasons": TEXTS,
    "low_rank": _one_of(LOW_RANK).optional(),
    "sparse": _one_of(SPARSE).optional(),
    "confidence": NOT_NEGATIVE.optional(),
    "given": FLAG.optional(),
    **dict.fromkeys(
        ("tau", "weight", "sparsity", "delta", "lambda1", "lambda2"), NOT_NEGATIVE.or_none(needed=False)
    ),
}


def check_values(meta: Any) -> None:
    """Check all that a model holds beside its arrays.

    Raises
    ------
    InputError
        Naming the value, what it is, and what it must be.
    KeyError
        With the name of one that is missing.
    """
    _check("meta", meta, MODEL)
    _check("grid", meta["grid"], GRID)
    if unknown := sorted(set(meta["grid"]) - set(GRID)):
        raise InputError(f"its grid holds {unknown[0]}, which this version does not know")
    _check("report", meta["report"], REPORT)


def _check(place: str, values: Mapping[str, Any], kinds: Mapping[str, Kind]) -> None:
    for name, kind in kinds.items():
        if name not in values:
            if kind.needed:
                raise KeyError(name)
            continue
        if not kind.holds(values[name]):
            shown = repr(values[name])
            shown = shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
            raise InputError(f"{name} in its {place} is {shown}, but must be {kind.words}")
