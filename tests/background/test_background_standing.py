"""The ground where something else covers it, in made-up scenes with the ground known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from bgsub.background.ground import FEWEST, Ground, find_ground
from bgsub.frames.grid import Grid

Array = NDArray[np.float64]
HEIGHT, WIDTH, COUNT = 90, 120, 60
HEAD, BODY = (slice(22, 32), slice(56, 66)), (slice(32, 66), slice(50, 72))


def texture(seed: int, channels: int, around: float, strength: float, width: float = 1.5) -> Array:
    """A picture of blobs some pixels wide."""
    values = np.random.default_rng(seed).normal(0, 1, (HEIGHT, WIDTH, 1))
    values = ndimage.gaussian_filter(values, (width, width, 0))
    return around + strength * values / values.std() + 4.0 * np.arange(channels)


def ground(channels: int) -> Array:
    """Paving: texture, and a slope of light from one side to the other."""
    return texture(1, channels, 130, 8) + np.linspace(-20, 20, WIDTH)[:, None]


def person() -> NDArray[np.bool_]:
    where = np.zeros((HEIGHT, WIDTH), bool)
    where[HEAD] = where[BODY] = True
    return where


def footage(empty: Array, noise: float = 2) -> Array:
    """So many frames of an empty scene."""
    return empty + np.random.default_rng(3).normal(0, noise, (COUNT, *empty.shape))


def put(clip: Array, seen: NDArray[np.bool_], where: NDArray[np.bool_], look: Array) -> None:
    """Let something stand there in these frames."""
    clip[np.ix_(seen, *(range(side) for side in where.shape))] = np.where(
        where[..., None], look, clip[seen]
    )


def during(share: float, kind: str) -> NDArray[np.bool_]:
    """In which frames something stands: from the start, to the end, or coming and going."""
    many = round(share * COUNT)
    if kind == "comes":
        return np.arange(COUNT) >= COUNT - many
    if kind == "goes":
        return np.arange(COUNT) < many
    return np.floor(np.arange(1, COUNT + 1) * share) > np.floor(np.arange(COUNT) * share)


def looked_at(
    clip: Array, restless: NDArray[np.bool_] | None = None, threads: int = 1, grid: Grid | None = None
) -> tuple[Ground, Array, Array]:
    """What is found, and the centre and the median as pictures."""
    channels = clip.shape[3]
    grid = Grid(clip.shape[2], clip.shape[1], channels == 3) if grid is None else grid
    images = np.clip(np.rint(clip), 0, 255).astype(np.uint8)
    frames = np.stack([grid.gather(image if channels == 3 else image[..., 0]) for image in images])
    median = np.median(frames, axis=0).astype(np.float32)
    restless = np.zeros(grid.shape, bool) if restless is None else restless
    found = find_ground(frames, median.copy(), grid, restless, threads)
    shape = (*grid.shape, channels)
    return found, found.centre.reshape(shape).astype(float), median.reshape(shape).astype(float)


def off(picture: Array, truth: Array) -> Array:
    return np.abs(picture - truth).max(axis=2)


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("kind", ["comes", "goes", "comes and goes"])
@pytest.mark.parametrize("share", [0.6, 0.75, 0.85])
def test_the_ground_is_put_in_where_somebody_stands_for_most_of_the_time(
    share: float, kind: str, channels: int
) -> None:
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


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("kind", ["comes", "goes"])
@pytest.mark.parametrize("share", [0.55, 0.7])
def test_two_people_are_two_places(share: float, kind: str, channels: int) -> None:
    empty, first = ground(channels), np.roll(person(), -30, axis=1)
    second = np.roll(person(), 30, axis=1)
    clip = footage(empty)
    put(clip, during(share, kind), first, texture(2, channels, 60, 12))
    put(clip, during(0.65, "comes and goes"), second, texture(5, channels, 220, 8))
    found, centre, _ = looked_at(clip)
    assert np.mean(off(centre, empty)[first | second] < 6) > 0.9
    assert found.standing == 2
    assert "2 places where something stands" in found.reasons[0]


@pytest.mark.parametrize("channels", [1, 3])
def test_where_a_thing_has_been_taken_away_late_the_ground_is_put_in(channels: int) -> None:
    empty, where = ground(channels), np.zeros((HEIGHT, WIDTH), bool)
    where[50:75, 20:45] = True
    clip = footage(empty)
    put(clip, during(0.7, "goes"), where, texture(6, channels, 205, 6))
    _, centre, median = looked_at(clip)
    assert np.mean(off(median, empty)[where] > 15) > 0.95
    assert np.mean(off(centre, empty)[where] < 6) > 0.95


@pytest.mark.parametrize("channels", [1, 3])
def test_where_a_thing_stands_less_than_half_of_the_time_the_median_is_the_ground(channels: int) -> None:
    clip = footage(ground(channels))
    put(clip, during(0.4, "comes"), person(), texture(2, channels, 60, 12))
    found, centre, median = looked_at(clip)
    assert found.standing == 0
    assert np.array_equal(centre, median)
    assert found.reasons == ()
    assert found.changed == 0


@pytest.mark.parametrize("channels", [1, 3])
def test_a_ground_that_is_hardly_ever_seen_is_not_guessed(channels: int) -> None:
    clip = footage(ground(channels))
    put(clip, during(0.95, "goes"), person(), texture(2, channels, 60, 12))
    found, centre, median = looked_at(clip)
    assert np.array_equal(centre, median)
    assert found.changed == 0


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


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("share", [0.6, 0.7])
def test_in_a_crowd_of_ever_different_people_the_ground_is_found(share: float, channels: int) -> None:
    clip, empty, place = crowd(channels, share)
    found, centre, median = looked_at(clip)
    wrong = off(median, empty) > 15
    assert wrong[place].mean() > 0.3
    assert np.mean(off(centre, empty)[place] > 15) < 0.3 * wrong[place].mean()
    assert not (off(centre, empty) > 15)[:26].any()
    assert found.reasons


@pytest.mark.parametrize("channels", [1, 3])
def test_a_soft_edged_shade_that_moves_changes_nothing(channels: int) -> None:
    empty, x = ground(channels), np.arange(WIDTH)
    clip = footage(empty)
    for index, frame in enumerate(clip):
        edge = 20 + 80 * index / COUNT
        frame -= (60 / (1 + np.exp((x - edge) / 6)))[:, None]
    found, centre, median = looked_at(clip)
    assert np.array_equal(centre, median)
    assert found.changed == 0


@pytest.mark.parametrize("channels", [1, 3])
def test_a_picture_that_darkens_as_a_whole_changes_nothing(channels: int) -> None:
    clip = footage(ground(channels))
    clip[35:] -= 50
    found, centre, median = looked_at(clip)
    assert np.array_equal(centre, median)
    assert found.changed == 0


@pytest.mark.parametrize("channels", [1, 3])
def test_people_who_pass_a_quiet_scene_change_nothing(channels: int) -> None:
    clip, x = footage(ground(channels)), np.arange(WIDTH)
    for index, frame in enumerate(clip):
        frame[30:70, np.abs(x - (2 * index % WIDTH)) < 8] = 40
    found, centre, median = looked_at(clip)
    assert np.array_equal(centre, median)
    assert not found.crowded.any()


@pytest.mark.parametrize("channels", [1, 3])
def test_trees_are_left_as_the_median_has_them(channels: int) -> None:
    clip, rng = footage(ground(channels)), np.random.default_rng(8)
    trees = np.zeros((HEIGHT, WIDTH), bool)
    trees[:60, 60:] = True
    for frame in clip:
        leaves = ndimage.gaussian_filter(rng.normal(0, 1, (HEIGHT, WIDTH)), 1.5)
        frame[trees] += (50 * leaves / leaves.std())[trees][:, None]
    found, centre, median = looked_at(clip, ndimage.binary_dilation(trees, np.ones((5, 5))))
    assert np.array_equal(centre, median)
    assert found.changed == 0


def test_who_stands_where_it_is_restless_is_left_and_beside_it_is_not() -> None:
    clip = footage(ground(1))
    for shift in (-30, 30):
        put(clip, during(0.7, "comes"), np.roll(person(), shift, axis=1), texture(2, 1, 60, 12))
    restless = np.zeros((HEIGHT, WIDTH), bool)
    restless[:, : WIDTH // 2] = True
    found, centre, median = looked_at(clip, restless)
    assert np.array_equal(centre[restless], median[restless])
    assert found.standing == 1
    assert np.mean(off(centre, ground(1))[np.roll(person(), 30, axis=1)] < 6) > 0.9


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("kind", ["standing", "crowd"])
def test_the_number_of_threads_changes_nothing(kind: str, channels: int) -> None:
    clip = footage(ground(channels))
    if kind == "crowd":
        clip = crowd(channels, 0.6)[0]
    put(clip, during(0.7, "comes"), person(), texture(2, channels, 60, 12))
    one, two = (looked_at(clip, threads=threads)[0] for threads in (1, 2))
    assert one.changed > 0
    assert np.array_equal(one.centre, two.centre)
    assert np.array_equal(one.crowded, two.crowded)
    assert (one.standing, one.changed, one.reasons) == (two.standing, two.changed, two.reasons)


@pytest.mark.parametrize(("count", "enough"), [(1, False), (FEWEST - 1, False), (FEWEST, True)])
def test_few_frames_say_nothing(count: int, enough: bool) -> None:
    clip = footage(ground(3))[:count]
    clip[: round(0.7 * count), 20:60, 40:70] = 20
    found, centre, median = looked_at(clip)
    assert (found.changed > 0) == enough
    assert np.array_equal(centre, median) != enough


@pytest.mark.parametrize("channels", [1, 3])
def test_a_region_of_any_shape_gives_what_the_whole_picture_gives(channels: int) -> None:
    empty, where = ground(channels), person()
    clip = footage(empty)
    put(clip, during(0.7, "comes"), where, texture(2, channels, 60, 12))
    whole, expected, _ = looked_at(clip)
    grid = Grid(WIDTH, HEIGHT, channels == 3, roi=("20,5 100,9 112,80 60,86 30,78",))
    found, centre, median = looked_at(clip, grid=grid)
    inside = grid.inside
    assert inside is not None
    y0, y1, x0, x1 = grid.region
    assert np.array_equal(centre[inside], expected[y0:y1, x0:x1][inside])
    assert np.array_equal(centre[~inside], median[~inside])
    assert not centre[~inside].any()
    assert found.standing == whole.standing == 1


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("look", [60, 220])
def test_who_stands_across_the_border_of_a_region_is_found_there(look: float, channels: int) -> None:
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


@pytest.mark.parametrize("channels", [1, 3])
def test_a_large_picture_is_looked_at_coarsely_first_and_comes_out_in_full(channels: int) -> None:
    empty, where = ground(channels), person()
    clip = footage(empty)
    put(clip, during(0.7, "comes"), where, texture(2, channels, 60, 12))
    large = np.repeat(np.repeat(clip[::2], 3, axis=1), 3, axis=2)
    truth, seen = np.repeat(np.repeat(empty, 3, axis=0), 3, axis=1), np.kron(where, np.ones((3, 3), bool))
    found, centre, _ = looked_at(large)
    assert np.mean(off(centre, truth)[seen] < 6) > 0.9
    assert (off(centre, truth)[~seen] < 8).all()
    assert found.standing == 1


@pytest.mark.parametrize("size", [(1, 1), (1, 40), (40, 1), (3, 3)])
def test_the_smallest_pictures_have_nothing_that_stands(size: tuple[int, int]) -> None:
    clip = np.full((COUNT, *size, 3), 100.0)
    clip[: round(0.7 * COUNT)] = 200
    found, centre, median = looked_at(clip)
    assert np.array_equal(centre, median)
    assert found.reasons == ()
