"""Beliefs: planning without seeing the state."""

import math
from functools import cache

import pytest
import ramure
from ramure import Belief, Planning


class Tiger:
    """A tiger is behind one of two doors. To listen tells the right side with probability 0.85."""

    def __init__(self, is_left=True):
        self.is_left = is_left

    def __copy__(self):
        return type(self)(self.is_left)

    def actions(self):
        return ["open left", "open right", "listen"]

    def step(self, action, random):
        if action == "listen":
            return -1
        finds_it = self.is_left == (action == "open left")
        self.is_left = random.random() < 0.5
        return -100 if finds_it else 10

    def observe(self, action, random):
        is_right = random.random() < (0.85 if action == "listen" else 0.5)
        return "left" if self.is_left == is_right else "right"


class Weighed(Tiger):
    def likelihood(self, action, heard):
        if heard not in ("left", "right"):
            return 0
        right = 0.85 if action == "listen" else 0.5
        return right if self.is_left == (heard == "left") else 1 - right


def belief(cls=Weighed, size=1_000, seed=7):
    return Belief.from_function(lambda random: cls(random.random() < 0.5), size, seed=seed)


def search(start=None, seed=0, **settings):
    settings = {"discount": 0.95} | settings
    return ramure.Search(Planning(belief() if start is None else start, **settings), seed=seed)


def share_left(found):
    return found.belief.probability(lambda tiger: tiger.is_left)


@pytest.mark.parametrize("seed", range(20))
def test_it_listens_first_and_opens_the_other_door_after_it_has_heard_the_tiger(seed):
    found = search(seed=seed, horizon=20)
    assert found.run(iterations=600).best_action == "listen"
    side, other = [("left", "open right"), ("right", "open left")][seed % 2]
    for heard in range(1, 7):
        found.observe("listen", side)
        best = found.run(iterations=1_500).best_action
        if best != "listen":
            break
    assert best == other and heard >= 2
    found = search(found.belief, seed=seed, horizon=1)
    assert found.run(iterations=500).best_action == other


def test_actions_are_best_by_value_iteration_over_beliefs():
    @cache
    def values(left, horizon):
        """Return what each action is worth, exactly."""
        if horizon == 0:
            return {"": 0.0}
        rest = 0.95 * max(values(0.5, horizon - 1).values())
        worth = {"open left": rest + 10 - 110 * left, "open right": rest + 10 - 110 * (1 - left), "listen": -1.0}
        for right, wrong in ((0.85, 0.15), (0.15, 0.85)):
            heard = left * right + (1 - left) * wrong
            worth["listen"] += 0.95 * heard * max(values(left * right / heard, horizon - 1).values())
        return worth

    for left, horizon in [(0.5, 1), (0.15, 1), (0.03, 1), (0.002, 1), (0.97, 1), (0.5, 2), (0.5, 3), (0.5, 4), (0.2, 3), (0.85, 2)]:
        best, second = sorted(values(left, horizon).items(), key=lambda item: -item[1])[:2]
        assert best[1] - second[1] > 3, (left, horizon, best, second)
        start = Belief([Weighed(True), Weighed(False)], [left, 1 - left])
        report = search(start, horizon=horizon).run(iterations=1_000)
        assert report.best_action == best[0], (left, horizon)
        if horizon == 1:
            mean = next(entry.mean for entry in report.actions if entry.action == best[0])
            assert mean == pytest.approx(best[1], abs=4), (left, horizon)  # four standard errors of the 300 visits or more


@pytest.mark.parametrize("cls", [Tiger, Weighed])
def test_a_belief_follows_the_rule_of_bayes(cls):
    found = search(belief(cls, 4_000))
    odds = share_left(found) / (1 - share_left(found))
    for heard in ("left", "left", "right"):
        found.observe("listen", heard)
        odds *= 0.85 / 0.15 if heard == "left" else 0.15 / 0.85
        assert share_left(found) == pytest.approx(odds / (1 + odds), abs=0.02)
    found.observe("open left", "right")
    assert share_left(found) == pytest.approx(0.5, abs=0.05)


