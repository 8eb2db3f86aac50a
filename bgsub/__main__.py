"""``python -m bgsub``."""

from bgsub.cli.main import main

if __name__ == "__main__":
    main()
