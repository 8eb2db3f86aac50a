"""A saved model in place of a fit: what it finds, what it decides, and when it is saved."""

from __future__ import annotations

import json

import numpy as np
import pytest
from clip_kit import names, scene

import bgsub
from bgsub import Options
from bgsub.errors import BgsubWarning, InputError, OptionError, OutputError, TooFewFrames

SCENE = scene()
MASK = "mask"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A model that was fitted on all of the scene, and the masks of that run."""
    path = tmp_path_factory.mktemp("model") / "cam.npz"
    done = bgsub.separate(SCENE.frames, None, Options(outputs=MASK, save_model=path, roi="4,4,50,40"))
    return path, done.layers["mask"]


def test_a_saved_model_finds_what_the_run_that_saved_it_found(saved, tmp_path):
    path, masks = saved
    done = bgsub.separate(
        SCENE.frames, tmp_path / "out", Options(outputs="mask,plate,events,factors", model=path)
    )
    assert names(tmp_path / "out") == ["background.png", "events.json", "factors.npz", "mask.mkv", "run.json"]
    again = bgsub.separate(SCENE.frames, None, Options(outputs=MASK, model=path))
    assert (again.layers["mask"] == masks).all()
    report = json.loads((tmp_path / "out" / "run.json").read_text())
    assert report["options"]["model"] == str(path)
    assert report["picture"]["region"] == [4, 4, 50, 40]
    assert len(done.log.events) == 1


def test_few_frames_are_enough_and_none_are_not(saved):
    path, masks = saved
    one = bgsub.separate(SCENE.frames, None, Options(outputs=MASK, model=path, start=20, end=21))
    assert (one.report["segments"][0]["first"], one.report["segments"][0]["frames"]) == (20, 1)
    assert np.mean(one.layers["mask"] != masks[20:21]) < 0.01
    with pytest.raises(TooFewFrames):
        bgsub.separate(SCENE.frames, None, Options(outputs=MASK, model=path, start=900))


def test_a_model_of_other_pictures_is_refused(saved, tmp_path):
    options = Options(outputs=MASK, model=saved[0])
    with pytest.raises(InputError, match="64 × 48"):
        bgsub.separate(SCENE.frames[:, :40], None, options)
    with pytest.raises(InputError, match="gray"):
        bgsub.separate(SCENE.frames[..., 0], None, options)
    with pytest.raises(InputError, match="--model"):
        bgsub.separate(SCENE.frames, None, Options(outputs=MASK, model=tmp_path / "none.npz"))


def test_options_that_the_model_decides_are_warned_of(saved):
    with pytest.warns(BgsubWarning, match="--sensitivity, --gray do nothing beside --model"):
        bgsub.separate(
            SCENE.frames, None, Options(outputs=MASK, model=saved[0], gray=True, sensitivity=2, min_event=0)
        )


def test_the_longest_segment_is_saved(tmp_path):
    path = tmp_path / "cam.npz"
    dark = (SCENE.frames[:10] // 4).astype(np.uint8)
    bgsub.separate(
        np.concatenate((SCENE.frames, dark)), None, Options(outputs=MASK, segment=40, save_model=path)
    )
    assert bgsub.BackgroundModel.load(path).plate().mean() > 2 * dark.mean()


def test_a_model_appears_with_the_other_files_or_not_at_all(saved, tmp_path):
    class Stops:
        def begin(self, phase, total):
            if phase == "events":
                raise KeyboardInterrupt

        step = say = detail = end = lambda *_: None

    path = tmp_path / "cam.npz"
    options = Options(outputs=MASK, save_model=path)
    with pytest.raises(KeyboardInterrupt):
        bgsub.separate(SCENE.frames, tmp_path / "out", options, progress=Stops())
    assert names(tmp_path) == []
    bgsub.separate(SCENE.frames, tmp_path / "out", options)
    assert names(tmp_path) == ["cam.npz", "out"]


def test_what_is_no_model_is_not_replaced_and_a_model_is(tmp_path):
    mine = tmp_path / "mine.npz"
    np.savez(mine, a=np.arange(3))
    before = mine.read_bytes()
    with pytest.raises(OutputError, match=r"mine\.npz"):
        bgsub.separate(SCENE.frames, None, Options(outputs=MASK, save_model=mine))
    assert mine.read_bytes() == before
    with pytest.raises(OptionError, match=r"\.npz"):
        bgsub.separate(SCENE.frames, None, Options(outputs=MASK, save_model=tmp_path / "cam.mp4"))
    with pytest.raises(OutputError, match="no/cam"):
        bgsub.separate(SCENE.frames, None, Options(outputs=MASK, save_model=tmp_path / "no" / "cam.npz"))
    for _ in range(2):
        bgsub.separate(SCENE.frames, None, Options(outputs=MASK, save_model=tmp_path / "cam.npz"))
