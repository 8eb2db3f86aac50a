"""Options that do nothing, or less, where they are given are told, once, wherever they are given."""

from __future__ import annotations

import warnings

import cv2
import numpy as np
import pytest
from clip_kit import scene

import bgsub
from bgsub import BgsubWarning, Options
from bgsub.cli.main import main
from bgsub.run.advice import unused

COLOUR, GRAY = scene(20, 32, 48).frames, scene(20, 32, 48, color=False).frames
GRAY_IN_COLOUR = np.repeat(GRAY[..., None], 3, axis=3)
CASES = [
    (
        COLOUR,
        {"sensitivity": 2, "threshold": 30},
        "--sensitivity 2 does nothing beside --threshold 30, a fixed level that is not divided: leave one of them out",
    ),
    (COLOUR, {"delta": 0.5}, "--delta 0.5 is not used: --sparse is l1, and it belongs to lp"),
    (
        COLOUR,
        {"min_area": 301, "roi": "3,2,20,15"},
        "--min-area 301 is more than the 300 pixels that are looked at: nothing is foreground",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("frames", "options", "says"), CASES)
def test_a_run_of_several_segments_warns_once_and_records_it(frames, options, says):
    with pytest.warns(BgsubWarning) as caught:
        result = bgsub.separate(frames, None, Options(outputs="mask", segment=10, **options))
    assert len(result.report["segments"]) == 2
    told = [str(each.message) for each in caught]
    assert told == result.report["warnings"]
    # Each segment is so short that the walker hides a place for most of it, which is warned of once, too.
    doubts = [line.split(",")[0] for line in told if line.startswith("from frame ")]
    assert doubts in ([], ["from frame 0 on", "from frame 10 on"])
    assert [line for line in told if not line.startswith("from frame ")] == [says]


def test_a_fit_that_has_hardly_moved_is_told():
    says = "--method cgcg has not solved the fit: the optimum may be lower by 100% of where it started"
    options = Options(outputs="mask", method="cgcg")
    with pytest.warns(BgsubWarning, match=says) as caught:
        result = bgsub.separate(COLOUR, None, options)
    assert [str(each.message) for each in caught] == result.report["warnings"]
    with pytest.warns(BgsubWarning, match=says):
        bgsub.fit(COLOUR, options)


@pytest.mark.parametrize(("frames", "options", "says"), CASES[:2])
def test_a_fit_warns_too(frames, options, says):
    with pytest.warns(BgsubWarning) as caught:
        bgsub.fit(frames, Options(**options))
    assert [str(each.message) for each in caught] == [says]


def test_what_has_an_effect_is_told_nothing():
    useful = [
        (COLOUR, {"shadows": "drop", "sensitivity": 2}),
        (COLOUR, {"shadows": "mark", "threshold": 30}),
        (GRAY, {"gray": True}),
        (COLOUR, {"min_area": 300, "roi": "3,2,20,15"}),
        (GRAY, {"shadows": "drop"}),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for frames, options in useful:
            bgsub.fit(frames, Options(**options))


@pytest.mark.filterwarnings("always::bgsub.BgsubWarning")
def test_the_commands_say_it_in_one_line(tmp_path, capfd):
    for number, frame in enumerate(GRAY):
        cv2.imwrite(str(tmp_path / f"{number:02}.png"), frame)
    line = f"bgsub: warning: {CASES[1][2]}\n"
    for words in (["info"], ["separate", "--dry-run"], ["separate", "--quiet", "-o", str(tmp_path / "out")]):
        with pytest.raises(SystemExit) as stop:
            main([words[0], str(tmp_path), *words[1:], "--delta", "0.5"])
        assert not stop.value.code
        assert capfd.readouterr().err == line


def test_parameters_of_other_terms_are_said_to_be_unused() -> None:
    assert unused(Options(tau=1, sparsity=2)) == ()
    assert unused(Options(sparse="lp", sparsity=2, delta=0.3)) == ()
    assert unused(Options(sparse="elastic-net", lambda1=2, lambda2=1)) == ()
    assert unused(Options(delta=0.3)) == ("--delta 0.3 is not used: --sparse is l1, and it belongs to lp",)
    lines = unused(Options(low_rank="nuclear-penalty", sparse="elastic-net", tau=7, sparsity=9))
    assert lines == (
        "--tau 7 is not used: --low-rank is nuclear-penalty, and it belongs to nuclear",
        "--sparsity 9 is not used: --sparse is elastic-net, and it belongs to l1, lp or group",
    )
