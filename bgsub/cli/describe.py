"""A text description of an input and of what a run on it will need."""

from __future__ import annotations

import os

from bgsub.base.plural import count_of, plural
from bgsub.cli.survey import Survey
from bgsub.frames.grid import Grid
from bgsub.frames.source import VideoInfo
from bgsub.options.sizes import megabytes
from bgsub.options.table import Options
from bgsub.run.budget import Plan, exceeds_machine
from bgsub.run.outputs import file_names
from bgsub.run.reading import assumed_rate


def describe(found: Survey) -> str:
    """Return a few lines on an input and on the run on it."""
    lines = _about(found.info)
    if found.background is not None:
        lines.append(("background", found.background))
    lines += _region(found.grid, found.options)
    lines += _needs(found.plan, found.grid, found.options, found.changed)
    names = ", ".join(file_names(found.options).values())
    lines.append(("writes", f"{found.output}{os.sep}: {names}, run.json"))
    if found.stays:
        lines.append(("leaves", f"{', '.join(found.stays)} (not of this run)"))
    width = max(len(name) for name, _ in lines)
    return "".join(f"{name:<{width}}  {text}\n" for name, text in lines)


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
    ]
    if options.model is not None:
        lines = [("fitted on", f"nothing: {options.model} is a saved model")]
    lines += [
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
