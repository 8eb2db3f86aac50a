"""How well visits are found, and animals followed: two long made-up scenes of which everything is known."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import bgsub

DEMOS = Path(__file__).resolve().parent.parent / "demos"
SLACK = 0.5
"""Seconds by which start and end of an event may be off."""
APART = 2.0
"""Seconds without anybody that part two visits."""
NEAR = 0.75
"""Body lengths within which a track is the animal's."""

Frames = Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]]


@dataclass(frozen=True, slots=True)
class Visits:
    """Events against visits: how many are found with both ends within SLACK, found at all, missed, and false."""

    visits: int
    exact: int
    found: int
    false: int
    objects: int
    share: float


@dataclass(frozen=True, slots=True)
class Animals:
    """Tracks against animals: share of the frames in which each is followed, error in pixels, switches of identity."""

    followed: float
    error: float
    worst: float
    switches: int
    tracks: int


def visits(seed: int, seconds: int, folder: Path) -> Visits:
    """Make the scene of visits, separate it, and compare."""
    scenes = _scenes()
    scene = scenes.visits.take(seed, seconds=seconds)
    there: list[bool] = []
    path = folder / f"visits{seed}.mkv"
    _write(
        path,
        scenes.visits.roll(scene),
        scenes.visits.FPS,
        scene.frames,
        lambda labels: there.append(bool((labels == 255).any())),
    )
    began = time.perf_counter()
    result = bgsub.separate(path, folder / f"visits{seed}", bgsub.Options(outputs=("events", "tracks")))
    whole = time.perf_counter() - began
    truth = _spans(there, scenes.visits.FPS)
    events = [(float(event.first.time), float(event.last.time)) for event in result.log.events]
    exact = found = 0
    used: set[int] = set()
    for start, end in truth:
        met = [k for k, (first, last) in enumerate(events) if first <= end and last >= start]
        used |= set(met)
        found += bool(met)
        exact += (
            len(met) == 1
            and abs(events[met[0]][0] - start) <= SLACK
            and abs(events[met[0]][1] - end) <= SLACK
        )
    share = result.report["seconds"]["events"] / whole
    return Visits(len(truth), exact, found, len(events) - len(used), len(result.log.tracks), share)


def animals(seed: int, seconds: int, folder: Path) -> Animals:
    """Make the scene of animals, separate it, and compare."""
    scenes = _scenes()
    scene = scenes.animals.take(seed, seconds=seconds)
    path = folder / f"animals{seed}.mkv"
    _write(path, scenes.animals.roll(scene), scenes.animals.FPS, scene.frames, lambda labels: None)
    result = bgsub.separate(path, folder / f"animals{seed}", bgsub.Options(outputs=("tracks",)))
    rows = np.genfromtxt(result.outputs["tracks"], delimiter=",", names=True)
    return judge(rows, scenes.animals.centroids(scene), scenes.animals.SCALE * scene.unit)


def judge(rows: Any, truth: NDArray[np.float64], length: float) -> Animals:
    """Compare a table of tracks with ``(frames, animals, 2)`` centroids of animals of so many pixels.

    As CLEAR MOT does (Bernardin and Stiefelhagen 2008): an animal keeps its track as long as that is within NEAR body
    lengths, the others are assigned by least distance, and an animal that gets another track than before is a switch.
    """
    by_frame: dict[int, dict[int, NDArray[np.float64]]] = {}
    for row in rows:
        by_frame.setdefault(int(row["frame"]), {})[int(row["track"])] = np.array([row["cx"], row["cy"]])
    errors: list[float] = []
    belongs: dict[int, int] = {}
    switches = 0
    for t, places in enumerate(truth):
        pairs = _paired(places, by_frame.get(t + 1, {}), belongs, NEAR * length)
        for animal, (track, error) in pairs.items():
            errors.append(error)
            switches += belongs.get(animal, track) != track
            belongs[animal] = track
    share = len(errors) / truth[..., 0].size
    tracks = len({track for seen in by_frame.values() for track in seen})
    return Animals(share, float(np.mean(errors)), float(np.quantile(errors, 0.99)), switches, tracks)


def _paired(
    places: NDArray[np.float64], seen: dict[int, NDArray[np.float64]], belongs: dict[int, int], reach: float
) -> dict[int, tuple[int, float]]:
    apart = {
        (animal, track): float(np.hypot(*(place - there)))
        for animal, place in enumerate(places)
        for track, there in seen.items()
    }
    pairs: dict[int, tuple[int, float]] = {}
    order = sorted(apart, key=lambda pair: (belongs.get(pair[0]) != pair[1], apart[pair]))
    for animal, track in order:
        error = apart[animal, track]
        if error <= reach and animal not in pairs and track not in {other for other, _ in pairs.values()}:
            pairs[animal] = track, error
    return pairs


def _spans(there: list[bool], fps: int) -> list[tuple[float, float]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.array(there, int), [0]])))
    spans = [(first / fps, (end - 1) / fps) for first, end in zip(edges[::2], edges[1::2], strict=True)]
    joined = spans[:1]
    for start, end in spans[1:]:
        if start - joined[-1][1] <= APART:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined


def _write(
    path: Path, frames: Frames, fps: int, count: int, see: Callable[[NDArray[np.uint8]], object]
) -> None:
    import av

    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=fps, options={"crf": "20", "preset": "veryfast"})
        stream.pix_fmt = "yuv420p"
        for t, (frame, labels, _) in enumerate(tqdm(frames, path.stem, count, unit=" frames", leave=False)):
            see(labels)
            if not t:
                stream.height, stream.width = frame.shape[:2]
            picture = av.VideoFrame.from_ndarray(frame, format="rgb24")
            picture.pts, picture.time_base = t, Fraction(1, fps)
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))


def _scenes() -> Any:
    if str(DEMOS) not in sys.path:
        sys.path.insert(0, str(DEMOS))
    import scenes.animals
    import scenes.visits

    return scenes


def tables(seeds: list[int], seen: list[Visits], followed: list[Animals]) -> str:
    """Return both tables as Markdown."""
    lines = [
        "| visits, seed | visits | found | both ends within 0.5 s | false | objects | share of the time |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for seed, row in zip(seeds, seen, strict=True):
        lines.append(
            f"| {seed} | {row.visits} | {row.found} | {row.exact} | {row.false} | {row.objects} | {row.share:.1%} |"
        )
    lines += [
        "",
        "| animals, seed | followed | error, pixels | 99 % | switches of identity | tracks |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for seed, mice in zip(seeds, followed, strict=True):
        lines.append(
            f"| {seed} | {mice.followed:.1%} | {mice.error:.2f} | {mice.worst:.2f} | {mice.switches} | {mice.tracks} |"
        )
    return "\n".join(lines)


def measure(seeds: list[int], quick: bool) -> tuple[str, dict[str, Any]]:
    """Make and judge both scenes for each seed; return the tables, and the same as plain values."""
    with tempfile.TemporaryDirectory() as folder:
        seen = [visits(seed, 150 if quick else 600, Path(folder)) for seed in seeds]
        followed = [animals(seed, 20 if quick else 60, Path(folder)) for seed in seeds]
    content = {
        "schema": 1,
        "seeds": seeds,
        "visits": list(map(asdict, seen)),
        "animals": list(map(asdict, followed)),
    }
    return tables(seeds, seen, followed), content
