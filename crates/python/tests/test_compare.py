"""Matches between agents by text."""

import threading
import time

import pytest
import ramure
from conftest import Die, Sticks, interrupted
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
        interrupted(lambda start=start: ramure.compare(start(), "mcts:200", "mcts:200", games=100_000))


def test_ctrl_c_does_not_wait_for_the_end_of_a_game():
    class Slow(Sticks):
        def actions(self):
            time.sleep(0.001)
            return super().actions()

    # One game takes a minute and more.
    for work in [
        lambda: ramure.compare(Slow(5_000), "mcts:10", "mcts:10", games=2),
        lambda: ramure.compare(Slow(5_000), lambda state: time.sleep(0.02) or 1, "first", games=2),
        lambda: ramure.compare(games.hex(19), lambda state: time.sleep(0.3) or state.actions()[0], "first", games=2),
        lambda: ramure.tune(Slow(5_000), "mcts:10", games=100),
    ]:
        assert interrupted(work) < 1


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
    for name in ["games", "openings", "seed", "threads"]:
        with pytest.raises(ValueError, match=f"`{name}` is -1; it must be a whole number from 0 to"):
            ramure.compare(Sticks(), "mcts:60", "random", **{name: -1})
    with pytest.raises(ValueError, match="leave out `threads`"):
        ramure.compare(Sticks(), "mcts:60", "random", threads=2)
    with pytest.raises(TypeError, match="is not a game"):
        ramure.compare(3, "mcts:60", "random")


def last(state):
    return state.actions()[-1]


@pytest.mark.parametrize("start", [games.connect4, lambda: Sticks(21)])
def test_functions_are_agents(start):
    threads = set()

    class Searcher:
        def __call__(self, state):
            threads.add(threading.get_ident())
            action = ramure.Search(state, seed=3).run(iterations=60).best_action
            state.apply(action)  # it is a copy
            return action

    result = ramure.compare(start(), Searcher(), last, games=20, openings=2, seed=1)
    assert [standing.name for standing in result.standings] == ["Searcher", "last"]
    assert result.standings[0].score > 0.8 and result.standings[0].forfeits == [] and len(threads) == 1
    assert ramure.compare(start(), "mcts:20", last, games=4).standings[1].name == "last"
    same = ramure.compare(start(), last, last, games=4)
    assert [standing.name for standing in same.standings][0] == "last"


@pytest.mark.parametrize("start", [games.connect4, lambda: Sticks(21)])
def test_what_an_agent_raises_ends_the_match(start):
    def raises(state):
        calls.append(1)
        raise LookupError("no idea")

    calls = []
    with pytest.raises(LookupError, match="no idea"):
        ramure.compare(start(), "random", raises, games=1_000)
    assert len(calls) < 10
    for wrong in ["x", None, [1], 9, Sticks]:
        with pytest.raises(ValueError, match="the agent wrong chose .*, which is not legal; choose one of"):

            def wrong_agent(state, wrong=wrong):
                return wrong

            wrong_agent.__name__ = "wrong"
            ramure.compare(start(), "random", wrong_agent, games=4)
    for agent in [3, None, ["mcts:20"]]:
        with pytest.raises(TypeError, match="give a text or a function"):
            ramure.compare(start(), "random", agent)


@pytest.mark.parametrize("method", ["actions", "__copy__"])
def test_what_a_game_raises_around_a_function_is_its_own(method):
    class Raises(Sticks):
        calls = after = 0

    def hook(self):
        Raises.calls += 1
        if Raises.calls >= 20:
            Raises.after += 1
            raise LookupError("no more")
        return getattr(super(Raises, self), method)()

    setattr(Raises, method, hook)
    with pytest.raises(ramure.SearchError, match=f"`{method}` raised LookupError: no more") as caught:
        ramure.compare(Raises(10), lambda state: 1, lambda state: 1, games=100)
    assert isinstance(caught.value.__cause__, LookupError) and Raises.after == 1


