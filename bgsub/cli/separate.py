"""``bgsub separate``: the main job."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bgsub.cli.names import Name
from bgsub.cli.say import give, tell
from bgsub.cli.table import gather, scale_is_asked, table_flags
from bgsub.errors import UsageError
from bgsub.options import toml
from bgsub.options.table import Options

if TYPE_CHECKING:
    from bgsub.frames.read.open import Target


HELP = (
    "Write background, foreground and mask videos of INPUT: a video, folder or pattern; an address, the number of "
    "a camera, or - (standard input)."
)


@click.command(help=HELP)
@click.argument("source", metavar="INPUT", required=False)
@click.option("-o", "--output", metavar="OUT", help="folder to write into")
@table_flags
@click.option("--config", "file", metavar="FILE", type=Name(), help="read options from TOML")
@click.option("--print-config", is_flag=True, help="print all options as a commented TOML file and stop")
@click.option("--dry-run", is_flag=True, help="print what the run would need and write, and stop")
@click.option("-q", "--quiet", is_flag=True, help="no progress, no reasons; warnings and errors only")
@click.option("-v", "--verbose", is_flag=True, help="the mathematics of each choice, too")
@click.option("--debug", is_flag=True, help="print the traceback of an error")
def separate(
    source: str | None,
    output: str | None,
    file: Path | None,
    print_config: bool,
    dry_run: bool,
    quiet: bool,
    verbose: bool,
    debug: bool,
    **flags: Any,
) -> None:
    """Separate one input."""
    options = gather(flags, file)
    if print_config:
        give(toml.dump(options))
        return
    if source is None:
        raise UsageError("missing INPUT; see bgsub separate --help")
    # An empty OUT, an unset variable in a script, must not become the current folder.
    if output == "" or (output is None and not dry_run):
        raise UsageError("missing -o OUT, the folder to write into; see bgsub separate --help")
    folder = None if output is None else Path(output)
    asked = scale_is_asked(flags, options)
    if dry_run:
        from bgsub.cli.describe import describe

        give(describe(source, options, folder, asked))
        return
    with _on_disk(source, options, folder, quiet) as footage:
        fitting, changed = _within_memory(footage, options, asked)
        # Images smaller than requested are never written without saying so.
        if changed and not (quiet and fitting.scale == options.scale):
            tell(changed)
        _run(footage, folder, fitting, quiet, verbose)


@contextmanager
def _on_disk(source: str, options: Options, folder: Path | None, quiet: bool) -> Iterator[Target]:
    """Record a live input, but not before it is known that results can be written."""
    from bgsub.frames.live.address import kind_of
    from bgsub.frames.live.spool import on_disk
    from bgsub.render.folder import check_folder

    if folder is not None and kind_of(source):
        check_folder(folder)
    with on_disk(source, options, folder, _silent if quiet else tell) as footage:
        yield footage


def _silent(_: str) -> None:
    """Say nothing."""


def _within_memory(source: Target, options: Options, asked: bool) -> tuple[Options, str]:
    from bgsub.base.warn import carried_by
    from bgsub.run.budget import within_memory
    from bgsub.run.reading import grid_for, open_footage, select_frames

    with carried_by(lambda _: None):  # the run opens it once more, and says what there is to say
        footage = open_footage(source, options)
    chosen = select_frames(footage, options)
    return within_memory(grid_for(footage.info, options), options, chosen.expected, chosen.rate, asked)


def _run(source: Target, output: Path | None, options: Options, quiet: bool, verbose: bool) -> None:
    from bgsub.cli.bars import Bars
    from bgsub.run.outputs import left_behind
    from bgsub.run.pipeline import separate as run

    progress = Bars(quiet, verbose)
    try:
        result = run(source, output, options, progress=progress)
    finally:
        progress.end()
    if not quiet:
        tell(result.summary())
    if output is not None and not quiet and (stay := left_behind(output, options.outputs)):
        tell(f"not of this run, and left in {output}: {', '.join(stay)}")
    if not quiet:
        for line in (*result.log.zone_lines(), result.log.summary()):
            tell(line)
