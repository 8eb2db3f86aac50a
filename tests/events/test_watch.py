"""Which tracks count, and their rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from event_kit import SHAPE, mask_of, moment, watched

from bgsub.errors import OutputError
from bgsub.events import ledger
from bgsub.events.watch import Watch


def walk(first: int, last: int, frames: int, y: int = 40) -> list[list[tuple[int, int, int, int]]]:
    return [[(10 + 3 * (t - first), y, 12, 30)] if first <= t < last else [] for t in range(frames)]


def test_a_track_has_rows_since_it_was_first_seen():
    rows = watched(walk(5, 40, 60))
    assert [len(found) for _, found in rows] == [5 <= t < 40 for t in range(60)]
    assert {row.track for _, found in rows for row in found} == {1}
    assert [each.number for each, _ in rows] == list(range(1, 61))


def test_what_rests_first_and_walks_later_has_its_rest_too():
    rest = [[(10, 40, 12, 30)]] * 80
    rows = watched(rest + walk(0, 40, 40))
    assert all(found for _, found in rows)


@pytest.mark.parametrize(("frames", "counts"), [(9, False), (10, True), (30, True)])
def test_what_is_seen_for_less_is_nothing(frames, counts):
    rows = watched(walk(5, 5 + frames, 60), shortest=Fraction(10, 25))
    assert any(found for _, found in rows) == counts


def test_what_never_leaves_its_place_is_nothing_however_long_it_is_there():
    rng = np.random.default_rng(2)
    leaves = [[(50 + int(rng.integers(6)), 30, 4, 5)] for _ in range(200)]
    assert not any(found for _, found in watched(leaves))


def test_at_a_frame_a_second_a_frame_is_long_enough():
    rows = watched([[(10 + 12 * t, 40, 14, 30)] for t in range(10)], Fraction(1, 2), rate=1)
    assert all(found for _, found in rows)


def test_outlines_survive_the_disk(monkeypatch):
    monkeypatch.setattr(ledger, "IN_MEMORY", 1)
    rng = np.random.default_rng(0)
    watch, masks = Watch(SHAPE, Fraction(1, 5)), []
    for t in range(30):
        mask = mask_of([(10 + 4 * t, 40, 17, 31)])
        mask[(rng.random(SHAPE) < 0.1) & (mask > 0)] = 0
        masks.append(mask)
        watch(moment(t, name=f"cam é {t}"), (mask, mask // 3, mask), Fraction(1, 25))
    for (each, rows), mask in zip(watch.rows(), masks, strict=True):
        [row] = rows
        x, y, width, height = row.found.box
        drawn = np.zeros(SHAPE, np.uint8)
        drawn[y : y + height, x : x + width] = row.found.pixels
        assert np.array_equal(drawn, mask)
        assert (row.found.area, row.found.contrast) == (np.count_nonzero(mask), pytest.approx(85))
        assert each == moment(each.index, name=f"cam é {each.index}")
    watch.close()


def test_a_full_disk_is_one_line(monkeypatch):
    class Full:
        def __init__(self, *_):
            pass

        def write(self, _):
            raise OSError(28, "No space left on device")

        def close(self):
            pass

    monkeypatch.setattr(ledger.tempfile, "SpooledTemporaryFile", Full)
    mask = mask_of([(10, 40, 17, 31)])
    with pytest.raises(OutputError, match="the disk is full"):
        Watch(SHAPE, Fraction(1))(moment(0), (mask, mask, mask), Fraction(1, 25))
