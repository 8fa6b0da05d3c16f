"""Environments of Gymnasium."""

import copy
import pickle
import threading
import warnings
from random import Random

import numpy as np
import pytest
import ramure
from conftest import goes_on_from_a_file
from ramure import Planning

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
from ramure.gymnasium import Gymnasium  # noqa: E402


def made(name, **settings):
    env = gymnasium.make(name, **settings)
    env.reset(seed=1)
    return env


def worth_of_actions(table, discount, horizon):
    """Return what each action in each state is worth, by value iteration."""
    values = {state: 0.0 for state in table}
    for _ in range(horizon):
        worth = {
            state: [
                sum(chance * (reward + (0 if over else discount * values[to])) for chance, to, reward, over in ways)
                for ways in actions.values()
            ]
            for state, actions in table.items()
        }
        values = {state: max(worths) for state, worths in worth.items()}
    return worth


@pytest.mark.parametrize("place", [10, 13, 14])
def test_frozen_lake_is_crossed_as_by_value_iteration(place):
    env = made("FrozenLake-v1").unwrapped
    worth = worth_of_actions(env.P, 0.95, 5)[place]
    for seed in range(2):
        env.s = place
        plan = Planning(Gymnasium(env, shared=["P"]), discount=0.95, horizon=5)
        report = ramure.Search(plan, seed=seed).run(iterations=2_000)
        # What the best action is worth more than the chosen one; the seeds are fixed.
        assert max(worth) - worth[report.best_action] < 0.04, (seed, worth)


# Its version differs between versions of Gymnasium.
TAXI = max(name for name in gymnasium.registry if name.startswith("Taxi-v"))


def test_a_passenger_is_dropped_at_the_destination():
    env = made(TAXI).unwrapped
    # In row 0, column 1, with the passenger, one step east of the destination.
    env.s = env.encode(0, 1, 4, 0)
    search = ramure.Search(Planning(Gymnasium(env, shared=["P"]), horizon=4))
    assert search.run(iterations=400).best_action == 3
    _, reward, *_ = env.step(3)
    assert reward == -1
    search.reset(Gymnasium(env, shared=["P"]))
    report = search.run(iterations=400)
    assert report.best_action == 5
    _, reward, over, *_ = env.step(5)
    assert reward == 20 and over
    search.reset(Gymnasium(env, shared=["P"]))
    with pytest.raises(ramure.SearchError, match="over"):
        search.run(iterations=400)


def test_a_pole_is_balanced():
    env = made("CartPole-v1")
    search = ramure.Search(Planning(Gymnasium(env), horizon=15), seed=1)
    for _ in range(40):  # Random actions end after about 22 steps.
        action = search.run(iterations=40).best_action
        _, _, over, *_ = env.step(action)
        assert not over
        search.reset(Gymnasium(env))


def test_the_environment_is_not_changed():
    for name in ["FrozenLake-v1", "CartPole-v1"]:
        env, twin = made(name), made(name)
        adapted = Gymnasium(env)
        search = ramure.Search(Planning(adapted, horizon=5))
        search.run(iterations=50)
        search.advance(search.report().best_action)
        assert adapted.observation is None and adapted.env is env
        for _ in range(5):
            for one, other in zip(env.step(1), twin.step(1), strict=True):
                assert np.array_equal(one, other)
            states = [toy.unwrapped.np_random.bit_generator.state for toy in (env, twin)]
            assert states[0] == states[1]


def test_environments_obey_the_laws():
    for name in ["FrozenLake-v1", "CartPole-v1", TAXI, "Acrobot-v1"]:
        assert "laws hold" in ramure.check(Planning(Gymnasium(made(name)), horizon=20), games=3)

    class Own(gymnasium.Env):
        """Draws from a generator of its own."""

        observation_space = action_space = gymnasium.spaces.Discrete(5)
        generator = np.random.default_rng(1)

        def step(self, action):
            return int(self.generator.integers(5)), 0.0, False, False, {}

    with pytest.raises(ramure.Violation, match="draw from `random` alone"):
        ramure.check(Planning(Gymnasium(Own()), horizon=20))


def steps_until_over(env, action):
    """Step until the episode is over, and return whether each adapter before said that it was not."""
    said = []
    while True:
        said.append(not Gymnasium(env).is_over())
        *_, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            return all(said)


def test_an_environment_that_shows_that_it_is_over():
    # A pole falls, a time is up, and a player falls into a hole.
    for name, action in [("CartPole-v1", 0), ("MountainCar-v0", 1), ("FrozenLake-v1", 1)]:
        env = made(name)
        assert steps_until_over(env, action), name
        assert Gymnasium(env).is_over(), name
        with pytest.raises(ramure.SearchError, match="over"):
            ramure.Search(Planning(Gymnasium(env), horizon=5)).run(iterations=10)
        env.reset(seed=2)
        assert not Gymnasium(env).is_over(), name
    cliff = made("CliffWalking-v1")
    for place in range(37):  # the start, and all cells above the cliff
        cliff.unwrapped.s = place
        assert not Gymnasium(cliff).is_over(), place
    cliff.unwrapped.s = 47
    assert Gymnasium(cliff).is_over()


