from __future__ import annotations

import json

import pytest

from bgsub.evaluation.cdnet import Evaluation
from bgsub.evaluation.counts import Counts
from bgsub.evaluation.text import table, to_json

FRAMES = ((3, Counts(tp=1200, fp=30, fn=40, tn=75530)), (4, Counts(tn=76800)))


@pytest.fixture
def evaluation() -> Evaluation:
    pooled = FRAMES[0][1] + FRAMES[1][1]
    return Evaluation(pooled, FRAMES, 2, 5, "run/mask.mkv", "seq/groundtruth")


def test_the_table_shows_measures_counts_and_frames(evaluation: Evaluation) -> None:
    rows = dict(line.rsplit("  ", 1) for line in table(evaluation).splitlines() if "  " in line)
    rows = {name.strip(): value.strip() for name, value in rows.items()}
    assert rows["F-measure"] == f"{2400 / 2470:.4f}"
    assert rows["precision"] == f"{1200 / 1230:.4f}"
    assert rows["recall"] == f"{1200 / 1240:.4f}"
    assert (rows["TP"], rows["FP"], rows["FN"]) == ("1,200", "30", "40")
    assert rows["frames scored"] == "2"
    assert rows["frames missing"].startswith("5 (ground truth without a mask")
    assert rows["masks"] == "run/mask.mkv"


def test_the_table_fits_one_screen(evaluation: Evaluation) -> None:
    lines = table(evaluation).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


def test_nothing_is_said_about_missing_frames_where_none_is_missing() -> None:
    complete = Evaluation(Counts(tp=1), ((1, Counts(tp=1)),), 1, 0, "m", "t")
    assert "without a mask" not in table(complete)


def test_json_holds_everything_and_reads_back(evaluation: Evaluation) -> None:
    data = json.loads(to_json(evaluation))
    assert data == evaluation.to_dict()
    assert data["schema"] == 1
    assert data["frames"] == {"scored": 2, "missing": 5}
    assert data["counts"] == {"tp": 1200, "fp": 30, "fn": 40, "tn": 152330}
    assert data["measures"]["f_measure"] == pytest.approx(2400 / 2470)
    assert [frame["number"] for frame in data["per_frame"]] == [3, 4]


def test_json_never_holds_a_value_that_json_does_not_have() -> None:
    empty = Evaluation(Counts(), ((1, Counts()),), 1, 0, "m", "t")
    assert "NaN" not in to_json(empty)
    assert "Infinity" not in to_json(empty)
