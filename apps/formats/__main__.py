"""``python apps/formats``: write files of every kind, and show that each is read or refused in one line."""

from __future__ import annotations

import sys
from pathlib import Path

# Python puts this folder first in the path; its modules are to be found as a package, under no shorter name. The
# processes that it starts run this line, too, which is why it stands outside of the condition.
sys.path[0] = str(Path(__file__).resolve().parents[1])

if __name__ == "__main__":
    from formats.cli import main

    main()
