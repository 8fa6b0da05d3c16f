"""Problems of planning: classes with steps that give rewards."""

import gc
import itertools
import os
import random
import sys
import weakref

import pytest
import ramure
from conftest import interrupted
from ramure import Planning


class Machine:
    """A machine earns 3 a day while it is new, and less as it wears out. To replace it costs 5."""

    def __init__(self, wear=0):
        self.wear = wear

    def __copy__(self):
        return type(self)(self.wear)

    def actions(self):
        return ["go on", "replace"]

    def step(self, action, random):
        self.wear = 0 if action == "replace" else min(self.wear + random.randrange(2), 4)
        return 3 - self.wear - 5 * (action == "replace")

    def key(self):
        return self.wear


class Cards:
    """A card is drawn, red or black. Then the player names its colour, and wins 1 if it is right."""

    def __init__(self, card=None, named=False):
        self.card, self.named = card, named

    def __copy__(self):
        return type(self)(self.card, self.named)

    def is_over(self):
        return self.named

    def actions(self):
        return ["draw"] if self.card is None else ["red", "black"]

    def step(self, action, random):
        if self.card is None:
            self.card = random.choice(["red", "black"])
            return 0
        self.named = True
        return float(action == self.card)


class SeenCards(Cards):
    def key(self):
        return self.card


# The lake of Gymnasium: on each of four sides, the player slips with probability 1/3 each to the left and to the right.
LAKE = "SFFFFHFHFFFHHFFG"


def slip(place, direction):
    row, column = divmod(place, 4)
    row += (0, 1, 0, -1)[direction]
    column += (-1, 0, 1, 0)[direction]
    return 4 * min(max(row, 0), 3) + min(max(column, 0), 3)


class Lake:
    def __init__(self, place=0):
        self.place = place

    def __copy__(self):
        return type(self)(self.place)

    def is_over(self):
        return LAKE[self.place] in "HG"

    def actions(self):
        return range(4)

    def step(self, action, random):
        self.place = slip(self.place, (action + random.randrange(-1, 2)) % 4)
        return float(LAKE[self.place] == "G")

    def key(self):
        return self.place


def worth_of_actions(discount, horizon):
    """Return what each action in each place of the lake is worth, by value iteration."""
    values = [0.0] * 16
    for _ in range(horizon):
        ways = [[[slip(place, (action + turn) % 4) for turn in (-1, 0, 1)] for action in range(4)] for place in range(16)]
        worth = [
            [sum((LAKE[to] == "G") + discount * values[to] for to in way) / 3 for way in ways[place]] for place in range(16)
        ]
        values = [0.0 if LAKE[place] in "HG" else max(worth[place]) for place in range(16)]
    return worth


def test_a_machine_is_replaced_when_it_is_worn_out():
    search = ramure.Search(Planning(Machine(), discount=0.9, horizon=30), seed=1)
    report = search.run(iterations=1_000)
    assert report.best_action == "go on" and 0 < report.actions[0].mean < 30
    assert report.player == 0 and report.proof is None
    search.reset(Machine(4))
    assert search.state.wear == 4 and search.run(iterations=1_000).best_action == "replace"
    search.advance("replace")
    assert search.state.wear == 0 and search.report().root_visits == 0


@pytest.mark.parametrize("place", [8, 9, 10, 13, 14])
def test_the_lake_is_crossed_as_by_value_iteration(place):
    worth = worth_of_actions(0.95, 5)[place]
    for seed in range(5):
        plan = Planning(Lake(place), discount=0.95, horizon=5)
        report = ramure.Search(plan, seed=seed).run(iterations=2_000)
        # What the best action is worth more than the chosen one; the seeds are fixed.
        assert max(worth) - worth[report.best_action] < 0.04, (seed, worth)
        # The means are those of play that explores, and so at most what best play is worth, up to chance.
        for entry in report.actions:
            assert entry.mean < worth[entry.action] + 0.05, (seed, worth)


def test_with_a_key_it_plans_for_each_outcome():
    seen = ramure.Search(Planning(SeenCards())).run(iterations=1_000)
    blind = ramure.Search(Planning(Cards())).run(iterations=1_000)
    # In 1000 games of chance the mean is 0.5 ± 0.1, except for less than one in 10 000 seeds.
    assert seen.actions[0].mean > 0.9 and 0.4 < blind.actions[0].mean < 0.6
    assert seen.best_action == blind.best_action == "draw"
    assert seen.principal_variation[0] == "draw" and len(seen.principal_variation) <= 2


