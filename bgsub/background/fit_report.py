"""What is known about a fit when it is done: choices, reasons and the certificate."""

from __future__ import annotations

from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any

from bgsub.base.plural import count_of


@dataclass(frozen=True, slots=True)
class FitReport:
    """How a background came about.

    Attributes
    ----------
    first, frames, columns
        The segment's first frame (index), its length, and how many of its frames were fitted on.
    method
        As ``--method``, never ``"auto"``; ``"sampled"`` for a fit from coarse to fine, which ``auto`` takes by default.
    rank
        Components kept beyond the offset (without a centre, the background itself is one of them).
    noise, outlier
        σ of the residual, and the deviation that is no noise; grey levels.
    objective, initial_objective, gap
        ½‖X + Y − M‖², and the penalties if there are any, at exit and at the start, and the certified bound on its
        distance from the optimum: the conditional-gradient gap with a tight oracle, gap ≥ objective − optimum.
    status, iterations, seconds
        How the optimisation ended; never ``"converged"`` unless the certificate says so.
    reasons
        One line for each choice.
    low_rank, sparse
        The terms, as ``--low-rank`` and ``--sparse``.
    confidence
        Share of the picture whose background a fifth of the frames or more show, 0 to 1; 1 if it is given.
    given
        Whether the user has given the background.
    tau, weight, sparsity, delta, lambda1, lambda2
        Their parameters, as the options of these names; None for those that the terms do not have.
    """

    first: int
    frames: int
    columns: int
    method: str
    rank: int
    noise: float
    outlier: float
    objective: float
    initial_objective: float
    gap: float
    status: str
    iterations: int
    seconds: float
    reasons: tuple[str, ...]
    low_rank: str = "nuclear"
    sparse: str = "l1"
    tau: float | None = None
    weight: float | None = None
    sparsity: float | None = None
    delta: float | None = None
    lambda1: float | None = None
    lambda2: float | None = None
    confidence: float = 1.0
    given: bool = False

    def certificate(self) -> str:
        """Return the certificate in words: how low the objective is, and how far from the optimum at most."""
        start = max(self.initial_objective, 1e-12)
        return (
            f"objective {self.objective:.3g} from {self.initial_objective:.3g}; {self.status} after "
            f"{count_of(self.iterations, 'iteration')}; certified within {self.gap:.2g} of the optimum "
            f"({self.gap / start:.2%} of the start)"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {**asdict(self), "reasons": list(self.reasons)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> FitReport:
        """Read what :meth:`to_dict` gave; a missing key is a ``KeyError``."""
        # Models of earlier versions hold fewer values.
        names = [item.name for item in fields(cls) if item.name in values or item.default is MISSING]
        known = {name: values[name] for name in names}
        return cls(**{**known, "reasons": tuple(known["reasons"])})
