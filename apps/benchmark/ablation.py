"""What each stage contributes: F on every sequence with all of them, and with one at a time left out."""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any

from tqdm import tqdm

import bgsub
from benchmark.ablation_stages import STAGES, First, Stage
from benchmark.machine import surroundings
from benchmark.names import ABLATIONS

DEMOS = Path(__file__).resolve().parents[1] / "demos"
README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- ablation: begin -->", "<!-- ablation: end -->"
SCHEMA = 1
MEMORY = 4_000_000_000
"""Bytes: the most that the automatic choice takes, so that columns do not depend on what else runs."""
QUICK = ("standing_person", "waving_trees")
GROUPS = {"dataset": "sequences", "made-up": "made-up scenes"}

Scores = dict[str, dict[str, dict[str, float]]]
"""F by stage, group and sequence."""


@dataclass(frozen=True, slots=True)
class Scenes:
    """Which made-up scenes, and how they are made; no names for all of them."""

    names: tuple[str, ...] = ()
    frames: int = 120
    width: int = 192
    seed: int = 1


QUICK_SCENES = Scenes(QUICK, frames=48, width=96)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A folder with ``input`` and ``groundtruth``."""

    group: str
    name: str
    folder: Path


def find_sequences(dataset: Path) -> list[Sequence]:
    """Return the sequences of a tree in CDnet's layout, ``category/sequence/{input,groundtruth}``, in order."""
    folders = sorted(place.parent for place in dataset.glob("*/*/input"))
    return [
        Sequence("dataset", f"{folder.parent.name}/{folder.name}", folder)
        for folder in folders
        if (folder / "groundtruth").is_dir()
    ]


def make_scenes(wanted: Scenes, out: Path) -> list[Sequence]:
    """Make scenes of ``apps/demos``, in CDnet's layout below *out*."""
    if str(DEMOS) not in sys.path:
        sys.path.insert(0, str(DEMOS))
    # Programs of another folder, with a path of their own.
    program, table, clip = map(import_module, ("make_scenes", "scenes.table", "scenes.clip"))
    take = clip.Take(wanted.seed, wanted.frames, wanted.width)
    return [
        Sequence("made-up", name, program.write_cdnet(name, table.SCENES[name](take), out))
        for name in wanted.names or table.SCENES
    ]


def measure(sequences: list[Sequence], threads: int) -> Scores:
    """Return F of every stage left out, on every sequence."""
    found: Scores = {stage.name: {} for stage in STAGES}
    with tqdm(total=len(STAGES) * len(sequences), unit=" runs") as bar:
        for sequence in sequences:
            first = First()
            for stage in STAGES:
                bar.set_description(f"{sequence.name}, {stage.name}")
                if first.models and stage.same(first) and not stage.masks:
                    f = found[STAGES[0].name][sequence.group][sequence.name]
                else:
                    with stage.left_out(), _background(stage, first):
                        f = f_measure(sequence, stage, threads)
                found[stage.name].setdefault(sequence.group, {})[sequence.name] = f
                bar.update()
    return found


def _background(stage: Stage, first: First) -> AbstractContextManager[None]:
    """Note what the first run does; later ones take its background where theirs would be the same."""
    if not first.models:
        return first.noted()
    return first.kept(stage.options.get("threshold")) if stage.same(first) else nullcontext()


def f_measure(sequence: Sequence, stage: Stage, threads: int) -> float:
    """Return F, pooled over a sequence, with the options of a stage."""
    options = bgsub.Options(outputs=("mask",), threads=threads, memory=MEMORY, **stage.options)
    with tempfile.TemporaryDirectory(prefix="ablation-") as out:
        bgsub.separate(sequence.folder / "input", out, options)
        return bgsub.evaluate(out, sequence.folder / "groundtruth").counts.f_measure


def report(scores: Scores, scenes: Scenes) -> dict[str, Any]:
    """Return everything as plain values, ready for JSON (``schema`` 1)."""
    first = scores[STAGES[0].name]
    means = {
        name: {group: fmean(each.values()) for group, each in groups.items()}
        for name, groups in scores.items()
    }
    stages = [
        {
            "name": stage.name,
            "what": ABLATIONS[stage.name],
            "f": scores[stage.name],
            "mean": means[stage.name],
            "difference": {group: means[stage.name][group] - means[STAGES[0].name][group] for group in first},
        }
        for stage in STAGES
    ]
    sequences = {group: list(each) for group, each in first.items()}
    about = {"surroundings": surroundings(), "made_up": {**asdict(scenes), "names": sequences["made-up"]}}
    return {"schema": SCHEMA, **about, "sequences": sequences, "stages": stages}


def tables(content: dict[str, Any]) -> str:
    """Return a Markdown table for each group of sequences: F, the mean, and the mean less that of the first row."""
    return "\n".join(_table(content, group) for group in content["sequences"])


def _table(content: dict[str, Any], group: str) -> str:
    names = content["sequences"][group]
    made = content["made_up"]
    size = f", {made['frames']} frames of {made['width']} × {made['width'] * 3 // 4}"
    title = f"{len(names)} {GROUPS[group]} ({', '.join(names)}){size if group == 'made-up' else ''}:\n\n"
    heads = [name.rpartition("/")[2].replace("_", " ") for name in names]
    lines = [["", *heads, "mean", "difference"], ["---", *["---:"] * (len(names) + 2)]]
    for stage in content["stages"]:
        own = [_share(stage["f"][group][name]) for name in names]
        changed = _signed(stage["difference"][group])
        is_first = stage is content["stages"][0]
        mean = _share(stage["mean"][group])
        lines.append([stage["what"], *own, mean, "" if is_first else changed])
    return title + "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def _signed(value: float) -> str:
    sign = "" if round(value, 3) == 0 else "+" if value > 0 else "−"
    return sign + _share(abs(value))


def updated(page: str, table: str) -> str:
    """Return *page* with the table between the two markers; ValueError when they are not there, in order."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page has no '{BEGIN}' followed by '{END}'")
    return f"{before}{BEGIN}\n{table}{END}{after}"


def write_all(content: dict[str, Any], out: Path, readme: bool) -> list[Path]:
    """Write JSON and Markdown into *out*, and with *readme* the tables into the page of the benchmarks."""
    files = [out / "ablation.json", out / "ablation.md"]
    files[0].write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    files[1].write_text(tables(content), encoding="utf-8")
    if readme:
        page = README.read_text(encoding="utf-8")
        README.write_text(updated(page, tables(content)), encoding="utf-8")
        files.append(README)
    return files


def ablation(dataset: Path | None, scenes: Scenes, threads: int) -> dict[str, Any]:
    """Measure on a data set, if there is one, and on made-up scenes; return the report."""
    given = [] if dataset is None else find_sequences(dataset)
    with tempfile.TemporaryDirectory(prefix="scenes-") as folder:
        scores = measure([*given, *make_scenes(scenes, Path(folder))], threads)
    return report(scores, scenes)
