"""Matches between agents by text."""

import signal
import threading

import pytest
import ramure
from conftest import Sticks
from ramure import games


@pytest.mark.parametrize("start", [games.connect4, Sticks])
def test_a_search_beats_random_play(start):
    result = ramure.compare(start(), "mcts:60", "random", games=40, seed=3)
    search, random = result.standings
    # The agents of a seed are the same on every machine.
    assert search.name == "mcts:60" and search.wins + search.draws + search.losses == 40
    assert search.interval[0] > 0.5 > random.interval[1] and search.score == pytest.approx(1 - random.score)
    assert search.forfeits == [] and search.seconds > 0 and "mcts:60" in str(result)
    again = ramure.compare(start(), "mcts:60", "random", games=40, seed=3)
    assert [standing.wins for standing in again.standings] == [search.wins, random.wins]


def test_what_a_game_raises_ends_the_match():
    class Raises(Sticks):
        def apply(self, taken):
            if self.left == 4:
                raise ValueError("four are left")
            super().apply(taken)

    with pytest.raises(ramure.SearchError, match="`apply` raised ValueError: four are left") as caught:
        ramure.compare(Raises(10), "mcts:20", "random", games=10)
    assert isinstance(caught.value.__cause__, ValueError)


def test_an_agent_whose_search_fails_forfeits_its_games():
    class Rewards(Sticks):
        def reward(self, player):
            return 2.0

    result = ramure.compare(Rewards(10), "mcts:20", "mcts:20", games=2)
    forfeits = [text for standing in result.standings for text in standing.forfeits]
    assert len(forfeits) == 2
    for text in forfeits:
        # The line of play has actions, not their numbers.
        assert "the reward of player 0 is 2" in text and "action number" not in text, text


@pytest.mark.parametrize("method", ["turn", "actions", "apply", "reward", "__copy__", "players"])
@pytest.mark.parametrize("agents", [("mcts:5", "random"), ("mc:5", "first")])
def test_nothing_is_asked_after_an_exception(method, agents):
    class Raises(Sticks):
        calls = after = 0

        def players(self):
            return 2

    def hook(self, *arguments):
        Raises.calls += 1
        if Raises.calls >= 30:
            Raises.after += 1
            raise ValueError("no more")
        return getattr(super(Raises, self), method)(*arguments) if method != "players" else 2

    setattr(Raises, method, hook)
    with pytest.raises(ramure.SearchError, match=f"`{method}` raised ValueError: no more"):
        ramure.compare(Raises(10), *agents, games=100_000)
    assert Raises.after == 1


def test_ctrl_c_ends_a_match():
    for start in [lambda: games.hex(7), lambda: Sticks(40)]:
        timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            ramure.compare(start(), "mcts:200", "mcts:200", games=100_000)
        timer.join()


def test_bad_input():
    for agents, match in [
        (("mtcs:60", "random"), "did you mean `mcts`"),
        (("mcts:60",), "agent"),
        (("mcts:60", "random", "first"), "agent"),
    ]:
        with pytest.raises(ValueError, match=match):
            ramure.compare(Sticks(), *agents)
    with pytest.raises(ValueError, match="games"):
        ramure.compare(Sticks(), "mcts:60", "random", games=3)
    with pytest.raises(ValueError, match="leave out `threads`"):
        ramure.compare(Sticks(), "mcts:60", "random", threads=2)
    with pytest.raises(TypeError, match="is not a game"):
        ramure.compare(3, "mcts:60", "random")