@pytest.mark.parametrize("error", [LookupError("no hash"), KeyboardInterrupt()])
@pytest.mark.parametrize("method", ["__hash__", "__eq__", "__repr__"])
def test_what_an_action_raises_is_not_lost(method, error):
    if method == "__repr__" and isinstance(error, Exception):
        pytest.skip("the kind of the action takes the place of its text")

    class Action:
        def __hash__(self):
            return hash(1)

        def __eq__(self, other):
            return method == "__eq__"

    def hook(self, *arguments):
        raise error

    setattr(Action, method, hook)
    with pytest.raises((ValueError, KeyboardInterrupt)) as caught:
        ramure.compare(Sticks(10), lambda state: Action(), "random", games=4)
    assert error in (caught.value, caught.value.__cause__)
    if isinstance(caught.value, ValueError):
        assert "is not legal" in str(caught.value)


def test_functions_on_several_threads():
    result = ramure.compare(games.tic_tac_toe(), "mcts:30", last, games=20, threads=2, seed=2)
    assert result.standings[0].score > 0.6


def test_ctrl_c_ends_a_match_of_functions():
    interrupted(lambda: ramure.compare(games.hex(7), last, last, games=1_000_000))


@pytest.mark.parametrize("start", [games.tic_tac_toe, lambda: Sticks(7)])
def test_a_tuning_finds_settings(start):
    tunings = [ramure.tune(start(), "mcts:5", games=160, seed=5) for _ in range(2)]
    assert tunings[0] == tunings[1]
    tuning = tunings[0]
    assert 120 < tuning.games <= 160 and tuning.best.startswith("mcts:5") and "Mcts::new" in tuning.code
    assert tuning.best in [row.name for row in tuning.rows] and "settings tried in" in str(tuning)
    for row in tuning.rows + tuning.fresh:
        assert row.forfeits == [] and row.interval[0] <= row.interval[1]
    assert ramure.compare(start(), tuning.best, "random", games=4).standings[0].forfeits == []


def test_a_tuning_keeps_what_the_text_sets():
    tuning = ramure.tune(games.tic_tac_toe(), "mcts:10,policy=ucb1-tuned", games=40)
    assert all("policy=ucb1-tuned" in row.name for row in tuning.rows)
    assert ramure.tune(games.tic_tac_toe(), "mcts:5", minutes=0.005).games > 0


def test_ctrl_c_ends_a_tuning():
    for start in [games.tic_tac_toe, Sticks]:
        interrupted(lambda start=start: ramure.tune(start(), "mcts:50", games=1_000_000))


def test_notebooks_show_matches_and_tunings_as_tables():
    result = ramure.compare(Sticks(), "mcts:20", "random", games=4)
    assert result._repr_html_().count("<tr>") == 3 and f"{result.standings[0].score:.3f}" in result._repr_html_()
    tuning = ramure.tune(Sticks(), "mcts:10", games=60)
    assert tuning._repr_html_().count("<tr>") == len(tuning.rows) + 1 + (len(tuning.fresh) + 1 if tuning.fresh else 0)
    nobody = ramure.Standing("<b>", 0, 0, 0, float("nan"), (0.0, 1.0), 0.0, [])
    assert "&lt;b&gt;" in ramure.Comparison([nobody], "")._repr_html_()


def test_tunings_that_are_refused():
    for settings, match in [
        ({}, "give `games` or `minutes`"),
        ({"games": 10, "minutes": 1}, "give `games` or `minutes`"),
        ({"games": 0}, "games"),
        ({"minutes": -1}, "minutes"),
        ({"minutes": float("nan")}, "minutes"),
        ({"default": "mtcs:10", "games": 10}, "did you mean"),
        ({"default": "mcts:10,threads=2", "games": 10}, "leave out `threads`"),
        ({"threads": 2, "games": 10}, "leave out `threads`"),
    ]:
        with pytest.raises(ValueError, match=match):
            ramure.tune(Sticks(), **settings)
    with pytest.raises(ValueError, match="a game of one player"):
        ramure.tune(Die(), "mcts:10", games=10)
    with pytest.raises(TypeError, match="is not a game"):
        ramure.tune(3, games=10)

    class Raises(Sticks):
        def apply(self, taken):
            if self.left == 4:
                raise ValueError("four are left")
            super().apply(taken)

    with pytest.raises(ramure.SearchError, match="four are left") as caught:
        ramure.tune(Raises(), "mcts:10", games=20)
    assert isinstance(caught.value.__cause__, ValueError)
