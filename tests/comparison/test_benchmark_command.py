"""``bgsub benchmark``: files, exit codes, and what it refuses."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import cv2
import pytest
from dataset_kit import HEIGHT, WIDTH, write_sequence


def files(folder) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.slow
def test_a_whole_run_writes_tables_pictures_and_a_curve(call, dataset, tmp_path):
    pytest.importorskip("matplotlib")
    out = tmp_path / "new" / "out"
    code, text, error = call(
        "benchmark", dataset, "--methods", "bgsub,mog2", "--threads", "1", "--out", out, "--curve",
        "--sensitivities", "0.5,1", "--json", tmp_path / "f.json", "--markdown", tmp_path / "f.md",
    )  # fmt: skip
    assert code == 0, error
    pictures = ["errors/easy_gaps.png", "errors/easy_square.png", "errors/hard_gray.png"]
    assert files(out) == ["benchmark.json", "benchmark.md", "curve.json", "curve.png", *pictures]
    assert (out / "benchmark.json").read_bytes() == (tmp_path / "f.json").read_bytes()
    assert (out / "benchmark.md").read_bytes() == (tmp_path / "f.md").read_bytes()
    content = json.loads((tmp_path / "f.json").read_text(encoding="utf-8"))
    assert list(content["mean_f"]) == ["bgsub", "mog2"]
    assert content["best_single"]["method"] == "mog2"
    points = json.loads((out / "curve.json").read_text(encoding="utf-8"))["sensitivities"]
    assert points[1]["f"] == pytest.approx(content["mean_f"]["bgsub"])
    picture = cv2.imread(str(out / pictures[0]))
    assert picture.shape[1] > 3 * WIDTH
    assert picture.shape[0] > HEIGHT
    assert cv2.imread(str(out / "curve.png")).std() > 1
    assert text.splitlines()[0] == "| sequence | bgsub | mog2 |"
    assert f"{content['mean_f']['bgsub']:.3f}" in text
    assert "easy/gaps: F bgsub" in error

    # A second run replaces what the first has written.
    code, _, error = call("benchmark", dataset / "hard", "--methods", "median", "--quiet", "-o", out)
    assert (code, error) == (0, "")
    assert list(json.loads((out / "benchmark.json").read_text(encoding="utf-8"))["mean_f"]) == ["median"]


def test_the_others_go_on_past_a_broken_sequence_and_the_exit_code_tells(call, dataset, tmp_path):
    shutil.copytree(dataset, tmp_path / "data")
    shutil.rmtree(tmp_path / "data" / "easy" / "gaps" / "input")
    code, text, error = call(
        "benchmark", tmp_path / "data", "--methods", "median", "--quiet", "--out", tmp_path / "out"
    )
    assert code == 1
    first, last = error.splitlines()
    assert first.startswith("bgsub: easy/gaps is left out: ")
    assert last == "bgsub: 1 of 3 sequences left out: easy/gaps"
    assert "easy/square" in text
    assert files(tmp_path / "out") == [
        "benchmark.json",
        "benchmark.md",
        "errors/easy_square.png",
        "errors/hard_gray.png",
    ]


@pytest.mark.filterwarnings("default::bgsub.errors.BgsubWarning")
def test_an_empty_folder_among_the_sequences_is_a_line_and_no_failure(call, dataset, tmp_path):
    shutil.copytree(dataset / "hard", tmp_path / "data" / "hard")
    (tmp_path / "data" / "hard" / "snow").mkdir()
    code, _, error = call("benchmark", tmp_path / "data", "--methods", "median", "--quiet")
    assert code == 0
    [line] = error.splitlines()
    assert line.startswith(
        f"bgsub: warning: {tmp_path / 'data' / 'hard' / 'snow'} is left out: no sequence in it"
    )


def test_what_earlier_comparisons_left_is_named_until_it_is_written_again(call, dataset, tmp_path):
    shutil.copytree(dataset, tmp_path / "data")
    out, words = tmp_path / "out", ("--methods", "median", "-o", tmp_path / "out")

    def listed() -> tuple[list[str], list[str]]:
        report = json.loads((out / "benchmark.json").read_text(encoding="utf-8"))
        return report["outputs"], report["earlier_outputs"]

    reports, easy = ["benchmark.json", "benchmark.md"], ["errors/easy_gaps.png", "errors/easy_square.png"]
    _, _, error = call("benchmark", tmp_path / "data" / "easy", *words)
    assert listed() == ([*reports, *easy], [])
    assert "of earlier" not in error
    _, _, error = call("benchmark", tmp_path / "data" / "hard", *words)
    assert listed() == ([*reports, "errors/hard_gray.png"], easy)
    assert f"of earlier comparisons, and left in {out}: {', '.join(easy)}\n" in error

    # One is gone, one is written again, and one is of a sequence that can no longer be read.
    (out / "errors" / "hard_gray.png").unlink()
    shutil.rmtree(tmp_path / "data" / "easy" / "gaps" / "input")
    code, _, error = call("benchmark", tmp_path / "data" / "easy", *words)
    assert code == 1
    assert listed() == ([*reports, easy[1]], [easy[0]])
    assert f"left in {out}: {easy[0]}\n" in error


def test_when_no_sequence_can_be_read_nothing_is_written(call, tmp_path):
    (tmp_path / "data" / "cat" / "one" / "input").mkdir(parents=True)
    code, text, error = call("benchmark", tmp_path / "data", "--out", tmp_path / "out")
    assert (code, text) == (1, "")
    assert error.splitlines()[-1] == "bgsub: no sequence could be compared"
    assert not (tmp_path / "out").exists()


def test_wrong_wishes_are_one_line_before_the_work_begins(call, dataset, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bgsub.comparison.run.compare", lambda *_, **__: pytest.fail("the work began"))
    for words, code, said in [
        (["--methods", "mog2,nothing"], 2, "unknown method 'nothing'"),
        (["--methods", ""], 2, "no name given"),
        (["--curve"], 2, "give one with --out"),
        (["--sensitivities", "a"], 2, "cannot read 'a'"),
        (["--threads", "0"], 1, "--threads"),
        (["--threads", "two"], 2, "--threads"),
        (["--json", "same", "--markdown", "same"], 1, "two results"),
        (["--json", "no/such/folder/f.json"], 1, "its folder does not exist"),
    ]:
        found, text, error = call("benchmark", dataset, *words)
        assert (found, text) == (code, ""), words
        assert said in error, words
        assert len(error.splitlines()) == 1, words
        assert list(tmp_path.iterdir()) == [], words


def test_without_matplotlib_a_curve_is_refused_at_once(call, dataset, tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "matplotlib" else find(name, *rest)
    )
    code, _, error = call("benchmark", dataset, "--curve", "--out", tmp_path / "out")
    assert code == 2
    assert "matplotlib" in error
    assert "pip install" in error
    assert not (tmp_path / "out").exists()


def test_a_folder_without_sequences_is_told_the_layout(call, tmp_path):
    code, _, error = call("benchmark", tmp_path)
    assert code == 1
    assert "category/sequence/input" in error
    assert len(error.splitlines()) == 1


def test_nothing_is_written_into_a_sequence(call, tmp_path):
    folder = write_sequence(tmp_path / "cat" / "one")
    before = {name: (folder / name).read_bytes() for name in files(folder)}
    for place in ["--json", "--out", "link"]:
        target = folder / "input" if place == "--out" else folder / "input" / "in000001.png"
        if place == "link":
            (tmp_path / "link").symlink_to(folder / "input")
            target = tmp_path / "link" / "in000001.png"
        flag = "--out" if place == "--out" else "--json"
        code, _, error = call("benchmark", tmp_path / "cat", "--methods", "median", flag, target)
        assert code == 1, place
        assert "lies in the sequence" in error, place
        assert {name: (folder / name).read_bytes() for name in files(folder)} == before, place


def test_files_of_another_origin_are_left_alone(call, dataset, tmp_path):
    (tmp_path / "benchmark.md").write_text("mine")
    code, _, error = call("benchmark", dataset, "--methods", "median", "--out", tmp_path)
    assert code == 1
    assert "not from an earlier comparison" in error
    assert files(tmp_path) == ["benchmark.md"]


@pytest.mark.slow
def test_the_commands_of_the_readme_run(call, dataset, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    readme = (Path(__file__).resolve().parents[2] / "docs" / "compare.md").read_text(encoding="utf-8")
    section = readme
    commands = [line.split("#")[0].split()[1:] for line in section.splitlines() if line.startswith("bgsub ")]
    assert len(commands) >= 3
    for words in commands:
        code, _, error = call(*(str(dataset / "hard") if word == "DATASET" else word for word in words))
        assert code == 0, error
    assert {"scores.json", "scores.md", "results/curve.png"} <= set(files(tmp_path))
