"""Where a template's pixels lie in a picture: robust Gauss–Newton steps on a fixed set of pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgsub.base.cholesky import solve_in_place
from bgsub.base.jit import compiled, inlined

TUKEY = 4.685
"""Deviations beyond so many σ have no weight: 95 % efficient for Gaussian noise."""
SMALLEST_SPREAD = 1.0
"""Grey levels: σ is taken to be at least this much, since pictures are rounded."""
BIN = 0.25
"""Grey levels of one bin of the histogram that a median is read from."""
BINS = 1024
"""Bins either side of 0: residuals of ±256 grey levels, and what is beyond in the last ones."""
LIGHT = 2
"""Parameters beside those of the motion: gain and offset of the light."""


@inlined
def residual_pass(
    picture: NDArray[np.uint8],
    points: NDArray[np.float32],
    values: NDArray[np.float32],
    state: NDArray[np.float64],
    out: NDArray[np.float32],
) -> int:
    """Fill *out* with picture(motion(point)) − gain·value − offset: 1e9 where the point is out of the picture.

    *state* is (a, b, tx, c, d, ty, gain, offset); points are ``(2, n)`` x and y from the middle of the picture. Returns
    how many points are in the picture. Bilinear.
    """
    height, width = picture.shape
    middle_x, middle_y = np.float32(0.5 * (width - 1)), np.float32(0.5 * (height - 1))
    a, b, tx = np.float32(state[0]), np.float32(state[1]), np.float32(state[2]) + middle_x
    c, d, ty = np.float32(state[3]), np.float32(state[4]), np.float32(state[5]) + middle_y
    gain, offset = np.float32(state[6]), np.float32(state[7])
    seen = 0
    for i in range(values.size):
        u = a * points[0, i] + b * points[1, i] + tx
        v = c * points[0, i] + d * points[1, i] + ty
        if not (u >= 0 and v >= 0 and u < width - 1 and v < height - 1):
            out[i] = np.float32(1e9)
            continue
        x, y = int(u), int(v)
        p, q = u - np.float32(x), v - np.float32(y)
        upper = np.float32(picture[y, x]) * (np.float32(1) - p) + np.float32(picture[y, x + 1]) * p
        lower = np.float32(picture[y + 1, x]) * (np.float32(1) - p) + np.float32(picture[y + 1, x + 1]) * p
        out[i] = upper * (np.float32(1) - q) + lower * q - gain * values[i] - offset
        seen += 1
    return seen


@inlined
def spread(residual: NDArray[np.float32], seen: int) -> float:
    """Return σ = 1.4826 · median |r| of the *seen* residuals that are in the picture, at least SMALLEST_SPREAD."""
    found: float = max(1.4826 * middle(residual, seen, True), SMALLEST_SPREAD)
    return found


@inlined
def middle(residual: NDArray[np.float32], seen: int, absolute: bool) -> float:
    """Return the median of the *seen* residuals that are in the picture, or of |r|, to a part of BIN grey levels."""
    counts = np.zeros(2 * BINS, np.int64)
    for i in range(residual.size):
        value = residual[i]
        if value < 1e8:
            part = (abs(value) if absolute else value) / BIN + BINS
            counts[min(max(int(part), 0), 2 * BINS - 1)] += 1
    reached, k = 0, 0
    while k < 2 * BINS - 1 and reached + counts[k] <= seen // 2:
        reached += counts[k]
        k += 1
    inside = (seen / 2 - reached) / max(counts[k], 1)
    found: float = BIN * (k - BINS + inside)
    return found


@inlined
def normal_equations(
    slopes: NDArray[np.float32],
    values: NDArray[np.float32],
    residual: NDArray[np.float32],
    cut: float,
    matrix: NDArray[np.float64],
    right: NDArray[np.float64],
) -> None:
    """Sum w·j·jᵀ and w·j·r over the points, w being Tukey's weight and j = (slopes, value, 1)."""
    motion, size = slopes.shape[1], slopes.shape[1] + LIGHT
    row = np.empty(size, np.float32)
    matrix[:] = 0
    right[:] = 0
    for i in range(values.size):
        share = residual[i] / np.float32(cut)
        if abs(share) >= 1:
            continue
        weight = (np.float32(1) - share * share) ** 2
        for k in range(motion):
            row[k] = slopes[i, k]
        row[motion] = values[i]
        row[motion + 1] = 1
        for k in range(size):
            part = weight * row[k]
            right[k] += part * residual[i]
            for m in range(k + 1):
                matrix[k, m] += part * row[m]
    for k in range(size):
        for m in range(k):
            matrix[m, k] = matrix[k, m]


