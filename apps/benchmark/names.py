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

RATIOS = {
    "iteration_over_copy": "one iteration of ALT-PGCG / one copy of the float32 matrix, seconds",
    "mask_fps_over_mog2": "bgsub, mask / MOG2, frames per second",
    "fit_and_mask_fps_over_mog2": "bgsub, fit and mask / MOG2, frames per second",
    "alm_seconds_over_bgsub": "inexact ALM / bgsub, seconds to bgsub's objective",
    "tensorly_seconds_over_bgsub": "tensorly / bgsub, seconds to bgsub's objective",
    "sporco_seconds_over_bgsub": "sporco / bgsub, seconds to bgsub's objective",
}
