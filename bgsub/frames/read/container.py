"""Open a file as a video, or explain in one line why it is not one."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

from bgsub.base.plural import count_of
from bgsub.base.pyav import (
    FFmpegError,
    InputContainer,
    NotAllowed,
    VideoStream,
    is_cover,
    limit_pixels,
    open_input,
)
from bgsub.errors import CannotDecode, CannotOpen, nearest
from bgsub.frames.read.limits import check_pixels

# FFmpeg renders any text file, whatever it says, as a video of a text terminal.
_TEXT_AS_VIDEO = {"adf", "bin", "idf", "tty", "xbin"}
_HEAD = 4096
"""Bytes that tell text from everything else."""


def open_container(path: Path, max_pixels: int) -> InputContainer:
    """Open a video file for reading; the caller closes it.

    Looking into it decodes no picture of more than *max_pixels*.

    Raises
    ------
    CannotOpen
        It does not exist, is a folder, is empty, cannot be read, is not a video, or only names other files.
    """
    _check_readable(path)
    try:
        container = open_input(path, max_pixels)
    except FFmpegError as error:
        raise CannotOpen(f"not a video file: {path} ({_why_not(path, error)})") from None
    if container.format.name in _TEXT_AS_VIDEO:
        container.close()
        raise CannotOpen(f"not a video file: {path} (it is text)")
    return container


def video_stream(
    container: InputContainer, name: str, max_pixels: int, number: int | None = None
) -> VideoStream:
    """Return the stream to read: the best according to FFmpeg, or by its *number* from 1; never a cover picture.

    Its decoder takes no picture of more than *max_pixels*.

    Raises
    ------
    CannotOpen
        There is no video stream, or none of that number.
    CannotDecode
        There is one, but this FFmpeg has no decoder for it, or its pictures are too large.
    """
    films = _films(container)
    if not films:
        raise CannotOpen(f"no video stream in {name} ({_holds(container)})")
    if number is not None and number > len(films):
        raise CannotOpen(f"--stream {number}: {name} has {_listed(films)}")
    stream = _best(container, films) if number is None else films[number - 1]
    # The stubs promise a codec context; there is none for codecs that this FFmpeg does not know.
    if getattr(stream, "codec_context", None) is None:
        raise CannotDecode(f"no decoder for the video in {name}; convert it to a common format such as H.264")
    check_pixels(name, stream.width or 0, stream.height or 0, max_pixels)
    limit_pixels(stream, max_pixels)
    return stream


def other_films(container: InputContainer, stream: VideoStream, number: int | None) -> str:
    """Return a line on the streams beside *stream*, which was chosen by its *number* or without; empty if none."""
    films = _films(container)
    if len(films) < 2:
        return ""
    read = next(index for index, film in enumerate(films, 1) if film.index == stream.index)
    hint = "" if number else " (--stream chooses)"
    return f"{_listed(films)}; {read} is read{hint}"


def _films(container: InputContainer) -> list[VideoStream]:
    return [stream for stream in container.streams.video if not is_cover(stream)]


def _best(container: InputContainer, films: list[VideoStream]) -> VideoStream:
    best = container.streams.best("video")
    return next((film for film in films if film is best or film == best), films[0])


def _listed(films: list[VideoStream]) -> str:
    each = "; ".join(f"{number}: {_about(film)}" for number, film in enumerate(films, 1))
    return f"{count_of(len(films), 'video stream')} ({each})"


def _about(film: VideoStream) -> str:
    context = getattr(film, "codec_context", None)
    return "in an unknown format" if context is None else f"{context.name}, {film.width} × {film.height}"


def _holds(container: InputContainer) -> str:
    kinds = {stream.type for stream in container.streams}
    others = ", ".join(sorted(kinds - {"video"}))
    if others:
        return f"it holds {others} only"
    return "it holds a cover picture only" if kinds else "nothing in it can be made out: is it damaged?"


def reason_of(error: Exception) -> str:
    """Return what went wrong in a few words, without the path that FFmpeg repeats."""
    return str(getattr(error, "strerror", None) or error).lower()


def _why_not(path: Path, error: FFmpegError) -> str:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    # What FFmpeg says of a format that it was not to open.
    if isinstance(error, NotAllowed) and b"\0" not in head:
        return "it names other files or addresses, which are not read on its account; give the video itself"
    # FFmpeg reports the most common accident, a camera that lost power, as "invalid data".
    cut_off = "; it begins like an MP4 without a readable index: was the recording cut off?"
    return reason_of(error) + cut_off * (head[4:8] == b"ftyp")


def missing(path: Path) -> CannotOpen:
    """Return the error for a path that does not exist, suggesting what may have been meant."""
    if os.path.islink(path):  # noqa: PTH114  Path.is_symlink raises for names that are too long
        return CannotOpen(f"no such file: {path} (a link that leads nowhere)")
    if not os.path.isdir(path.parent):  # noqa: PTH112  Path.is_dir raises where a parent may not be entered
        return CannotOpen(f"no such file: {path} (there is no folder {path.parent})")
    try:
        siblings = os.listdir(path.parent)  # noqa: PTH208  names only
    except OSError:
        siblings = []
    return CannotOpen(f"no such file: {path}{_nearest_name(path.name, siblings)}")


def _nearest_name(name: str, siblings: list[str]) -> str:
    """Suggest a name whose stem is close, too: all videos in a folder share the suffix."""
    stem = PurePath(name).stem
    same = [each for each in siblings if PurePath(each).stem == stem]
    if same:
        return f"; did you mean '{min(same)}'?"
    return nearest(name, [each for each in siblings if nearest(stem, [PurePath(each).stem])])


def _check_readable(path: Path) -> None:
    if not os.path.exists(path):  # noqa: PTH110  Path.exists raises for names that are too long
        raise missing(path)
    if path.is_dir():
        raise CannotOpen(f"{path} is a folder, not a video file")
    if not path.is_file():
        raise CannotOpen(f"{path} is not a regular file (a device or a pipe)")
    try:
        with path.open("rb") as file:
            is_empty = not file.read(1)
    except OSError as error:
        raise CannotOpen(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    if is_empty:
        raise CannotOpen(f"{path} is empty (0 bytes)")
