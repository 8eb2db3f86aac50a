"""What each stage contributes: F on every sequence with all of them, and with one at a time left out."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmark.ablation_stages import STAGES
from benchmark.machine import surroundings
from benchmark.markdown import share, signed, table
from benchmark.names import ABLATIONS
from benchmark.processes import each
from benchmark.separated import layers, pooled
from benchmark.sequences import cost, load, mean_of_scenes
from bgsub.comparison.dataset import Sequence as SequenceFolder

DEMOS = Path(__file__).resolve().parents[1] / "demos"
README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- ablation: begin -->", "<!-- ablation: end -->"
SCHEMA = 2
QUICK = ("standing_person", "waving_trees")
MADE_UP = "demos"
"""Category of the made-up scenes."""
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


def make_scenes(wanted: Scenes, out: Path) -> list[SequenceFolder]:
    """Make scenes of ``apps/demos``, in CDnet's layout below *out*."""
    if str(DEMOS) not in sys.path:
        sys.path.insert(0, str(DEMOS))
    # Programs of another folder, with a path of their own.
    program, scenes, clip = map(import_module, ("make_scenes", "scenes.table", "scenes.clip"))
    take = clip.Take(wanted.seed, wanted.frames, wanted.width)
    return [
        SequenceFolder(MADE_UP, name, program.write_cdnet(name, scenes.SCENES[name](take), out))
        for name in wanted.names or scenes.SCENES
    ]


def measure(sequences: Sequence[SequenceFolder], processes: int) -> Scores:
    """Return F of every stage left out, on every sequence, in processes of their own."""
    longest_first = sorted(sequences, key=lambda sequence: -cost(sequence.folder))
    by_label = dict(
        zip(
            (sequence.label for sequence in longest_first),
            each(without_each, longest_first, processes),
            strict=True,
        )
    )
    found: Scores = {stage.name: {} for stage in STAGES}
    for sequence in sequences:
        group = "made-up" if sequence.category == MADE_UP else "dataset"
        for name, f in by_label[sequence.label].items():
            found[name].setdefault(group, {})[sequence.label] = f
    return found


def without_each(sequence: SequenceFolder) -> dict[str, float]:
    """Return F of a sequence, pooled over its scored frames, without each stage."""
    clip, found = load(sequence.folder), {}
    for stage in STAGES:
        with stage.left_out():
            found[stage.name] = pooled(clip, layers(clip, **stage.options)["mask"]).f_measure
    return found


def report(scores: Scores, scenes: Scenes) -> dict[str, Any]:
    """Return everything as plain values, ready for JSON (``schema`` 1)."""
    first = scores[STAGES[0].name]
    means = {
        name: {group: mean_of_scenes(f) for group, f in groups.items()} for name, groups in scores.items()
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
    sequences = {group: list(f) for group, f in first.items()}
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
    lines = []
    for stage in content["stages"]:
        own = [share(stage["f"][group][name]) for name in names]
        changed = signed(stage["difference"][group])
        is_first = stage is content["stages"][0]
        lines.append([stage["what"], *own, share(stage["mean"][group]), "" if is_first else changed])
    return title + table(["", *heads, "mean", "difference"], lines)


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


def ablation(sequences: Sequence[SequenceFolder], scenes: Scenes, processes: int) -> dict[str, Any]:
    """Measure on these sequences, if there are any, and on made-up scenes; return the report."""
    with tempfile.TemporaryDirectory(prefix="scenes-") as folder:
        scores = measure([*sequences, *make_scenes(scenes, Path(folder))], processes)
    return report(scores, scenes)