def test_an_observation_that_nothing_explains_is_an_error_and_the_tree_is_kept():
    for cls, tried in [(Tiger, 100_000 // 50), (Weighed, 20)]:
        found = search(belief(cls, 20))
        found.run(iterations=50)
        before = found.belief
        with pytest.raises(ramure.BeliefError, match=rf"no state of the belief explains .* \({tried} were tried\): give `likelihood`") as caught:
            found.observe("listen", "behind")
        assert isinstance(caught.value, ramure.SearchError) and caught.value.ply is None
        assert found.report().root_visits == 50
        assert [tiger.is_left for tiger in found.belief.particles] == [tiger.is_left for tiger in before.particles]
        found.observe("listen", "left")
        assert found.report().root_visits == 0


def test_actions_and_observations_alternate_in_a_line():
    found = search()
    report = found.run(iterations=500)
    assert {entry.action for entry in found.actions_after(["listen"])} == {"left", "right"}
    assert {entry.action for entry in found.actions_after(["listen", "left"])} == set(Tiger().actions())
    assert found.actions_after(["listen", "behind"]) == []
    assert {entry.action for entry in found.actions_after([])} == set(Tiger().actions())
    assert set(report.principal_variation) <= set(Tiger().actions())
    assert "'listen' 'left'" in str(report) or "'listen' 'right'" in str(report)
    assert "listen" in found.page()


def test_advance_draws_what_is_observed_and_reset_takes_a_belief():
    found = search()
    found.run(iterations=50)
    found.advance("listen")
    assert abs(share_left(found) - 0.5) > 0.3
    sure = Belief([Weighed(True)])
    found.reset(sure)
    assert found.belief.size == 1 and found.state.particles[0].is_left
    assert "open left" not in found.run(iterations=500).principal_variation[:1]


def test_none_is_an_observation():
    class Silent(Tiger):
        def observe(self, action, random):
            return None if random.random() < 0.5 else "left"

    found = search(belief(Silent, 50))
    found.observe("listen", None)
    assert 0.2 < share_left(found) < 0.8 and found.belief.size == 50


def test_a_belief_tells_its_size_and_what_it_says():
    found = Belief(["a", "b", "c"], weights=[3, 1, 0])
    assert (found.size, len(found), found.particles, found.weights) == (3, 3, ["a", "b", "c"], [3, 1, 0])
    assert found.effective_size == pytest.approx(1.6) and str(found) == "3 states, worth 1.6 of equal weight"
    assert found.probability(lambda letter: letter != "a") == 0.25
    assert found.entropy(lambda letter: letter) == pytest.approx(-0.75 * math.log2(0.75) + 0.5)
    assert found.entropy(len) == 0 and repr(found) == "<Belief of 3 states, worth 1.6 of equal weight>"
    assert Belief([1, 2], [1e308, 1e308]).effective_size == 2
    drawn = [Belief.from_function(lambda random: random.random(), 5, seed=seed).particles for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


class Walk:
    """A walker on a line wants to stop at 0, and hears about where it is."""

    def __init__(self, place=0.0, stopped=False):
        self.place, self.stopped = place, stopped

    def __copy__(self):
        return Walk(self.place, self.stopped)

    def actions(self):
        return [-1, 1, "stop"]

    def is_over(self):
        return self.stopped

    def step(self, action, random):
        if action == "stop":
            self.stopped = True
            return 10.0 if abs(self.place) < 0.5 else -10.0
        self.place += action
        return -0.1

    def observe(self, action, random):
        return random.gauss(self.place, 0.3)

    def likelihood(self, action, seen):
        return math.exp(-((seen - self.place) ** 2) / (2 * 0.3**2))


def test_real_observations_are_widened():
    start = Belief([Walk(place) for place in (-2, -1, 0, 1, 2)])
    few = search(start, horizon=8, observations=(2, 0.1))
    few.run(iterations=1_000)
    assert 1 <= len(few.actions_after([1])) <= 4
    every = search(start, horizon=8)
    every.run(iterations=1_000)
    assert len(every.actions_after([1])) > 20
    few.observe(1, 1.1)
    assert few.belief.probability(lambda walk: walk.place == 1) > 0.9
    few.observe(-1, 0.1)
    assert few.run(iterations=1_000).best_action == "stop"


def test_states_are_reinvigorated():
    class Places(Walk):
        def __copy__(self):
            return Places(self.place, self.stopped)

        def observe(self, action, random):
            return self.place > 3

        def likelihood(self, action, is_far):
            return float(is_far == (self.place > 3))

        def reinvigorate(self, random):
            return Places(self.place + random.choice([0, 0.25]), self.stopped)

    found = search(Belief([Places(0)] * 10 + [Places(5)] * 40), horizon=5)
    found.observe(1, False)
    assert found.belief.size == 50 and {walk.place for walk in found.belief.particles} == {1, 1.25}
    with pytest.raises(ramure.BeliefError):
        search(Belief([Walk(0)] * 10), horizon=5).observe(1, 1e9)


def test_the_laws_of_observations_are_checked():
    def check(cls):
        return ramure.check(Planning(belief(cls, 10), discount=0.95, horizon=5))

    assert "laws hold" in check(Tiger) and "laws hold" in check(Weighed)

    class Wrong(Weighed):
        def likelihood(self, action, heard):
            return 0.6 if self.is_left == (heard == "left") else 0.4

    class Own(Tiger):
        heard = 0

        def observe(self, action, random):
            Own.heard += 1
            return Own.heard

    class Moves(Tiger):
        def observe(self, action, random):
            self.is_left = not self.is_left

    class Raises(Tiger):
        def observe(self, action, random):
            return {}[action]

    for cls, law, text in [
        (Wrong, "Observations", "`likelihood` is wrong about what `observe` draws"),
        (Own, "Results", "draw from `random` alone"),
        (Moves, "Observations", "`observe` changed Moves"),
        (Raises, "Calls", "`observe` raised KeyError"),
    ]:
        with pytest.raises(ramure.Violation, match=text) as caught:
            check(cls)
        assert caught.value.law == law


def test_bad_beliefs():
    for wrong, kind, text in [
        (lambda: Belief([]), ValueError, "needs a state"),
        (lambda: belief(size=0), ValueError, "`size` is 0"),
        (lambda: Belief([Tiger()], [-1]), ValueError, "the weight of particle 0 is -1"),
        (lambda: Belief([Tiger()] * 2, [1, math.nan]), ValueError, "the weight of particle 1 is nan"),
        (lambda: Belief([Tiger()], [math.inf]), ValueError, "is inf"),
        (lambda: Belief([Tiger()], [0]), ValueError, "all weights of the belief are 0"),
        (lambda: Belief([Tiger()], ["1"]), TypeError, "a weight is a value of type str"),
        (lambda: Belief([Tiger()], [1, 2]), ValueError, "1 particles and 2 weights"),
        (lambda: Belief([Tiger(), Weighed()]), TypeError, "of class Tiger and Weighed"),
        (lambda: Belief.from_function(3), TypeError, "`draw` is a value of type int"),
        (lambda: ramure.Search(Belief([Tiger()])), TypeError, "give ramure.Planning"),
        (lambda: search(Belief([1])), TypeError, r"int is not a particle: it lacks actions, step, observe"),
        (lambda: search(discount=1), ValueError, "give a `horizon`"),
        (lambda: search(observations=(0, 0.5)).run(iterations=5), ramure.SearchError, "observations, scale"),
        (lambda: search(observations=3), TypeError, "`observations` is"),
        (lambda: ramure.Search(Planning(Tiger(), horizon=5, observations=(1, 1))), ValueError, "are those of a belief"),
        (lambda: ramure.Search(Planning(Tiger(), horizon=5)).belief, ValueError, "has no belief"),
        (lambda: ramure.Search(Planning(Tiger(), horizon=5)).observe("listen", 1), ValueError, "has no belief"),
        (lambda: ramure.Search(Planning(Tiger(), horizon=5)).reset(belief()), TypeError, "this search is of a state"),
        (lambda: search().reset(Weighed()), TypeError, "this search is of the class Belief"),
        (lambda: search().save("file"), ValueError, "those of a belief have no files"),
        (lambda: search().observe("fly", "left"), ramure.SearchError, "'fly' is not legal"),
        (lambda: search().observe("listen", []), TypeError, "unhashable"),
    ]:
        with pytest.raises(kind, match=text):
            wrong()


@pytest.mark.parametrize("value", [-0.5, math.nan, math.inf])
def test_a_likelihood_that_is_none_of_a_probability(value):
    class Wrong(Weighed):
        def likelihood(self, action, heard):
            return value

    found = search(belief(Wrong, 10))
    with pytest.raises(ramure.BeliefError, match=rf"`likelihood` returned {value}".replace("nan", "NaN")):
        found.observe("listen", "left")
    assert found.belief.size == 10


def test_what_a_particle_raises_is_the_cause():
    class Raises(Weighed):
        def likelihood(self, action, heard):
            return {}[heard]

    found = search(belief(Raises, 10))
    with pytest.raises(ramure.SearchError, match="`likelihood` raised KeyError: 'left'") as caught:
        found.observe("listen", "left")
    assert isinstance(caught.value.__cause__, KeyError) and type(caught.value) is ramure.SearchError

    class Ends(Weighed):
        def is_over(self):
            raise RuntimeError("no end")

    with pytest.raises(ramure.SearchError, match="`is_over` raised RuntimeError: no end"):
        search(belief(Ends, 10))


def test_states_after_the_end_are_left_out():
    found = search(Belief([Walk(0, True), Walk(1)]), horizon=5)
    assert [walk.place for walk in found.belief.particles] == [1]
    over = search(Belief([Walk(0, True)]), horizon=5)
    with pytest.raises(ramure.SearchError, match="over"):
        over.observe(1, 1.0)


def test_few_observations_need_a_likelihood():
    belief = Belief([Tiger(True), Tiger(False)])
    search = ramure.Search(Planning(belief, horizon=5, observations=(1, 0.1)))
    with pytest.raises(ramure.BeliefError, match="likelihood"):
        search.run(iterations=200)
