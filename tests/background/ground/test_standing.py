"""What stands for most of the time, and what only looks like it."""

from __future__ import annotations

import numpy as np
from ground_kit import (
    COUNT,
    HEIGHT,
    WIDTH,
    Array,
    during,
    footage,
    ground,
    looked_at,
    off,
    person,
    put,
    texture,
)
from scipy import ndimage

from bgsub.background.ground.standing import _together


def test_the_ground_is_put_in_where_somebody_stands_for_most_of_the_time() -> None:
    for share, kind, channels in (
        (0.6, "comes", 1),
        (0.75, "goes", 3),
        (0.85, "comes and goes", 1),
        (0.85, "goes", 3),
    ):
        empty, where = ground(channels), person()
        clip = footage(empty)
        put(clip, during(share, kind), where, texture(2, channels, 60, 12))
        found, centre, median = looked_at(clip)
        assert np.mean(off(median, empty)[where] > 15) > 0.9
        assert np.mean(off(centre, empty)[where] < 6) > 0.9
        assert (off(centre, empty)[~where] < 6).all()
        assert found.standing == 1
        assert not found.crowded.any()
        assert 0.9 * where.mean() < found.changed <= where.mean()
        assert "1 place where something stands" in found.reasons[0]


def test_two_people_are_two_places() -> None:
    for share, kind, channels in ((0.55, "comes", 3), (0.7, "goes", 1)):
        empty, first = ground(channels), np.roll(person(), -30, axis=1)
        second = np.roll(person(), 30, axis=1)
        clip = footage(empty)
        put(clip, during(share, kind), first, texture(2, channels, 60, 12))
        put(clip, during(0.65, "comes and goes"), second, texture(5, channels, 220, 8))
        found, centre, _ = looked_at(clip)
        assert np.mean(off(centre, empty)[first | second] < 6) > 0.9
        assert found.standing == 2
        assert "2 places where something stands" in found.reasons[0]


def test_where_a_thing_has_been_taken_away_late_the_ground_is_put_in() -> None:
    empty, where = ground(1), np.zeros((HEIGHT, WIDTH), bool)
    where[50:75, 20:45] = True
    clip = footage(empty)
    put(clip, during(0.7, "goes"), where, texture(6, 1, 205, 6))
    _, centre, median = looked_at(clip)
    assert np.mean(off(median, empty)[where] > 15) > 0.95
    assert np.mean(off(centre, empty)[where] < 6) > 0.95


def test_where_a_thing_stands_less_than_half_of_the_time_the_median_is_the_ground() -> None:
    clip = footage(ground(3))
    put(clip, during(0.4, "comes"), person(), texture(2, 3, 60, 12))
    found, centre, median = looked_at(clip)
    assert found.standing == 0
    assert np.array_equal(centre, median)
    assert found.reasons == ()
    assert found.changed == 0


def test_a_ground_that_is_hardly_ever_seen_is_not_guessed() -> None:
    for share, channels in ((0.9, 1), (0.95, 3)):
        clip = footage(ground(channels))
        put(clip, during(share, "goes"), person(), texture(2, channels, 60, 12))
        found, centre, median = looked_at(clip)
        assert np.array_equal(centre, median)
        assert found.changed == 0


def shade(empty: Array, width: float, way: float) -> Array:
    """Footage of a shade with a soft edge that moves so many pixels over the middle."""
    clip, x = footage(empty), np.arange(WIDTH)
    edges = WIDTH / 2 + way * (np.arange(COUNT) / COUNT - 0.5)
    clip -= (60 / (1 + np.exp((x - edges[:, None]) / width)))[:, None, :, None]
    return clip


def test_a_soft_edged_shade_that_moves_changes_nothing() -> None:
    for width, channels in ((6, 1), (9, 3)):
        found, centre, median = looked_at(shade(ground(channels), width, 40))
        assert np.array_equal(centre, median)
        assert found.changed == 0


