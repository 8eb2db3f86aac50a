"""Methods and terms on the command line: what is asked for is done, with its reasons, or refused before it begins."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from clip_kit import f_measure, names, read_video, scene

from bgsub import Options
from bgsub.options import toml

SMALL = ("--outputs", "mask", "--scale", "1", "--threads", "1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "labels", "parameters"),
    [
        (("--sparse", "lp", "--delta", "0.1"), ["τ′", "s", "δ"], {"tau", "sparsity", "delta"}),
        (("--sparse", "elastic-net"), ["τ′", "λ1", "λ2"], {"tau", "lambda1", "lambda2"}),
        (("--sparse", "group", "--method", "alt-pgcg"), ["τ′", "s"], {"tau", "sparsity"}),
        (("--low-rank", "nuclear-penalty"), ["μ", "s"], {"weight", "sparsity"}),
    ],
    ids=["lp", "elastic-net", "group", "nuclear-penalty"],
)
def test_a_choice_is_used_explained_and_reported(flags, labels, parameters, call, clip, tmp_path):
    done = call("separate", clip, "-o", tmp_path / "out", *SMALL, *flags, "--verbose")
    assert done.code == 0, done.err
    told = [line.split()[0] for line in done.err.splitlines() if line.startswith("  ")]
    said = told[told.index("method") :]
    memory = [] if flags[1] in ("elastic-net", "lp") else ["memory:"]
    assert said == [
        "method",
        "stabilisation",
        "ground:",
        "confidence",
        *labels,
        "rank",
        *memory,
        "threshold",
        "objective",
    ]
    [segment] = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))["segments"]
    known = ("tau", "weight", "sparsity", "delta", "lambda1", "lambda2")
    assert {name for name in known if segment[name] is not None} == parameters
    found = read_video(tmp_path / "out" / "mask.mkv", "gray")[0]
    assert f_measure(found, scene().mask) > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("method", ["alt-cgpg", "cgcg-p"])
@pytest.mark.filterwarnings("always::bgsub.BgsubWarning")
def test_a_method_that_does_not_suit_video_runs_and_says_which_does(method, call, clip, tmp_path):
    done = call("separate", clip, "-o", tmp_path / "out", *SMALL, "--method", method, "--verbose")
    assert done.code == 0
    unsolved = (
        f"bgsub: warning: --method {method} has not solved the fit: the optimum may be lower by 100% of"
    )
    assert (unsolved in done.err) == (method != "cgcg-p")
    [line] = [line for line in done.err.splitlines() if line.strip().startswith("method ")]
    assert (
        f"method {method}: as asked for; alt-pgcg is better where s > τ, since {method} moves one entry"
        in line
    )


REFUSED = [
    (
        ("--method", "cgcg", "--low-rank", "nuclear-penalty"),
        ("(lmo) of the low-rank term", "--method alt-pgpg"),
    ),
    (("--low-rank", "psd"), ("not symmetric", "TraceBall")),
    (("--sparse", "lp", "--delta", "0"), ("--delta is 0, but must be > 0, ≤ 1",)),
    (("--sparse", "elastic-net", "--lambda1", "-1"), ("--lambda1 is -1, but must be ≥ 0",)),
]


def test_what_cannot_be_is_refused_in_one_line_before_anything_is_written(call, clip, tmp_path):
    for flags, words in REFUSED:
        for command, target in (("separate", ["-o", tmp_path / "out"]), ("info", [])):
            done = call(command, clip, *target, *flags)
            assert (done.code, done.out, names(tmp_path)) == (1, "", [])
            [line] = done.err.splitlines()
            assert [word for word in words if word not in line] == [], line


def test_a_refused_pair_in_a_file_names_the_file(call, clip, tmp_path):
    (tmp_path / "my.toml").write_text('method = "cgcg"\nlow-rank = "nuclear-penalty"\n')
    done = call("info", clip, "--config", tmp_path / "my.toml")
    assert done.err.startswith(f"bgsub: {tmp_path / 'my.toml'}: --method cgcg needs")


@pytest.mark.filterwarnings("always::bgsub.BgsubWarning")
def test_a_parameter_of_another_term_is_said_to_be_unused(call, clip, tmp_path):
    said = "--lambda1 4 is not used: --sparse is l1, and it belongs to elastic-net"
    for flags in ([], ["--dry-run"]):
        done = call("separate", clip, "-o", tmp_path / "out", *SMALL, "--lambda1", "4", *flags)
        assert done.code == 0
        assert done.err.count(f"bgsub: warning: {said}\n") == done.err.count(said) == 1


def test_the_new_options_are_printed_and_read_back(call, tmp_path):
    flags = [
        "--method",
        "fista",
        "--low-rank",
        "nuclear-penalty",
        "--weight",
        "900",
        "--sparse",
        "elastic-net",
    ]
    flags += ["--lambda1", "9.5", "--lambda2", "0.25", "--delta", "0.1"]
    printed = call("separate", "--print-config", *flags)
    (tmp_path / "my.toml").write_text(printed.out, encoding="utf-8")
    terms = Options(method="fista", low_rank="nuclear-penalty", sparse="elastic-net")
    values = {"weight": 900.0, "lambda1": 9.5, "lambda2": 0.25, "delta": 0.1}
    assert Options(**toml.load(tmp_path / "my.toml")) == replace(terms, **values)
    assert 'sparse = "l1"' in call("separate", "--print-config").out


def test_info_says_what_whole_arrays_take_and_a_run_says_the_same(call, clip, tmp_path):
    about = call("info", clip, "--sparse", "group", "--method", "alt-pgcg").out
    taken = re.search(r"keeps 56 bytes an entry, (\d+) MB for 40 columns", about)
    assert taken is not None
    assert f"memory     {taken[1]} MB for the fit" in about
    done = call(
        "separate",
        clip,
        "-o",
        tmp_path / "out",
        *SMALL,
        "--sparse",
        "group",
        "--method",
        "alt-pgcg",
        "--verbose",
    )
    assert taken[0] in done.err
    assert "bytes an entry" not in call("info", clip).out
