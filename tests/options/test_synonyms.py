"""What other programs call an option leads to the option, and nowhere else."""

from __future__ import annotations

import pytest

from bgsub.cli.main import program
from bgsub.errors import UsageError
from bgsub.options.synonyms import HERE, meant
from bgsub.options.toml import parse

KNOWN = {name for command in program.commands.values() for item in command.params for name in item.opts}


def test_what_is_suggested_is_there_and_what_is_there_needs_no_suggestion():
    assert set(HERE.values()) <= KNOWN
    main_job = {name for item in program.commands["separate"].params for name in item.opts}
    assert [word for word in HERE if word in main_job] == []


def test_the_meaning_counts_more_than_the_letters():
    assert "'--roi'" in meant("--mask", ["--rank", "--roi"])
    assert "'--exclude'" in meant("--ignore", ["--exclude", "--roi"])
    assert meant("--mask", ["--seed"]) == ""  # a command without regions


def test_a_file_of_options_is_helped_too():
    with pytest.raises(UsageError, match="did you mean 'roi'"):
        parse("crop", [1, 2, 3, 4])
