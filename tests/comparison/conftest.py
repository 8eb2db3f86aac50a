"""Small data sets, and the program called in this process."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from dataset_kit import write_sequence

from bgsub.cli.main import main


@pytest.fixture(scope="session")
def dataset(tmp_path_factory) -> Path:
    """Two sequences of one category, one of another; to be read only."""
    place = tmp_path_factory.mktemp("dataset")
    write_sequence(place / "easy" / "square", seed=1)
    write_sequence(place / "easy" / "gaps", seed=2, numbers=[*range(5, 12), *range(20, 29)])
    write_sequence(place / "hard" / "gray", seed=3, gray=True)
    return place


@pytest.fixture
def call(capfd) -> Callable[..., tuple[int, str, str]]:
    """Call ``main`` with arguments: exit code, standard output, standard error."""
    before = signal.getsignal(signal.SIGTERM)

    def run_main(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return int(stop.value.code or 0), captured.out, captured.err

    yield run_main
    signal.signal(signal.SIGTERM, before)
