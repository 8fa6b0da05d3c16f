"""The protocol of games written in Python, for type checkers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from ramure._text import Chance

__all__ = ["Chance", "GameState"]

A = TypeVar("A")


class GameState(Protocol[A]):
    """The state of a game: everything that decides what may happen next.

    These four methods are required. A class may also have:

    - ``players(self) -> int``, the number of players, if it is not 2;
    - ``probability(self, outcome) -> float``, if the outcomes of chance are not equally likely;
    - ``random_rollout(self, random)``, which plays random actions in one call, usually to the end, and draws them from ``random``, a
      ``random.Random``, and from nothing else. Each legal action must be equally likely, and each outcome of chance as likely as its
      probability. It saves time, because a uniform rollout then asks for no single actions;
    - ``evaluation(self, player) -> float``, an estimate of this reward in an unfinished game, from 0 to 1, which algorithms such as
      ``"puct"`` need;
    - ``key(self)``: anything hashable that differs if two positions differ, for ``transpositions=yes``. A search keeps each different
      key until it is freed or ``reset``;
    - ``planes(self)``: an array of numbers of one shape for all states, for a search with ``evaluate`` and ``planes=True``;
    - ``__copy__(self)``, which a search calls once in each iteration, and which returns another object. Without it,
      states are copied by ``copy.deepcopy``, which is right for every class, and slow.

    ``HiddenInformation`` has the methods of games in which players do not see everything.

    You need not inherit from this class.
    """

    def turn(self) -> int | Chance | None:
        """Return the player to move, counted from 0, ``ramure.CHANCE``, or ``None`` if the game is over."""

    def actions(self) -> Iterable[A]:
        """Return each legal action, or each outcome of chance, once, in an order that depends on the state alone.

        Actions are any hashable objects. Equal objects are the same action: give classes of actions ``__eq__`` and
        ``__hash__``, and note that ``1``, ``True`` and ``1.0`` are equal. A search keeps each different action until it is
        freed.
        """

    def apply(self, action: A, /) -> None:
        """Play an action: change this state and no other, and return nothing."""

    def reward(self, player: int, /) -> float:
        """Return the reward of a player in this finished game: 1 for a win, 0.5 for a draw, 0 for a loss."""
