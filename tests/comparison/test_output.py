"""The files of a comparison: together or not at all, each under its own name, and what earlier ones have left."""

from __future__ import annotations

import pytest

from bgsub.comparison.dataset import Sequence, find_sequences
from bgsub.comparison.output import Wanted, earlier_outputs, results
from bgsub.errors import OutputError


def test_a_broken_earlier_report_lists_nothing(tmp_path):
    (tmp_path / "benchmark.json").write_text("[1]")
    assert earlier_outputs(tmp_path) == set()
    assert earlier_outputs(tmp_path / "no") == set()


def test_results_appear_together_or_not_at_all(dataset, tmp_path):
    out = tmp_path / "out"

    def fail_after_writing():
        with results(Wanted(folder=out), find_sequences(dataset)) as made:
            made.write(out / "benchmark.json", "{}")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_after_writing()
    assert not out.exists()

    (tmp_path / "f.json").write_text("earlier")
    wanted = Wanted(json=tmp_path / "f.json", markdown=tmp_path / "f.md")
    with results(wanted, []) as made:
        made.write(wanted.json, "new")
        made.write(wanted.markdown, "new")
        wanted.markdown.mkdir()  # while the work is done
        with pytest.raises(OutputError):
            made.place()
    assert wanted.json.read_text() == "earlier"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.json", "f.md"]


def test_pictures_of_different_sequences_have_different_names(tmp_path):
    sequences = [
        Sequence("a_b", "c", tmp_path),
        Sequence("a", "b_c", tmp_path),
        Sequence("A", "B_c", tmp_path),
    ]
    names = [path.name for path in Wanted(folder=tmp_path).pictures(sequences).values()]
    assert names == ["a_b_c.png", "a_b_c-2.png", "A_B_c-3.png"]
