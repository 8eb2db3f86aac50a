"""Background, foreground and masks of surveillance video, by certified robust PCA.

Names are imported on first use, so importing the package (and ``bgsub --help``) costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from bgsub.version import __version__ as __version__

if TYPE_CHECKING:
    from bgsub.background.model import BackgroundModel
    from bgsub.errors import (
        BgsubError,
        BgsubWarning,
        CannotDecode,
        CannotOpen,
        IncompatibleProblem,
        InputError,
        OptionError,
        OutputError,
        TooFewFrames,
        UsageError,
    )
    from bgsub.evaluation.cdnet import evaluate
    from bgsub.frames.read.open import open_source
    from bgsub.options.position import Position
    from bgsub.options.table import Options
    from bgsub.run.pipeline import fit, separate
    from bgsub.solver.estimator.robust_pca import RobustPCA

_HOME = {
    "BackgroundModel": "bgsub.background.model",
    "Options": "bgsub.options.table",
    "Position": "bgsub.options.position",
    "RobustPCA": "bgsub.solver.estimator.robust_pca",
    "evaluate": "bgsub.evaluation.cdnet",
    "fit": "bgsub.run.pipeline",
    "open_source": "bgsub.frames.read.open",
    "separate": "bgsub.run.pipeline",
}

__all__ = [
    "BackgroundModel",
    "BgsubError",
    "BgsubWarning",
    "CannotDecode",
    "CannotOpen",
    "IncompatibleProblem",
    "InputError",
    "OptionError",
    "Options",
    "OutputError",
    "Position",
    "RobustPCA",
    "TooFewFrames",
    "UsageError",
    "evaluate",
    "fit",
    "open_source",
    "separate",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'bgsub' has no attribute '{name}'")
    return getattr(import_module(_HOME.get(name, "bgsub.errors")), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
