"""Zones and lengths of time, as people write them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import bgsub
from bgsub.errors import OptionError, UsageError
from bgsub.options.position import parse_seconds
from bgsub.options.table import Options


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2.5", Fraction(5, 2)),
        (".5", Fraction(1, 2)),
        ("1/3", Fraction(1, 3)),
        ("12s", 12),
        ("2m30s", 150),
        ("1h", 3600),
        ("1h 2m 3.5s", Fraction(7447, 2)),
        ("1.5min", 90),
        ("00:01:30.25", Fraction(361, 4)),
        ("90:00", 5400),
    ],
)
def test_a_length_of_time_is_seconds_or_a_time(text, seconds):
    assert parse_seconds(text) == seconds
    assert Options(merge_gap=text).merge_gap == seconds


@pytest.mark.parametrize(
    "value", ["", "soon", "-1", "1:2:3:4", "5 weeks", "s", "nan", True, float("nan"), [1]]
)
def test_what_is_no_length_of_time_is_refused(value):
    with pytest.raises((UsageError, OptionError), match=r"--pad"):
        Options(pad=value)


def test_a_length_of_time_is_not_negative():
    with pytest.raises(OptionError, match=r"--min-event is -1, but must be ≥ 0"):
        Options(min_event=-1)


def test_zones_are_names_and_areas():
    expected = ("door=1,2,30,40", "front lawn=0,0 9.5,0 9,9")
    for given in (
        ["door=1,2,30,40", "front lawn = 0,0 9.5,0 9,9"],
        {"door": (1, 2, 30, 40), "front lawn": [(0, 0), (9.5, 0), (9, 9)]},
    ):
        assert Options(zone=given).zone == expected


@pytest.mark.parametrize(
    ("zone", "says"),
    [
        ("1,2,30,40", "expected NAME=AREA"),
        ("=1,2,30,40", "expected NAME=AREA"),
        ("door=", "empty"),
        ("door=1,2,3", "expected x,y,width,height"),
        ("door=1,2,0,40", "is empty"),
        (["a=1,2,3,4", "a=5,6,7,8"], "two zones are called 'a'"),
        ({"a": [(1, 2, 3, 4), (5, 6, 7, 8)]}, "one area"),
        (7, "expected NAME=AREA"),
    ],
)
def test_what_is_no_zone_is_refused(zone, says):
    with pytest.raises((UsageError, OptionError), match=says):
        Options(zone=zone)


def test_a_zone_outside_of_the_picture_is_refused_before_the_work(tmp_path):
    with pytest.raises(OptionError, match=r"the zone 50,10,30,30 .* reaches outside the picture"):
        bgsub.separate(np.zeros((5, 48, 64), np.uint8), tmp_path / "out", Options(zone="door=50,10,30,30"))
    assert not (tmp_path / "out").exists()
