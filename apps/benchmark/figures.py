"""Measure the figures that the main job is held to, on the demo clip and on local footage.

    python apps/benchmark/figures.py [--data DIR] [--out DIR] [--json FILE]

DIR holds ``sequences/category/sequence/{input,groundtruth}`` (CDnet layout) and ``videos/surveillance``; what is absent
is left out. Every run is the installed program, as a user would start it, with default options.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

import bgsub
from bgsub.evaluation.cdnet import evaluate

# This script is also run as a file of its own.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmark.program import separate

ROOT = Path(__file__).resolve().parents[2]
SEQUENCES = {"baseline/highway": 0.92, "baseline/pedestrians": 0.92, "cameraJitter/traffic": 0.60}
"""F-measure that each must reach; other sequences are reported."""


def demo(work: Path) -> dict[str, Any]:
    """Score the demo clip against its exact masks and its exact background."""
    out = work / "demo"
    seconds, peak = separate(ROOT / "assets/demo.mp4", out)
    scores = evaluate(out, ROOT / "assets/demo_truth.mkv").counts
    truth = exact_backgrounds()
    in_file = [
        psnr(shown, exact) for shown, exact in zip(pictures(out / "background.mp4"), truth, strict=True)
    ]
    frames = bgsub.separate(ROOT / "assets/demo.mp4", options=bgsub.Options(outputs=("background",)))
    in_memory = [psnr(shown, exact) for shown, exact in zip(frames.layers["background"], truth, strict=True)]
    return {
        "f": scores.f_measure,
        "precision": scores.precision,
        "recall": scores.recall,
        "background_psnr_db": float(np.mean(in_file)),
        "background_psnr_db_worst_frame": float(np.min(in_file)),
        "background_psnr_db_before_encoding": float(np.mean(in_memory)),
        "seconds": seconds,
        "peak_mb": peak,
    }


def exact_backgrounds() -> list[np.ndarray]:
    """Return the demo's noise-free empty scene in the light of each frame, ``(height, width, 3)`` float."""
    sys.path.insert(0, str(ROOT / "apps/demos"))
    from scene.render import Scene

    light = json.loads((ROOT / "assets/demo_light.json").read_text())
    count = len(light["gain"])
    info = bgsub.open_source(ROOT / "assets/demo.mp4").info
    scene = Scene(light["seed"], count, info.width, info.height)
    return [np.asarray(scene.background(t), np.float64) for t in range(count)]


def psnr(shown: np.ndarray, exact: np.ndarray) -> float:
    """Return the peak signal-to-noise ratio in dB for a peak of 255."""
    return float(10 * np.log10(255**2 / np.mean((shown.astype(np.float64) - exact) ** 2)))


def pictures(path: Path) -> list[np.ndarray]:
    """Return the frames of a video as its readers see them."""
    return [frame.image for frame in bgsub.open_source(path)]


def sequences(data: Path, work: Path) -> dict[str, Any]:
    """Score every sequence that is there."""
    rows = {}
    for folder in sorted((data / "sequences").glob("*/*")):
        name = f"{folder.parent.name}/{folder.name}"
        out = work / name
        seconds, peak = separate(folder / "input", out, "--outputs", "mask")
        counts = evaluate(out, folder / "groundtruth").counts
        rows[name] = {
            "f": counts.f_measure,
            "precision": counts.precision,
            "recall": counts.recall,
            "must_reach": SEQUENCES.get(name),
            "seconds": seconds,
            "peak_mb": peak,
        }
        print(f"{name:28s} F {counts.f_measure:.3f}  must reach {SEQUENCES.get(name) or '-'}", flush=True)
    return rows


def surveillance(video: Path, work: Path) -> dict[str, Any]:
    """Run the whole job on a real video and check what came out."""
    out = work / video.stem
    seconds, peak = separate(video, out)
    stamps = times(video)
    files = ["background.mp4", "foreground.mp4", "overlay.mp4", "mask.mkv"]
    values: set[int] = set()
    with av.open(str(out / "mask.mkv")) as container:
        for frame in container.decode(video=0):
            values |= set(np.unique(frame.to_ndarray()).tolist())
    return {
        "frames": {name: len(times(out / name)) for name in files},
        "same_time_stamps": all(times(out / name) == stamps for name in files),
        "mask_values": sorted(values),
        "peak_mb": peak,
        "seconds": seconds,
        "frames_per_s": len(stamps) / seconds,
    }


def times(path: Path) -> list[Fraction]:
    """Return the time stamps of all frames of a video, seconds."""
    with av.open(str(path)) as container:
        return [Fraction(frame.pts) * frame.time_base for frame in container.decode(video=0)]


def main() -> None:
    """Measure, print, and write JSON where asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--out", type=Path, help="keep the results here (default: a temporary folder)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.out or Path(temporary)
        figures: dict[str, Any] = {"demo": demo(work)}
        print(json.dumps(figures["demo"], indent=2), flush=True)
        figures["sequences"] = sequences(arguments.data, work)
        video = arguments.data / "videos/surveillance/vtest.avi"
        if video.exists():
            figures["vtest"] = surveillance(video, work)
            print(json.dumps(figures["vtest"], indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
