from __future__ import annotations

import numpy as np
import pytest
from solver_cases import small_clip

from bgsub.solver import L1Ball, NuclearNormBall, SplitProblem, Stopping, alt_pgcg, solve


def split(matrix, offset, iterations):
    excess = np.abs(matrix - offset)
    sets = (
        NuclearNormBall(float(np.linalg.norm(np.clip(matrix - offset, -12, 12), 2))),
        L1Ball(float(np.maximum(excess - 12, 0).sum())),
    )
    return solve(
        SplitProblem(matrix, *sets, offset=offset), alt_pgcg(), stop=Stopping(iterations, 1e-3, 1e-3)
    )


def test_a_moving_box_ends_up_in_the_residual_and_not_in_the_background():
    matrix, offset = small_clip()
    result = split(matrix, offset, 20)
    box = np.zeros((24, 20, 30), bool)
    for t in range(24):
        box[t, 5:11, t : t + 6] = True
    residual = np.abs(matrix - result.low_rank.dense()).reshape(box.shape)
    assert np.median(residual[box]) > 40
    assert np.median(residual[~box]) < 4


@pytest.mark.slow
@pytest.mark.shared_data
def test_a_street_is_nearly_explained_after_a_few_iterations(shared_data):
    cv2 = pytest.importorskip("cv2")
    files = sorted((shared_data / "sequences/baseline/highway/input").iterdir())[::10]
    matrix = np.stack([cv2.imread(str(file), 0).ravel() for file in files])
    result = split(matrix, np.median(matrix, axis=0), 6)
    assert result.objective < 0.08 * result.trace[0].objective
    assert result.gap < 0.02 * result.trace[0].objective
