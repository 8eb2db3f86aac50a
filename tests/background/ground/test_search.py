"""The ground under standing people, crowds and water, in pictures, regions and sizes of all kinds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
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

from bgsub.frames.grid import Grid


def standing(share: float, kind: str, channels: int = 3, look: float = 60) -> tuple[Array, Array]:
    """Somebody who stands for *share* of the frames, and the empty scene."""
    empty = ground(channels)
    clip = footage(empty)
    put(clip, during(share, kind), person(), texture(2, channels, look, 12))
    return clip, empty


@pytest.mark.parametrize(
    ("share", "kind", "channels"), [*product((0.3, 0.5, 0.8), ("comes", "goes"), (3,)), (0.7, "comes", 1)]
)
def test_who_stands_is_not_the_ground_for_however_much_of_the_clip(share, kind, channels):
    clip, empty = standing(share, kind, channels)
    found, centre, median = looked_at(clip)
    if share > 0.5:
        assert np.mean(off(median, empty)[person()] > 15) > 0.9
        assert (found.replaced & person()).sum() > 0.8 * person().sum()
    # The outline of a place is right to a pixel.
    assert np.mean(off(centre, empty) > 15) < 0.01


def test_a_thing_that_is_carried_away_leaves_the_ground_it_hid():
    clip, empty = standing(0.9, "goes", look=220)
    _, centre, _ = looked_at(clip)
    assert np.mean(off(centre, empty)[person()] > 15) < 0.1


def test_what_is_there_in_all_frames_is_the_ground():
    clip, _ = standing(1.0, "comes")
    found, centre, median = looked_at(clip)
    assert np.abs(centre - median).max() < 2
    assert not found.replaced.any()


def test_while_people_pass_the_ground_is_what_is_seen_between_them():
    rng, empty = np.random.default_rng(7), ground(3)
    clip, covered = footage(empty), np.zeros((COUNT, HEIGHT, WIDTH), bool)
    people = [
        (rng.integers(WIDTH), rng.choice([-9, 9]), rng.uniform(0, 90), rng.integers(40, 60)) for _ in range(9)
    ]
    for t in range(0, COUNT, 1):
        if t % 8 < 5:  # They come in groups.
            for x, speed, look, y in people:
                left = int(x + speed * t) % WIDTH
                clip[t, y : y + 22, left : left + 14] = look
                covered[t, y : y + 22, left : left + 14] = True
    _, centre, median = looked_at(clip)
    wrong = (off(picture, empty) > 15 for picture in (centre, median))
    ours, medians = (float(each.mean()) for each in wrong)
    assert ours < 0.002
    assert ours <= medians


def test_water_that_a_calm_thing_covers_stays_water():
    rng, empty = np.random.default_rng(3), ground(1)
    clip = empty + rng.normal(0, 18, (COUNT, *empty.shape))
    clip[12:24, 30:60, 20:100] = 200
    _, centre, _ = looked_at(clip)
    assert np.abs(centre[30:60, 20:100] - empty[30:60, 20:100]).mean() < 12


def test_the_number_of_threads_changes_nothing():
    clip, _ = standing(0.7, "comes")
    one, two = (looked_at(clip, threads=threads)[0] for threads in (1, 2))
    assert one.replaced.any()
    for name in ("centre", "shown", "replaced", "used"):
        assert np.array_equal(getattr(one, name), getattr(two, name))


def test_a_region_of_any_shape_finds_who_stands_across_its_border():
    clip, empty = standing(0.7, "comes")
    grid = Grid(WIDTH, HEIGHT, True, roi=("5,3 60,5 62,88 8,85",))
    _, centre, _ = looked_at(clip, grid=grid)
    y0, y1, x0, x1 = grid.region
    assert grid.inside is not None
    seen = grid.inside & person()[y0:y1, x0:x1]
    assert 100 < seen.sum() < 0.7 * person().sum()
    assert np.mean(off(centre, empty[y0:y1, x0:x1])[seen] > 15) < 0.2


def test_a_large_picture_is_decided_small_and_comes_out_in_full():
    clip, empty = standing(0.7, "goes", 1)
    large, truth = (np.repeat(np.repeat(each, 4, axis=-3), 4, axis=-2) for each in (clip, empty))
    _, centre, _ = looked_at(large)
    assert centre.shape == truth.shape
    assert np.mean(off(centre, truth) > 15) < 0.02


def test_the_smallest_pictures_and_clips_have_a_ground():
    for size, count in product(((1, 1), (1, 40), (40, 1), (3, 3)), (1, 2, COUNT)):
        clip = np.full((count, *size, 3), 100.0)
        found, centre, _ = looked_at(clip)
        assert (centre == 100).all()
        assert found.reasons
