"""What systems, stages and ratios are called where people read of them."""

from __future__ import annotations

SYSTEMS = {
    "bgsub": "bgsub",
    "median": "temporal median",
    "mog2": "MOG2",
    "mog2-no-shadows": "MOG2, no shadows",
    "knn": "KNN",
    "alm": "inexact ALM (NumPy)",
    "tensorly": "tensorly robust_pca",
    "sporco": "sporco RobustPCA",
}

STAGES = {
    "mask": "mask",
    "fit+mask": "fit and mask",
    "end-to-end": "whole program, all outputs",
    "end-to-end, mask": "whole program, mask only",
}

ABLATIONS = {
    "default": "everything on (default)",
    "stabilise": "no stabilisation (`--stabilise off`)",
    "change-points": "no change points: one segment whatever the light does",
    "stillness": "stillness not asked for: the temporal median",
    "ghosts": "no search for ghosts",
    "rank-0": "rank 0 (`--rank 0`)",
    "rank-1": "rank 1 (`--rank 1`)",
    "coverage": "components kept by coverage alone, light or not",
    "frame-light": "no light of single frames",
    "colour": "no colour (`--gray`)",
    "window": "differences of single pixels, not of windows",
    "place": "one ordinary deviation for the whole picture",
    "valley": "the expected level for all scenes, not the valley of each",
    "median-filter": "no median filter of masks",
    "markov-field": "a Markov field instead of the median filter",
    "total-variation": "total variation instead of the median filter",
    "areas": "no least area of objects and holes",
    "shadows": "shadows kept (`--shadows keep`)",
    "small-objects": "no small objects that persist",
    "before": "threshold 25, rank 0, no stabilisation (`--threshold 25 --rank 0 --stabilise off`)",
}
"""What is done without, by the name of the stage."""

VARIANT_NAMES = {
    "fifth": "every 5th frame",
    "first": "first 60 scored frames",
    "gray": "gray",
    "half": "half size",
    "dark": "half as bright, noise of σ = 4",
}
"""The same sequence under other conditions."""

RATIOS = {
    "iteration_over_copy": "one iteration of ALT-PGCG / one copy of the float32 matrix, seconds",
    "mask_fps_over_mog2": "bgsub, mask / MOG2, frames per second",
    "fit_and_mask_fps_over_mog2": "bgsub, fit and mask / MOG2, frames per second",
    **{
        f"{system}_seconds_over_bgsub{ending}": f"{name} / bgsub, seconds to bgsub's {what}"
        for system, name in (("alm", "inexact ALM"), ("sporco", "sporco"))
        for ending, what in (("", "objective"), ("_by_f", "F"), ("_by_both", "objective and F"))
    },
    "tensorly_seconds_over_bgsub": "tensorly / bgsub, seconds to bgsub's objective",
    "tensorly_seconds_over_bgsub_by_both": "tensorly / bgsub, seconds to its own test at bgsub's objective",
}
