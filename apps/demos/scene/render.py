"""The scene: every frame with its exact background and labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scene.geometry import REFERENCE_HEIGHT
from scene.plate import paint_plate
from scene.sprite import Placement, Sprite, draw, shadow_of
from scene.traffic import CYCLE, Actor, one_round

SHADOW_STRENGTH = 0.17
"""Share of the light that a moving thing's shadow takes away."""

SHADOW_LABEL = 0.45
"""Share of the shadow from which a pixel is labelled; not one half, where straight edges give ties."""

GAIN_SWING = 0.08
OFFSET_SWING = 3.0
"""Grey levels."""

NOISE_FLOOR = 1.9
NOISE_PER_ROOT_LEVEL = 0.17
"""Sensor noise: variance = floor² + (root · √level)²; 2.0 grey levels in the dark, 3.0 at level 190."""


@dataclass(frozen=True, slots=True)
class SceneFrame:
    """One frame and the truth about it.

    Attributes
    ----------
    image
        ``(height, width, 3)`` uint8 RGB, with noise.
    clean_background
        ``(height, width, 3)`` uint8 RGB: the empty scene under this frame's light, without noise or moving
        shadow.
    labels
        ``(height, width)`` uint8, CDnet: 255 where moving things cover 90 % of the pixel or more, 170 where they
        cover 10 to 90 %, 50 where 45 % or more of a moving shadow falls, 0 elsewhere.
    alpha, shadow
        ``(height, width)`` float32, 0–1: coverage by moving things, and the share of a moving shadow's strength
        (:data:`SHADOW_STRENGTH`) that falls there.
    """

    image: NDArray[np.uint8]
    clean_background: NDArray[np.uint8]
    labels: NDArray[np.uint8]
    alpha: NDArray[np.float32]
    shadow: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Light:
    """What the light does to every pixel of a frame: ``gain`` · level + ``offset``."""

    gain: float
    offset: float


class Scene:
    """A street under a static camera; the same arguments give the same frames.

    Parameters
    ----------
    seed
        Decides the surfaces, the colours and moments of the traffic, and the noise.
    frames
        Length of the clip, at least 2.
    width, height
        Pixels; even, because H.264 stores colour at half the size, and at least 64.
    """

    def __init__(self, seed: int = 2, frames: int = 240, width: int = 320, height: int = 240) -> None:
        if frames < 2 or seed < 0:
            raise ValueError(f"a scene needs at least 2 frames and a seed from 0 on, not {frames} and {seed}")
        if width < 64 or height < 64 or width % 2 or height % 2:
            raise ValueError(f"width and height must be even and at least 64, not {width} and {height}")
        self.seed, self.frames, self.width, self.height = seed, frames, width, height
        self._unit = height / REFERENCE_HEIGHT
        self._cycle = min(frames, CYCLE)
        self.plate = paint_plate(np.random.default_rng([seed, 0]), width, height)
        rounds = -(-frames // self._cycle)
        self._traffic = [one_round(np.random.default_rng([seed, 1, k])) for k in range(rounds)]

    def light(self, t: int) -> Light:
        """Return the light of frame *t*: a cloud that passes once, and a slower change of the black level."""
        phase = t / self.frames
        gain = 1.0 + GAIN_SWING * float(np.sin(2 * np.pi * phase + 0.6))
        return Light(gain, OFFSET_SWING * float(np.cos(3 * np.pi * phase)))

    def background(self, t: int) -> NDArray[np.uint8]:
        """Return the empty scene under the light of frame *t*: the plate, lit and rounded."""
        return _expose(self.plate.image.astype(np.float64), self.light(t))

    def render(self, t: int) -> SceneFrame:
        """Return frame *t*, 0 to ``frames`` − 1; frames can be rendered in any order.

        Raises
        ------
        IndexError
            There is no frame *t*.
        """
        if not 0 <= t < self.frames:
            raise IndexError(f"frame {t} is outside 0–{self.frames - 1}")
        sprites, shadow = self._draw(t)
        picture = self.plate.image * (1.0 - SHADOW_STRENGTH * shadow[..., None].astype(np.float64))
        uncovered = np.ones(shadow.shape, np.float64)
        for sprite in sorted(sprites, key=lambda s: s.ground):
            seen = self._seen(sprite)
            picture = picture * (1 - sprite.alpha * seen)[..., None] + sprite.colour * seen[..., None]
            uncovered *= 1 - sprite.alpha * seen
        alpha = (1 - uncovered).astype(np.float32)
        light = self.light(t)
        image = self._sensor(light.gain * picture + light.offset, t)
        return SceneFrame(image, self.background(t), label(alpha, shadow), alpha, shadow)

    def _draw(self, t: int) -> tuple[list[Sprite], NDArray[np.float32]]:
        shape = (self.height, self.width)
        shadow = np.zeros(shape, np.float32)
        sprites = []
        for actor, time in self._on_the_way(t):
            reference = actor.placement(time, self.width / self._unit)
            place = Placement(
                reference.x * self._unit,
                reference.y * self._unit,
                reference.scale * self._unit,
                reference.facing,
            )
            parts = actor.build(actor.travelled(time, self.width / self._unit))
            sprite = draw(parts, place, shape)
            sprites.append(sprite)
            fallen = shadow_of(parts, place, shape, self._unit) * self._seen(sprite)
            shadow = np.maximum(shadow, fallen)
        return sprites, shadow

    def _on_the_way(self, t: int) -> list[tuple[Actor, float]]:
        """Return who is on the way; someone may enter before a round begins or leave after it ends."""
        now = t / self._cycle
        found = []
        for number, actors in enumerate(self._traffic):
            found += [(actor, now - number) for actor in actors if actor.present(now - number)]
        return found

    def _seen(self, sprite: Sprite) -> NDArray[np.float32]:
        """Return how much of each pixel is not hidden by a part of the plate that stands nearer."""
        seen = np.ones_like(sprite.alpha)
        for occluder in self.plate.occluders:
            if occluder.ground > sprite.ground:
                seen *= 1 - occluder.alpha
        return seen

    def _sensor(self, picture: NDArray[np.float64], t: int) -> NDArray[np.uint8]:
        rng = np.random.default_rng([self.seed, 2, t])
        sigma = np.sqrt(NOISE_FLOOR**2 + NOISE_PER_ROOT_LEVEL**2 * np.clip(picture, 0, 255))
        return _round(picture + sigma * rng.standard_normal(picture.shape))


def label(alpha: NDArray[np.float32], shadow: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return the CDnet labels that follow from coverage and shadow; see :class:`SceneFrame`."""
    labels = np.where(shadow >= SHADOW_LABEL, 50, 0)
    labels = np.where(alpha > 0.1, 170, labels)
    return np.where(alpha >= 0.9, 255, labels).astype(np.uint8)


def _expose(picture: NDArray[np.float64], light: Light) -> NDArray[np.uint8]:
    return _round(light.gain * picture + light.offset)


def _round(picture: NDArray[np.float64]) -> NDArray[np.uint8]:
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)
