from __future__ import annotations

import itertools

import numpy as np
import pytest
from solver_cases import optimum, plant

from bgsub.errors import OptionError
from bgsub.solver import (
    L1Ball,
    L1Penalty,
    NuclearNormBall,
    NuclearNormPenalty,
    SplitProblem,
    Stopping,
    TraceBall,
    alt_cgpg,
    alt_pgcg,
    alt_pgpg,
    auto,
    cgcg,
    fista,
    solve,
)


def actions(result):
    return [row.action for row in result.trace]


def test_a_planted_problem_is_solved_and_certified_from_any_rank():
    """Far beyond what 100 iterations of the paper's methods reach, with their certificate."""
    planted = plant((60, 75), 3, 0.05, 10.0)
    others = [
        solve(planted.problem(), method, stop=Stopping(100, 0, -1)).objective
        for method in (alt_pgcg(), alt_cgpg(3), cgcg())
    ]
    for rank in (None, 1, 3, 20):
        result = solve(planted.problem(), alt_pgpg(rank), stop=Stopping(200, 1e-12, -1))
        assert result.status == "converged"
        assert result.objective <= result.gap <= 1e-12 * result.trace[0].objective
        error = np.linalg.norm(result.low_rank.dense() - planted.low_rank)
        assert error < 1e-3 * np.linalg.norm(planted.low_rank)
        assert result.objective < 1e-6 * min(others)
        # Without the restart where a step turns back against the one before it takes 30.
        assert rank is not None or result.iterations <= 24


def test_the_objective_never_rises_and_the_trace_says_what_was_done():
    rng = np.random.default_rng(3)
    problem = SplitProblem(rng.standard_normal((60, 70)), NuclearNormBall(30.0), L1Ball(200.0))
    result = solve(problem, alt_pgpg(2), stop=Stopping(300, 1e-9, -1))
    assert all(b.objective <= a.objective * (1 + 1e-12) for a, b in itertools.pairwise(result.trace))
    assert result.status == "converged"
    found = actions(result)
    assert found[0] == "start"
    assert all(action.startswith("alt-pgpg") for action in found[1:])
    assert any("momentum restarted" in action for action in found)
    assert any("rank grows to" in action for action in found)


def test_the_rank_shrinks_where_values_vanish():
    planted = plant((100, 110), 3, 0.02, 10.0)
    result = solve(planted.problem(), alt_pgpg(20), stop=Stopping(200, 1e-14, -1))
    assert result.rank < 6


def test_it_agrees_with_an_interior_point_method_where_f_star_is_positive():
    matrix = np.random.default_rng(1).standard_normal((9, 12))
    result = solve(
        SplitProblem(matrix, NuclearNormBall(4.0), L1Ball(8.0)), alt_pgpg(), stop=Stopping(2000, 1e-9, -1)
    )
    assert result.objective == pytest.approx(optimum(matrix, 4.0, 8.0), rel=1e-5)
    assert result.status == "converged"


def test_fista_takes_full_decompositions_and_more_iterations():
    planted = plant((60, 70), 4, 0.05, 10.0)
    slow = solve(planted.problem(), fista(), stop=Stopping(400, 1e-8, -1))
    fast = solve(planted.problem(), alt_pgpg(), stop=Stopping(400, 1e-8, -1))
    assert slow.status == fast.status == "converged"
    assert fast.iterations < slow.iterations


def test_auto_begins_with_the_paper_s_choice_and_finishes_with_alt_pgpg():
    planted = plant((100, 120), 3, 0.1, 20.0)
    problem = planted.problem()
    result = solve(problem, auto(problem), stop=Stopping(200, 1e-10, -1))
    found = [action.split(" ")[0] for action in actions(result)[1:]]
    first = auto(problem).first.name
    assert found[0] == first
    assert found == sorted(found, key=lambda name: name != first)
    assert found[-1] == "alt-pgpg"
    assert result.status == "converged"


def test_auto_without_polish_is_the_paper_s_choice():
    problem = plant((20, 30), 3, 0.1, 20.0).problem()
    result = solve(problem, auto(problem, polish=False), stop=Stopping(15, 0, -1))
    assert set(actions(result)[1:]) == {"alt-pgcg"}


def test_a_rank_that_is_none_is_refused():
    for make, rank in itertools.product((alt_pgpg, alt_cgpg), (0, -1, 1.5, True, "3")):
        with pytest.raises(OptionError, match=r"rank of alt_.* must be a whole number of at least 1"):
            make(rank)


@pytest.mark.parametrize("method", [alt_pgpg(99), alt_cgpg(99), fista()], ids=lambda m: m.name)
def test_a_rank_beyond_the_matrix_is_cut(method):
    for shape in ((1, 1), (1, 9), (7, 1), (3, 60), (55, 4)):
        planted = plant(shape, 1, 0.5, 2.0)
        result = solve(planted.problem(), method, stop=Stopping(30, 1e-9, -1))
        assert result.rank <= min(shape)
        assert result.objective <= result.trace[0].objective


