"""What of the one table of options concerns the outputs and the fit: see :mod:`bgsub.options.table`."""

from __future__ import annotations

from dataclasses import dataclass

from bgsub.options.choices import LOW_RANK, METHODS, REFUSED, SPARSE
from bgsub.options.spec import Spec, option

PICTURES = ("background", "foreground", "mask", "overlay", "side-by-side")
OUTPUTS = (*PICTURES, *(f"{name}-png" for name in PICTURES), "plate")


@dataclass(frozen=True, slots=True, kw_only=True)
class FitOptions:
    """What to write, and how the background is fitted."""

    outputs: tuple[str, ...] = option(
        ("background", "foreground", "mask", "overlay", "plate"),
        Spec(
            "what to write; NAME-png writes a folder of PNG files, plate is background.png",
            "names",
            "the four videos people ask for and one picture",
            choices=OUTPUTS,
        ),
    )
    method: str = option(
        "auto",
        Spec(
            "method of the fit; alt-AB: step A of the foreground, B of the background (cg: vertex, pg: projection)",
            "choice",
            "nuclear with l1: alt-pgpg on a sample, then all rows; else the paper's rule: alt-pgcg if s ≥ τ",
            choices=METHODS,
        ),
    )
    low_rank: str = option(
        "nuclear",
        Spec(
            "term of the background: nuclear-norm ball, or penalty (for methods that project the background)",
            "choice",
            "a radius for one component keeps what is slow and large out of the background",
            choices=LOW_RANK,
            refused=REFUSED,
        ),
    )
    sparse: str = option(
        "l1",
        Spec(
            "term of the foreground: ℓ1 ball, ℓp ball (p = 1 + delta), elastic net, or pixels over time as groups",
            "choice",
            "1 byte an entry with auto (lp 5), 5 with alt-pgcg; group and other methods 56",
            choices=SPARSE,
        ),
    )
    tau: float | None = option(
        None,
        Spec(
            "radius τ of the nuclear-norm ball of the background",
            "float",
            "leading singular value of the residual that is neither foreground nor noise",
            unit="grey levels (Frobenius)",
            automatic="from the data",
            above=0,
        ),
    )
    weight: float | None = option(
        None,
        Spec(
            "weight μ of the nuclear-norm penalty of the background",
            "float",
            "three noise levels (8 grey levels at least) times √rows: robust PCA's balance between both parts",
            unit="grey levels (Frobenius)",
            automatic="from the noise",
            above=0,
        ),
    )
    sparsity: float | None = option(
        None,
        Spec(
            "radius s of the ball of the foreground (l1, lp, group), in its norm",
            "float",
            "the norm of what exceeds three noise levels (8 grey levels at least)",
            unit="grey levels (sum)",
            automatic="from the data",
            above=0,
        ),
    )
    delta: float | None = option(
        None,
        Spec(
            "δ of the ℓp ball of the foreground, p = 1 + δ",
            "float",
            "the middle of the paper's table; masks are those of the ℓ1 ball",
            automatic="0.2",
            above=0,
            maximum=1,
        ),
    )
    lambda1: float | None = option(
        None,
        Spec(
            "λ1 of the elastic net: what deviates by less is no foreground",
            "float",
            "three noise levels (8 grey levels at least)",
            unit="grey levels",
            automatic="from the noise",
            minimum=0,
        ),
    )
    lambda2: float | None = option(
        None,
        Spec(
            "λ2 of the elastic net: the foreground is divided by 1 + 2·λ2",
            "float",
            "strong convexity 0.1 for a tenth of the foreground",
            automatic="0.05",
            above=0,
        ),
    )
    rank: int | None = option(
        None,
        Spec(
            "components of the background beyond its centre",
            "int",
            "only components that explain the picture as a whole (light, sway) are kept",
            automatic="from the data",
            minimum=0,
            maximum=64,
        ),
    )
    columns: int | None = option(
        None,
        Spec(
            "frames of a segment that the background is fitted on",
            "int",
            "at most 100, fewer for large pictures so that the fit stays small in memory",
            unit="frames",
            automatic="from the picture's size",
            minimum=3,
        ),
    )
