from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from render_kit import view

from bgsub.errors import OptionError
from bgsub.render.layers import LAYERS, Background, Foreground, Input, Mask, Plate, make_layer


def test_every_layer_draws_uint8_in_colour_exactly_when_it_says_so() -> None:
    for name, color in product(LAYERS, [False, True]):
        layer = make_layer(name)
        drawn = layer.draw(view(color=color))
        assert layer.name == name, (name, color)
        assert drawn.dtype == np.uint8, (name, color)
        assert (drawn.ndim == 3) == layer.is_color(color), (name, color)
        assert drawn.shape[2:] in ((), (4,) if layer.kind == "cutout" else (3,)), (name, color)


def test_no_layer_changes_what_it_is_given() -> None:
    for name, color in product(LAYERS, [False, True]):
        given, untouched = view(color=color, inside=(5, 30, 5, 50)), view(color=color)
        make_layer(name).draw(given)
        assert np.array_equal(given.image, untouched.image), (name, color)
        assert np.array_equal(given.background, untouched.background), (name, color)
        assert np.array_equal(given.mask, untouched.mask), (name, color)


def test_every_layer_draws_pictures_of_any_size() -> None:
    for size, name in product([(1, 1), (1, 50), (2, 3), (31, 17)], LAYERS):
        drawn = make_layer(name).draw(view(*size))
        assert drawn.shape[0] % size[0] == 0, (size, name)
        assert drawn.shape[1] % size[1] == 0, (size, name)


def test_plain_layers_show_their_part_unchanged() -> None:
    for color in [False, True]:
        given = view(color=color)
        assert np.array_equal(Input().draw(given), given.image), color
        assert np.array_equal(Background().draw(given), given.background), color
        assert np.array_equal(Plate().draw(given), given.background), color
        assert np.array_equal(Mask().draw(given), given.mask), color


def test_the_foreground_is_the_frame_inside_the_mask_and_black_outside() -> None:
    for color in [False, True]:
        given = view(color=color)
        drawn = Foreground().draw(given)
        moving = given.mask == 255
        assert np.array_equal(drawn[moving], given.image[moving]), color
        assert not drawn[~moving].any(), color


def test_the_foreground_can_have_another_fill() -> None:
    given = view()
    drawn = Foreground(fill=(0, 255, 7)).draw(given)
    assert (drawn[given.mask == 0] == (0, 255, 7)).all()
    assert np.array_equal(drawn[given.mask == 255], given.image[given.mask == 255])


def test_gray_footage_stays_gray_with_a_gray_fill_and_not_with_a_colour() -> None:
    given = view(color=False)
    white, green = Foreground(fill=(255, 255, 255)), Foreground(fill=(0, 255, 0))
    assert not white.is_color(False)
    assert (white.draw(given)[given.mask == 0] == 255).all()
    assert green.is_color(False)
    drawn = green.draw(given)
    assert np.array_equal(drawn[given.mask == 255], np.stack([given.image[given.mask == 255]] * 3, axis=-1))


def test_a_fill_that_is_no_colour_is_refused() -> None:
    for fill in [(0, 0), (0, 0, 256), (-1, 0, 0), (0.5, 0, 0)]:
        with pytest.raises(OptionError, match="fill must be three whole numbers from 0 to 255"):
            Foreground(fill=fill)


def test_an_unknown_layer_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(OptionError, match="no layer 'forground'; did you mean 'foreground'"):
        make_layer("forground")


def test_kinds_say_what_must_be_exact() -> None:
    kinds = {name: make_layer(name).kind for name in LAYERS}
    assert kinds["mask"] == "mask"
    assert kinds["plate"] == "picture"
    assert {kinds[name] for name in ("background", "foreground", "overlay", "side-by-side")} == {"video"}
