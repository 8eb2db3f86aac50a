from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bgsub.errors import OutputError
from bgsub.render.sinks.open import MemorySink


def test_it_keeps_copies_with_times_and_numbers() -> None:
    image = np.zeros((3, 5), np.uint8)
    with MemorySink() as sink:
        for index in range(3):
            image[...] = index
            sink.write(image, Fraction(index, 25), 100 + index)
    assert [int(kept[0, 0]) for kept in sink.images] == [0, 1, 2]
    assert sink.times == [Fraction(0), Fraction(1, 25), Fraction(2, 25)]
    assert sink.numbers == [100, 101, 102]


def test_nothing_is_kept_after_an_abort() -> None:
    sink = MemorySink()
    sink.write(np.zeros((3, 5), np.uint8), Fraction(0))
    sink.abort()
    assert sink.images == []


def test_no_frame_is_an_error() -> None:
    with pytest.raises(OutputError, match="no frame was written"), MemorySink("notebook"):
        pass
