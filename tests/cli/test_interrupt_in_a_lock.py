"""An interrupt that surfaces as another error is still an interrupt."""

from __future__ import annotations

import pytest

from bgsub.cli import main as program


def test_an_error_that_began_with_an_interrupt_is_an_interrupt(monkeypatch, capsys):
    def invoke(_context: object) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("release unlocked lock")

    monkeypatch.setattr(program.program, "invoke", invoke)
    with pytest.raises(SystemExit) as stop:
        program.main(["info", "x"])
    assert stop.value.code == 130
    assert capsys.readouterr().err == "bgsub: interrupted; no file is left half-written\n"
