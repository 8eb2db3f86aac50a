"""The rank that a user asks a method for."""

from __future__ import annotations

from bgsub.errors import OptionError


def checked_rank(rank: int | None, method: str) -> int | None:
    """Return *rank*.

    Raises
    ------
    OptionError
        Neither None nor a whole number of at least one; the message names the *method*.
    """
    if rank is None:
        return None
    if isinstance(rank, bool) or not isinstance(rank, int) or rank < 1:
        raise OptionError(f"rank of {method} must be a whole number of at least 1, but is {rank!r}")
    return rank
