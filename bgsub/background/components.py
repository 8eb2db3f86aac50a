"""Which components of the solved low-rank part belong to the background: those that explain the whole picture.

A large slow object, or a curtain, has as much energy as a change of light, and a component that follows it makes it
vanish from the masks. Light and sway of the camera show at most pixels at once; objects do not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgsub.background.noise import Residual

EXPLAINED = 0.2
"""A pixel follows a component that carries this share of its variation."""
COVERAGE = 0.35
"""A component is global when this share of the pixels follows it."""


def coverage(component: NDArray[np.float32], residual: Residual, outlier: float) -> float:
    """Return the share of sampled pixels of whose variation *component* carries at least EXPLAINED.

    Parameters
    ----------
    component
        ``(rows,)`` float32, a right singular vector of X′.
    residual
        Sampled rows of frames − centre.
    outlier
        Grey levels: larger deviations count as this much, as they do in the fit.
    """
    clipped = np.clip(residual.values, -outlier, outlier).astype(np.float64)
    part = component[residual.rows].astype(np.float64)
    norm = float(part @ part)
    if norm == 0:
        return 0.0
    coefficients = clipped @ part / norm
    explained = _per_pixel(part**2, residual) * float(coefficients @ coefficients)
    variation = _per_pixel(np.einsum("ij,ij->j", clipped, clipped), residual)
    return float(np.mean(explained >= EXPLAINED * np.maximum(variation, 1e-12)))


def select(
    components: NDArray[np.float32], residual: Residual, outlier: float, rank: int | None, always: int
) -> tuple[NDArray[np.int64], str]:
    """Return the indices of the components to keep and the reason in words.

    Parameters
    ----------
    components
        ``(rows, k)`` float32, strongest first.
    residual, outlier
        As for :func:`coverage`.
    rank
        Number asked for, or None to keep the global ones.
    always
        Leading components that are kept in any case (the background itself, when the ball is not centred).
    """
    available = components.shape[1]
    if rank is not None:
        kept = np.arange(min(rank + always, available))
        return kept, f"rank {len(kept)}: {_as_asked(rank, always, available)}"
    shares = [coverage(components[:, k], residual, outlier) for k in range(available)]
    kept = np.array([k for k in range(available) if k < always or shares[k] >= COVERAGE], np.int64)
    described = ", ".join(f"{share:.1%}" for share in shares[always : always + 4]) or "there is none"
    reason = f"beyond the centre a component must be felt by {COVERAGE:.0%} of the picture; here: {described}"
    return kept, f"rank {len(kept)}: {reason}"


def _as_asked(rank: int, always: int, available: int) -> str:
    for_background = ", and one for the background itself (not centred)" if always else ""
    if rank + always <= available:
        return f"as asked for{for_background}"
    return f"{rank} asked for{for_background}, but the frames have no more to explain within τ"


def _per_pixel(values: NDArray[np.float64], residual: Residual) -> NDArray[np.float64]:
    summed: NDArray[np.float64] = values.reshape(-1, residual.channels).sum(axis=1)
    return summed
