"""apps/reproduce: the textbook methods, the draws, resuming, the averages and checks, and the command itself."""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from reproduce import jobs, plain, runs, schedule
from reproduce.checks import checks, table_holds
from reproduce.cli import main, plan_of
from reproduce.draws import figure_draw, table_draw
from reproduce.experiments import CONFIGURATIONS, METHODS, PAPER_AMPLITUDE, PAPER_SIZE, QUICK, Plan
from reproduce.jobs import PLAIN_METHODS, Job, figure_jobs, identity
from reproduce.report import report
from reproduce.store import Store
from reproduce.summary import configuration_rows, curve, table_rows

from bgsub.solver import L1Ball, NuclearNormBall, SplitProblem, Stopping, alt_pgpg, solve

ROOT = Path(__file__).resolve().parents[2]
SMALL = replace(QUICK, size=40, draws=1, iterations=10)


def planted(size: int = 40, rank: int = 3, noise: float = 0.0) -> plain.Problem:
    random = np.random.default_rng(5)
    low_rank = random.standard_normal((size, rank)) @ random.standard_normal((rank, size + 8))
    sparse = 9 * random.standard_normal(low_rank.shape) * (random.random(low_rank.shape) < 0.05)
    tau = float(np.linalg.svd(low_rank, compute_uv=False).sum())
    matrix = low_rank + sparse + noise * random.standard_normal(low_rank.shape)
    return plain.Problem(matrix, tau, float(np.abs(sparse).sum()))


def as_split(problem: plain.Problem) -> SplitProblem:
    return SplitProblem(problem.matrix, NuclearNormBall(problem.tau), L1Ball(problem.s))


# The textbook methods


def test_plain_methods_stay_in_both_sets_and_tell_the_objective_of_what_they_return() -> None:
    problem = planted()
    for name in PLAIN_METHODS:
        found = plain.run(problem, runs.plain_step(name, problem, 3), 30)
        assert np.linalg.svd(found.low_rank, compute_uv=False).sum() <= problem.tau * (1 + 1e-9), name
        assert np.abs(found.sparse).sum() <= problem.s * (1 + 1e-9), name
        again = np.sum((found.low_rank + found.sparse - problem.matrix) ** 2) / 2
        assert found.objective[-1] == pytest.approx(again, rel=1e-9), name
        assert found.objective[0] == pytest.approx(np.sum(problem.matrix**2) / 2)
        assert len(found.objective) == len(found.seconds) == 31
        assert found.seconds == sorted(found.seconds)


@pytest.mark.slow
def test_bgsub_and_the_textbook_take_the_same_steps() -> None:
    """At a size where bgsub decomposes in full, but for leading pairs, which it takes from power steps."""
    problem = planted()
    for name, tolerance in {"alt-cgpg": 1e-8, "alt-pgcg": 0.1, "cgcg": 0.01, "cgcg-p": 0.01}.items():
        theirs = plain.run(problem, runs.plain_step(name, problem, 3), 12).objective
        trace = solve(as_split(problem), runs.method(name, 3), stop=runs.exactly(12)).trace
        ours = [row.objective for row in trace]
        assert ours[0] == pytest.approx(theirs[0], rel=1e-12), name
        assert ours == pytest.approx(theirs, rel=tolerance), name


def test_textbook_fista_ends_within_the_certified_gap_of_alt_pgpg() -> None:
    problem = planted(noise=0.5)
    found = plain.run(problem, plain.fista(problem), 500)
    result = solve(as_split(problem), alt_pgpg(), stop=Stopping(2000, 1e-7, -1))
    assert result.gap <= 1e-7 * found.objective[0]
    assert result.objective - result.gap <= found.objective[-1] <= result.objective * (1 + 1e-5)
    assert result.objective > 1e-4 * found.objective[0]


