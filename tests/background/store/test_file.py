"""A model in a file."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fit_kit import footage, model_of, sample_of, wall

from bgsub.background.model import BackgroundModel
from bgsub.base.publish import Publication
from bgsub.errors import CannotOpen, OutputError
from bgsub.frames.grid import Grid
from bgsub.options.table import Options


def entries(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as file:
        return dict(file)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "model.npz"
    model_of(Grid(48, 36, True, roi=(4, 4, 20, 20)), wall()[4:24, 4:24]).save(path)
    return path


def test_a_loaded_model_gives_identical_results(tmp_path: Path) -> None:
    frames, *_ = footage(gains=1 + 0.1 * np.sin(np.arange(40)))
    fitted = BackgroundModel.fit(*sample_of(frames, first=7), Options(threads=1, rank=2))
    assert fitted.rank == 2
    for model in (fitted, replace(fitted, threshold=31.5, min_area=9)):
        model.save(tmp_path / "camera.npz")
        loaded = BackgroundModel.load(tmp_path / "camera.npz")
        assert loaded.report == model.report
        assert loaded.reasons == model.reasons
        assert loaded.grid == model.grid
        assert np.array_equal(loaded.plate(), model.plate())
        for frame in frames[::7]:
            before, after = model.apply(frame), loaded.apply(frame)
            for name in ("image", "background", "score", "mask", "coefficients"):
                assert np.array_equal(getattr(before, name), getattr(after, name)), name


def test_a_region_comes_back(saved: Path) -> None:
    assert BackgroundModel.load(saved).grid == Grid(48, 36, True, roi=(4, 4, 20, 20))


def test_a_region_of_an_earlier_version_is_read(saved: Path) -> None:
    def as_before(_: dict[str, np.ndarray], meta: dict[str, Any]) -> None:
        meta["grid"]["roi"] = [4, 4, 20, 20]
        del meta["grid"]["exclude"]

    rewrite(saved, as_before)
    assert BackgroundModel.load(saved).grid == Grid(48, 36, True, roi=(4, 4, 20, 20))


def test_a_region_that_is_no_rectangle_comes_back(tmp_path: Path) -> None:
    grid = Grid(48, 36, True, 1, ("4,4 40,6 30,30", "0,30,48,6"), "10,10,3,3")
    model_of(grid, np.zeros(grid.rows)).save(tmp_path / "model.npz")
    loaded = BackgroundModel.load(tmp_path / "model.npz").grid
    assert loaded == grid
    assert np.array_equal(loaded.outline, grid.outline)


def test_the_file_can_be_read_with_numpy_alone(saved: Path) -> None:
    held = entries(saved)
    assert held["offset"].shape == (1200,)
    assert json.loads(str(held["meta"]))["schema"] == 6


def test_the_file_has_the_name_that_was_given(tmp_path: Path) -> None:
    names = {"camera", "camera.model", "Kamera ü.npz"}
    for name in names:
        model_of(Grid(4, 4, False), np.zeros(16)).save(str(tmp_path / name))
        assert BackgroundModel.load(str(tmp_path / name)).rank == 0
    assert {path.name for path in tmp_path.iterdir()} == names


def test_saving_again_replaces_the_file(saved: Path) -> None:
    model_of(Grid(4, 4, False), np.zeros(16)).save(saved)
    assert BackgroundModel.load(saved).grid.width == 4


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("not a model\n")


def pickled(path: Path) -> None:
    np.savez(path, meta=np.array([{"schema": 1}], dtype=object))


def one_array(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.zeros(3))


def other_npz(path: Path) -> None:
    np.savez(path, left=np.zeros(3), right=np.zeros(3))


def damaged(path: Path) -> None:
    content = bytearray(path.read_bytes())
    at = content.index(b"offset.npy") + 40
    content[at : at + 60] = bytes(60)
    path.write_bytes(bytes(content))


def rewrite(path: Path, change: Callable[[dict[str, np.ndarray], dict], None]) -> None:
    held = entries(path)
    meta = json.loads(str(held["meta"]))
    change(held, meta)
    np.savez(path, **{**held, "meta": np.array(json.dumps(meta))})


def without_offset(path: Path) -> None:
    held = entries(path)
    del held["offset"]
    np.savez(path, **held)


def without_seed(path: Path) -> None:
    rewrite(path, lambda _, meta: meta.pop("seed"))


def without_gap(path: Path) -> None:
    rewrite(path, lambda _, meta: meta["report"].pop("gap"))


def meta_is_a_list(path: Path) -> None:
    np.savez(path, **{**entries(path), "meta": np.array("[1]")})


def meta_is_no_json(path: Path) -> None:
    np.savez(path, **{**entries(path), "meta": np.array("{")})


def short_offset(path: Path) -> None:
    np.savez(path, **{**entries(path), "offset": np.zeros(7, np.float32)})


def impossible_grid(path: Path) -> None:
    rewrite(path, lambda _, meta: meta["grid"].update(scale=-1))


def unknown_grid(path: Path) -> None:
    rewrite(path, lambda _, meta: meta["grid"].update(depth=3))


SPOILERS = [
    *(cut, empty, text, pickled, one_array, other_npz, damaged, without_offset, without_seed, without_gap),
    *(meta_is_a_list, meta_is_no_json, short_offset, impossible_grid, unknown_grid),
]


def test_a_file_that_is_no_model_is_refused_in_one_line_that_names_it(saved: Path) -> None:
    whole = saved.read_bytes()
    for spoil in SPOILERS:
        saved.write_bytes(whole)
        spoil(saved)
        with pytest.raises(CannotOpen, match=r"model\.npz") as caught:
            BackgroundModel.load(saved)
        assert "\n" not in str(caught.value)
        # A file that was left open would be an error at the end.
        del caught
    gc.collect()


def test_a_model_of_another_format_names_both_formats(saved: Path) -> None:
    rewrite(saved, lambda _, meta: meta.update(schema=7))
    with pytest.raises(CannotOpen, match=r"format 7, but this version reads 6"):
        BackgroundModel.load(saved)


def refused(path: Path) -> str:
    with pytest.raises(CannotOpen) as caught:
        BackgroundModel.load(path)
    return str(caught.value)


PARTS = ["meta", "offset", "components", "typical", "ordinary", "shade"]


def test_a_missing_array_is_named_and_what_to_do(saved: Path) -> None:
    held = entries(saved)
    for names in (*([name] for name in PARTS), ["typical", "ordinary"]):
        np.savez(saved, **{name: array for name, array in held.items() if name not in names})
        which = f"array {names[0]} is" if len(names) == 1 else "arrays typical, ordinary are"
        assert refused(saved) == (
            f"{saved} is no whole background model of bgsub: its {which} missing; fit it again and save it"
        )


def test_a_missing_reference_is_named(saved: Path) -> None:
    rewrite(saved, lambda _, meta: meta.update(stabilise="affine"))
    assert "its array reference is missing; fit it again" in refused(saved)


def test_what_is_wrong_with_a_file_is_said_and_what_to_do(saved: Path) -> None:
    shape = "offset of a background model must be float32 of shape (1200,), got float32 (7,); fit it again"
    other = "another kind of file, or a damaged one; give one that BackgroundModel.save wrote"
    whole = saved.read_bytes()
    for spoil, says in (
        (without_seed, "'seed' is missing in its array meta; fit it again"),
        (without_gap, "'gap' is missing in its array meta; fit it again"),
        (short_offset, shape),
        (other_npz, other),
        (one_array, other),
    ):
        saved.write_bytes(whole)
        spoil(saved)
        assert says in refused(saved)


def test_a_missing_file_and_a_folder_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="No such file"):
        BackgroundModel.load(tmp_path / "none.npz")
    with pytest.raises(CannotOpen, match="directory"):
        BackgroundModel.load(tmp_path)


def test_a_path_that_cannot_be_written_is_an_output_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("here")
    for place in ("missing/model.npz", "file/model.npz", "folder", "x" * 300):
        with pytest.raises(OutputError, match="cannot write") as caught:
            model_of(Grid(4, 4, False), np.zeros(16)).save(tmp_path / place)
        assert "\n" not in str(caught.value)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_a_path_without_a_name_is_an_output_error() -> None:
    with pytest.raises(OutputError, match="add a file name"):
        model_of(Grid(4, 4, False), np.zeros(16)).save(Path(os.sep))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_an_output_error_and_the_old_file_stays(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, make = saved.read_bytes(), Publication.make

    def full(files: Publication, final: Path) -> Path:
        place = make(files, final)
        place.symlink_to("/dev/full")
        return place

    monkeypatch.setattr(Publication, "make", full)
    with pytest.raises(OutputError, match="the disk is full"):
        model_of(Grid(4, 4, False), np.zeros(16)).save(saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]
