"""Who is on which input: others only, for a while, and nothing is kept of tests that nobody is on."""

from __future__ import annotations

from reviewapp.web.presence import FRESH_SECONDS, MOST_TESTS, Presence, Seen


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_others_are_seen_where_they_were_last() -> None:
    presence = Presence(Clock())
    presence.note("default", "t1", "Ann", 0)
    presence.note("default", "t1", "Ben", 3)
    presence.note("default", "t1", "Ben", 4)
    presence.note("default", "t2", "Cid", 5)
    presence.note("other", "t1", "Dan", 6)
    presence.note("default", "t1", "Eve", None)
    assert presence.others("default", "t1", "Ann") == [Seen("Ben", 4)]
    assert presence.others("default", "t1", "Ben") == [Seen("Ann", 0)]


def test_whoever_is_gone_is_forgotten() -> None:
    clock = Clock()
    presence = Presence(clock)
    presence.note("default", "t1", "Ben", 3)
    clock.now = FRESH_SECONDS
    assert presence.others("default", "t1", "Ann") == [Seen("Ben", 3)]
    clock.now += 0.1
    assert presence.others("default", "t1", "Ann") == []


def test_what_is_kept_does_not_grow() -> None:
    clock = Clock()
    presence = Presence(clock)
    for number in range(3 * MOST_TESTS):
        clock.now += 1
        presence.note("default", f"t{number}", "Ben", 0)
    assert len(presence._places) <= MOST_TESTS
