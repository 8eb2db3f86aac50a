"""The ground under crowds and standing people, in pictures, regions and sizes of all kinds."""

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
from numpy.typing import NDArray

from bgsub.background.ground.search import FEWEST
from bgsub.frames.grid import Grid


def crowd(channels: int, share: float) -> tuple[Array, Array, NDArray[np.bool_]]:
    """People of ever other colours on the lower half, so many that each pixel is covered for *share* of the time."""
    rng, empty = np.random.default_rng(7), ground(channels)
    clip, place = footage(empty), np.zeros((HEIGHT, WIDTH), bool)
    place[40:, :] = True
    for frame in clip:
        covered = np.zeros((HEIGHT, WIDTH), bool)
        while covered[place].mean() < share:
            y, x = rng.integers(34, HEIGHT), rng.integers(-8, WIDTH)
            body = np.s_[max(y, 40) : y + 22, max(x, 0) : max(x + 12, 0)]
            covered[body] = True
            # More dark clothes than bright ones: else half way between them lies the ground.
            look = rng.uniform(0, 90) if rng.random() < 0.85 else rng.uniform(190, 255)
            frame[body] = look + rng.uniform(-15, 15, channels)
    return clip, empty, place


def test_in_a_crowd_of_ever_different_people_the_ground_is_found() -> None:
    for share, channels in ((0.5, 3), (0.6, 1)):
        clip, empty, place = crowd(channels, share)
        found, centre, median = looked_at(clip)
        wrong = off(median, empty) > 15
        assert wrong[place].mean() > 0.2
        assert np.mean(off(centre, empty)[place] > 15) < 0.3 * wrong[place].mean()
        assert not (off(centre, empty) > 15)[:26].any()
        assert found.crowded[place].mean() > 0.5
        assert not found.crowded[:20].any()
        assert "which a crowd covers most of the time" in found.reasons[0]


def test_the_number_of_threads_changes_nothing() -> None:
    for kind, channels in (("standing", 3), ("crowd", 1)):
        clip = footage(ground(channels))
        if kind == "crowd":
            clip = crowd(channels, 0.5)[0]
        put(clip, during(0.7, "comes"), person(), texture(2, channels, 60, 12))
        one, two = (looked_at(clip, threads=threads)[0] for threads in (1, 2))
        assert one.changed > 0
        assert np.array_equal(one.centre, two.centre)
        assert np.array_equal(one.crowded, two.crowded)
        assert (one.standing, one.changed, one.reasons) == (two.standing, two.changed, two.reasons)


def test_few_frames_say_nothing() -> None:
    for count, enough in ((1, False), (FEWEST - 1, False), (FEWEST, True)):
        clip = footage(ground(3))[:count]
        clip[: round(0.7 * count), 20:60, 40:70] = 20
        found, centre, median = looked_at(clip)
        assert (found.changed > 0) == enough
        assert np.array_equal(centre, median) != enough


def test_a_region_of_any_shape_gives_what_the_whole_picture_gives() -> None:
    empty, where = ground(3), person()
    clip = footage(empty)
    put(clip, during(0.7, "comes"), where, texture(2, 3, 60, 12))
    whole, expected, _ = looked_at(clip)
    grid = Grid(WIDTH, HEIGHT, True, roi=("20,5 100,9 112,80 60,86 30,78",))
    found, centre, median = looked_at(clip, grid=grid)
    inside = grid.inside
    assert inside is not None
    y0, y1, x0, x1 = grid.region
    assert np.array_equal(centre[inside], expected[y0:y1, x0:x1][inside])
    assert np.array_equal(centre[~inside], median[~inside])
    assert not centre[~inside].any()
    assert found.standing == whole.standing == 1


def test_who_stands_across_the_border_of_a_region_is_found_there() -> None:
    for look, channels in ((60, 3), (220, 1)):
        empty, where = ground(channels), person()
        clip = footage(empty)
        put(clip, during(0.7, "comes"), where, texture(2, channels, look, 12))
        grid = Grid(WIDTH, HEIGHT, channels == 3, roi=("5,3 60,5 62,88 8,85",))
        _, centre, _ = looked_at(clip, grid=grid)
        inside = grid.inside
        assert inside is not None
        y0, y1, x0, x1 = grid.region
        seen = inside & where[y0:y1, x0:x1]
        assert 100 < seen.sum() < 0.7 * where.sum()
        assert np.mean(off(centre, empty[y0:y1, x0:x1])[seen] < 6) > 0.9


def test_a_large_picture_is_looked_at_coarsely_first_and_comes_out_in_full() -> None:
    empty, where = ground(1), person()
    clip = footage(empty)
    put(clip, during(0.7, "comes and goes"), where, texture(2, 1, 60, 12))
    large = np.repeat(np.repeat(clip[:FEWEST], 3, axis=1), 3, axis=2)
    truth, seen = np.repeat(np.repeat(empty, 3, axis=0), 3, axis=1), np.kron(where, np.ones((3, 3), bool))
    found, centre, _ = looked_at(large)
    assert np.mean(off(centre, truth)[seen] < 6) > 0.9
    assert (off(centre, truth)[~seen] < 8).all()
    assert found.standing == 1


def test_the_smallest_pictures_have_nothing_that_stands() -> None:
    for size in ((1, 1), (1, 40), (40, 1), (3, 3)):
        clip = np.full((COUNT, *size, 3), 100.0)
        clip[: round(0.7 * COUNT)] = 200
        found, centre, median = looked_at(clip)
        assert np.array_equal(centre, median)
        assert found.reasons == ()


def test_the_ground_is_found_where_one_after_the_other_stands() -> None:
    channels = 3
    empty, place = ground(channels), person()
    clip = footage(empty)
    for turn, (left, level) in enumerate([(-3, 40), (0, 70), (3, 215)]):
        seen = (np.arange(COUNT) % 4) == turn
        put(clip, seen, np.roll(place, left, axis=1), texture(11 + turn, channels, level, 4))
    found, centre, median = looked_at(clip)
    assert np.mean(off(median, empty)[place] > 20) > 0.6
    assert np.mean(off(centre, empty)[place] > 20) < 0.1
    assert found.standing >= 1
