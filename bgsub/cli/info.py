"""``bgsub info``: describe an input and what a run on it will need."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bgsub.cli.names import Name
from bgsub.cli.say import give
from bgsub.cli.table import gather, scale_is_asked, table_flags


@click.command(help="Print what INPUT is and what separating it will need: columns, memory, time.")
@click.argument("source", metavar="INPUT")
@table_flags
@click.option("--config", "file", metavar="FILE", type=Name(), help="read options from TOML")
@click.option("--debug", is_flag=True, help="print the traceback of an error")
def info(source: str, file: Path | None, debug: bool, **flags: Any) -> None:
    """Describe one input."""
    options = gather(flags, file)
    from bgsub.cli.describe import describe

    give(describe(source, options, None, scale_is_asked(flags, options)))
