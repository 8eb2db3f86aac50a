"""Options about outputs that are not written."""

from __future__ import annotations

import pytest

from bgsub.options.table import Options
from bgsub.run.advice import idle_outputs


@pytest.mark.parametrize(
    ("values", "outputs", "idle"),
    [
        ({"codec": "vp9"}, "mask,mask-png,cdnet", "--codec"),
        ({"crf": 30}, "mask,plate", "--crf"),
        ({"preset": "fast"}, "cutout", "--preset"),
        ({"burn": "time"}, "mask,boxes,clips", "--burn"),
        ({"pad": 3}, "overlay", "--pad"),
    ],
)
def test_what_concerns_no_output_is_said_to_do_nothing(values, outputs, idle):
    [line] = idle_outputs(Options(outputs=outputs, **values))
    assert line.startswith(f"{idle} does nothing")


@pytest.mark.parametrize(
    ("values", "outputs"),
    [
        ({}, "mask"),
        ({"codec": "vp9", "crf": 30, "preset": "5", "pad": 3}, "clips"),
        ({"crf": 30}, "boxes"),
        ({"burn": "numbers"}, "overlay-png"),
    ],
)
def test_what_concerns_one_output_is_not(values, outputs):
    assert idle_outputs(Options(outputs=outputs, **values)) == []
