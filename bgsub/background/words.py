"""What a fit has found, in plain words; the mathematics are the reasons of its report."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from bgsub.background.data import Background
from bgsub.background.fit_report import FitReport
from bgsub.base.plural import count_of, plural
from bgsub.masks.shade import Shade
from bgsub.masks.thresholds import Thresholds

RESTLESS = 1.5
"""Times what most of the picture deviates by: a place of which this is worth telling."""
CAMERA = {
    "off": "stands still",
    "translation": "shakes; frames are shifted onto one view",
    "affine": "shakes; frames are shifted, turned and scaled onto one view",
}


def in_words(background: Background, thresholds: Thresholds) -> tuple[str, ...]:
    """Return a line each on the empty scene, the camera, the light, what moves by itself, objects, shadows, the fit."""
    report = background.report
    lines = (
        f"empty scene: {_seen(report)}",
        f"camera: {CAMERA[background.stabilise]}",
        f"light: {_light(background)}",
        _restless(background),
        f"objects: {_objects(background, thresholds)}",
        f"shadows: {_shadows(background)}",
        f"optimum: missed by at most {report.gap / max(report.initial_objective, 1e-12):.2%} of where the fit started",
    )
    return tuple(filter(None, lines))


def notable(background: Background) -> tuple[str, ...]:
    """Return those lines that say that a scene is no ordinary one: a camera that shakes, light or leaves that move."""
    lines = (
        f"camera: {CAMERA[background.stabilise]}" if background.stabilise != "off" else "",
        f"light: {_light(background)}" if background.stabilise == "off" and background.rank else "",
        _restless(background),
    )
    return tuple(filter(None, lines))


def _seen(report: FitReport) -> str:
    if report.given:
        return "as given"
    return f"seen in a fifth of the frames or more in {report.confidence:.1%} of the picture"


def _light(background: Background) -> str:
    if background.stabilise != "off":
        return "found for each frame"
    if background.rank == 0:
        return "steady, or found for each frame where it floods the mask"
    return f"changes, and is followed by {count_of(background.rank, 'component')}"


def _inside(background: Background, values: NDArray[np.float32]) -> NDArray[np.float32]:
    inside = background.grid.inside
    return values.reshape(-1) if inside is None else values[inside]


def _restless(background: Background) -> str:
    ordinary = _inside(background, background.ordinary)
    share = float(np.mean(ordinary > RESTLESS * np.median(ordinary)))
    if share < 0.005:
        return ""
    return f"moves by itself: {share:.0%} of the picture (leaves, water, flicker); more is asked of objects there"


def _objects(background: Background, thresholds: Thresholds) -> str:
    low, median, high = np.quantile(_inside(background, thresholds.limits), (0, 0.5, 1))
    if background.threshold is not None:
        return f"what differs by more than {median:.0f} {plural('grey level', round(median))}, as asked for"
    span = "" if round(low) == round(high) else f" ({low:.0f} to {high:.0f} from place to place)"
    return f"what differs by more than {median:.0f} {plural('grey level', round(median))}{span}"


def _shadows(background: Background) -> str:
    if background.shadows == "keep":
        return "part of objects, as asked for"
    shade = Shade.of_values(background.shade)
    if shade is None:
        return "none are certain, so that none are taken from objects"
    done = "dropped" if background.shadows == "drop" else "marked"
    light = f"{math.exp(shade.darkest):.0%} to {math.exp(shade.brightest):.0%} of its usual light"
    return f"{done} where a place gets {light}"
