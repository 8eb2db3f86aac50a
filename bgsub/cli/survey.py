"""What is known of an input, and of what a run on it will need, before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bgsub.cli.say import tell
from bgsub.frames.grid import Grid
from bgsub.frames.live.spool import on_disk
from bgsub.frames.source import FrameSource, VideoInfo
from bgsub.options.table import Options
from bgsub.render.folder import check_folder, refuse_to_mix, refuse_to_overwrite
from bgsub.render.outputs import refuse_impossible
from bgsub.run.advice import warn_of_idle
from bgsub.run.applied import as_fitted, check_place, read_model, warn_beside_model
from bgsub.run.budget import Plan, make_plan, within_memory
from bgsub.run.given import read_given, region_of
from bgsub.run.outputs import file_names, left_behind, shown_in
from bgsub.run.reading import check_enough, grid_for, known_names, open_footage, select_frames


@dataclass(frozen=True, slots=True)
class Survey:
    """An input and the run on it.

    Attributes
    ----------
    info, options, grid, plan
        What is read, how (with what was changed to stay within the memory), which of its pixels, and what that needs.
    changed
        What was changed, in words; empty if nothing was.
    background
        Where a given background comes from, in words, or None.
    output, stays
        The folder that is written into, and what lies there and stays.
    """

    info: VideoInfo
    options: Options
    grid: Grid
    plan: Plan
    changed: str
    background: str | None
    output: Path
    stays: list[str]


def survey(
    source: str,
    options: Options,
    output: Path,
    scale_is_asked: bool = False,
    *,
    is_checked: bool = False,
    say: Callable[[str], None] = tell,
) -> Survey:
    """Return what there is to know of *source* and of the run that *options* specify; nothing is written.

    A live input is recorded for that, and told so by *say*; the recording is removed.

    Parameters
    ----------
    source, options, output
        As of the run.
    scale_is_asked
        Whether the scale must be kept: see :func:`bgsub.run.budget.within_memory`.
    is_checked
        Whether to raise what writing into *output* would.

    Raises
    ------
    InputError, OptionError, OutputError
        As the run itself would.

    Warns
    -----
    BgsubWarning
        Of options that have no effect here, as far as can be told without reading.
    """
    with on_disk(source, options, output if is_checked else None, say) as footage:
        opened = open_footage(footage, options)
        if is_checked:
            _check_output(output, options, opened)
        return _surveyed(opened, options, output, scale_is_asked)


def _surveyed(footage: FrameSource, options: Options, output: Path, scale_is_asked: bool) -> Survey:
    check_place(options)
    model = read_model(options, footage.info)
    warn_beside_model(options, model)
    options = as_fitted(options, model)
    grid = grid_for(footage.info, options)
    selection = select_frames(footage, options)
    if model is None:
        check_enough(selection, options)
    kept = scale_is_asked or model is not None
    options, changed = within_memory(grid, options, selection.expected, selection.rate, kept)
    grid = grid_for(footage.info, options)
    refuse_impossible(output, shown_in(options), grid.frame_shape, options.codec)
    plan = make_plan(grid, options, selection.expected, selection.rate)
    warn_of_idle(options, grid)
    given = read_given(options, footage.info) if model is None else None
    region_of(given, grid, options)
    about = None if given is None else given.about
    return Survey(footage.info, options, grid, plan, changed, about, output, left_behind(output, options))


def _check_output(folder: Path, options: Options, footage: FrameSource) -> None:
    check_folder(folder)
    names, known = file_names(options).values(), known_names(footage)
    refuse_to_overwrite(folder, names, footage.info.name, options.background, known)
    refuse_to_mix(folder, footage.info)
