"""What a fit has found, told without mathematics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fit_kit import model_of, wall

from bgsub.background.model import BackgroundModel
from bgsub.errors import BgsubWarning
from bgsub.frames.grid import Grid
from bgsub.run.advice import warn_of_doubt

GRID = Grid(48, 36, True)


def model() -> BackgroundModel:
    return replace(model_of(GRID, wall()), shadows="drop")


def told(found: BackgroundModel) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in found.in_words)


def test_a_calm_scene_is_told_in_six_lines() -> None:
    found = told(model())
    assert list(found) == ["empty scene", "camera", "light", "objects", "shadows", "optimum"]
    assert found["camera"] == "stands still"
    assert found["light"].startswith("steady")
    assert found["shadows"].startswith("none are certain")


def test_what_moves_by_itself_is_told_as_a_share_of_the_picture_that_is_looked_at() -> None:
    still = model()
    ordinary = still.ordinary.copy()
    ordinary[:9] = 4.0
    assert told(replace(still, ordinary=ordinary))["moves by itself"].startswith("25% of the picture")
    half = replace(still, grid=Grid(48, 36, True, exclude=(0, 18, 47, 18)), ordinary=ordinary)
    assert told(half)["moves by itself"].startswith("49% of the picture")


def test_thresholds_shadows_and_components_are_told_as_they_are() -> None:
    plain = model()
    assert (
        told(replace(plain, threshold=25.0))["objects"]
        == "what differs by more than 25 grey levels, as asked for"
    )
    assert told(replace(plain, level=6.0))["objects"] == "what differs by more than 6 grey levels"
    uneven = plain.ordinary.copy()
    uneven[0] = 2.0
    assert told(replace(plain, level=6.0, ordinary=uneven))["objects"].endswith(
        "(6 to 12 from place to place)"
    )
    shade = np.array([np.log(0.5), np.log(0.9), 0, 0, 0], np.float32)
    assert (
        told(replace(plain, shade=shade))["shadows"]
        == "dropped where a place gets 50% to 90% of its usual light"
    )
    assert told(replace(plain, shade=shade, shadows="keep"))["shadows"].startswith("part of objects")
    components = np.zeros((GRID.rows, 1), np.float32)
    components[0] = 1
    lit = replace(plain, components=components, typical=np.zeros(1, np.float32))
    assert told(lit)["light"] == "changes, and is followed by 1 component"


def test_a_background_that_is_hardly_seen_is_warned_of() -> None:
    warn_of_doubt(0.96, 0)
    with pytest.warns(BgsubWarning, match=r"from frame 300 on, 6% of the picture .*--background"):
        warn_of_doubt(0.94, 300)
