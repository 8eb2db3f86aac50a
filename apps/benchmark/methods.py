"""Put one clip through every method and every pair of terms: a table of numbers, and a picture.

    python apps/benchmark/methods.py --out DIR [--data DIR] [--picture FILE] [--table PAGE] [--only TEXT] …

``DIR/methods.json`` and ``DIR/methods.md`` hold seconds, iterations, status, certified gap and F on the demo clip, and
F on the first 200 frames of CDnet's baseline/highway where ``--data`` has it (CDnet layout). Each finished run leaves
``DIR/runs/*/*.json``, and a second call goes on where the first was ended.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import bgsub
from bgsub.background.split.split import split
from bgsub.frames.sample import sample_segments
from bgsub.options.choices import LOW_RANK, METHODS, SPARSE, refusal
from bgsub.run.budget import make_plan
from bgsub.run.reading import grid_for, select_frames
from bgsub.version import __version__

ROOT = Path(__file__).resolve().parents[2]
CLIP, TRUTH = ROOT / "assets/demo.mp4", ROOT / "assets/demo_truth.mkv"
HIGHWAY = "sequences/baseline/highway"
FRAME = 120
"""The frame in the picture."""
SHOWN = [
    *((method, "nuclear", "l1") for method in METHODS),
    *(("alt-pgcg", "nuclear", sparse) for sparse in SPARSE[1:]),
    *(("alt-pgpg", "nuclear-penalty", sparse) for sparse in SPARSE[:3]),
]
"""The runs in the picture: every method, every term of the foreground, the penalty of the background."""
FISTA_COLUMNS = 40
"""Frames that FISTA is fitted on: its full decompositions of all 150 would take minutes a run."""
COLUMNS, WIDTH, GAP, CAPTION = 2, 208, 8, 26

BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"

Choice = tuple[str, str, str]
Picture = NDArray[np.uint8]


def choices() -> Iterator[Choice]:
    """Yield (method, low-rank term, sparse term), all that can run."""
    yield "auto", "nuclear", "l1"
    for low_rank, sparse, method in product(LOW_RANK, SPARSE, METHODS[1:]):
        if not refusal(method, low_rank):
            yield method, low_rank, sparse


def options_of(choice: Choice, limits: dict[str, Any]) -> bgsub.Options:
    """Return the options of a run."""
    method, low_rank, sparse = choice
    if method == "fista":
        limits = {"columns": FISTA_COLUMNS, **limits}
    return bgsub.Options(
        method=method, low_rank=low_rank, sparse=sparse, outputs=("background", "mask"), **limits
    )


def run(choice: Choice, target: Path, truth: Path, work: Path, **limits: Any) -> dict[str, Any]:
    """Separate *target*, score its masks, and return the row; background and mask of FRAME are kept in *work*."""
    method, low_rank, sparse = choice
    options = options_of(choice, limits)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        result = bgsub.separate(target, folder, options)
        seconds = time.perf_counter() - began
        scores = bgsub.evaluate(folder, truth).counts if options.scale == 1 else None
        for name, file in (("background", "background.mp4"), ("mask", "mask.mkv")):
            frames = [frame.image for frame in bgsub.open_source(Path(folder, file))]
            save(work / f"{'_'.join(choice)}_{name}.png", frames[min(FRAME, len(frames) - 1)])
    fit = result.model.report
    return {
        "method": method,
        "low_rank": low_rank,
        "sparse": sparse,
        "seconds": fit.seconds,
        "seconds_in_all": seconds,
        "columns": fit.columns,
        "iterations": fit.iterations,
        "status": fit.status,
        "objective": fit.objective / fit.initial_objective,
        "gap": fit.gap / fit.initial_objective,
        "rank": fit.rank,
        "f": None if scores is None else scores.f_measure,
    }


def rows(out: Path, data: Path, wanted: list[Choice], limits: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the choices *wanted*, those of earlier calls read back."""
    clips = {"demo": (CLIP, TRUTH, limits)}
    if (data / HIGHWAY).is_dir():
        clips["highway"] = (data / HIGHWAY / "input", data / HIGHWAY / "groundtruth", {**limits, "end": 200})
    found = []
    for choice in tqdm(wanted, unit=" choices"):
        row: dict[str, Any] = {}
        for name, (target, truth, given) in clips.items():
            work = out / "runs" / name
            work.mkdir(parents=True, exist_ok=True)
            file = work / f"{'_'.join(choice)}.json"
            key = {"version": __version__, "limits": given}
            kept = json.loads(file.read_text()) if file.exists() else {}
            if kept.get("key") != key:
                kept = {"key": key, "row": run(choice, target, truth, work, **given)}
                file.write_text(json.dumps(kept))
            row |= kept["row"] if name == "demo" else {f"{name}_f": kept["row"]["f"]}
        found.append(row)
    return found


