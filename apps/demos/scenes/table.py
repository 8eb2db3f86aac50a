"""All scenes by name."""

from __future__ import annotations

from collections.abc import Callable

from scenes import (
    busy_counter,
    camera_jitter,
    crowd,
    gradual_light,
    light_switch,
    night_noise,
    removed_object,
    shadow,
    standing_person,
    tiny_objects,
    water,
    waving_trees,
)
from scenes.clip import Clip, Take

SCENES: dict[str, Callable[[Take], Clip]] = {
    "busy_counter": busy_counter.make,
    "camera_jitter": camera_jitter.make,
    "crowd": crowd.make,
    "gradual_light": gradual_light.make,
    "light_switch": light_switch.make,
    "night_noise": night_noise.make,
    "removed_object": removed_object.make,
    "shadow": shadow.make,
    "standing_person": standing_person.make,
    "tiny_objects": tiny_objects.make,
    "water": water.make,
    "waving_trees": waving_trees.make,
}
"""Name → the function that makes the scene."""
