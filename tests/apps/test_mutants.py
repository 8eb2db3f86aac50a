"""apps/mutants: every mistake can be made, in one place, in the program as it is."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MUTANTS = tomllib.loads((ROOT / "apps/mutants/mutants.toml").read_text(encoding="utf-8"))["mutant"]


def test_what_a_mutant_changes_stands_once_in_its_file_and_becomes_something_else() -> None:
    assert len(MUTANTS) >= 40
    counts = {
        each["name"]: (ROOT / "bgsub" / each["file"]).read_text(encoding="utf-8").count(each["right"])
        for each in MUTANTS
    }
    assert {name: count for name, count in counts.items() if count != 1} == {}
    assert [each["name"] for each in MUTANTS if each["right"] == each["wrong"]] == []


def test_every_mutant_has_a_name_of_its_own() -> None:
    names = Counter(each["name"] for each in MUTANTS)
    assert [name for name, count in names.items() if count > 1] == []
