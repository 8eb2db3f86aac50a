"""Tracks of things whose ways are known."""

from __future__ import annotations

import numpy as np
import pytest
from event_kit import RATE, follow, thing

from bgsub.events.objects import Object, union


def tracks_of(found: list[dict]) -> list[set[int]]:
    return [set(each) for each in found]


@pytest.mark.parametrize("speed", [0.0, 1.5, -4.0, 9.0])
@pytest.mark.parametrize("rate", [5, 25, 60])
def test_whoever_goes_straight_is_one_track(speed, rate):
    frames = [[thing((round(90 + speed * (t - 10)), 40, 14, 30))] for t in range(20)]
    assert tracks_of(follow(frames, rate)) == [{0}] * 20


def test_things_keep_their_tracks_whatever_order_they_come_in():
    rng = np.random.default_rng(3)
    frames = [
        [thing((10 + 3 * t, 10, 12, 20)), thing((150 - 3 * t, 50, 12, 20)), thing((80, 90 - t, 12, 20))]
        for t in range(25)
    ]
    found = follow([[frame[k] for k in rng.permutation(3)] for frame in frames])
    for k in range(3):
        way = [next(track for track, box in found[t].items() if box == frames[t][k].box) for t in range(25)]
        assert len(set(way)) == 1, k


@pytest.mark.parametrize(("hidden", "same"), [(5, True), (24, True), (26, False)])
def test_a_track_waits_a_second_for_what_is_hidden(hidden, same):
    way = [thing((10 + 3 * t, 40, 12, 25)) for t in range(50)]
    frames = [[way[t]] if not 15 <= t < 15 + hidden else [] for t in range(50)]
    last = follow(frames)[-1]
    assert (set(last) == {0}) == same


def test_what_appears_far_away_is_another_thing():
    frames = [[thing((10, 20, 12, 20))]] * 5 + [[thing((150, 80, 12, 20))]]
    assert tracks_of(follow(frames))[-1] == {1}


def crossing(t: int, speed: float, colours: tuple[float, float]) -> list[Object]:
    """Two things that come from both sides and pass each other in frame 30; while they touch, they are one object."""
    one = thing((round(90 + speed * (t - 30)), 50, 16, 20), colours[0])
    other = thing((round(90 - speed * (t - 30)), 54, 16, 20), colours[1])
    if abs(one.box[0] - other.box[0]) > 18:
        return [one, other]
    x, y, width, height = union(one.box, other.box)
    return [thing((x, y, width, height), sum(colours) / 2)]


@pytest.mark.parametrize("speed", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("colours", [(100.0, 100.0), (40.0, 200.0)])
def test_two_that_cross_keep_their_tracks(speed, colours):
    found = follow([crossing(t, speed, colours) for t in range(60)])
    left, right = crossing(0, speed, colours)
    first = {box: track for track, box in found[0].items()}
    assert {found[59][first[left.box]][0] > 90, found[59][first[right.box]][0] < 90} == {True}
    assert len(set().union(*tracks_of(found))) == 2
    # While they touch, both are told, each in its part of the group.
    assert all(len(each) == 2 for each in found)


def test_two_that_meet_and_turn_back_are_told_apart_by_colour():
    def meet(t: int) -> list[Object]:
        ahead = 2 * min(t, 60 - t)
        one, other = thing((40 + ahead - 10, 50, 16, 20), 40.0), thing((160 - ahead - 10, 54, 16, 20), 200.0)
        if other.box[0] - one.box[0] > 18:
            return [one, other]
        return [thing(union(one.box, other.box), 120.0)]

    found = follow([meet(t) for t in range(61)])
    first = {box: track for track, box in found[0].items()}
    for each in meet(60):
        assert found[60][first[meet(0)[0].box if each.colour[0] == 40 else meet(0)[1].box]] == each.box


def test_a_group_that_stays_together_for_more_than_a_second_is_one_thing():
    apart = [[thing((40 + 2 * t, 50, 16, 30)), thing((120 - 2 * t, 50, 16, 30))] for t in range(15)]
    together = [[thing((68, 50, 36, 30))]] * (2 * RATE)
    found = follow(apart + together)
    assert len(found[16]) == 2
    assert len(found[-1]) == 1


def test_a_fragment_belongs_to_the_thing_around_it():
    whole = [[thing((40 + 2 * t, 30, 20, 60))] for t in range(10)]
    parts = [[thing((40 + 2 * t, 30, 20, 40)), thing((42 + 2 * t, 80, 8, 10))] for t in range(10, 20)]
    found = follow(whole + parts)
    assert tracks_of(found) == [{0}] * 20
    assert found[-1][0] == (78, 30, 20, 60)