def test_a_seed_fixes_the_result():
    class Draws(Machine):
        def step(self, action, random):
            numbers = [random.random(), random.gauss(0, 1), random.uniform(1, 2), random.getrandbits(200), random.randrange(10**30)]
            numbers += random.choices(range(9), k=2) + random.sample(range(9), 2) + list(random.randbytes(3))
            self.wear = (self.wear + sum(map(int, numbers))) % 1_009
            return float(self.wear % 7)

    class Blind(Draws):
        key = None
        __slots__ = ()

    del Blind.key
    first, second, other = (
        ramure.Search(Planning(Draws(), horizon=8), seed=seed).run(iterations=200) for seed in (5, 5, 6)
    )
    assert first.actions == second.actions and first.nodes == second.nodes
    assert first.actions != other.actions


def test_random_numbers_are_uniform():
    drawn = []

    class Draws(Machine):
        def step(self, action, random):
            drawn.append((random.random(), random.getrandbits(3), random.getrandbits(70), random.gauss(0, 1)))
            assert random.getrandbits(0) == 0
            with pytest.raises(ValueError):
                random.getrandbits(-1)
            return 0.0

    ramure.Search(Planning(Draws(), horizon=4), seed=1).run(iterations=600)
    # An outcome that is in the tree is drawn again and again, by the same seed.
    units, threes, seventies, gausses = zip(*set(drawn), strict=True)
    count = len(units)
    # Each bound is more than five deviations wide: less than one seed in 100 000 exceeds one.
    width = 5 / count**0.5
    assert abs(sum(units) / count - 1 / 2) < 0.3 * width and abs(sum(gausses) / count) < width
    for number in range(8):
        assert abs(threes.count(number) / count - 1 / 8) < 0.34 * width
    assert all(0 <= number < 2**70 for number in seventies)
    assert abs(sum(number >> 69 for number in seventies) / count - 1 / 2) < 0.5 * width


def test_rewards_of_any_scale_and_bounds():
    class Rich(Machine):
        def step(self, action, random):
            return 1e9 + 1e3 * super().step(action, random)

    report = ramure.Search(Planning(Rich(), horizon=10)).run(iterations=500)
    assert report.best_action == "go on" and 0.99e10 < report.actions[0].mean < 1.01e10
    plan = Planning(Machine(), horizon=3, bounds=(-30, 10))
    assert ramure.Search(plan).run(iterations=300).best_action == "go on"
    search = ramure.Search(Planning(Machine(), horizon=3, bounds=(0, 1)))
    with pytest.raises(ramure.SearchError, match="return"):
        search.run(iterations=300)


def test_bounds_of_a_run_and_memory():
    search = ramure.Search(Planning(Machine(), horizon=20), memory=100_000)
    report = search.run(millis=30)
    assert report.stop_reason == "time used up" and report.bytes <= 100_000
    assert sum(entry.visits for entry in search.actions_after([])) <= report.root_visits


def test_a_page():
    search = ramure.Search(Planning(Machine(), horizon=5))
    search.run(iterations=50)
    page = search.page("A machine")
    assert "replace" in page and "Machine(wear=" in page


