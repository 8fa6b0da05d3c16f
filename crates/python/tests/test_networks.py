"""Searches whose leaves are evaluated in batches."""

import gc
import threading
import weakref

import numpy as np
import pytest
import ramure
from conftest import Die, Sticks


def even(states, actions):
    """Know nothing."""
    return [0.5] * len(states), None


def test_leaves_come_in_batches_with_their_actions():
    sizes = []

    def evaluate(states, actions):
        sizes.append(len(states))
        for state, listed in zip(states, actions, strict=True):
            assert list(state.actions()) == listed
        return even(states, actions)

    search = ramure.Search(Sticks(60), evaluate=evaluate, window=16, seed=3)
    report = search.run(iterations=400)
    assert report.iterations == 400 and max(sizes) == 16 and sum(sizes) <= 401
    assert sum(entry.visits for entry in report.actions) >= 399


def test_values_and_priors_steer_the_search():
    def knows(states, actions):
        # The player to move wins unless a multiple of four is left.
        values = [float(state.left % 4 != 0) for state in states]
        priors = [[float((state.left - taken) % 4 == 0) + 0.1 for taken in listed] for state, listed in zip(states, actions)]
        return values, priors

    for left in (21, 22, 23):
        report = ramure.Search(Sticks(left), evaluate=knows, window=4).run(iterations=40)
        assert report.best_action == left % 4
        assert report.actions[left % 4 - 1].prior > 0.6


def test_values_in_arrays_and_for_all_players():
    def column(states, actions):
        return np.full((len(states), 1), 0.5, dtype=np.float32), [np.ones(len(listed)) for listed in actions]

    def pairs(states, actions):
        return np.full((len(states), 2), 0.5), None

    reports = [
        ramure.Search(Sticks(30), evaluate=evaluate, window=8).run(iterations=100) for evaluate in (even, column, pairs)
    ]
    assert reports[0].actions == reports[1].actions == reports[2].actions


def test_games_of_one_player_with_chance():
    report = ramure.Search(Die(), evaluate=even, window=4).run(iterations=200)
    assert report.best_action == "coin"


def test_networks_run_on_the_thread_that_searches():
    threads = []

    def evaluate(states, actions):
        threads.append(threading.current_thread())
        boards = np.array([state.board() for state in states])
        assert boards.shape[1:] == (6, 7)
        return even(states, [[1.0] * len(listed) for listed in actions])

    search = ramure.Search(ramure.games.connect4(), evaluate=evaluate, window=32)
    assert search.run(iterations=300).iterations == 300
    search.advance(3)
    assert search.run(iterations=50).player == 1
    assert set(threads) == {threading.current_thread()}


def test_a_network_on_threads_finds_the_same_each_time():
    def new(threads):
        return ramure.Search(ramure.games.connect4(), evaluate=even, window=8, threads=threads, seed=3)

    reports = [new(threads).run(iterations=300) for threads in (1, 2, 2)]
    assert reports[0].actions == reports[1].actions == reports[2].actions and reports[0].iterations == 300


def test_what_a_network_raises_on_a_thread_is_the_cause():
    def evaluate(states, actions):
        raise ValueError("no weights")

    with pytest.raises(ramure.SearchError, match="no weights") as caught:
        ramure.Search(ramure.games.connect4(), evaluate=evaluate, threads=2).run(iterations=100)
    assert isinstance(caught.value.__cause__, ValueError)


def test_what_a_network_raises_is_the_cause():
    def fails(states, actions):
        raise ValueError("the server is gone")

    for state in (Sticks(10), ramure.games.connect4()):
        search = ramure.Search(state, evaluate=fails)
        with pytest.raises(ramure.SearchError, match="`evaluate` raised ValueError: the server is gone") as caught:
            search.run(iterations=10)
        assert isinstance(caught.value.__cause__, ValueError)

    def interrupted(states, actions):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ramure.Search(Sticks(10), evaluate=interrupted).run(iterations=10)


