"""Fixtures that more than one folder of tests uses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Before NumPy is imported. The threads of BLAS wait for each other in small products, and where something else runs
# on the machine they take many times as long as one; the processes that tests start inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A machine that is busy with something else is no fault of the program.
settings.register_profile("bgsub", deadline=None)
settings.load_profile("bgsub")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of local test data; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("local test data is absent")
    return SHARED
