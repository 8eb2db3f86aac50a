"""A saved model that is held against footage in place of one that is fitted, and where a model is saved."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from bgsub.background.model import BackgroundModel
from bgsub.base.warn import report
from bgsub.errors import CannotOpen, InputError, OptionError, OutputError
from bgsub.frames.source import VideoInfo
from bgsub.options.table import Options, flag

ENDING = ".npz"
OF_THE_GRID = ("gray", "scale", "roi", "exclude")
OF_THE_MASKS = ("stabilise", "threshold", "sensitivity", "shadows", "min_area")
OF_THE_FIT = (
    *(
        "method",
        "low_rank",
        "sparse",
        "tau",
        "weight",
        "sparsity",
        "delta",
        "lambda1",
        "lambda2",
        "rank",
        "columns",
    ),
    *("segment", "centre", "background"),
)
"""Options that a saved model leaves nothing to say for."""


def read_model(options: Options, info: VideoInfo) -> BackgroundModel | None:
    """Return the model that *options* name; None where they name none.

    Raises
    ------
    InputError
        There is none of that name, it cannot be read, or it was fitted on pictures of another size or kind.
    """
    if options.model is None:
        return None
    try:
        model = BackgroundModel.load(options.model)
    except InputError as error:
        raise type(error)(f"--model: {error}") from None
    grid = model.grid
    if (grid.width, grid.height) != (info.width, info.height):
        raise InputError(
            f"--model: {options.model} was fitted on pictures of {grid.width} × {grid.height}, but those of "
            f"{info.name} are {info.width} × {info.height}: fit another one, with --save-model"
        )
    if grid.color and not info.is_color:
        raise InputError(
            f"--model: {options.model} was fitted on colour, but {info.name} is gray; fit one with --gray"
        )
    return model


def as_fitted(options: Options, model: BackgroundModel | None) -> Options:
    """Return *options* as *model* has them: it decides which pixels are looked at, and what differs from it."""
    if model is None:
        return options
    grid = model.grid
    chosen: dict[str, Any] = {
        "gray": not grid.color,
        "scale": grid.scale,
        "roi": grid.roi,
        "exclude": grid.exclude,
    }
    chosen |= {name: getattr(model, name) for name in OF_THE_MASKS}
    return replace(options, **chosen)


def warn_beside_model(asked: Options, model: BackgroundModel | None) -> None:
    """Warn of options that say something else than the model does.

    Warns
    -----
    BgsubWarning
        Naming all of them.
    """
    if model is None:
        return
    defaults, has = Options(), as_fitted(asked, model)
    wrong = [name for name in OF_THE_FIT if getattr(asked, name) != getattr(defaults, name)]
    for name in (*OF_THE_GRID, *OF_THE_MASKS):
        if getattr(asked, name) not in (getattr(defaults, name), getattr(has, name)):
            wrong.append(name)
    names = [flag(item.name) for item in fields(Options) if item.name in wrong]
    if names:
        do = "does" if len(names) == 1 else "do"
        report(
            f"{', '.join(names)} {do} nothing beside --model: {asked.model} was fitted with values of its own"
        )


def check_place(options: Options) -> None:
    """Raise where a model cannot be saved, or would replace what is none.

    Raises
    ------
    OptionError
        The name does not end in ``.npz``.
    OutputError
        There is something else of that name.
    """
    if options.save_model is None:
        return
    path = Path(options.save_model)
    if path.suffix.lower() != ENDING:
        raise OptionError(f"--save-model {path}: the name of a model ends in {ENDING}")
    if path.is_file():
        try:
            BackgroundModel.load(path)
        except CannotOpen:
            raise OutputError(
                f"will not write the model over {path}, which is none of this version; give another name"
            ) from None
