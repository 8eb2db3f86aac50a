"""Low rank + sparse: the alternating conditional-gradient / proximal-gradient method and its certificate.

Nothing is imported before it is used: numba alone takes half a second.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bgsub.solver.atoms import LowRank
    from bgsub.solver.certificate import Certificate, certify
    from bgsub.solver.loop import solve
    from bgsub.solver.losses.squared import SquaredLoss
    from bgsub.solver.methods.alternating import Alternating, alt_cgpg, alt_pgcg
    from bgsub.solver.problem import SplitProblem
    from bgsub.solver.result import Result, TraceRow
    from bgsub.solver.sets.l1_ball import L1Ball
    from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
    from bgsub.solver.steps import ExactLineSearch, OpenLoop
    from bgsub.solver.stopping import Status, Stopping

__all__ = [
    "Alternating",
    "Certificate",
    "ExactLineSearch",
    "L1Ball",
    "LowRank",
    "NuclearNormBall",
    "OpenLoop",
    "Result",
    "SplitProblem",
    "SquaredLoss",
    "Status",
    "Stopping",
    "TraceRow",
    "alt_cgpg",
    "alt_pgcg",
    "certify",
    "solve",
]

_HOME = {
    "Alternating": "methods.alternating",
    "Certificate": "certificate",
    "ExactLineSearch": "steps",
    "L1Ball": "sets.l1_ball",
    "LowRank": "atoms",
    "NuclearNormBall": "sets.nuclear_norm_ball",
    "OpenLoop": "steps",
    "Result": "result",
    "SplitProblem": "problem",
    "SquaredLoss": "losses.squared",
    "Status": "stopping",
    "Stopping": "stopping",
    "TraceRow": "result",
    "alt_cgpg": "methods.alternating",
    "alt_pgcg": "methods.alternating",
    "certify": "certificate",
    "solve": "loop",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for, once."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted(__all__)
