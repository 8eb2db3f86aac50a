"""The leading singular pair of the gradient from sketches of it: warm-started block power steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.kernels.iteration import BLOCK
from bgsub.solver.kernels.passes import PowerStep
from bgsub.solver.spectra.atoms import SingularPair

MOST_STEPS = 30
"""Maximum number of block power steps per pair; the certificate does not rely on the result."""

SMALLEST_RATIO = 1e-5
"""Directions whose squared length is below this share of the longest are rounding noise."""

CHUNK = 1 << 16


class Ritz(NamedTuple):
    """Ritz approximation of the leading pair of G, from a power step with orthonormal basis U.

    Attributes
    ----------
    pair
        The leading Ritz pair; its value is a lower bound on σ₁(G).
    growth
        Relative excess of this value over ‖UᵀG‖₂, the best in the span of U: near zero at convergence.
    basis
        ``(n, 4)`` orthonormal: the left Ritz vectors, the last replaced by a random one, so that a leading
        direction orthogonal to all previous ones is found, too.
    """

    pair: SingularPair
    growth: float
    basis: NDArray[np.float64]


@lru_cache(maxsize=8)
def first_basis(rows: int) -> NDArray[np.float64]:
    """Return an orthonormal start ``(rows, 4)``: the identity if that spans the space, else fixed random vectors.

    With fewer than four rows, the missing columns are zero. Cached and read-only.
    """
    random = rows > BLOCK
    basis = (
        np.linalg.qr(np.random.default_rng(0).standard_normal((rows, BLOCK))).Q
        if random
        else np.eye(rows, BLOCK)
    )
    basis.flags.writeable = False
    return np.asarray(basis)


def rayleigh_ritz(step: PowerStep) -> Ritz:
    """Extract the leading Ritz pair, its growth and the next basis from a power step with an orthonormal basis U.

    With T = Uᵀ G, the rows of T are orthonormalised to a basis V of their span; the SVD of the small matrix
    G V = (G Tᵀ)·(TTᵀ)^(−1/2) then gives the best left and right vectors in it.
    """
    n = step.product.shape[0]
    weights, vectors = np.linalg.eigh(_small_gram(step.image))
    if not weights[-1] > 0:
        return Ritz(_any_pair(step), 0.0, first_basis(n))
    keep = weights > SMALLEST_RATIO * weights[-1]
    coordinates = vectors[:, keep] / np.sqrt(weights[keep])
    left, values, right = np.linalg.svd(step.product @ coordinates, full_matrices=False)
    dtype = step.image.dtype
    v = (coordinates @ right[0]).astype(dtype) @ step.image
    pair = SingularPair(float(values[0]), left[:, 0].astype(dtype), v / np.linalg.norm(v))
    return Ritz(pair, float(values[0] / np.sqrt(weights[-1]) - 1), _next_basis(left))


def leading_pair(first: Ritz, refine: Callable[[NDArray[Any]], PowerStep], tolerance: float) -> Ritz:
    """Return the leading pair and the next basis, taking block power steps until the growth is within *tolerance*.

    *refine* takes a power step on the same gradient from a basis ``(n, 4)``: one pass over the data each.
    """
    found = first
    for _ in range(MOST_STEPS):
        if found.growth <= tolerance:
            break
        found = rayleigh_ritz(refine(found.basis))
    return found


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


def _any_pair(step: PowerStep) -> SingularPair:
    """Return unit vectors for a zero gradient, for which any pair is leading."""
    dtype = step.image.dtype
    left, right = np.zeros(step.product.shape[0], dtype), np.zeros(step.image.shape[1], dtype)
    left[0] = right[0] = 1
    return SingularPair(0.0, left, right)
