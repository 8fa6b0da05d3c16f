"""Searches of games written in Python."""

import copy
import gc
import json
import os
import pickle
import sys
import threading
import time
import weakref

import pytest
import ramure
from conftest import Die, Sticks, interrupted


def test_a_win_is_found_and_proven():
    report = ramure.Search(Sticks(10), seed=7).run(iterations=10_000)
    assert (report.best_action, report.proof, report.stop_reason) == (2, 1.0, "proven")
    assert report.principal_variation[0] == 2 and report.player == 0


def test_a_seed_fixes_the_result():
    for algorithm in [None, "ucb1:c=0.5", "ucb1-tuned:solver=yes", "ucb1:window=8"]:
        first, second, other = (
            ramure.Search(Sticks(40), algorithm, seed=seed).run(iterations=300) for seed in (5, 5, 6)
        )
        assert first.actions == second.actions and first.nodes == second.nodes
        assert first.actions != other.actions


def test_algorithms_by_text_find_the_win():
    for algorithm in ["ucb1:solver=yes", "ucb1-tuned", "thompson", "moss", "ucb1:backprop=max"]:
        assert ramure.Search(Sticks(6), algorithm).run(iterations=2_000).best_action == 2, algorithm


def test_chance_is_weighed_by_its_probabilities():
    report = ramure.Search(Die(), "ucb1:solver=no").run(iterations=4_000)
    means = {entry.action: entry.mean for entry in report.actions}
    assert report.best_action == "coin"
    # 4000 iterations, at least 50 of them rolls: a mean 0.2 off happens less than once in 10 000 seeds.
    assert abs(means["coin"] - 1 / 2) < 0.1 and abs(means["die"] - 1 / 6) < 0.2


def test_equal_chances_list_the_outcomes_once():
    class Lottery:
        lists = 0

        def __init__(self, step=0, drawn=None):
            self.step, self.drawn = step, drawn

        def __copy__(self):
            return Lottery(self.step, self.drawn)

        def players(self):
            return 1

        def turn(self):
            return [0, ramure.CHANCE, None][self.step]

        def actions(self):
            Lottery.lists += 1
            return range(100) if self.step == 1 else ["draw"]

        def apply(self, action):
            self.step, self.drawn = self.step + 1, action

        def reward(self, player):
            return float(self.drawn == 7)

    for algorithm in [None, "ucb1:solver=no"]:
        Lottery.lists = 0
        assert ramure.Search(Lottery(), algorithm).run(iterations=500).iterations > 0
        assert Lottery.lists < 3 * 500
    report = ramure.Search(Lottery(1), "ucb1:solver=no").run(iterations=3_000)
    # 30 visits each, with a deviation of 5.4: outside of these bounds for fewer than one in 10 000 seeds.
    assert all(5 < entry.visits < 65 for entry in report.actions) and len(report.actions) == 100


def test_advance_keeps_the_tree_and_follows_the_game():
    search = ramure.Search(Sticks(10), "ucb1:solver=no", seed=3)
    before = search.run(iterations=500)
    search.advance(2)
    report = search.report()
    assert report.root_visits == next(entry.visits for entry in before.actions if entry.action == 2)
    assert (search.state.left, search.state.player, report.player) == (8, 1, 1)
    with pytest.raises(ramure.SearchError, match="9 is not legal"):
        search.advance(9)
    assert search.state.left == 8
    search.reset(Sticks(4))
    assert search.report().root_visits == 0 and search.run(iterations=100).root_visits == 100


def test_the_search_shares_nothing_with_its_caller():
    state = Sticks(10)
    search = ramure.Search(state)
    state.left = 1
    search.state.left = 2
    assert search.state.left == 10


def test_states_without_copy_are_copied_deeply():
    class Board:
        def __init__(self):
            self.taken = []

        def turn(self):
            return None if len(self.taken) == 4 else len(self.taken) % 2

        def actions(self):
            return [n for n in range(4) if n not in self.taken]

        def apply(self, n):
            self.taken.append(n)

        def reward(self, player):
            return float(sum(self.taken[player::2]) > 3)

    search = ramure.Search(Board())
    assert search.run(iterations=200).best_action == 3
    assert search.state.taken == []


