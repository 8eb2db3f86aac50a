"""The compiled passes of the dense engine, mapped over rows or columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.kernels.dense import base, shift, shrink_sums, soften, survey, towards
from bgsub.solver.kernels.iteration import BLOCK
from bgsub.solver.kernels.passes import PowerStep, Sketch
from bgsub.solver.kernels.tiles import Workers, chunk_bounds, tile_width
from bgsub.solver.parts import Block, add
from bgsub.solver.spectra.atoms import Entry, LowRank
from bgsub.solver.threshold import Shrinkage

SMALLEST_CHUNK = 1 << 16
"""A chunk of rows with fewer entries than this is not worth a thread."""

ROW_CHUNKS = 16
"""Maximum number of row chunks; fixed, so that sums do not depend on the number of threads."""

PRODUCT_CHUNKS = 8
"""Maximum number of chunks of a matrix product."""

LONGEST_PRODUCT = 8
"""Beyond this many columns in the factors of an endpoint, BLAS forms the product."""


class DensePasses:
    """Run the kernels over C-ordered arrays of one shape and dtype.

    Parameters
    ----------
    shape, dtype
        Those of the arrays.
    workers
        Threads. Results do not depend on their number.
    """

    def __init__(self, shape: tuple[int, int], dtype: np.dtype[Any], workers: Workers) -> None:
        n, p = shape
        self.dtype = dtype
        self._shape = shape
        self._workers = workers
        self._width = tile_width(n * dtype.itemsize // 4, p)
        self._columns = chunk_bounds(p, self._width)
        self._rows = _row_chunks(n, p, ROW_CHUNKS)

    def look(self, z: NDArray[Any], g: NDArray[Any], basis: NDArray[Any]) -> Sketch:
        """Return the sketch of G from *basis* ``(n, 4)``."""
        p = self._shape[1]
        stats = self._by_rows(lambda lo, hi, out: survey(z, g, lo, hi, np.zeros(p, self.dtype), out), 5)
        top = max(stats, key=lambda s: abs(s[2]))
        peak = Entry(int(top[3]), int(top[4]), float(top[2]))
        square, inner = (sum(float(s[k]) for s in stats) for k in (0, 1))
        step = self.power(g, basis)
        return Sketch(step.image, step.product, square, inner, peak)

    def power(self, g: NDArray[Any], basis: NDArray[Any]) -> PowerStep:
        """Return a block power step from *basis* ``(n, 4)``; each tile of G is used twice while in cache."""
        basis = basis.astype(self.dtype)
        image = np.empty((BLOCK, g.shape[1]), self.dtype)

        def task(index: int, worker: int) -> NDArray[np.float64]:
            product = np.zeros((len(g), BLOCK))
            first, last = self._columns[index]
            for lo in range(first, last, self._width):
                span = slice(lo, min(lo + self._width, last))
                image[:, span] = basis.T @ g[:, span]
                product += g[:, span] @ image[:, span].T
            return product

        parts = self._workers.map(task, len(self._columns))
        return PowerStep(image, np.asarray(np.sum(parts, axis=0)))

    def towards(
        self, z: NDArray[Any], g: NDArray[Any], left: NDArray[Any], right: NDArray[Any], d: NDArray[Any]
    ) -> tuple[float, float]:
        """Turn *d*, the endpoint of Y, into ``D = d + left rightᵀ − Z``, in place; return ⟨D, G⟩ and ‖D‖²."""
        if right.shape[1] > LONGEST_PRODUCT:
            d += left @ right.T
            left, right = left[:, :0], right[:, :0]
        left, rows = _kernel_factors(left, right)
        sums = self._over_rows(lambda lo, hi, out: towards(z, g, left, rows, d, lo, hi, out))
        return float(sums[0]), float(sums[1])

    def base(self, z: NDArray[Any], g: NDArray[Any], factor: float, other: Block) -> NDArray[Any]:
        """Return ``Z + factor·G − other`` as a new array."""
        few = isinstance(other, LowRank) and other.columns <= LONGEST_PRODUCT
        left, right = (other.left, other.right) if isinstance(other, LowRank) and few else (z[:, :0], z[:0].T)
        left, rows = _kernel_factors(left, right)
        out, share = np.empty_like(z), self.dtype.type(factor)
        self._over_rows(lambda lo, hi, _: base(z, g, share, left, rows, out, lo, hi))
        if not few:
            add(out, other, -1.0)
        return out

    def soften(self, array: NDArray[Any], theta: float) -> NDArray[Any]:
        """Soft-threshold *array* by θ, in place, and return it."""
        real = self.dtype.type(theta)
        self._over_rows(lambda lo, hi, _: soften(array, real, lo, hi))
        return array

    def shift(
        self, z: NDArray[Any], d: NDArray[Any], g: NDArray[Any], step: float, moves_gradient: bool
    ) -> None:
        """Add ``step·d`` to *z*, and to *g* if *moves_gradient*."""
        gamma = self.dtype.type(step)
        self._over_rows(lambda lo, hi, out: shift(z, d, g, gamma, moves_gradient, lo, hi))

    def shrink(self, array: NDArray[Any], theta: float) -> Shrinkage:
        """Return Σ(|a| − θ)₊ and #{|a| > θ}."""
        real = self.dtype.type(theta)
        sums = self._over_rows(lambda lo, hi, out: shrink_sums(array, real, lo, hi, out))
        return Shrinkage(float(sums[0]), float(sums[1]))

    def product(
        self, left: NDArray[Any], right: NDArray[Any], out: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """Return ``left @ right``, in *out* if given, with the rows of *left* split among the threads."""
        if out is None:
            out = np.empty((left.shape[0], right.shape[1]), self.dtype)
        bounds = _row_chunks(len(left), max(left.shape[1], right.shape[1]), PRODUCT_CHUNKS)

        def task(index: int, worker: int) -> None:
            lo, hi = bounds[index]
            np.matmul(left[lo:hi], right, out=out[lo:hi])

        self._workers.map(task, len(bounds))
        return out

    def _over_rows(self, kernel: Any) -> NDArray[np.float64]:
        return np.asarray(np.sum(self._by_rows(kernel, 2), axis=0))

    def _by_rows(self, kernel: Any, count: int) -> list[NDArray[np.float64]]:
        """Call ``kernel(lo, hi, sums)`` on every chunk of rows; return the *count* sums of each."""

        def task(index: int, worker: int) -> NDArray[np.float64]:
            sums = np.zeros(count)
            kernel(*self._rows[index], sums)
            return sums

        return self._workers.map(task, len(self._rows))


def _row_chunks(rows: int, columns: int, most: int) -> list[tuple[int, int]]:
    return chunk_bounds(rows, max(1, SMALLEST_CHUNK // max(columns, 1)), most)


def _kernel_factors(left: NDArray[Any], right: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return factors in the kernels' layout: ``(n, k)`` and ``(k, p)``, C-ordered."""
    return np.ascontiguousarray(left), np.ascontiguousarray(right.T)
