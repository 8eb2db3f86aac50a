from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bgsub.errors import CannotDecode, InputError, OptionError
from bgsub.frames.read.array import ArraySource


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


def test_other_types_are_refused_with_a_conversion_that_works():
    for dtype, advice in [
        (np.float64, r"got float64; .*\(frames \* 255\)"),
        (np.bool_, r"got bool; .*\* 255"),
        (np.uint16, "got uint16; .*>> 8"),
        (np.int64, "got int64; .*clip"),
    ]:
        frames = np.ones((2, 3, 5), dtype)
        with pytest.raises(InputError, match=advice) as caught:
            ArraySource(frames)
        conversion = str(caught.value).split("convert with ")[1]
        converted = eval(conversion, {"np": np, "frames": frames})
        assert len(list(ArraySource(converted))) == 2, (dtype, advice)


def test_other_shapes_are_refused():
    for shape in [(4, 5), (2, 4, 5, 1), (2, 4, 5, 4), (2, 0, 5), (1, 2, 3, 4, 3)]:
        with pytest.raises(InputError, match="shape"):
            ArraySource(np.zeros(shape, np.uint8))


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
