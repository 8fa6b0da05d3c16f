"""The rules kit for games written in Python. Your own test looks like the first of these."""

import subprocess
import sys
from pathlib import Path

import pytest
import ramure
from conftest import Die, Sticks, interrupted


def test_the_rules_of_sticks():
    print(ramure.check(Sticks(10), constant_sum=1.0))


def test_games_with_chance_and_of_one_player_pass():
    assert "laws hold" in ramure.check(Die())


def test_a_copy_that_shares_state_is_found():
    class Shared:
        def __init__(self, taken=None):
            self.taken = [] if taken is None else taken

        def __copy__(self):
            return Shared(self.taken)  # a reference to the same list

        def turn(self):
            return None if len(self.taken) >= 4 else len(self.taken) % 2

        def actions(self):
            return [n for n in range(4) if n not in self.taken]

        def apply(self, n):
            self.taken.append(n)

        def reward(self, player):
            return 0.5

    with pytest.raises(ramure.Violation, match="a clone is independent") as caught:
        ramure.check(Shared())
    assert caught.value.law == "Clones" and caught.value.actions == []


def test_an_exception_is_shown_with_the_shortest_line():
    class Raises(Sticks):
        def apply(self, taken):
            if self.left == 4:
                raise ValueError("four are left")
            super().apply(taken)

    with pytest.raises(ramure.Violation) as caught:
        ramure.check(Raises(10))
    text = str(caught.value)
    assert "`apply` raised ValueError: four are left; then" in text and "panicked" not in text
    assert ".rs" not in text and "Raises(left=4" in text
    assert isinstance(caught.value.__cause__, ValueError) and len(caught.value.actions) == 3


def test_a_loss_of_minus_one_is_found():
    class Losses(Sticks):
        def reward(self, player):
            return -1.0 if player == self.player else 1.0

    with pytest.raises(ramure.Violation, match="rewards are in range"):
        ramure.check(Losses(5))


def test_randomness_in_apply_is_found():
    import random

    class Random(Sticks):
        def apply(self, taken):
            super().apply(random.randint(1, min(self.left, 3)))

    with pytest.raises(ramure.Violation):
        ramure.check(Random(10))


def test_equal_states_must_have_equal_futures():
    class Equal(Sticks):
        def __eq__(self, other):
            return self.left == other.left  # forgets the player

        def __hash__(self):
            return hash(self.left)

    with pytest.raises(ramure.Violation, match="equal states") as caught:
        ramure.check(Equal(6))
    assert caught.value.law == "Equality"


def test_equal_keys_must_have_equal_futures_and_evaluations_must_be_in_range():
    class Keyed(Sticks):
        def key(self):
            return self.left  # forgets the player

    class Judged(Sticks):
        def evaluation(self, player):
            return 1.5 if self.left == 3 else 0.5

    for game, law in [(Keyed(6), "Keys"), (Judged(6), "Evaluation")]:
        with pytest.raises(ramure.Violation) as caught:
            ramure.check(game)
        assert caught.value.law == law


def test_rollouts_must_end_games_as_random_play_does():
    class Greedy(Sticks):
        def random_rollout(self, random):
            while self.left:
                self.apply(min(self.left, 3))

    with pytest.raises(ramure.Violation, match="ended by `random_rollout`") as caught:
        ramure.check(Greedy(6))
    assert caught.value.law == "RandomRollout"


def test_laws_can_be_left_out():
    class Draws(Sticks):
        def reward(self, player):
            return 0.5

    with pytest.raises(ramure.Violation, match="not all results are equal"):
        ramure.check(Draws(10))
    assert "laws hold" in ramure.check(Draws(10), without=["Results"])
    with pytest.raises(ValueError, match="no law has the name Result;"):
        ramure.check(Draws(10), without=["Result"])


def test_ctrl_c_ends_a_check():
    interrupted(lambda: ramure.check(Sticks(200), games=1_000_000))


def test_a_call_that_takes_too_long_ends_the_process_if_that_is_asked_for():
    program = """
import time, ramure
from conftest import Sticks
class Slow(Sticks):
    def actions(self):
        time.sleep(1)
        return super().actions()
"""
    program += "ramure.check(Slow(1), patience=0.2)"
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 101 and "`actions` has not returned for 200ms" in ended.stderr
    with pytest.raises(ValueError, match="`patience` must be a number of seconds from 0"):
        ramure.check(Sticks(1), patience=-1)
    with pytest.raises(ValueError, match="`states` is -1; it must be a whole number"):
        ramure.check(Sticks(1), states=-1)
