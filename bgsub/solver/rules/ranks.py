"""Validation of the rank passed to a method."""

from __future__ import annotations

from bgsub.solver.checks import whole_number


def checked_rank(rank: int | None, method: str) -> int | None:
    """Return *rank* as None or an int.

    Raises
    ------
    OptionError
        *rank* is neither None nor a whole number of at least one; the message names the *method*.
    """
    return None if rank is None else whole_number(rank, f"rank of {method}", 1)
