"""What is printed cannot command the terminal, whatever a file is called."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from clip_kit import scene

from bgsub.cli.bars import Bars
from bgsub.cli.say import printable

NAMES = ["a\x1b[31mred", "bell\x07", "back\x08\x08", "c1\x9b2J", "turned\u202egnp", "nul\x7f"]
UNPRINTABLE = "\x1b\x07\x08\x9b\u202e\x7f"


def test_text_without_control_characters_stays():
    for text in ["plain\n", "é顔 🎥 ñ\t—", "back\\slash"]:
        assert printable(text) == text


@pytest.mark.filterwarnings("default::bgsub.errors.BgsubWarning")
@pytest.mark.parametrize("name", NAMES)
def test_names_are_escaped_wherever_they_are_printed(call, tmp_path, name):
    folder = tmp_path / name
    for done in (call("info", folder), call("separate", folder, "-o", tmp_path / "out")):
        assert done.code == 1
        assert not set(UNPRINTABLE) & set(done.err)
        assert name[0] in done.err
    folder.mkdir()
    for number, frame in enumerate(scene(4).frames):
        cv2.imwrite(str(folder / f"{number}.png"), frame.astype(np.uint16) * 7)
    (folder / "5.png").write_bytes(b"damaged")
    for done in (
        call("info", folder),
        call("separate", folder, "-o", tmp_path / "out", "--outputs", "plate"),
    ):
        assert done.code == 0
        assert not set(UNPRINTABLE) & set(done.err + done.out)
        assert "uint16" in done.err


@pytest.mark.parametrize("name", NAMES)
def test_lines_above_a_bar_are_escaped(capsys, name):
    Bars(quiet=False).say(f"reading {name}")
    said = capsys.readouterr().err
    assert said.startswith("reading ")
    assert not set(UNPRINTABLE) & set(said)
