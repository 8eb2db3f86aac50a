"""The main pipeline, from footage to files: the only module that uses all the others.

Two readers go over the footage, one a segment ahead of the other: the first samples the columns that the
background is fitted on, the second supplies every frame to be compared with it. Neither memory nor the cost
per frame depends on the length of the video.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from fractions import Fraction
from itertools import islice, tee
from pathlib import Path
from typing import Any

import cv2

from bgsub.background.model import BackgroundModel
from bgsub.background.segments import fit_segments, too_few
from bgsub.background.store.file import add_background
from bgsub.base.jit import on_first_compilation
from bgsub.base.prefetch import prefetch
from bgsub.base.publish import Publication
from bgsub.base.warn import recorded, report
from bgsub.errors import BgsubWarning, OutputError, TooFewFrames
from bgsub.frames.changes.change import Change
from bgsub.frames.changes.watch import Watched
from bgsub.frames.live.address import kind_of
from bgsub.frames.live.spool import on_disk
from bgsub.frames.read.open import Target
from bgsub.frames.sample import Sample, sample_segments, segment_length
from bgsub.frames.source import Frame, FrameSource
from bgsub.options.table import Options
from bgsub.render.folder import (
    REPORT,
    check_folder,
    earlier_outputs,
    output_folder,
    refuse_to_mix,
    refuse_to_overwrite,
)
from bgsub.render.outputs import open_output, refuse_impossible
from bgsub.render.sinks.open import MemorySink, Timing, time_base_for
from bgsub.render.view import FrameView
from bgsub.render.writer import Writer
from bgsub.run.advice import warn_of_doubt, warn_of_idle, warn_of_unsolved
from bgsub.run.applied import as_fitted, check_place, read_model, warn_beside_model
from bgsub.run.budget import make_plan, within_memory, workers
from bgsub.run.found import Findings, refuse_without_folder
from bgsub.run.given import fit_whole, read_given, region_of
from bgsub.run.manifest import Manifest, add_to_runs
from bgsub.run.outputs import encoding_of, file_names, layers, shown_in
from bgsub.run.progress import Progress, Silent, counted
from bgsub.run.reading import (
    READ_AHEAD,
    Reading,
    assumed_rate,
    grid_for,
    known_names,
    open_footage,
    select_frames,
    short_footage_blamed,
)
from bgsub.run.result import Separation

COMPILING = "compiling what this machine has not run before: it may take ten seconds, once"
"""Shown while the kernels are compiled for the first time."""

APPLY_AHEAD = 1
"""Frames separated ahead of the one being written."""


def separate(
    target: Target,
    output: str | Path | None = None,
    options: Options | None = None,
    *,
    progress: Progress | None = None,
) -> Separation:
    """Separate footage into background and foreground.

    Parameters
    ----------
    target
        Footage: what :func:`bgsub.open_source` takes, a path, an array, or an iterator of images; or what is recorded
        first: an address (``rtsp://…``), the number of a camera, or ``-`` for standard input. What may never end needs
        ``options.duration`` or ``options.end``.
    output
        Folder to write into; created if it does not exist. None keeps the layers in memory instead:
        ``frames × height × width × 3`` bytes for each colour layer.
    options
        What to do and how; the defaults adapt to the data.
    progress
        Receives progress reports.

    Returns
    -------
    Separation
        Paths or arrays, the last background model, and the report.

    Raises
    ------
    InputError
        The footage cannot be opened or decoded, or has fewer than three frames.
    OptionError
        An option does not fit the footage (a region outside the image).
    OutputError
        A result cannot be written. Whatever is raised, no partial file is left behind.

    Warns
    -----
    BgsubWarning
        Part of the footage is damaged, images were scaled down to stay within ``options.memory``, or options
        have no effect here (:mod:`bgsub.run.advice`).

    Notes
    -----
    Solves min ½‖X + Y − M‖_F² with ‖X − centre‖_* ≤ τ and ‖Y‖₁ ≤ s on sampled frames of each segment, by
    default by an accelerated extension of the alternating conditional-gradient / proximal-gradient method of
    Garber, Kaplan and Sabach (arXiv:1802.05581), then compares every frame with the fitted background.
    """
    if output == "":
        raise OutputError(
            "the name of the output folder is empty; give a folder, '.' for this one, or None for memory"
        )
    options, progress = options or Options(), progress or Silent()
    folder = None if output is None else Path(output)
    if folder is not None and kind_of(target):
        # Not after an hour of recording.
        check_folder(folder)
    with on_disk(target, options, folder, progress.say) as footage:
        return _separate(footage, folder, options, progress)


def _separate(target: Target, output: Path | None, options: Options, progress: Progress) -> Separation:
    seen: list[str] = []
    with recorded(seen):
        source = open_footage(target, options)
    job = _Job(source, options, progress, seen)
    if output is None:
        refuse_without_folder(job.options.outputs)
        with recorded(seen):
            return job.run(None)
    with recorded(seen), output_folder(output) as folder:
        refuse_to_overwrite(
            folder,
            file_names(job.options).values(),
            job.source.info.name,
            job.options.background,
            known_names(job.source),
        )
        refuse_to_mix(folder, job.source.info)
        refuse_impossible(folder, shown_in(job.options), job.grid.frame_shape, job.options.codec)
        return job.run(folder)


def fit(target: Target, options: Options | None = None) -> BackgroundModel:
    """Fit one background to all of *target* (footage, as for :func:`separate`).

    The model can be applied to any frame of the same camera, saved, and loaded. ``options.memory`` limits
    only the number of columns: neither threads nor scale are reduced.

    Raises
    ------
    InputError
        The footage cannot be opened or decoded, or has fewer than three frames.

    Warns
    -----
    BgsubWarning
        As for :func:`separate`, except that images are never scaled down.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> frames = rng.integers(100, 110, (40, 48, 64, 3), dtype=np.uint8)
    >>> model = fit(frames)
    >>> frames[0, 10:30, 10:30] = 250
    >>> bool(model.apply(frames[0]).mask[20, 20] == 255)
    True
    """
    options = options or Options()
    with on_disk(target, options, None, Silent().say) as footage:
        return _fit(open_footage(footage, options), options)


def _fit(source: FrameSource, options: Options) -> BackgroundModel:
    warn_of_idle(options, grid_for(source.info, options))
    cv2.setNumThreads(options.threads or -1)
    model = fit_whole(source, options)
    warn_of_unsolved(options.method, model.report.gap, model.report.initial_objective)
    warn_of_doubt(model.report.confidence, model.report.first)
    return model


class _Job:
    """One run: the state shared by its steps."""

    def __init__(self, source: FrameSource, options: Options, progress: Progress, warned: list[str]) -> None:
        self.selection = select_frames(source, options)
        expected, rate = self.selection.expected, self.selection.rate
        check_place(options)
        self.loaded, self.asked = read_model(options, source.info), options
        options = as_fitted(options, self.loaded)
        asked, kept = options.scale, self.loaded is not None
        options, changed = within_memory(grid_for(source.info, options), options, expected, rate, kept)
        if options.scale != asked:
            # Images smaller than requested are a surprise that silent progress must not hide.
            warnings.warn(changed, BgsubWarning, stacklevel=3)
        elif changed:
            progress.say(changed)
        self.source, self.options, self.progress = source, options, progress
        for note in source.info.notes:
            progress.say(f"{source.info.name}: {note}")
        self.given = None if kept else read_given(options, source.info)
        if self.given is not None:
            progress.say(f"background: {self.given.about}")
        self.grid = grid_for(source.info, options)
        self.plan = make_plan(self.grid, options, self.selection.expected, self.selection.rate)
        self.manifest = Manifest(source.info, options, self.grid, warnings=warned)
        self.findings = Findings(self.selection, self.grid, options)
        cv2.setNumThreads(options.threads or -1)

    def run(self, folder: Path | None) -> Separation:
        """Fit and separate segment by segment; the sinks are opened once the first fit is done."""
        warn_beside_model(self.asked, self.loaded)
        warn_of_idle(self.options, self.grid)
        reading = Reading(self.selection, self.progress)
        names = list(dict.fromkeys(self.options.outputs))
        with ExitStack() as stack:
            stack.enter_context(short_footage_blamed(self.source))
            stack.enter_context(on_first_compilation(lambda: self.progress.say(COMPILING)))
            files = stack.enter_context(Publication(known_names(self.source)))
            stack.callback(self.findings.close)
            if self.options.save_model:
                files.make(self.options.save_model)  # not after an hour of fitting
            frames = stack.enter_context(closing(prefetch(self.selection, READ_AHEAD)))
            writer: Writer | None = None
            saved: tuple[int, BackgroundModel] | None = None
            for model, count in self._models(reading):
                if self.options.save_model and (saved is None or count > saved[0]):
                    saved = count, model
                writer = writer or stack.enter_context(self._writer(names, folder, reading.times, files))
                self.manifest.add_segment(model, count)
                self.findings.begin_segment(model)
                self._separate(model, islice(frames, count), count, writer)
            assert writer is not None, "fit_segments yields a model or raises"
            for line in filter(None, (self.manifest.lost(), self.manifest.blinded())):
                report(line)
            writer.finish()
            self._finish(writer, folder, files)
            if self.options.save_model and saved:
                add_background(saved[1], Path(self.options.save_model), files)
            if folder:
                files.write(folder / REPORT, self.manifest.to_json())
            files.publish()
            arrays = {} if folder else writer.arrays()
        outputs = {name: folder / file for name, file in file_names(self.options).items()} if folder else {}
        log, rows = self.findings.log, self.findings.rows
        return Separation(outputs, arrays, model, self.manifest.to_dict(), log, rows)

    def _finish(self, writer: Writer, folder: Path | None, files: Publication) -> None:
        """Write what has been found; all frames have been written."""
        began, overlay = time.perf_counter(), file_names(self.options).get("overlay")
        there = files.place(folder / overlay) if folder and overlay else None
        self.progress.begin("events", None)
        self.findings.finish(folder, files, writer.plate, there)
        self._add_seconds("events", began)
        self.manifest.events, self.manifest.objects = (
            len(self.findings.log.events),
            len(self.findings.log.tracks),
        )

    def _models(self, reading: Reading) -> Iterator[tuple[BackgroundModel, int]]:
        chosen = self.selection
        if self.loaded is not None:
            yield self._loaded(self.loaded, reading)
            return
        if not self.plan.cuts:
            self.progress.say("a change of light ends no segment: --memory leaves no room for one more fit")
        watched = Watched(reading, self._note_change) if self.plan.cuts else reading
        samples = sample_segments(
            watched, self.grid, self.plan.capacity, chosen.expected, self.options.segment, chosen.rate
        )
        models = fit_segments(
            *(self._announced(samples), self.grid, self.options, self.source.info.name, self.progress.step),
            region_of(self.given, self.grid, self.options),
        )
        fitted: BackgroundModel | None = None
        for model, count in self._timed("fit", models):
            if model is not fitted:
                self._explain(model)
            fitted = model
            yield model, count

    def _loaded(self, model: BackgroundModel, reading: Reading) -> tuple[BackgroundModel, int]:
        """Return the saved model for all of the footage, once it is known how much of it there is."""
        self.progress.say(f"background: that of the model {self.options.model}; nothing is fitted")
        self.progress.begin("reading", self.selection.expected)
        first = count = 0
        for frame in reading:
            first, count = first if count else frame.index, count + 1
        if not count:
            raise TooFewFrames(too_few(self.source.info.name, 0, self.options))
        return replace(model, report=replace(model.report, first=first)), count

    def _note_change(self, change: Change) -> None:
        self.manifest.add_change(change)
        self.progress.say(str(change))

    def _announced(self, samples: Iterator[Sample]) -> Iterator[Sample]:
        while True:
            self.progress.begin("reading", self._frames_to_read())
            given = list(islice(samples, 1))
            if not given:
                return
            self.progress.begin("fitting", None)
            yield given.pop()

    def _frames_to_read(self) -> int | None:
        length = segment_length(self.options.segment, self.selection.rate)
        return min((n for n in (length, self.selection.expected) if n is not None), default=None)

    def _explain(self, model: BackgroundModel) -> None:
        fit = model.report
        self.progress.say(
            f"frames {fit.first}–{fit.first + (fit.frames - 1) * self.options.every}: background fitted on "
            f"{fit.columns} of {fit.frames} in {fit.seconds:.1f} s"
        )
        for line in model.in_words:
            tell = self.progress.say if line in model.notable else self.progress.detail
            tell(f"  {line}")
        for reason in (*model.reasons, fit.certificate()):
            self.progress.detail(f"  {reason}")
        warn_of_unsolved(self.options.method, fit.gap, fit.initial_objective)
        warn_of_doubt(fit.confidence, fit.first)

    def _separate(self, model: BackgroundModel, frames: Iterator[Frame], count: int, writer: Writer) -> None:
        """Compare *frames* with *model* on some threads while others draw and write earlier frames."""
        self.progress.begin("separating", count)
        area = self.grid.pixels
        views = prefetch(self._views(model, frames), APPLY_AHEAD)
        with closing(writer.written(views)) as done:
            for view in self._timed("separate", counted(done, self.progress), inside=True):
                self.manifest.add_frame(view.number, view.time, cv2.countNonZero(view.mask) / area)
        writer.offer_plate(model.plate, count)

    def _views(self, model: BackgroundModel, frames: Iterator[Frame]) -> Iterator[FrameView]:
        outline = self.grid.outline
        ahead, behind = tee(frames)
        stream = model.stream((frame.image for frame in ahead), workers(self.options), shared=True)
        for parts, frame in zip(stream, behind, strict=False):
            self.manifest.unregistered += not parts.registered
            if parts.blind:
                add_to_runs(self.manifest.blind, frame.number)
            yield FrameView(
                frame.index,
                frame.number,
                frame.time,
                parts.image,
                parts.background,
                parts.score,
                parts.mask,
                self.grid.region,
                outline,
                parts.shadow if self.options.shadows == "mark" else None,
                self.findings.take_in(frame, parts),
                self.findings.caption(frame),
                "numbers" in (self.options.burn or ()),
                frame.name,
            )

    def _writer(
        self, names: list[str], folder: Path | None, times: list[Fraction], files: Publication
    ) -> Writer:
        self.manifest.outputs = file_names(self.options) if folder else {}
        shown = layers(names)
        if folder is None:
            return Writer({name: MemorySink(name) for name in shown})
        stay = earlier_outputs(folder) - {REPORT, *self.manifest.outputs.values()}
        self.manifest.earlier_outputs = sorted(name for name in stay if (folder / name).exists())
        if line := assumed_rate(self.source.info):
            self.progress.say(line)
        timing = Timing(fps=self.selection.rate, time_base=time_base_for(times))
        encoding = encoding_of(self.options)
        return Writer({name: open_output(name, folder, timing, encoding, files) for name in shown})

    def _timed(self, phase: str, items: Iterator[Any], inside: bool = False) -> Iterator[Any]:
        """Add up the seconds spent in *items* (with *inside*, in the loop's body too)."""
        began = time.perf_counter()
        for item in items:
            if not inside:
                self._add_seconds(phase, began)
            yield item
            if not inside:
                began = time.perf_counter()
        self._add_seconds(phase, began)

    def _add_seconds(self, phase: str, began: float) -> None:
        spent = self.manifest.seconds.get(phase, 0.0) + time.perf_counter() - began
        self.manifest.seconds[phase] = spent
