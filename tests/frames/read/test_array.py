from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest

from bgsub.errors import BgsubWarning, CannotDecode, InputError, OptionError
from bgsub.frames.read.array import ArraySource
from bgsub.frames.read.open import open_source


def test_frames_are_copies_that_the_receiver_owns(clip):
    source = ArraySource(clip)
    given = clip[0].copy()
    frame = next(iter(source))
    frame.image[...] = 0
    np.testing.assert_array_equal(next(iter(source)).image, given)


def test_a_three_dimensional_array_is_gray():
    for width in [1, 2, 5]:
        source = ArraySource(np.zeros((5, 4, width), np.uint8))
        assert (source.info.is_color, source.info.width, source.info.height) == (False, width, 4), width


def test_one_picture_in_colour_is_no_footage():
    for planes in [3, 4]:
        picture = np.zeros((120, 160, planes), np.uint8)
        for given in (picture, list(picture)):
            with pytest.raises(InputError, match="one picture in colour, not footage"):
                ArraySource(given)


def test_a_sequence_of_views_is_read_without_stacking(clip):
    views = [image[::2, ::-1] for image in clip]
    read = [frame.image for frame in ArraySource(views)]
    np.testing.assert_array_equal(read, clip[:, ::2, ::-1])
    assert all(image.flags.c_contiguous for image in read)


def test_time_follows_the_rate(clip):
    source = ArraySource(clip, fps=Fraction(30000, 1001))
    assert [frame.time for frame in source][2] == Fraction(2002, 30000)
    assert source.info.duration == Fraction(12 * 1001, 30000)


@pytest.mark.parametrize("dtype", ["u2", ">u2", "i2", "u4", "i8", "f2", "f4", ">f8"])
def test_numbers_of_any_depth_are_stretched_from_what_they_use(clip, dtype):
    stored = (clip.astype(float) * 4 - (600 if np.dtype(dtype).kind != "u" else 0)).astype(dtype)
    source = ArraySource(stored)
    with pytest.warns(BgsubWarning, match=r"range=\(.*\) fixes it"):
        read = np.array([frame.image for frame in source], float)
    # Every grey level of the clip is still told from its neighbours, and in the same order.
    assert np.corrcoef(read.ravel(), clip.ravel())[0, 1] > 0.9999
    assert read.min() < 40
    assert read.max() > 200
    assert source.info.levels is not None


@pytest.mark.parametrize("dtype", ["u1", "i4", "f4", "f8"])
def test_a_range_that_is_given_holds_for_every_dtype(clip, dtype):
    read = [frame.image for frame in ArraySource(clip.astype(dtype), levels=(0, 510))]
    np.testing.assert_allclose(read, clip / 2, atol=0.5001)


