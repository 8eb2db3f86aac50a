"""The background of a camera: any frame can be held against it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.aligner import Aligner, Parts
from bgsub.background.checks import check_model
from bgsub.background.coefficients import Coefficients
from bgsub.background.frame import check_frame
from bgsub.background.predict import predict
from bgsub.background.relight import FLOOD, relit
from bgsub.background.report import FitReport
from bgsub.background.separated import Separated
from bgsub.frames.colour import is_gray
from bgsub.frames.grid import Grid
from bgsub.frames.parallel import mapped
from bgsub.frames.source import Image
from bgsub.masks.clean import automatic_area
from bgsub.masks.judge import Judge
from bgsub.masks.levels import Levels
from bgsub.masks.shadow import cast_shadow
from bgsub.masks.specks import Persistence
from bgsub.masks.unrest import Unrest

if TYPE_CHECKING:
    from bgsub.frames.sample import Sample
    from bgsub.options import Options


@dataclass(frozen=True, eq=False)
class BackgroundModel:
    """x(c) = offset + components·c, with what is needed to tell foreground from noise.

    Made by :meth:`fit` (or :func:`bgsub.fit`), kept in a file by :meth:`save`, read by :meth:`load`. Nothing of it
    changes when it is applied but what :meth:`apply` remembers of the frames before; :meth:`stream` keeps a memory of
    its own, so that one model may serve several clips at a time.

    Attributes
    ----------
    grid
        Which pixels of a picture the rows are.
    offset
        ``(rows,)`` float32, grey levels.
    components
        ``(rows, rank)`` float32, orthonormal columns.
    typical
        ``(rank,)`` float32: median coefficients of the fitted frames; the background picture is x(typical).
    outlier
        Grey levels beyond which a deviation is no noise.
    unrest
        How restless the scene is, pixel by pixel of the region, grey levels.
    stabilise, reference
        Kind of motion that frames are registered by, and the picture of the region they are registered against with a
        margin, the same on all sides, of what was seen around it; "off" and None for a camera that stands still.
    threshold
        Fixed threshold in grey levels, or None for one that follows *unrest*.
    sensitivity
        What a threshold that follows *unrest* is divided by.
    shadows
        "keep", "drop" or "mark": whether cast shadows are part of the mask.
    min_area
        Smallest object in pixels, or None for 1/10,000 of the picture.
    seed
        Of the rows that coefficients are found on.
    report
        How the model came about, with the certificate of the optimisation.

    Raises
    ------
    InputError
        A part has a shape, a type or a value that no fit leaves (:mod:`bgsub.background.checks`).
    """

    grid: Grid
    offset: NDArray[np.float32]
    components: NDArray[np.float32]
    typical: NDArray[np.float32]
    outlier: float
    unrest: Unrest
    stabilise: str
    reference: Image | None
    threshold: float | None
    sensitivity: float
    shadows: str
    min_area: int | None
    seed: int
    report: FitReport
    _coefficients: Coefficients = field(init=False, repr=False)
    _aligner: Aligner | None = field(init=False, repr=False)
    _judge: Judge = field(init=False, repr=False)
    _persistence: Persistence = field(init=False, repr=False)
    _stack: NDArray[np.float32] = field(init=False, repr=False)
    _still: Image = field(init=False, repr=False)
    _shared: Image = field(init=False, repr=False)
    _takes_gray: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_model(self)
        # What lies outside the region is 0 in every frame and in every component, and tells nothing.
        inside = None if self.grid.inside is None else np.repeat(self.grid.inside, self.grid.channels)
        finder = Coefficients.of(self.offset, self.components, self.outlier, self.seed, inside)
        object.__setattr__(self, "_coefficients", finder)
        aligner = (
            None
            if self.reference is None
            else Aligner.of(self.reference, self.stabilise, self.grid.shape, self.grid.inside)
        )
        object.__setattr__(self, "_aligner", aligner)
        object.__setattr__(self, "_judge", Judge(self._levels(), self._area))
        object.__setattr__(self, "_persistence", Persistence())
        object.__setattr__(self, "_stack", np.ascontiguousarray(self.components.T))
        # Without components every frame has this background, and they share it.
        object.__setattr__(self, "_still", self._predicted(self.typical))
        # A view: passes over an array that cannot be written to would be compiled once more.
        object.__setattr__(self, "_shared", self._still.view())
        self._shared.flags.writeable = False
        object.__setattr__(self, "_takes_gray", is_gray(self._still))

    @property
    def rank(self) -> int:
        """Number of components beyond the offset."""
        return int(self.components.shape[1])

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the model is as it is, one line each, fit to be printed."""
        return (*self.report.reasons, self._judge.levels.reason)

    @classmethod
    def fit(
        cls, sample: Sample, grid: Grid, options: Options, on_iteration: Callable[[], None] | None = None
    ) -> BackgroundModel:
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

        Notes
        -----
        By default, about ten passes over columns × rows bytes, and five bytes of memory an entry (uint8 frames, float32
        foreground). Other methods and terms keep whole arrays: see :mod:`bgsub.memory`.
        """
        from bgsub.background.fit import fit_background

        return fit_background(sample, grid, options, on_iteration)

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
        return self._by_itself(frame, shared).after(self._persistence)

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
        persistence = Persistence()
        # Whoever fills one array again and again must find the frames in work as they were.
        kept = frames if threads == 1 else (np.array(frame) for frame in frames)
        for _, parts in mapped(lambda frame: self._by_itself(frame, shared), kept, threads):
            yield parts.after(persistence)

    def _by_itself(self, frame: Image, shared: bool) -> Separated:
        """Hold a frame against the background, whatever came before it."""
        check_frame(frame, self.grid, self._takes_gray)
        image = self.grid.resample(frame)
        still = self._aligner is None
        rows = self.grid.cut(image, blank=still) if self.grid.is_partial else image.reshape(-1)
        region = rows.reshape(self._shape)
        parts = self._judged(region) if self._aligner is None else self._aligner(region, self._judged)
        background, difference, mask = parts.background, parts.difference, parts.mask
        shadow, specks = parts.shadow, parts.specks
        if background is self._still:
            background = self._shared if shared else background.copy()
        if self.grid.is_partial:
            background, difference, mask = (
                self.grid.scatter(background),
                self.grid.scatter_mask(difference),
                self.grid.scatter_mask(mask),
            )
            shadow, specks = (
                None if each is None else self.grid.scatter_mask(each) for each in (shadow, specks)
            )
        return Separated(
            image, background, difference, mask, shadow, specks, parts.coefficients, parts.registered
        )

    def _judged(self, region: Image) -> Parts:
        """Hold the region of a frame against the background."""
        found = self._coefficients(region.reshape(-1))
        background = self._picture(found)
        difference, mask = self._judge(region, background)
        if (
            cv2.countNonZero(mask) > FLOOD * self.grid.pixels
            and (lit := relit(region, background)) is not None
        ):
            again, left = self._judge(region, lit)
            if 2 * cv2.countNonZero(left) < cv2.countNonZero(mask):
                background, difference, mask = lit, again, left
        shadow = None
        if self.shadows != "keep":
            shadow = cast_shadow(region, background, mask, self._area)
            mask = np.asarray(cv2.subtract(mask, shadow), np.uint8)
        # Who has said what the smallest object is does not want smaller ones.
        specks = self._judge.specks(difference, mask, shadow, self.min_area or 0)
        return Parts(background, difference, mask, shadow, specks, found)

    def plate(self) -> Image:
        """Return the picture of the empty scene, uint8, at the size of the scaled picture."""
        return self.grid.scatter(self._picture(self.typical))

    def save(self, path: str | Path) -> None:
        """Write the model to an NPZ file (see :mod:`bgsub.background.storage`)."""
        from bgsub.background.storage import save_model

        save_model(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> BackgroundModel:
        """Read a model that :meth:`save` wrote; CannotOpen says why a file is not one."""
        from bgsub.background.storage import load_model

        return load_model(Path(path))

    def _levels(self) -> Levels:
        if self.threshold is not None:
            return Levels.fixed(self.grid.shape, self.threshold)
        return Levels.of(self.unrest, self.sensitivity, self.grid.inside)

    @property
    def _area(self) -> int:
        return automatic_area(self.grid.pixels) if self.min_area is None else self.min_area

    def _picture(self, coefficients: NDArray[np.float32]) -> Image:
        """Return x(coefficients) as a picture of the region, not to be written to."""
        return self._still if self.rank == 0 else self._predicted(coefficients)

    def _predicted(self, coefficients: NDArray[np.float32]) -> Image:
        picture = np.empty(self.grid.rows, np.uint8)
        predict(self.offset, self._stack, coefficients, picture)
        return picture.reshape(self._shape)

    @property
    def _shape(self) -> tuple[int, ...]:
        return (*self.grid.shape, 3) if self.grid.channels == 3 else self.grid.shape