def test_actions_are_any_hashable_objects_in_any_iterable():
    class Words(Sticks):
        kinds = [tuple, list, iter, lambda actions: (action for action in actions), dict.fromkeys]

        def actions(self):
            listed = [("take", n) for n in range(1, min(self.left, 3) + 1)]
            return self.kinds[self.left % 5](listed)

        def apply(self, action):
            super().apply(action[1])

    assert ramure.Search(Words(10)).run(iterations=2_000).best_action == ("take", 2)


def test_shares_follow_proofs():
    won = ramure.Search(Sticks(3)).run(iterations=100)
    assert won.proof == 1 and won.visit_shares() == {1: 0, 2: 0, 3: 1}
    lost = ramure.Search(Sticks(4)).run(iterations=200)
    assert lost.proof == 0 and sum(lost.visit_shares().values()) == pytest.approx(1)
    assert ramure.Search(Sticks(3)).report().visit_shares() == {1: 0, 2: 0, 3: 0}


def test_a_report_shows_itself():
    report = ramure.Search(Sticks(10), "ucb1:solver=no").run(iterations=200)
    assert str(report).splitlines()[0].split()[:2] == ["action", "visits"]
    assert sum(report.visit_shares().values()) == pytest.approx(1)
    assert report.top(1)[0].action == report.best_action
    assert [entry.worth for entry in report.actions] == [entry.proof for entry in report.actions]
    policy = [entry.improved_policy for entry in ramure.Search(Judged(10), "gumbel").run(iterations=64).actions]
    assert sum(policy) == pytest.approx(1) and report.actions[0].improved_policy is None
    assert json.loads(json.dumps(report.to_dict()))["actions"][0]["visits"] == report.actions[0].visits
    assert report._repr_html_().count("<tr>") == 4
    assert report.iterations == 200 and report.iterations_per_second > 0
    assert pickle.loads(pickle.dumps(report)) == report


def test_a_page_shows_states_and_actions(tmp_path):
    search = ramure.Search(Sticks(10))
    search.run(iterations=50)
    page = search.page("Ten sticks")
    assert "Ten sticks" in page and "Sticks(left=" in page
    page.save(tmp_path / "tree.html")
    assert (tmp_path / "tree.html").read_text() == page
    assert page._repr_html_().startswith("<iframe") and len(repr(page)) < 100 < len(page)


def test_bounds_of_a_run():
    search = ramure.Search(Sticks(30), "ucb1:solver=no")
    assert search.run(millis=20).stop_reason == "time used up"
    assert search.run(iterations=100_000, memory=200_000).stop_reason == "bytes used up"
    assert search.run(iterations=2_000, stop_early=True).iterations <= 2_000
    for arguments in [{}, {"millis": -1}, {"millis": float("nan")}, {"memory": 200_000}]:
        with pytest.raises(ValueError):
            search.run(**arguments)
    with pytest.raises(ramure.SearchError, match="budget is empty"):
        search.run(millis=0)


def test_ctrl_c_ends_a_search_and_keeps_the_tree():
    for algorithm in [None, "ucb1"]:
        search = ramure.Search(Sticks(300), algorithm)
        interrupted(lambda: search.run(millis=600_000))
        found = search.report().root_visits
        assert found > 0
        assert search.run(iterations=10).root_visits == found + 10


def even(states, actions):
    return [0.5] * len(states), None