def test_textbook_projections_match_a_general_solver() -> None:
    import cvxpy

    point = np.random.default_rng(1).standard_normal((5, 7))
    for projection, norm in (
        (plain.l1_projection, lambda v: cvxpy.sum(cvxpy.abs(v))),
        (plain.nuclear_projection, cvxpy.normNuc),
    ):
        free, radius = cvxpy.Variable(point.shape), cvxpy.Parameter(nonneg=True)
        problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(free - point)), [norm(free) <= radius])
        for value in (0.5, 3.0, 1e9):
            radius.value = value
            problem.solve(solver=cvxpy.CLARABEL)
            np.testing.assert_allclose(projection(point, value), free.value, atol=1e-5)


def test_textbook_line_search_is_no_worse_than_any_step_of_a_grid() -> None:
    random = np.random.default_rng(2)
    for _ in range(20):
        x, y, v, w, matrix = random.standard_normal((5, 4, 6))
        found = np.add(*plain.mix(x, y, x + y - matrix, v, w)) - matrix
        grid = [np.sum((x + y + g * (v + w - x - y) - matrix) ** 2) for g in np.linspace(0, 1, 101)]
        assert np.sum(found**2) <= min(grid) * (1 + 1e-12)


# The draws


def test_only_an_amplitude_of_100_explains_the_norms_that_the_paper_prints() -> None:
    for configuration in CONFIGURATIONS.values():
        expected = math.sqrt(2 / math.pi) * configuration.density * PAPER_SIZE**2
        assert PAPER_AMPLITUDE * expected == pytest.approx(configuration.l1_norm, rel=0.02)
        assert 10 * expected != pytest.approx(configuration.l1_norm, rel=0.5)


def test_a_draw_has_the_norms_that_it_says_and_the_planted_rank_and_density() -> None:
    draw = figure_draw(replace(QUICK, size=300), 6, CONFIGURATIONS[6], 0)
    values = np.linalg.svd(draw.low_rank, compute_uv=False)
    assert draw.nuclear_norm == pytest.approx(values.sum(), rel=1e-10)
    assert np.count_nonzero(values > 1e-8 * values[0]) == 39
    assert draw.sparse_norm == pytest.approx(np.abs(draw.sparse).sum())
    assert np.mean(draw.sparse != 0) == pytest.approx(0.01, rel=0.15)
    assert np.std(draw.sparse[draw.sparse != 0]) == pytest.approx(100, rel=0.1)
    assert np.array_equal(draw.matrix, draw.low_rank + draw.sparse)


def test_a_draw_of_the_table_is_as_the_paper_describes_it() -> None:
    plan = Plan()
    draw = table_draw(plan, 0.2, 3)
    assert set(np.unique(draw.sparse)) == {-1.0, 0.0, 1.0}
    assert np.mean(draw.sparse == 1) == pytest.approx(0.05, abs=0.01)
    assert np.mean(draw.sparse == -1) == pytest.approx(0.05, abs=0.01)
    assert draw.sparse_norm == pytest.approx(np.sum(np.abs(draw.sparse) ** 1.2) ** (1 / 1.2))
    # E‖X*‖²_F = n·n·r/n².
    assert np.sum(draw.low_rank**2) == pytest.approx(plan.table_rank, rel=0.2)
    assert np.linalg.matrix_rank(draw.low_rank) == plan.table_rank


def test_draws_depend_on_seed_configuration_and_number_and_on_nothing_else() -> None:
    def matrix(seed: int = 0, number: int = 1, draw: int = 0) -> Any:
        return figure_draw(replace(SMALL, seed=seed), number, CONFIGURATIONS[number], draw).matrix

    assert np.array_equal(matrix(), matrix())
    for other in (matrix(seed=1), matrix(number=2), matrix(draw=1)):
        assert not np.allclose(matrix(), other)
    assert np.array_equal(table_draw(SMALL, 0.1, 0).matrix, table_draw(SMALL, 0.4, 0).matrix)


# Resuming


