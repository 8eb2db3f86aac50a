"""The door to PyAV: exact times from every version."""

from __future__ import annotations

from fractions import Fraction

import av

from bgsub.base.pyav import display_matrix, fraction, rates, seconds


class Rational:
    """PyAV's own rational, from version 19 on: zero and x/0 are false."""

    def __init__(self, numerator: int, denominator: int) -> None:
        self.numerator, self.denominator = numerator, denominator

    def __bool__(self) -> bool:
        return self.numerator != 0 and self.denominator != 0


def test_a_rational_is_the_same_fraction_whatever_its_type():
    for kind in [Fraction, Rational, *([av.AVRational] if hasattr(av, "AVRational") else [])]:
        found = fraction(kind(30_000, 1001))
        assert found == Fraction(30_000, 1001), kind
        assert type(found) is Fraction, kind
        assert fraction(kind(0, 1)) is None, kind
        if kind is not Fraction:
            assert fraction(kind(1, 0)) is None, kind
            assert fraction(kind(0, 0)) is None, kind


def test_what_has_no_time_has_none():
    assert fraction(None) is None
    assert seconds(None, Fraction(1, 25)) is None
    assert seconds(3, None) is None
    assert seconds(0, Rational(1, 25)) == 0
    assert seconds(3, Rational(1, 25)) == Fraction(3, 25)


def test_the_claimed_rates_of_a_file_are_fractions(tmp_path, write_video, clip):
    path = write_video(tmp_path / "a.mkv", clip, rate=Fraction(30_000, 1001))
    with av.open(str(path)) as container:
        found = rates(container.streams.video[0])
    assert found
    assert {type(rate) for rate in found} <= {Fraction, type(None)}
    assert found[0] == Fraction(30_000, 1001)


def test_a_frame_without_side_data_has_no_matrix():
    assert display_matrix(av.VideoFrame(4, 4, "gray")) is None