SEARCHES = {
    "python": lambda: ramure.Search(Sticks(300)),
    "python by text": lambda: ramure.Search(Sticks(300), "ucb1-tuned"),
    "python with a network": lambda: ramure.Search(Sticks(300), evaluate=even),
    "crate": lambda: ramure.Search(ramure.games.hex(11)),
    "crate by text": lambda: ramure.Search(ramure.games.hex(11), "ucb1-tuned"),
    "threads": lambda: ramure.Search(ramure.games.hex(11), threads=2),
    "threads by text": lambda: ramure.Search(ramure.games.hex(11), "ucb1:threads=2"),
    "crate with a network": lambda: ramure.Search(ramure.games.hex(11), evaluate=even),
    "threads with a network": lambda: ramure.Search(ramure.games.hex(11), evaluate=even, threads=2),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_ctrl_c_ends_a_search_within_100_ms(name):
    search = SEARCHES[name]()
    # The machine may be busy, so one of three times is enough.
    assert any(interrupted(lambda: search.run(millis=600_000)) < 0.1 for _ in range(3))


@pytest.mark.parametrize("name", SEARCHES)
def test_other_threads_run_during_a_search(name):
    search, ticks, done = SEARCHES[name](), [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    def ticks_meanwhile():
        begin = time.perf_counter()
        search.run(millis=100)
        end = time.perf_counter()
        return any(begin < at < end for at in ticks)

    ticking, interval = threading.Thread(target=tick), sys.getswitchinterval()
    if "python" not in name:
        sys.setswitchinterval(1_000)  # The interpreter takes nothing from a thread that does not release it.
    ticking.start()
    try:
        assert any(ticks_meanwhile() for _ in range(20))
    finally:
        sys.setswitchinterval(interval)
        done.set()
        ticking.join()


def test_a_search_used_from_two_threads_is_refused():
    search, errors = ramure.Search(Sticks(300)), []

    class Meddling(Sticks):
        def turn(self):
            try:
                meddled.report()
            except RuntimeError as error:
                errors.append(error)
            return super().turn()

    meddled = ramure.Search(Meddling(10))
    meddled.run(iterations=3)
    assert "is running" in str(errors[0])

    thread = threading.Thread(target=lambda: search.run(millis=300))
    thread.start()
    time.sleep(0.1)
    for meddle in [
        search.report,
        search.page,
        lambda: search.state,
        lambda: search.run(iterations=1),
        lambda: search.advance(1),
        lambda: search.reset(Sticks(3)),
        lambda: search.actions_after([]),
        lambda: search.save("tree"),
        lambda: search.load("tree"),
    ]:
        with pytest.raises(RuntimeError, match="is running"):
            meddle()
    thread.join()
    assert search.report().root_visits > 0


def test_a_search_may_end_on_another_thread():
    class Action:
        def __init__(self, taken):
            self.taken = taken

    class Objects(Sticks):
        def actions(self):
            return [table[n] for n in range(1, min(self.left, 3) + 1)]

        def apply(self, action):
            super().apply(action.taken)

    table = {n: Action(n) for n in (1, 2, 3)}
    searches = [ramure.Search(Objects(20))]
    thread = threading.Thread(target=lambda: (searches[0].run(iterations=100), searches.clear()))
    thread.start()
    thread.join()
    gone = weakref.ref(table[1])
    table.clear()
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("algorithm", [None, "ucb1:solver=no", "ucb1:transpositions=yes,solver=no", "puct", even])
def test_searches_leak_nothing(algorithm):
    class Token:
        pass

    tokens = [Token() for _ in range(3)]

    class Counted(Judged):
        alive = 0

        def __init__(self, left, player=0):
            super().__init__(left, player)
            Counted.alive += 1

        def __del__(self):
            Counted.alive -= 1

        def actions(self):
            return tokens[: min(self.left, 3)]

        def apply(self, token):
            super().apply(tokens.index(token) + 1)

        def key(self):
            return tokens[self.left % 3], super().key()

    gc.collect()
    before = [sys.getrefcount(token) for token in tokens]
    search = ramure.Search(Counted(60), **({"evaluate": even} if algorithm is even else {"algorithm": algorithm}))
    search.run(iterations=100_000 if os.environ.get("RAMURE_DEEP") else 300)
    search.advance(tokens[0])
    search.run(iterations=100)
    del search
    gc.collect()
    assert [sys.getrefcount(token) for token in tokens] == before
    assert Counted.alive == 0


def test_searches_cannot_be_pickled_or_copied():
    search = ramure.Search(Sticks(3))
    for attempt in [pickle.dumps, copy.copy, copy.deepcopy]:
        with pytest.raises(TypeError, match="`save` it, or pickle its state"):
            attempt(search)


def test_every_search_shows_its_tree():
    for state, algorithm in [(Sticks(10), None), (Sticks(10), "ucb1-tuned:solver=no"), (ramure.games.connect4(), "puct")]:
        search = ramure.Search(state, algorithm)
        report = search.run(iterations=300)
        assert sorted(search.actions_after([]), key=str) == sorted(report.actions, key=str)
        best = report.best_action
        after = search.actions_after([best])
        assert 0 < sum(entry.visits for entry in after) <= max(entry.visits for entry in report.actions)
        assert search.actions_after([best] * 99) == [] or isinstance(state, Sticks)
    # The actions of a line need not be legal at the root.
    search = ramure.Search(ramure.games.sudo_tic_tac_toe(ultimate=True), seed=1)
    search.advance("5.1")
    line = search.run(iterations=5_000).principal_variation[:2]
    assert sum(entry.visits for entry in search.actions_after(line)) > 0
    assert search.actions_after(["no action"]) == []
    with pytest.raises(TypeError, match="unhashable"):
        ramure.Search(Sticks(10)).actions_after([[1]])
    with pytest.raises(TypeError):
        ramure.Search(Sticks(10)).actions_after(3)


@pytest.mark.parametrize("algorithm", [None, "ucb1-tuned"])
def test_a_state_that_refers_to_its_search_is_freed(algorithm):
    class Owner(Sticks):
        search = None

        def __copy__(self):
            other = super().__copy__()
            other.search = self.search
            return other

    state = Owner(10)
    state.search = ramure.Search(state, algorithm)
    state.search.run(iterations=50)
    state.search.reset(state)
    state.search.run(iterations=50)
    gone = weakref.ref(state.search)
    del state
    gc.collect()
    assert gone() is None


def test_a_copy_that_refers_to_its_search_is_freed():
    def made():
        class Closed(Sticks):
            def __copy__(self):
                assert searches is not None
                return Closed(self.left, self.player)

        searches = []
        searches.append(ramure.Search(Closed(5)))
        return weakref.ref(searches[0])

    gone = made()
    gc.collect()
    assert gone() is None


NUMBERED = ["grave:ref=30", "rave", "rave-k", "hrave", "alpha-amaf", "progressive-history"]
NUMBERED += [f"ucb1:rollout={word}" for word in ["mast", "mast-gibbs", "nst", "lgr", "ppa"]]


@pytest.mark.parametrize("algorithm", NUMBERED)
def test_algorithms_of_numbered_actions(algorithm):
    first, second = (ramure.Search(Sticks(10), algorithm, seed=3).run(iterations=3_000) for _ in range(2))
    assert first.best_action == 2 and first.actions == second.actions


def test_what_rollouts_learn_is_kept_when_the_root_is_replaced():
    class Left:
        """Two moves of one player, each from the same four; the second one decides."""

        lists = [[3, 2, 1, 0], [0, 1, 2, 3]]

        def __init__(self, kind, moves=()):
            self.kind, self.moves = kind, moves

        def __copy__(self):
            return Left(self.kind, self.moves)

        def players(self):
            return 1

        def turn(self):
            return None if len(self.moves) == 2 else 0

        def actions(self):
            return self.lists[self.kind]

        def apply(self, move):
            self.moves += (move,)

        def reward(self, player):
            return float(self.moves[-1] == 3)

    # The game lists its actions in another order then, so that numbers by the order of a new search were others.
    search = ramure.Search(Left(0), "ucb1:rollout=mast,solver=no", seed=1)
    search.run(iterations=300)
    search.reset(Left(1))
    learned = search.run(iterations=4).actions
    # Rollouts that know that 3 is good play it nearly always.
    assert sum(entry.mean * entry.visits for entry in learned) >= 3


def test_more_actions_than_tables_have():
    class Many(Sticks):
        def actions(self):
            return range(10_000 * self.left, 10_000 * self.left + 5_000) if self.left else []

        def apply(self, action):
            super().apply(1)

    with pytest.raises(ramure.SearchError, match="this algorithm keeps tables of 4096 actions; choose one without"):
        ramure.Search(Many(3), "grave").run(iterations=100)
    assert ramure.Search(Many(3), "ucb1-tuned").run(iterations=100).iterations > 0
    result = ramure.compare(Many(3), "mcts:100,policy=grave", "random", games=2)
    for text in [*result.standings[0].forfeits, str(result)]:
        assert "`action_index`" not in text and "choose one without" in text, text


def test_algorithms_that_need_optional_methods():
    for algorithm in ["puct", "ucb1:rollout=cutoff", "ucb1:backprop=implicit-minimax"]:
        with pytest.raises(ValueError, match=r"needs a static evaluation, .*: add a method evaluation\(player\)") as caught:
            ramure.Search(Sticks(10), algorithm)
        assert "evaluate=function" in str(caught.value) and "registry" not in str(caught.value)
    with pytest.raises(ValueError, match=r"needs keys of positions, .*: add a method key\(\)") as caught:
        ramure.Search(Sticks(10), "ucb1:transpositions=yes")
    with pytest.raises(ValueError, match="keys and symmetries, which only the games in ramure.games have"):
        ramure.Search(Judged(10), "ucb1:transpositions=mirror")
    with pytest.raises(ValueError, match="`minimax` needs a static evaluation"):
        ramure.compare(Sticks(10), "minimax:3", "random")
    with pytest.raises(ValueError, match="needs a static evaluation"):
        ramure.tune(Sticks(10), "mcts:10,policy=puct", games=10)


class Judged(Sticks):
    """A player to move with a multiple of four sticks loses."""

    def evaluation(self, player):
        return 0.2 if (self.left % 4 == 0) == (player == self.player) else 0.8

    def key(self):
        return self.left, self.player


def test_evaluations_steer_a_search():
    for left in (21, 22, 23):
        report = ramure.Search(Judged(left), "puct:solver=no").run(iterations=150)
        assert report.best_action == left % 4
    for algorithm in ["ucb1:rollout=cutoff", "ucb1:backprop=implicit-minimax"]:
        assert ramure.Search(Judged(6), algorithm).run(iterations=600).best_action == 2
    result = ramure.compare(Judged(21), "alphabeta:1", "random", games=20, openings=1)
    assert result.standings[0].wins >= 18


class Rolling(Sticks):
    """Plays the rest of a random game in one call."""

    rollouts = asked = 0

    def actions(self):
        Rolling.asked += 1
        return super().actions()

    def random_rollout(self, random):
        Rolling.rollouts += 1
        while self.left:
            self.apply(random.randrange(min(self.left, 3)) + 1)


def test_a_game_may_play_a_rollout_in_one_call():
    assert "laws hold" in ramure.check(Rolling(6))
    Rolling.rollouts = Rolling.asked = 0
    reports = [ramure.Search(Rolling(21), "ucb1:solver=no", seed=3).run(iterations=2_000) for _ in range(2)]
    assert reports[0].actions == reports[1].actions
    assert 3_000 < Rolling.rollouts <= 4_000 and Rolling.asked < Rolling.rollouts
    assert ramure.Search(Rolling(9)).run(iterations=2_000).best_action == 1
    # Words that learn from single actions play them one by one.
    Rolling.rollouts = 0
    ramure.Search(Rolling(21), "ucb1:rollout=mast").run(iterations=100)
    assert Rolling.rollouts == 0


def test_positions_are_shared_by_their_keys():
    searches = [ramure.Search(Judged(40), f"ucb1:solver=no{more}") for more in ("", ",transpositions=yes")]
    tree, graph = (search.run(iterations=3_000) for search in searches)
    # There are at most two positions for each number of sticks, with three actions each.
    assert graph.nodes <= 2 * 41 * (1 + 3) < tree.nodes
    searches[1].advance(graph.best_action)
    assert searches[1].run(iterations=100).root_visits > 100
    report = ramure.Search(Judged(10), "ucb1:transpositions=yes,window=8,solver=yes").run(iterations=500)
    assert (report.best_action, report.proof) == (2, 1.0)


@pytest.mark.parametrize(
    ("method", "answer", "match"),
    [
        ("evaluation", None, "`evaluation` returned None; return a number from 0 to 1"),
        ("evaluation", float("nan"), r"NaN|in \[0, 1\]"),
        ("evaluation", 2, r"in \[0, 1\]"),
        ("key", [1], "`key` raised TypeError: unhashable|`key` raised TypeError: cannot use 'list'"),
    ],
)
def test_evaluations_and_keys_that_are_none(method, answer, match):
    wrong = type("Wrong", (Judged,), {method: lambda self, *_: answer})
    algorithm = "ucb1:transpositions=yes" if method == "key" else "puct"
    with pytest.raises(ramure.SearchError, match=match):
        ramure.Search(wrong(9), algorithm).run(iterations=100)
    with pytest.raises(ramure.Violation):
        ramure.check(wrong(9))


def test_the_collector_leaves_a_search_that_runs():
    class Collects(Sticks):
        def turn(self):
            if self.left == 9:
                gc.collect()
            return super().turn()

    def finalizer():
        freed.append(1)

    freed = []
    state = Collects(10)
    search = ramure.Search(state)
    weakref.finalize(search, finalizer)
    assert search.run(iterations=100).root_visits > 0 and freed == []
    # What is freed cannot be asked any more, and says so.
    class Asks:
        def __del__(self):
            try:
                self.search.report()
            except RuntimeError as error:
                freed.append(str(error))

    state.asks = Asks()
    state.asks.search = ramure.Search(Collects(5))
    del search, state
    gc.collect()
    assert freed
