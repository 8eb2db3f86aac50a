"""Record a stream until there is enough of it, connecting again where it breaks off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from bgsub.base.pyav import (
    BadAddress,
    FFmpegError,
    InputContainer,
    InvalidDataError,
    NotYet,
    Packet,
    TimedOut,
    VideoStream,
    read_only,
)
from bgsub.base.warn import report
from bgsub.errors import CannotOpen
from bgsub.frames.live import patience
from bgsub.frames.live.bound import Bound
from bgsub.frames.live.patience import Patience
from bgsub.frames.live.remux import Remuxer
from bgsub.frames.read.container import reason_of, video_stream
from bgsub.options.table import Options

_UNUSABLE = 300
"""Packets before the first key frame that are left out, at most: nothing can be decoded of them."""


def record(
    connect: Callable[[], InputContainer],
    place: Path,
    options: Options,
    patience: Patience,
    name: str,
    is_endless: bool,
) -> None:
    """Write what *connect* opens to *place*, as much as *options* select.

    Parameters
    ----------
    is_endless
        Whether its end counts as a connection that was lost.

    Raises
    ------
    CannotOpen
        Nothing comes, or it is no video.

    Warns
    -----
    BgsubWarning
        It broke off for good before there was enough.
    """
    bound, remuxer = Bound(options), Remuxer(place)
    try:
        while not bound.reached(remuxer.count, remuxer.elapsed):
            reason = _recorded(connect, remuxer, bound, patience, name, options)
            if reason == "" and not is_endless:
                return
            if reason is not None and not patience.wait(reason or "it ended"):
                _give_up(name, reason or "it ended", remuxer)
                return
            remuxer.rejoin()
    finally:
        remuxer.close()


def _recorded(
    connect: Callable[[], InputContainer],
    remuxer: Remuxer,
    bound: Bound,
    patience: Patience,
    name: str,
    options: Options,
) -> str | None:
    """Record one connection; return why it is over: None where there is enough, empty where it ended."""
    try:
        with connect() as container:
            stream = video_stream(container, name, options.max_pixels, options.stream)
            for packet in _usable(container, stream):
                remuxer.add(packet, stream)
                patience.restore()
                if bound.reached(remuxer.count, remuxer.elapsed):
                    return None
    except (BadAddress, InvalidDataError) as error:
        if remuxer.count == 0:
            raise CannotOpen(f"cannot open {name}: {reason_of(error)}") from None
        return reason_of(error)
    except (FFmpegError, ValueError) as error:
        return _words(error)
    return ""


def _usable(container: InputContainer, stream: VideoStream) -> Iterator[Packet[VideoStream]]:
    """Yield packets from the first key frame on."""
    read_only(container, stream)
    skipped, begun = 0, False
    while True:
        try:
            for packet in container.demux(stream):
                begun = begun or packet.is_keyframe or skipped >= _UNUSABLE
                skipped += not begun
                if begun and packet.size:
                    yield packet
        except NotYet:
            continue
        return


def _give_up(name: str, reason: str, remuxer: Remuxer) -> None:
    if remuxer.count == 0:
        raise CannotOpen(f"cannot read {name}: {reason}")
    report(f"{name}: {reason}; {float(remuxer.elapsed):.1f} s were recorded, less than asked for")


def _words(error: Exception) -> str:
    if isinstance(error, TimedOut):
        return f"no answer for {patience.TIMEOUT:g} s"
    return reason_of(error)
