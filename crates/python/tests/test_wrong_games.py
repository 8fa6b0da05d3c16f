"""Mistakes that games written in Python often have: each is named at once, with what to do."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
import ramure
from conftest import Sticks
from ramure import _text


class Board:
    """Three cells in a row of rows. The player who takes the last one wins."""

    def __init__(self, rows=None, player=0):
        self.rows = rows or [[0, 0, 0]]
        self.player = player

    def __copy__(self):
        return Board(list(self.rows), self.player)  # the rows are shared

    def turn(self):
        return self.player if 0 in self.rows[0] else None

    def actions(self):
        return [cell for cell, owner in enumerate(self.rows[0]) if owner == 0]

    def apply(self, cell):
        self.rows[0][cell] = self.player + 1
        self.player = 1 - self.player

    def reward(self, player):
        return float(player != self.player)


SHARES = r"the search changed your state: `__copy__` of \w+ returns a copy that shares something"


def test_a_copy_that_shares_a_list_is_found_by_its_first_action():
    board = Board()
    with pytest.raises(ramure.SearchError, match=SHARES) as caught:
        ramure.Search(board)
    assert (caught.value.ply, caught.value.line) == (None, [])
    assert sum(map(bool, board.rows[0])) == 1


def test_what_only_later_actions_share_is_found_after_the_run():
    class Late(Sticks):
        log = None

        def __copy__(self):
            other = Late(self.left, self.player)
            other.log = self.log
            return other

        def apply(self, taken):
            if self.left < 8:
                self.log.append(taken)
            super().apply(taken)

        def __repr__(self):
            return f"{self.left} {self.log}"

    game = Late(10)
    game.log = []
    search = ramure.Search(game)
    with pytest.raises(ramure.SearchError, match=SHARES):
        search.run(iterations=100)


def test_who_derives_from_the_protocol_is_checked_too():
    class Derived(Board, ramure.GameState):
        def __copy__(self):
            return Derived(list(self.rows), self.player)

    with pytest.raises(ramure.SearchError, match=SHARES):
        ramure.Search(Derived())


def test_what_states_share_and_remember_on_purpose_is_no_change():
    @dataclass
    class Remembers(Sticks):
        left: int
        player: int = 0
        known: object = None

        def key(self):
            self.known = (self.left, self.player)
            return self.known

    class Counts(Sticks):
        calls = 0
        table = {}

        def actions(self):
            self.calls += 1
            self.table[self.left] = self.calls
            return super().actions()

    assert ramure.Search(Remembers(10), "ucb1:transpositions=yes", seed=7).run(iterations=500).best_action == 2
    assert ramure.Search(Counts(10), seed=7).run(iterations=500).best_action == 2


def test_what_a_state_remembers_is_no_change():
    class Remembers(Sticks):
        _known = None
        calls = 0

        def key(self):
            self._known = (self.left, self.player)
            return self._known

    assert ramure.Search(Remembers(10), "ucb1:transpositions=yes", seed=7).run(iterations=500).best_action == 2


def test_an_apply_that_returns_another_state_is_named_at_once():
    class Returns(Sticks):
        def apply(self, taken):
            return Returns(self.left - taken, 1 - self.player)

    with pytest.raises(ramure.SearchError, match="`apply` returned another state; change the state that it is called on"):
        ramure.Search(Returns(10)).run(iterations=10)

    class Fluent(Sticks):
        def apply(self, taken):
            super().apply(taken)
            return self

    assert ramure.Search(Fluent(10), seed=7).run(iterations=500).best_action == 2


def test_actions_without_equality_are_named():
    class Take:
        def __init__(self, count):
            self.count = count

    class Objects(Sticks):
        kind = Take

        def actions(self):
            return [self.kind(count) for count in super().actions()]

        def apply(self, take):
            super().apply(take.count)

    with pytest.raises(ramure.SearchError, match=r"the actions of class Take have no `__eq__`.*@dataclass\(frozen=True\)"):
        ramure.Search(Objects(10))

    class Right(Objects):
        kind = dataclass(frozen=True)(type("Take", (), {"__annotations__": {"count": int}}))

    assert ramure.Search(Right(10), seed=7).run(iterations=500).best_action.count == 2


def test_a_game_that_is_over_at_the_start_is_not_checked():
    class Forgets(Sticks):
        def turn(self):
            self.player  # noqa: B018

    with pytest.raises(ValueError, match="the game is over at the start.*Is a `return` missing"):
        ramure.check(Forgets(10))
    with pytest.raises(ValueError, match="the game is over at the start"):
        ramure.check(Sticks(0))


@pytest.mark.parametrize("players", [0, 9, 200, 1000])
def test_a_wrong_number_of_players_is_named_with_the_range(players):
    wrong = type("Wrong", (Sticks,), {"players": lambda self: players})
    with pytest.raises((ValueError, TypeError), match=rf"`players` returned {players}; return the number of players, from 1 to 8"):
        ramure.Search(wrong(5))


@pytest.mark.parametrize("iterations", [0, -1])
def test_a_run_has_at_least_one_iteration(iterations):
    with pytest.raises(ValueError, match=rf"`iterations` is {iterations}; it must be a whole number from 1"):
        ramure.Search(Sticks(5)).run(iterations=iterations)


def test_a_report_between_runs_says_what_it_is():
    search = ramure.Search(Sticks(10), "ucb1:solver=no")
    search.run(iterations=300)
    report = search.report()
    assert report.root_visits == 300 and "300 visits of the root: reported without a run" in str(report)


def test_actions_of_numpy_become_json():
    class Numbers(Sticks):
        def actions(self):
            return list(np.arange(1, min(self.left, 3) + 1))

    report = ramure.Search(Numbers(10), seed=7).run(iterations=500)
    assert json.loads(json.dumps(report.to_dict()))["best_action"] == 2


def test_environments_are_told_which_adapter_takes_them():
    class Environment:
        action_space = None

        def step(self, action):
            return None

    with pytest.raises(TypeError, match=r"ramure.Planning\(ramure.gymnasium.Gymnasium\(env\)\)"):
        ramure.Search(Environment())
    with pytest.raises(TypeError, match=r"ramure.gymnasium.Gymnasium\(env\)"):
        ramure.Search(ramure.Planning(Environment(), horizon=3))
    turns = type("Turns", (Environment,), {"agent_selection": "first"})
    with pytest.raises(TypeError, match=r"ramure.pettingzoo.PettingZoo\(env\)"):
        ramure.Search(turns())


def test_each_word_that_is_no_search_is_told_its_place():
    game = ramure.games.connect4()
    for part, words in _text._PARTS.items():
        for word in words.split():
            assert ramure.Search(game, f"ucb1:{part}={word}").run(iterations=5).iterations == 5
            with pytest.raises(ValueError, match=f'`{word}` is a part of a search; write it as `{part}={word}`, as in "ucb1:{part}={word}"'):
                ramure.Search(game, word)
    for word in _text._AGENTS.split():
        with pytest.raises(ValueError, match=f"`{word}` is an agent, which plays in `compare` only"):
            ramure.Search(game, f"{word}:3" if word != "random" else word)
    with pytest.raises(ValueError, match="`ucb7` is not a known"):
        ramure.Search(game, "ucb7")
