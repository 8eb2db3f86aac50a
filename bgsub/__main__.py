"""Entry point of ``python -m bgsub`` and ``bgsub``: installs signal handlers before loading anything else."""

from bgsub.cli.stop import INTERRUPTED, deafen, leave, say_interrupted, watch


def main() -> None:
    """Run the program on the command-line arguments and exit."""
    try:
        watch()
        from bgsub.cli.main import run

        code = run()
        deafen()
    except KeyboardInterrupt:
        # Ctrl-C while modules were loading, or just after the work was done.
        deafen()
        say_interrupted()
        code = INTERRUPTED
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    leave(code)


if __name__ == "__main__":
    main()
