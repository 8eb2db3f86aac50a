"""The stages of a run, each with what takes its place when it is left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmark.regularised import markov_field, total_variation
from benchmark.replaced import Make, replaced
from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image
from bgsub.masks.decisions import DECIDED
from bgsub.masks.significance import AREA


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage that can be left out, by options or by one function in the place of another.

    Attributes
    ----------
    name
        Key of :data:`benchmark.names.ABLATIONS`.
    options
        Fields of :class:`bgsub.Options`.
    owners, attribute
        The modules or class, as ``package.module[:Class]``, and what of them is replaced.
    make
        What it is replaced by; None for nothing.
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    owners: tuple[str, ...] = ()
    attribute: str = ""
    make: Make | None = None

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """Do without what the stage replaces, inside the block; its options are for the caller to pass on."""
        with ExitStack() as stack:
            for owner in self.owners if self.make else ():
                assert self.make is not None
                stack.enter_context(replaced(owner, self.attribute, self.make))
            yield


def _not_watched(_: Any) -> Any:
    return lambda watched: ((frame, False) for frame in watched)


def _always_at_rest(_: Any) -> Any:
    return lambda changes, *_, **__: np.ones(changes.shape, bool)


def _no_ghosts(_: Any) -> Any:
    return lambda pictures, background, *_, **__: np.zeros((len(pictures), *background.shape[:2]), bool)


def _unlit(_: Any) -> Any:
    return lambda _, image, background: background


def _of_pixels(_: Any) -> Any:
    def local_difference(
        image: Image, background: Image, difference: NDArray[np.uint8] | None = None
    ) -> NDArray[np.uint16]:
        own = channel_difference(image, background) if difference is None else difference
        return own * np.uint16(AREA)

    return local_difference


def _same_everywhere(ordinary_deviation: Any) -> Any:
    def of_picture(
        residuals: NDArray[np.float32], inside: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float32]:
        found = ordinary_deviation(residuals, inside)
        return np.full_like(found, np.median(found if inside is None else found[inside]))

    return of_picture


def _any_size(clean: Any) -> Any:
    return lambda mask, _, *rest: clean(mask, 0, *rest)


def _function(name: str, owner: str, attribute: str, make: Make) -> Stage:
    return Stage(name, {}, tuple(f"bgsub.{each}" for each in owner.split()), attribute, make)


STAGES = (
    Stage("default"),
    Stage("stabilise", {"stabilise": "off"}),
    _function("change-points", "frames.changes.watch:Watched", "watched", _not_watched),
    _function("stillness", "background.ground.search", "at_rest", _always_at_rest),
    _function("ghosts", "background.ground.search", "ghosts", _no_ghosts),
    Stage("rank-0", {"rank": 0}),
    Stage("rank-1", {"rank": 1}),
    _function("coverage", "background.light.components", "is_light", lambda _: lambda _: True),
    _function("frame-light", "background.light.relight:FrameLight", "lit", _unlit),
    Stage("colour", {"gray": True}),
    _function("window", "background.scene.judged masks.detector", "local_difference", _of_pixels),
    _function("place", "background.scene.judged", "ordinary_deviation", _same_everywhere),
    _function("valley", "background.scene.judged", "stable_level", lambda _: lambda *_: DECIDED.level),
    _function("median-filter", "masks.clean", "median", lambda _: np.copy),
    _function("markov-field", "masks.clean", "median", lambda _: markov_field),
    _function("total-variation", "masks.clean", "median", lambda _: total_variation),
    _function("areas", "masks.detector", "clean", _any_size),
    Stage("shadows", {"shadows": "keep"}),
    _function(
        "small-objects", "masks.small_objects:Persistence", "__call__", lambda _: lambda _, mask, __: mask
    ),
    Stage("before", {"threshold": 25.0, "rank": 0, "stabilise": "off"}),
)
"""Everything on; one stage at a time left out, in the order of a run; and what there was before all of them."""
