"""apps/formats fuzz: damaged files are read or refused in one line, and what is wrong is seen."""

from __future__ import annotations

import pytest

pytest.importorskip("resource", reason="the memory of a process is measured with POSIX")

from formats import hunt as hunting
from formats.fuzz import by_kind, prepare, work, write_case
from formats.hunt import Hunted, hunt
from formats.mutate import DAMAGES, mutated
from formats.seeds import seeds


def test_a_few_damaged_files_of_every_kind_lead_to_no_fault(tmp_path):
    prepare(tmp_path)
    found = {case: hunt(*write_case(tmp_path, 0, case)) for case in range(len(seeds()))}
    assert {case: each.faults for case, each in found.items() if each.faults} == {}
    assert any(each.refused for each in found.values())
    assert any(each.codes == [0, 0] for each in found.values())


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_many_damaged_files_lead_to_no_fault(tmp_path):
    prepare(tmp_path)
    outcomes = list(work(tmp_path, 600, 3, 2))
    assert len(outcomes) == 600
    assert [each for each in outcomes if each["faults"]] == [], by_kind(outcomes)


@pytest.mark.parametrize(
    ("code", "printed", "faults"),
    [
        (1, "bgsub: no such thing", 0),
        (0, "bgsub: warning: odd", 0),
        (0, "libpng warning: odd", 2),
        (1, "bgsub: unexpected ValueError", 1),
        (1, "", 1),
        (139, "bgsub: no such thing", 1),
    ],
)
def test_what_users_must_not_see_is_a_fault(monkeypatch, tmp_path, code, printed, faults):
    def run(words):
        print(printed, file=__import__("sys").stderr) if printed else None
        return code

    monkeypatch.setattr("bgsub.cli.main.run", run)
    monkeypatch.setattr(hunting, "commands", lambda *_: [["info"]])
    monkeypatch.setattr(hunting, "_look_around", lambda *_: None)
    found: Hunted = hunt(tmp_path / "file.mp4", seeds()[0])
    assert len(found.faults) == faults


def test_the_same_seed_does_the_same_damage():
    whole = bytes(range(256)) * 8
    assert mutated(whole, "1") == mutated(whole, "1")
    assert len({mutated(whole, str(seed)) for seed in range(50)}) > 40
    assert all(isinstance(mutated(b"", str(seed)), bytes) for seed in range(len(DAMAGES)))
