"""The ground as the user has given it: a picture of the empty scene, brought into the view and light of the footage."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.ground.ghosts import LARGEST
from bgsub.background.ground.search import Ground, picture_of
from bgsub.background.light.relight import WIDTH, in_light, light_between
from bgsub.background.scene.judged import Judge
from bgsub.background.stabilise.lit_warp import lit_as_reference
from bgsub.background.stabilise.registration import Registration
from bgsub.background.stabilise.steady import Steady
from bgsub.background.stabilise.surround import without_margin
from bgsub.errors import InputError
from bgsub.frames.colour import is_gray
from bgsub.frames.difference import channel_difference
from bgsub.frames.grid import Grid
from bgsub.frames.source import Image
from bgsub.masks.significance import level_index, local_difference, log_significance

SMALLEST = 8
"""Times the sides of a picture that those of the footage may be."""


def with_given(
    found: Ground, given: Image, frames: NDArray[np.uint8], steady: Steady, grid: Grid, threads: int = 1
) -> Ground:
    """Return the *given* ground, in the light of the one that was found, and which frames show it where.

    Parameters
    ----------
    found
        What the frames tell by themselves.
    given
        ``(height, width)`` or ``(height, width, 3)`` uint8: the region of the empty scene.
    frames
        ``(n, rows)`` uint8 columns of the segment.
    steady
        How the camera moves: the picture is registered as a frame is.
    grid
        Whose rows these are.
    threads
        To compute with; the result does not depend on it.

    Raises
    ------
    InputError
        The picture is not one of this scene: more than half of it differs from what the frames show.
    """
    scene = picture_of(np.rint(found.centre).astype(np.uint8), grid)
    if is_gray(scene) and given.ndim == 3:
        given = np.repeat(cv2.cvtColor(given, cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2).astype(np.uint8)
    lit = _as_seen(given, scene, steady, grid)
    grid.blank(lit.reshape(1, -1))
    if (apart := _apart(lit, scene, grid)) > LARGEST:
        raise InputError(
            f"--background does not show the scene of this footage: {apart:.0%} of it differs by more than {WIDTH:g} "
            "grey levels from what the frames show most of the time; give a picture of the same view"
        )
    judge = Judge(
        lambda j: (picture_of(frames[found.used[j]], grid), lit),
        found.shown,
        grid.shape,
        grid.inside,
        threads,
    )
    level = judge.level()
    shown = found.shown.copy()
    for j, each in enumerate(shown):
        each[judge.beyond(j, level).reshape(-1) > 0] = 0
    other = log_significance(local_difference(scene, lit), judge.ordinary) > level_index(level)
    return replace(
        found,
        centre=lit.reshape(-1).astype(np.float32),
        shown=shown,
        replaced=found.replaced | other,
        given=True,
    )


def _as_seen(given: Image, scene: Image, steady: Steady, grid: Grid) -> Image:
    """Return the picture in the view of the *scene*, and in its light as gain and offset: a new array."""
    if steady.reference is not None:
        margin = (steady.reference.shape[0] - grid.shape[0]) // 2
        reference = np.ascontiguousarray(without_margin(steady.reference, margin))
        registration = Registration.of(reference, steady.kind, grid.inside)
        given = lit_as_reference(given, registration.register(given), "linear")
    light = light_between(scene, given)
    return given.copy() if light is None else in_light(given, light)


def _apart(picture: Image, scene: Image, grid: Grid) -> float:
    """Return the share of the region in which the picture shows something else."""
    differs = channel_difference(picture, scene) > WIDTH
    return float((differs if grid.inside is None else differs[grid.inside]).mean())


def fitted_to(picture: Image, grid: Grid, name: str) -> Image:
    """Return a *picture* of the whole scene, of any size, as the region of the grid.

    Raises
    ------
    InputError
        Its sides are not those of the footage times one factor, or it is tiny; *name* is told with it.
    """
    (height, width), (wanted_height, wanted_width) = picture.shape[:2], (grid.height, grid.width)
    # One pixel more or less is rounding.
    if abs(height * wanted_width - width * wanted_height) > max(wanted_width, wanted_height, width, height):
        raise InputError(
            f"--background {name} is {width} × {height} pixels, which is another shape than the footage's "
            f"{wanted_width} × {wanted_height}; give a picture of the same view"
        )
    if SMALLEST * width < wanted_width:
        raise InputError(
            f"--background {name} is {width} × {height} pixels, too small for footage of {wanted_width} × "
            f"{wanted_height}; give one of at least an eighth of its size"
        )
    smaller = wanted_height < height
    way = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    resized = cv2.resize(picture, (wanted_width, wanted_height), interpolation=way)
    return picture_of(grid.gather(np.asarray(resized, np.uint8), blank=False), grid)
