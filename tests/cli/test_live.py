"""Addresses and standard input on the command line, to the end and interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from clip_kit import scene
from server_kit import Served, serving
from video_kit import write

import bgsub
from bgsub.frames.live import patience

CODE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from bgsub.__main__ import main\nmain()\n"
)
"""Where the tests are a background job of a shell they ignore SIGINT, and so would what they start."""


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("clip") / "a.ts"
    return write(path, scene(30, 48, 64).frames, codec="mpeg2video", options={"g": "5"}).read_bytes()


def program(*words: object, **more) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bgsub", *map(str, words)]
    return subprocess.run(command, capture_output=True, check=False, timeout=100, **more)


def test_an_address_is_separated_and_its_password_appears_nowhere(tmp_path, data):
    with serving(Served(data)) as served:
        address = served.address.replace("://", "://admin:topsecret@")
        run = program("separate", address, "-o", tmp_path / "out", "--verbose", text=True)
    assert run.returncode == 0, run.stderr
    report = (tmp_path / "out" / "run.json").read_text()
    assert json.loads(report)["frames"]["count"] == 30
    assert "admin:" in json.loads(report)["input"]["name"]
    assert "topsecret" not in report + run.stdout + run.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("command", ["info", "separate"])
def test_errors_hide_the_password_too(tmp_path, command, data):
    output = ["-o", tmp_path / "out"] if command == "separate" else []
    with serving(Served(data, status=[404] * 3, length=False)) as served:
        address = served.address.replace("://", "://admin:topsecret@")
        for words in ([address], [address.replace("http", "gopher")], [address.replace("http", "rtsp")]):
            run = program(command, *words, *output, "--debug", text=True)
            assert run.returncode == 1
            assert run.stderr.splitlines()[-1].startswith("bgsub: ")
            assert "topsecret" not in run.stdout + run.stderr


def test_standard_input_is_separated(tmp_path, data):
    run = program(
        "separate", "-", "-o", tmp_path / "out", "--duration", "20", "--outputs", "mask", input=data
    )
    assert run.returncode == 0, run.stderr
    assert json.loads((tmp_path / "out" / "run.json").read_text())["frames"]["count"] == 20


def test_what_an_address_holds_is_told_and_not_kept(tmp_path, data):
    with serving(Served(data)) as served:
        run = program("info", served.address, text=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert run.returncode == 0, run.stderr
    assert "64 × 48" in run.stdout
    assert list(tmp_path.iterdir()) == []


def test_python_reads_addresses_as_the_command_does(tmp_path, data):
    with serving(Served(data)) as served:
        assert (
            bgsub.separate(served.address, options=bgsub.Options(outputs="mask")).layers["mask"].shape[0]
            == 30
        )
        assert bgsub.fit(served.address).plate().shape == (48, 64, 3)


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_fetched(tmp_path, data):
    (tmp_path / "file").touch()
    with serving(Served(data)) as served:
        with pytest.raises(bgsub.OutputError):
            bgsub.separate(served.address, tmp_path / "file")
        assert served.asked == []


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_was_recorded_goes_when_the_program_is_stopped(tmp_path, data, number):
    served = Served(data, length=False, again=True, block=len(data) // 4, pause=0.01)
    with serving(served):
        words = ["separate", served.address, "-o", str(tmp_path / "out"), "--duration", "10:00:00"]
        process = subprocess.Popen([sys.executable, "-c", CODE, *words], stderr=subprocess.PIPE, text=True)
        try:
            await_recording(tmp_path)
            process.send_signal(number)
            _, err = process.communicate(timeout=2 * patience.TIMEOUT)
        finally:
            process.kill()
    assert process.returncode == 128 + number, err
    assert list(tmp_path.iterdir()) == []


def await_recording(folder: Path) -> None:
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size for path in folder.rglob(".bgsub-*/*")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
