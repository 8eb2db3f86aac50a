"""``python apps/benchmark``: the benchmarks as one command."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    # Python puts this folder first in the path; its modules are to be found as a package, under no shorter name.
    sys.path[0] = str(Path(__file__).resolve().parents[1])

    from benchmark.cli import main

    main()
