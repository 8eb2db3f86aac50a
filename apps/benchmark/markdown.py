"""Tables in Markdown, and shares in them: .913."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose first column is text and whose others are numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def share(value: float) -> str:
    """Return a share with three digits: .913; nothing for NaN."""
    return "" if math.isnan(value) else f"{value:.3f}".removeprefix("0")


def signed(value: float) -> str:
    """Return the difference of two shares: −.013, .000, +.002; nothing for NaN."""
    if math.isnan(value):
        return ""
    sign = "" if round(value, 3) == 0 else "+" if value > 0 else "−"
    return sign + share(abs(value))