def test_a_number_is_no_value_where_chance_moves():
    class Chance(Sticks):
        def turn(self):
            return ramure.CHANCE if self.left == 8 else super().turn()

    with pytest.raises(ramure.SearchError, match="in which chance moves, has 1 rewards; return one for each of the 2"):
        ramure.Search(Chance(10), evaluate=even).run(iterations=100)

    def pairs(states, actions):
        for state, listed in zip(states, actions, strict=True):
            assert bool(listed) == (state.turn() is not ramure.CHANCE)
        return [(0.5, 0.5)] * len(states), None

    assert ramure.Search(Chance(10), evaluate=pairs).run(iterations=100).iterations > 0


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (lambda states, actions: None, "`evaluate` returned None; return the values and the priors"),
        (lambda states, actions: ([], None), "0 values for . states"),
        (lambda states, actions: (0.5, None), "values that `evaluate` returned are a value of type float"),
        (lambda states, actions: (["x"] * len(states), None), "the value of state 0 is a value of type str"),
        (lambda states, actions: ([[0.1, 0.2, 0.3]] * len(states), None), "has 3 rewards"),
        (lambda states, actions: ([0.5] * len(states), [[1.0]] * len(states)), "3 actions and 1 priors"),
        (lambda states, actions: ([0.5] * len(states), [["x"] * 3] * len(states)), "priors of state 0"),
        (lambda states, actions: ([2.0] * len(states), None), r"must be in \[0, 1\]"),
        (lambda states, actions: ([float("nan")] * len(states), None), r"must be in \[0, 1\]"),
        (lambda states, actions: ([0.5] * len(states), [[-1.0] * 3] * len(states)), "prior"),
    ],
)
def test_answers_that_are_no_answers(answer, match):
    with pytest.raises(ramure.SearchError, match=match):
        ramure.Search(Sticks(30), evaluate=answer, window=4).run(iterations=50)


def test_settings_that_do_not_go_together():
    for arguments, match in [
        ({"algorithm": "puct", "evaluate": even}, "leave out `algorithm`"),
        ({"window": 4}, "leave out `window`"),
        ({"algorithm": "ucb1", "window": 4}, "into the text"),
    ]:
        with pytest.raises(ValueError, match=match):
            ramure.Search(Sticks(10), **arguments)
    with pytest.raises(TypeError, match="`evaluate` is a value of type int"):
        ramure.Search(Sticks(10), evaluate=3)
    with pytest.raises(ramure.SearchError, match="window"):
        ramure.Search(Sticks(10), evaluate=even, window=0).run(iterations=1)


class Planes(Sticks):
    def planes(self):
        return [[self.left, self.player]]


def test_own_games_make_planes():
    shapes = []

    def evaluate(planes, actions):
        shapes.append(planes.shape)
        assert planes.dtype == np.float32 and len(planes) == len(actions)
        for left, listed in zip(planes[:, 0, 0], actions, strict=True):
            assert len(listed) == min(left, 3)
        return np.where(planes[:, 0, 0] % 4 == 0, 0.0, 1.0), None

    report = ramure.Search(Planes(23), evaluate=evaluate, planes=True, window=8).run(iterations=200)
    assert report.best_action == 3
    assert {shape[1:] for shape in shapes} == {(1, 2)} and max(shape[0] for shape in shapes) == 8


@pytest.mark.parametrize("start", [ramure.games.tic_tac_toe, ramure.games.connect4, lambda: ramure.games.hex(5)])
def test_planes_of_the_games_of_the_crate(start):
    batches = []

    def by_states(states, actions):
        batches.append(np.stack([state.planes() for state in states]))
        return even(states, actions)

    def by_planes(planes, actions):
        assert planes.dtype == np.float32 and np.array_equal(planes, batches.pop(0))
        planes[:] = 0  # it is no view of anything
        return even(planes, actions)

    first, second = (
        ramure.Search(start(), evaluate=evaluate, planes=evaluate is by_planes, window=8).run(iterations=100)
        for evaluate in (by_states, by_planes)
    )
    assert first.actions == second.actions and batches == []


def test_planes_that_are_no_planes():
    def planes(answer):
        return type("Wrong", (Sticks,), {"planes": answer})(30)

    def different(self):
        return [0] * self.left

    def raises(self):
        raise ZeroDivisionError("no planes")

    for answer, cause in [(different, ValueError), (lambda self: "x", ValueError), (raises, ZeroDivisionError)]:
        with pytest.raises(ramure.SearchError) as caught:
            ramure.Search(planes(answer), evaluate=even, planes=True, window=4).run(iterations=50)
        assert isinstance(caught.value.__cause__, cause)
    with pytest.raises(ValueError, match=r"no method planes\(\)"):
        ramure.Search(Sticks(10), evaluate=even, planes=True)
    with pytest.raises(ValueError, match="give `evaluate`"):
        ramure.Search(Planes(10), planes=True)
    with pytest.raises(TypeError, match="make it a method"):
        ramure.Search(planes(3), evaluate=even, planes=True)


def test_a_page_shows_the_tree_of_a_network():
    for state, shown in [(Sticks(10), "Sticks(left="), (ramure.games.connect4(), '"format":"svg"')]:
        search = ramure.Search(state, evaluate=even, window=4)
        search.run(iterations=50)
        page = search.page("What a network knows")
        assert "What a network knows" in page and shown in page


def test_a_network_that_refers_to_its_search_is_freed():
    class Player:
        def evaluate(self, states, actions):
            return even(states, actions)

    for state in (Sticks(10), ramure.games.connect4()):
        player = Player()
        player.search = ramure.Search(state, evaluate=player.evaluate)
        player.search.run(iterations=10)
        gone = weakref.ref(player)
        del player
        gc.collect()
        assert gone() is None
