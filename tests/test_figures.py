"""What the main job is held to: on the demo clip always, on local footage where it is."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

import bgsub

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def demo_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("demo") / "out"
    bgsub.separate(ROOT / "assets/demo.mp4", out)
    return out


@pytest.mark.slow
def test_masks_of_the_demo_clip_agree_with_the_exact_ones(demo_run: Path) -> None:
    assert bgsub.evaluate(demo_run, ROOT / "assets/demo_truth.mkv").counts.f_measure >= 0.95


@pytest.mark.slow
def test_the_fit_of_the_demo_clip_is_proven_to_be_solved(demo_run: Path) -> None:
    [fit] = json.loads((demo_run / "run.json").read_text())["segments"]
    assert fit["status"] == "converged"
    assert fit["gap"] <= 1e-3 * fit["initial_objective"]


@pytest.mark.slow
def test_the_written_background_of_the_demo_clip_is_close_to_the_exact_one(
    demo_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "apps/demos"))
    from scene.render import Scene

    light = json.loads((ROOT / "assets/demo_light.json").read_text())
    info = bgsub.open_source(ROOT / "assets/demo.mp4").info
    scene = Scene(light["seed"], len(light["gain"]), info.width, info.height)
    errors = [
        np.mean((frame.image.astype(float) - scene.background(frame.index)) ** 2)
        for frame in bgsub.open_source(demo_run / "background.mp4")
    ]
    assert len(errors) == scene.frames
    assert 10 * np.log10(255**2 / np.mean(errors)) >= 35


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("sequence", "least"),
    [("baseline/highway", 0.92), ("baseline/pedestrians", 0.92), ("cameraJitter/traffic", 0.60)],
)
def test_default_masks_reach_the_f_measure_on_real_footage(
    sequence: str, least: float, shared_data: Path, tmp_path: Path
) -> None:
    folder = shared_data / "sequences" / sequence
    bgsub.separate(folder / "input", tmp_path / "out", bgsub.Options(outputs=("mask",)))
    f = bgsub.evaluate(tmp_path / "out", folder / "groundtruth").counts.f_measure
    if sequence == "baseline/pedestrians" and 0.83 <= f < least:
        pytest.xfail(f"F {f:.3f} of {least}: its shadows on white pavement are foreground")
    assert f >= least


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize(("count", "every", "least"), [(40, 1, 0.7), (45, 10, 0.9)])
def test_a_road_that_is_never_empty_is_not_dynamic(
    count: int, every: int, least: float, shared_data: Path, tmp_path: Path
) -> None:
    folder = shared_data / "sequences/baseline/highway"
    asked = bgsub.Options(outputs=("mask",), every=every, end=bgsub.Position(frame=count * every))
    bgsub.separate(folder / "input", tmp_path / "out", asked)
    assert bgsub.evaluate(tmp_path / "out", folder / "groundtruth").counts.f_measure >= least


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="peak memory is read from wait4 in kB on Linux"
)
def test_a_real_video_comes_out_whole_within_its_memory(shared_data: Path, tmp_path: Path) -> None:
    video = shared_data / "videos/surveillance/vtest.avi"
    command = [sys.executable, "-m", "bgsub", "separate", str(video), "-o", str(tmp_path / "out"), "--quiet"]
    # A process starts with the peak of the one that starts it, and this one is large: a small one goes between.
    watch = "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); "
    watch += "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    done = subprocess.run(
        [sys.executable, "-c", watch, *command], stdout=subprocess.PIPE, text=True, check=True
    )
    code, peak = map(int, done.stdout.split())
    assert code == 0
    assert 50_000 < peak <= 1.2e9 / 1024
    stamps = times(video)
    assert len(stamps) == 795
    for name in ("background.mp4", "foreground.mp4", "mask.mkv", "overlay.mp4"):
        assert times(tmp_path / "out" / name) == stamps
    with av.open(str(tmp_path / "out/mask.mkv")) as container:
        values = {value for frame in container.decode(video=0) for value in np.unique(frame.to_ndarray())}
    assert values == {0, 255}


def times(path: Path) -> list[Fraction]:
    with av.open(str(path)) as container:
        return [frame.pts * frame.time_base for frame in container.decode(video=0)]
