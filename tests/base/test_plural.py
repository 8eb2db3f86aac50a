from __future__ import annotations

from bgsub.base.plural import count_of, plural, span


def test_one_of_a_thing_is_no_plural():
    for number, text in enumerate(["0 frames", "1 frame", "2 frames"]):
        assert count_of(number, "frame") == text
        assert plural("frame", number) == text.split()[1]


def test_a_span_of_one_number_is_that_number():
    assert span(3, 7) == "3–7"
    assert span(3, 3) == "3"
