"""``bgsub separate``: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from bgsub import config
from bgsub.cli.say import give, tell
from bgsub.cli.table import gather, table_flags
from bgsub.errors import UsageError


@click.command(help="Write background, foreground and mask videos of INPUT (a video, a folder, a pattern).")
@click.argument("source", metavar="INPUT", required=False)
@click.option("-o", "--output", metavar="OUT", help="folder to write into")
@table_flags
@click.option(
    "--config", "file", metavar="FILE", type=click.Path(path_type=Path), help="read options from TOML"
)
@click.option("--print-config", is_flag=True, help="print all options as a commented TOML file and stop")
@click.option("--dry-run", is_flag=True, help="print what the run would need and write, and stop")
@click.option("--quiet", is_flag=True, help="no progress, no reasons; warnings and errors only")
@click.option("--debug", is_flag=True, help="print the traceback of an error")
def separate(
    source: str | None,
    output: str | None,
    file: Path | None,
    print_config: bool,
    dry_run: bool,
    quiet: bool,
    debug: bool,
    **flags: Any,
) -> None:
    """Separate one input."""
    options = gather(flags, file)
    if print_config:
        give(config.dump(options))
        return
    if source is None:
        raise UsageError("missing INPUT; see bgsub separate --help")
    # An empty OUT is an unset variable of a script, and must not become the current folder.
    if output == "" or (output is None and not dry_run):
        raise UsageError("missing -o OUT, the folder to write into; see bgsub separate --help")
    folder = None if output is None else Path(output)
    if dry_run:
        from bgsub.cli.describe import describe

        give(describe(source, options, folder))
        return
    _run(source, folder, options, quiet)


def _run(source: str, output: Path | None, options: Any, quiet: bool) -> None:
    from bgsub.cli.bars import Bars
    from bgsub.pipeline import separate as run

    progress = Bars(quiet)
    try:
        result = run(source, output, options, progress=progress)
    finally:
        progress.end()
    if not quiet:
        tell(result.summary())
