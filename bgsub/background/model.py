"""The background of a camera, as users hold it: fitted, kept in a file, and applied to frames."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import cached_property
from pathlib import Path
from typing import Self

from bgsub.background.data import Background
from bgsub.background.fit import fit_background
from bgsub.background.separated import Separated
from bgsub.background.separator import Separator
from bgsub.background.store.file import load_background, save_background
from bgsub.background.words import in_words, notable
from bgsub.frames.grid import Grid
from bgsub.frames.sample import Sample
from bgsub.frames.source import Image
from bgsub.masks.small_objects import Persistence
from bgsub.options.table import Options


class BackgroundModel(Background):
    """A background that can be applied: made by :meth:`fit` (or :func:`bgsub.fit`), kept by :meth:`save`.

    Its parts are those of :class:`.Background`. Nothing of it changes when it is applied but what :meth:`apply`
    remembers of the frames before; :meth:`stream` keeps a memory of its own, so that one model may serve several clips
    at a time.
    """

    @classmethod
    def fit(
        cls,
        sample: Sample,
        grid: Grid,
        options: Options,
        on_iteration: Callable[[], None] | None = None,
        given: Image | None = None,
    ) -> Self:
        """Fit the background of one segment: the chosen method on the sampled columns.

        Parameters
        ----------
        sample
            Columns spread over the segment (:func:`bgsub.frames.sample.sample_segments`).
        grid
            The pixels they were gathered from.
        options
            ``method``, ``low_rank``, ``sparse`` and the parameters of these terms, ``rank``, ``centre``, ``columns``,
            ``threshold``, ``min_area``, ``seed`` and ``threads`` are read.
        on_iteration
            Called after every iteration of the solver.
        given
            The region of a picture of the empty scene, uint8, which is the ground instead of the one that is found.

        Notes
        -----
        By default, about ten passes over columns × rows bytes, and five bytes of memory an entry (uint8 frames, float32
        foreground). Other methods and terms keep whole arrays: see :mod:`bgsub.background.nbytes`.
        """
        return fit_background(sample, grid, options, on_iteration, cls, given)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the model is as it is, one line each, fit to be printed."""
        return (*self.report.reasons, self._separator.thresholds.reason)

    @property
    def in_words(self) -> tuple[str, ...]:
        """What the fit has found, one line each, in plain words; :attr:`reasons` gives the mathematics."""
        return in_words(self, self._separator.thresholds)

    @property
    def notable(self) -> tuple[str, ...]:
        """Those lines of :attr:`in_words` that say that the scene is no ordinary one."""
        return notable(self)

    def apply(self, frame: Image, *, shared: bool = False) -> Separated:
        """Hold the next frame of a camera against the background.

        Frames come in order: what is too small for a mask by itself is in it once it has been in the frames before,
        too, and nothing else is remembered. A loop over a clip gives what :meth:`stream` gives.

        Parameters
        ----------
        frame
            ``(height, width, 3)`` RGB, uint8, of the size the model was fitted on; a model that was fitted on gray
            makes it gray. Or ``(height, width)`` gray, for a model that was fitted on gray, be it in three channels:
            one of colours would see a difference everywhere.
        shared
            Whether a background that does not change may be the same picture for all frames, which cannot be written
            to; else each frame has one of its own.

        Raises
        ------
        InputError
            When the frame has another size or type, or is gray where the model has colours; it says what to do.
        """
        return self._separator(frame, shared).after(self._persistence)

    def stream(
        self, frames: Iterable[Image], threads: int = 1, *, shared: bool = False
    ) -> Generator[Separated, None, None]:
        """Hold the frames of a clip against the background, in order; what :meth:`apply` remembers is left alone.

        Parameters
        ----------
        frames
            As for :meth:`apply`; taken one after the other, by the caller's thread.
        threads
            So many frames are worked on at a time; the result does not depend on it.
        shared
            As for :meth:`apply`.

        Raises
        ------
        InputError
            As :meth:`apply`, in the place of that frame.
        OptionError
            When there are no threads.
        """
        return self._separator.stream(frames, threads, shared=shared)

    def plate(self) -> Image:
        """Return the picture of the empty scene, uint8, at the size of the scaled picture."""
        return self._separator.plate

    def save(self, path: str | Path) -> None:
        """Write the model to an NPZ file (see :mod:`bgsub.background.store.file`)."""
        save_background(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that :meth:`save` wrote; CannotOpen says why a file is not one."""
        return load_background(Path(path), cls)

    @cached_property
    def _separator(self) -> Separator:
        return Separator(self)

    @cached_property
    def _persistence(self) -> Persistence:
        return Persistence()
