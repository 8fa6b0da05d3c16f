"""Beliefs: what a planner holds possible of a state that it does not see."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from ramure._methods import in_range, kind_of

__all__ = ["Belief"]

S_co = TypeVar("S_co", covariant=True)


class Belief(Generic[S_co]):
    """The states that a planner holds possible, called *particles*: ``Search(Planning(Belief(states), discount=0.95))``.

    ``weights`` are numbers in proportion to the probabilities of the states; without them, all states are equally probable.

    >>> belief = Belief([1, 2], weights=[3, 1])
    >>> print(belief)
    2 states, worth 1.6 of equal weight
    >>> belief.probability(lambda state: state == 1)
    0.75
    """

    __slots__ = ("_pairs",)

    def __init__(self, particles: Iterable[S_co], weights: Iterable[float] | None = None) -> None:
        states = list(particles)
        numbers = [1.0] * len(states) if weights is None else list(map(_weight, weights))
        if len(states) != len(numbers):
            raise ValueError(f"there are {len(states)} particles and {len(numbers)} weights; give each particle a weight")
        if not states:
            raise ValueError("a belief needs a state: add particles")
        for index, weight in enumerate(numbers):
            if not 0 <= weight < math.inf:
                raise ValueError(f"the weight of particle {index} is {weight}: it must be a finite number, 0 or more")
        if not any(numbers):
            raise ValueError("all weights of the belief are 0: one must be above")
        other = next((state for state in states if type(state) is not type(states[0])), None)
        if other is not None:
            raise TypeError(f"the particles are of class {type(states[0]).__name__} and {type(other).__name__}; give states of one class")
        self._pairs = list(zip(states, numbers, strict=True))

    @classmethod
    def from_function(cls, draw: Callable[[random.Random], S_co], size: int = 1_000, *, seed: int = 0) -> Belief[S_co]:
        """Return a belief of ``size`` states that ``draw`` draws from a ``random.Random``."""
        in_range(1, size=size)
        if not callable(draw):
            raise TypeError(f"`draw` is {kind_of(draw)}; give a function of a random.Random that returns a state")
        generator = random.Random(seed)
        return cls(draw(generator) for _ in range(size))

    @property
    def particles(self) -> Sequence[S_co]:
        """The states."""
        return [state for state, _ in self._pairs]

    @property
    def weights(self) -> Sequence[float]:
        """The weights of the states, in proportion to their probabilities."""
        return [weight for _, weight in self._pairs]

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self._pairs)

    @property
    def effective_size(self) -> float:
        """The effective sample size: how many states of equal weight say as much."""
        greatest = max(self.weights)
        weights = [weight / greatest for weight in self.weights]
        return math.fsum(weights) ** 2 / math.fsum(weight * weight for weight in weights)

    def probability(self, holds: Callable[[S_co], object]) -> float:
        """Return the probability of the states for which ``holds`` returns a true value."""
        return math.fsum(share for state, share in self._shares() if holds(state))

    def entropy(self, key: Callable[[S_co], Hashable]) -> float:
        """Return the entropy in bits of what ``key`` says of a state: 0 if all say the same, 1 if two values are equally probable."""
        sums: dict[Hashable, float] = {}
        for state, share in self._shares():
            of = key(state)
            sums[of] = sums.get(of, 0.0) + share
        return max(0.0, -math.fsum(share * math.log2(share) for share in sums.values() if share > 0))

    def _shares(self) -> list[tuple[S_co, float]]:
        """Return the states with their probabilities."""
        greatest = max(self.weights)
        total = math.fsum(weight / greatest for weight in self.weights)
        return [(state, weight / greatest / total) for state, weight in self._pairs]

    def __len__(self) -> int:
        return len(self._pairs)

    def __str__(self) -> str:
        return f"{self.size} states, worth {self.effective_size:.1f} of equal weight"

    def __repr__(self) -> str:
        return f"<Belief of {self}>"


def of_pairs(pairs: list[tuple[Any, float]]) -> Belief[Any]:
    """Return the belief of a search, whose states have weights."""
    states, weights = zip(*pairs, strict=True)
    return Belief(states, weights)


def _weight(value: Any) -> float:
    try:
        return math.ldexp(value, 0)  # `float` reads texts, too
    except TypeError:
        raise TypeError(f"a weight is {kind_of(value)}; give a number") from None

