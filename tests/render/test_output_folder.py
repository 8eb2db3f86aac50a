"""The folder of a run: made when needed, gone when the run fails, and a report that comes last."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from render_kit import names

from bgsub.errors import OutputError
from bgsub.render.folder import check_folder, earlier_outputs, output_folder


def test_a_report_that_lists_odd_things_names_no_output_but_files_of_its_folder(tmp_path):
    listed = {"a": "mask.mkv", "b": "../../x", "c": "mask-png/", "d": "/etc/passwd", "e": ""}
    report = {"program": {"name": "bgsub"}, "outputs": listed}
    (tmp_path / "run.json").write_text(json.dumps(report))
    assert earlier_outputs(tmp_path) == {"run.json", "mask.mkv", "mask-png/"}
    (tmp_path / "run.json").write_text(json.dumps({**report, "outputs": {"a": 5}}))
    assert earlier_outputs(tmp_path) == set()


def test_missing_folders_are_made_and_stay_when_all_goes_well(tmp_path):
    with output_folder(tmp_path / "a" / "b") as folder:
        assert folder.is_dir()
    assert folder.is_dir()


def test_a_check_makes_nothing_and_allows_what_can_be_made(tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in (".", "there", "there/a/b", str(tmp_path / "new"), "new"):
        check_folder(Path(name))
    assert names(tmp_path) == ["there"]
    assert names(tmp_path / "there") == []


def test_a_place_where_no_folder_can_be_is_named_by_a_check_and_by_the_run_before_any_work(tmp_path):
    (tmp_path / "file").write_text("mine")
    for name in ("file", "file/below", "x" * 300, "new/" + "x" * 300, "nul\0"):
        with pytest.raises(OutputError) as checked:
            check_folder(tmp_path / name)
        with pytest.raises(OutputError) as run, output_folder(tmp_path / name):
            pytest.fail("the block must not run")
        assert str(checked.value) == str(run.value), name
        if "nul" not in name:
            assert "cannot write into the folder" in str(run.value), name
            assert "; choose another with -o" in str(run.value), name
        assert names(tmp_path) == ["file"], name


def test_only_the_folders_made_here_are_removed_after_a_failure(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(KeyboardInterrupt), output_folder(tmp_path / "a" / "b" / "c"):
        raise KeyboardInterrupt
    assert names(tmp_path) == ["a"]
    assert names(tmp_path / "a") == []


def test_a_folder_that_somebody_else_put_a_file_into_stays(tmp_path):
    def run() -> None:
        with output_folder(tmp_path / "a" / "b") as folder:
            (folder / "theirs").touch()
            raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        run()
    assert names(tmp_path / "a" / "b") == ["theirs"]
