"""A method says what it needs of a set; a set that lacks it is named before the first iteration."""

from __future__ import annotations

from collections.abc import Iterable

from bgsub.errors import IncompatibleProblem


def require(part: object, needed: Iterable[str], role: str, method: str) -> None:
    """Raise unless *part* has every one of the *needed* methods.

    Parameters
    ----------
    part
        The set (or penalty, or loss).
    needed
        Names of capabilities, such as ``"lmo"`` or ``"project"``.
    role
        What the part does in the problem: ``"low-rank"`` or ``"sparse"``.
    method
        The method that asks.

    Raises
    ------
    IncompatibleProblem
        Naming the first capability that is missing.
    """
    for name in needed:
        if not callable(getattr(part, name, None)):
            kind = type(part).__name__
            raise IncompatibleProblem(
                f"{method} needs the capability '{name}' of the {role} part, and {kind} has none: "
                "choose another set or another method"
            )
