"""The two parts of a split, and the representations of parts and step endpoints."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from bgsub.solver.spectra.atoms import Entry, LowRank

Held = LowRank | NDArray[Any]
"""A part as an engine stores it: factors, or a dense array ``(n, p)``."""

Block = Held | Entry
"""A matrix in the form its term produces: factors, a dense array, or a single entry."""

T = TypeVar("T")

COMPRESS_EVERY = 8
"""Factors are compressed whenever their number of columns reaches another multiple of this."""


class Part(enum.StrEnum):
    """X, the low-rank part, and Y, the sparse part; values are the names used in messages."""

    LOW_RANK = "low-rank"
    SPARSE = "sparse"

    @property
    def other(self) -> Part:
        """The other part."""
        return Part.SPARSE if self is Part.LOW_RANK else Part.LOW_RANK


class Ends(NamedTuple):
    """The endpoint of a step: V and W of Algorithm 1, the one of X first."""

    low_rank: Any
    sparse: Any


class Kept(NamedTuple):
    """A saved point: both parts, and Z = X′ + Y."""

    low_rank: Held
    sparse: Held
    z: NDArray[Any]


def full(block: Block, shape: tuple[int, int], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return *block* as a dense array, without its offset; an array is returned as is."""
    if isinstance(block, LowRank):
        return np.asarray(block.left @ block.right.T, dtype)
    if isinstance(block, Entry):
        out = np.zeros(shape, dtype)
        out[block.row, block.column] = block.value
        return out
    return block


def in_precision(dtype: np.dtype[Any], block: T) -> T:
    """Return *block* with factors or entries of *dtype*, copying only if needed; a single entry has no dtype."""
    made: Any = block
    if isinstance(block, LowRank):
        made = LowRank(block.left.astype(dtype, copy=False), block.right.astype(dtype, copy=False))
    elif isinstance(block, np.ndarray):
        made = np.asarray(block, dtype)
    return cast(T, made)


def add(array: NDArray[Any], block: Block, factor: float = 1.0) -> None:
    """Add ``factor·block`` to *array*, in place."""
    if isinstance(block, Entry):
        array[block.row, block.column] += factor * block.value
    elif isinstance(block, LowRank):
        if block.columns:
            array += (factor * block.left) @ block.right.T
    elif factor == 1.0:
        array += block
    elif factor == -1.0:
        array -= block
    else:
        array += factor * block


def mixed(block: Held, step: float, end: Block) -> Held:
    """Return ``(1 − step)·block + step·end``, factored if both are, else dense; inputs are not modified."""
    if isinstance(block, LowRank) and isinstance(end, LowRank):
        return bounded(block, block.mix(step, end))
    array = block.left @ block.right.T if isinstance(block, LowRank) else block
    out = np.asarray((1 - step) * array, array.dtype)
    add(out, end, step)
    return out


def beyond(before: Held, here: Held, share: float) -> Held:
    """Return the extrapolation ``here + share·(here − before)``, factored if both are."""
    if share == 0:
        return here
    if isinstance(before, LowRank) and isinstance(here, LowRank):
        return before.mix(1 + share, here)
    return mixed(before, 1 + share, here)


def bounded(before: LowRank, after: LowRank) -> LowRank:
    """Return *after*, compressed if its number of columns has crossed another multiple of COMPRESS_EVERY."""
    crossed = after.columns // COMPRESS_EVERY > before.columns // COMPRESS_EVERY
    return after.compress() if crossed else after
