"""Signals that end the program: whenever and however often they come, it says one line, and nothing half-done stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from clip_kit import names, scene, write_video

from bgsub.cli import stop
from bgsub.cli.main import main

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")

ONE_LINE = "bgsub: interrupted; no file is left half-written\n"
REACHED = "reached"
HEED_SIGINT = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""Where the tests are a background job of a shell they ignore SIGINT, and so would what they start."""
PLACE = f"import sys, time\ndef reach(): print({REACHED!r}, flush=True)\n"
RUN = "from bgsub.__main__ import main\nmain()\n"


@contextmanager
def program(prepare: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Run the program on *arguments* in a process that first does *prepare*; `reach()` there is awaited."""
    code = HEED_SIGINT + PLACE + prepare + RUN
    command = [sys.executable, "-c", code, *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def await_place(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert REACHED in iter(lambda: process.stdout.readline().strip(), ""), process.stderr.read()


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Return exit code and standard error; what is waited for in the program takes longer than this does."""
    _, err = process.communicate(timeout=60)
    return process.returncode, err


@pytest.fixture(scope="module")
def clip(tmp_path_factory) -> Path:
    return write_video(tmp_path_factory.mktemp("clip") / "cam.mp4", scene(20, 32, 48).frames)


HANGING_CLEANUP = """
from bgsub.base.publish import Publication
from bgsub.render import writer
def hang(*_):
    reach()
    time.sleep(600)
Publication.__exit__ = hang
def interrupted(*_):
    signal.raise_signal(signal.SIGINT)
writer.Writer.written = interrupted
"""


@pytest.mark.slow
def test_a_second_ctrl_c_ends_a_clean_up_that_hangs_and_leaves_nothing(clip, tmp_path):
    words = ("-o", tmp_path / "a" / "out", "--outputs", "mask", "--quiet")
    with program(HANGING_CLEANUP, "separate", clip, *words) as process:
        await_place(process)
        assert any(path.name.startswith(".bgsub-") for path in tmp_path.rglob("*"))
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, ONE_LINE)
    assert names(tmp_path) == []


CUT_SHORT = """
from bgsub.base.publish import Publication
def cut(*_): raise KeyboardInterrupt
Publication.publish = Publication.__exit__ = cut
"""


@pytest.mark.slow
def test_an_interrupt_on_the_first_line_of_a_clean_up_leaves_nothing(clip, tmp_path):
    words = ("-o", tmp_path / "out", "--outputs", "mask", "--quiet")
    with program(CUT_SHORT, "separate", clip, *words) as process:
        assert ended(process) == (130, ONE_LINE)
    assert names(tmp_path) == []


LOADING = """
class Slow:
    def find_spec(self, name, *_):
        if name == "click":
            reach()
            time.sleep(600)
sys.meta_path.insert(0, Slow())
"""


@pytest.mark.parametrize(
    ("sent", "code", "said"), [(signal.SIGINT, 130, ONE_LINE), (signal.SIGTERM, 143, "")]
)
def test_a_signal_while_the_program_is_loaded_prints_no_traceback(sent, code, said):
    with program(LOADING, "info", "x") as process:
        await_place(process)
        process.send_signal(sent)
        assert ended(process) == (code, said)


ENDING = """
import atexit
def late():
    reach()
    time.sleep(1)
atexit.register(late)
"""


@pytest.mark.slow
def test_a_signal_after_the_work_is_done_is_too_late():
    with program(ENDING, "--version") as process:
        await_place(process)
        process.send_signal(signal.SIGINT)
        assert ended(process) == (0, "")


def test_an_interrupted_run_does_not_wait_for_the_end_of_the_interpreter():
    with program(LOADING + ENDING, "info", "x") as process:
        await_place(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err, out) == (130, ONE_LINE, "")


SWALLOWED = """
class Dying:
    def __del__(self):
        reach()
        time.sleep(600)
import bgsub.frames.read.open as opening
def hang(*_, **__):
    dying = Dying()
    del dying
    time.sleep(600)
opening.open_source = hang
"""


@pytest.mark.slow
def test_an_interrupt_that_falls_into_a_finaliser_is_raised_after_it(clip, tmp_path):
    with program(SWALLOWED, "separate", clip, "-o", tmp_path / "out") as process:
        await_place(process)
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, ONE_LINE)


SECOND_ON_THE_WAY = """
import threading
start = threading.Timer.start
def interrupted(timer):
    signal.raise_signal(signal.SIGINT)
    start(timer)
threading.Timer.start = interrupted
"""


@pytest.mark.slow
def test_a_second_interrupt_while_the_first_is_brought_out_of_a_finaliser_ends_the_program(clip, tmp_path):
    with program(SWALLOWED + SECOND_ON_THE_WAY, "separate", clip, "-o", tmp_path / "out") as process:
        await_place(process)
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, ONE_LINE)


def test_an_interrupt_is_not_raised_again_where_nobody_heeds_it_any_more(handlers):
    """The program, called from Python, may have returned meanwhile; by default the signal would end the process."""
    received: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: received.append(number))
    stop._send(signal.SIGTERM)
    assert received == []


BECOMES_ANOTHER = """
import bgsub.frames.read.open as opening
def hang(*_, **__):
    try:
        reach()
        time.sleep(600)
    except BaseException:
        pass
    raise ImportError("numpy could not be loaded")
opening.open_source = hang
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "code", "said"),
    [(signal.SIGINT, 130, ONE_LINE), (signal.SIGTERM, 143, "")],
)
def test_a_signal_that_surfaces_as_another_error_is_what_ended_the_run(clip, tmp_path, sent, code, said):
    with program(BECOMES_ANOTHER, "separate", clip, "-o", tmp_path / "out") as process:
        await_place(process)
        process.send_signal(sent)
        assert ended(process) == (code, said)


STARTED = """
from bgsub.cli import stop
watch = stop.watch
def watch_and_tell():
    watch()
    reach()
stop.watch = watch_and_tell
"""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_two_signals_at_any_time_leave_one_line_and_no_file(clip, tmp_path, seed):
    """Which of the moments above they meet is left to chance."""
    with program(STARTED, "separate", clip, "-o", tmp_path / "out", "--quiet") as process:
        await_place(process)
        time.sleep(0.4 * seed)
        process.send_signal(signal.SIGINT)
        time.sleep(0.02 * seed)
        process.send_signal(signal.SIGINT)
        code, err = ended(process)
    assert (code, err) in [(130, ONE_LINE), (0, "")]
    assert [name for name in tmp_path.rglob("*") if ".part-" in name.name] == []


@pytest.fixture
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in stop.CODES}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_signal_that_is_ignored_stays_ignored(handlers):
    """As `nohup` asks for, and a script of its jobs in the background."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with stop.watching():
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        stop.deafen()
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_program_that_is_called_from_python_leaves_its_handlers_alone(handlers, capsys):
    before = {number: signal.getsignal(number) for number in stop.CODES}, sys.unraisablehook
    with pytest.raises(SystemExit):
        main(["--version"])
    assert ({number: signal.getsignal(number) for number in stop.CODES}, sys.unraisablehook) == before


def test_a_program_that_is_called_on_another_thread_runs(capsys):
    codes = []

    def call() -> None:
        with pytest.raises(SystemExit) as caught:
            main(["--version"])
        codes.append(caught.value.code)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert codes == [0]
