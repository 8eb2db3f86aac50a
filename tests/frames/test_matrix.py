from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub.errors import OptionError
from bgsub.frames.matrix import FrameMatrix


def filled(count: int, capacity: int, rows: int = 4) -> FrameMatrix:
    matrix = FrameMatrix(capacity, rows)
    for index in range(count):
        matrix.append(np.full(rows, index, np.uint8))
    return matrix


def test_frames_are_rows_in_order():
    matrix = filled(3, 5)
    assert len(matrix) == 3
    assert matrix.frames[:, 0].tolist() == [0, 1, 2]
    assert matrix.frames.flags.c_contiguous


def test_appending_copies():
    matrix = FrameMatrix(1, 4)
    vector = np.ones(4, np.uint8)
    matrix.append(vector)
    vector[:] = 0
    assert matrix.frames.all()


@given(st.integers(0, 12))
def test_every_other_frame_from_the_first_is_kept(count: int):
    matrix = filled(count, 12)
    matrix.discard_every_other()
    assert matrix.frames[:, 0].tolist() == list(range(0, count, 2))


def test_a_full_matrix_refuses_and_has_room_again_after_discarding():
    matrix = filled(4, 4)
    assert matrix.is_full
    with pytest.raises(ValueError, match="full"):
        matrix.append(np.zeros(4, np.uint8))
    matrix.discard_every_other()
    matrix.append(np.full(4, 9, np.uint8))
    assert matrix.frames[:, 0].tolist() == [0, 2, 9]


def test_a_frame_of_another_shape_or_type_is_refused():
    for vector in [np.zeros(3, np.uint8), np.zeros((4, 1), np.uint8), np.zeros(4, np.int64)]:
        with pytest.raises(ValueError, match=r"expected \(4,\) uint8"):
            FrameMatrix(2, 4).append(vector)


def test_memory_is_known_beforehand():
    assert FrameMatrix.nbytes_for(7, 11) == FrameMatrix(7, 11).nbytes == 77


def test_an_empty_matrix_is_refused():
    for capacity, rows, got in [
        (0, 4, "0 frames of 4 rows"),
        (1, 0, "1 frame of 0 rows"),
        (-1, 1, "-1 frames of 1 row"),
    ]:
        with pytest.raises(OptionError, match=f"at least 1 frame of 1 row, got {got}$"):
            FrameMatrix(capacity, rows)


def test_more_than_the_machine_has_is_told_in_gibibytes():
    with pytest.raises(OptionError, match=r"need 1073741824\.0 GiB.*fewer columns"):
        FrameMatrix(2**30, 2**30)
