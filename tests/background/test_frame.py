"""Which frames a background is held against, and what is said of the others."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import pytest
from fit_kit import footage, model_of, rounded, wall

from bgsub import Options, fit
from bgsub.background.model import BackgroundModel
from bgsub.errors import InputError
from bgsub.frames.colour import is_gray
from bgsub.frames.grid import Grid

COLOUR, GRAY = model_of(Grid(48, 36, True), wall()), model_of(Grid(48, 36, False), wall(channels=1))
GRAY_IN_COLOUR = model_of(Grid(48, 36, True), np.repeat(wall(channels=1)[..., None], 3, axis=2))


def refusal(model: BackgroundModel, frame: object) -> str:
    with pytest.raises(InputError) as caught:
        model.apply(frame)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_colour_frame_is_judged_in_gray_by_a_gray_model_as_it_would_have_been_read() -> None:
    frame = footage()[0][5]
    parts, read = GRAY.apply(frame), GRAY.apply(cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY))
    for name in ("image", "background", "score", "mask"):
        assert getattr(parts, name).shape == (36, 48)
        assert np.array_equal(getattr(parts, name), getattr(read, name))


def test_a_gray_frame_is_refused_by_a_model_of_colours() -> None:
    for shape in ((36, 48), (36, 48, 1)):
        size = "×".join(map(str, shape))
        assert refusal(COLOUR, np.zeros(shape, np.uint8)) == (
            f"the frame is uint8 {size}, but the model was fitted on colour pictures of height 36 and width 48: "
            "give colour, uint8 36×48×3 (RGB); for gray frames, fit a model on gray ones or with gray=True"
        )


def test_a_gray_frame_is_taken_by_a_model_of_gray_in_three_channels() -> None:
    gray = rounded(wall(channels=1))
    gray[10:20, 10:20] = 250
    parts = GRAY_IN_COLOUR.apply(gray)
    assert parts.image.shape == parts.background.shape == (36, 48, 3)
    assert np.array_equal(parts.mask, GRAY_IN_COLOUR.apply(np.repeat(gray[..., None], 3, axis=2)).mask)
    assert 0 < (parts.mask > 0).mean() < 0.1


def test_what_a_refused_frame_says_to_do_is_taken() -> None:
    frames = np.random.default_rng(0).integers((100, 60, 20), (106, 66, 26), (30, 24, 32, 3)).astype(np.uint8)
    gray = np.stack([cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in frames])
    assert "gray=True" in refusal(fit(frames, Options(threads=1)), gray[0])
    for model in (fit(frames, Options(threads=1, gray=True)), fit(gray, Options(threads=1))):
        assert not model.apply(gray[0]).mask.any()
    three = fit(np.repeat(gray[..., None], 3, axis=3), Options(threads=1))
    assert not three.apply(gray[0]).mask.any()


OTHER = [
    ((36, 47, 3), np.uint8, "give uint8 36×48×3 (RGB)"),
    ((48, 36, 3), np.uint8, "give uint8 36×48×3 (RGB)"),
    ((36,), np.uint8, "give uint8 36×48×3 (RGB)"),
    ((2, 36, 48, 3), np.uint8, "give uint8 36×48×3 (RGB)"),
    ((0, 48, 3), np.uint8, "give uint8 36×48×3 (RGB)"),
    ((36, 48, 2), np.uint8, "give uint8 36×48×3 (RGB)"),
    ((36, 48, 4), np.uint8, "give frame[:, :, :3], without alpha"),
    ((3, 36, 48), np.uint8, "give frame.transpose(1, 2, 0), channels last"),
    ((36, 48, 3), np.float32, "convert with (frame * 255).round().clip(0, 255).astype(np.uint8)"),
    ((36, 48, 3), np.uint16, "convert with (frame >> 8).astype(np.uint8)"),
    ((36, 48, 3), np.bool_, "convert with frame.astype(np.uint8) * 255"),
    ((36, 48, 3), np.int64, "convert with frame.clip(0, 255).astype(np.uint8)"),
    ((36, 47, 3), np.float64, "give uint8 36×48×3 (RGB)"),
]


def test_a_frame_of_another_kind_is_refused_with_what_to_do() -> None:
    for (shape, dtype, do), model in product(OTHER, (COLOUR, GRAY, GRAY_IN_COLOUR)):
        kind = "colour" if model.grid.color else "gray"
        gray = " or 36×48 (gray)" if model is not COLOUR and do.endswith("(RGB)") else ""
        says = refusal(model, np.zeros(shape, dtype))
        assert says.startswith(
            f"the frame is {np.dtype(dtype)} {'×'.join(map(str, shape))}, but the model was fitted on "
        )
        assert f"on {kind} pictures of height 36 and width 48: " in says
        assert says.endswith(do + gray)


def test_a_gray_frame_of_another_kind_is_refused_with_what_to_do() -> None:
    for model in (GRAY, GRAY_IN_COLOUR):
        assert refusal(model, np.zeros((36, 48, 1), np.uint8)).endswith(": give frame[:, :, 0]")
        assert "convert with (frame * 255)" in refusal(model, np.zeros((36, 48)))
        assert refusal(model, np.zeros((48, 36), np.uint8)).endswith(
            "give uint8 36×48×3 (RGB) or 36×48 (gray)"
        )


def test_something_else_than_an_array_is_refused_by_name() -> None:
    for frame in ([[1, 2], [3, 4]], None, "frame.png"):
        assert f"a frame must be an array, not a {type(frame).__name__}" in refusal(GRAY, frame)


def test_what_a_picture_shows_is_gray_where_no_pixel_has_a_colour() -> None:
    gray = np.full((4, 5, 3), 100, np.uint8)
    assert is_gray(gray)
    assert is_gray(gray[..., 0])
    assert is_gray(np.zeros((0, 5, 3), np.uint8))
    gray[2, 3, 1] += 1
    assert is_gray(gray)
    gray[2, 3, 1] += 1
    assert not is_gray(gray)
