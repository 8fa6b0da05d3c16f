"""Many searches whose leaves are evaluated in one call."""

import numpy as np
import pytest
import ramure
from conftest import Die, Sticks


def by_count(states, actions):
    """Return values and priors that depend on the state alone."""
    values = [0.25 + (state.left * 37 % 100) / 200 for state in states]
    return values, [[1.0 + (state.left * taken) % 3 for taken in listed] for state, listed in zip(states, actions, strict=True)]


def by_stones(planes, actions):
    values = (1 + planes[:, 0].sum((1, 2))) / (2 + planes[:, 0].sum((1, 2)) + planes[:, 1].sum((1, 2)))
    return values.tolist(), [[1.0 + column for column in listed] for listed in actions]


def own_games(window):
    return [ramure.Search(Sticks(left), evaluate=by_count, window=window, seed=left) for left in range(30, 38)]


def games_of_the_crate(window):
    states = [ramure.games.connect4() for _ in range(6)]
    for number, state in enumerate(states):
        state.apply(number)
    return [ramure.Search(state, evaluate=by_stones, planes=True, window=window, seed=1) for state in states]


@pytest.mark.parametrize("window", [1, 4])
@pytest.mark.parametrize("new", [own_games, games_of_the_crate])
def test_each_search_finds_what_it_finds_alone(new, window):
    together = ramure.run_many(new(window), iterations=80)
    alone = [search.run(iterations=80) for search in new(window)]
    assert [report.actions for report in together] == [report.actions for report in alone]
    assert [report.best_action for report in together] == [report.best_action for report in alone]


def test_the_leaves_of_all_searches_come_in_one_call():
    sizes = []

    def evaluate(states, actions):
        sizes.append(len(states))
        assert len(actions) == len(states)
        return by_count(states, actions)

    searches = [ramure.Search(Sticks(60), evaluate=evaluate, window=2, seed=seed) for seed in range(10)]
    reports = ramure.run_many(searches, iterations=50)
    assert max(sizes) == 20 and sum(sizes) <= 10 * 51
    assert all(50 <= report.root_visits <= 52 for report in reports)
    again = ramure.run_many(searches, iterations=25)
    assert all(75 <= report.root_visits <= 79 for report in again)


def test_proven_games_end_before_the_others_and_chance_is_drawn():
    searches = [ramure.Search(Sticks(left), evaluate=by_count, window=1) for left in (2, 3, 40)]
    reports = ramure.run_many(searches, iterations=100)
    assert [report.proof for report in reports[:2]] == [1.0, 1.0]
    assert reports[0].root_visits < 100 <= reports[2].root_visits
    even = lambda states, actions: ([0.5] * len(states), None)
    reports = ramure.run_many([ramure.Search(Die(), evaluate=even, seed=seed) for seed in range(3)], iterations=100)
    assert all(report.best_action == "coin" for report in reports)
    assert ramure.run_many([], iterations=1) == []


def test_mistakes():
    search = ramure.Search(Sticks(30), evaluate=by_count)
    for searches, kind, text in [
        ([search, ramure.Search(Sticks(30), evaluate=lambda *_: None)], ValueError, "must have the same `evaluate`"),
        ([search, ramure.Search(Sticks(30))], ValueError, "must have the same `evaluate`"),
        ([search, search], ValueError, "twice"),
        ([Sticks(30)], TypeError, "a search is a value of type Sticks"),
    ]:
        with pytest.raises(kind, match=text):
            ramure.run_many(searches, iterations=10)
    with pytest.raises(ValueError, match="`iterations` is 0"):
        ramure.run_many([search], iterations=0)


@pytest.mark.parametrize(
    "answer, text",
    [
        (lambda states: {}["no network"], "`evaluate` raised KeyError: 'no network'"),
        (lambda states: None, "`evaluate` returned None"),
        (lambda states: ([0.5], None), "1 values for 2 states"),
        (lambda states: ([0.5, 2.0], None), "it must be in"),
        (lambda states: ([0.5, 0.5], [[1.0] * 3, [1.0]]), "state 1 has 3 actions and 1 priors"),
        (lambda states: ([0.5, "half"], None), "the value of state 1 is"),
    ],
)
def test_wrong_answers_end_all_and_the_trees_are_kept(answer, text):
    is_wrong = False

    def evaluate(states, actions):
        return answer(states) if is_wrong else by_count(states, actions)

    searches = [ramure.Search(Sticks(30), evaluate=evaluate, window=1, seed=seed) for seed in range(2)]
    ramure.run_many(searches, iterations=20)
    is_wrong = True
    with pytest.raises(ramure.SearchError, match=text):
        ramure.run_many(searches, iterations=20)
    is_wrong = False
    assert all(20 <= search.report().root_visits <= 22 for search in searches)
    assert all(report.root_visits >= 40 for report in ramure.run_many(searches, iterations=20))


def test_a_search_is_in_one_exchange_at_a_time():
    errors = []

    def evaluate(states, actions):
        for again in (lambda: ramure.run_many(searches, iterations=1), lambda: searches[1].run(iterations=1)):
            with pytest.raises(RuntimeError, match="this search is running") as error:
                again()
            errors.append(error)
        return by_count(states, actions)

    searches = [ramure.Search(Sticks(30), evaluate=evaluate, window=1, seed=seed) for seed in range(2)]
    ramure.run_many(searches, iterations=3)
    assert errors
    assert all(search.report().root_visits >= 3 for search in searches)


def test_boards_of_several_sizes_are_refused():
    states = [ramure.games.hex(3), ramure.games.hex(4)]
    searches = [ramure.Search(state, evaluate=by_stones, planes=True) for state in states]
    with pytest.raises(ValueError, match="boards of one size"):
        ramure.run_many(searches, iterations=10)


def test_a_copy_that_shares_is_found():
    class Shares(Sticks):
        def __copy__(self):
            copy = object.__new__(Shares)
            copy.__dict__.update(self.__dict__)
            return copy

        def __init__(self, left):
            super().__init__(left)
            self.taken = []

        def apply(self, action):
            super().apply(action)
            if self.left < 15:  # not at the first action, which is tried when the search is made
                self.taken.append(action)

        def __repr__(self):
            return f"{self.left} after {self.taken}"

    search = ramure.Search(Shares(20), evaluate=by_count)
    with pytest.raises(ramure.SearchError, match="changed your state"):
        ramure.run_many([search], iterations=300)


def test_arrays_and_values_of_all_players():
    def pairs(states, actions):
        return np.full((len(states), 2), 0.5), [np.ones(len(listed)) for listed in actions]

    reports = ramure.run_many([ramure.Search(Sticks(40), evaluate=pairs, seed=seed) for seed in range(2)], iterations=50)
    assert all(entry.mean == pytest.approx(0.5) for entry in reports[0].actions if entry.proof is None)