class FairBlackjack(Gymnasium):
    """Draws the hidden card of the dealer again in each step."""

    def step(self, action, random):
        self.env.unwrapped.dealer[1] = min(random.randint(1, 13), 10)
        return super().step(action, random)


def test_an_environment_that_hides_something_needs_a_step_that_draws_it_again():
    env = made("Blackjack-v1")
    with pytest.warns(UserWarning, match="hides from its player"):
        Gymnasium(env)
    filtered = gymnasium.wrappers.FilterObservation(Toy(gymnasium.spaces.Discrete(2)), ["left"])
    with pytest.warns(UserWarning, match="FilterObservation"):
        Gymnasium(filtered)
    reports = []
    for hidden in range(1, 11):
        env.unwrapped.player, env.unwrapped.dealer = [10, 6], [10, hidden]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            adapted = FairBlackjack(env)
        reports.append(ramure.Search(Planning(adapted, horizon=10), seed=1).run(iterations=300))
        assert env.unwrapped.dealer == [10, hidden]
    assert all(report.actions == reports[0].actions for report in reports)
    assert "laws hold" in ramure.check(Planning(FairBlackjack(env), horizon=10))


def test_copies_share_what_is_named():
    env = made("FrozenLake-v1")
    adapted = Gymnasium(env, shared=["P"])
    other = copy.copy(adapted)
    assert other.env is not env and other.env.unwrapped.P is env.unwrapped.P
    assert other.env.unwrapped.np_random is not env.unwrapped.np_random
    assert copy.copy(other).env.unwrapped.np_random is other.env.unwrapped.np_random
    with pytest.raises(AttributeError, match="Q"):
        Gymnasium(env, shared=["Q"])


def test_a_seed_fixes_the_result():
    first, second, other = (
        ramure.Search(Planning(Gymnasium(made("FrozenLake-v1")), horizon=8), seed=seed).run(iterations=60) for seed in (5, 5, 6)
    )
    assert first.actions == second.actions and first.actions != other.actions


class Toy(gymnasium.Env):
    """Ends after three steps, each of which is worth the sum of its action."""

    observation_space = gymnasium.spaces.Dict(
        {"left": gymnasium.spaces.Discrete(4), "place": gymnasium.spaces.Box(0, 9, (2,)), "pair": gymnasium.spaces.Tuple([])}
    )

    def __init__(self, space):
        self.action_space, self.left = space, 3

    def step(self, action):
        self.left -= 1
        observation = {"left": self.left, "place": np.zeros(2), "pair": (1, [2])}
        return observation, float(np.sum(action)), False, self.left == 0, {}


def test_actions_of_every_kind_that_can_be_listed():
    spaces = gymnasium.spaces
    for space, actions in [
        (spaces.Discrete(3, start=-1), [-1, 0, 1]),
        (spaces.MultiDiscrete([2, 3]), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]),
        (spaces.MultiDiscrete([2, 1], start=[4, 5]), [(4, 5), (5, 5)]),
        (spaces.MultiBinary(2), [(0, 0), (0, 1), (1, 0), (1, 1)]),
    ]:
        report = ramure.Search(Planning(Gymnasium(Toy(space)))).run(iterations=400)
        means = {entry.action: entry.mean for entry in report.actions}
        assert sorted(means) == actions and report.best_action == actions[-1]
        assert means[actions[-1]] <= 3 * np.sum(actions[-1]) + 1e-4  # the best sum of three steps


def test_environments_that_are_refused():
    spaces = gymnasium.spaces
    for space, match in [(spaces.Box(0, 1), "cannot be listed"), (spaces.MultiDiscrete([200, 200]), "more than 10000 actions")]:
        with pytest.raises(ValueError, match=match):
            Gymnasium(Toy(space))


def test_an_environment_that_pickles_its_arguments_is_copied():
    env = gymnasium.wrappers.TimeLimit(Eager(), 10)
    env.reset = None
    env._elapsed_steps = 0
    assert copy.deepcopy(env).unwrapped is not env.unwrapped
    env.step(1)
    assert copy.deepcopy(env.unwrapped).left == 3  # what is wrong with `deepcopy`
    assert copy.copy(Gymnasium(env)).env.unwrapped.left == 2
    report = ramure.Search(Planning(Gymnasium(env))).run(iterations=200)
    assert report.best_action == 1 and report.actions[0].mean <= 2 and env.unwrapped.left == 2


