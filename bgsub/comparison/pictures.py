"""Error pictures: a few frames of a sequence, each beside the hits and errors of every system."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.comparison.run import Findings, Judged
from bgsub.errors import OutputError
from bgsub.evaluation.counts import BACKGROUND, FOREGROUND, SHADOW
from bgsub.frames.source import Image

EACH = 2
"""Number of frames with most foreground, and of frames with most errors of the first system."""
WIDEST = 320
"""Maximum width of a panel in pixels; larger frames are scaled down."""
GAP, LINE = 4, 16
"""Gap between panels and height of a line of text, in pixels."""
HIT, FALSE, MISSED, UNSCORED = (255, 255, 255), (230, 80, 0), (0, 150, 255), (110, 110, 110)
"""White, orange, blue (distinguishable to the colour-blind too), grey; RGB."""
LEGEND = (("TP", HIT), ("FP", FALSE), ("FN", MISSED), ("not scored", UNSCORED))
DIM = 3
"""Divisor that dims the background so that colours stand out."""


def choose(foreground: list[int], errors: list[int]) -> list[int]:
    """Return positions of frames worth a look, increasing: EACH with most foreground and EACH with most errors.

    They are more than an eighth of the sequence apart, since neighbours look alike. Frames with neither are not shown,
    unless there is no other.
    """
    apart = len(foreground) // (4 * EACH)
    chosen: list[int] = []
    for values in (foreground, errors):
        most = len(chosen) + EACH
        for place in sorted(range(len(values)), key=lambda k: -values[k]):
            if len(chosen) < most and values[place] and all(abs(place - other) > apart for other in chosen):
                chosen.append(place)
    return sorted(chosen or [0])


def error_picture(found: Findings) -> Image:
    """Return one row per chosen frame: the frame, then the hits and errors of every system in colour; RGB."""
    footage, names = found.footage, list(found.judged)
    chosen = choose(footage.foreground, found.judged[names[0]].errors)
    places = list(footage.truths_at(chosen))
    frames = footage.frames.read([index for index, _ in places])
    labels = footage.labels.read(chosen)
    masks = [_masks(found.judged[name], chosen, footage.info.width) for name in names]
    rows: list[Image] = []
    for (_, number), frame, truth, *each in zip(places, frames, labels, *masks, strict=True):
        image = np.asarray(cv2.cvtColor(frame, cv2.COLOR_GRAY2RGB), np.uint8) if frame.ndim == 2 else frame
        panels = [image, *(colours(image, mask, truth) for mask in each)]
        titles = [f"frame {number}", *names] if not rows else [f"frame {number}"]
        rows.append(_row([_shrunk(panel) for panel in panels], titles))
    return np.concatenate([*rows, _legend(rows[0].shape[1])])


def colours(image: Image, mask: NDArray[np.bool_], truth: Image) -> Image:
    """Return the dimmed frame, with foreground of the mask or the truth coloured by outcome."""
    shown = image // np.uint8(DIM)
    is_background = (truth == BACKGROUND) | (truth == SHADOW)
    shown[~is_background & (truth != FOREGROUND) & mask] = UNSCORED
    shown[mask & (truth == FOREGROUND)] = HIT
    shown[mask & is_background] = FALSE
    shown[~mask & (truth == FOREGROUND)] = MISSED
    return shown


def encode(picture: Image) -> bytes:
    """Return an RGB picture as PNG."""
    done, data = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    if not done:
        raise OutputError(f"OpenCV cannot encode a picture of {picture.shape[1]}×{picture.shape[0]} pixels")
    return data.tobytes()


def _masks(judged: Judged, chosen: list[int], width: int) -> list[NDArray[np.bool_]]:
    assert judged.masks is not None, "masks are kept where they are looked at"
    return [np.unpackbits(rows, axis=1, count=width) == 1 for rows in judged.masks.read(chosen)]


def _shrunk(panel: Image) -> Image:
    height, width = panel.shape[:2]
    if width <= WIDEST:
        return panel
    size = WIDEST, max(1, round(height * WIDEST / width))
    return np.asarray(cv2.resize(panel, size, interpolation=cv2.INTER_AREA), np.uint8)


def _row(panels: list[Image], titles: list[str]) -> Image:
    height, width = panels[0].shape[:2]
    row = np.zeros((LINE + height + GAP, (width + GAP) * len(panels), 3), np.uint8)
    for place, panel in enumerate(panels):
        left = place * (width + GAP)
        row[LINE : LINE + height, left : left + width] = panel
        if place < len(titles):
            _write(row[:LINE, left : left + width], titles[place], HIT, 0)
    return row


def _legend(width: int) -> Image:
    line = np.zeros((LINE, width, 3), np.uint8)
    for place, (text, colour) in enumerate(LEGEND):
        _write(line, text, colour, 40 * place)
    return line


def _write(strip: Image, text: str, colour: tuple[int, int, int], left: int) -> None:
    drawn = np.ascontiguousarray(strip)
    cv2.putText(drawn, text, (left + 2, LINE - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.4, colour, 1, cv2.LINE_AA)
    strip[:] = drawn
