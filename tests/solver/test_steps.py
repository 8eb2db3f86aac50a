from __future__ import annotations

import numpy as np
import pytest

from bgsub.errors import OptionError
from bgsub.solver import ExactLineSearch, OpenLoop


@pytest.mark.parametrize("scale", [-3.0, 0.1, 1.0, 5.0])
def test_exact_line_search_is_no_worse_than_any_point_of_a_grid(rng, scale):
    gradient = rng.standard_normal((5, 6))
    direction = -scale * gradient + 0.3 * rng.standard_normal((5, 6))
    gamma = ExactLineSearch().step(
        float(np.vdot(direction, gradient)), float(np.vdot(direction, direction)), 0.5
    )
    assert 0 <= gamma <= 1
    values = [np.linalg.norm(gradient + g * direction) for g in np.linspace(0, 1, 1001)]
    assert np.linalg.norm(gradient + gamma * direction) <= min(values) + 1e-12


def test_no_direction_and_no_descent_give_no_step():
    assert ExactLineSearch().step(0.0, 0.0, 1.0) == 0
    assert ExactLineSearch().step(-1.0, 0.0, 1.0) == 0
    assert ExactLineSearch().step(2.0, 1.0, 1.0) == 0


def test_open_loop_starts_at_one_and_falls_like_two_over_t():
    rule = OpenLoop()
    assert rule.weight(1) == 1
    assert rule.weight(9) == pytest.approx(0.2)
    assert rule.step(-1.0, 1.0, 0.2) == 0.2
    assert OpenLoop(4).weight(1) == pytest.approx(0.4)


def test_a_shift_that_would_leave_the_segment_is_refused():
    with pytest.raises(OptionError, match="shift of OpenLoop must be at least 1"):
        OpenLoop(0.5)
