"""The stages of a run, each with what takes its place when it is left out."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmark.regularised import markov_field, total_variation
from bgsub.background.ground.search import Ground
from bgsub.background.model import BackgroundModel
from bgsub.frames.grid import Grid
from bgsub.masks.dynamic_background import SceneActivity
from bgsub.masks.thresholds import Thresholds

Make = Callable[[Any], Any]
"""From what stands at a place to what stands there instead."""


@dataclass(frozen=True, slots=True)
class First:
    """What the run with everything on has done on a sequence.

    Attributes
    ----------
    models
        The backgrounds it fitted.
    grounds
        What the search for the ground found in each.
    lights
        Of every component felt by enough of the picture, whether it was light.
    """

    models: list[BackgroundModel] = field(default_factory=list)
    grounds: list[Ground] = field(default_factory=list)
    lights: list[bool] = field(default_factory=list)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note what a run inside the block does."""
        with (
            replaced("bgsub.background.model", "fit_background", partial(_noting, self.models)),
            replaced("bgsub.background.fit", "find_ground", partial(_noting, self.grounds)),
            replaced("bgsub.background.light.components", "is_light", partial(_noting, self.lights)),
        ):
            yield

    @contextmanager
    def kept(self, threshold: float | None) -> Iterator[None]:
        """Let a run inside the block take these backgrounds instead of fitting new ones."""
        models = iter(self.models)

        def take(*_: Any) -> BackgroundModel:
            # A copy prepares its thresholds anew.
            return replace(next(models), threshold=threshold)

        with replaced("bgsub.background.model", "fit_background", lambda _: take):
            yield

    @property
    def is_still(self) -> bool:
        """Whether the camera was found to stand still."""
        return all(model.stabilise == "off" for model in self.models)

    @property
    def is_flat(self) -> bool:
        """Whether no component was kept."""
        return not any(model.rank for model in self.models)


def _noting(found: list[Any], function: Any) -> Any:
    def run(*given: Any, **named: Any) -> Any:
        found.append(function(*given, **named))
        return found[-1]

    return run


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
    same
        Whether the background without the stage is the same, by what the run with everything on has done.
    masks
        Whether masks on the same background are others.
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    owner: str = ""
    attribute: str = ""
    make: Make | None = None
    same: Callable[[First], bool] = lambda _: False
    masks: bool = False

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
        return Ground.nothing(median, grid.shape)

    return find


def _nowhere(_: Any) -> Any:
    return lambda flicker, *_, **__: np.zeros(flicker.shape, bool)


def _smooth_flicker(_: Any) -> Any:
    def allowed_deviation(activity: SceneActivity) -> NDArray[np.float32]:
        return activity.smooth_flicker

    return property(allowed_deviation)


def _one_threshold(of: Any) -> Any:
    def levels(*given: Any, **named: Any) -> Thresholds:
        found: Thresholds = of(*given, **named)
        # The very same array: that is how one level for both is told.
        return replace(found, high=found.low)

    return staticmethod(levels)


def _any_size(clean: Any) -> Any:
    return lambda mask, _, *rest: clean(mask, 0, *rest)


def _not_watched(_: Any) -> Any:
    return lambda watched: ((frame, False) for frame in watched)


def _mask(name: str, owner: str, attribute: str, make: Make) -> Stage:
    return Stage(name, {}, f"bgsub.masks.{owner}", attribute, make, lambda _: True, masks=True)


STAGES = (
    Stage("default"),
    Stage("stabilise", {"stabilise": "off"}, same=lambda first: first.is_still),
    Stage(
        "change-points",
        {},
        "bgsub.frames.changes.watch:Watched",
        "watched",
        _not_watched,
        lambda first: len(first.models) == 1,
    ),
    Stage(
        "ground",
        {},
        "bgsub.background.fit",
        "find_ground",
        _median_is_ground,
        lambda first: not any(ground.changed for ground in first.grounds),
    ),
    Stage("rank-0", {"rank": 0}, same=lambda first: first.is_flat),
    Stage("rank-1", {"rank": 1}),
    Stage(
        "light",
        {},
        "bgsub.background.light.components",
        "is_light",
        lambda _: lambda _: True,
        lambda first: all(first.lights),
    ),
    Stage("colour", {"gray": True}),
    Stage(
        "sensor-noise",
        {},
        "bgsub.background.scene.frame_to_frame",
        "measure_sensor_noise",
        lambda _: lambda _, flicker, *__: np.zeros_like(flicker),
        lambda first: not any(model.activity.sensor_noise.any() for model in first.models),
    ),
    _mask("dynamic-background", "thresholds", "find_dynamic", _nowhere),
    _mask("deviation", "dynamic_background:SceneActivity", "allowed_deviation", _smooth_flicker),
    _mask("hysteresis", "thresholds:Thresholds", "of", _one_threshold),
    _mask("median-filter", "clean", "median", lambda _: np.copy),
    _mask("markov-field", "clean", "median", lambda _: markov_field),
    _mask("total-variation", "clean", "median", lambda _: total_variation),
    _mask("areas", "detector", "clean", _any_size),
    _mask("small-objects", "small_objects:Persistence", "__call__", lambda _: lambda _, mask, __: mask),
    Stage(
        "before",
        {"threshold": 25.0, "rank": 0, "stabilise": "off"},
        same=lambda first: first.is_still and first.is_flat,
        masks=True,
    ),
)
"""Everything on; one stage at a time left out, in the order of a run; and what there was before all of them."""
