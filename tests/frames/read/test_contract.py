"""A source of somebody's own, whose pictures are not what it says."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import bgsub
from bgsub.errors import InputError
from bgsub.frames.read.array import ArraySource
from bgsub.frames.select import Selection
from bgsub.frames.source import Frame, VideoInfo

COLOUR = np.random.default_rng(0).integers((100, 60, 20), (106, 66, 26), (12, 24, 32, 3)).astype(np.uint8)
GRAY = COLOUR[..., 0]
LATE = 7


class Own:
    """Yields what it is given, and claims what it is told to."""

    def __init__(self, images: list[Any], claims: np.ndarray = COLOUR) -> None:
        self.images = images
        self.info: VideoInfo = ArraySource(claims).info

    def __iter__(self) -> Iterator[Frame]:
        for index, image in enumerate(self.images):
            yield Frame(index, index + 1, Fraction(index, 25), image)


SAYS = "but the info of this source says uint8 24×32×3 (colour): "
ONE = "yield pictures of one size, all in colour or all gray"
CHANGED = {
    "gray": (GRAY[0], "uint8 24×32", ONE),
    "alpha": (np.dstack([COLOUR[0], GRAY[0]]), "uint8 24×32×4", ONE),
    "one channel": (GRAY[0][..., None], "uint8 24×32×1", ONE),
    "narrower": (COLOUR[0, :, :31], "uint8 24×31×3", ONE),
    "0 to 1": (COLOUR[0] / 255, "float64 24×32×3", "convert with (image * 255).round()"),
    "16 bit": (COLOUR[0].astype(np.uint16), "uint16 24×32×3", "convert with (image >> 8)"),
    "no array": (COLOUR[0].tolist(), "list", ONE),
}


def test_a_picture_of_another_kind_is_refused_by_frame_and_what_to_do():
    for run, kind in product([bgsub.fit, bgsub.separate], CHANGED):
        image, is_, do = CHANGED[kind]
        with pytest.raises(InputError) as caught:
            run(Own([*COLOUR[:LATE], image, *COLOUR[LATE:]]))
        message = str(caught.value)
        assert message.startswith(f"array: the picture of frame {LATE} is {is_}, {SAYS}"), (run, kind)
        assert do in message, (run, kind)
        assert "\n" not in message, (run, kind)


def test_colour_from_a_source_of_gray_pictures_is_refused():
    with pytest.raises(
        InputError, match=r"is uint8 24×32×3, but the info of this source says uint8 24×32 \(gray\)"
    ):
        list(Selection(Own([*GRAY[:LATE], COLOUR[0]], GRAY)))


def test_pictures_that_are_no_frames_are_named():
    class Bare(Own):
        def __iter__(self) -> Iterator[Any]:
            return iter(self.images)

    with pytest.raises(InputError, match="array yields a ndarray: a source yields bgsub"):
        bgsub.fit(Bare(list(COLOUR)))


def test_pictures_that_are_views_are_taken():
    turned = [np.asfortranarray(image) for image in COLOUR]
    kept, read = bgsub.fit(Own(turned)), bgsub.fit(COLOUR)
    assert np.array_equal(kept.plate(), read.plate())
