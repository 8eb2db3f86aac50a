from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bgsub.errors import InputError
from bgsub.evaluation.counts import Counts, count

LABELS = np.array([[255, 255, 0, 0, 50, 50, 170, 170, 85, 85]], np.uint8)
CLAIM = np.array([[255, 0, 255, 0, 255, 0, 255, 0, 255, 0]], np.uint8)


def test_shadow_is_background_and_unknown_and_outside_are_not_scored() -> None:
    assert count(CLAIM, LABELS) == Counts(tp=1, fp=2, fn=1, tn=2)


def test_a_bool_mask_counts_like_the_same_mask_in_grey_levels() -> None:
    assert count(CLAIM > 0, LABELS) == count(CLAIM, LABELS)


def test_a_lossy_mask_is_foreground_from_grey_level_128_on() -> None:
    for level, tp in [(0, 0), (127, 0), (128, 1), (254, 1)]:
        found = count(np.full((1, 1), level, np.uint8), np.full((1, 1), 255, np.uint8))
        assert found == Counts(tp=tp, fn=1 - tp), level


def test_another_size_is_refused_with_both_sizes() -> None:
    with pytest.raises(InputError, match=r"mask is 4×2 but its ground truth is 5×3"):
        count(np.zeros((2, 4), np.uint8), np.zeros((3, 5), np.uint8))


@given(
    arrays(np.uint8, (7, 5), elements=st.sampled_from([0, 255])),
    arrays(np.uint8, (7, 5), elements=st.sampled_from([0, 50, 85, 170, 255])),
)
def test_counts_equal_a_pixel_by_pixel_twin(mask: np.ndarray, truth: np.ndarray) -> None:
    twin = {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
    for claimed, label in zip(mask.ravel().tolist(), truth.ravel().tolist(), strict=True):
        if label in (85, 170):
            continue
        right = (claimed == 255) == (label == 255)
        twin[("t" if right else "f") + ("p" if claimed == 255 else "n")] += 1
    assert count(mask, truth) == Counts(**twin)


def test_measures_follow_their_definitions() -> None:
    counts = Counts(tp=6, fp=2, fn=4, tn=88)
    assert counts.total == 100
    assert counts.precision == pytest.approx(0.75)
    assert counts.recall == pytest.approx(0.6)
    assert counts.f_measure == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))
    assert counts.specificity == pytest.approx(88 / 90)
    assert counts.fpr == pytest.approx(2 / 90)
    assert counts.fnr == pytest.approx(0.4)
    assert counts.pwc == pytest.approx(6.0)


def test_an_empty_mask_of_an_empty_scene_is_perfect() -> None:
    counts = Counts(tn=10)
    assert (counts.precision, counts.recall, counts.f_measure, counts.pwc) == (1.0, 1.0, 1.0, 0.0)


def test_errors_without_a_hit_give_f_zero() -> None:
    for counts in [Counts(fp=1, tn=9), Counts(fn=1, tn=9)]:
        assert counts.f_measure == 0.0, counts


def test_a_frame_without_scored_pixels_has_measures_too() -> None:
    counts = Counts()
    assert (counts.f_measure, counts.specificity, counts.fpr, counts.fnr, counts.pwc) == (
        1.0,
        1.0,
        0.0,
        0.0,
        0.0,
    )


def test_pooling_adds_counts_instead_of_averaging_measures() -> None:
    good, bad = Counts(tp=90, fn=10), Counts(tp=0, fn=1, fp=1)
    pooled = sum((good, bad), Counts())
    assert pooled == Counts(tp=90, fp=1, fn=11)
    assert pooled.f_measure != pytest.approx((good.f_measure + bad.f_measure) / 2)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        Counts(fn=-1)


def test_adding_something_else_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        Counts() + 1  # type: ignore[operator]


def test_a_mask_of_numbers_that_may_mean_anything_is_refused() -> None:
    """One of 0.0 and 1.0 would have no foreground."""
    for dtype in [np.float32, np.float64, np.uint16, np.int64]:
        truth = np.full((4, 5), 255, np.uint8)
        with pytest.raises(InputError, match=f"the mask is {np.dtype(dtype)}; give bool, or uint8 with 255"):
            count(np.ones((4, 5), dtype), truth)
