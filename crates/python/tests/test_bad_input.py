"""Games that break the contract: each gives an exception that says what is wrong, and none a wrong answer."""

import math
import re

import pytest
import ramure
from conftest import Sticks


def fails(game, match, cause=None, **arguments):
    """Search a game, and return the exception."""
    with pytest.raises(ramure.SearchError, match=match) as caught:
        ramure.Search(game, **arguments).run(iterations=500)
    if cause is not None:
        assert isinstance(caught.value.__cause__, cause)
    return caught.value


def test_methods_that_are_missing_or_of_the_wrong_kind():
    class Half:
        turn = 3

        def actions(self):
            return []

    with pytest.raises(TypeError, match=r"Half is not a game: it lacks turn, apply, reward"):
        ramure.Search(Half())
    with pytest.raises(TypeError, match="Sticks is a class; give a state"):
        ramure.Search(Sticks)
    for value in [None, 3, "connect4"]:
        with pytest.raises(TypeError, match="is not a game"):
            ramure.Search(value)


@pytest.mark.parametrize(("name", "value"), [("players", 3), ("probability", {"a": 0.5}), ("__copy__", None), ("key", "k"), ("evaluation", 0.5)])
def test_optional_methods_of_the_wrong_kind(name, value):
    wrong = type("Wrong", (Sticks,), {name: value})
    with pytest.raises(TypeError, match=f"`{name}` is .*; make it a method"):
        ramure.Search(wrong())


@pytest.mark.parametrize("name", ["turn", "players", "probability"])
def test_a_property_that_raises(name):
    def fails(self):
        raise ZeroDivisionError(name)

    with pytest.raises(ZeroDivisionError, match=name):
        ramure.Search(type("Wrong", (Sticks,), {name: property(fails)})())


@pytest.mark.parametrize("algorithm", [None, "ucb1", "ucb1-tuned:backprop=max", "ucb1:window=4"])
@pytest.mark.parametrize("method", ["turn", "actions", "apply", "reward", "players", "__deepcopy__"])
@pytest.mark.parametrize("error", [ValueError("once"), KeyboardInterrupt()])
def test_a_search_goes_on_after_an_exception(method, error, algorithm):
    class Fails:
        calls = 0

        def __init__(self):
            self.sticks = Sticks(12)

        def players(self):
            return 2

        def turn(self):
            return self.sticks.turn()

        def actions(self):
            return self.sticks.actions()

        def apply(self, taken):
            self.sticks.apply(taken)

        def reward(self, player):
            return self.sticks.reward(player)

        def __deepcopy__(self, memo):
            copied = Fails()
            copied.sticks = Sticks(self.sticks.left, self.sticks.player)
            return copied

    inner = getattr(Fails, method)

    def hook(self, *arguments):
        Fails.calls += 1
        if Fails.calls == when:
            raise error
        return inner(self, *arguments)

    setattr(Fails, method, hook)
    # The first call of a run is one of the root.
    for skipped in (1, 2, 3, 5, 50):
        when = 0
        search = ramure.Search(Fails(), algorithm)
        when = Fails.calls + skipped
        try:
            search.run(iterations=300)
            raised = False
        except (ramure.SearchError, KeyboardInterrupt) as caught:
            raised = True
            assert error in (caught, caught.__cause__)
        # Some searches ask for the players and the rewards only a few times.
        assert raised or skipped > 1 or method == "players"
        when = 0
        assert search.report().root_visits >= 0
        assert (search.state.sticks.left, search.state.sticks.player) == (12, 0)
        assert search.run(iterations=50).iterations > 0


def test_a_failed_advance_leaves_the_state():
    class Fails(Sticks):
        message = "first"

        def apply(self, taken):
            super().apply(taken)
            if self.message:
                raise ValueError(self.message)

    for algorithm in [None, "ucb1", "ucb1:threads=1"]:
        Fails.message = "first"
        search = ramure.Search(Fails(10), algorithm)
        with pytest.raises(ramure.SearchError, match="`apply` raised ValueError: first"):
            search.advance(2)
        assert (search.state.left, search.state.player) == (10, 0)
        Fails.message = ""
        search.advance(2)
        assert (search.state.left, search.state.player) == (8, 1)
        assert search.run(iterations=20).player == 1


