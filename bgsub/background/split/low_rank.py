"""The term of the background, from the data: a nuclear-norm ball of radius τ, or a penalty of weight μ."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from bgsub.background.scene.noise import Residual
from bgsub.background.split.terms import FLOORED, Chosen
from bgsub.options.table import Options
from bgsub.solver.penalties.nuclear_norm import NuclearNormPenalty
from bgsub.solver.sets.nuclear_norm_ball import NuclearNormBall


def spectrum(
    residual: Residual, outlier: float, light: NDArray[np.float32] | None = None
) -> NDArray[np.float64]:
    """Estimate the singular values of the whole clipped residual from its sampled rows.

    With G = L + clip(M − centre − L, ±outlier) and m of p rows sampled, σ(G)² ≈ (p/m) · eig(G_m G_mᵀ): what is clipped
    is what the foreground will take away. L is the *light* known in the sampled rows, ``(n, m)``; 0 where it is None.

    Returns
    -------
    ``(n,)`` float64, descending, grey levels (Frobenius).
    """
    known = np.float32(0) if light is None else light
    clipped = known + np.clip(residual.values - known, -outlier, outlier)
    gram = (clipped @ clipped.T).astype(np.float64) * (residual.total / max(len(residual.rows), 1))
    values: NDArray[np.float64] = np.sqrt(np.maximum(np.linalg.eigvalsh(gram)[::-1], 0))
    return values


def noise_edge(noise: float, columns: int, rows: int) -> float:
    """Return the largest singular value that white noise of σ = *noise* gives a matrix: σ(√rows + √columns)."""
    return noise * (math.sqrt(rows) + math.sqrt(columns))


def choose_low_rank(
    centre: NDArray[np.float32],
    residual: Residual,
    levels: tuple[float, float],
    options: Options,
    light: NDArray[np.float32] | None = None,
) -> Chosen:
    """Choose the term of X′, X = 1·centreᵀ + X′ (X = X′ when nothing is taken off beforehand).

    Ball ‖X′‖_* ≤ τ: τ = Σ_{k ≤ r} (σ_k − edge)₊ over the r = max(rank, 1) leading singular values of the clipped
    residual, plus the norm of the background itself when the ball is not centred.

    Penalty μ‖X′‖_*: μ = outlier·√(larger side). By robust PCA's rule (Candès, Li, Ma and Wright 2011,
    doi:10.1145/1970392.1970395) the weights of nuclear and ℓ1 norm stand as √max(n, p) to one, and a ball that holds
    what exceeds the outlier level has that level as its multiplier. μ lies above the noise edge, and something goes
    into the background for less than into the foreground only if, over the frames, it covers more than one picture.

    Parameters
    ----------
    centre
        ``(rows,)`` float32.
    residual
        Sampled rows of frames − centre.
    levels
        Noise σ and outlier level, grey levels.
    options
        ``low_rank``, ``tau``, ``weight``, ``rank`` and ``centre`` are read.
    light
        What is known of X′ in the sampled rows, ``(n, m)`` float32: not clipped; see :func:`spectrum`.
    """
    if options.low_rank == "nuclear-penalty":
        weight, why = _weight(residual, levels[1], options)
        return Chosen(NuclearNormPenalty(weight), {"weight": weight}, (why,))
    tau, why = _tau(centre, residual, levels, options, light)
    return Chosen(NuclearNormBall(tau), {"tau": tau}, (why,), tau)


def _weight(residual: Residual, outlier: float, options: Options) -> tuple[float, str]:
    if options.weight is not None:
        return options.weight, f"μ = {options.weight:.3g}: as asked for"
    side = max(residual.total, len(residual.values))
    weight = outlier * math.sqrt(side)
    return weight, (
        f"μ = {weight:.3g}: outlier level {outlier:.1f} times √{side}, robust PCA's balance: what covers less than one "
        "picture in all frames together costs less as foreground"
    )


def _tau(
    centre: NDArray[np.float32],
    residual: Residual,
    levels: tuple[float, float],
    options: Options,
    light: NDArray[np.float32] | None,
) -> tuple[float, str]:
    noise, outlier = levels
    columns = len(residual.values)
    scene = float(np.linalg.norm(centre)) * math.sqrt(columns) if options.centre == "none" else 0.0
    if options.tau is not None:
        trap = " (smaller than the background itself: expect a dim picture)" if options.tau < scene else ""
        return options.tau, f"τ′ = {options.tau:.3g}: as asked for{trap}"
    values, edge = spectrum(residual, outlier, light), noise_edge(noise, columns, residual.total)
    count, of_light = max(options.rank or 1, 1), "" if light is None else " from that light"
    beyond = float(np.maximum(values[:count] - edge, 0).sum())
    reason = (
        f"leading singular value{'' if count == 1 else f's ({count})'} {values[:count].sum():.3g} of the deviations"
        f"{of_light} up to {outlier:.1f} grey levels, less {edge:.3g} that noise of σ = {noise:.1f} alone would give"
    )
    if scene:
        reason += f", plus {scene:.3g} for the background itself (not centred)"
    tau = max(beyond + scene, 1.0)
    return tau, f"τ′ = {tau:.3g}: {reason}" + FLOORED * (beyond + scene < 1)
