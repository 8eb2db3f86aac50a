"""Low-rank + sparse decomposition: alternating conditional and proximal gradient methods with certified gaps.

Submodules are imported lazily: numba alone takes half a second to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bgsub.solver.estimator.robust_pca import RobustPCA
    from bgsub.solver.lifting import Lifted, lift
    from bgsub.solver.loop import solve
    from bgsub.solver.losses.protocol import Loss
    from bgsub.solver.losses.sensing import SensingLoss
    from bgsub.solver.losses.squared import SquaredLoss
    from bgsub.solver.losses.weighted import WeightedLoss, fill_missing
    from bgsub.solver.methods.accelerated import Accelerated, alt_pgpg, fista
    from bgsub.solver.methods.alternating import Alternating, alt_cgpg, alt_pgcg
    from bgsub.solver.methods.auto import Auto, auto, paper_rule
    from bgsub.solver.methods.conditional import Conditional, cgcg, cgcg_p
    from bgsub.solver.parts import Part
    from bgsub.solver.penalties.elastic_net import ElasticNet
    from bgsub.solver.penalties.group import GroupPenalty
    from bgsub.solver.penalties.l1 import L1Penalty
    from bgsub.solver.penalties.nuclear_norm import NuclearNormPenalty
    from bgsub.solver.problem import SplitProblem, Term
    from bgsub.solver.proof.certificate import Certificate, certify
    from bgsub.solver.result import Result, TraceRow
    from bgsub.solver.rules.combination import Backtracking, ExactLineSearch, FollowWeight
    from bgsub.solver.rules.rule import Setting, Trial
    from bgsub.solver.rules.weight import (
        DiameterRule,
        OpenLoop,
        StrongPenaltyRule,
        StrongSetFixed,
        StrongSetRule,
    )
    from bgsub.solver.sets.box import Box
    from bgsub.solver.sets.group_ball import GroupBall
    from bgsub.solver.sets.l1_ball import L1Ball
    from bgsub.solver.sets.lp_ball import LpBall
    from bgsub.solver.sets.nonnegative import NonNegative
    from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall
    from bgsub.solver.sets.trace_ball import TraceBall
    from bgsub.solver.spectra.atoms import LowRank
    from bgsub.solver.stopping import Status, Stopping

__all__ = [
    "Accelerated",
    "Alternating",
    "Auto",
    "Backtracking",
    "Box",
    "Certificate",
    "Conditional",
    "DiameterRule",
    "ElasticNet",
    "ExactLineSearch",
    "FollowWeight",
    "GroupBall",
    "GroupPenalty",
    "L1Ball",
    "L1Penalty",
    "Lifted",
    "Loss",
    "LowRank",
    "LpBall",
    "NonNegative",
    "NuclearNormBall",
    "NuclearNormPenalty",
    "OpenLoop",
    "Part",
    "Result",
    "RobustPCA",
    "SensingLoss",
    "Setting",
    "SplitProblem",
    "SquaredLoss",
    "Status",
    "Stopping",
    "StrongPenaltyRule",
    "StrongSetFixed",
    "StrongSetRule",
    "Term",
    "TraceBall",
    "TraceRow",
    "Trial",
    "WeightedLoss",
    "alt_cgpg",
    "alt_pgcg",
    "alt_pgpg",
    "auto",
    "certify",
    "cgcg",
    "cgcg_p",
    "fill_missing",
    "fista",
    "lift",
    "paper_rule",
    "solve",
]

_NAMES = {
    "estimator.robust_pca": ("RobustPCA",),
    "lifting": ("Lifted", "lift"),
    "loop": ("solve",),
    "losses.protocol": ("Loss",),
    "losses.sensing": ("SensingLoss",),
    "losses.squared": ("SquaredLoss",),
    "losses.weighted": ("WeightedLoss", "fill_missing"),
    "methods.accelerated": ("Accelerated", "alt_pgpg", "fista"),
    "methods.alternating": ("Alternating", "alt_cgpg", "alt_pgcg"),
    "methods.auto": ("Auto", "auto", "paper_rule"),
    "methods.conditional": ("Conditional", "cgcg", "cgcg_p"),
    "parts": ("Part",),
    "penalties.elastic_net": ("ElasticNet",),
    "penalties.group": ("GroupPenalty",),
    "penalties.l1": ("L1Penalty",),
    "penalties.nuclear_norm": ("NuclearNormPenalty",),
    "problem": ("SplitProblem", "Term"),
    "proof.certificate": ("Certificate", "certify"),
    "result": ("Result", "TraceRow"),
    "rules.combination": ("Backtracking", "ExactLineSearch", "FollowWeight"),
    "rules.rule": ("Setting", "Trial"),
    "rules.weight": ("DiameterRule", "OpenLoop", "StrongPenaltyRule", "StrongSetFixed", "StrongSetRule"),
    "sets.box": ("Box",),
    "sets.group_ball": ("GroupBall",),
    "sets.l1_ball": ("L1Ball",),
    "sets.lp_ball": ("LpBall",),
    "sets.nonnegative": ("NonNegative",),
    "sets.nuclear_norm_ball": ("NuclearNormBall",),
    "sets.trace_ball": ("TraceBall",),
    "spectra.atoms": ("LowRank",),
    "stopping": ("Status", "Stopping"),
}
"""Public names by defining module; mirrors the ``TYPE_CHECKING`` imports above."""

_HOME = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import *name* on first access."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted(__all__)
