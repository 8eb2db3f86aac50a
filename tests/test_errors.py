"""The exception tree is what its docstring draws, and suggestions are near."""

from __future__ import annotations

import re

from bgsub import errors
from bgsub.errors import BgsubError, OptionError, UsageError, nearest


def family(kind: type, depth: int = 0) -> list[tuple[int, str]]:
    below = [entry for child in kind.__subclasses__() for entry in family(child, depth + 1)]
    return [(depth, kind.__name__), *below] if kind.__module__ == "bgsub.errors" else below


def test_the_tree_in_the_docstring_is_the_tree_of_classes():
    drawn = []
    for line in errors.__doc__.splitlines():
        if match := re.match(r" {4}([│ ├└─]*)(\w+) {2,}\w", line):
            drawn.append((len(match[1]) // 4, match[2]))
    assert drawn == family(BgsubError)


def test_option_errors_are_value_errors():
    assert issubclass(OptionError, ValueError)
    assert issubclass(UsageError, OptionError)


def test_the_nearest_word_is_suggested_if_any_is_near():
    near = {"treshold": "threshold", "scal": "scale", "rio": "roi", "nope": "", "zzz": "", "": ""}
    for word, suggestion in near.items():
        said = f"; did you mean '{suggestion}'?" if suggestion else ""
        assert nearest(word, ["threshold", "scale", "roi", "opt", "home"]) == said


def test_a_word_of_another_meaning_is_not_suggested():
    for word in ("--shape", "--stale-ness", "--range-of-view", "--r"):
        assert nearest(word, ["--scale", "--range", "--roi"]) == ""
    assert "'--threshold'" in nearest("--thresh", ["--threshold", "--threads"])
