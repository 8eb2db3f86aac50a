"""The one table of options: flags, TOML keys, Python arguments, README rows and ranges all come from here.

Each field of :class:`Options` carries its help, unit, range and the reason for its default. Nothing else in
the program decides what an option is called, what it may be, or what it is when nobody says.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from typing import Any

from bgsub.errors import OptionError, UsageError, nearest
from bgsub.kinds import read
from bgsub.position import Position
from bgsub.spec import Spec

PICTURES = ("background", "foreground", "mask", "overlay", "side-by-side")
OUTPUTS = (*PICTURES, *(f"{name}-png" for name in PICTURES), "plate")
METHODS = ("auto", "alt-pgcg", "alt-cgpg")
CENTRES = ("median", "none")


def _option(default: Any, spec: Spec) -> Any:
    return field(default=default, metadata={"spec": spec})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything a run can be told. ``None`` means: decide from the data, and say why.

    Raises
    ------
    OptionError
        When a value is out of its range; the message names the option, the value and the range.

    Examples
    --------
    >>> Options(threshold=30.0, gray=True).threshold
    30.0
    """

    outputs: tuple[str, ...] = _option(
        ("background", "foreground", "mask", "overlay", "plate"),
        Spec(
            "what to write; NAME-png writes a folder of PNG files, plate is background.png",
            "names",
            "the four videos people ask for and one picture",
            choices=OUTPUTS,
        ),
    )
    method: str = _option(
        "auto",
        Spec(
            "alternating method: which block takes the projected step",
            "choice",
            "the paper's rule: alt-pgcg when s is at least τ, alt-cgpg otherwise",
            choices=METHODS,
        ),
    )
    tau: float | None = _option(
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
    sparsity: float | None = _option(
        None,
        Spec(
            "radius s of the ℓ1 ball of the foreground",
            "float",
            "the ℓ1 norm of what exceeds three noise levels (8 grey levels at least)",
            unit="grey levels (sum)",
            automatic="from the data",
            above=0,
        ),
    )
    rank: int | None = _option(
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
    columns: int | None = _option(
        None,
        Spec(
            "frames of a segment that the background is fitted on",
            "int",
            "at most 150, fewer for large pictures so that the fit stays small in memory",
            unit="frames",
            automatic="from the picture's size",
            minimum=3,
        ),
    )
    segment: Position = _option(
        Position(frame=3000),
        Spec(
            "length of the pieces that get a background of their own; 0 is the whole video",
            "position",
            "two minutes at 25 frames/s: long enough to see the ground behind a slow walker",
            unit="frames (from 0), seconds or time",
        ),
    )
    centre: str = _option(
        "median",
        Spec(
            "what the low-rank ball is centred at: the temporal median, or nothing (the paper's form)",
            "choice",
            "a centred ball is 10 to 100 times smaller, so that a dozen iterations are enough",
            choices=CENTRES,
        ),
    )
    threshold: float | None = _option(
        None,
        Spec(
            "difference from the background that counts as foreground",
            "float",
            "25, and 3 more per grey level of flicker above 3, pixel by pixel",
            unit="grey levels",
            automatic="from the noise",
            above=0,
            maximum=255,
        ),
    )
    min_area: int | None = _option(
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
    gray: bool = _option(
        False,
        Spec(
            "work on gray pictures: a third of the memory, slightly worse masks",
            "flag",
            "colour is worth about .03 of F",
        ),
    )
    scale: float = _option(
        1.0,
        Spec(
            "work (and write) at this fraction of the width and height",
            "float",
            "the footage as it is",
            above=0,
            maximum=1,
        ),
    )
    roi: tuple[int, int, int, int] | None = _option(
        None,
        Spec(
            "only look inside this rectangle: x,y,width,height",
            "roi",
            "the whole picture",
            unit="pixels of the input",
            optional=True,
        ),
    )
    start: Position | None = _option(
        None,
        Spec(
            "first frame to use",
            "position",
            "the beginning",
            unit="frames (from 0), seconds or time",
            optional=True,
        ),
    )
    end: Position | None = _option(
        None,
        Spec(
            "stop before this frame",
            "position",
            "the end",
            unit="frames (from 0), seconds or time",
            optional=True,
        ),
    )
    every: int = _option(1, Spec("use every N-th frame", "int", "all frames", unit="frames", minimum=1))
    seed: int = _option(
        0, Spec("seed of the random choices (rows sampled)", "int", "runs repeat exactly", minimum=0)
    )
    threads: int | None = _option(
        None,
        Spec(
            "threads for the computation; masks and backgrounds do not depend on it",
            "int",
            "the processors this process may use",
            automatic="all processors",
            minimum=1,
            maximum=256,
        ),
    )

    def __post_init__(self) -> None:
        for item in fields(self):
            value = _read(item.name, getattr(self, item.name), spec_of(item))
            _check(item.name, value, spec_of(item))
            object.__setattr__(self, item.name, value)
        _check_segment(self.segment)
        if self.roi is not None:
            _check_roi(self.roi)
        if _is_after(self.start, self.end):
            raise OptionError(f"--start {self.start} is not before --end {self.end}")


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
        raise UsageError(f"{flag(name)}: cannot read {value!r}: {error}") from None


def _check(name: str, value: Any, spec: Spec) -> None:
    if value is None:
        return
    if spec.choices:
        values = value if isinstance(value, tuple) else (value,)
        for word in values:
            if word not in spec.choices:
                raise UsageError(f"{flag(name)}: no such choice '{word}'{_choices(word, spec)}")
        if not values:
            raise OptionError(f"{flag(name)} is empty; choose from {spec.range}")
    if isinstance(value, (int, float)) and not isinstance(value, bool) and not _inside(value, spec):
        unit = f" {spec.unit}" if spec.unit else ""
        raise OptionError(f"{flag(name)} is {value:g}, but must be {spec.range}{unit}")


def _choices(word: str, spec: Spec) -> str:
    return nearest(str(word), spec.choices) or f"; choose from {spec.range}"


def _inside(value: float, spec: Spec) -> bool:
    # Written so that NaN is never inside.
    low = spec.minimum is None or value >= spec.minimum
    low = low and (spec.above is None or value > spec.above)
    return low and (spec.maximum is None or value <= spec.maximum) and abs(value) < float("inf")


def _check_segment(segment: Position) -> None:
    if segment.frame in (1, 2):
        raise OptionError(f"--segment is {segment} frames, but must be 0 (the whole video) or at least 3")


def _check_roi(roi: tuple[int, int, int, int]) -> None:
    x, y, width, height = roi
    if x < 0 or y < 0 or width < 1 or height < 1:
        raise OptionError(f"--roi {x},{y},{width},{height} is empty or starts outside; give x,y,width,height")


def _is_after(start: Position | None, end: Position | None) -> bool:
    if start is None or end is None:
        return False
    if start.frame is not None and end.frame is not None:
        return start.frame >= end.frame
    if start.seconds is not None and end.seconds is not None:
        return start.seconds >= end.seconds
    return False
