"""Every error that bgsub raises on purpose.

::

    BgsubError                  a problem with the input or the call
    ├── InputError              the footage cannot be used
    │   ├── CannotOpen          the file does not exist, or is not a video or an image
    │   ├── CannotDecode        the file opens, but no frame can be decoded
    │   └── TooFewFrames        it decodes, but there are too few frames to tell what moves
    ├── OutputError             a result cannot be written
    ├── OptionError             an option has an invalid value (also a ``ValueError``)
    │   └── UsageError          an option is unknown, missing or cannot be parsed
    └── IncompatibleProblem     a method needs a capability that a set or penalty does not have

Each message is one line that says what is wrong, where, and what to do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

NEAR = 0.65
"""Similarity (twice the matching letters over all letters of both words) from which a word is suggested:
"rio" and "roi" score .67, as does any three-letter name with one wrong letter; "nope" and "opt" score .57."""


class BgsubError(Exception):
    """A problem with the input or the call; the message is one printable line."""


class InputError(BgsubError):
    """The footage cannot be used."""


class CannotOpen(InputError):
    """The file or folder does not exist, or is not a video or an image."""


class CannotDecode(InputError):
    """The file opens, but no frame can be decoded."""


class TooFewFrames(InputError):
    """There are too few frames to tell what moves."""


class OutputError(BgsubError):
    """A result cannot be written."""


class OptionError(BgsubError, ValueError):
    """An option has an invalid value."""


class UsageError(OptionError):
    """An option is unknown, missing, or cannot be parsed."""


class IncompatibleProblem(BgsubError):
    """A method needs a capability (``lmo``, ``project`` …) that a set or penalty does not have."""


class BgsubWarning(UserWarning):
    """Something the user should know about the footage that does not stop the run."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known word closest to *word*; an empty string if none is close.

    Examples
    --------
    >>> nearest("treshold", ["threshold", "scale"])
    "; did you mean 'threshold'?"
    """
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=NEAR)
    return f"; did you mean '{close[0]}'?" if close else ""