def table(found: list[dict[str, Any]]) -> str:
    """Return the rows as a Markdown table."""
    lines = [list(CELLS), ["---"] * 3 + ["---:"] * 3 + ["---"] + ["---:"] * 5]
    lines += [[form(row) for form in CELLS.values()] for row in found]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def updated(text: str, found: list[dict[str, Any]]) -> str:
    """Return *text* with the table between the two markers; ValueError when they are not there, in order."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the text has no '{BEGIN}' followed by '{END}'")
    return f"{before}{BEGIN}\n{table(found)}{END}{after}"


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


CELLS: dict[str, Callable[[dict[str, Any]], str]] = {
    "`--method`": lambda row: row["method"],
    "`--low-rank`": lambda row: row["low_rank"],
    "`--sparse`": lambda row: row["sparse"],
    "columns": lambda row: f"{row['columns']}",
    "fit, s": lambda row: f"{row['seconds']:.1f}",
    "iterations": lambda row: f"{row['iterations']}",
    "status": lambda row: row["status"],
    "f / f₀": lambda row: f"{row['objective']:.4f}",
    "gap / f₀": lambda row: f"{row['gap']:.4f}",
    "rank": lambda row: f"{row['rank']}",
    "F demo": lambda row: _score(row["f"]),
    "F highway": lambda row: _score(row.get("highway_f")),
}


def foreground(choice: Choice, limits: dict[str, Any]) -> Picture:
    """Return |Y| as it was solved, at the sampled frame nearest to FRAME: twice the channel maximum, uint8."""
    options = options_of(choice, limits)
    source = bgsub.open_source(CLIP)
    grid, selection = grid_for(source.info, options), select_frames(source, options)
    plan = make_plan(grid, options, selection.expected, selection.rate)
    (sample,) = sample_segments(selection, grid, plan.capacity, selection.expected, options.segment)
    shown = next(frame for frame in source if frame.index == FRAME)
    frames = sample.matrix.frames
    nearest = int(np.argmin(np.abs(frames - grid.gather(shown.image).astype(np.float32)).sum(axis=1)))
    sparse = split(frames, grid.channels, options).solution.foreground(frames, nearest)
    moduli = np.abs(sparse).reshape(*grid.shape, grid.channels).max(axis=2)
    return np.minimum(2 * moduli, 255).astype(np.uint8)


def save(path: Path, image: Picture) -> None:
    """Write an RGB or gray picture as PNG."""
    stored = image[..., ::-1] if image.ndim == 3 else image
    _, data = cv2.imencode(".png", np.ascontiguousarray(stored), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    data.tofile(path)


def picture(work: Path, limits: dict[str, Any]) -> Picture:
    """Return background, foreground and mask of FRAME for every choice in SHOWN that was run, RGB."""
    shown = [choice for choice in SHOWN if (work / f"{'_'.join(choice)}_mask.png").exists()]
    for choice in tqdm(shown, desc="picture", unit=" choices"):
        file = work / f"{'_'.join(choice)}_foreground.png"
        if not file.exists():
            save(file, foreground(choice, limits))
    tiles = [tile(work, choice) for choice in shown]
    while len(tiles) % COLUMNS:
        tiles.append(np.full_like(tiles[0], 255))
    lines = [np.hstack(tiles[k : k + COLUMNS]) for k in range(0, len(tiles), COLUMNS)]
    return np.vstack(lines)


def tile(work: Path, choice: Choice) -> Picture:
    """Return background, foreground and mask side by side under a caption."""
    parts = []
    for name in ("background", "foreground", "mask"):
        image = cv2.imread(str(work / f"{'_'.join(choice)}_{name}.png"))
        height = round(image.shape[0] * WIDTH / image.shape[1])
        # The largest value of a neighbourhood, so that single entries can be seen.
        image = cv2.dilate(image, np.ones((3, 3))) if name == "foreground" else image
        parts += [cv2.resize(image, (WIDTH, height), interpolation=cv2.INTER_AREA)[..., ::-1]]
        parts += [np.full((height, GAP // 2, 3), 255, np.uint8)]
    body = np.hstack(parts)
    strip = np.full((CAPTION, body.shape[1], 3), 255, np.uint8)
    place = (2, CAPTION - 8)
    cv2.putText(strip, ", ".join(choice), place, cv2.FONT_HERSHEY_DUPLEX, 0.5, (45, 45, 45), 1, cv2.LINE_AA)
    whole = np.vstack([strip, body])
    border = cv2.copyMakeBorder(whole, 0, GAP, 0, GAP, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    return np.asarray(border, np.uint8)


def main(argv: list[str] | None = None) -> int:
    """Run, and write table and picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for the results; runs found there are kept"
    )
    parser.add_argument(
        "--data", type=Path, default=ROOT.parent / "shared/data", help="local CDnet-layout footage"
    )
    parser.add_argument("--picture", type=Path, help="also write the picture to this file")
    parser.add_argument("--table", type=Path, help="also put the table into this page, between its markers")
    parser.add_argument(
        "--only", default="", help="only choices like 'alt-pgcg nuclear l1' that hold this text"
    )
    parser.add_argument("--without", default="", help="leave out choices that hold this text, such as fista")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="smaller pictures: a trial (F is then not measured)"
    )
    arguments = parser.parse_args(argv)
    arguments.out.mkdir(parents=True, exist_ok=True)
    limits = {} if arguments.scale == 1 else {"scale": arguments.scale}
    wanted = [choice for choice in choices() if arguments.only in " ".join(choice)]
    if arguments.without:
        wanted = [choice for choice in wanted if arguments.without not in " ".join(choice)]
    if not wanted:
        print(f"no choice holds '{arguments.only}'", file=sys.stderr)
        return 1
    found = rows(arguments.out, arguments.data, wanted, limits)
    (arguments.out / "methods.json").write_text(json.dumps(found, indent=2) + "\n")
    (arguments.out / "methods.md").write_text(table(found), encoding="utf-8")
    made = picture(arguments.out / "runs/demo", limits)
    for path in (arguments.out / "methods.png", arguments.picture):
        if path is not None:
            save(path, made)
    if arguments.table is not None:
        page = arguments.table.read_text(encoding="utf-8")
        arguments.table.write_text(updated(page, found), encoding="utf-8")
    print(table(found), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