def test_several_threads_are_refused():
    for text in ["ucb1:threads=2", "ucb1: threads = 4, window=2"]:
        with pytest.raises(ValueError, match="leave out `threads`"):
            ramure.Search(Sticks(10), text)
        with pytest.raises(ValueError, match="leave out `threads`"):
            ramure.compare(Sticks(10), "random", text.replace("ucb1:", "mcts:20,"))
    for text in ["ucb1:window=4", "ucb1:threads=1", "ucb1:threads=1,window=4"]:
        assert ramure.Search(Sticks(10), text).run(iterations=500).best_action == 2
    assert ramure.compare(Sticks(10), "random", "mcts:20,threads=1", games=2).standings[1].forfeits == []


class Strange:
    """A value whose own methods raise."""

    def __init__(self, error):
        self.error = error

    def fails(self, *_):
        raise self.error

    __float__ = __index__ = __iter__ = __repr__ = __len__ = __getitem__ = fails


@pytest.mark.parametrize("method", ["turn", "actions", "reward", "players", "probability"])
def test_what_a_value_raises_is_passed_on(method):
    class Values(Sticks):
        def turn(self):
            return ramure.CHANCE if self.left == 3 else super().turn()

        def players(self):
            return 2

        def probability(self, outcome):
            return 1 / 3

    for error in [ZeroDivisionError("inside"), KeyboardInterrupt()]:
        values = type("Values", (Values,), {method: lambda self, *_, error=error: Strange(error)})
        with pytest.raises((ramure.SearchError, type(error))) as caught:
            ramure.Search(values(5)).run(iterations=100)
        assert error in (caught.value, caught.value.__cause__)
        if method == "turn":
            with pytest.raises((ramure.SearchError, type(error))) as caught:
                ramure.Search(Sticks(9), evaluate=lambda *_, error=error: ([Strange(error)], None)).run(iterations=9)
            assert error in (caught.value, caught.value.__cause__)


def raising(method, when=4):
    """Return a game whose method raises with four sticks."""

    class Raising(Sticks):
        pass

    def hook(self, *arguments):
        if self.left <= when:
            raise ValueError(f"{method} fails")
        return getattr(super(Raising, self), method)(*arguments)

    setattr(Raising, method, hook)
    return Raising


@pytest.mark.parametrize("algorithm", [None, "ucb1", "ucb1-tuned:backprop=max"])
@pytest.mark.parametrize("method", ["turn", "actions", "apply"])
def test_an_exception_in_a_method_is_the_cause(method, algorithm):
    search = ramure.Search(raising(method)(10), algorithm)
    with pytest.raises(ramure.SearchError, match=f"`{method}` raised ValueError: {method} fails") as caught:
        search.run(iterations=1_000)
    assert isinstance(caught.value.__cause__, ValueError)
    assert len(caught.value.line) == caught.value.ply
    # The line ends with the action after which it failed; `apply` raised when it played that one.
    before = 6 if method != "apply" else 7
    assert before <= sum(map(int, caught.value.line)) <= before + 3
    # The tree is kept, and the search goes on as far as it can.
    assert search.report().root_visits >= 0
    with pytest.raises(ramure.SearchError):
        search.run(iterations=1_000)


class Every(Sticks):
    """Sticks with every method that a game may have. Chance takes some of five sticks."""

    def turn(self):
        return ramure.CHANCE if self.left == 5 else super().turn()

    def players(self):
        return 2

    def probability(self, outcome):
        return 1 / 3

    def random_rollout(self, random):
        pass

    def evaluation(self, player):
        return 0.5

    def key(self):
        return self.left, self.player

    def planes(self):
        return [self.left]

    def __repr__(self):
        return f"Every({self.left}, {self.player})"

    def __eq__(self, other):
        return (self.left, self.player) == (other.left, other.player)

    def __hash__(self):
        return self.left


def even(states, actions):
    return [[0.5, 0.5]] * len(states), None


searched = ramure.Search(Every(9))
searched.run(iterations=50)


def test_a_game_with_every_method_keeps_the_laws():
    assert "laws hold" in ramure.check(Every(9))


