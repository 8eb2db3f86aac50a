"""``bgsub info``: describe an input and what a run on it will need."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bgsub.cli.names import Name
from bgsub.cli.say import give, silent, tell
from bgsub.cli.table import gather, scale_is_asked, table_flags

if TYPE_CHECKING:
    from bgsub.cli.survey import Survey


@click.command(help="Print what INPUT is and what separating it will need: columns, memory, time.")
@click.argument("source", metavar="INPUT")
@table_flags
@click.option("--config", "file", metavar="FILE", type=Name(), help="read options from TOML")
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
@click.option("--debug", is_flag=True, help="print the traceback of an error")
def info(source: str, file: Path | None, as_json: bool, debug: bool, **flags: Any) -> None:
    """Describe one input."""
    options = gather(flags, file)
    from bgsub.cli.beside import beside
    from bgsub.cli.survey import survey

    asked = scale_is_asked(flags, options)
    say = silent if as_json else tell
    give(as_text(survey(source, options, beside(source), asked, say=say), as_json))


def as_text(found: Survey, as_json: bool) -> str:
    """Return what is known of an input for people, or for programs."""
    from bgsub.cli.describe import describe
    from bgsub.cli.facts import facts

    return facts(found) if as_json else describe(found)