def test_no_shade_is_taken_for_the_ground_where_the_median_is_light_nor_light_where_it_is_shade() -> None:
    for way, width, channels in ((80, 4, 3), (110, 9, 1), (110, 4, 3)):
        empty = ground(channels)
        _, centre, median = looked_at(shade(empty, width, way))
        # Half-shade that the edge has left in the median may become either.
        settled = np.minimum(off(median, empty), off(median, empty - 60)) < 8
        assert settled.mean() > 0.6
        assert (off(centre, median)[settled] < 8).all()
        assert (off(centre, empty - 30) < 30 + 8).all()


def test_a_picture_that_darkens_as_a_whole_changes_nothing() -> None:
    clip = footage(ground(3))
    clip[COUNT // 2 + 4 :] -= 50
    found, centre, median = looked_at(clip)
    assert np.array_equal(centre, median)
    assert found.changed == 0


def test_people_who_pass_a_quiet_scene_change_nothing() -> None:
    clip, x = footage(ground(1)), np.arange(WIDTH)
    for index, frame in enumerate(clip):
        frame[30:70, np.abs(x - 3 * index) < 8] = 40
    found, centre, median = looked_at(clip)
    assert np.array_equal(centre, median)
    assert not found.crowded.any()


def test_trees_are_left_as_the_median_has_them() -> None:
    clip, rng = footage(ground(3)), np.random.default_rng(8)
    trees = np.zeros((HEIGHT, WIDTH), bool)
    trees[:60, 60:] = True
    for frame in clip:
        leaves = ndimage.gaussian_filter(rng.normal(0, 1, (HEIGHT, WIDTH)), 1.5)
        frame[trees] += (50 * leaves / leaves.std())[trees][:, None]
    found, centre, median = looked_at(clip, ndimage.binary_dilation(trees, np.ones((5, 5))))
    assert np.array_equal(centre, median)
    assert found.changed == 0


def test_who_stands_where_it_is_dynamic_is_left_and_beside_it_is_not() -> None:
    clip = footage(ground(1))
    for shift in (-30, 30):
        put(clip, during(0.7, "comes"), np.roll(person(), shift, axis=1), texture(2, 1, 60, 12))
    dynamic = np.zeros((HEIGHT, WIDTH), bool)
    dynamic[:, : WIDTH // 2] = True
    found, centre, median = looked_at(clip, dynamic)
    assert np.array_equal(centre[dynamic], median[dynamic])
    assert found.standing == 1
    assert np.mean(off(centre, ground(1))[np.roll(person(), 30, axis=1)] < 6) > 0.9


def test_what_passes_slowly_over_a_spot_that_differs_from_it_is_not_put_into_the_ground() -> None:
    empty = ground(3)
    empty[30:60, 40:80] -= 60
    clip = footage(empty)
    for index, frame in enumerate(clip):
        left = int(3.5 * index) - 20
        frame[34:56, max(left, 0) : max(left + 24, 0)] = empty[25, 60] + np.zeros(3)
    found, centre, _ = looked_at(clip)
    assert found.changed < 0.01
    assert np.mean(off(centre, empty) > 10) < 0.01


def test_what_comes_as_a_whole_shows_together_however_much_of_it_is_hidden() -> None:
    assert _together(np.array([0.0, 0.0, 0.9, 0.8, 0.9]))
    assert _together(np.array([0.0, 0.5, 0.5, 0.5]))
    assert not _together(np.array([0.1, 0.3, 0.5, 0.7, 0.5, 0.3, 0.1]))


def test_a_lamp_that_lights_a_part_of_the_ground_is_nothing_that_stands() -> None:
    for gain, channels in ((0.6, 3), (1.5, 1)):
        empty = texture(1, channels, 110, 12)
        clip = footage(empty)
        clip[10:, 25:60, 40:80] *= gain
        found, centre, median = looked_at(clip)
        assert found.changed == 0
        assert np.array_equal(centre, median)
