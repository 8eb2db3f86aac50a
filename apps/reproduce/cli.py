"""The command line of ``python apps/reproduce``."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from common.writing import writing

from reproduce.experiments import PAPER_AMPLITUDE, QUICK, Plan

COMMANDS = {
    "all": "The table, both figures, and the comparison with plain NumPy.",
    "table": "The table of the ℓ_{1+δ} ball.",
    "figure1": "Configurations 1 to 4.",
    "figure2": "Configurations 5 and 6.",
    "speed": "Seconds per iteration beside plain NumPy and svds, in turn in one process.",
}

FOLDER = click.Path(file_okay=False, path_type=Path)
POSITIVE = click.IntRange(1)

AMPLITUDES = 1e-6, 1e6
"""Beyond these one of the two planted parts is lost in the rounding of the other."""


class Amplitude(click.FloatRange):
    """A number in a range; click itself takes NaN for one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail."""
        found = float(super().convert(value, param, ctx))
        if math.isnan(found):
            self.fail(f"{value} is not a number.", param, ctx)
        return found


OPTIONS = (
    click.option(
        "--out", required=True, type=FOLDER, help="Folder to write into; a second run resumes there."
    ),
    click.option("--quick", is_flag=True, help="Small matrices and few draws: seconds, to see it work."),
    click.option("--draws", type=POSITIVE, help="Draws (default: 15 in the figures, 10 in the table)."),
    click.option(
        "--fista-draws",
        type=click.IntRange(0),
        help="Draws of FISTA in the figures (default 2): each of its iterations takes a full SVD.",
    ),
    click.option(
        "--jobs",
        type=POSITIVE,
        default=1,
        show_default=True,
        help="Runs at the same time. With more than one the times are not comparable.",
    ),
    click.option("--threads", type=POSITIVE, help="Threads of a run (default: the processors / --jobs)."),
    click.option(
        "--seed",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help="Another number draws other matrices.",
    ),
    click.option(
        "--amplitude",
        type=Amplitude(*AMPLITUDES),
        default=PAPER_AMPLITUDE,
        show_default=True,
        help="S is this times Gaussian entries: the paper's text says 10, the norms it prints say 100.",
    ),
)


@click.group(help="Run the paper's experiments again and report them beside the paper's numbers.")
def main() -> None:
    """Hold the commands together."""


def plan_of(options: dict[str, Any]) -> Plan:
    """Return the plan that the options describe."""
    plan = QUICK if options["quick"] else Plan()
    if options["draws"] is not None:
        plan = replace(plan, draws=options["draws"], table_draws=options["draws"])
    if options["fista_draws"] is not None:
        plan = replace(plan, fista_draws=options["fista_draws"])
    return replace(plan, **{name: options[name] for name in ("jobs", "threads", "seed", "amplitude")})


def run(command: str, out: Path, plan: Plan) -> None:
    """Run what is missing for a command, then write all that the folder's runs say."""
    # Late: --help needs neither numba nor the solver.
    from reproduce.jobs import Job, figure_jobs, speed_jobs, table_jobs
    from reproduce.output import write_all
    from reproduce.schedule import finish
    from reproduce.store import Store

    parts: dict[str, Callable[[], Sequence[Job]]] = {
        "table": lambda: table_jobs(plan),
        "figure1": lambda: figure_jobs(plan, 1),
        "figure2": lambda: figure_jobs(plan, 2),
        "speed": lambda: speed_jobs(plan),
    }
    with writing(out):
        store = Store(out, plan)
        for name in parts if command == "all" else (command,):
            finish(plan, store, parts[name](), name)
        files = write_all(plan, store, out)
    for file in files:
        click.echo(str(file))


def _command(name: str, text: str) -> click.Command:
    def callback(out: Path, **options: Any) -> None:
        run(name, out, plan_of(options))

    for option in reversed(OPTIONS):
        callback = option(callback)
    return click.command(name, help=text)(callback)


for _name, _text in COMMANDS.items():
    main.add_command(_command(_name, _text))
