"""The leading singular pair of the gradient from sketches of it: block power steps with a warm start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.atoms import SingularPair
from bgsub.solver.kernels import BLOCK
from bgsub.solver.passes import Sketch

MOST_STEPS = 30
"""Block power steps for one pair at most; the certificate does not rely on the result."""

SMALLEST_RATIO = 1e-5
"""Directions whose squared length is below this share of the longest are rounding noise."""

CHUNK = 1 << 16


def first_basis(rows: int) -> NDArray[np.float64]:
    """Return an orthonormal start ``(rows, 4)``: all of the space where four vectors fill it, else fixed random ones.

    Up to four rows, columns of zeros make up for those that are missing.
    """
    if rows <= BLOCK:
        return np.eye(rows, BLOCK)
    return np.asarray(np.linalg.qr(np.random.default_rng(0).standard_normal((rows, BLOCK))).Q)


def rayleigh_ritz(sketch: Sketch) -> tuple[SingularPair, float, NDArray[np.float64]]:
    """Extract from a sketch with an orthonormal basis U the best pair, the growth it shows, and the next basis.

    With T = Uᵀ G the rows of T are brought to an orthonormal basis V of their span, and the singular value
    decomposition of the small matrix G V = (G Tᵀ)·(TTᵀ)^(−1/2) gives the best left and right vectors it contains.

    Returns
    -------
    pair
        Its value is a lower bound on σ₁(G).
    growth
        By how much this value exceeds ‖UᵀG‖₂, the best one in the span of U, relatively: near zero when done.
    basis
        ``(n, 4)`` orthonormal: the left Ritz vectors; the last is replaced by a random one, so that a leading direction
        orthogonal to all that came before is found, too.
    """
    n = sketch.product.shape[0]
    weights, vectors = np.linalg.eigh(_small_gram(sketch.image))
    if not weights[-1] > 0:
        return _any_pair(sketch), 0.0, first_basis(n)
    keep = weights > SMALLEST_RATIO * weights[-1]
    coordinates = vectors[:, keep] / np.sqrt(weights[keep])
    left, values, right = np.linalg.svd(sketch.product @ coordinates, full_matrices=False)
    dtype = sketch.image.dtype
    v = (coordinates @ right[0]).astype(dtype) @ sketch.image
    pair = SingularPair(float(values[0]), left[:, 0].astype(dtype), v / np.linalg.norm(v))
    return pair, float(values[0] / np.sqrt(weights[-1]) - 1), _next_basis(left)


def leading_pair(
    sketch: Sketch, refine: Callable[[NDArray[Any]], Sketch], tolerance: float
) -> tuple[SingularPair, NDArray[np.float64]]:
    """Return the leading pair and the next basis, taking further block power steps until the growth is small.

    *refine* makes a new sketch of the same gradient from a basis ``(n, 4)``: one pass over the data each.
    """
    pair, growth, basis = rayleigh_ritz(sketch)
    for _ in range(MOST_STEPS):
        if growth <= tolerance:
            break
        pair, growth, basis = rayleigh_ritz(refine(basis))
    return pair, basis


def _small_gram(image: NDArray[Any]) -> NDArray[np.float64]:
    total = np.zeros((image.shape[0], image.shape[0]))
    for start in range(0, image.shape[1], CHUNK):
        part = image[:, start : start + CHUNK].astype(np.float64)
        total += part @ part.T
    return total


def _next_basis(left: NDArray[np.float64]) -> NDArray[np.float64]:
    basis = first_basis(left.shape[0])
    if left.shape[0] > BLOCK:
        kept = left[:, : BLOCK - 1]
        basis = np.concatenate([kept, basis[:, kept.shape[1] :]], axis=1)
        basis = np.asarray(np.linalg.qr(basis).Q)
    return basis


def _any_pair(sketch: Sketch) -> SingularPair:
    """Return unit vectors for a zero gradient, of which any pair is a leading one."""
    dtype = sketch.image.dtype
    left, right = np.zeros(sketch.product.shape[0], dtype), np.zeros(sketch.image.shape[1], dtype)
    left[0] = right[0] = 1
    return SingularPair(0.0, left, right)
