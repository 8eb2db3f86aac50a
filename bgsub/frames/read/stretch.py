"""Whether and how the stored values of a source are brought to grey levels, and what the user is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.base.warn import report
from bgsub.errors import InputError, OptionError
from bgsub.frames.read.levels import SHARE, Levels, Pair, found_in, shown
from bgsub.frames.source import Image

FLAG, ARGUMENT = "--range {},{}", "range=({}, {})"
"""How a range is given: for files, and for arrays."""
FEW = 16
"""Grey levels: with fewer of the 256, noise and objects are no longer told apart."""


class Stretch:
    """The way from stored values to grey levels, one for all pictures of a source.

    Bytes are grey levels and stay, unless a range is given; booleans become 0 and 255; of all else the range that is
    given, or the one that a sample of the pictures uses, becomes 0 … 255.

    Parameters
    ----------
    name
        Of the source, for messages.
    first
        The first picture as stored: all have its dtype.
    given
        The values that become 0 and 255; None finds them.
    sample
        Reads pictures to find a range on; called only if one must be found.
    word
        How a range is given: FLAG or ARGUMENT.

    Raises
    ------
    InputError
        The values are no real numbers, or no sampled picture holds a finite one.
    OptionError
        *given* is no range.
    """

    __slots__ = ("_first", "_given", "_name", "_word", "dtype", "levels")

    def __init__(
        self,
        name: str,
        first: NDArray[Any],
        given: Pair | None,
        sample: Callable[[], Iterable[NDArray[Any]]],
        word: str,
    ) -> None:
        if first.dtype.kind not in "buif":
            raise InputError(
                f"{name} holds {first.dtype} values; give grey levels as integers, floats or booleans"
            )
        self._name, self._word, self._given, self.dtype = name, word, given is not None, first.dtype
        self.levels = None if given is None else Levels(*checked(given))
        self._first = _used(first)
        if self.levels is None and first.dtype != np.uint8:
            self.levels = Levels(0, 1) if first.dtype == np.bool_ else found_in(sample())
            if self.levels is None:
                raise InputError(f"{name} holds no finite number in any of the pictures that were looked at")

    @property
    def pair(self) -> Pair | None:
        """What becomes 0 and 255; None where values are shown as they are stored (bytes, booleans)."""
        return None if self.levels is None or self.dtype == np.bool_ else self.levels.pair

    def begin(self) -> Reading:
        """Begin a reading of the source: say what is done, and return what does it."""
        if self.levels is not None and self.dtype != np.bool_:
            line = self._dimness(self.levels) if self._given else self._choice(self.levels)
            if line:
                report(line)
        return Reading(None if self.levels is None else self)

    def beyond(self, values: NDArray[Any], where: str) -> str:
        """Return what to say of a picture of which too much is cut off; empty if it is not, or was asked for."""
        assert self.levels is not None
        if self._given or self.dtype == np.bool_ or self.levels.share_beyond(values) <= SHARE:
            return ""
        finite = _without_gaps(values)  # infinity is told of otherwise
        if self.levels.share_beyond(finite) <= SHARE:
            return ""
        low, high = min(self.levels.low, float(finite.min())), max(self.levels.high, float(finite.max()))
        return (
            f"{where} has values from {shown(float(finite.min()))} to {shown(float(finite.max()))}: what lies beyond "
            f"{self.levels} is cut off from there on; {self._word.format(shown(low), shown(high))} takes all in"
        )

    def _choice(self, levels: Levels) -> str:
        if levels == Levels(0, 255):
            return ""
        low, high = map(shown, levels.pair)
        return (
            f"{self._name} holds {self.dtype} values: {low} to {high} become 0 to 255, which is what a sample of its "
            f"pictures uses, and some room; {self._word.format(low, high)} fixes it"
        )

    def _dimness(self, levels: Levels) -> str:
        """Return what to say where the given range leaves a picture hardly any grey levels."""
        if self._first is None or self._first[0] == self._first[1]:
            return ""
        seen = int(np.ptp(levels.grey(np.array(self._first, self.dtype)).astype(int))) + 1
        if seen > FEW:
            return ""
        low, high = map(shown, self._first)
        return (
            f"{self._name}: the range {levels} leaves {seen} of 256 grey levels to its first picture, which has values "
            f"from {low} to {high}; {self._word.format(low, high)} would use all"
        )


class Reading:
    """Brings the pictures of one reading to grey levels, and says once what is wrong with them."""

    __slots__ = ("_has_gaps", "_is_cut", "_stretch")

    def __init__(self, stretch: Stretch | None) -> None:
        self._stretch = stretch
        self._has_gaps = self._is_cut = False

    def grey(self, values: NDArray[Any], where: str) -> Image:
        """Return a picture that the receiver may keep: *values* themselves where these are grey levels."""
        if self._stretch is None:
            return np.ascontiguousarray(values, np.uint8)
        assert self._stretch.levels is not None
        values = values.view(np.uint8) if values.dtype == np.bool_ else values
        self._look(self._stretch, values, where)
        return np.ascontiguousarray(self._stretch.levels.grey(values))

    def _look(self, stretch: Stretch, values: NDArray[Any], where: str) -> None:
        if not self._has_gaps and values.dtype.kind == "f" and (gaps := values.size - _finite(values)):
            self._has_gaps = True
            report(
                f"{where}: {gaps} of {values.size} values are not finite (NaN or infinite); from there on NaN is shown "
                "as black; fill them first, or leave the place out with --exclude"
            )
        if not self._is_cut and (line := stretch.beyond(values, where)):
            self._is_cut = True
            report(line)


def checked(given: Any) -> Pair:
    """Return a range as two floats.

    Raises
    ------
    OptionError
        It is not two finite numbers, the lower first.
    """
    try:
        low, high = map(float, given)
    except (TypeError, ValueError, OverflowError):
        low, high = 0.0, 0.0
    if not (low < high and np.isfinite(high - low)):
        raise OptionError(f"range must be two finite numbers, the lower first, got {given!r}")
    return low, high


def _used(picture: NDArray[Any]) -> tuple[float, float] | None:
    finite = _without_gaps(picture)
    return (float(finite.min()), float(finite.max())) if finite.size else None


def _without_gaps(values: NDArray[Any]) -> NDArray[Any]:
    """Return the finite values: *values* themselves, not a copy, where all are."""
    if values.dtype.kind != "f" or (finite := np.isfinite(values)).all():
        return values
    return values[finite]


def _finite(values: NDArray[Any]) -> int:
    return int(np.count_nonzero(np.isfinite(values)))
