"""What is live, and what it is called."""

from __future__ import annotations

import pytest

from bgsub.frames.live.address import ADDRESS, CAMERA, INPUT, kind_of, shown


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0", CAMERA),
        ("12", CAMERA),
        ("-", INPUT),
        ("rtsp://camera/1", ADDRESS),
        ("HTTP://camera/1", ADDRESS),
        ("-1", None),
        ("1.5", None),
        ("²", None),
        ("clip.mp4", None),
        ("", None),
        ("img%04d.png", None),
        (0, None),
    ],
)
def test_kinds(tmp_path, monkeypatch, text, kind):
    monkeypatch.chdir(tmp_path)
    assert kind_of(text) == kind


@pytest.mark.parametrize("name", ["0", "-"])
def test_a_file_of_that_name_is_a_file(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).touch()
    assert kind_of(name) is None


@pytest.mark.parametrize(
    "text",
    [
        "rtsp://admin:SECRET@host/1",
        "rtsp://admin:SECRET@host:554/1?channel=2",
        "http://:SECRET@host/",
        "rtsp://admin:a@SECRET@host/",
        "rtsp://admin:a/SECRET@host/1",
        "rtsp://admin:a:SECRET@host/1",
        "rtsp://admin:SEC%2FSECRET@host/1",
        "http://host/video?user=admin&password=SECRET&channel=1",
        "http://host/video?PWD=SECRET",
        "http://host/video?user=admin;passwd=SECRET",
        "http://host/video?access_token=SECRET#t",
        "https://admin:SECRET@host/a?signature=SECRET",
        "foo+bar://admin:SECRET@host",
    ],
)
def test_no_password_is_shown(text):
    assert "SECRET" not in shown(text)
    assert "host" in shown(text)


@pytest.mark.parametrize(
    "text", ["rtsp://admin@host/1", "http://host/a@b.mp4", "http://host/a?channel=1", "a:b@c.mp4", "clip.mp4"]
)
def test_what_holds_none_is_shown_as_it_is(text):
    assert shown(text) == text
