"""The radii τ and s of the two balls, from the data, each with its reason in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgsub.background.noise import Residual
from bgsub.options import Options

FLOORED = "; 1 at least, since a ball needs a radius"
"""In a scene without any change one grey level is as good as nothing."""


@dataclass(frozen=True, slots=True)
class Radii:
    """Radii of the nuclear-norm ball (*tau*) and the ℓ1 ball (*sparsity*), grey levels, with their reasons."""

    tau: float
    sparsity: float
    reasons: tuple[str, ...]


def spectrum(residual: Residual, outlier: float) -> NDArray[np.float64]:
    """Estimate the singular values of the whole clipped residual from its sampled rows.

    With G = clip(M − centre, ±outlier) and m of p rows sampled, σ(G)² ≈ (p/m) · eig(G_m G_mᵀ): what is clipped is
    what the ℓ1 ball will take away.

    Returns
    -------
    ``(n,)`` float64, descending, grey levels (Frobenius).
    """
    clipped = np.clip(residual.values, -outlier, outlier)
    gram = (clipped @ clipped.T).astype(np.float64) * (residual.total / max(len(residual.rows), 1))
    values: NDArray[np.float64] = np.sqrt(np.maximum(np.linalg.eigvalsh(gram)[::-1], 0))
    return values


def noise_edge(noise: float, columns: int, rows: int) -> float:
    """Return the largest singular value that white noise of σ = *noise* gives a matrix: σ(√rows + √columns)."""
    return noise * (math.sqrt(rows) + math.sqrt(columns))


def choose_radii(
    frames: NDArray[np.uint8],
    centre: NDArray[np.float32],
    residual: Residual,
    levels: tuple[float, float],
    options: Options,
) -> Radii:
    """Choose τ and s for ‖X′‖_* ≤ τ, ‖Y‖₁ ≤ s, X = 1·centreᵀ + X′ (X = X′ when the ball is not centred).

    τ = Σ_{k ≤ r} (σ_k − edge)₊ over the r = max(rank, 1) leading singular values of the clipped residual, plus the
    norm of the background itself when the ball is not centred. s = Σ (|M − centre| − outlier)₊.

    Parameters
    ----------
    frames, centre
        ``(n, rows)`` uint8 and ``(rows,)`` float32.
    residual
        Sampled rows of their difference.
    levels
        Noise σ and outlier level, grey levels.
    options
        ``tau``, ``sparsity``, ``rank`` and ``centre`` are read.
    """
    tau, why_tau = _tau(centre, residual, levels, options)
    sparsity, why_sparsity = _sparsity(frames, centre, levels[1], options)
    return Radii(tau, sparsity, (why_tau, why_sparsity))


def _tau(
    centre: NDArray[np.float32], residual: Residual, levels: tuple[float, float], options: Options
) -> tuple[float, str]:
    noise, outlier = levels
    columns = len(residual.values)
    scene = float(np.linalg.norm(centre)) * math.sqrt(columns) if options.centre == "none" else 0.0
    if options.tau is not None:
        trap = " (smaller than the background itself: expect a dim picture)" if options.tau < scene else ""
        return options.tau, f"τ′ = {options.tau:.3g}: as asked for{trap}"
    values, edge = spectrum(residual, outlier), noise_edge(noise, columns, residual.total)
    count = max(options.rank or 1, 1)
    beyond = float(np.maximum(values[:count] - edge, 0).sum())
    reason = (
        f"energy of the residual beyond noise: leading {'value' if count == 1 else f'{count} values'} "
        f"{values[:count].sum():.3g} of what deviates by at most {outlier:.1f} grey levels, less {edge:.3g} "
        f"that noise of σ = {noise:.1f} alone would give"
    )
    if scene:
        reason += f", plus {scene:.3g} for the background itself (not centred)"
    tau = max(beyond + scene, 1.0)
    return tau, f"τ′ = {tau:.3g}: {reason}" + FLOORED * (beyond + scene < 1)


def _sparsity(
    frames: NDArray[np.uint8], centre: NDArray[np.float32], outlier: float, options: Options
) -> tuple[float, str]:
    if options.sparsity is not None:
        return options.sparsity, f"s = {options.sparsity:.3g}: as asked for"
    total, count = 0.0, 0
    for frame in frames:
        excess = np.abs(frame - centre)
        excess -= outlier
        np.maximum(excess, 0, out=excess)
        total += float(excess.sum(dtype=np.float64))
        count += int(np.count_nonzero(excess))
    share = count / max(frames.size, 1)
    radius = max(total, 1.0)
    reason = (
        f"s = {radius:.3g}: ℓ1 norm of what deviates by more than {outlier:.1f} grey levels from the centre "
        f"({share:.1%} of the entries)"
    )
    return radius, reason + FLOORED * (total < 1)
