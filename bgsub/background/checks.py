"""That the arrays of a background model belong to one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bgsub.errors import InputError
from bgsub.masks.unrest import Unrest

if TYPE_CHECKING:
    from bgsub.background.model import BackgroundModel


def check_arrays(model: BackgroundModel) -> None:
    """Raise InputError when an array of *model* has another shape or type than its grid asks for."""
    grid, components = model.grid, model.components
    rank = components.shape[-1] if components.ndim else 0
    expected = {"offset": (grid.rows,), "components": (grid.rows, rank), "typical": (rank,)}
    maps = dict.fromkeys(Unrest.__slots__, grid.shape)
    for name, shape in {**expected, **maps}.items():
        array = getattr(model.unrest if name in maps else model, name)
        if array.shape != shape or array.dtype != np.float32:
            raise InputError(
                f"{name} of a background model must be float32 of shape {shape}, got {array.dtype} {array.shape}"
            )
