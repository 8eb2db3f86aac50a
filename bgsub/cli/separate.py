"""``bgsub separate``: the main job."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bgsub.cli.info import as_text
from bgsub.cli.names import Name
from bgsub.cli.say import give, silent, tell
from bgsub.cli.table import gather, scale_is_asked, table_flags
from bgsub.errors import UsageError
from bgsub.options import toml
from bgsub.options.table import Options

if TYPE_CHECKING:
    from bgsub.cli.bars import Bars
    from bgsub.cli.jsonlines import JsonLines
    from bgsub.frames.read.open import Target


HELP = (
    "Write background, foreground and mask videos of INPUT: a video, folder or pattern; an address, the number of "
    "a camera, or - (standard input). 'bgsub INPUT' is the same."
)


@click.command(help=HELP)
@click.argument("source", metavar="INPUT", required=False)
@click.option(
    "-o", "--output", metavar="OUT", help="folder to write into [default: beside INPUT, NAME_bgsub]"
)
@table_flags
@click.option("--config", "file", metavar="FILE", type=Name(), help="read options from TOML")
@click.option("--print-config", is_flag=True, help="print all options as a commented TOML file and stop")
@click.option("--dry-run", is_flag=True, help="print what the run would need and write, and stop")
@click.option("-q", "--quiet", is_flag=True, help="no progress, no reasons; warnings and errors only")
@click.option("-v", "--verbose", is_flag=True, help="the mathematics of each choice, too")
@click.option(
    "--json", "as_json", is_flag=True, help="progress and results as lines of JSON on standard output"
)
@click.option("--debug", is_flag=True, help="print the traceback of an error")
def separate(
    source: str | None,
    output: str | None,
    file: Path | None,
    print_config: bool,
    dry_run: bool,
    quiet: bool,
    verbose: bool,
    as_json: bool,
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
    folder = _folder(source, output)
    asked = scale_is_asked(flags, options)
    if dry_run:
        from bgsub.cli.survey import survey

        say = silent if as_json else tell
        give(as_text(survey(source, options, folder, asked, is_checked=True, say=say), as_json))
        return
    teller = _teller(source, folder, quiet, verbose, as_json)
    try:
        with _on_disk(source, options, folder, teller) as footage:
            fitting, changed = _within_memory(footage, options, asked)
            # Images smaller than requested are never written without saying so.
            if changed and fitting.scale != options.scale and not as_json:
                tell(changed)
            elif changed:
                teller.say(changed)
            _run(footage, folder, fitting, teller)
    finally:
        teller.end()


def _teller(source: str, folder: Path, quiet: bool, verbose: bool, as_json: bool) -> Bars | JsonLines:
    """Return what tells of the run: bars and lines for people, or lines for programs."""
    if not as_json:
        from bgsub.cli.bars import Bars

        return Bars(quiet, verbose)
    from bgsub.cli.jsonlines import JsonLines
    from bgsub.frames.live.address import shown

    teller = JsonLines(quiet, verbose)
    teller.start(shown(source), folder)
    return teller


def _folder(source: str, output: str | None) -> Path:
    """Return the folder to write into."""
    if output is None:
        from bgsub.cli.beside import beside, refuse_other_footage

        folder = beside(source)
        refuse_other_footage(folder, source)
        return folder
    # An unset variable in a script must not become the current folder.
    if not output.strip():
        raise UsageError("-o is empty; name the folder to write into, or leave it out")
    return Path(output)


@contextmanager
def _on_disk(source: str, options: Options, folder: Path, teller: Bars | JsonLines) -> Iterator[Target]:
    """Record a live input, but not before it is known that results can be written."""
    from bgsub.frames.live.address import kind_of
    from bgsub.frames.live.spool import on_disk
    from bgsub.render.folder import check_folder

    if kind_of(source):
        check_folder(folder)
    with on_disk(source, options, folder, teller.say) as footage:
        yield footage


def _within_memory(source: Target, options: Options, asked: bool) -> tuple[Options, str]:
    from bgsub.base.warn import carried_by
    from bgsub.run.applied import as_fitted, read_model
    from bgsub.run.budget import within_memory
    from bgsub.run.reading import grid_for, open_footage, select_frames

    with carried_by(lambda _: None):  # the run opens it once more, and says what there is to say
        footage = open_footage(source, options)
        model = read_model(options, footage.info)
    chosen, planned = select_frames(footage, options), as_fitted(options, model)
    if model is not None:
        asked = True
    fitting, changed = within_memory(
        grid_for(footage.info, planned), planned, chosen.expected, chosen.rate, asked
    )
    # What a model has in place of what was asked for is for the run to say.
    return (fitting if model is None else replace(options, threads=fitting.threads)), changed


def _run(source: Target, output: Path, options: Options, teller: Bars | JsonLines) -> None:
    from bgsub.run.outputs import left_behind
    from bgsub.run.pipeline import separate as run

    result = run(source, output, options, progress=teller)
    teller.end()
    teller.result(result, output, left_behind(output, options))
