"""The one table of options: flags, TOML keys, Python arguments, ranges and docs/options.md come from here.

Each field of :class:`Options` carries its help, unit, range and the reason for its default. Nothing else in
the program decides what an option is called, what it may be, or what it is when nobody says.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, fields
from fractions import Fraction
from typing import Any

from bgsub.base.parallel import processors
from bgsub.errors import OptionError, UsageError
from bgsub.options.checks import check_areas, check_places, check_value, check_zones
from bgsub.options.choices import (
    CENTRES,
    DEINTERLACE,
    LOW_RANK,
    METHODS,
    REFUSED,
    SHADOWS,
    SPARSE,
    STABILISE,
    refusal,
)
from bgsub.options.codecs import CODECS, OTHER_NAMES, check_codec
from bgsub.options.position import Position
from bgsub.options.spec import Spec, option
from bgsub.options.values import read, unreadable

PICTURES = ("background", "foreground", "mask", "overlay", "boxes", "cutout", "side-by-side")
LAYERS = (*PICTURES, *(f"{name}-png" for name in PICTURES), "cdnet", "plate")
"""Outputs that show every frame."""
EXPORTS = ("events", "tracks", "clips", "stills", "sheet", "heatmap", "coco", "mot", "yolo", "factors")
"""Outputs that are made of what has been found."""
OUTPUTS = (*LAYERS, *EXPORTS)


def _place(what: str, reason: str) -> Any:
    unit = "frames (from 0), seconds, time, or 50% of the length"
    return option(None, Spec(what, "place", reason, unit=unit, optional=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything a run can be told. ``None`` means: decide from the data, and say why.

    Raises
    ------
    OptionError
        When a value is out of its range, or a method cannot run with a term; the message names option and way out.

    Examples
    --------
    >>> Options(threshold=30.0, gray=True).threshold
    30.0
    """

    outputs: tuple[str, ...] = option(
        ("background", "foreground", "mask", "overlay", "plate", "events", "tracks"),
        Spec(
            "what to write; NAME-png writes a folder of PNG files, plate is background.png",
            "names",
            "the four videos people ask for, one picture, and what happened when and where",
            choices=OUTPUTS,
        ),
    )
    codec: str = option(
        "h264",
        Spec(
            "codec of the videos for people; masks are lossless in any case",
            "choice",
            "plays everywhere; hevc and av1 are smaller and slower, ffv1 is lossless and large, prores is for editors",
            choices=tuple(CODECS),
            refused=OTHER_NAMES,
        ),
    )
    crf: float | None = option(
        None,
        Spec(
            "quality of the videos for people (constant rate factor): smaller is better and larger",
            "float",
            "hard to tell from the original; the background, on which people measure, gets a better one",
            automatic="20 (h264), 24 (hevc), 30 (vp9), 32 (av1)",
            minimum=0,
            maximum=63,
        ),
    )
    preset: str | None = option(
        None,
        Spec(
            "speed of the encoder: ultrafast … veryslow (h264, hevc), 0 … 8 (vp9), 0 … 13 (av1)",
            "word",
            "encoding is most of the time of a run",
            automatic="superfast, 8 or 10",
        ),
    )
    method: str = option(
        "auto",
        Spec(
            "method of the fit; alt-AB: step A of the foreground, B of the background (cg: vertex, pg: projection)",
            "choice",
            "nuclear with l1: alt-pgpg on a sample, then all rows; else the paper's rule: alt-pgcg if s ≥ τ",
            choices=METHODS,
        ),
    )
    low_rank: str = option(
        "nuclear",
        Spec(
            "term of the background: nuclear-norm ball, or penalty (for methods that project the background)",
            "choice",
            "a radius for one component keeps what is slow and large out of the background",
            choices=LOW_RANK,
            refused=REFUSED,
        ),
    )
    sparse: str = option(
        "l1",
        Spec(
            "term of the foreground: ℓ1 ball, ℓp ball (p = 1 + delta), elastic net, or pixels over time as groups",
            "choice",
            "1 byte an entry with auto (lp 5), 5 with alt-pgcg; group and other methods 56",
            choices=SPARSE,
        ),
    )
    tau: float | None = option(
        None,
        Spec(
            "radius τ of the nuclear-norm ball of the background",
            "float",
            "leading singular value of the residual that is neither foreground nor noise",
            unit="grey levels (Frobenius)",
            automatic="from the data",
            above=0,
        ),
    )
    weight: float | None = option(
        None,
        Spec(
            "weight μ of the nuclear-norm penalty of the background",
            "float",
            "three noise levels (8 grey levels at least) times √rows: robust PCA's balance between both parts",
            unit="grey levels (Frobenius)",
            automatic="from the noise",
            above=0,
        ),
    )
    sparsity: float | None = option(
        None,
        Spec(
            "radius s of the ball of the foreground (l1, lp, group), in its norm",
            "float",
            "the norm of what exceeds three noise levels (8 grey levels at least)",
            unit="grey levels (sum)",
            automatic="from the data",
            above=0,
        ),
    )
    delta: float | None = option(
        None,
        Spec(
            "δ of the ℓp ball of the foreground, p = 1 + δ",
            "float",
            "the middle of the paper's table; masks are those of the ℓ1 ball",
            automatic="0.2",
            above=0,
            maximum=1,
        ),
    )
    lambda1: float | None = option(
        None,
        Spec(
            "λ1 of the elastic net: what deviates by less is no foreground",
            "float",
            "three noise levels (8 grey levels at least)",
            unit="grey levels",
            automatic="from the noise",
            minimum=0,
        ),
    )
    lambda2: float | None = option(
        None,
        Spec(
            "λ2 of the elastic net: the foreground is divided by 1 + 2·λ2",
            "float",
            "strong convexity 0.1 for a tenth of the foreground",
            automatic="0.05",
            above=0,
        ),
    )
    rank: int | None = option(
        None,
        Spec(
            "components of the background beyond its centre",
            "int",
            "only components that explain the picture as a whole (light, sway) are kept",
            automatic="from the data",
            minimum=0,
            maximum=64,
        ),
    )
    columns: int | None = option(
        None,
        Spec(
            "frames of a segment that the background is fitted on",
            "int",
            "at most 50, fewer for large pictures so that the fit stays small in memory",
            unit="frames",
            automatic="from the picture's size",
            minimum=3,
        ),
    )
    segment: Position = option(
        Position(frame=3000),
        Spec(
            "length of the pieces that get a background of their own; 0 is the whole video",
            "position",
            "two minutes at 25 frames/s: long enough to see the ground behind a slow walker",
            unit="frames (from 0), seconds or time",
        ),
    )
    centre: str = option(
        "median",
        Spec(
            "what the low-rank ball is centred at: the temporal median, or nothing (the paper's form)",
            "choice",
            "a centred ball is 10 to 100 times smaller, so that a dozen iterations are enough",
            choices=CENTRES,
        ),
    )
    stabilise: str = option(
        "auto",
        Spec(
            "bring the frames of a camera that shakes onto each other; affine: shift, turn and scale",
            "choice",
            "auto: only where a motion explains what the frames differ by; results are in the frames' own places",
            choices=STABILISE,
        ),
    )
    threshold: float | None = option(
        None,
        Spec(
            "difference from the background that counts as foreground",
            "float",
            "25, in dynamic background twice what smoothed pictures ordinarily deviate there; see --sensitivity",
            unit="grey levels",
            automatic="from the noise",
            above=0,
            maximum=255,
        ),
    )
    sensitivity: float = option(
        1.0,
        Spec(
            "what the automatic threshold is divided by: above 1 finds more, below 1 less",
            "float",
            "the threshold follows the noise of the scene, so that 1 means the same everywhere",
            minimum=0.1,
            maximum=10,
        ),
    )
    shadows: str = option(
        "drop",
        Spec(
            "cast shadows, on ground with texture: part of the object, dropped, or marked by grey level 127",
            "choice",
            "a shadow is no object; only what is certain is dropped, and a deep shadow looks like a dark thing",
            choices=SHADOWS,
        ),
    )
    background: str | None = option(
        None,
        Spec(
            "the empty scene, to be given where it is never seen, in any size and light",
            "file",
            "found in the footage itself, where it is seen; what never moves can only be told if it is given",
            unit="a picture, a video or folder to find it in, or a saved model",
            optional=True,
        ),
    )
    model: str | None = option(
        None,
        Spec(
            "a saved model, to be held against all of the footage: nothing is fitted",
            "file",
            "fitted on the footage itself",
            unit="a file that --save-model or BackgroundModel.save wrote",
            optional=True,
        ),
    )
    save_model: str | None = option(
        None,
        Spec(
            "write the model of the longest segment, for --model",
            "file",
            "most footage is looked at once",
            unit="an .npz file",
            optional=True,
        ),
    )
    min_event: Fraction = option(
        Fraction(1, 2),
        Spec(
            "what is seen for less is no object and no event",
            "seconds",
            "shorter than anybody crosses a picture, longer than noise stays together",
            unit="seconds, or a time",
            minimum=0,
        ),
    )
    merge_gap: Fraction = option(
        Fraction(2),
        Spec(
            "events that are no farther apart are one",
            "seconds",
            "whoever passes behind a tree is one visitor",
            unit="seconds, or a time",
            minimum=0,
        ),
    )
    zone: tuple[str, ...] | None = option(
        None,
        Spec(
            "a part of the picture to tell entries, exits and stays of: NAME=x,y,width,height, NAME='x,y x,y x,y', "
            "NAME=@FILE; may be given several times",
            "zones",
            "none",
            unit="pixels of the input",
            optional=True,
        ),
    )
    burn: tuple[str, ...] | None = option(
        None,
        Spec(
            "what to write into the overlay, and so into clips: time (of day, if the file says when it was recorded), "
            "numbers (of tracks)",
            "names",
            "nothing: the overlay shows what is in the mask",
            choices=("time", "numbers"),
            optional=True,
        ),
    )
    pad: Fraction = option(
        Fraction(1),
        Spec(
            "what clips show before and after an event",
            "seconds",
            "time to see where it comes from",
            unit="seconds, or a time",
            minimum=0,
        ),
    )
    min_area: int | None = option(
        None,
        Spec(
            "smallest foreground object that is kept; 0 keeps all",
            "int",
            "1/10,000 of the picture (or region); enclosed holes below it are filled",
            unit="pixels",
            automatic="from the picture's size",
            minimum=0,
        ),
    )
    gray: bool = option(
        False,
        Spec(
            "work on gray pictures: a third of the memory, slightly worse masks",
            "flag",
            "colour is worth about .03 of F",
        ),
    )
    scale: float = option(
        1.0,
        Spec(
            "work (and write) at this fraction of the width and height",
            "float",
            "the footage as it is",
            above=0,
            maximum=1,
        ),
    )
    roi: tuple[str, ...] | None = option(
        None,
        Spec(
            "only look inside: x,y,width,height, a polygon 'x,y x,y x,y', or what is not black in a picture @FILE; "
            "may be given several times",
            "areas",
            "the whole picture",
            unit="pixels of the input",
            optional=True,
        ),
    )
    exclude: tuple[str, ...] | None = option(
        None,
        Spec(
            "never look inside, whatever --roi says: areas of the same kinds; may be given several times",
            "areas",
            "nothing; a flag, a screen or a clock in the picture is worth leaving out",
            unit="pixels of the input",
            optional=True,
        ),
    )
    start: Position | None = _place("first frame to use", "the beginning")
    end: Position | None = _place("stop before this frame", "the end")
    duration: Position | None = option(
        None,
        Spec(
            "how much to use from the start on, in place of --end; how much to record of a live input",
            "position",
            "all of it; a camera never ends by itself",
            unit="frames, seconds or time",
            optional=True,
        ),
    )
    every: int = option(1, Spec("use every N-th frame", "int", "all frames", unit="frames", minimum=1))
    fps: Fraction | None = option(
        None,
        Spec(
            "rate of pictures and arrays, which have no time stamps, such as 12.5 or 30000/1001",
            "rate",
            "what a TIFF has noted, else 25, and the run says so; a video has time stamps of its own",
            unit="frames/s",
            automatic="25",
            minimum=0.01,
            maximum=1000,
        ),
    )
    range: tuple[float, float] | None = option(
        None,
        Spec(
            "the values of pictures and arrays that become grey levels 0 and 255, such as 0,4095; others are cut off",
            "range",
            "8-bit values are grey levels; others are stretched from what 16 of the pictures use, with some room",
            unit="stored values",
            automatic="from the pictures",
        ),
    )
    rotate: int = option(
        0,
        Spec(
            "turn the pictures, beyond what the file says itself; areas are those of the turned picture",
            "angle",
            "cameras mostly know which way is up",
            unit="degrees clockwise: 0, 90, 180 or 270",
        ),
    )
    deinterlace: str = option(
        "auto",
        Spec(
            "interpolate every other line, where these were taken a moment later; one frame stays one frame",
            "choice",
            "auto: frames that the video itself calls interlaced; combed edges would count as movement",
            choices=DEINTERLACE,
        ),
    )
    stream: int | None = option(
        None,
        Spec(
            "video stream to read, of a file that has several, counted from 1",
            "int",
            "the one with most in it, as FFmpeg judges",
            automatic="the best",
            minimum=1,
        ),
    )
    max_pixels: int = option(
        256_000_000,
        Spec(
            "largest picture that is read: of a video, a file of pictures, a mask or a background",
            "int",
            "a file of a few bytes can claim a picture that fills the memory",
            unit="pixels",
            minimum=1,
        ),
    )
    seed: int = option(
        0,
        Spec(
            "seed of the random choices (rows sampled)",
            "int",
            "masks and backgrounds repeat exactly",
            minimum=0,
        ),
    )
    threads: int | None = option(
        None,
        Spec(
            "threads to compute and encode with; masks and backgrounds do not depend on it, the loss of mp4 files does",
            "int",
            "the processors this process may use",
            automatic="all processors",
            minimum=1,
            maximum=256,
        ),
    )
    memory: int | None = option(
        None,
        Spec(
            "most memory of the whole process, such as 1.5G, 800M or 2GiB",
            "size",
            "columns, then threads, then the scale are reduced to stay below, and the run says so",
            unit="bytes",
            automatic="half of what is free, at most 4 GB",
            above=0,
        ),
    )

    @property
    def thread_count(self) -> int:
        """Threads to compute with: as asked for, else the processors that this process may use."""
        return self.threads or processors()

    def __post_init__(self) -> None:
        for item in fields(self):
            value = _read(item.name, getattr(self, item.name), spec_of(item))
            check_value(flag(item.name), value, spec_of(item))
            object.__setattr__(self, item.name, value)
        check_places(self.segment, self.start, self.end, self.duration)
        check_codec(self.codec, self.crf, self.preset)
        check_areas("--roi", self.roi)
        check_areas("--exclude", self.exclude)
        check_zones("--zone", self.zone)
        if why := refusal(self.method, self.low_rank):
            raise OptionError(why)


def spec_of(item: Field[Any]) -> Spec:
    """Return what the table says of one field of :class:`Options`."""
    spec = item.metadata["spec"]
    assert isinstance(spec, Spec)
    return spec


def flag(name: str) -> str:
    """Return the command-line flag (and, without its dashes, the TOML key) of a field."""
    return "--" + name.replace("_", "-")


def _read(name: str, value: Any, spec: Spec) -> Any:
    if value is None and (spec.automatic or spec.optional):
        return None
    try:
        return read(spec.kind, value)
    except (ValueError, TypeError) as error:
        raise UsageError(f"{flag(name)}: cannot read {unreadable(value, error)}") from None