@pytest.mark.parametrize("error", [ValueError("inside"), KeyboardInterrupt()])
@pytest.mark.parametrize(
    ("method", "use"),
    [
        *((method, lambda: ramure.Search(Every(9)).run(iterations=300)) for method in ["turn", "actions", "apply", "reward", "players", "probability", "random_rollout"]),
        ("evaluation", lambda: ramure.Search(Every(9), "puct").run(iterations=300)),
        ("key", lambda: ramure.Search(Every(9), "ucb1:transpositions=yes").run(iterations=300)),
        ("planes", lambda: ramure.Search(Every(9), evaluate=even, planes=True).run(iterations=300)),
        ("__repr__", lambda: searched.page()),
        *((method, lambda: ramure.check(Every(9), games=5, states=20)) for method in ["turn", "actions", "apply", "reward", "__copy__", "players", "probability", "random_rollout", "evaluation", "key", "__repr__", "__eq__", "__hash__"]),
    ],
)
def test_an_exception_in_every_hook(method, use, error, monkeypatch):
    inner = getattr(Every, method)

    def hook(self, *arguments):
        if self.left < 8:
            raise error
        return inner(self, *arguments)

    monkeypatch.setattr(Every, method, hook)
    with pytest.raises((ramure.SearchError, ramure.Violation, KeyboardInterrupt)) as caught:
        use()
    if isinstance(error, KeyboardInterrupt):
        assert caught.value is error
    else:
        name = "evaluate" if method == "planes" else method
        assert caught.value.__cause__ is error and f"`{name}` raised ValueError: inside" in str(caught.value)


def test_an_exception_in_reward_is_the_cause():
    error = fails(raising("reward", 0)(5), "`reward` raised ValueError", ValueError)
    assert error.ply > 0 and sum(map(int, error.line)) == 5


def test_an_exception_in_copy_is_the_cause():
    class Copies(Sticks):
        left_over = 20

        def __copy__(self):
            Copies.left_over -= 1
            if Copies.left_over == 0:
                raise ValueError("no more copies")
            return super().__copy__()

    error = fails(Copies(10), "`__copy__` raised ValueError: no more copies", ValueError)
    assert error.ply == len(error.line)


def test_an_exception_before_the_search_is_the_users_own():
    with pytest.raises(ValueError, match="__copy__ fails"):
        ramure.Search(raising("__copy__", 100)(10))


def test_interrupts_are_not_wrapped():
    class Exits(Sticks):
        def apply(self, taken):
            raise SystemExit(3)

    with pytest.raises(SystemExit):
        ramure.Search(Exits(10)).run(iterations=10)


@pytest.mark.parametrize(
    ("turn", "match"),
    [
        ("0", "`turn` returned '0'; return the number of a player"),
        (-1, "`turn` returned -1"),
        (300, "`turn` returned 300"),
        (2.5, "`turn` returned 2.5"),
    ],
)
def test_turns_that_are_no_turns(turn, match):
    class Turns(Sticks):
        def turn(self):
            return super().turn() if self.left > 5 else turn

    fails(Turns(10), match)


def test_a_player_who_does_not_exist():
    class Turns(Sticks):
        def turn(self):
            return None if self.left == 0 else 7

    fails(Turns(10), "player 7, but `players` returned 2")


@pytest.mark.parametrize(
    ("reward", "match"),
    [
        (None, "`reward` returned None"),
        ((0.0, 1.0), "`reward` returned a value of type tuple"),
        ("1", "`reward` returned a value of type str"),
        (math.nan, "is NaN"),
        (math.inf, r"must be in \[0, 1\]"),
        (-1, r"must be in \[0, 1\]"),
    ],
)
def test_rewards_that_are_no_rewards(reward, match):
    class Rewards(Sticks):
        def reward(self, player):
            return reward

    fails(Rewards(4), match)


@pytest.mark.parametrize(
    ("actions", "match"),
    [
        (None, "`actions` returned None; return a list"),
        (3, "`actions` returned a value of type int"),
        ([[1]], "unhashable"),
        ([], "yields no action"),
        ([1, 1], "lists an action twice"),
    ],
)
def test_actions_that_are_no_actions(actions, match):
    class Actions(Sticks):
        def actions(self):
            return super().actions() if self.left > 5 else actions

    error = None
    try:
        for seed in range(20):
            error = None
            ramure.Search(Actions(8), "ucb1:solver=no", seed=seed).run(iterations=300)
    except ramure.SearchError as raised:
        error = raised
    if actions == [1, 1]:
        with pytest.raises(ramure.Violation, match="each action is listed once"):
            ramure.check(Actions(8))
    else:
        assert error is not None and re.search(match, str(error)), error


def test_endless_actions():
    class Endless(Sticks):
        def actions(self):
            n = 0
            while True:
                yield n
                n += 1

    fails(Endless(4), "more than 1048576 actions")


