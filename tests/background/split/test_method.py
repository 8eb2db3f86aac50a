"""Every method with every pair of terms: it fits, or it is refused with its reason before anything is opened."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from fit_kit import footage, sample_of

from bgsub.background.model import BackgroundModel
from bgsub.background.scene.noise import sample_residual
from bgsub.background.split.low_rank import choose_low_rank
from bgsub.background.split.method import LONGER, SAMPLED, STOPPING, choose_method, make_method, stopping
from bgsub.background.split.sparse import choose_sparse
from bgsub.background.split.terms import Chosen
from bgsub.errors import OptionError
from bgsub.options.choices import (
    LOW_RANK,
    METHODS,
    PARAMETERS,
    SPARSE,
    is_sampled,
    is_streamed,
    projects_background,
    refusal,
)
from bgsub.options.table import Options
from bgsub.solver import SplitProblem
from bgsub.solver.capabilities import lacks
from bgsub.solver.engines.streamed import StreamedEngine
from bgsub.solver.parts import Part

ALL = list(product(METHODS, LOW_RANK, SPARSE))
RUN = [choice for choice in ALL if not refusal(*choice[:2])]
FEW = [
    *(choice for choice in RUN if choice[1:] == ("nuclear", "l1") or choice[:2] == ("auto", "nuclear")),
    *(("alt-pgpg", "nuclear-penalty", "elastic-net"), ("auto", "nuclear-penalty", "group")),
]
"""Every method, every term, and both kinds of background."""
REFUSED = [choice for choice in ALL if refusal(*choice[:2])]
SHAPE = (40, 5184)


def ball(radius: float) -> Chosen:
    return Chosen(None, {}, (), radius)


PENALTY = Chosen(None, {}, ())


def options(method: str, low_rank: str, sparse: str, **others: object) -> Options:
    return Options(method=method, low_rank=low_rank, sparse=sparse, threads=1, **others)  # type: ignore[arg-type]


def clip() -> np.ndarray:
    light = 1 + 0.12 * np.sin(np.arange(20) / 3)
    return footage(20, light)[0][:, :24, :32]


def check_fit(choice: tuple[str, str, str], centre: str) -> None:
    frames, asked = clip(), options(*choice, centre=centre)
    model = BackgroundModel.fit(*sample_of(frames), asked)
    report, limits = model.report, stopping(model.report.method, asked)
    assert report.method == (choice[0] if choice[0] != "auto" else report.method)
    assert (report.low_rank, report.sparse) == choice[1:]
    for name, (part, terms) in PARAMETERS.items():
        assert (getattr(report, name) is not None) == (getattr(asked, part) in terms), name
    assert np.isfinite(model.components).all()
    # FISTA alone may raise the objective, and only on the way.
    assert report.objective <= report.initial_objective * (1 + 1e-6)
    assert report.gap >= 0
    assert 1 <= report.iterations <= limits.max_iterations
    proven = report.gap <= limits.gap_tolerance * report.initial_objective
    assert (report.status == "converged") == proven
    assert model.apply(frames[3]).mask.shape == (24, 32)


@pytest.mark.parametrize(("centre", "choices"), [("median", FEW[::2]), ("none", FEW[1::2])])
def test_every_method_and_every_term_fits(centre: str, choices: list[tuple[str, str, str]]) -> None:
    for choice in choices:
        check_fit(choice, centre)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_every_method_fits_with_every_pair_of_terms_it_can_run_with(method: str) -> None:
    for choice, centre in product(RUN, ("median", "none")):
        if choice[0] == method:
            check_fit(choice, centre)


def test_what_cannot_run_is_refused_with_the_missing_capability_and_a_choice_that_works() -> None:
    for choice in REFUSED:
        with pytest.raises(
            OptionError, match=r"needs a conditional-gradient step \(lmo\) of the low-rank term"
        ) as caught:
            options(*choice)
        assert f"--method {choice[0]}" in str(caught.value)
        assert "use --method alt-pgpg, or --low-rank nuclear" in str(caught.value)
        options("alt-pgpg", *choice[1:])
        options(choice[0], "nuclear", choice[2])


def problem_of(low_rank: str, sparse: str) -> SplitProblem:
    frames = clip().reshape(20, -1)
    centre = np.median(frames, axis=0).astype(np.float32)
    residual = sample_residual(frames, centre, 3, 0)
    asked = Options(low_rank=low_rank, sparse=sparse)
    terms = choose_low_rank(centre, residual, (1.0, 8.0), asked), choose_sparse(frames, centre, 8.0, asked)
    return SplitProblem(frames, terms[0].term, terms[1].term, centre)


def test_the_table_of_choices_agrees_with_the_solver() -> None:
    for terms in product(LOW_RANK, SPARSE):
        problem = problem_of(*terms)
        for name in METHODS[1:]:
            choice, method = (name, *terms), make_method(name, Options())
            assert bool(refusal(*choice[:2])) == bool(lacks(problem, method.asks)), choice
            projects = (Part.LOW_RANK, "prox") in method.asks
            assert projects_background(*choice[:2]) == projects, choice
            streams = StreamedEngine.takes(problem, method.asks) and not method.anywhere
            assert is_streamed(*choice) == (is_sampled(*choice) or streams), choice


GROUPS = Options(sparse="group")


def test_the_larger_ball_takes_the_projected_step() -> None:
    assert choose_method(ball(1), ball(2), SHAPE, GROUPS)[0] == "alt-pgcg"
    assert choose_method(ball(2), ball(1), SHAPE, GROUPS)[0] == "alt-cgpg"
    assert choose_method(ball(1), ball(1), SHAPE, GROUPS)[0] == "alt-pgcg"


def test_two_balls_are_solved_from_coarse_to_fine_unless_a_method_is_asked_for() -> None:
    assert choose_method(ball(1), ball(2), SHAPE, Options())[0] == SAMPLED
    assert choose_method(ball(2), ball(1), SHAPE, Options())[0] == SAMPLED
    assert choose_method(ball(1), ball(2), SHAPE, Options(method="alt-pgcg"))[0] == "alt-pgcg"


def test_the_reason_for_the_method_compares_the_radii() -> None:
    assert "s ≥ τ, so the foreground" in choose_method(ball(1), ball(2), SHAPE, GROUPS)[1]
    assert "s < τ, so the background" in choose_method(ball(2), ball(1), SHAPE, GROUPS)[1]


def test_the_background_is_not_projected_where_no_memory_was_planned_for_it() -> None:
    method, reason = choose_method(ball(2), ball(1), (150, 230_400), GROUPS)
    assert method == "alt-pgcg"
    assert "although s < τ" in reason


def test_a_penalty_decides_the_method() -> None:
    assert choose_method(ball(2), PENALTY, SHAPE, Options(sparse="elastic-net"))[0] == SAMPLED
    method, reason = choose_method(PENALTY, ball(1), SHAPE, Options(low_rank="nuclear-penalty"))
    assert (method, "no conditional-gradient step" in reason) == ("alt-pgpg", True)


def test_the_users_method_wins() -> None:
    for method in METHODS:
        if method not in ("auto", "fista"):
            found = choose_method(ball(2), ball(1), SHAPE, Options(method=method))
            assert found == (method, f"method {method}: as asked for")


def test_a_method_that_cannot_work_on_the_footage_says_why_and_names_the_better_one() -> None:
    moved = {"l1": "one entry", "group": "one pixel", "lp": "little but the largest deviations"}
    for method, (sparse, moves) in product(("alt-cgpg", "cgcg", "cgcg-p"), moved.items()):
        name, reason = choose_method(ball(1), ball(2), SHAPE, Options(method=method, sparse=sparse))
        assert name == method
        assert f"as asked for; alt-pgcg is better where s > τ, since {method} moves {moves}" in reason
        suits = Options(method="alt-pgcg", sparse=sparse)
        assert "better" not in choose_method(ball(1), ball(2), SHAPE, suits)[1]


def test_the_better_method_is_one_that_can_run() -> None:
    asked = Options(method="alt-cgpg", low_rank="nuclear-penalty")
    assert "; alt-pgpg is better, since" in choose_method(PENALTY, ball(2), SHAPE, asked)[1]
    net = Options(method="alt-cgpg", low_rank="nuclear-penalty", sparse="elastic-net")
    assert "; alt-pgpg is better, since" in choose_method(PENALTY, PENALTY, SHAPE, net)[1]
    assert (
        "better"
        not in choose_method(ball(1), PENALTY, SHAPE, Options(method="cgcg", sparse="elastic-net"))[1]
    )
    assert "alt-pgpg is faster" in choose_method(ball(1), ball(2), SHAPE, Options(method="fista"))[1]


def test_a_projected_background_has_room_for_what_is_to_be_kept() -> None:
    assert make_method("alt-cgpg", Options()).rank == 1
    assert make_method("alt-cgpg", Options(centre="none", rank=3)).rank == 4
    assert make_method("alt-pgpg", Options(rank=3)).rank is None


def test_a_penalty_has_room_for_more_than_one_component() -> None:
    assert make_method("alt-cgpg", Options(low_rank="nuclear-penalty")).rank == 10
    assert make_method("alt-cgpg", Options(low_rank="nuclear-penalty", rank=20)).rank == 20


def test_only_what_streams_with_two_measured_balls_has_to_be_done_after_a_dozen_iterations() -> None:
    assert stopping("alt-pgcg", Options()) is STOPPING
    assert stopping("alt-pgpg", Options()) is LONGER
    for sparse in ("group", "lp", "elastic-net"):
        assert stopping("alt-pgcg", Options(sparse=sparse)) is LONGER