@pytest.mark.parametrize(("dtype", "scale"), [("i8", 1), ("f4", 1), ("f4", 1 / 255), ("f8", 1 / 255)])
def test_full_scales_that_are_used_in_full_stay(dtype, scale):
    levels = np.random.default_rng(1).integers(0, 256, (6, 30, 40), np.uint8)
    source = ArraySource((levels * scale).astype(dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BgsubWarning)
        np.testing.assert_array_equal([frame.image for frame in source], levels)


def test_booleans_are_black_and_white(clip):
    np.testing.assert_array_equal([f.image for f in ArraySource(clip > 100)], np.where(clip > 100, 255, 0))


def test_hot_pixels_do_not_darken_the_rest(clip):
    stored = clip[..., 0].astype(np.uint16) * 10
    stored = stored.repeat(8, axis=1).repeat(8, axis=2)
    stored[:, 3, 4] = 65535
    with pytest.warns(BgsubWarning):
        read = [frame.image for frame in ArraySource(stored)]
    assert np.ptp(np.delete(read, 3, axis=1)) > 150


def test_what_is_not_a_number_is_told_with_its_place_and_shown_as_black(clip):
    stored = clip[..., 0].astype(np.float32)
    stored[5, 3:6, 4] = np.nan
    stored[7, 9, 9] = np.inf
    with pytest.warns(BgsubWarning) as caught:
        read = [frame.image for frame in ArraySource(stored)]
    [gaps] = [str(each.message) for each in caught]  # infinity is not said to be cut off besides
    assert gaps.startswith("frame 5: 3 of ")
    assert (read[5][3:6, 4] == 0).all()
    assert read[7][9, 9] == 255


def test_footage_without_any_number_is_refused():
    with pytest.raises(InputError, match="no finite number"):
        ArraySource(np.full((4, 5, 6), np.nan))


def test_what_has_no_grey_levels_is_refused(clip):
    for dtype in ["c8", "U3", "M8[s]", "O"]:
        with pytest.raises(InputError, match=r"give grey levels as integers, floats or booleans"):
            ArraySource(np.zeros((3, 5, 6), dtype))


@pytest.mark.parametrize("levels", [(5, 5), (7, 3), (0, float("nan")), (0, float("inf")), (1,), "ab", 5])
def test_what_is_no_range_is_refused(clip, levels):
    with pytest.raises(OptionError, match="two finite numbers, the lower first"):
        ArraySource(clip, levels=levels)


def test_a_single_channel_is_gray_and_a_fourth_is_dropped(clip):
    gray = ArraySource(clip[..., :1])
    assert not gray.info.is_color
    np.testing.assert_array_equal([frame.image for frame in gray], clip[..., 0])
    alpha = np.concatenate([clip, clip[..., :1]], axis=3)
    for given in (alpha, list(alpha)):
        np.testing.assert_array_equal([frame.image for frame in ArraySource(given)], clip)


def test_channels_first_are_refused_with_a_transposition_that_works(clip):
    frames = clip.transpose(0, 3, 1, 2)
    with pytest.raises(InputError, match="channels are last here") as caught:
        ArraySource(frames)
    given = eval(str(caught.value).split("give ")[1].split(" (torch")[0], {"frames": frames})
    np.testing.assert_array_equal([frame.image for frame in ArraySource(given)], clip)
    with pytest.raises(InputError, match="channels are last here"):
        ArraySource(list(frames))


def test_other_shapes_are_refused():
    for shape in [(4, 5), (2, 4, 5, 2), (2, 4, 5, 5), (2, 0, 5), (1, 2, 3, 4, 3)]:
        with pytest.raises(InputError, match="shape"):
            ArraySource(np.zeros(shape, np.uint8))


class Lazy:
    """An array of another library: it knows shape and dtype, and reads what it is asked for."""

    def __init__(self, frames: np.ndarray) -> None:
        self._frames, self.shape, self.dtype = frames, frames.shape, frames.dtype
        self.asked: list[object] = []

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, index: object) -> np.ndarray:
        self.asked.append(index)
        return self._frames[index]


class Whole:
    """An object that can only be had as a whole."""

    def __init__(self, frames: np.ndarray) -> None:
        self._frames = frames

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return self._frames


class ByInterface:
    def __init__(self, frames: np.ndarray) -> None:
        self.__array_interface__ = frames.__array_interface__
        self._frames = frames


def test_arrays_of_other_libraries_are_read_frame_by_frame(clip):
    lazy = Lazy(clip)
    source = open_source(lazy)
    assert lazy.asked == [0]
    np.testing.assert_array_equal([frame.image for frame in source], clip)
    assert all(isinstance(index, int) for index in lazy.asked)


def test_objects_that_numpy_can_read_are_footage(clip):
    for given in (Whole(clip), ByInterface(clip), [Whole(image) for image in clip], [Lazy(i) for i in clip]):
        np.testing.assert_array_equal([frame.image for frame in open_source(given)], clip)


def test_what_numpy_cannot_read_is_refused_with_the_reason(clip):
    class Elsewhere(Lazy):
        def __getitem__(self, index: object) -> object:
            raise TypeError("can't convert\ncuda:0 device type tensor to numpy. Use Tensor.cpu()")

    with pytest.raises(
        InputError, match=r"frame 0 \(Elsewhere\) as a NumPy array: can't convert cuda"
    ) as caught:
        open_source(Elsewhere(clip))
    assert "\n" not in str(caught.value)


def test_pictures_of_different_shapes_are_refused():
    pictures = [np.zeros((3, 6), np.uint8), np.zeros((3, 5), np.uint8)]
    with pytest.raises(InputError, match=r"frame 0 is \(3, 6\), frame 1 is \(3, 5\)"):
        ArraySource(pictures)


def test_no_frames_cannot_be_decoded():
    with pytest.raises(CannotDecode, match="no frame"):
        ArraySource(np.zeros((0, 3, 5), np.uint8))
    with pytest.raises(CannotDecode, match="no frame"):
        ArraySource([])


def test_a_senseless_rate_is_refused(clip):
    for fps in [0, -5, 1001, float("nan"), float("inf")]:
        with pytest.raises(OptionError, match="fps must be"):
            ArraySource(clip, fps=fps)
