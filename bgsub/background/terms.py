"""What the two terms of the problem have in common: parameters, each with its reason in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bgsub.choices import PARAMETERS
from bgsub.options import Options, flag

FLOORED = "; 1 at least, since a ball needs a radius"
"""In a scene without any change one grey level is as good as nothing."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The term of one part.

    Attributes
    ----------
    term
        A set or a penalty of :mod:`bgsub.solver`.
    values
        Its parameters, by the names of their options.
    reasons
        One line for each parameter.
    radius
        Radius of a ball, in its own norm; None for a penalty, which has none.
    """

    term: Any
    values: dict[str, float]
    reasons: tuple[str, ...]
    radius: float | None = None


def unused(options: Options) -> tuple[str, ...]:
    """Return a line for each parameter that was given and belongs to another term than the chosen one."""
    lines = []
    for name, (part, terms) in PARAMETERS.items():
        value, term = getattr(options, name), getattr(options, part)
        if value is not None and term not in terms:
            lines.append(
                f"{flag(name)} {value:.6g} is not used: {flag(part)} is {term}, and it belongs to {_either(terms)}"
            )
    return tuple(lines)


def _either(terms: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(terms[:-1]), terms[-1])))
