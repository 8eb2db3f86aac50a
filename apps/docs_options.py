"""Write the table of options in docs/options.md from the option table of the program.

Usage: ``python apps/docs_options.py`` updates the page; with ``--print`` the table goes to standard output.
"""

from __future__ import annotations

import argparse
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from bgsub.cli.table import default_text, names_of
from bgsub.options.table import Options, spec_of

PAGE = Path(__file__).resolve().parents[1] / "docs" / "options.md"
BEGIN, END = "<!-- options: begin -->", "<!-- options: end -->"
HEAD = ("flag", "what", "unit, range", "default", "why")


def table() -> str:
    """Return the options as a Markdown table, in the order of the option table."""
    rows = [HEAD, ("---",) * len(HEAD), *(_row(item) for item in fields(Options))]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


def updated(text: str) -> str:
    """Return *text* with the table between the two markers replaced; ValueError if they are missing or out of order."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the text has no '{BEGIN}' followed by '{END}'")
    return f"{before}{BEGIN}\n{table()}{END}{after}"


def _row(item: Field[Any]) -> tuple[str, ...]:
    spec = spec_of(item)
    names = ", ".join(f"`{name}`" for name in names_of(item))
    limits = "; ".join(part for part in (spec.unit, spec.range) if part)
    default = spec.automatic or (f"`{default_text(item)}`" if default_text(item) else "")
    return names, spec.help, limits, default, spec.reason


def main() -> None:
    """Update the page, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--print", action="store_true", help="print the table instead of updating the page")
    if parser.parse_args().print:
        print(table(), end="")
        return
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
