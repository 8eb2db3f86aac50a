"""A long video in pieces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fit_kit import footage, sample_of

from bgsub.background.segments import fit_segments, too_few
from bgsub.errors import TooFewFrames
from bgsub.frames.grid import Grid
from bgsub.frames.sample import Sample
from bgsub.options.table import Options

FRAMES = footage(20)[0]
GRID = Grid(48, 36, True)


def segments(*lengths: int, changes: tuple[int, ...] = ()) -> list[tuple[object, int]]:
    samples: list[Sample] = []
    for index, length in enumerate(lengths):
        brighter = np.clip(FRAMES[:length].astype(int) + 20 * index, 0, 255).astype(np.uint8)
        sample = sample_of(brighter, first=sum(lengths[:index]))[0]
        samples.append(replace(sample, after_change=index in changes))
    return list(fit_segments(samples, GRID, Options(threads=1), "clip.mp4"))


def test_every_segment_has_a_background_of_its_own() -> None:
    found = segments(12, 12, 12)
    assert [frames for _, frames in found] == [12, 12, 12]
    plates = [float(model.plate().mean()) for model, _ in found]  # type: ignore[attr-defined]
    assert np.diff(plates) == pytest.approx([20, 20], abs=1)
    assert [model.report.first for model, _ in found] == [0, 12, 24]  # type: ignore[attr-defined]


def test_a_short_tail_keeps_the_background_before_it() -> None:
    (first, _), (second, count) = segments(20, 4)
    assert second is first
    assert count == 4


def test_a_tail_of_a_quarter_is_fitted() -> None:
    (first, _), (second, _) = segments(20, 5)
    assert second is not first


def test_a_tail_of_two_frames_is_never_fitted() -> None:
    (first, _), (second, count) = segments(6, 2)
    assert second is first
    assert count == 2


def test_after_a_change_point_even_a_short_segment_has_a_background_of_its_own() -> None:
    (first, _), (second, count) = segments(20, 3, changes=(1,))
    assert second is not first
    assert count == 3
    assert np.mean(second.plate()) == pytest.approx(np.mean(first.plate()) + 20, abs=5)  # type: ignore[attr-defined]


def test_two_frames_after_a_change_point_keep_the_background_until_there_are_more() -> None:
    (first, _), (second, _), (third, _) = segments(20, 2, 4, changes=(1,))
    assert second is first
    assert third is not first


def test_a_tail_is_measured_by_the_segments_since_the_change_point() -> None:
    (_, _), (second, _), (third, _) = segments(20, 6, 3, changes=(1,))
    assert third is not second


def test_three_frames_are_enough() -> None:
    assert len(segments(3)) == 1


def test_too_few_frames_are_refused_with_their_number_and_the_number_needed() -> None:
    for lengths, said in (((), "no frame"), ((1,), "only 1 frame,"), ((2,), "only 2 frames")):
        with pytest.raises(TooFewFrames, match=rf"^clip\.mp4: {said}.*at least 3") as caught:
            segments(*lengths)
        assert str(caught.value) == too_few("clip.mp4", sum(lengths), Options())


def test_one_segment_is_fitted_at_a_time() -> None:
    drawn: list[int] = []

    def samples() -> object:
        for index in range(3):
            drawn.append(index)
            yield sample_of(FRAMES)[0]

    models = fit_segments(samples(), GRID, Options(threads=1), "clip.mp4")  # type: ignore[arg-type]
    next(models)
    assert drawn == [0]