class Eager(gymnasium.utils.EzPickle, Toy):
    def __init__(self):
        super().__init__()
        Toy.__init__(self, gymnasium.spaces.Discrete(2))


def test_searches_of_environments_are_saved(tmp_path):
    eager = gymnasium.wrappers.TimeLimit(Eager(), 10)
    eager._elapsed_steps = 0
    eager.step(1)
    lake = made("FrozenLake-v1")
    for env, shared in [(eager, []), (lake, ["P"]), (made("CartPole-v1"), [])]:
        new = lambda env=env, shared=shared: ramure.Search(Planning(Gymnasium(env, shared=shared), horizon=5), seed=3)  # noqa: E731
        goes_on_from_a_file(new, tmp_path / "tree")
    other = ramure.Search(Planning(Gymnasium(eager), horizon=5))
    ramure.Search(Planning(Gymnasium(eager), horizon=5)).save(tmp_path / "tree")
    other.load(tmp_path / "tree")
    assert other.state.env.unwrapped.left == 2 and other.state.env._elapsed_steps == 1
    again = pickle.loads(pickle.dumps(Gymnasium(lake, shared=["P"])))
    copied = copy.copy(again).env.unwrapped
    assert copied.P is again.env.unwrapped.P and copied is not again.env.unwrapped


@pytest.mark.parametrize("way", ["__deepcopy__", "__reduce__", "__getstate__"])
def test_an_environment_that_says_how_it_is_copied(way):
    class Locked(Toy):
        def __init__(self):
            super().__init__(gymnasium.spaces.Discrete(2))
            self.lock = threading.Lock()

    def state(self):
        return {name: value for name, value in vars(self).items() if name != "lock"}

    def copied(self, memo):
        other = object.__new__(Locked)
        vars(other).update(copy.deepcopy(state(self), memo))
        return other

    ways = {"__deepcopy__": copied, "__getstate__": state}
    ways["__reduce__"] = lambda self: (object.__new__, (Locked,), state(self))
    setattr(Locked, way, ways[way])
    if way == "__reduce__":  # `copy` would ask the method of `object` first.
        Locked.__reduce_ex__ = lambda self, protocol: self.__reduce__()
    assert ramure.Search(Planning(Gymnasium(Locked()))).run(iterations=50).best_action == 1


def test_an_environment_that_draws_a_window_is_refused():
    env = Toy(gymnasium.spaces.Discrete(2))
    env.render_mode = "human"
    with pytest.raises(ValueError, match='without render_mode="human"'):
        Gymnasium(env)


def test_rewards_of_pettingzoo_without_a_range_are_refused():
    from ramure.pettingzoo import PettingZoo

    class Env:
        agent_selection, possible_agents = "a", ["a"]

    Env.unwrapped = Env()
    assert PettingZoo(Env(), low=0).reward(0) == 0
    for low, high in [(1, 1), (2, 1), (0, float("inf")), (float("nan"), 1)]:
        with pytest.raises(ValueError, match="must be below"):
            PettingZoo(Env(), low=low, high=high)


def test_an_environment_that_cannot_be_copied():
    env = Toy(gymnasium.spaces.Discrete(2))
    env.lock = threading.Lock()
    with pytest.raises(TypeError, match="lock"):
        ramure.Search(Planning(Gymnasium(env)))
    assert ramure.Search(Planning(Gymnasium(env, shared=["lock"]))).run(iterations=50).best_action == 1


def test_an_environment_before_its_reset():
    env = gymnasium.make("CartPole-v1")
    with pytest.raises(ramure.SearchError, match="reset") as caught:
        ramure.Search(Planning(Gymnasium(env), horizon=5)).run(iterations=10)
    assert isinstance(caught.value.__cause__, gymnasium.error.ResetNeeded)


def test_only_the_actions_that_the_mask_allows_are_legal():
    env = gymnasium.make(TAXI)
    state, info = env.reset(seed=1)
    adapted = Gymnasium(env, mask=info["action_mask"])
    for seed in range(20):
        allowed = np.flatnonzero(env.unwrapped.action_mask(state)).tolist()
        assert adapted.actions() == allowed != list(range(6))
        search = ramure.Search(ramure.Planning(adapted, horizon=3), seed=seed)
        assert search.run(iterations=20).best_action in allowed
        adapted.step(allowed[seed % len(allowed)], Random(seed))
        state = int(env.unwrapped.s)


def test_an_environment_that_cannot_be_copied_is_named_with_what_to_do():
    env = gymnasium.make("CartPole-v1")
    env.reset(seed=1)
    env.unwrapped.lock = threading.Lock()
    with pytest.raises(TypeError, match="CartPole.*cannot be copied.*derive a class of the adapter whose `__copy__`"):
        ramure.Search(ramure.Planning(Gymnasium(env), horizon=3)).run(iterations=5)
