"""What the paper ran, what it reports, and how much of it is run here."""

from __future__ import annotations

import os
from dataclasses import dataclass

METHODS = ("alt-cgpg", "alt-pgcg", "cgcg", "cgcg-p", "fista", "alt-pgpg")
"""In the order of legends and tables; the last is this project's own."""

PAPER_METHODS = METHODS[:4]
"""What the paper's figures show."""

TABLE_METHODS = ("alt-cgpg", "alt-pgpg", "fista")
"""Of the ℓ_{1+δ} table. The first is the paper's, finished by ALT-PGPG."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A row of the paper's table of the data behind the figures: rank of L, share p of non-zeros of S, mean norms."""

    figure: int
    rank: int
    density: float
    nuclear_norm: float
    l1_norm: float


CONFIGURATIONS = {
    1: Configuration(1, 5, 0.001, 4.9926e4, 7.9669e4),
    2: Configuration(1, 5, 0.003, 4.9682e4, 2.3806e5),
    3: Configuration(1, 25, 0.001, 2.4872e5, 7.9837e4),
    4: Configuration(1, 25, 0.003, 2.4853e5, 2.3675e5),
    5: Configuration(2, 25, 0.03, 2.4830e5, 2.3914e6),
    6: Configuration(2, 130, 0.01, 1.2589e6, 7.9836e5),
}
"""By their number in the paper."""

PAPER_SIZE = 1000
"""m = n of the paper's figures."""

PAPER_AMPLITUDE = 100.0
"""Of S. The paper's text says 10, but the ‖S‖₁ it prints for its six configurations all belong to 100:
E‖S‖₁ = amplitude·√(2/π)·p·mn."""

PAPER_TABLE_SIZE = 100
"""n of the paper's table."""

PAPER_ERRORS = {
    0.05: (9.2e-5, 1.5e-6),
    0.1: (6.0e-4, 6.4e-6),
    0.2: (4.3e-2, 4.2e-4),
    0.3: (0.25, 2.5e-3),
    0.4: (0.61, 6.1e-3),
}
"""The paper's ℓ_{1+δ} table: δ to the relative squared errors of X and of Y."""


FISTA_SPEED_ITERATIONS = 5
"""All its iterations cost the same, and a full SVD of 1000 × 1000 takes half a second."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is run.

    Attributes
    ----------
    size
        m = n of the figures; ranks are scaled with it, the share of non-zeros is not, so that ‖S‖₁/‖L‖_* stays.
    draws, iterations
        Of the figures.
    fista_draws
        Draws of FISTA, which takes a full SVD in every iteration.
    amplitude
        S is this times standard normal entries; see PAPER_AMPLITUDE.
    table_size, table_rank, table_draws, table_iterations
        Of the ℓ_{1+δ} table; most iterations of each of its runs.
    speed_rounds, speed_iterations
        Rounds and iterations of the comparison with plain NumPy.
    seed
        Every draw is a function of the seed, the experiment, its configuration and the draw's number.
    threads
        Threads of the passes over the data; None: as many as there are processors.
    jobs
        Runs at the same time. With more than one the seconds say little.
    """

    size: int = PAPER_SIZE
    draws: int = 15
    iterations: int = 100
    fista_draws: int = 2
    amplitude: float = PAPER_AMPLITUDE
    table_size: int = PAPER_TABLE_SIZE
    table_rank: int = 10
    table_draws: int = 10
    table_iterations: int = 3000
    speed_rounds: int = 3
    speed_iterations: int = 20
    seed: int = 0
    threads: int | None = None
    jobs: int = 1

    def rank(self, configuration: Configuration) -> int:
        """Return the rank of L at this size."""
        return max(1, round(configuration.rank * self.size / PAPER_SIZE))

    def draws_of(self, method: str) -> int:
        """Return how often a method is run for the figures."""
        return min(self.fista_draws, self.draws) if method == "fista" else self.draws

    def speed_length(self, method: str) -> int:
        """Return the iterations of a method in the comparison with plain NumPy.

        CGCG runs as long as in the figures, because the time it takes there is a measure for ALT-PGPG.
        """
        if method == "cgcg":
            return self.iterations
        return (
            min(self.speed_iterations, FISTA_SPEED_ITERATIONS) if method == "fista" else self.speed_iterations
        )

    def threads_each(self) -> int:
        """Return the threads of one run."""
        return self.threads or max(1, (os.cpu_count() or 1) // self.jobs)


QUICK = Plan(
    size=100,
    draws=2,
    table_size=30,
    table_rank=3,
    table_draws=2,
    table_iterations=100,
    speed_rounds=1,
    speed_iterations=5,
)
"""Seconds in all: a look at the program, not at the paper."""
