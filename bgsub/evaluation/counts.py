"""Pixel counts of one mask against its ground truth, and the measures derived from them.

The measures are those of CDnet (Goyette et al., *changedetection.net*, CVPRW 2012,
doi:10.1109/CVPRW.2012.6238919), pooled: counts are summed over frames before dividing, so that each frame is weighted
by its foreground.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError

FOREGROUND = 255
SHADOW = 50
BACKGROUND = 0
UNKNOWN = 170
OUTSIDE = 85
LABELS = frozenset({BACKGROUND, SHADOW, OUTSIDE, UNKNOWN, FOREGROUND})
"""The grey levels allowed in CDnet ground truth; UNKNOWN and OUTSIDE are not scored."""

MASK_LEVEL = 128
"""Mask levels from this one up are foreground: after a lossy codec they are not all 0 or 255."""

_IS_BACKGROUND = np.zeros(256, bool)
_IS_BACKGROUND[[BACKGROUND, SHADOW]] = True


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of scored pixels; add two to pool them.

    The ratio 0/0 counts as perfect: where there was nothing to find, nothing was missed (recall 1); where nothing was
    claimed, nothing was claimed wrongly (precision 1). F = 2·tp / (2·tp + fp + fn) is then 1 for an empty mask of an
    empty scene, and 0 if there are errors but no hits. (CDnet's own tool gives NaN there.)

    Attributes
    ----------
    tp
        Foreground in the mask and in the truth.
    fp
        Foreground in the mask, background in the truth.
    fn
        Background in the mask, foreground in the truth.
    tn
        Background in both.

    Examples
    --------
    >>> (Counts(tp=3, fp=1) + Counts(fn=2, tn=4)).f_measure
    0.6666666666666666
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    def __post_init__(self) -> None:
        if min(self.tp, self.fp, self.fn, self.tn) < 0:
            raise ValueError(f"pixel counts cannot be negative: {self}")

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn)

    @property
    def total(self) -> int:
        """Number of scored pixels."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def precision(self) -> float:
        """Fraction of the claimed foreground that is foreground: tp / (tp + fp)."""
        return _ratio(self.tp, self.tp + self.fp, empty=1.0)

    @property
    def recall(self) -> float:
        """Fraction of the foreground that was found: tp / (tp + fn)."""
        return _ratio(self.tp, self.tp + self.fn, empty=1.0)

    @property
    def f_measure(self) -> float:
        """Harmonic mean of precision and recall: 2·tp / (2·tp + fp + fn)."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn, empty=1.0)

    @property
    def specificity(self) -> float:
        """Fraction of the background that was left alone: tn / (tn + fp)."""
        return _ratio(self.tn, self.tn + self.fp, empty=1.0)

    @property
    def fpr(self) -> float:
        """False positive rate: fp / (fp + tn)."""
        return _ratio(self.fp, self.fp + self.tn, empty=0.0)

    @property
    def fnr(self) -> float:
        """False negative rate: fn / (fn + tp)."""
        return _ratio(self.fn, self.fn + self.tp, empty=0.0)

    @property
    def pwc(self) -> float:
        """Percentage of wrong classifications: 100·(fp + fn) / all scored pixels."""
        return 100.0 * _ratio(self.fp + self.fn, self.total, empty=0.0)


def count(mask: NDArray[np.uint8] | NDArray[np.bool_], truth: NDArray[np.uint8]) -> Counts:
    """Compare one mask with its ground truth.

    Parameters
    ----------
    mask
        ``(height, width)`` bool, or uint8 with foreground from grey level 128 up.
    truth
        ``(height, width)`` uint8 CDnet labels: 255 foreground; 0 and 50 (hard shadow) background; 85 (outside the
        region) and 170 (unknown edge) are not scored.

    Raises
    ------
    InputError
        The sizes differ (nothing is ever resized here: an interpolated mask is not the mask that was made), or the mask
        has another dtype, whose values could mean anything.
    """
    if mask.dtype not in (np.bool_, np.uint8):
        raise InputError(f"the mask is {mask.dtype}; give bool, or uint8 with 255 where the foreground is")
    if mask.shape != truth.shape:
        raise InputError(
            f"the mask is {size(mask)} but its ground truth is {size(truth)}; "
            "score masks made at the size of the truth"
        )
    claimed = mask if mask.dtype == np.bool_ else mask >= MASK_LEVEL
    foreground = truth == FOREGROUND
    background = _IS_BACKGROUND[truth]
    tp = int(np.count_nonzero(claimed & foreground))
    fp = int(np.count_nonzero(claimed & background))
    return Counts(tp, fp, int(np.count_nonzero(foreground)) - tp, int(np.count_nonzero(background)) - fp)


def size(picture: NDArray[np.uint8] | NDArray[np.bool_]) -> str:
    """Return the size of a picture as people write it: ``"width×height"``."""
    return "×".join(str(n) for n in reversed(picture.shape))


def _ratio(part: int, whole: int, *, empty: float) -> float:
    return part / whole if whole else empty