@pytest.fixture
def some_jobs() -> list[Job]:
    return [job for job in figure_jobs(SMALL, 2) if job.method in ("cgcg", "alt-pgcg")]


@pytest.mark.slow
def test_a_second_run_computes_nothing_again(
    tmp_path: Path, some_jobs: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path, SMALL)
    schedule.finish(SMALL, store, some_jobs[:2], "first")
    counted: list[Job] = []

    def execute(plan: Plan, job: Job) -> dict[str, Any]:
        counted.append(job)
        return runs.execute(plan, job)

    monkeypatch.setattr(schedule, "execute", execute)
    schedule.finish(SMALL, store, some_jobs, "second")
    assert counted == some_jobs[2:]
    assert all(store.load(job) is not None for job in some_jobs)
    assert {file.suffix for file in (tmp_path / "runs").iterdir()} == {".json"}


def test_an_interrupted_run_keeps_what_is_finished(
    tmp_path: Path, some_jobs: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    def execute(plan: Plan, job: Job) -> dict[str, Any]:
        if job == some_jobs[1]:
            raise KeyboardInterrupt
        return runs.execute(plan, job)

    monkeypatch.setattr(schedule, "execute", execute)
    store = Store(tmp_path, SMALL)
    with pytest.raises(KeyboardInterrupt):
        schedule.finish(SMALL, store, some_jobs, "interrupted")
    assert [store.load(job) is not None for job in some_jobs] == [True, False, False, False]


def test_another_plan_does_not_see_the_runs_of_this_one(tmp_path: Path) -> None:
    plan = replace(SMALL, threads=2)
    job = figure_jobs(plan)[0]
    Store(tmp_path, plan).save(job, {"found": 1})
    changes = (
        {"seed": 1},
        {"size": 50},
        {"iterations": 11},
        {"amplitude": 10.0},
        {"threads": 1},
        {"jobs": 2},
    )
    for change in changes:
        assert Store(tmp_path, replace(plan, **change)).load(job) is None, change
    assert Store(tmp_path, replace(plan, draws=9, table_size=7)).load(job) == {"found": 1}


def test_another_version_or_machine_does_not_see_the_runs_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, here = figure_jobs(SMALL)[0], jobs.surroundings()
    Store(tmp_path, SMALL).save(job, {"found": 1})
    for part in ("bgsub", "sources", "machine", "numpy"):
        changed = {**here, part: "another"}
        monkeypatch.setattr(jobs, "surroundings", lambda changed=changed: changed)
        assert Store(tmp_path, SMALL).load(job) is None, part


DAMAGES = [
    "",
    "{",
    "[]",
    "\x00",
    '{"identity": {}, "result": {}}',
    '{"identity": IDENTITY}',
    '{"identity": IDENTITY, "result": {}}',
    '{"identity": IDENTITY, "result": 3}',
]


def test_a_damaged_file_counts_as_not_run_and_is_told_of_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job = figure_jobs(SMALL)[0]
    for number, damage in enumerate(DAMAGES):
        place = tmp_path / str(number)
        store = Store(place, SMALL)
        assert store.load(job) is None
        assert capsys.readouterr() == ("", "")
        store.save(job, {"found": 1})
        (file,) = (place / "runs").iterdir()
        file.write_text(damage.replace("IDENTITY", json.dumps(identity(SMALL, job))))
        assert store.load(job) is None
        assert store.load(job) is None
        (line,) = capsys.readouterr().err.splitlines()
        assert str(file) in line
        store.save(job, {"found": 2})
        assert store.load(job) == {"found": 2}


@pytest.mark.slow
def test_the_digest_sees_code_but_not_comments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def digest(text: str) -> str:
        for name in ("draws", "plain", "runs"):
            (tmp_path / f"{name}.py").write_text(text)
        return jobs._digest()

    monkeypatch.setattr(jobs, "__file__", str(tmp_path / "jobs.py"))
    plain_text = digest("X = 1\n\n\ndef f():\n    return X\n")
    assert (
        digest('"""New."""\nX = 1  # one\n"""It."""\n\n\ndef f():\n    """Do."""\n    return X\n')
        == plain_text
    )
    assert digest("X = 1\n\n\ndef f():\n    return -X\n") != plain_text


def test_comparisons_of_speed_are_never_run_together() -> None:
    plan = replace(QUICK, jobs=2, threads=None)
    assert identity(plan, jobs.speed_jobs(plan)[0])["jobs"] == 1
    assert identity(plan, figure_jobs(plan)[0])["jobs"] == 2


# Averages and checks


def test_a_run_that_ended_early_stays_where_it_ended() -> None:
    first = {"objective": [1.0, 0.5, 0.25, 0.125], "seconds": [0.0, 1.0, 2.0, 3.0]}
    second = {"objective": [1.0, 0.0], "seconds": [0.0, 3.0]}
    mean = curve([first, second], 3)
    assert mean.objective.tolist() == [1.0, 0.25, 0.125, 0.0625]
    assert mean.seconds.tolist() == [0.0, 2.0, 2.5, 3.0]


def figure_result(objective: list[float]) -> dict[str, Any]:
    numbers = dict.fromkeys(("gap", "x_error", "y_error", "rank", "nuclear_norm", "l1_norm"), 1.0)
    seconds = [0.5 + 0.1 * k for k in range(len(objective))]
    return {"objective": objective, "seconds": seconds, "status": "flat", **numbers}


def test_rows_are_means_over_draws_and_solved_only_where_every_draw_is(tmp_path: Path) -> None:
    plan = replace(SMALL, draws=2, iterations=2)
    store = Store(tmp_path, plan)
    for method, ends in {"cgcg": (0.4, 0.2), "alt-pgpg": (1e-11, 0.0), "alt-pgcg": (0.0, 0.3)}.items():
        for draw, end in enumerate(ends):
            store.save(Job("figures", 1, method, draw), figure_result([1.0, 0.5, end]))
    rows = {row["method"]: row for row in configuration_rows(plan, store)}
    assert list(rows) == ["alt-pgcg", "cgcg", "alt-pgpg"]
    assert rows["cgcg"]["objective"] == pytest.approx({"0": 1.0, "1": 0.5, "2": 0.3})
    assert rows["cgcg"]["seconds_per_iteration"] == pytest.approx(0.1)
    assert rows["cgcg"]["draws"] == 2
    assert rows["cgcg"]["status"] == {"flat": 2}
    assert rows["alt-pgpg"]["seconds_to_solved"] == pytest.approx(0.7)
    assert rows["alt-pgcg"]["seconds_to_solved"] is None


def method_row(number: int, method: str, last: float, **more: Any) -> dict[str, Any]:
    row = {"config": number, "method": method, "objective": {"100": last}, "draws": 1, "best_objective": last}
    paper = CONFIGURATIONS[number]
    norms = {"nuclear_norm": paper.nuclear_norm * 1.01, "l1_norm": paper.l1_norm}
    return {**row, **norms, "seconds": 2.0, "gap": last, "seconds_to_solved": None, **more}


def rows_of(number: int, lasts: dict[str, float], **more: Any) -> list[dict[str, Any]]:
    return [method_row(number, method, last, **more) for method, last in lasts.items()]


def test_checks_tell_what_the_paper_says_and_what_it_does_not() -> None:
    as_printed = {"alt-cgpg": 0.9, "alt-pgcg": 0.1, "cgcg": 0.3, "cgcg-p": 0.4}
    (found,) = checks(Plan(), rows_of(1, as_printed), [])
    assert found["a_norms"]
    assert found["b_alternating"]
    assert found["c_cgcg"]
    assert found["alt_over_cg"] == pytest.approx(1 / 3)
    assert "d_pgpg" not in found
    (found,) = checks(Plan(), rows_of(5, as_printed), [])
    assert not found["c_cgcg"]
    (found,) = checks(Plan(), rows_of(1, as_printed | {"alt-pgcg": 0.31}), [])
    assert not found["b_alternating"]
    (found,) = checks(Plan(), rows_of(1, as_printed, l1_norm=CONFIGURATIONS[1].l1_norm * 0.97), [])
    assert not found["a_norms"]
    (found,) = checks(QUICK, rows_of(1, as_printed), [])
    assert "a_norms" not in found
    assert checks(Plan(), [], []) == []


def test_alt_pgpg_must_be_sooner_than_both_implementations_of_cgcg() -> None:
    for seconds, plain_per_iteration, holds in (
        (1.9, 0.03, True),
        (None, 0.03, False),
        (2.1, 0.03, False),
        (1.9, 0.018, False),
        (1.9, None, True),
    ):
        rows = [method_row(2, "cgcg", 0.1), method_row(2, "alt-pgpg", 0.0, seconds_to_solved=seconds)]
        speed = [{"config": 2, "method": "cgcg", "plain_seconds_per_iteration": plain_per_iteration}]
        (found,) = checks(Plan(), rows, speed if plain_per_iteration else [])
        assert found["d_pgpg"] is holds


def test_the_table_is_held_to_twice_the_errors_of_the_paper_up_to_a_delta_of_three_tenths() -> None:
    row = {"delta": 0.3, "x_error": 0.49, "paper_x_error": 0.25, "y_error": 1e-9, "paper_y_error": 2.5e-3}
    assert table_holds(Plan(), row) is True
    assert table_holds(Plan(), row | {"x_error": 0.51}) is False
    assert table_holds(Plan(), row | {"y_error": 6e-3}) is False
    assert table_holds(Plan(), row | {"delta": 0.4}) is None
    assert table_holds(QUICK, row) is None


def test_the_report_says_what_is_wrong_with_its_numbers() -> None:
    empty: dict[str, list[dict[str, Any]]] = {name: [] for name in ("table", "configs", "checks", "speed")}
    assert "Not the paper's size" in report(QUICK, empty)
    assert "not comparable" in report(replace(QUICK, jobs=2), empty)
    text = report(Plan(), empty)
    assert "Not the paper's size" not in text
    assert "not comparable" not in text
    assert "S = 100·N" in text


@pytest.mark.slow
def test_the_table_solves_its_problems_to_a_certified_gap(tmp_path: Path) -> None:
    plan = replace(QUICK, table_size=24, table_rank=2, table_draws=1, table_iterations=400)
    store = Store(tmp_path, plan)
    chosen = [job for job in jobs.table_jobs(plan) if job.case == 0.2]
    schedule.finish(plan, store, chosen, "table")
    (row,) = table_rows(plan, store)
    assert row["delta"] == 0.2
    assert row["draws"] == 1
    assert 0 <= row["gap"] <= 1e-8
    assert row["objective"] <= 1e-8
    assert 0 <= row["x_error"] < 1.5
    assert (row["paper_x_error"], row["paper_y_error"]) == (4.3e-2, 4.2e-4)
    assert {"fista_x_error", "alt_pgpg_x_error"} <= row.keys()


# The command


def test_options_make_the_plan() -> None:
    options = {
        "quick": False,
        "draws": 4,
        "fista_draws": 1,
        "jobs": 1,
        "threads": 2,
        "seed": 7,
        "amplitude": 10.0,
    }
    assert plan_of(options) == Plan(draws=4, table_draws=4, fista_draws=1, threads=2, seed=7, amplitude=10.0)
    nothing = {"draws": None, "fista_draws": None, "jobs": 1, "threads": None, "seed": 0, "amplitude": 100.0}
    assert plan_of({"quick": False, **nothing}) == Plan()
    assert plan_of({"quick": True, **nothing}) == QUICK


def test_wrong_use_is_told(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for words in (["all"], ["all", "--out", str(out), "--jobs", "0"], ["nothing", "--out", str(out)]):
        assert CliRunner().invoke(main, words).exit_code == 2
    for amplitude in ("nan", "inf", "-inf", "1e200", "1e-200", "-1", "0", "ten"):
        found = CliRunner().invoke(main, ["table", "--quick", "--out", str(out), f"--amplitude={amplitude}"])
        assert found.exit_code == 2
        assert "Invalid value for '--amplitude'" in found.output.splitlines()[-1]
    assert not out.exists()


def test_a_folder_that_cannot_be_written_into_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("here already")

    def refuse(**options: Any) -> None:
        raise PermissionError(13, "Permission denied", str(options["dir"]))

    for place in ("file", "file/below", "full"):
        if place == "full":
            monkeypatch.setattr("reproduce.store.tempfile.TemporaryFile", refuse)
        found = CliRunner().invoke(main, ["table", "--quick", "--out", str(tmp_path / place)])
        assert found.exit_code in (1, 2)
        assert isinstance(found.exception, SystemExit)
        last = found.output.splitlines()[-1]
        assert last.startswith("Error: ")
        assert str(tmp_path / place) in last
        assert "--out" in last
    assert (tmp_path / "file").read_text() == "here already"


@pytest.mark.slow
def test_the_whole_program_runs_and_writes_all_that_it_promises(tmp_path: Path) -> None:
    words = ["all", "--quick", "--draws", "1", "--threads", "1", "--out", str(tmp_path)]
    command = [sys.executable, str(ROOT / "apps/reproduce"), *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    table, configs = (json.loads((tmp_path / name).read_text()) for name in ("table.json", "configs.json"))
    assert [row["delta"] for row in table] == [0.05, 0.1, 0.2, 0.3, 0.4]
    assert {(row["config"], row["method"]) for row in configs} == {
        (n, m) for n in CONFIGURATIONS for m in METHODS
    }
    for row in configs:
        values = [row["objective"][key] for key in ("0", "1", "10", "100")]
        assert values[0] == 1.0
        assert all(math.isfinite(value) and value >= 0 for value in values)
        assert values == sorted(values, reverse=True) or row["method"] == "fista"
        assert row["seconds_per_iteration"] > 0
    speed = json.loads((tmp_path / "speed.json").read_text())
    assert len(speed) == len(CONFIGURATIONS) * len(PLAIN_METHODS)
    for row in speed:
        assert row["ratio"] == pytest.approx(
            row["plain_seconds_per_iteration"] / row["seconds_per_iteration"]
        )
    for figure in (1, 2):
        assert (tmp_path / f"figure{figure}.png").read_bytes().startswith(b"\x89PNG")
    with (tmp_path / "curves.csv").open() as stream:
        assert len(list(csv.DictReader(stream))) == len(configs) * 101
    text = (tmp_path / "report.md").read_text()
    assert all(f"## {part}" in text for part in ("ℓ_{1+δ} ball", "Figures 1 and 2", "Checks", "Speed"))
    assert set(done.stdout.split()) >= {str(tmp_path / "report.md"), str(tmp_path / "figure1.png")}


@pytest.mark.slow
def test_runs_at_the_same_time_find_the_same(tmp_path: Path) -> None:
    chosen = [job for job in figure_jobs(SMALL, 2) if job.case == 5]
    found = []
    for count in (1, 2):
        plan = replace(SMALL, jobs=count)
        store = Store(tmp_path, plan)
        schedule.finish(plan, store, chosen, "jobs")
        found.append([store.load(job) for job in chosen])
    for alone, together in zip(*found, strict=True):
        assert alone is not None
        assert together is not None
        assert together["objective"] == pytest.approx(alone["objective"], rel=1e-6, abs=1e-14)
