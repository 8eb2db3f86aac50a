"""What a fit can be made of: methods, terms of the two parts, and which of them go together. Plain data.

The solver decides by capabilities (:mod:`bgsub.solver.capabilities`). This table says the same in words of the command
line, so that a choice is judged before any footage is opened and before the solver is loaded.
"""

from __future__ import annotations

METHODS = ("auto", "alt-pgcg", "alt-cgpg", "cgcg", "cgcg-p", "fista", "alt-pgpg")
SPARSE = ("l1", "lp", "elastic-net", "group")
LOW_RANK = ("nuclear", "nuclear-penalty")
STABILISE = ("auto", "off", "translation", "affine")
SHADOWS = ("keep", "drop", "mark")
CENTRES = ("median", "none")
DEINTERLACE = ("auto", "on", "off")

REFUSED = {
    "psd": (
        "a video's matrix, frames × pixels, is not symmetric, so its background cannot be positive semidefinite; take "
        "nuclear here, and TraceBall of bgsub.solver in Python for symmetric matrices"
    )
}
"""Terms of the low-rank part that people ask for and that make no sense on video."""

TAKES_VERTEX = {
    "alt-pgcg": ("low_rank",),
    "alt-cgpg": ("sparse",),
    "cgcg": ("low_rank", "sparse"),
    "cgcg-p": ("low_rank", "sparse"),
}
"""The parts that take a conditional-gradient step, by method; of those left out here none does."""

STREAMED = {
    "alt-pgcg": ("l1", "lp", "elastic-net"),
    "cgcg": ("l1",),
    "cgcg-p": ("l1",),
    "auto": ("lp",),
}
"""Methods that need nothing of the size of the video but M and Y, beside ``nuclear`` with these terms of Y.

``auto`` takes ALT-PGCG for ``lp``, but for a video so small that memory does not count.
"""

PARAMETERS = {
    "tau": ("low_rank", ("nuclear",)),
    "weight": ("low_rank", ("nuclear-penalty",)),
    "sparsity": ("sparse", ("l1", "lp", "group")),
    "delta": ("sparse", ("lp",)),
    "lambda1": ("sparse", ("elastic-net",)),
    "lambda2": ("sparse", ("elastic-net",)),
}
"""Options that belong to some of the terms only."""


def refusal(method: str, low_rank: str) -> str:
    """Return why *method* cannot run with this term of the background, and what to do; empty where it can.

    Every term of the foreground can do both steps, and so can the nuclear-norm ball.
    """
    if low_rank != "nuclear-penalty" or "low_rank" not in TAKES_VERTEX.get(method, ()):
        return ""
    return (
        f"--method {method} needs a conditional-gradient step (lmo) of the low-rank term, and a nuclear-norm penalty "
        "has none: use --method alt-pgpg, or --low-rank nuclear"
    )


def is_streamed(method: str, low_rank: str, sparse: str) -> bool:
    """Tell whether the fit streams: one to five bytes an entry; else it keeps whole arrays in single precision."""
    if is_sampled(method, low_rank, sparse):
        return True
    return low_rank == "nuclear" and sparse in STREAMED.get(method, ())


def is_sampled(method: str, low_rank: str, sparse: str) -> bool:
    """Tell whether the fit goes from coarse to fine, which keeps nothing of the size of the data but the data."""
    return method == "auto" and low_rank == "nuclear" and sparse in ("l1", "elastic-net")


def projects_background(method: str, low_rank: str) -> bool:
    """Tell whether the background takes projected (proximal) steps, which need more memory than vertices.

    ``auto`` is counted as what it takes for footage of any size; see :mod:`bgsub.background.split.method`.
    """
    if method == "auto":
        return low_rank == "nuclear-penalty"
    return "low_rank" not in TAKES_VERTEX.get(method, ())