@pytest.mark.parametrize("kind", [Machine, Cards])
@pytest.mark.parametrize("method", ["actions", "step", "is_over", "key", "estimate", "__copy__"])
@pytest.mark.parametrize("error", [ValueError("once"), KeyboardInterrupt()])
def test_a_search_goes_on_after_an_exception(kind, method, error):
    class Fails(kind):
        calls, when = 0, 0

        def is_over(self):
            return getattr(super(), "is_over", bool)()

        def estimate(self):
            return 1.0

    if method in ("key", "estimate") and kind is Cards:
        pytest.skip("it has no keys, and its ends need no estimate")
    inner = getattr(Fails, method)

    def hook(self, *arguments):
        Fails.calls += 1
        if Fails.calls == Fails.when:
            raise error
        return inner(self, *arguments)

    setattr(Fails, method, hook)
    for skipped in (1, 2, 5, 50):
        search = ramure.Search(Planning(Fails(), horizon=6))
        Fails.when = Fails.calls + skipped
        with pytest.raises((ramure.SearchError, KeyboardInterrupt)) as caught:
            search.run(iterations=500)
        assert error in (caught.value, caught.value.__cause__)
        if isinstance(caught.value, ramure.SearchError):
            assert f"`{method}` raised ValueError: once" in str(caught.value)
        Fails.when = 0
        assert search.report().root_visits >= 0 and search.run(iterations=50).iterations == 50


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("step", lambda self, action, random: None, "`step` returned None; return the reward"),
        ("step", lambda self, action, random: "3", "`step` returned a value of type str"),
        ("step", lambda self, action, random: float("nan"), "NaN|nan"),
        ("step", lambda self, action, random: float("inf"), "inf"),
        ("step", lambda self, action: 0.0, "positional argument"),
        ("key", lambda self: [1], "unhashable"),
        ("actions", lambda self: [], "no action"),
        ("actions", lambda self: None, "`actions` returned None"),
        ("actions", lambda self: [[1]], "unhashable"),
        ("__copy__", lambda self: self, "returned the state itself"),
    ],
)
def test_simulators_that_break_the_contract(name, value, match):
    wrong = type("Wrong", (Machine,), {name: value})
    with pytest.raises((ramure.SearchError, TypeError), match=match):
        ramure.Search(Planning(wrong(), horizon=5)).run(iterations=100)


def test_settings_that_are_wrong():
    for settings, match in [
        ({"discount": 2}, "discount"),
        ({"discount": float("nan")}, "discount"),
        ({"horizon": 0}, "horizon"),
        ({"horizon": 3, "bounds": (1, 0)}, "bounds"),
    ]:
        with pytest.raises(ramure.SearchError, match=match):
            ramure.Search(Planning(Machine(), **settings)).run(iterations=10)
    with pytest.raises(ValueError, match="never ends; give a `horizon`"):
        ramure.Search(Planning(Machine()))
    for horizon in (-1, 2**40):
        with pytest.raises(ValueError, match=f"`horizon` is {horizon}; it must be"):
            ramure.Search(Planning(Machine(), horizon=horizon))
    for settings in [{"discount": "x"}, {"horizon": 2.5}, {"bounds": 3}, {"bounds": (1, "2")}, {"bounds": (1, 2, 3)}]:
        with pytest.raises(TypeError, match=f"`{next(iter(settings))}` is a value of type"):
            ramure.Search(Planning(Machine(), **{"horizon": 3} | settings))
    for arguments in [{"algorithm": "ucb1"}, {"threads": 2}, {"window": 2}, {"evaluate": print}, {"planes": True}]:
        with pytest.raises(ValueError, match="leave them out"):
            ramure.Search(Planning(Machine(), horizon=3), **arguments)


def test_what_is_no_simulator():
    class Half:
        def actions(self):
            return [1]

    for value in [None, 3, Half()]:
        with pytest.raises(TypeError, match="is not a simulator: it lacks .*step"):
            ramure.Search(Planning(value))
    with pytest.raises(TypeError, match="Machine is a class"):
        ramure.Search(Planning(Machine))
    with pytest.raises(TypeError, match=r"give ramure.Planning\(simulator\)"):
        ramure.Search(Machine())
    search = ramure.Search(Planning(Machine(), horizon=5))
    with pytest.raises(TypeError, match="is not a simulator"):
        search.reset(Half())
    with pytest.raises(ramure.SearchError, match="not legal"):
        search.advance("sell")
    for name, value in [("key", 3), ("is_over", True)]:
        with pytest.raises(TypeError, match=f"`{name}` is .*; make it a method"):
            ramure.Search(Planning(type("Wrong", (Machine,), {name: value})()))


def test_ctrl_c_ends_a_search_and_keeps_the_tree():
    for kind in [Machine, Cards]:
        search = ramure.Search(Planning(kind(), horizon=50))
        assert any(interrupted(lambda search=search: search.run(millis=600_000)) < 0.1 for _ in range(3))
        assert search.report().root_visits > 0


