"""The background that the user gives instead of one that must be found: a picture, a video, or a saved model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from bgsub.background.ground.given import fitted_to
from bgsub.background.model import BackgroundModel
from bgsub.background.segments import fit_segments
from bgsub.errors import InputError
from bgsub.frames.grid import Grid
from bgsub.frames.read.open import open_source
from bgsub.frames.sample import FEWEST, sample_segments
from bgsub.frames.source import FrameSource, Image, VideoInfo
from bgsub.options.position import Position
from bgsub.options.table import Options
from bgsub.run.budget import make_plan
from bgsub.run.reading import grid_for, select_frames, short_footage_blamed

MODEL = ".npz"


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A picture of the empty scene.

    Attributes
    ----------
    picture
        ``(height, width)`` or ``(height, width, 3)`` uint8, of any size.
    about
        Where it comes from, in words.
    """

    picture: Image
    about: str


def read_given(options: Options, info: VideoInfo) -> Given | None:
    """Return the background that *options* name, in the grey levels of the footage; None where they name none.

    Raises
    ------
    InputError
        There is none of that name, or it cannot be read.
    """
    name = options.background
    if name is None:
        return None
    try:
        if Path(name).suffix.lower() == MODEL:
            picture = BackgroundModel.load(name).plate()
            return Given(picture, f"{name}, a model ({_size(picture)})")
        return _of_footage(name, options, info)
    except InputError as error:
        raise type(error)(f"--background: {error}") from None


def region_of(given: Given | None, grid: Grid, options: Options) -> Image | None:
    """Return what is *given*, as the region of the grid."""
    return None if given is None else fitted_to(given.picture, grid, str(options.background))


def _of_footage(name: str, options: Options, info: VideoInfo) -> Given:
    source = open_source(name, options=Options(max_pixels=options.max_pixels))
    if source.info.levels is not None and info.levels is not None:
        source = open_source(
            name, range=info.levels, options=Options(max_pixels=options.max_pixels)
        )  # not the range of one picture of the scene
    pictures = [frame.image for frame in islice(source, FEWEST)]
    if len(pictures) < FEWEST:
        return Given(pictures[0], f"{name}, a picture ({_size(pictures[0])})")
    return Given(_ground_of(source, options), f"{name}, the ground of a video ({_size(pictures[0])})")


def _ground_of(source: FrameSource, options: Options) -> Image:
    """Return the ground of other footage, found as that of the footage itself is."""
    return fit_whole(
        source, Options(seed=options.seed, threads=options.threads, memory=options.memory)
    ).plate()


def fit_whole(source: FrameSource, options: Options) -> BackgroundModel:
    """Fit one background to all frames that *options* select, in one piece."""
    options = replace(options, segment=Position(frame=0))
    grid, selection = grid_for(source.info, options), select_frames(source, options)
    given = region_of(read_given(options, source.info), grid, options)
    columns = make_plan(grid, options, selection.expected, selection.rate).capacity
    samples = sample_segments(selection, grid, columns, selection.expected, options.segment, selection.rate)
    with short_footage_blamed(source):
        (model, _), *_ = fit_segments(samples, grid, options, source.info.name, given=given)
    return model


def _size(picture: Image) -> str:
    return f"{picture.shape[1]} × {picture.shape[0]}"
