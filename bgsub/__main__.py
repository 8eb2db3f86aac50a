"""``python -m bgsub``, and what the command ``bgsub`` calls: signals are heeded before anything else is loaded."""

from bgsub.cli.stop import INTERRUPTED, deafen, leave, say_interrupted, watch


def main() -> None:
    """Run the program on the words of the command line, and end the process."""
    try:
        watch()
        from bgsub.cli.main import run

        code = run()
        deafen()
    except KeyboardInterrupt:
        # While the program was being loaded, or had just done its work.
        deafen()
        say_interrupted()
        code = INTERRUPTED
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    leave(code)


if __name__ == "__main__":
    main()
