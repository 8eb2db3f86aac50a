"""A text description of an input and of what a run on it will need."""

from __future__ import annotations

from pathlib import Path

from bgsub.base.plural import count_of, plural
from bgsub.cli.say import tell
from bgsub.frames.grid import Grid
from bgsub.frames.live.spool import on_disk
from bgsub.frames.source import FrameSource, VideoInfo
from bgsub.options.sizes import megabytes
from bgsub.options.table import Options
from bgsub.render.folder import check_folder, refuse_to_mix, refuse_to_overwrite
from bgsub.render.outputs import refuse_impossible
from bgsub.run.advice import warn_of_idle
from bgsub.run.budget import Plan, exceeds_machine, make_plan, within_memory
from bgsub.run.given import read_given, region_of
from bgsub.run.outputs import file_name, layers, left_behind
from bgsub.run.reading import assumed_rate, check_enough, grid_for, known_names, open_footage, select_frames


def describe(source: str, options: Options, output: Path | None, scale_is_asked: bool = False) -> str:
    """Return a few lines on *source* and on the run that *options* specify; nothing is written.

    A live input is recorded for that, and told so on standard error; the recording is removed.

    *scale_is_asked* tells whether the scale must be kept: see :func:`bgsub.run.budget.within_memory`.

    Raises
    ------
    InputError, OptionError, OutputError
        As the run itself would.

    Warns
    -----
    BgsubWarning
        Of options that have no effect here, as far as can be told without reading.
    """
    with on_disk(source, options, output, tell) as footage:
        return _described(open_footage(footage, options), options, output, scale_is_asked)


def _described(footage: FrameSource, options: Options, output: Path | None, scale_is_asked: bool) -> str:
    grid = grid_for(footage.info, options)
    selection = select_frames(footage, options)
    check_enough(selection, options)
    if output is not None:
        _check_output(output, options, footage)
    options, changed = within_memory(grid, options, selection.expected, selection.rate, scale_is_asked)
    grid = grid_for(footage.info, options)
    refuse_impossible(output or Path(), layers(options.outputs), grid.frame_shape)
    plan = make_plan(grid, options, selection.expected, selection.rate)
    warn_of_idle(options, grid)
    given = read_given(options, footage.info)
    region_of(given, grid, options)
    lines = _about(footage.info) + _region(grid, options) + _needs(plan, grid, options, changed)
    if given is not None:
        lines.insert(len(_about(footage.info)), ("background", given.about))
    names = ", ".join(file_name(name) for name in options.outputs)
    lines.append(("writes", f"{'' if output is None else f'{output}/: '}{names}, run.json"))
    if output is not None and (stay := left_behind(output, options.outputs)):
        lines.append(("leaves", f"{', '.join(stay)} (not of this run)"))
    width = max(len(name) for name, _ in lines)
    return "".join(f"{name:<{width}}  {text}\n" for name, text in lines)


def _check_output(folder: Path, options: Options, footage: FrameSource) -> None:
    check_folder(folder)
    names, known = map(file_name, options.outputs), known_names(footage)
    refuse_to_overwrite(folder, names, footage.info.name, options.background, known)
    refuse_to_mix(folder, footage.info)


def _region(grid: Grid, options: Options) -> list[tuple[str, str]]:
    if not (options.roi or options.exclude):
        return []
    height, width = grid.frame_shape
    share = 100 * grid.pixels / (height * width)
    pixels, are = plural("pixel", height * width), "is" if grid.pixels == 1 else "are"
    return [("region", f"{grid.pixels:,} of {height * width:,} {pixels} {are} looked at ({share:.3g} %)")]


def _about(info: VideoInfo) -> list[tuple[str, str]]:
    colour = "colour" if info.is_color else "gray"
    turned = f", turned by {info.rotation}°" if info.rotation else ""
    stored = ", ".join(part for part in (info.codec, info.pixel_format) if part)
    lines = [("input", info.name), ("picture", f"{info.width} × {info.height} {colour}{turned}")]
    lines += [("stored as", f"{info.kind}{' (' + stored + ')' if stored else ''}")]
    lines += [("", note) for note in info.notes]
    frames = "not known before reading" if info.frame_count is None else f"{info.frame_count}"
    claimed = " (according to the file)" if info.kind == "video" and info.frame_count is not None else ""
    lines += [("frames", frames + claimed)]
    if info.fps is not None:
        lines.append(("rate", f"{float(info.fps):.4g} frames/s"))
    elif line := assumed_rate(info):
        lines.append(("rate", line))
    if info.duration is not None:
        lines.append(("duration", f"{float(info.duration):.2f} s"))
    if info.recorded is not None:
        lines.append(("recorded", info.recorded.isoformat(sep=" ", timespec="seconds")))
    return lines


def _needs(plan: Plan, grid: Grid, options: Options, changed: str) -> list[tuple[str, str]]:
    length = options.segment
    pieces = f"pieces of {length}" if length.seconds else "the whole video"
    if length.frame:
        pieces = f"pieces of {count_of(length.frame, 'frame')}"
    (height, width), columns = grid.shape, count_of(plan.columns, "column")
    lines = [
        ("matrix", f"{count_of(plan.rows, 'row')} ({width} × {height} × {grid.channels}) × {columns}"),
        ("fitted on", f"{count_of(plan.columns, 'frame')} spread over {pieces}"),
        ("memory", f"{megabytes(plan.need.fit)} for the fit, {megabytes(plan.need.peak)} in all at most"),
        ("", f"of {megabytes(plan.allowed, up=False)} that may be used{_why(options)}"),
        ("", _by_part(plan, options)),
    ]
    lines += [("", reason) for reason in (plan.reason, changed.removeprefix("memory: ")) if reason]
    estimate = "not known before reading" if plan.seconds is None else f"about {plan.seconds:.0f} s"
    return [*lines, ("estimate", estimate)]


def _why(options: Options) -> str:
    if exceeds_machine(options):
        return ", all that there are"
    return "" if options.memory else " (no --memory is given)"


def _by_part(plan: Plan, options: Options) -> str:
    program, flow, model = map(megabytes, (plan.need.program, plan.need.flow, plan.need.model))
    threads = count_of(options.thread_count, "thread")
    when = "the fit; after it, frames are written"
    if plan.several:
        when = f"the next fit, while frames are written; {megabytes(plan.need.kept)} are not given back in between"
    return (
        f"{program} program ({threads}), {flow} frames being read and written, {model} background, and {when}"
    )
