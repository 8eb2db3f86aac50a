"""The report in Markdown: the paper's numbers beside ours, the checks, and on what machine."""

from __future__ import annotations

from typing import Any

from reproduce.checks import table_holds
from reproduce.experiments import CONFIGURATIONS, PAPER_AMPLITUDE, PAPER_SIZE, TABLE_METHODS, Plan
from reproduce.jobs import surroundings

Row = dict[str, Any]

CHECKS = {
    "a_norms": "(a) ‖L‖_* and ‖S‖₁ within 2 % of the paper's",
    "b_alternating": "(b) the better of ALT-CGPG and ALT-PGCG is below CGCG and CGCG-P at the last iteration",
    "c_cgcg": "(c) CGCG is below CGCG-P, and above it in configuration 5",
    "d_pgpg": "(d) ALT-PGPG reaches f/f₀ ≤ 1e-10 sooner than CGCG, ours and plain, is through with its iterations",
}


def report(plan: Plan, rows: dict[str, list[Row]]) -> str:
    """Return the report of what there is of ``table``, ``configs``, ``checks`` and ``speed``."""
    parts = [_head(plan)]
    if rows["table"]:
        parts.append(_table(plan, rows["table"]))
    if rows["configs"]:
        parts += [_figures(rows["configs"]), _checks(rows["checks"])]
    if rows["speed"]:
        parts.append(_speed(rows["speed"]))
    return "\n".join(parts)


def _head(plan: Plan) -> str:
    found = surroundings()
    versions = ", ".join(f"{name} {found[name]}" for name in ("bgsub", "python", "numpy", "scipy"))
    figures = f"m = n = {plan.size}, {plan.draws} draws (FISTA: {plan.draws_of('fista')})"
    lines = [
        "# The paper's experiments, measured again\n",
        f"- Machine: {found['machine']}; runs at the same time: {plan.jobs}, threads of each: {plan.threads_each()}.",
        f"- Versions: {versions}; sources {found['sources']}.",
        f"- Seed {plan.seed}; draw k of an experiment is the same in every run with this seed.",
        f"- Figures: {figures}, {plan.iterations} iterations from zero, S = {plan.amplitude:g}·N.",
    ]
    if plan.amplitude == PAPER_AMPLITUDE:
        lines.append("  The paper's text says S = 10·N, but all six ‖S‖₁ in its table belong to 100·N.")
    if plan.size != PAPER_SIZE:
        lines.append(
            f"- **Not the paper's size** ({PAPER_SIZE}): what follows is a look at the program only."
        )
    if plan.jobs > 1:
        lines.append("- **Runs shared the machine: seconds are not comparable**, except under Speed.")
    return "\n".join(lines) + "\n"


def _table(plan: Plan, rows: list[Row]) -> str:
    columns = [
        ("δ", "delta"),
        ("X error", "x_error"),
        ("paper", "paper_x_error"),
        ("Y error", "y_error"),
        ("paper", "paper_y_error"),
        ("within 2×", "holds"),
        ("median X", "x_error_median"),
        ("median Y", "y_error_median"),
        ("f/f₀", "objective"),
        ("gap/f₀", "gap"),
        ("draws", "draws"),
    ]
    others = [("δ", "delta")]
    for method in TABLE_METHODS[1:]:
        name = method.replace("-", "_")
        others += [(f"{method.upper()}: {part}", f"{name}_{part.lower()}_error") for part in ("X", "Y")]
        others += [("f/f₀", f"{name}_final_objective")]
    judged = [{**row, "holds": table_holds(plan, row)} for row in rows]
    return "\n".join(
        [
            "## ℓ_{1+δ} ball\n",
            "Mean relative squared errors. ALT-CGPG as in the paper, then ALT-PGPG until nothing changes.\n",
            _markdown(columns, judged),
            "The same with other methods from zero. Where errors differ at f/f₀ ≈ 0 the problem has many solutions,",
            "and the path decides which is found.\n",
            _markdown(others, rows),
        ]
    )


def _figures(rows: list[Row]) -> str:
    shown = [(f"f/f₀ at {k}", k) for k in rows[0]["objective"]]
    columns = [("config.", "config"), ("method", "method"), *shown]
    columns += [
        ("gap/f₀", "gap"),
        ("s/iteration", "seconds_per_iteration"),
        ("seconds", "seconds"),
        ("draws", "draws"),
    ]
    text = (
        "Means over draws; gap/f₀ is certified, at the last iteration. In the figures the objective at iteration k is"
        " drawn against the mean time of iteration k, and the axis ends below the paper's four methods.\n"
    )
    pictures = [
        f"![Figure {figure}](figure{figure}.png)\n"
        for figure in (1, 2)
        if any(CONFIGURATIONS[row["config"]].figure == figure for row in rows)
    ]
    return "\n".join(
        [
            "## Figures 1 and 2\n",
            text,
            _markdown(columns, [_named(row) | row["objective"] for row in rows]),
            *pictures,
        ]
    )


def _checks(rows: list[Row]) -> str:
    verdicts = [("config.", "config"), *((text[:3], name) for name, text in CHECKS.items())]
    values = [
        ("config.", "config"),
        ("‖L‖_*", "nuclear_norm"),
        ("paper", "paper_nuclear_norm"),
        ("‖S‖₁", "l1_norm"),
        ("paper", "paper_l1_norm"),
        ("ALT/CG", "alt_over_cg"),
        ("ALT-PGPG: best f/f₀", "pgpg_best"),
        ("gap/f₀", "pgpg_gap"),
        ("seconds", "pgpg_seconds_to_solved"),
        ("CGCG seconds", "cgcg_seconds"),
        ("plain CGCG seconds", "plain_cgcg_seconds"),
    ]
    text = (
        "ALT/CG: f of the better of ALT-CGPG and ALT-PGCG over that of the better of CGCG and CGCG-P, at the last"
        " iteration. ALT-PGPG seconds: to f/f₀ ≤ 1e-10 in every draw, else –. CGCG seconds: of all its iterations.\n"
    )
    lines = [*(f"- {line}" for line in CHECKS.values()), ""]
    return "\n".join(["## Checks\n", *lines, _markdown(verdicts, rows), text, _markdown(values, rows)])


def _speed(rows: list[Row]) -> str:
    columns = [
        ("config.", "config"),
        ("method", "method"),
        ("s/iteration", "seconds_per_iteration"),
        ("plain s/iteration", "plain_seconds_per_iteration"),
        ("ratio", "ratio"),
        ("f/f₀", "objective"),
        ("plain f/f₀", "plain_objective"),
        ("iterations", "iterations"),
        ("rounds", "rounds"),
    ]
    text = (
        "(e) Against the same methods in dense float64 NumPy with `svds` (`plain.py`), in one process and in turn; with"
        " all threads and with one, the faster counts. Medians of the rounds; ratio = plain / bgsub,"
        " above 1 where bgsub is the faster.\n"
    )
    return "\n".join(["## Speed\n", text, _markdown(columns, [_named(row) for row in rows])])


def _named(row: Row) -> Row:
    """Return the row with its method as the paper writes it."""
    return {**row, "method": row["method"].upper()}


def _markdown(columns: list[tuple[str, str]], rows: list[Row]) -> str:
    """Return a table; *columns* are pairs of a heading and the name of a row's value."""
    lines = [[heading for heading, _ in columns], ["---"] * len(columns)]
    lines += [[_cell(row.get(name)) for _, name in columns] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "**no**"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
