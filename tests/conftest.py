"""Fixtures that more than one folder of tests uses."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of local test data; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("local test data is absent")
    return SHARED
