"""Problems of planning, whose steps give rewards."""

from __future__ import annotations

import contextlib
import copy
import math
import random
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeVar

from ramure._belief import Belief
from ramure._methods import kind_of, listed
from ramure._text import describe

if TYPE_CHECKING:
    from ramure._ramure import Draws

A = TypeVar("A")


class Simulator(Protocol[A]):
    """A problem of planning: a state that changes step by step, where each step gives a reward on any scale.

    These two methods are required. A class may also have:

    - ``is_over(self) -> bool``: whether no steps lead on; never, by default;
    - ``key(self)``: anything hashable that differs if two states differ. With it, the search plans what to do after each
      outcome of a step. Without it, the search plans one line of actions, the best on average, whatever happens between them.
      The search keeps each different key until it is freed or ``reset``; ``memory`` does not count them. Continuous observations
      make many: round them;
    - ``estimate(self) -> float``: an estimate of the discounted rewards that good steps would still give. It takes the place of
      random steps to the horizon. It helps most where random steps lead nowhere;
    - ``__copy__(self)``, as a game.
    """

    def actions(self) -> Iterable[A]:
        """Return each legal action once: at least one, unless the state is an end."""

    def step(self, action: A, random: random.Random, /) -> float:
        """Play an action, draw what follows from ``random`` and nothing else, and return the reward of this step."""


class PartiallyObserved(Simulator[A], Protocol[A]):
    """A simulator whose state the planner does not see: after each step, it makes an observation. ``Belief`` holds such states.

    All states that are possible at one time have the same legal actions, and the planner sees an end. A class may also have:

    - ``likelihood(self, action, observation) -> float``: how probable ``observation`` is in this state, to which ``action`` has led, or a
      number in proportion to it. Write it if you know it: a belief then weighs its states, where otherwise it keeps those that happen
      to observe the same;
    - ``reinvigorate(self, random)``: another state that would have given the same observations so far, or ``None``. A belief calls it
      for states that it has more than once;
    - ``is_over``, ``estimate`` and ``__copy__``, as a ``Simulator``. A ``key`` is not asked for.
    """

    def observe(self, action: A, random: random.Random, /) -> Hashable:
        """Return what the planner observes in this state, to which ``action`` has led, drawn from ``random`` and nothing else.

        Observations are any hashable objects. Equal objects are the same observation. The search keeps each different one until it is
        freed or ``reset``.
        """


@dataclass(frozen=True)
class Planning(Generic[A]):
    """A simulator to search: ``Search(Planning(simulator, discount=0.95))``, or a ``Belief`` if the planner does not see the state.

    The search maximises the discounted sum of the rewards from now to the horizon or an end, of which it knows no bounds and no
    scale. The means of its reports are such sums. Their intervals are much too wide.
    """

    simulator: Simulator[A] | Belief[PartiallyObserved[A]]
    discount: float = 1.0
    """What a reward is worth one step later, from 0 to 1."""
    horizon: int | None = None
    """How many steps the search looks ahead; by default until the discount makes a reward worth 1/100, or, with discount 1, to the
    end."""
    bounds: tuple[float, float] | None = None
    """The least and the greatest sum of rewards, if you know them."""
    observations: tuple[float, float] | None = None
    """How many different observations the search considers after an action of a ``Belief``: a scale and an exponent, for at most
    scale * visits ** exponent. Set it for real-valued observations, such as to (5, 1 / 15). It needs ``likelihood``. By default, all of
    them."""

    @property
    def state(self) -> Any:
        """The simulator, or a state of the belief."""
        return self.simulator.particles[0] if isinstance(self.simulator, Belief) else self.simulator

    @property
    def kind(self) -> str:
        """What the state is called: "particle" or "simulator"."""
        return "particle" if isinstance(self.simulator, Belief) else "simulator"


