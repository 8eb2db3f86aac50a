"""The empty scene as the user gives it: what stands in every frame is foreground then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import bgsub
from bgsub.errors import BgsubWarning, CannotOpen, InputError, OutputError

HEIGHT, WIDTH, FRAMES = 96, 128, 24
STANDS = np.s_[20:70, 60:84]


LIGHTS = ((0.9, 5), (0.8, 15), (0.7, 8), (0.6, 0), (1.02, 0), (1.2, -20))
"""Gains and offsets, small ones as well as large ones."""


def scene(height: int = HEIGHT, width: int = WIDTH) -> NDArray[np.float64]:
    """A wall with windows, in colour."""
    y, x = np.mgrid[:height, :width] * (HEIGHT / height)
    gray = 110 + 30 * np.sin(x / 5) + 25 * np.cos(y / 7) + 15 * np.sin((x + 2 * y) / 11)
    return np.asarray(gray[..., None] * np.array([1.0, 0.9, 0.8]))


def rounded(picture: NDArray[np.float64]) -> NDArray[np.uint8]:
    return np.clip(picture, 0, 255).round().astype(np.uint8)


def footage(shake: int = 0) -> NDArray[np.uint8]:
    """Somebody stands there all the time, and somebody else walks by."""
    rng = np.random.default_rng(4)
    large = scene(HEIGHT + 32, WIDTH + 32) if shake else None
    frames = []
    for n in range(FRAMES):
        picture = scene()
        if large is not None:
            dy, dx = rng.integers(-shake, shake + 1, 2) + 16
            picture = np.asarray(
                cv2.resize(large, (WIDTH + 32, HEIGHT + 32))[dy : dy + HEIGHT, dx : dx + WIDTH], np.float64
            )
        picture = picture.copy()
        picture[STANDS] = (200, 60, 50)
        picture[74:92, 5 * n : 5 * n + 8] = (30, 40, 160)
        frames.append(rounded(picture + rng.normal(0, 1.5, picture.shape)))
    return np.stack(frames)


def saved(path: Path, picture: NDArray[np.uint8]) -> str:
    assert cv2.imwrite(str(path), picture if picture.ndim == 2 else picture[..., ::-1])
    return str(path)


def standing(background: str | None, clip: NDArray[np.uint8] | None = None, **options: Any) -> float:
    """The share of who stands there that is foreground, in the middle of the clip."""
    clip = footage() if clip is None else clip
    chosen = bgsub.Options(outputs=("mask",), threads=1, background=background, **options)
    masks = bgsub.separate(clip, options=chosen).layers["mask"]
    elsewhere = masks[FRAMES // 2].copy()
    # Neither who stands there nor who walks by.
    elsewhere[18:72, 58:86] = elsewhere[72:] = 0
    assert np.count_nonzero(elsewhere) < 0.01 * elsewhere.size
    return float((masks[FRAMES // 2][STANDS] > 0).mean())


def test_who_stands_in_every_frame_is_found_with_a_picture_of_any_size_and_light(tmp_path: Path) -> None:
    assert standing(None) < 0.1
    empty = scene()
    for name, picture in (
        ("same", empty),
        ("half", np.asarray(cv2.resize(empty, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA))),
        ("twice", np.asarray(cv2.resize(empty, (2 * WIDTH, 2 * HEIGHT)))),
        *((f"light{n}", gain * empty + offset) for n, (gain, offset) in enumerate(LIGHTS)),
        ("warmer", empty * np.array([1.15, 1.0, 0.8])),
    ):
        assert standing(saved(tmp_path / f"{name}.png", rounded(picture))) > 0.95


@pytest.mark.slow
def test_a_video_a_folder_and_a_model_give_the_same_ground(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    empty = np.stack([rounded(scene() + rng.normal(0, 1.5, scene().shape)) for _ in range(8)])
    folder = tmp_path / "empty"
    folder.mkdir()
    for n, frame in enumerate(empty):
        saved(folder / f"{n}.png", frame)
    bgsub.fit(empty, bgsub.Options(threads=1)).save(tmp_path / "empty.npz")
    bgsub.separate(empty, tmp_path / "out", bgsub.Options(outputs=("background",), threads=1))
    for name in ("empty", "empty.npz", "out/background.mp4"):
        assert standing(str(tmp_path / name)) > 0.95


def test_it_is_gray_with_gray_footage_and_cut_to_the_region(tmp_path: Path) -> None:
    name = saved(tmp_path / "empty.png", rounded(scene()))
    # In gray, stripes of the wall are as bright as who stands there.
    assert standing(name, gray=True) > 0.85
    for gain, offset in LIGHTS:
        assert standing(saved(tmp_path / "lit.png", rounded(gain * scene() + offset)), gray=True) > 0.85
    assert standing(name, roi="40,10,80,80") > 0.95
    assert standing(name, scale=0.999) > 0.9
    gray = np.repeat(cv2.cvtColor(footage().reshape(-1, WIDTH, 3), cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2)
    assert standing(name, gray.reshape(-1, HEIGHT, WIDTH, 3).astype(np.uint8)) > 0.85


@pytest.mark.slow
def test_a_shaking_camera_is_brought_onto_it(tmp_path: Path) -> None:
    view = np.asarray(cv2.resize(scene(HEIGHT + 32, WIDTH + 32), (WIDTH + 32, HEIGHT + 32)))
    name = saved(tmp_path / "empty.png", rounded(view[14 : 14 + HEIGHT, 19 : 19 + WIDTH]))
    assert standing(name, footage(3), stabilise="translation") > 0.9


def test_what_is_no_background_of_the_footage_is_refused_in_one_line(tmp_path: Path) -> None:
    clip = footage()[:4]
    other = saved(tmp_path / "wide.png", rounded(scene(48, 128)))
    rng = np.random.default_rng(2)
    noise = saved(tmp_path / "noise.png", rng.integers(0, 256, scene().shape, dtype=np.uint8))
    turned = saved(tmp_path / "turned.png", rounded(scene())[::-1, ::-1])
    black = saved(tmp_path / "black.png", rounded(0 * scene()))
    tiny = saved(tmp_path / "tiny.png", rounded(scene(6, 8)))
    for name, kind, text in (
        (
            tiny,
            InputError,
            "8 × 6 pixels, too small for footage of 128 × 96; give one of at least an eighth",
        ),
        (
            other,
            InputError,
            "wide.png is 128 × 48 pixels, which is another shape than the footage's 128 × 96",
        ),
        *((name, InputError, "--background does not show the scene") for name in (noise, turned, black)),
        (str(tmp_path / "none.png"), CannotOpen, "--background: no such file"),
        (str(tmp_path / "none.npz"), CannotOpen, "--background: cannot read the model"),
    ):
        for run in (bgsub.separate, bgsub.fit):
            with pytest.raises(kind) as caught:
                run(clip, options=bgsub.Options(background=name, threads=1))
            assert text in str(caught.value)
            assert "\n" not in str(caught.value)


def test_without_a_centre_it_does_nothing_and_says_so(tmp_path: Path) -> None:
    name = saved(tmp_path / "empty.png", rounded(scene()))
    with pytest.warns(BgsubWarning, match="--background does nothing beside --centre none"):
        bgsub.fit(footage(), bgsub.Options(background=name, centre="none", threads=1))


def test_a_gray_picture_of_gray_ground_will_do_for_footage_in_colours(tmp_path: Path) -> None:
    clip = footage().astype(float)
    ground = np.ones((HEIGHT, WIDTH), bool)
    ground[STANDS] = False
    # Who stands there is red, and all the rest as gray as the wall.
    clip[:, ground] = clip[:, ground].mean(axis=2, keepdims=True)
    gray = rounded(scene().mean(axis=2))
    for name, picture in (("one", gray), ("three", np.repeat(gray[..., None], 3, axis=2))):
        assert standing(saved(tmp_path / f"{name}.png", picture), rounded(clip)) > 0.95


def test_the_picture_that_is_given_is_never_replaced(tmp_path: Path) -> None:
    clip, options = footage(), bgsub.Options(outputs=("plate",), threads=1)
    bgsub.separate(clip, tmp_path / "out", options)
    given = bgsub.Options(outputs=("plate",), threads=1, background=str(tmp_path / "out/background.png"))
    before = (tmp_path / "out/background.png").read_bytes()
    with pytest.raises(OutputError, match=r"background\.png is the given background itself"):
        bgsub.separate(clip, tmp_path / "out", given)
    assert (tmp_path / "out/background.png").read_bytes() == before