@pytest.mark.parametrize("method", ["__eq__", "__hash__", "__repr__"])
def test_actions_whose_own_methods_raise(method):
    class Action:
        def __init__(self, taken):
            self.taken = taken

        def __eq__(self, other):
            return self.taken == other.taken

        def __hash__(self):
            return 1

    def hook(self, *arguments):
        raise ZeroDivisionError(method)

    setattr(Action, method, hook)

    class Actions(Sticks):
        def actions(self):
            return [Action(n) for n in range(1, min(self.left, 3) + 1)]

        def apply(self, action):
            super().apply(action.taken)

    if method == "__repr__":
        report = ramure.Search(Actions(10)).run(iterations=1_000)
        assert report.best_action.taken == 2 and "action number" in str(report)
    else:
        fails(Actions(10), f"`actions` raised ZeroDivisionError: {method}", ZeroDivisionError)


def test_ctrl_c_while_an_action_is_printed():
    class Action(int):
        def __repr__(self):
            raise KeyboardInterrupt

    class Actions(Sticks):
        def actions(self):
            return [Action(n) for n in super().actions()]

    with pytest.raises(KeyboardInterrupt):
        str(ramure.Search(Actions(10)).run(iterations=100))


def test_players_and_probabilities_out_of_range():
    class Players(Sticks):
        def players(self):
            return self.count

    Players.count = 1
    fails(Players(4), "player 1")
    for count in ["2", -1, 300, 2.0]:
        Players.count = count
        with pytest.raises(TypeError, match=f"`players` returned {count!r}; return the number"):
            ramure.Search(Players(4))

    class Coin(Sticks):
        def turn(self):
            return ramure.CHANCE if self.left == 3 else super().turn()

        def probability(self, outcome):
            return self.chance

    for chance, match in [(0.9, "must sum to 1"), (-1, r"must be in \[0, 1\]"), (None, "`probability` returned None")]:
        Coin.chance = chance
        fails(Coin(5), match)


def test_the_root_must_be_a_choice():
    with pytest.raises(ramure.SearchError, match="the game is over"):
        ramure.Search(Sticks(0)).run(iterations=1)

    class Chance(Sticks):
        def turn(self):
            return ramure.CHANCE if self.left == 4 else super().turn()

    report = ramure.Search(Chance(4)).run(iterations=50)
    assert report.best_action is None and report.player is None and len(report.actions) == 3


def test_a_copy_of_another_class():
    class Copies(Sticks):
        def __copy__(self):
            return None

    with pytest.raises(TypeError, match="`__copy__` returned None"):
        ramure.Search(Copies(4))


def test_a_copy_that_is_the_state_itself():
    class Copies(Sticks):
        def __copy__(self):
            return self

    for start in [ramure.Search, ramure.check, lambda state: ramure.compare(state, "random", "random")]:
        with pytest.raises(TypeError, match="`__copy__` returned the state itself; return another object"):
            start(Copies(4))


def test_bad_arguments():
    with pytest.raises(ValueError, match="did you mean `ucb1`"):
        ramure.Search(Sticks(4), "uct1")
    with pytest.raises(ValueError, match="parameter"):
        ramure.Search(Sticks(4), "ucb1:d=3")
    for start in (ramure.Search, ramure.tune):
        with pytest.raises(TypeError, match="an algorithm is a value of type int; give a text"):
            start(Sticks(4), 3, **{"games": 2} if start is ramure.tune else {})
    with pytest.raises(ValueError, match="leave out `threads`"):
        ramure.Search(Sticks(4), threads=2)
    for name in ["seed", "memory", "window", "threads"]:
        with pytest.raises(ValueError, match=f"`{name}` is -1; it must be a whole number from 0 to"):
            ramure.Search(ramure.games.connect4(), **{name: -1})
        with pytest.raises(TypeError, match=f"`{name}` is a value of type str; give a whole number"):
            ramure.Search(ramure.games.connect4(), **{name: "1"})
    with pytest.raises(ramure.SearchError, match="threads is 0; it must be from 1 to 4096"):
        ramure.Search(ramure.games.connect4(), threads=0).run(iterations=1)
    with pytest.raises(ValueError, match="have pages and files"):
        ramure.Search(Sticks(4), "ucb1").page()
    with pytest.raises(ramure.SearchError, match="memory limit"):
        ramure.Search(Sticks(4), memory=1).run(iterations=1)