@compiled
def refine(
    picture: NDArray[np.uint8],
    points: NDArray[np.float32],
    values: NDArray[np.float32],
    slopes: NDArray[np.float32],
    state: NDArray[np.float64],
    limits: tuple[int, float],
) -> int:
    """Improve *state* in place until a step moves a corner by less than limits[1] pixels; at most limits[0] steps.

    Inverse compositional: the slopes are the template's, so they are computed once for all pictures; motion ← motion ∘
    step⁻¹. Returns the number of steps, −1 when less than a quarter of the points are in the picture or nothing holds
    the motion (*state* is then that of the last good step).
    """
    size = slopes.shape[1] + LIGHT
    matrix, right = np.empty((size, size)), np.empty(size)
    residual = np.empty(values.size, np.float32)
    reach = 0.25 * (picture.shape[0] + picture.shape[1])
    for taken in range(limits[0]):
        seen = residual_pass(picture, points, values, state, residual)
        if 4 * seen < values.size or seen <= size:
            return -1
        normal_equations(slopes, values, residual, TUKEY * spread(residual, seen), matrix, right)
        if not solve_in_place(matrix, right):
            return -1
        moved = compose(state, right, slopes.shape[1], reach)
        state[6] += right[size - 2]
        state[7] += right[size - 1]
        if moved < limits[1]:
            return taken + 1
    return limits[0]


@inlined
def compose(state: NDArray[np.float64], step: NDArray[np.float64], motion: int, reach: float) -> float:
    """Set motion ← motion ∘ step⁻¹; return how far the step moves a point *reach* pixels from the middle."""
    grow, turn = (step[2], step[3]) if motion == 4 else (0.0, 0.0)
    # The inverse of x ↦ [[1 + grow, −turn], [turn, 1 + grow]]·x + (step₀, step₁).
    size = (1 + grow) ** 2 + turn**2
    e, f = (1 + grow) / size, turn / size
    sx, sy = -(e * step[0] + f * step[1]), -(-f * step[0] + e * step[1])
    for k in (0, 3):
        a, b, t = state[k], state[k + 1], state[k + 2]
        state[k], state[k + 1], state[k + 2] = a * e - b * f, a * f + b * e, a * sx + b * sy + t
    moved: float = abs(step[0]) + abs(step[1]) + (abs(grow) + abs(turn)) * reach
    return moved


@compiled
def best_shift(
    picture: NDArray[np.uint8],
    points: NDArray[np.float32],
    values: NDArray[np.float32],
    slopes: NDArray[np.float32],
    reach: int,
) -> tuple[int, int]:
    """Return the whole-pixel shift (x, y), up to *reach* either way, that most points agree with.

    The cost of a shift is the mean over the points in the picture of |r − median r|, each no larger than what a shift
    by two pixels makes of it; no shift at all is kept unless another one is better by a tenth.
    """
    state = np.array([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0])
    residual = np.empty(values.size, np.float32)
    best, found = np.inf, (0, 0)
    for ring in range(reach + 1):
        for y in range(-ring, ring + 1):
            for x in range(-ring, ring + 1):
                if max(abs(x), abs(y)) != ring:
                    continue
                state[2], state[5] = x, y
                seen = residual_pass(picture, points, values, state, residual)
                if 2 * seen < values.size:
                    continue
                centre = middle(residual, seen, False)
                cost = 0.0
                for i in range(values.size):
                    if residual[i] < 1e8:
                        most = 2 * (abs(slopes[i, 0]) + abs(slopes[i, 1])) + 4
                        cost += min(abs(residual[i] - centre), most)
                cost /= seen
                if cost < (0.9 * best if found == (0, 0) else best):
                    best, found = cost, (x, y)
    return found


@compiled
def agreeing(
    picture: NDArray[np.uint8],
    points: NDArray[np.float32],
    values: NDArray[np.float32],
    slopes: NDArray[np.float32],
    state: NDArray[np.float64],
    noise: float,
) -> float:
    """Return the share of all points whose residual is no more than one pixel's slope and *noise* explain."""
    residual = np.empty(values.size, np.float32)
    residual_pass(picture, points, values, state, residual)
    count = 0
    for i in range(values.size):
        if abs(residual[i]) <= (slopes[i, 0] ** 2 + slopes[i, 1] ** 2) ** 0.5 + noise:
            count += 1
    return count / max(values.size, 1)