class Random(random.Random):
    """A generator whose numbers come from the search."""

    def __init__(self, draws: Draws) -> None:
        super().__init__(0)
        self.random = draws.unit  # type: ignore[method-assign]
        self._bits = draws.bits

    def __deepcopy__(self, memo: dict[int, Any]) -> Random:
        """Return this generator: a state that keeps it is copied, and the numbers still come from the search."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a plain generator. Each step seeds it again."""
        return random.Random, (0,)

    def getrandbits(self, k: int, /) -> int:
        if k < 0:
            raise ValueError("the number of bits must not be negative")
        number = 0
        for _ in range(-(-k // 64)):
            number = number << 64 | self._bits()
        return number >> -k % 64


def check(plan: Planning[Any], lines: int, longest: int, seed: int) -> str:
    """Check the laws of simulators on random lines of play; what ``ramure.check`` does with a ``Planning``."""
    generator, steps = random.Random(seed), 0
    belief = plan.simulator if isinstance(plan.simulator, Belief) else None
    for _ in range(lines):
        line = list[Any]()
        state = _copy(plan.state if belief is None else generator.choices(belief.particles, belief.weights)[0], line)
        for _ in range(longest if plan.horizon is None else min(longest, plan.horizon)):
            if _is_over(state, line):
                break
            actions = _actions(state, line)
            text = _describe(state, line)
            if not actions:
                _violate("Actions", "there is no action, and the state is no end", line)
            with _calls("__hash__", line):
                is_twice = len(set(actions)) != len(actions)
            if is_twice:
                _violate("Actions", f"an action is listed twice: {actions}", line)
            action, numbers = generator.choice(actions), generator.getrandbits(64)
            twins = [_copy(state, line) for _ in range(2)]
            seen = [_step(twin, action, random.Random(numbers), line, belief is not None) for twin in twins]
            if _describe(state, line) != text or _actions(state, line) != actions:
                _violate("Clones", f"the step {action!r} of a copy changed {text} into {_describe(state, line)}", line)
            for twin in seen:
                if not math.isfinite(twin["reward"]):
                    _violate("Rewards", f"the step {action!r} has the reward {twin['reward']}", line)
                if not math.isfinite(twin["estimate"]):
                    _violate("Rewards", f"`estimate` returned {twin['estimate']}", [*line, action])
            if seen[0] != seen[1]:
                what = f"the step {action!r} was played twice, with the same random numbers, and led to"
                _violate("Results", f"{what} {seen[0]} and to {seen[1]}; draw from `random` alone", line)
            state, steps = twins[0], steps + 1
            line.append(action)
    if belief is not None and hasattr(plan.state, "likelihood"):
        _check_observations(belief)
    return f"the laws hold in {lines} lines of {steps} steps"


def _check_observations(belief: Belief[Any]) -> None:
    """Check that ``likelihood`` is right about what ``observe`` draws."""
    from ramure._ramure import Violation, check_observations

    try:
        check_observations(belief)
    except Violation as violation:
        violation.law, violation.actions = "Observations", []
        raise


@contextlib.contextmanager
def _calls(method: str, line: list[Any]) -> Iterator[None]:
    """Turn what a method of the simulator raises into a violation."""
    try:
        yield
    except Exception as error:
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        _violate("Calls", f"`{method}` raised {text}", line, error)


def _copy(state: Any, line: list[Any]) -> Any:
    with _calls("__copy__", line):
        other = getattr(type(state), "__copy__", copy.deepcopy)(state)
    if other is state:
        raise TypeError("`__copy__` returned the state itself; return another object")
    if type(other) is not type(state):
        raise TypeError(f"`__copy__` returned {kind_of(other)}; return a state of the same class")
    return other


def _is_over(state: Any, line: list[Any]) -> bool:
    with _calls("is_over", line):
        return bool(state.is_over()) if hasattr(state, "is_over") else False


def _actions(state: Any, line: list[Any]) -> list[Any]:
    with _calls("actions", line):
        return listed(state.actions())


def _describe(state: Any, line: list[Any]) -> str:
    with _calls("__repr__", line):
        return describe(state)


def _step(state: Any, action: Any, numbers: random.Random, line: list[Any], is_observed: bool) -> dict[str, Any]:
    """Play an action, and return all that a search sees of it, and the state as text."""
    with _calls("step", line):
        reward = state.step(action, numbers)
        math.isfinite(reward)  # raises if it is not a number
    after = [*line, action]
    over = _is_over(state, after)
    with _calls("key", after):
        key = state.key() if hasattr(state, "key") else None
        hash(key)
    with _calls("estimate", after):
        estimate = state.estimate() if hasattr(state, "estimate") else 0.0
        math.isfinite(estimate)
    actions, text = None if over else _actions(state, after), _describe(state, after)
    observation = None
    if is_observed and not over:
        with _calls("observe", after):
            observation = state.observe(action, numbers)
            hash(observation)
        if _describe(state, after) != text:
            _violate("Observations", f"`observe` changed {text} into {_describe(state, after)}", after)
    seen = {"reward": float(reward), "is_over": over, "key": key, "estimate": estimate, "actions": actions, "state": text}
    return seen | {"observation": observation} if is_observed else seen


def _violate(law: str, what: str, line: list[Any], cause: Exception | None = None) -> NoReturn:
    from ramure._ramure import Violation

    place = f"after the actions {', '.join(map(repr, line))}" if line else "at the start"
    violation = Violation(f"{what} ({place})")
    violation.law, violation.actions = law, [repr(action) for action in line]
    raise violation from cause
