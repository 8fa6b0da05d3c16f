"""Problems of planning, whose steps give rewards."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from ramure._ramure import Draws

A = TypeVar("A")


class Simulator(Protocol[A]):
    """A problem of planning: a state that changes step by step, where each step gives a reward on any scale.

    These two methods are required. A class may also have:

    - ``is_over(self) -> bool``: whether no steps lead on; never, by default;
    - ``key(self)``: anything hashable that differs if two states differ. With it, the search plans what to do after each
      outcome of a step. Without it, the search plans one line of actions, the best on average, whatever happens between them;
    - ``__copy__(self)``, as a game.
    """

    def actions(self) -> Iterable[A]:
        """Return each legal action once: at least one, unless the state is an end."""

    def step(self, action: A, random: random.Random, /) -> float:
        """Play an action, draw what follows from ``random`` and nothing else, and return the reward of this step."""


@dataclass(frozen=True)
class Planning(Generic[A]):
    """A simulator to search: ``Search(Planning(simulator, discount=0.95))``.

    The search maximises the discounted sum of the rewards from now to the horizon or an end, of which it knows no bounds and no
    scale. The means of its reports are such sums. Their intervals are much too wide.
    """

    simulator: Simulator[A]
    discount: float = 1.0
    """What a reward is worth one step later, from 0 to 1."""
    horizon: int | None = None
    """How many steps the search looks ahead; by default until the discount makes a reward worth 1/100, or, with discount 1, to the
    end."""
    bounds: tuple[float, float] | None = None
    """The least and the greatest sum of rewards, if you know them."""


class Random(random.Random):
    """A generator whose numbers come from the search."""

    def __init__(self, draws: Draws) -> None:
        super().__init__(0)
        self.random = draws.unit  # type: ignore[method-assign]
        self._bits = draws.bits

    def getrandbits(self, k: int, /) -> int:
        if k < 0:
            raise ValueError("the number of bits must not be negative")
        number = 0
        for _ in range(-(-k // 64)):
            number = number << 64 | self._bits()
        return number >> -k % 64
