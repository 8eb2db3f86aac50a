"""Putting a scene together, frame by frame: the empty view, who is in it, the light, the camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scene.geometry import REFERENCE_HEIGHT
from scene.plate import Occluder
from scene.render import label
from scene.sprite import Box, Part, Placement, draw_fine, laid_down
from scene.texture import Picture

from scenes.cast import Role
from scenes.clip import Clip, Take

OVERSAMPLING = 4
LENS_BLUR = 0.55
"""Standard deviation in pixels: edges of things are as soft as those of the painted ground."""

SHUTTER = 0.4
"""Part of a frame during which the shutter is open: what moves is blurred along its way."""

GLOW_LABEL = 8.0
"""Grey levels of moving light from which a pixel is not scored."""

_MARGIN = 4


@dataclass(frozen=True, slots=True)
class View:
    """The empty scene in one frame.

    Attributes
    ----------
    picture
        ``(rows, columns, 3)`` float32 grey levels before the light; larger than the frame when the camera shakes.
    occluders
        What hides things that stand behind it.
    gain, offset
        The light: gain · picture + offset; each a number or an array that fits the picture.
    glow
        ``(rows, columns, 3)`` grey levels that moving lamps add; not part of the background, not scored.
    shake
        ``(2, 3)``: frame coordinates → picture coordinates; None for a camera that stands still.
    either
        ``(rows, columns)`` bool, where background and foreground are both right answers; not scored.
    """

    picture: Picture
    occluders: tuple[Occluder, ...] = ()
    gain: float | Picture = 1.0
    offset: float = 0.0
    glow: Picture | None = None
    shake: NDArray[np.float64] | None = None
    either: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class Camera:
    """Noise and shadows.

    The variance of the noise is floor² + root² · level; *shadow* is the share of the light that a shadow takes.
    """

    floor: float = 1.9
    root: float = 0.14
    shadow: float = 0.15


@dataclass(slots=True)
class _Layers:
    picture: Picture
    background: Picture
    alpha: Picture
    shadow: Picture


def shoot(
    view: Callable[[int], View], cast: Sequence[Role], take: Take, camera: Camera | None = None
) -> Clip:
    """Make a clip.

    Parameters
    ----------
    view
        Frame number → the empty scene.
    cast
        Who comes by.
    take
        Size, length and seed; the noise is drawn from its stream 1000 + t.
    camera
        Noise and shadows.
    """
    n, size = take.frames, take.shape
    clip = Clip(
        np.empty((n, *size, 3), np.uint8), np.empty((n, *size), np.uint8), np.empty((n, *size, 3), np.uint8)
    )
    for t, (frame, labels, background) in enumerate(rolled(view, cast, take, camera)):
        clip.frames[t], clip.labels[t], clip.backgrounds[t] = frame, labels, background
    return clip


def rolled(
    view: Callable[[int], View], cast: Sequence[Role], take: Take, camera: Camera | None = None
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]]:
    """Yield frame, labels and background of each frame of :func:`shoot`, for clips that no memory holds."""
    camera, n = camera or Camera(), take.frames
    for t in range(n):
        seen = view(t)
        layers = _through_the_lens(_compose(seen, cast, t / n, 1 / n, camera), seen, take.shape)
        labels = label(layers.alpha, layers.shadow)
        if seen.glow is not None:
            labels[(seen.glow.max(axis=2) > GLOW_LABEL) & (labels < 255)] = 170
        if seen.either is not None:
            labels[seen.either & (labels < 255)] = 170
        noisy = layers.picture + _noise(layers.picture, take.rng(1000 + t), camera)
        yield _round(noisy), labels, _round(layers.background)


def placement(role: Role, time: float, unit: float) -> Placement:
    """Return where *role* is, in pixels of the picture."""
    place = role.at(time)
    return Placement(place.x * unit, place.y * unit, place.scale * unit, place.facing)


def _compose(seen: View, cast: Sequence[Role], time: float, step: float, camera: Camera) -> _Layers:
    shape, unit = seen.picture.shape[:2], seen.picture.shape[0] / REFERENCE_HEIGHT
    alpha, shadow = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    placed = [(placement(role, time, unit), role) for role in cast if role.present(time)]
    present = [(place, role) for place, role in placed if _in_sight(place, role, shape[1])]
    present.sort(key=lambda entry: entry[0].y)
    built = [role.build(role.travelled(time)) for _, role in present]
    for (place, role), parts in zip(present, built, strict=True):
        if camera.shadow and role.casts:
            _cast_shadow(shadow, laid_down(parts, place), place, role.casts, unit)
    picture = seen.picture * (1 - camera.shadow * shadow)[..., None]
    for (place, role), parts in zip(present, built, strict=True):
        speed = role.at(time + step).x * unit - place.x
        if drawn := _drawn(parts, place, shape):
            _paint(picture, alpha, seen.occluders, (_blurred(drawn[0], speed), drawn[1], place.y))
    lit = np.asarray(seen.gain * picture + seen.offset, np.float32)
    if seen.glow is not None:
        lit += seen.glow
    return _Layers(lit, np.asarray(seen.gain * seen.picture + seen.offset, np.float32), alpha, shadow)


def _in_sight(place: Placement, role: Role, width: int) -> bool:
    reach = role.reach * place.scale
    return -reach < place.x < width + reach


def _drawn(parts: list[Part], place: Placement, shape: tuple[int, int]) -> tuple[Picture, Box] | None:
    drawn = draw_fine(parts, place, shape, OVERSAMPLING, _MARGIN)
    if drawn is None:
        return None
    fine, (x0, y0, x1, y1) = drawn
    return np.asarray(cv2.resize(fine, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)), drawn[1]


def _blurred(patch: Picture, speed: float) -> Picture:
    along = float(np.hypot(LENS_BLUR, SHUTTER * min(abs(speed), 6.0) / np.sqrt(12)))
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), along, sigmaY=LENS_BLUR))


def _paint(
    picture: Picture, alpha: Picture, occluders: Sequence[Occluder], sprite: tuple[Picture, Box, float]
) -> None:
    patch, (x0, y0, x1, y1), ground = sprite
    for occluder in occluders:
        if occluder.ground > ground:
            patch = patch * (1 - occluder.alpha[y0:y1, x0:x1, None])
    cover = patch[..., 3]
    picture[y0:y1, x0:x1] *= (1 - cover)[..., None]
    picture[y0:y1, x0:x1] += patch[..., :3]
    alpha[y0:y1, x0:x1] = 1 - (1 - alpha[y0:y1, x0:x1]) * (1 - cover)


def _cast_shadow(shadow: Picture, laid: list[Part], place: Placement, share: float, unit: float) -> None:
    if drawn := _drawn(laid, place, shadow.shape):
        patch, (x0, y0, x1, y1) = drawn
        soft = cv2.GaussianBlur(np.ascontiguousarray(patch[..., 3]), (0, 0), max(1.2 * unit, 0.5))
        shadow[y0:y1, x0:x1] = np.maximum(shadow[y0:y1, x0:x1], share * soft)


def _through_the_lens(layers: _Layers, seen: View, size: tuple[int, int]) -> _Layers:
    """Bring everything from the picture's coordinates to the frame's; truth and picture by the same formula."""
    if seen.shake is None:
        return layers
    shake = seen.shake

    def warp(picture: Picture) -> Picture:
        how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpAffine(picture, shake, size[::-1], flags=how, borderMode=cv2.BORDER_REPLICATE)
        )

    return _Layers(*(warp(p) for p in (layers.picture, layers.background, layers.alpha, layers.shadow)))


def _noise(picture: Picture, rng: np.random.Generator, camera: Camera) -> Picture:
    """Return sensor noise, half of its variance common to the colours (as demosaicing and chroma filters leave it)."""
    sigma = np.sqrt(camera.floor**2 + camera.root**2 * np.clip(picture, 0, 255))
    common = rng.standard_normal((*picture.shape[:2], 1), dtype=np.float32)
    own = rng.standard_normal(picture.shape, dtype=np.float32)
    return np.asarray(sigma * np.float32(np.sqrt(0.5)) * (common + own), np.float32)


def _round(picture: Picture) -> NDArray[np.uint8]:
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)
