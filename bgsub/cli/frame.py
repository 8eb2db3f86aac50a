"""``bgsub frame``: one picture of an input with its coordinates, to choose regions from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bgsub.cli.names import Name
from bgsub.cli.table import gather, some_flags
from bgsub.errors import OutputError, UsageError
from bgsub.options.position import Position
from bgsub.options.table import Options

if TYPE_CHECKING:
    from bgsub.cli.bars import Bars
    from bgsub.frames.source import VideoInfo

PNG = b"\x89PNG"
OPTIONS = (
    *("roi", "exclude", "zone", "rotate", "stream", "deinterlace", "fps", "range", "max_pixels"),
    *("duration", "threads", "memory"),
)
"""Of the table: what is drawn, and how footage is read."""


@click.command(
    help="Write a picture of INPUT with its coordinates, to choose --roi, --exclude and --zone from; those that are "
    "given are drawn."
)
@click.argument("source", metavar="INPUT")
@click.option(
    "-o", "--output", "file", metavar="FILE", type=Name(), help="PNG [default: beside INPUT, NAME_frame.png]"
)
@click.option(
    "--at",
    metavar="WHEN",
    help="which frame: 120 (from 0), 12.5s, 2m30s, 00:01:30 or 50% [default: the middle]",
)
@click.option(
    "--background", is_flag=True, help="the empty scene, fitted on all of INPUT, in place of a frame"
)
@some_flags(OPTIONS)
@click.option("--config", metavar="FILE", type=Name(), help="read options from TOML")
@click.option("-q", "--quiet", is_flag=True, help="warnings and errors only")
@click.option("--debug", is_flag=True, help="print the traceback of an error")
def frame(
    source: str,
    file: Path | None,
    at: str | None,
    background: bool,
    config: Path | None,
    quiet: bool,
    debug: bool,
    **flags: Any,
) -> None:
    """Write one picture."""
    place = None if at is None else _place(at)
    options = gather(flags, config)
    from bgsub.base.publish import Publication
    from bgsub.cli.bars import Bars
    from bgsub.cli.beside import PICTURE, beside
    from bgsub.frames.live.spool import on_disk
    from bgsub.render.sinks.picture import encode_png
    from bgsub.run.reading import open_footage
    from bgsub.run.still import frame_of

    target = file or beside(source, PICTURE)
    _check(target, file is not None)
    progress = Bars(quiet)
    with Publication() as files, _ended(progress):
        files.make(target)  # before reading what may be long
        with on_disk(
            source, _bounded(source, options, place, background), target.parent, progress.say
        ) as footage:
            opened = open_footage(footage, options)
            _refuse_input(target, opened.info)
            still = frame_of(opened, options, place, background, progress)
        files.write(target, encode_png(still.picture, str(target)))
        files.publish()
    progress.say(f"{still.about} → {target}")


def _place(text: str) -> Position:
    try:
        return Position.parse(text)
    except ValueError as error:
        raise UsageError(f"--at: cannot read '{text}': {error}, or a share of the length (50%)") from None


def _check(target: Path, is_named: bool) -> None:
    """Raise where the picture would replace what nobody has said it may."""
    if target.suffix.lower() != ".png":
        raise UsageError(f"-o {target}: the name of the picture ends in .png")
    if not target.is_file():
        return
    if not is_named:
        raise OutputError(f"{target} exists; to replace it, or to write another, name it with -o")
    with target.open("rb") as there:
        if there.read(len(PNG)) != PNG:
            raise OutputError(f"{target} exists and is no PNG; give another name with -o")


def _refuse_input(target: Path, info: VideoInfo) -> None:
    """Raise where the picture would become a frame of the input, or replace it."""
    from bgsub.render.folder import refuse_to_mix

    refuse_to_mix(target.parent, info)
    if target.exists() and Path(info.name).exists() and target.samefile(info.name):
        raise OutputError(f"{target} is the input itself; give another name with -o")


def _bounded(source: str, options: Options, place: Position | None, is_background: bool) -> Options:
    """Return *options* that say how much to record of a live input: as far as the frame that is shown."""
    from bgsub.frames.live.address import ADDRESS, CAMERA, kind_of

    live = kind_of(source) in (ADDRESS, CAMERA)
    if not live or options.duration is not None or options.end is not None or is_background:
        return options
    if place is None or place.frame is not None:
        return replace(options, duration=Position(frame=1 + (0 if place is None else place.frame or 0)))
    if place.seconds is not None:
        return replace(options, duration=Position(seconds=place.seconds + 1))
    return options


@contextmanager
def _ended(progress: Bars) -> Iterator[None]:
    try:
        yield
    finally:
        progress.end()
