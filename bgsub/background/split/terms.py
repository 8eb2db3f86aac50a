"""What the two terms of the problem have in common: parameters, each with its reason in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
