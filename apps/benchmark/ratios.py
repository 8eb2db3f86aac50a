"""The ratios that bgsub is held to, and what they must be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from benchmark.jobs import Plan

Row = dict[str, Any]

HELD_SIZES = ("320x240", "640x480")
HELD_FRAMES = 600
HELD_OBJECTIVES = ("160x130x200", "320x240x300")
"""Where the required values hold: 20,800 × 200 and 76,800 × 300 entries."""


@dataclass(frozen=True, slots=True)
class Held:
    """A ratio beside what is required of it.

    *place* is the size; *required* and *is_most* (rather than least) the bound, None where nothing is required;
    *at_least* says that the other system was stopped, so that the ratio is larger.
    """

    name: str
    place: str
    value: float
    required: float | None
    is_most: bool = False
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """``yes``, ``no``, ``not known`` (a bound that does not tell), or ``–`` where nothing is required."""
        if self.required is None:
            return "–"
        if self.is_most:
            return "yes" if self.value <= self.required else "no"
        if self.value >= self.required:
            return "yes"
        return "not known" if self.at_least else "no"


def held(plan: Plan, rows: list[Row]) -> list[Held]:
    """Return all ratios that the rows allow."""
    return [*_iteration(rows), *_masks(plan, rows), *_objectives(plan, rows)]


def ratios(found: list[Held]) -> dict[str, Any]:
    """Return them for JSON: of the masks by size; of the objectives the smallest, with those of each size beside it."""
    out: dict[str, Any] = {}
    for item in found:
        if item.name == "iteration_over_copy":
            out[item.name] = item.value
        elif item.name.endswith("_over_mog2"):
            out.setdefault(item.name, {})[item.place] = item.value
        else:
            out.setdefault(f"{item.name}_by_size", {})[item.place] = item.value
    for name in dict.fromkeys(item.name for item in found if f"{item.name}_by_size" in out):
        out[name] = min(out[f"{name}_by_size"].values())
    out["at_least"] = [f"{item.name} {item.place}" for item in found if item.at_least]
    return out


def _iteration(rows: list[Row]) -> Iterator[Held]:
    for row in _of(rows, stage="iteration"):
        place = _place(row)
        required = 12.0 if place == HELD_OBJECTIVES[-1] else None
        yield Held("iteration_over_copy", place, row["seconds"] / row["copy_seconds"], required, is_most=True)


def _masks(plan: Plan, rows: list[Row]) -> Iterator[Held]:
    for name, stage, required in (
        ("mask_fps_over_mog2", "mask", 1.5),
        ("fit_and_mask_fps_over_mog2", "fit+mask", 1.0),
    ):
        for size in plan.sizes:
            same = {"width": size[0], "height": size[1], "frames": plan.frames_of(size)}
            ours = _of(rows, system="bgsub", stage=stage, **same)
            theirs = _of(rows, system="mog2", stage="mask", **same)
            place = f"{size[0]}x{size[1]}"
            is_held = place in HELD_SIZES and (stage == "mask" or same["frames"] == HELD_FRAMES)
            for a, b in product(ours, theirs):
                value = a["frames_per_s"] / b["frames_per_s"]
                yield Held(name, place, value, required if is_held else None)


def _objectives(plan: Plan, rows: list[Row]) -> Iterator[Held]:
    """Yield what is required, to the objective alone; then to F alone, and to both, where that was looked at."""
    for system, required in (("alm", 20.0), ("tensorly", 100.0), ("sporco", None)):
        name = f"{system}_seconds_over_bgsub"
        for clip in plan.objectives:
            same = dict(zip(("width", "height", "frames"), clip, strict=True))
            ours = _of(rows, stage="objective", system="bgsub", **same)
            for row in _of(rows, stage="objective", system=system, **same):
                bound = required if _place(row) in HELD_OBJECTIVES else None
                yield _beside(name, row, row["seconds_to_objective"], ours[0], bound)
                if "seconds_to_f" in row:
                    yield _beside(f"{name}_by_f", row, row["seconds_to_f"], ours[0])
                both = None if row["at_least"] else row["seconds"]
                yield _beside(f"{name}_by_both", row, both, ours[0])


def _beside(name: str, row: Row, seconds: float | None, ours: Row, required: float | None = None) -> Held:
    """Return a peer's seconds over bgsub's; None is a peer that has not got there in all of its time."""
    value = (row["seconds"] if seconds is None else seconds) / ours["seconds"]
    return Held(name, _place(row), value, required, at_least=seconds is None)


def _of(rows: list[Row], **wanted: Any) -> list[Row]:
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def _place(row: Row) -> str:
    return f"{row['width']}x{row['height']}x{row['frames']}"
