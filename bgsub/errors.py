"""Every error that bgsub raises on purpose.

::

    BgsubError                  anything that is the input's or the caller's doing
    ├── InputError              the footage cannot be used
    │   ├── CannotOpen          there is no such file, or it is not a video or a picture
    │   ├── CannotDecode        it opens, but no frame comes out of it
    │   └── TooFewFrames        it decodes, but there are not enough frames to tell what moves
    ├── OutputError             a result cannot be written
    ├── OptionError             an option has an impossible value (also a ``ValueError``)
    │   └── UsageError          an option is unknown, missing or cannot be read
    └── IncompatibleProblem     a method needs a capability that a set or penalty does not have

A message is one line that says what is wrong, where, and what to do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

NEAR = 0.65
"""Least likeness (twice the common letters over all of them) of a word that may have been meant: "rio" and "roi" have
.67, and so has every name of three letters with one of them wrong; "nope" and "opt" have .57."""


class BgsubError(Exception):
    """Anything that is the input's or the caller's doing; the message is one line, fit to be printed."""


class InputError(BgsubError):
    """The footage cannot be used."""


class CannotOpen(InputError):
    """There is no such file or folder, or it is not a video or a picture."""


class CannotDecode(InputError):
    """The file opens, but no frame comes out of it."""


class TooFewFrames(InputError):
    """There are not enough frames to tell what moves."""


class OutputError(BgsubError):
    """A result cannot be written."""


class OptionError(BgsubError, ValueError):
    """An option has an impossible value."""


class UsageError(OptionError):
    """An option is unknown, missing, or cannot be read as what it should be."""


class IncompatibleProblem(BgsubError):
    """A method needs a capability (``lmo``, ``project`` …) that a set or penalty does not have."""


class BgsubWarning(UserWarning):
    """Something the user should know about the footage that does not stop the run."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known word most like *word*, or an empty string where none is near.

    Examples
    --------
    >>> nearest("treshold", ["threshold", "scale"])
    "; did you mean 'threshold'?"
    """
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=NEAR)
    return f"; did you mean '{close[0]}'?" if close else ""
