"""A fitted background as data: what a fit leaves, a file keeps and a separator is prepared from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.background.fit_report import FitReport
from bgsub.background.scene.noise import LEVELS, OUTLIERS
from bgsub.background.stabilise.surround import MOST
from bgsub.errors import InputError, OptionError
from bgsub.frames.grid import Grid
from bgsub.frames.source import Image
from bgsub.masks.decisions import DECIDED
from bgsub.masks.shade import DEEPEST
from bgsub.options.table import Options

WHITE = 255.0
KINDS = ("off", "translation", "affine")
"""Of motion, as a fit has decided."""
SLACK = 1e-5
"""Of a range: what rounding to single precision may add to a mean of values within it."""
BEYOND = 10.0
"""Times the length of a white picture: coefficients along orthonormal components that no converging fit comes near."""
LARGEST = 1e38
"""Of the values that single precision holds."""
ORTHONORMAL = 0.01
"""Most that an inner product of components may be off: a hundred times what is left by the rounding of a large fit."""
LARGEST_OUTLIER = OUTLIERS * 1.5 * LEVELS
"""Grey levels: where half of all entries lie as far from the centre as they can, σ is 1.4826 times that."""


@dataclass(frozen=True, eq=False, repr=False)
class Background:
    """x(c) = offset + components·c, with what is needed to tell foreground from noise.

    Attributes
    ----------
    grid
        Which pixels of a picture the rows are.
    offset
        ``(rows,)`` float32, grey levels.
    components
        ``(rows, rank)`` float32, orthonormal columns.
    typical
        ``(rank,)`` float32: median coefficients of the fitted frames; the background picture is x(typical).
    outlier
        Grey levels beyond which a deviation is no noise.
    ordinary
        ``(height, width)`` float32 of the region, grey levels: what the empty scene deviates by at each place.
    shade
        ``(1 + channels,)`` float32, or none: what shadows look like, as :attr:`.Shade.values`.
    level
        Differences beyond so many times *ordinary* are foreground.
    stabilise, reference
        Kind of motion that frames are registered by, and the picture of the region they are registered against with a
        margin, the same on all sides, of what was seen around it; "off" and None for a camera that stands still.
    threshold
        Fixed threshold in grey levels, or None for one that follows *ordinary*.
    sensitivity
        What *level* is divided by.
    shadows
        "keep", "drop" or "mark": whether cast shadows are part of the mask.
    min_area
        Smallest object in pixels, or None for 1/10,000 of the picture.
    seed
        Of the rows that coefficients are found on.
    report
        How the model came about, with the certificate of the optimisation.

    Raises
    ------
    InputError
        A part has a shape, a type or a value that no fit leaves.
    """

    grid: Grid
    offset: NDArray[np.float32]
    components: NDArray[np.float32]
    typical: NDArray[np.float32]
    outlier: float
    ordinary: NDArray[np.float32]
    shade: NDArray[np.float32]
    level: float
    stabilise: str
    reference: Image | None
    threshold: float | None
    sensitivity: float
    shadows: str
    min_area: int | None
    seed: int
    report: FitReport

    def __post_init__(self) -> None:
        _check(self)

    def __repr__(self) -> str:
        height, width = self.grid.shape
        kind = "colour" if self.grid.channels == 3 else "gray"
        return (
            f"<{type(self).__name__} of {width} × {height} pixels in {kind}, rank {self.rank}, fitted on "
            f"{self.report.columns} of {self.report.frames} frames>"
        )

    @property
    def rank(self) -> int:
        """Number of components beyond the offset."""
        return int(self.components.shape[1])


def _check(background: Background) -> None:
    """Raise InputError when a part of *background* has a shape, a type or a value that no fit leaves."""
    _check_options(background)
    _check_shapes(background)
    grid = background.grid
    _within("offset", background.offset, 0, WHITE)
    _check_components(background.components)
    # A radius τ that was asked for is all that holds a fit back which it is too large for.
    farthest = min(max(BEYOND * WHITE * math.sqrt(grid.rows), background.report.tau or 0), LARGEST)
    _within("typical", background.typical, -farthest, farthest)
    _within("ordinary", background.ordinary, 0, WHITE)
    _within("shade", background.shade, DEEPEST, -DEEPEST)
    low, high = DECIDED.range
    if not low <= background.level <= high:
        raise InputError(
            f"level of a background model must be between {low:g} and {high:g}, got {background.level:g}"
        )
    if not 0 < background.outlier <= LARGEST_OUTLIER:
        raise InputError(
            f"outlier of a background model must be above 0 and at most {LARGEST_OUTLIER:g}, got {background.outlier:g}"
        )
    _check_reference(background.reference, background.stabilise, grid)


def _check_options(background: Background) -> None:
    """Check what masks are decided by, as the option table does."""
    for name in ("threshold", "sensitivity", "shadows", "min_area", "seed"):
        try:
            Options(**{name: getattr(background, name)})
        except OptionError as error:
            raise InputError(f"{name} of a background model: {error}") from None


def _check_shapes(background: Background) -> None:
    grid, components = background.grid, background.components
    rank = components.shape[-1] if components.ndim else 0
    expected: dict[str, tuple[int, ...]] = {
        "offset": (grid.rows,),
        "components": (grid.rows, rank),
        "typical": (rank,),
    }
    expected["ordinary"] = grid.shape
    expected["shade"] = (2 + grid.channels,) if background.shade.size else (0,)
    for name, shape in expected.items():
        array = getattr(background, name)
        if array.shape != shape or array.dtype != np.float32:
            raise InputError(
                f"{name} of a background model must be float32 of shape {shape}, got {array.dtype} {array.shape}"
            )


def _within(name: str, array: NDArray[np.float32], least: float, most: float) -> None:
    """Check that all values are numbers from *least* to *most*."""
    slack = SLACK * (most - least)
    # The least and the largest are NaN where any value is.
    if array.size and not (float(array.min()) >= least - slack and float(array.max()) <= most + slack):
        wrong = array[~((array >= least - slack) & (array <= most + slack))]
        raise InputError(
            f"{name} of a background model must lie between {least:g} and {most:g}, got {wrong[0]:g} "
            f"at {len(wrong)} of {array.size} places"
        )


def _check_components(components: NDArray[np.float32]) -> None:
    _within("components", components, -1, 1)
    off: Any = np.abs(components.T @ components - np.eye(components.shape[1], dtype=np.float32))
    if (most := float(off.max(initial=0))) > ORTHONORMAL:
        raise InputError(
            f"components of a background model must be orthonormal, but an inner product is off by {most:g}"
        )


def _check_reference(reference: Image | None, kind: str, grid: Grid) -> None:
    """Check that there is a picture exactly where there is a motion, of the region and an even margin."""
    if kind not in KINDS:
        raise InputError(f"stabilise of a background model must be one of {', '.join(KINDS)}, got {kind!r}")
    if (reference is None) != (kind == "off"):
        needed = "must be left out" if kind == "off" else "is needed"
        raise InputError(f"reference of a background model {needed} where stabilise is {kind}")
    if reference is None:
        return
    (height, width), channels = grid.shape, ((3,) if grid.color else ())
    margin = (reference.shape[0] - height) // 2 if reference.ndim else -1
    fits = reference.shape == (height + 2 * margin, width + 2 * margin, *channels)
    if reference.dtype != np.uint8 or not (fits and 0 <= margin <= MOST):
        raise InputError(
            f"reference of a background model must be uint8 of shape {(height, width, *channels)} with a margin of "
            f"at most {MOST} pixels, the same on all sides, got {reference.dtype} {reference.shape}"
        )
