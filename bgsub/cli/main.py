"""The ``bgsub`` program: its commands and its error handling."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

import click

from bgsub.cli.benchmark import benchmark
from bgsub.cli.evaluate import evaluate
from bgsub.cli.frame import frame
from bgsub.cli.info import info
from bgsub.cli.jsonlines import put
from bgsub.cli.say import StandardOutput, give, printable, take_any_text, tell
from bgsub.cli.separate import separate
from bgsub.cli.stop import INTERRUPT, INTERRUPTED, asked, deafen, watching
from bgsub.cli.words import SHOWN, asks_for_json, with_command
from bgsub.errors import BgsubError, UsageError, nearest
from bgsub.options.synonyms import meant
from bgsub.version import __version__

USAGE, FAILURE = 2, 1
JSON_FILE = ("evaluate", "benchmark")
"""Commands whose ``--json`` names a file; with others it asks for JSON on standard output."""
MAIN = "separate"
"""The command that is meant where only footage is named."""


@click.group(
    help="Background, foreground and mask videos from surveillance footage, by certified robust PCA.",
    epilog="Start with:  bgsub VIDEO, which is bgsub separate VIDEO: results go to VIDEO_bgsub, or to -o OUT.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="bgsub")
def program() -> None:
    """Hold the commands."""


for _command in (separate, frame, info, evaluate, benchmark):
    program.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program from Python and exit: 0 success, 1 failure, 2 usage error, 130 interrupted, 143 terminated."""
    with watching():
        code = run(arguments)
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program on *arguments*, by default those of the process; return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    words = with_command(words, program, MAIN)
    warnings.showwarning = _put_warning if asks_for_json(words, JSON_FILE) else _print_warning
    take_any_text()
    # The solver does its own multithreading; OpenBLAS's threads would only spin beside it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return _run(words)


def _run(words: list[str]) -> int:
    try:
        if not words:
            give(program.get_help(program.make_context("bgsub", [], resilient_parsing=True)) + "\n")
            return USAGE
        # Not program.main(), which prints an empty line of its own on Ctrl-C.
        with program.make_context("bgsub", list(words)) as context:
            program.invoke(context)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        return _fail(_in_one_line(error), USAGE, words)
    except BgsubError as error:
        return _fail(str(error), USAGE if isinstance(error, UsageError) else FAILURE, words)
    except MemoryError:
        return _fail("out of memory; use --columns, --scale or --gray to need less", FAILURE, words)
    except (click.Abort, KeyboardInterrupt):
        return _fail(INTERRUPT, INTERRUPTED, words)
    except BrokenPipeError:
        return FAILURE
    except StandardOutput as error:
        return _fail(f"cannot write to standard output: {error}", FAILURE, words)
    except Exception as error:
        return _fail(_unexpected(error, words), FAILURE, words)
    return 0


def _unexpected(error: Exception, words: list[str]) -> str:
    # click itself prints help and version, and then nothing else is done.
    if isinstance(error, OSError) and error.filename is None and set(SHOWN) & set(words):
        return f"cannot write to standard output: {error.strerror}"
    return f"unexpected {type(error).__name__}: {error}; please report it with the output of --debug"


def _fail(text: str, code: int, words: list[str]) -> int:
    if "--debug" in words:
        traceback.print_exc()
    # A lock interrupted while it is released raises an error of its own, and an interrupted import may raise any.
    if asked() == INTERRUPTED or _began_with_interrupt(sys.exc_info()[1]):
        text, code = INTERRUPT, INTERRUPTED
        deafen()
    elif (end := asked()) is not None:
        return end
    _tell_error(" ".join(text.split()), code, words)
    return code


def _tell_error(text: str, code: int, words: list[str]) -> None:
    if asks_for_json(words, JSON_FILE):
        with suppress(StandardOutput, OSError):
            put("error", message=printable(text), exit_code=code)
            return
    tell(f"bgsub: {text}")


def _began_with_interrupt(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__context__
    return False


def _in_one_line(error: click.ClickException) -> str:
    """Return click's message in one line, with the nearest command or option if it is about one."""
    text = error.format_message().rstrip(".")
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        names = [name for item in error.ctx.command.params for name in item.opts if name.startswith("--")]
        return f"unknown option '{error.option_name}'" + (
            meant(error.option_name, names) or f"; see {error.ctx.command_path} --help"
        )
    if isinstance(error, click.UsageError) and text.startswith("No such command"):
        word = text.split("'")[1]
        return f"unknown command '{word}'" + (
            nearest(word, program.commands)
            or f", and no such file; the commands are {', '.join(program.commands)}"
        )
    command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "bgsub"
    return f"{text[0].lower()}{text[1:]}; see {command} --help"


def _print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    tell(f"bgsub: warning: {' '.join(str(message).split())}")


def _put_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    put("warning", message=" ".join(str(message).split()))