def test_a_zero_matrix_is_solved_at_once():
    problem = SplitProblem(np.zeros((60, 70)), NuclearNormBall(1.0), L1Ball(1.0))
    for method in (alt_pgpg(), alt_cgpg(), fista(), cgcg()):
        result = solve(problem, method)
        assert result.objective == 0
        assert result.status == "converged"


def test_a_run_may_start_where_another_ended():
    problem = plant((60, 70), 4, 0.05, 10.0).problem()
    first = solve(problem, alt_pgcg(), stop=Stopping(20, 0, -1))
    second = solve(problem, alt_pgpg(), stop=Stopping(100, 1e-10, -1), start=first)
    assert second.trace[0].objective == pytest.approx(first.objective, rel=1e-9)
    assert second.status == "converged"


@pytest.mark.slow
def test_a_start_of_higher_rank_than_the_first_step_would_find_is_no_obstacle():
    """Penalties that fall from run to run: the point has a rank already, and a step of less would raise f."""
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((50, 5)) @ rng.standard_normal((5, 50)) + 0.3 * rng.standard_normal((50, 50))
    top, result = np.linalg.norm(matrix, 2), None
    for weight in (0.05, 0.02, 0.01, 0.005, 0.002):
        terms = NuclearNormPenalty(weight * top), L1Penalty(weight * top / 10)
        result = solve(SplitProblem(matrix, *terms), alt_pgpg(), stop=Stopping(300, 1e-9, 1e-8), start=result)
        cold = solve(SplitProblem(matrix, *terms), alt_pgpg(50), stop=Stopping(500, 1e-9, 1e-9))
        assert result.objective == pytest.approx(cold.objective, rel=1e-5)
        assert not all("refused" in action for action in actions(result)[1:])


def test_auto_for_two_penalties_is_alt_pgpg():
    matrix = np.random.default_rng(0).standard_normal((20, 30))
    problem = SplitProblem(matrix, NuclearNormPenalty(1.0), L1Penalty(0.2))
    result = solve(problem, auto(problem), stop=Stopping(300, 1e-6, -1))
    assert result.status == "converged"
    assert {action.split(" ")[0] for action in actions(result)} == {"start", "alt-pgpg"}


def test_auto_goes_on_where_its_first_phase_has_nothing_left_to_do():
    rng = np.random.default_rng(0)
    low_rank = rng.standard_normal((60, 2)) @ rng.standard_normal((2, 60))
    matrix = low_rank + 0.1 * rng.standard_normal((60, 60)) + 10 * (rng.random((60, 60)) < 0.05)
    problem = SplitProblem(matrix, NuclearNormBall(100.0), L1Ball(1500.0))
    start = solve(problem, alt_pgpg(), stop=Stopping(8, 0, -1))
    result = solve(problem, auto(problem), stop=Stopping(500, 1e-9, 1e-9), start=start)
    assert "alt-pgpg" in actions(result)
    assert result.gap < 0.1 * start.gap


def test_one_flat_iteration_is_not_yet_flat_with_momentum():
    matrix = np.random.default_rng(1).standard_normal((30, 40))
    problem = SplitProblem(matrix, NuclearNormBall(10.0), L1Ball(30.0))
    start = solve(problem, alt_pgpg(), stop=Stopping(500, 1e-6, -1))
    again = solve(problem, alt_pgpg(), stop=Stopping(500, 0.0, 1e-6), start=start)
    assert again.status == "flat"
    assert again.iterations >= 3


def test_an_iteration_that_raises_the_rank_is_not_taken_for_the_last():
    """It may change nothing itself; what follows does."""
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((200, 5)) @ rng.standard_normal((5, 200)) + 0.03 * rng.standard_normal(
        (200, 200)
    )
    problem = SplitProblem(matrix, NuclearNormBall(1e3), L1Ball(1.0))
    result = solve(problem, alt_pgpg(5), stop=Stopping(500, 1e-9, 1e-3))
    assert any("grows" in action for action in actions(result))
    assert "grows" not in actions(result)[-1]


@pytest.mark.parametrize("swapped", [False, True])
def test_two_parts_of_low_rank_are_solved_too(swapped):
    rng = np.random.default_rng(1)
    square = rng.standard_normal((14, 2)) @ rng.standard_normal((2, 14))
    matrix = square @ square.T / 10 + 5 * rng.standard_normal((14, 14)) * (rng.random((14, 14)) < 0.1)
    terms = TraceBall(9.0), NuclearNormBall(9.0)
    problem = SplitProblem(matrix, *(terms[::-1] if swapped else terms))
    for method in (alt_pgpg(), fista(), auto(problem)):
        assert solve(problem, method, stop=Stopping(3000, 1e-4, -1)).status == "converged"
