"""Means, JSON, tables, the choice of frames for pictures, and the curve."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from bgsub.comparison.curve import Curve, parse_sensitivities
from bgsub.comparison.pictures import FALSE, HIT, MISSED, UNSCORED, choose, colours, encode
from bgsub.comparison.scores import Comparison, Score, SequenceScores
from bgsub.comparison.tables import markdown, summary
from bgsub.errors import OptionError, UsageError
from bgsub.evaluation.counts import Counts

KEYS = {"f", "precision", "recall", "specificity", "fpr", "fnr", "pwc", "frames_per_s", "counts"}


def score(tp: int, fp: int, fn: int, tn: int, frames: int = 10, seconds: float = 2.0) -> Score:
    return Score(Counts(tp, fp, fn, tn), frames, seconds)


def sequence(category: str, name: str, **methods: Score) -> SequenceScores:
    return SequenceScores(category, name, 10, 4, methods)


@pytest.fixture
def comparison() -> Comparison:
    return Comparison(
        ("bgsub", "median", "mog2", "knn"),
        (
            sequence(
                "a",
                "one",
                bgsub=score(80, 20, 20, 880),
                median=score(95, 5, 5, 900),
                mog2=score(50, 50, 50, 850),
                knn=score(60, 40, 40, 860),
            ),
            sequence(
                "a",
                "two",
                bgsub=score(60, 40, 40, 860),
                median=score(90, 10, 10, 890),
                mog2=score(40, 60, 60, 840),
                knn=score(10, 90, 90, 810),
            ),
            sequence(
                "b_|",
                "three",
                bgsub=score(40, 0, 60, 900, seconds=6.0),
                median=score(0, 5, 100, 895),
                mog2=score(30, 70, 70, 830),
                knn=score(40, 0, 60, 900),
            ),
        ),
    )


def test_means_are_those_of_sequences_not_of_categories(comparison):
    f = {"bgsub": [0.8, 0.6, 80 / 140], "mog2": [0.5, 0.4, 0.3]}
    content = comparison.to_dict()
    for name, values in f.items():
        assert content["mean_f"][name] == pytest.approx(sum(values) / 3)
        assert content["categories"]["a"][name]["f"] == pytest.approx(sum(values[:2]) / 2)
    assert content["categories"]["a"]["bgsub"]["recall"] == pytest.approx((0.8 + 0.6) / 2)
    assert content["categories"]["b_|"]["bgsub"]["frames_per_s"] == pytest.approx(10 / 6)
    assert content["categories"]["a"]["bgsub"]["frames_per_s"] == pytest.approx(20 / 4)


def test_the_best_single_is_the_opencv_method_of_the_highest_mean(comparison):
    # The median's mean is higher than MOG2's, and it is not OpenCV's.
    assert comparison.mean_f()["median"] > comparison.mean_f()["mog2"]
    assert comparison.best_single() == {"method": "knn", "f": pytest.approx((0.6 + 0.1 + 80 / 140) / 3)}
    assert Comparison(("bgsub", "median"), comparison.sequences).best_single() is None


def test_json_has_the_keys_that_programs_read(comparison):
    content = json.loads(comparison.to_json())
    assert set(content) == {"schema", "sequences", "categories", "mean_f", "best_single"}
    assert content["schema"] == 1
    assert [(each["category"], each["name"]) for each in content["sequences"]] == [
        ("a", "one"),
        ("a", "two"),
        ("b_|", "three"),
    ]
    for each in content["sequences"]:
        assert set(each) == {"category", "name", "frames", "scored", "methods"}
        assert all(set(values) == KEYS for values in each["methods"].values())
    one = content["sequences"][0]["methods"]["bgsub"]
    assert one["counts"] == {"tp": 80, "fp": 20, "fn": 20, "tn": 880}
    assert one["specificity"] == pytest.approx(880 / 900)
    assert one["fpr"] == pytest.approx(20 / 900)
    assert one["fnr"] == pytest.approx(0.2)
    assert one["pwc"] == pytest.approx(4.0)
    assert one["frames_per_s"] == pytest.approx(5.0)


def test_the_table_shows_the_best_in_bold_and_escapes_names(comparison):
    lines = summary(comparison).splitlines()
    assert lines[0] == "| sequence | bgsub | median | mog2 | knn |"
    assert "| a/one | 0.800 | **0.950** | 0.500 | 0.600 |" in lines
    assert r"| b\_\|/three | **0.571** | 0.000 | 0.300 | **0.571** |" in lines
    assert "| *a, mean* | 0.700 | **0.925** | 0.450 | 0.350 |" in lines
    assert any(line.startswith("| **all, mean of 3 sequences** | **0.657** |") for line in lines)
    assert "Best single OpenCV method: knn, mean F 0.424; bgsub 0.657 (+0.233)." in lines


def test_the_report_has_the_seven_measures_of_everything_and_says_what_is_a_mean(comparison):
    text = markdown(comparison)
    assert "| a/one, bgsub | 0.8000 | 0.9778 | 0.0222 | 0.2000 | 4.000 | 0.8000 | 0.8000 | 5 |" in text
    assert "mean of the sequences" in " ".join(text.split())
    assert text.count(", knn |") == 3


# Pictures


def test_frames_with_most_foreground_and_most_errors_are_chosen_apart():
    foreground = [0] * 100
    errors = [0] * 100
    foreground[10], foreground[11], foreground[60] = 50, 49, 40
    errors[61], errors[30], errors[90] = 99, 50, 40
    assert choose(foreground, errors) == [10, 30, 60, 90]
    assert choose([0, 0, 5], [0, 0, 0]) == [2]
    assert choose([0, 0, 0], [0, 0, 0]) == [0]


def test_each_kind_of_pixel_has_its_colour():
    truth = np.uint8([[255, 255, 0, 0, 50, 50, 170, 170, 85]])
    mask = np.array([[True, False, True, False, True, False, True, False, False]])
    image = np.full((1, 9, 3), 90, np.uint8)
    dim = (30, 30, 30)
    expected = [HIT, MISSED, FALSE, dim, FALSE, dim, UNSCORED, dim, dim]
    np.testing.assert_array_equal(colours(image, mask, truth)[0], expected)


def test_pictures_keep_their_colours_in_png():
    picture = np.random.default_rng(0).integers(0, 256, (4, 5, 3), dtype=np.uint8)
    decoded = cv2.imdecode(np.frombuffer(encode(picture), np.uint8), cv2.IMREAD_COLOR)
    np.testing.assert_array_equal(decoded[..., ::-1], picture)


# The curve


def test_sensitivities_are_sorted_and_checked():
    assert parse_sensitivities("2,.5, 1,2") == (0.5, 1.0, 2.0)
    with pytest.raises(UsageError, match="cannot read '1,x'"):
        parse_sensitivities("1,x")
    with pytest.raises(OptionError, match=r"--sensitivities.*0\.1"):
        parse_sensitivities("1,0")


def test_the_points_of_the_curve_are_means_of_sequences(comparison):
    curve = Curve((0.5, 1.0))
    curve.add("a/one", {0.5: Counts(50, 0, 50, 900), 1.0: Counts(80, 20, 20, 880)})
    curve.add("a/two", {0.5: Counts(30, 10, 70, 890), 1.0: Counts(60, 40, 40, 860)})
    content = curve.to_dict(comparison)
    low, _ = content["sensitivities"]
    assert low["sensitivity"] == 0.5
    assert low["precision"] == pytest.approx((1 + 0.75) / 2)
    assert low["recall"] == pytest.approx((0.5 + 0.3) / 2)
    assert content["methods"]["mog2"]["recall"] == pytest.approx((0.5 + 0.4 + 0.3) / 3)
