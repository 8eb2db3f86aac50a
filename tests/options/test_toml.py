"""Options as text: what --print-config writes is what --config reads."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import fields, replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from bgsub import Options
from bgsub.errors import CannotOpen, OptionError, UsageError
from bgsub.options import toml
from bgsub.options.position import Position
from bgsub.options.table import flag, spec_of

ALL_CHANGED = Options(
    outputs=("plate", "mask-png", "side-by-side"),
    codec="av1",
    crf=31.5,
    preset="7",
    method="alt-pgpg",
    low_rank="nuclear-penalty",
    sparse="elastic-net",
    tau=1e-7,
    weight=5e3,
    sparsity=123456789.125,
    delta=0.3,
    lambda1=9.5,
    lambda2=1e-3,
    rank=3,
    columns=17,
    segment=Position(seconds=Fraction(1, 3)),
    centre="none",
    stabilise="affine",
    threshold=12.5,
    sensitivity=2.0,
    shadows="mark",
    model="camera.npz",
    save_model="other.npz",
    background="empty.png",
    min_event=Fraction(1, 3),
    merge_gap=7,
    zone={"front door": (1, 2, 30, 40), "lawn": f"@{Path('lawn.png').absolute()}"},
    pad="1m30.25s",
    burn="time,numbers",
    min_area=0,
    gray=True,
    scale=0.3,
    roi=[(1, 2, 30, 40), "0,0 9.5,0 9,9"],
    exclude=f"@{Path('the clock.png').absolute()}",
    start=Position(frame=7),
    end=Position(seconds=Fraction(5405, 2)),
    every=4,
    fps="30000/1001",
    range=(-1.5, 65535),
    rotate=270,
    deinterlace="off",
    stream=2,
    max_pixels=640 * 480,
    seed=2**60 + 1,
    threads=3,
    memory=1_500_000_000,
)


OTHERWISE_ENDED = replace(ALL_CHANGED, end=None, duration=Position(seconds=Fraction(5, 2)))


def written(folder: Path, text: str) -> Path:
    path = folder / "my.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_example_changes_every_option():
    both = (ALL_CHANGED, OTHERWISE_ENDED)
    same = [item.name for item in fields(Options) if all(getattr(o, item.name) == item.default for o in both)]
    assert same == []


@pytest.mark.parametrize(
    "options", [Options(), ALL_CHANGED, OTHERWISE_ENDED], ids=["defaults", "all changed", "otherwise ended"]
)
def test_what_is_printed_is_read_back(options, tmp_path):
    assert Options(**toml.load(written(tmp_path, toml.dump(options)))) == options


def test_a_picture_is_looked_for_beside_the_file_that_names_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cam").mkdir()
    elsewhere = tmp_path / "b.png"
    written(
        tmp_path / "cam", f'roi = "a.png"\nexclude = ["@masks/c", "{elsewhere}", "1,2,3,4", "0,0 5,0 5,5"]'
    )
    texts = (f"@{Path('cam', 'masks', 'c')}", f"@{elsewhere}", "1,2,3,4", "0,0 5,0 5,5")
    assert toml.load(Path("cam/my.toml")) == {"roi": (f"@{Path('cam', 'a.png')}",), "exclude": texts}
    monkeypatch.chdir(tmp_path / "cam")
    assert toml.load(Path("my.toml"))["roi"] == ("@a.png",)


def test_a_printed_file_names_the_same_pictures_from_every_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cam").mkdir()
    text = toml.dump(Options(roi="a.png", exclude=('@b "c" \\d.png', (1, 2, 3, 4))))
    again = Options(**toml.load(written(tmp_path / "cam", text)))
    assert again.roi == (f"@{tmp_path / 'a.png'}",)
    assert again.exclude == (f'@{tmp_path}{os.sep}b "c" \\d.png', "1,2,3,4")
    assert toml.dump(again) == text


def test_a_printed_file_holds_every_key_once_with_its_help_and_its_default():
    text = toml.dump(ALL_CHANGED)
    assert list(tomllib.loads(text)) == [flag(item.name)[2:] for item in fields(Options)]
    for item in fields(Options):
        assert f"# {spec_of(item).help}\n" in text
    assert "default: false, because" in text
    assert "default: from the noise, because" in text
    assert "see below" not in text


def test_dashes_and_underscores_are_the_same(tmp_path):
    for key in ("min-area", "min_area"):
        assert toml.load(written(tmp_path, f"{key} = 9")) == {"min_area": 9}


def test_a_key_given_twice_in_two_spellings_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"my.toml: 'min-area' is given twice"):
        toml.load(written(tmp_path, "min_area = 9\nmin-area = 8"))


def test_an_unknown_key_names_the_file_and_the_nearest_key(tmp_path):
    for key, near in {"treshold": "threshold", "min-are": "min-area", "Scale": "scale"}.items():
        with pytest.raises(UsageError, match=rf"my.toml: unknown option '{key}'; did you mean '{near}'"):
            toml.load(written(tmp_path, f"{key} = 1"))


def test_a_table_is_no_option(tmp_path):
    with pytest.raises(UsageError, match=r"my.toml: unknown option 'masks'"):
        toml.load(written(tmp_path, "[masks]\nthreshold = 3"))


def test_a_value_of_the_wrong_type_names_file_and_flag(tmp_path):
    lines = ('threshold = "high"', "rank = 1.5", "rank = true", 'gray = "yes"', "gray = 1", "method = 3",
             "roi = [1, 2]", "start = 1.5", "start = 2026-01-01", "outputs = 5", "rank = inf", "scale = []",
             "segment = false")  # fmt: skip
    for line in lines:
        with pytest.raises(UsageError, match=rf"my.toml: --{line.split(' ')[0]}: cannot read"):
            toml.load(written(tmp_path, line))


def test_a_value_out_of_range_is_refused_when_the_options_are_made(tmp_path):
    for line in ("threshold = nan", "tau = inf", "tau = -1", "every = 0"):
        values = toml.load(written(tmp_path, line))
        with pytest.raises(ValueError, match=rf"--{line.split(' ')[0]} is .*, but must be"):
            Options(**values)


def test_auto_and_none_mean_that_nothing_is_asked_for(tmp_path):
    path = written(tmp_path, 'tau = "auto"\nthreads = "auto"\nroi = "none"\nstart = "none"')
    assert toml.load(path) == {"tau": None, "threads": None, "roi": None, "start": None}


def test_an_empty_text_is_refused_with_what_to_write_instead(tmp_path):
    for item, text in product(fields(Options), ["", "  "]):
        name = flag(item.name)
        if spec_of(item).kind == "flag":
            continue
        with pytest.raises(UsageError, match=rf"^{name} is empty; (give|choose) .*"):
            toml.parse(item.name, text)
        with pytest.raises(UsageError, match=rf"^{re.escape(str(tmp_path))}.*my.toml: {name} is empty; "):
            toml.load(written(tmp_path, f'{item.name} = "{text}"'))
        with pytest.raises(OptionError, match=f"^{name}"):
            Options(**{item.name: text})


def test_an_empty_region_says_what_a_region_is_and_how_to_have_none():
    with pytest.raises(
        UsageError, match=r"give x,y,width,height, or a polygon .*, or leave it out \('none' in"
    ):
        toml.parse("roi", "")


def test_auto_is_refused_where_nothing_is_decided_from_the_data(tmp_path):
    with pytest.raises(UsageError, match=r"--scale: cannot read 'auto'"):
        toml.load(written(tmp_path, 'scale = "auto"'))


def test_what_is_not_toml_is_named(tmp_path):
    path = tmp_path / "my.toml"
    for content in (b"threshold", b"a = 1\na = 2", b"\xff\xfe\x00"):
        path.write_bytes(content)
        with pytest.raises(UsageError, match=r"my.toml is not a TOML file"):
            toml.load(path)


def test_a_missing_file_and_a_folder_cannot_be_read(tmp_path):
    with pytest.raises(CannotOpen, match=r"cannot read the options file .*no.toml"):
        toml.load(tmp_path / "no.toml")
    with pytest.raises(CannotOpen, match=r"cannot read the options file"):
        toml.load(tmp_path)


def test_a_file_may_be_empty_or_begin_with_a_byte_order_mark(tmp_path):
    assert toml.load(written(tmp_path, "")) == {}
    (tmp_path / "my.toml").write_bytes(b"\xef\xbb\xbfseed = 5\n")
    assert toml.load(tmp_path / "my.toml") == {"seed": 5}
