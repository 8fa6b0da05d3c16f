"""Games for the tests."""

from __future__ import annotations

import signal
import threading
import time

import pytest
import ramure

# A program that a shell starts in the background ignores Ctrl-C, and its children do, too. The tests raise it.
signal.signal(signal.SIGINT, signal.default_int_handler)


class Sticks:
    """Players take one, two or three sticks in turn. The player who takes the last one wins."""

    def __init__(self, left: int = 10, player: int = 0) -> None:
        self.left, self.player = left, player

    def __copy__(self) -> Sticks:
        return type(self)(self.left, self.player)

    def turn(self) -> int | ramure.Chance | None:
        return None if self.left == 0 else self.player

    def actions(self) -> range | list[int]:
        return range(1, min(self.left, 3) + 1)

    def apply(self, taken: int) -> None:
        self.left, self.player = self.left - taken, 1 - self.player

    def reward(self, player: int) -> float:
        return 0.0 if player == self.player else 1.0


class Die:
    """A player may roll a die, and wins with a six; or flips a coin."""

    def __init__(self, rolls: str | None = None, result: object = None) -> None:
        self.rolls, self.result = rolls, result

    def __copy__(self) -> Die:
        return Die(self.rolls, self.result)

    def players(self) -> int:
        return 1

    def turn(self) -> int | ramure.Chance | None:
        if self.rolls is None:
            return 0
        return ramure.CHANCE if self.result is None else None

    def actions(self) -> list[str]:
        if self.rolls is None:
            return ["die", "coin"]
        return ["six", "other"] if self.rolls == "die" else ["heads", "tails"]

    def probability(self, outcome: str) -> float:
        return {"six": 1 / 6, "other": 5 / 6}.get(outcome, 1 / 2)

    def apply(self, action: str) -> None:
        if self.rolls is None:
            self.rolls = action
        else:
            self.result = action

    def reward(self, player: int) -> float:
        return float(self.result in ("six", "heads"))


def goes_on_from_a_file(new, path) -> None:
    """Check that a search that was loaded gives the results of one that was never saved."""
    never, search, other = new(), new(), new()
    for found in (never, search):
        found.run(iterations=60)
    search.save(path)
    other.load(path)
    assert other.report().actions == never.report().actions
    reports = [found.run(iterations=60) for found in (never, search, other)]
    assert reports[0].actions == reports[1].actions == reports[2].actions


def interrupted(work, after=0.2) -> float:
    """Call ``work`` and press Ctrl-C. Return the seconds until ``KeyboardInterrupt`` is raised."""
    pressed = []

    def press():
        pressed.append(time.perf_counter())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(after, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    seconds = time.perf_counter() - pressed[0]
    timer.join()
    return seconds


@pytest.fixture
def sticks() -> Sticks:
    return Sticks()
