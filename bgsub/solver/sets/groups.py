"""Row and column groups of a matrix: Euclidean norms and group soft thresholding."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import OptionError
from bgsub.solver.checks import shown
from bgsub.solver.sets.points import PIECE, Real, real_matrix
from bgsub.solver.spectra.atoms import LowRank

ROWS, COLUMNS = "rows", "columns"


def check_groups(groups: object, owner: str) -> None:
    """Raise unless *groups* is ``"rows"`` or ``"columns"``.

    Raises
    ------
    OptionError
        It is neither; the message names *owner*.
    """
    if not isinstance(groups, str) or groups not in (ROWS, COLUMNS):
        raise OptionError(f"groups of {owner} must be 'rows' or 'columns', but is {shown(groups)}")


def group_norms(point: NDArray[Any] | LowRank, groups: str) -> NDArray[np.float64]:
    """Return the ℓ2 norm of every row ``(n,)`` or column ``(p,)``, in float64.

    The offset of a :class:`LowRank` is excluded.
    """
    if isinstance(point, LowRank):
        return _low_rank_norms(point, groups)
    point = real_matrix(point)
    n, p = point.shape
    squares = np.zeros(n if groups == ROWS else p)
    step = max(PIECE // max(p, 1), 1)
    for start in range(0, n, step):
        part = np.square(point[start : start + step], dtype=np.float64)
        if groups == ROWS:
            squares[start : start + step] = part.sum(axis=1)
        else:
            squares += part.sum(axis=0)
    return np.sqrt(squares)


def shrink_groups(point: Real, groups: str, norms: NDArray[np.float64], theta: float) -> Real:
    """Return every group scaled by ``max(1 − θ/norm, 0)``, in the dtype of *point*."""
    safe = np.where(norms > 0, norms, 1.0)
    factors = (np.maximum(norms - theta, 0) / safe).astype(point.dtype)
    return np.asarray(point * (factors[:, None] if groups == ROWS else factors))


def _low_rank_norms(point: LowRank, groups: str) -> NDArray[np.float64]:
    own, other = (point.left, point.right) if groups == ROWS else (point.right, point.left)
    own, other = own.astype(np.float64), other.astype(np.float64)
    return np.asarray(np.linalg.norm(own @ np.linalg.qr(other).R.T, axis=1))
