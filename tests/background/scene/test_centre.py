"""The temporal median."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bgsub.background.scene.centre import temporal_median


def test_the_centre_is_the_median_of_any_number_of_frames() -> None:
    for count in (1, 2, 3, 4, 7, 24, 151):
        frames = np.random.default_rng(count).integers(0, 256, (count, 500), dtype=np.uint8)
        found = temporal_median(frames)
        assert found.dtype == np.float32
        assert np.array_equal(found, np.median(frames, axis=0))


@settings(deadline=None, max_examples=50)
@given(
    arrays(
        np.uint8,
        st.tuples(st.integers(1, 9), st.integers(1, 5)),
        elements=st.sampled_from([0, 1, 15, 16, 255]),
    )
)
def test_the_centre_is_the_median_at_the_ends_of_the_scale_too(frames: np.ndarray) -> None:
    assert np.array_equal(temporal_median(frames), np.median(frames, axis=0))


def test_the_centre_does_not_depend_on_the_number_of_threads() -> None:
    for threads, rows in product((2, 3, 8), (1, 5, 1000)):
        frames = np.random.default_rng(0).integers(0, 256, (20, rows), dtype=np.uint8)
        assert np.array_equal(temporal_median(frames, threads), temporal_median(frames, 1))


def test_the_frames_are_not_changed() -> None:
    frames = np.random.default_rng(0).integers(0, 256, (6, 40), dtype=np.uint8)
    before = frames.copy()
    temporal_median(frames)
    assert np.array_equal(frames, before)


@pytest.mark.parametrize(("count", "channels"), [(1, 3), (7, 1), (50, 3), (129, 1), (256, 3)])
def test_only_what_is_shown_counts(count, channels):
    rng = np.random.default_rng(count)
    frames = rng.integers(0, 256, (count + 3, 700 * channels), dtype=np.uint8)
    used = np.sort(rng.choice(count + 3, count, replace=False))
    shown = (rng.random((count, 700)) < 0.4).astype(np.uint8)
    values = np.where(np.repeat(shown, channels, axis=1) > 0, frames[used].astype(float), np.nan)
    seen = ~np.isnan(values).all(axis=0)
    for threads in (1, 3):
        found = temporal_median(frames, threads, shown, used)
        assert np.array_equal(found[seen], np.nanmedian(values[:, seen], axis=0).astype(np.float32))
        assert (found[~seen] == 255).all()
