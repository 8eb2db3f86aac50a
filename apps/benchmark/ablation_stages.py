"""The stages of a run, each with what takes its place when it is left out."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.background.ground import Ground
from bgsub.frames.grid import Grid
from bgsub.masks.levels import Levels
from bgsub.masks.unrest import Unrest

Make = Callable[[Any], Any]
"""From what stands at a place to what stands there instead."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage that can be left out, by options or by one function in the place of another.

    Attributes
    ----------
    name
        Key of :data:`benchmark.names.ABLATIONS`.
    options
        Fields of :class:`bgsub.Options`.
    owner, attribute
        The module or class, as ``package.module[:Class]``, and what of it is replaced; empty for nothing.
    make
        What it is replaced by.
    refits
        Whether the background may be another one; without it only masks are.
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    owner: str = ""
    attribute: str = ""
    make: Make | None = None
    refits: bool = True

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """Do without what the stage replaces, inside the block; its options are for the caller to pass on."""
        if self.make is None:
            yield
            return
        with replaced(self.owner, self.attribute, self.make):
            yield


@contextmanager
def replaced(owner: str, attribute: str, make: Make) -> Iterator[None]:
    """Let *attribute* of *owner* be what *make* makes of it, inside the block, for all threads."""
    place = pkgutil.resolve_name(owner)
    # From the class itself: what getattr gives of a class method is bound, and could not be put back.
    kept = vars(place)[attribute]
    setattr(place, attribute, make(getattr(place, attribute)))
    try:
        yield
    finally:
        setattr(place, attribute, kept)


def _median_is_ground(_: Any) -> Any:
    def find(_: NDArray[np.uint8], median: NDArray[np.float32], grid: Grid, *__: Any, **___: Any) -> Ground:
        return Ground(median, np.zeros(grid.shape, bool))

    return find


def _nowhere(_: Any) -> Any:
    return lambda flicker, *_, **__: np.zeros(flicker.shape, bool)


def _swell(_: Any) -> Any:
    def sway(unrest: Unrest) -> NDArray[np.float32]:
        return unrest.swell

    return property(sway)


def _all_certain(of: Any) -> Any:
    def levels(*given: Any, **named: Any) -> Levels:
        found = of(*given, **named)
        # The very same array: that is how one level for both is told.
        return replace(found, certain=found.low)

    return staticmethod(levels)


def _any_size(clean: Any) -> Any:
    return lambda mask, _, *rest: clean(mask, 0, *rest)


def _not_watched(_: Any) -> Any:
    return lambda watched: ((frame, False) for frame in watched)


STAGES = (
    Stage("default"),
    Stage("stabilise", {"stabilise": "off"}),
    Stage("change-points", {}, "bgsub.frames.watch:Watched", "watched", _not_watched),
    Stage("ground", {}, "bgsub.background.fit", "find_ground", _median_is_ground),
    Stage("rank-0", {"rank": 0}),
    Stage("rank-1", {"rank": 1}),
    Stage("light", {}, "bgsub.background.components", "is_light", lambda _: lambda _: True),
    Stage("colour", {"gray": True}),
    Stage("restless", {}, "bgsub.masks.levels", "restless", _nowhere, refits=False),
    Stage("spread", {}, "bgsub.masks.unrest:Unrest", "sway", _swell, refits=False),
    Stage("hysteresis", {}, "bgsub.masks.levels:Levels", "of", _all_certain, refits=False),
    Stage("median-filter", {}, "bgsub.masks.clean", "median", lambda _: np.copy, refits=False),
    Stage("areas", {}, "bgsub.masks.judge", "clean", _any_size, refits=False),
    Stage(
        "specks",
        {},
        "bgsub.masks.specks:Persistence",
        "__call__",
        lambda _: lambda _, mask, __: mask,
        refits=False,
    ),
    Stage("before", {"threshold": 25.0, "rank": 0, "stabilise": "off"}),
)
"""Everything on; one stage at a time left out, in the order of a run; and what there was before all of them."""