def test_searches_leak_nothing():
    tokens = [object(), object()]

    class Counted(Machine):
        alive = 0

        def __init__(self, wear=0):
            super().__init__(wear)
            Counted.alive += 1

        def __del__(self):
            Counted.alive -= 1

        def actions(self):
            return tokens.copy()

        def step(self, token, random):
            return super().step("replace" if token is tokens[1] else "go on", random)

        def key(self):
            return tokens[self.wear % 2], super().key()

    gc.collect()
    before = [sys.getrefcount(token) for token in tokens]
    search = ramure.Search(Planning(Counted(), horizon=10))
    search.run(iterations=100_000 if os.environ.get("RAMURE_DEEP") else 1_000)
    del search
    gc.collect()
    assert [sys.getrefcount(token) for token in tokens] == before and Counted.alive == 0


def test_a_simulator_that_refers_to_its_search_is_freed():
    simulator = Machine()
    simulator.search = ramure.Search(Planning(simulator, horizon=5))
    simulator.search.run(iterations=20)
    simulator.search.reset(simulator)  # the search has a copy, which refers to it as well
    gone = weakref.ref(simulator.search)
    del simulator
    gc.collect()
    assert gone() is None


def test_the_global_generator_is_not_touched():
    random.seed(1)
    before = random.getstate()
    ramure.Search(Planning(Machine(), horizon=5)).run(iterations=50)
    assert random.getstate() == before


class Walk(Machine):
    """A way of 30 steps, to the left or to the right, to a reward at its right end."""

    def actions(self):
        return [-1, 1]

    def is_over(self):
        return self.wear == 30

    def step(self, way, random):
        self.wear = max(self.wear + way, 0)
        return float(self.is_over())


class Estimated(Walk):
    def estimate(self):
        return 0.95 ** (29 - self.wear)


def test_an_estimate_takes_the_place_of_random_steps():
    for seed in range(3):
        plan = Planning(Estimated(), discount=0.95, horizon=100)
        report = ramure.Search(plan, seed=seed).run(iterations=300)
        assert report.best_action == 1 and report.actions[0].mean > 0
        # 30 steps to the right by chance: random steps of 100 never find the reward from here.
        blind = ramure.Search(Planning(Walk(), discount=0.95, horizon=100), seed=seed).run(iterations=100)
        assert max(entry.mean for entry in blind.actions) < 0.05
    for wrong, match in [("x", "`estimate` returned a value of type str"), (float("nan"), "NaN|nan")]:
        kind = type("Wrong", (Walk,), {"estimate": lambda self, wrong=wrong: wrong})
        with pytest.raises(ramure.SearchError, match=match):
            ramure.Search(Planning(kind(), horizon=9)).run(iterations=10)
    with pytest.raises(TypeError, match="make it a method"):
        ramure.Search(Planning(type("Wrong", (Walk,), {"estimate": 3})(), horizon=9))


def test_laws_of_simulators():
    for simulator in [Machine(), Cards(), SeenCards(), Lake()]:
        assert "laws hold" in ramure.check(Planning(simulator, horizon=20))
    assert "100 lines of 500 steps" in ramure.check(Planning(Machine(), horizon=5))
    assert "3 lines of 6 steps" in ramure.check(Planning(Machine()), games=3, longest=2)


def violated(kind, law, match, actions=None):
    with pytest.raises(ramure.Violation, match=match) as caught:
        ramure.check(Planning(kind(), horizon=10))
    assert caught.value.law == law and (actions is None or caught.value.actions == actions)


def test_random_numbers_from_elsewhere_are_found():
    class Elsewhere(Machine):
        def step(self, action, _):
            return super().step(action, random)

    violated(Elsewhere, "Results", "draw from `random` alone")

    class Unseen(Cards):
        """Has no key; its reward and its actions are the same after every first step."""

        def step(self, action, _):
            return super().step(action, random)

    violated(Unseen, "Results", r"led to .*Unseen\(card='(red|black)'.* and to", [])


def test_copies_that_share_are_found():
    class Shares(Machine):
        def __init__(self, days=None):
            super().__init__()
            self.days = [] if days is None else days

        def __copy__(self):
            return Shares(self.days)

        def step(self, action, random):
            self.days.append(action)
            return 0.0

    violated(Shares, "Clones", r"the step .* of a copy changed Shares\(.*days=\[\]\) into", [])


