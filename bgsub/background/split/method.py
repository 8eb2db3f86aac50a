"""Which method fits the background, when it stops, and what is said of one that does not suit video."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bgsub.background.nbytes import may_project
from bgsub.background.split.terms import Chosen
from bgsub.options.choices import TAKES_VERTEX, is_sampled, is_streamed
from bgsub.options.table import Options
from bgsub.solver.methods.accelerated import alt_pgpg, fista
from bgsub.solver.methods.alternating import alt_cgpg, alt_pgcg
from bgsub.solver.methods.conditional import cgcg, cgcg_p
from bgsub.solver.methods.method import Method
from bgsub.solver.stopping import Stopping

STOPPING = Stopping(max_iterations=12, gap_tolerance=1e-3, change_tolerance=2e-3)
"""The background is flat to a fraction of a grey level after 3–12 iterations; the certificate says how far f is."""
LONGER = Stopping(max_iterations=30, gap_tolerance=1e-3, change_tolerance=5e-4)
"""Who chooses a method that takes more iterations wants them: most are proven converged, or flat, after 3–20."""

SAMPLED = "sampled"
"""What reports call a fit from coarse to fine (:mod:`.coarse_to_fine`): ``auto`` takes it by default."""

OVERSHOOTS = "follows the elastic net's steps, which overshoot, with a background that no radius holds"
"""Measured on real footage: f stays at its start for four iterations and more."""

PENALTY_RANK = 10
"""Rank of the projected background where a penalty decides it: more than it has in the end, 2 to 7 on real footage."""

VERTICES = {
    "l1": "moves one entry of the foreground an iteration",
    "group": "moves one pixel of the foreground an iteration",
    "lp": "moves little but the largest deviations of the foreground in an iteration",
}
"""What a conditional-gradient step does on a ball of foregrounds; an elastic net has no vertices."""


def choose_method(
    low_rank: Chosen, sparse: Chosen, shape: tuple[int, int], options: Options
) -> tuple[str, str]:
    """Return the method's name and the reason: as asked for, else SAMPLED where it can, else by the paper's rule.

    SAMPLED takes a nuclear-norm ball with an ℓ1 ball or an elastic net. The rule of thumb (section 4) projects the
    block with the larger ball. A term without a conditional-gradient step must be projected, and the background is not
    projected where that would take memory that has not been planned (*shape* is that of M).
    """
    if options.method != "auto":
        return options.method, f"method {options.method}: as asked for{_better(low_rank, sparse, options)}"
    if low_rank.radius is None:
        return (
            "alt-pgpg",
            "method alt-pgpg: a nuclear-norm penalty has no conditional-gradient step, so both are projected",
        )
    if is_sampled(options.method, options.low_rank, options.sparse) or sparse.radius is None:
        return (
            SAMPLED,
            "method alt-pgpg on a sample of the rows, then on all rows with the temporal directions found there",
        )
    if sparse.radius >= low_rank.radius:
        return "alt-pgcg", "method alt-pgcg: s ≥ τ, so the foreground takes the projected step"
    if may_project(shape[0] * shape[1]):
        return "alt-cgpg", "method alt-cgpg: s < τ, so the background takes the projected step"
    return (
        "alt-pgcg",
        "method alt-pgcg: although s < τ, since a projected background would not fit the memory planned",
    )


def _better(low_rank: Chosen, sparse: Chosen, options: Options) -> str:
    """Return what would be better than the method asked for, and why; empty where it suits."""
    method, better = options.method, "alt-pgpg" if low_rank.radius is None else "alt-pgcg"
    if method == "fista":
        return "; alt-pgpg is faster, since fista decomposes the whole matrix in every iteration"
    if "sparse" not in TAKES_VERTEX.get(method, ()):
        return ""
    if sparse.radius is None:
        return "" if low_rank.radius is not None else f"; {better} is better, since {method} {OVERSHOOTS}"
    if low_rank.radius is not None and sparse.radius <= low_rank.radius:
        return ""
    where = "" if low_rank.radius is None else " where s > τ"
    does = VERTICES[options.sparse]
    if method == "cgcg-p":
        does = f"{does} before it projects it, and keeps the background as slow"
    return f"; {better} is better{where}, since {method} {does}"


def make_method(name: str, options: Options) -> Method:
    """Return the solver's method of that *name*."""
    makers: dict[str, Callable[[], Any]] = {
        "alt-pgcg": alt_pgcg,
        "alt-cgpg": lambda: alt_cgpg(_rank(options)),
        "cgcg": cgcg,
        "cgcg-p": cgcg_p,
        "fista": fista,
        "alt-pgpg": alt_pgpg,
    }
    method: Method = makers[name]()
    return method


def stopping(name: str, options: Options) -> Stopping:
    """Return the limits of a fit: the shorter ones for two balls of which the foreground's has been measured to do."""
    measured = options.sparse == "l1"
    return STOPPING if measured and is_streamed(name, options.low_rank, options.sparse) else LONGER


def _rank(options: Options) -> int:
    """Return the rank of the projected background: room for what is to be kept, and for what a penalty leaves."""
    least = PENALTY_RANK if options.low_rank == "nuclear-penalty" else 1
    return max(options.rank or 1, least) + components_of_scene(options.centre)


def components_of_scene(centre: str) -> int:
    """Return how many components the background itself takes when nothing is taken off beforehand."""
    return 1 if centre == "none" else 0
