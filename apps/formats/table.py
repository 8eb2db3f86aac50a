"""What was found, as text."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from bgsub.base.plural import count_of

Row = dict[str, Any]


def line_of(row: Row) -> str:
    """Return one row: container, codec, what was written, and what came of it."""
    odd = ", ".join(filter(None, (row["pixel_format"], row["note"])))
    place = re.escape(str(Path(row.get("file", "")).parent))
    came = re.sub(rf"/\S*/{place}/", "", came_of(row))  # names of files without their folders
    return f"{row['container']:<16} {row['codec']:<15} {odd:<44} {came}"


def came_of(row: Row) -> str:
    """Return what came of one file: its frames, the line that refuses it, or what must not be."""
    if "unwritten" in row:
        return f"not written: {row['unwritten']}"
    if row["faults"]:
        return f"UNEXPECTED: {'; '.join(row['faults'])}"
    if row["refused"]:
        return f"refused: {row['refused']}"
    return f"{count_of(row['frames'], 'frame')}{''.join(f'; {text}' for text in row['warned'])}"


def closing(rows: list[Row], seconds: float) -> str:
    """Return the last line: counts, and how many files had an end that users must not see."""
    written = [row for row in rows if "unwritten" not in row]
    wrong = sum(bool(row["faults"]) for row in written)
    refused = sum(bool(row["refused"]) for row in written if not row["faults"])
    kinds = [len({row[name] for row in written if row["codec"]}) for name in ("container", "codec")]
    return (
        f"{len(written)} files in {kinds[0]} containers and {kinds[1]} codecs ({len(rows) - len(written)} more are "
        f"not written by this FFmpeg); {len(written) - refused - wrong} read, {refused} refused in one line, "
        f"{sum(row['separate'] for row in written)} separated; {wrong} unexpected; {seconds:.0f} s"
    )


def by_group(rows: list[Row]) -> str:
    """Return the number of files by what they are about."""
    counts = Counter(row["group"] for row in rows if "unwritten" not in row)
    return ", ".join(f"{group} {count}" for group, count in counts.items())