def test_actions_and_rewards_that_are_wrong_are_found():
    class Stuck(Machine):
        def actions(self):
            return ["go on"] if self.wear < 2 else []

    class Twice(Machine):
        def actions(self):
            return ["go on", "go on"]

    class Endless(Machine):
        def step(self, action, random):
            return float("inf")

    violated(Stuck, "Actions", "there is no action, and the state is no end .after the actions 'go on'")
    violated(Twice, "Actions", "listed twice")
    violated(Endless, "Rewards", "has the reward inf .at the start")
    violated(type("Worth", (Machine,), {"estimate": lambda self: float("nan")}), "Rewards", "`estimate` returned nan")
    violated(type("Nan", (Machine,), {"step": lambda self, action, random: float("nan")}), "Rewards", "has the reward nan")


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("step", lambda self, action: 0.0, "`step` raised TypeError: .*positional argument"),
        ("step", lambda self, action, random: "3", "`step` raised TypeError: .*str"),
        ("step", lambda self, action, random: None, "`step` raised TypeError: .*None"),
        ("actions", lambda self: None, "`actions` raised TypeError"),
        ("actions", lambda self: [[1]], "`__hash__` raised TypeError: .*unhashable"),
        ("key", lambda self: [1], "`key` raised TypeError: .*unhashable"),
        ("actions", lambda self: itertools.count(), "`actions` raised ValueError: .* is it endless"),
        ("estimate", lambda self: 1 / 0, "`estimate` raised ZeroDivisionError"),
        ("estimate", lambda self: "3", "`estimate` raised TypeError: .*str"),
        ("is_over", lambda self: 1 / 0, "`is_over` raised ZeroDivisionError: division by zero"),
        ("__repr__", lambda self: 1 / 0, "`__repr__` raised ZeroDivisionError"),
    ],
)
def test_what_a_simulator_raises_is_a_violation(name, value, match):
    violated(type("Wrong", (Machine,), {name: value}), "Calls", match)


def test_a_violation_has_the_line_and_the_cause():
    class Late(Machine):
        def step(self, action, random):
            if self.wear == 1:
                raise LookupError("worn out")
            self.wear += 1
            return 0.0

    with pytest.raises(ramure.Violation, match="`step` raised LookupError: worn out .after the actions") as caught:
        ramure.check(Planning(Late(), horizon=5))
    assert isinstance(caught.value.__cause__, LookupError) and len(caught.value.actions) == 1
    # What a search refuses at once, a check refuses in the same words.
    for value, match in [(3, "is not a simulator: it lacks actions, step"), (Machine, "Machine is a class")]:
        with pytest.raises(TypeError, match=match):
            ramure.check(Planning(value, horizon=5))
    with pytest.raises(TypeError, match="`__copy__` returned a value of type Machine; return a state of the same class"):
        ramure.check(Planning(type("Other", (Machine,), {"__copy__": lambda self: Machine()})(), horizon=5))
    with pytest.raises(TypeError, match="returned the state itself"):
        ramure.check(Planning(type("Same", (Machine,), {"__copy__": lambda self: self})(), horizon=5))


def test_actions_after_a_line():
    blind = ramure.Search(Planning(Cards()), seed=1)
    blind.run(iterations=300)
    assert {entry.action for entry in blind.actions_after(["draw"])} == {"red", "black"}
    seen = ramure.Search(Planning(SeenCards()), seed=1)
    seen.run(iterations=300)
    assert [entry.action for entry in seen.actions_after([])] == ["draw"]
    for line in [["draw"], ["draw", "red"]]:
        with pytest.raises(ValueError, match="depend on its outcome"):
            seen.actions_after(line)


class Keeps:
    total = 0

    def actions(self):
        return [1, 2]

    def step(self, action, random):
        self.random = random
        self.total += random.randrange(5)
        return float(action)

    def key(self):
        return self.total


def test_a_state_may_keep_the_generator_and_be_copied_deeply(tmp_path):
    report = ramure.Search(Planning(Keeps(), horizon=4), seed=1).run(iterations=100)
    assert report.best_action == 2
    assert "laws hold" in ramure.check(Planning(Keeps(), horizon=4), games=3)
    search = ramure.Search(Planning(Keeps(), horizon=4), seed=1)
    search.run(iterations=100)
    search.advance(2)
    search.save(tmp_path / "search")
    later = ramure.Search(Planning(Keeps(), horizon=4), seed=1)
    later.load(tmp_path / "search")
    assert later.run(iterations=100).best_action == 2
