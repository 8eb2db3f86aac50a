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

from collections.abc import Iterable

MOST_WRONG = 2
"""Letters that may be missing, wrong or too many in a word, at most one in three, for another one to be meant:
"shape" is not "scale"."""
FEWEST = 3
"""Letters that a beginning has at least."""


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

    Close are words of which hardly a letter differs, words of the same letters, and those that *word* begins.

    Examples
    --------
    >>> nearest("treshold", ["threshold", "scale"])
    "; did you mean 'threshold'?"
    """
    costs = [(cost, each) for each in known if (cost := _cost(_bare(word), _bare(each))) is not None]
    return f"; did you mean '{min(costs)[1]}'?" if costs else ""


def _bare(word: str) -> str:
    return word.lstrip("-").replace("_", "-").lower()


def _cost(word: str, known: str) -> int | None:
    """Return how unlikely it is that *word* was meant to be *known*; None where it was hardly."""
    wrong = _edits(word, known)
    if wrong <= min(MOST_WRONG, max(len(word), len(known)) // 3) and word:
        return wrong
    if len(word) >= FEWEST and sorted(word) == sorted(known):
        return MOST_WRONG
    if len(word) >= FEWEST and known.startswith(word):
        return MOST_WRONG + len(known) - len(word)
    return None


def _edits(word: str, other: str) -> int:
    """Return the letters to insert, leave out or replace until *word* is *other*."""
    row = list(range(len(other) + 1))
    for done, letter in enumerate(word, 1):
        before, row[0] = row[0], done
        for place, wanted in enumerate(other, 1):
            before, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, before + (letter != wanted)),
            )
    return row[-1]
