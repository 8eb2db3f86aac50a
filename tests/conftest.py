"""Fixtures that more than one folder of tests uses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Before NumPy is imported. The threads of BLAS wait for each other in small products, and where something else runs
# on the machine they take many times as long as one; the processes that tests start inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of local test data; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("local test data is absent")
    return SHARED
