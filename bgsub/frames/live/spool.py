"""A live input as a file that is there as long as it is needed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bgsub.base.publish import Publication
from bgsub.base.pyav import open_address, open_bytes, open_camera
from bgsub.base.write_errors import writing
from bgsub.errors import CannotOpen, InputError, OptionError
from bgsub.frames.live import patience
from bgsub.frames.live.address import ADDRESS, CAMERA, INPUT, SCHEMES, kind_of, shown
from bgsub.frames.live.bound import Bound
from bgsub.frames.live.download import Download
from bgsub.frames.live.patience import Patience
from bgsub.frames.live.record import record
from bgsub.frames.read.open import Target
from bgsub.frames.read.video import VideoSource
from bgsub.options.table import Options

_BLOCK = 1 << 20

Say = Callable[[str], None]


@contextmanager
def on_disk(target: Target, options: Options, output: Path | None, say: Say) -> Iterator[Target]:
    """Give *target* as it is, or where it is a camera, an address or standard input, a source that reads a recording.

    The recording lies in a hidden folder of *output*, or the nearest folder above that exists, or of the system's
    folder for such files; it is removed when the block ends, however it ends.

    Parameters
    ----------
    target
        What the user named. ``-`` is standard input and a number a camera, unless there is a file of that name.
    options
        Of these, ``start``, ``end`` and ``duration`` say how much is recorded; ``stream`` and ``max_pixels`` what.
    output
        Where the results go, if anywhere.
    say
        Receives a line on what is being done.

    Raises
    ------
    CannotOpen
        There is no such thing, it does not answer, or it is no video.
    OptionError
        It may never end, and *options* do not say how much to record.
    OutputError
        The recording cannot be written.
    """
    kind = kind_of(target)
    if kind is None:
        yield target
        return
    assert isinstance(target, str)
    with Publication() as files:
        place = files.make(_room(output) / "recording")
        name = _RECORDERS[kind](target, place, options, say)
        yield _source(place, options, name)


def _room(output: Path | None) -> Path:
    near = [] if output is None else [output, *output.absolute().parents]
    return next((folder for folder in near if folder.is_dir()), Path(tempfile.gettempdir()))


def _source(place: Path, options: Options, name: str) -> VideoSource:
    try:
        return VideoSource(place, options, name)
    except InputError as error:
        raise type(error)(str(error).replace(str(place), name)) from None


def _address(address: str, place: Path, options: Options, say: Say) -> str:
    name, scheme = shown(address), address.partition("://")[0].lower()
    if scheme not in SCHEMES:
        raise CannotOpen(f"cannot open {name}: addresses that are read begin with {', '.join(SCHEMES)}")
    download = Download(address, say) if scheme in ("http", "https") else None
    if download is not None and download.is_file():
        say(f"fetching {name}")
        download.fetch(place)
        return name
    _check_bound(options, name)
    say(f"recording {name}")
    is_endless = scheme.startswith(("rtsp", "rtmp"))
    record(
        lambda: open_address(address, patience.TIMEOUT), place, options, Patience(name, say), name, is_endless
    )
    return name


def _camera(number: str, place: Path, options: Options, say: Say) -> str:
    name, device = f"camera {number}", Path(f"/dev/video{number}")
    if not sys.platform.startswith("linux"):
        raise CannotOpen(
            f"{name} cannot be read: this works on Linux only; elsewhere send a recording to standard input (-)"
        )
    if not device.exists():
        there = sorted(path.name.removeprefix("video") for path in Path("/dev").glob("video[0-9]*"))
        raise CannotOpen(f"no {name}: there is no {device} (cameras here: {', '.join(there) or 'none'})")
    _check_bound(options, name)
    say(f"recording {name}")
    record(lambda: open_camera(device, patience.TIMEOUT), place, options, Patience(name, say), name, True)
    return name


def _input(_: str, place: Path, options: Options, say: Say) -> str:
    if sys.stdin is None or sys.stdin.isatty():
        raise CannotOpen("nothing is sent to standard input: name a file, or send a video to it")
    say(f"reading {INPUT}")
    part = place.with_name("part")
    with writing(place), place.open("wb") as file:
        copy = _Copy(sys.stdin.buffer, file)
        is_done = Bound(options).is_given and _recorded(copy, part, options, say)
        if not is_done:
            copy.rest()
    if is_done:
        part.replace(place)
    return INPUT


def _recorded(copy: _Copy, part: Path, options: Options, say: Say) -> bool:
    """Record as much as is needed of what may go on without an end; return whether it can be read in one go at all.

    An MP4 file cannot, whose index is at its end.
    """
    try:
        record(lambda: open_bytes(copy), part, options, Patience(INPUT, say, ()), INPUT, False)
    except CannotOpen:
        return False
    return True


class _Copy:
    """A stream of bytes that writes what was read to a file, too."""

    def __init__(self, stream: IO[bytes], file: IO[bytes]) -> None:
        self._stream, self._file = stream, file

    def read(self, size: int) -> bytes:
        """Return up to *size* bytes; none at the end."""
        block = self._stream.read(size)
        self._file.write(block)
        return block

    def rest(self) -> None:
        """Write all that is left."""
        while self.read(_BLOCK):
            pass


def _check_bound(options: Options, name: str) -> None:
    if Bound(options).is_share:
        raise OptionError(
            f"{name} has no length to take a share of: give --start and --end as a time, such as 60s"
        )
    if not Bound(options).is_given:
        raise OptionError(f"{name} may never end: say how much to record, such as --duration 60s")


_RECORDERS: dict[str, Callable[[str, Path, Options, Say], str]] = {
    ADDRESS: _address,
    CAMERA: _camera,
    INPUT: _input,
}
