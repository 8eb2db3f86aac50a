"""The methods as a textbook script has them: dense float64 NumPy, ``scipy.sparse.linalg.svds``, projection by sorting.

What the speed of `bgsub` is measured against, and an independent check of its objectives: nothing is imported from it.
With ∇ = X + Y − M, a step along D = V + W − X − Y has the length γ = clip(−⟨D, ∇⟩/‖D‖²_F, 0, 1), an exact line search.
A step allocates a few arrays of the size of M.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import svds

Matrix = NDArray[np.float64]
Step = Callable[[Matrix, Matrix, Matrix, int], tuple[Matrix, Matrix]]
"""``step(X, Y, ∇, t)`` of iteration t = 1, 2, … returns the next (X, Y)."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """``min ½‖X + Y − M‖²_F`` over ``‖X‖_* ≤ tau, ‖Y‖₁ ≤ s``; M ``(n, p)`` is *matrix*."""

    matrix: Matrix
    tau: float
    s: float


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """X and Y at the end, and the objective and the seconds since the start, of iterations 0, 1 and so on."""

    low_rank: Matrix
    sparse: Matrix
    objective: list[float]
    seconds: list[float]


def run(problem: Problem, step: Step, iterations: int) -> Run:
    """Run a method from X = Y = 0 for a number of iterations."""
    x, y = np.zeros_like(problem.matrix), np.zeros_like(problem.matrix)
    objective, seconds = [], []
    began = time.perf_counter()
    for t in range(1, iterations + 2):
        gradient = x + y - problem.matrix
        objective.append(0.5 * float(np.vdot(gradient, gradient)))
        seconds.append(time.perf_counter() - began)
        if t <= iterations:
            x, y = step(x, y, gradient, t)
    return Run(x, y, objective, seconds)


def alt_cgpg(problem: Problem, rank: int) -> Step:
    """Return ALT-CGPG: Y to a vertex, X to a projection of rank *rank*, with η = 2/(t + 1)."""

    def step(x: Matrix, y: Matrix, gradient: Matrix, t: int) -> tuple[Matrix, Matrix]:
        w = l1_vertex(gradient, problem.s)
        v = nuclear_projection(x + y - w - gradient * ((t + 1) / 2), problem.tau, rank)
        return mix(x, y, gradient, v, w)

    return step


def alt_pgcg(problem: Problem) -> Step:
    """Return ALT-PGCG: X to a vertex, Y to a projection, with η = 2/(t + 1)."""

    def step(x: Matrix, y: Matrix, gradient: Matrix, t: int) -> tuple[Matrix, Matrix]:
        v = nuclear_vertex(gradient, problem.tau)
        w = l1_projection(x + y - v - gradient * ((t + 1) / 2), problem.s)
        return mix(x, y, gradient, v, w)

    return step


def cgcg(problem: Problem) -> Step:
    """Return CGCG, the standard conditional gradient method: both parts to a vertex."""

    def step(x: Matrix, y: Matrix, gradient: Matrix, t: int) -> tuple[Matrix, Matrix]:
        return mix(x, y, gradient, nuclear_vertex(gradient, problem.tau), l1_vertex(gradient, problem.s))

    return step


def cgcg_p(problem: Problem) -> Step:
    """Return CGCG-P, FW-P of Mu, Zhang, Wright and Goldfarb: a step of CGCG, then a projected gradient step on Y."""
    conditional = cgcg(problem)

    def step(x: Matrix, y: Matrix, gradient: Matrix, t: int) -> tuple[Matrix, Matrix]:
        x, y = conditional(x, y, gradient, t)
        return x, l1_projection(y - (x + y - problem.matrix), problem.s)

    return step


def fista(problem: Problem) -> Step:
    """Return FISTA on both parts at once, step 1/2 (∇g(X + Y) as a function of the pair is 2-Lipschitz), full SVD."""
    ahead: list[tuple[Matrix, Matrix]] = []
    momentum = 1.0

    def step(x: Matrix, y: Matrix, gradient: Matrix, t: int) -> tuple[Matrix, Matrix]:
        nonlocal momentum
        u, v = ahead.pop() if ahead else (x, y)
        slope = u + v - problem.matrix
        new_x = nuclear_projection(u - slope / 2, problem.tau)
        new_y = l1_projection(v - slope / 2, problem.s)
        following = (1 + math.sqrt(1 + 4 * momentum**2)) / 2
        push = (momentum - 1) / following
        momentum = following
        ahead.append((new_x + push * (new_x - x), new_y + push * (new_y - y)))
        return new_x, new_y

    return step


def mix(x: Matrix, y: Matrix, gradient: Matrix, v: Matrix, w: Matrix) -> tuple[Matrix, Matrix]:
    """Return the point of least objective between (X, Y) and (V, W)."""
    direction = v + w - x - y
    square = float(np.vdot(direction, direction))
    step = min(max(-float(np.vdot(direction, gradient)) / square, 0.0), 1.0) if square else 0.0
    return x + step * (v - x), y + step * (w - y)


def nuclear_vertex(gradient: Matrix, tau: float) -> Matrix:
    """Return ``−τ·uvᵀ`` of the leading singular pair of ∇."""
    u, _, vt = leading(gradient, 1)
    return -tau * u @ vt


def l1_vertex(gradient: Matrix, s: float) -> Matrix:
    """Return the matrix whose only entry, −s·sign(∇), is where the modulus of ∇ is largest."""
    vertex = np.zeros_like(gradient)
    place = np.unravel_index(np.argmax(np.abs(gradient)), gradient.shape)
    vertex[place] = -s * np.sign(gradient[place])
    return vertex


def nuclear_projection(point: Matrix, tau: float, rank: int | None = None) -> Matrix:
    """Return the projection on ``‖X‖_* ≤ τ``, of rank at most *rank*: singular values projected on the ℓ1 ball."""
    if rank is None:
        u, values, vt = np.linalg.svd(point, full_matrices=False)
    else:
        u, values, vt = leading(point, rank)
    return np.asarray((u * l1_projection(values, tau)) @ vt)


def l1_projection(point: Matrix, radius: float) -> Matrix:
    """Return the projection on ``‖Y‖₁ ≤ radius``: soft thresholding, the threshold from the sorted magnitudes."""
    magnitude = np.abs(point)
    if magnitude.sum() <= radius:
        return point
    ordered = np.sort(magnitude, axis=None)[::-1]
    thresholds = (np.cumsum(ordered) - radius) / np.arange(1, ordered.size + 1)
    theta = thresholds[np.flatnonzero(ordered > thresholds)[-1]]
    return np.asarray(np.sign(point) * np.maximum(magnitude - theta, 0))


def leading(matrix: Matrix, rank: int) -> tuple[Matrix, Matrix, Matrix]:
    """Return the leading singular triples by ``svds``, by a full SVD where that takes no such rank."""
    if rank >= min(matrix.shape):
        u, values, vt = np.linalg.svd(matrix, full_matrices=False)
        return u[:, :rank], values[:rank], vt[:rank]
    start = np.random.default_rng(0).standard_normal(min(matrix.shape))
    u, values, vt = svds(matrix, k=rank, v0=start)
    return u, values, vt
