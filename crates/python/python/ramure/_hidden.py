"""Games of which players do not see everything."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from ramure._game import GameState
from ramure._methods import has_method, in_range, methods

__all__ = ["HiddenInformation", "InformationSet", "PlayerTrees"]

A = TypeVar("A")


class HiddenInformation(GameState[A], Protocol[A]):
    """A game in which players do not see everything, such as the cards of the others. ``InformationSet`` searches it.

    The state holds everything, also what a player does not see. A class may also have:

    - ``observe(self, action, player)``: what ``player`` sees when ``action`` is played in this state: the action, one that stands for all that
      look like it, or ``None``. By default, everybody sees everything. ``PlayerTrees`` asks for it;
    - ``private_knowledge(self, player)``: what the player knows and others may not, such as its card, as a list of hashable objects that
      are no other actions. ``PlayerTrees`` asks for it. The player then acts by it in each guess, and learns apart for each different
      knowledge.
    """

    def determinize(self, player: int, random: random.Random, /) -> None:
        """Replace what ``player`` has not seen by a guess: change this state, and return nothing.

        The guess depends on what the player has seen and on ``random``, and on nothing else: sort what is unseen, then shuffle it. Draw each
        guess with its probability given what the player has seen. What the player has seen, the turn and, if it is the turn of
        the player, the actions stay the same.
        """


@dataclass(frozen=True)
class InformationSet(Generic[A]):
    """A game as one of its players sees it: ``Search(InformationSet(state))``.

    Each iteration plays with a guess of what the player has not seen. The state may be the real one, or any guess that agrees with what the
    player has seen.
    """

    state: GameState[A]
    observer: int | None = None
    """The player, counted from 0; by default, the player to move."""

    def _check(self) -> None:
        """Raise an exception if it cannot be searched."""
        methods(self.state, "game")
        in_range(0, self._players() - 1, observer=self.observer)
        if type(self) is InformationSet and not has_method(self.state, "determinize"):
            raise TypeError(
                f"{type(self.state).__name__} has no method determinize(player, random), which replaces what the player has not seen by a guess; "
                "write one, or search the state itself if everybody sees everything"
            )

    def _players(self) -> int:
        return self.state.players() if hasattr(self.state, "players") else 2


@dataclass(frozen=True)
class PlayerTrees(InformationSet[A]):
    """A game to search with a tree for each player, who knows what this player has seen: ``Search(PlayerTrees(state))``.

    For games in which players use what they know against you, hide actions, or choose at the same time: a state whose method
    ``is_simultaneous()`` returns true asks the players one after the other, by ``turn`` and ``apply``, and none sees what those before it
    have chosen in this step. A run reports on the player to move, and ``report(player)`` on another one who chooses; ``advance`` with the
    choices of all of them. Such games are searched by regret matching: the ``best_action`` is drawn, with the probabilities that
    ``visit_shares`` shows. A search with trees for the players has no page and no file.
    """


def refuse_hidden(state: Any) -> None:
    """Raise ``ValueError`` if a search of the state itself would see what is hidden."""
    if has_method(state, "determinize"):
        raise ValueError(
            f"{type(state).__name__} has hidden information (`determinize`), which this search would see; search ramure.InformationSet(state), "
            "or, in a match, give a function that does"
        )
    if has_method(state, "is_simultaneous") and state.is_simultaneous():
        raise ValueError(
            f"the players of {type(state).__name__} choose at the same time (`is_simultaneous`), and this search would see what others choose; "
            "search ramure.PlayerTrees(state), or, in a match, give a function that does"
        )
