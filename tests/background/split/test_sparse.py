"""The term of the foreground: radius or weights from the data, with their reasons."""

from __future__ import annotations

import numpy as np
import pytest
from fit_kit import objects_in_light, sampled

from bgsub.background.split.sparse import choose_sparse
from bgsub.background.split.terms import Chosen
from bgsub.options.table import Options
from bgsub.solver import ElasticNet, GroupBall, L1Ball, LpBall

FRAMES = objects_in_light()
CENTRE = sampled(FRAMES)[0]
EXCESS = np.maximum(np.abs(FRAMES - CENTRE.astype(float)) - 8, 0)


def chosen(**options: object) -> Chosen:
    return choose_sparse(FRAMES, CENTRE, 8.0, Options(**options))  # type: ignore[arg-type]


def test_the_l1_radius_is_the_sum_of_what_exceeds_the_outlier_level() -> None:
    ball = chosen()
    assert ball.radius == pytest.approx(EXCESS.sum())
    assert ball.term == L1Ball(ball.radius)
    assert ball.values == {"sparsity": ball.radius}
    share = f"{np.mean(EXCESS > 0):.1%}"
    assert f"s = {ball.radius:.3g}: ℓ1 norm" in ball.reasons[0]
    assert "more than 8.0 grey levels" in ball.reasons[0]
    assert share in ball.reasons[0]


def test_the_lp_radius_is_the_lp_norm_of_the_same() -> None:
    for delta in (None, 0.05, 1.0):
        ball, p = chosen(sparse="lp", delta=delta), 1 + (delta or 0.2)
        assert ball.radius == pytest.approx(np.linalg.norm(EXCESS.ravel(), p), rel=1e-6)
        assert ball.term == LpBall(ball.radius, p)
        assert ball.values == {"sparsity": ball.radius, "delta": delta or 0.2}
        assert f"ℓ{p:.4g} norm" in ball.reasons[0]
        assert ball.reasons[1] == f"δ = {p - 1:.3g}: " + (
            "as asked for" if delta else "the middle of the paper's table"
        )


def test_the_group_radius_is_the_norm_of_the_rows_of_the_papers_matrix_pixels_by_frames() -> None:
    ball = chosen(sparse="group")
    assert ball.radius == pytest.approx(np.linalg.norm(EXCESS.T, axis=1).sum(), rel=1e-6)
    # The solver is given frames × pixels, so the groups are columns there.
    assert ball.term == GroupBall(ball.radius, "columns")
    assert "ℓ2 norms over time" in ball.reasons[0]


def test_a_sample_of_the_rows_tells_the_radius_of_all() -> None:
    for sparse in ("l1", "lp", "group"):
        some = np.random.default_rng(1).permutation(FRAMES.shape[1])[: FRAMES.shape[1] // 4]
        ball = choose_sparse(FRAMES[:, some], CENTRE[some], 8.0, Options(sparse=sparse), share=0.25)
        assert ball.radius == pytest.approx(chosen(sparse=sparse).radius, rel=0.05)


def test_an_elastic_net_leaves_out_what_deviates_by_less_than_the_outlier_level() -> None:
    net = chosen(sparse="elastic-net")
    assert net.term == ElasticNet(8.0, 0.05)
    assert net.radius is None
    assert [reason.split(":")[0] for reason in net.reasons] == ["λ1 = 8", "λ2 = 0.05"]
    deviation = np.array([-7.9, 0, 7.9, 41.0])
    # What the term makes of a deviation when the background is right: its proximal point of weight 1.
    assert net.term.prox(deviation, 1.0) == pytest.approx([0, 0, 0, (41 - 8) / 1.1])


def test_the_users_radius_wins() -> None:
    for sparse in ("l1", "lp", "group"):
        ball = chosen(sparse=sparse, sparsity=456.0)
        assert ball.radius == ball.term.radius == 456
        assert ball.reasons[0] == "s = 456: as asked for"


def test_the_users_weights_win() -> None:
    net = chosen(sparse="elastic-net", lambda1=0, lambda2=3.0)
    assert net.term == ElasticNet(0.0, 3.0)
    assert net.reasons == ("λ1 = 0: as asked for", "λ2 = 3: as asked for")


def test_a_scene_in_which_nothing_happens_has_a_ball_of_one_grey_level() -> None:
    for sparse in ("l1", "lp", "group"):
        frames = np.full((5, 40), 90, np.uint8)
        ball = choose_sparse(frames, sampled(frames)[0], 8.0, Options(sparse=sparse))
        assert ball.radius == 1
        assert "0.0% of the entries" in ball.reasons[0]
        assert "1 at least" in ball.reasons[0]
