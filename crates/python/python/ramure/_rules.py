"""The rules kit."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from ramure import _planning, _ramure
from ramure._game import GameState
from ramure._methods import has_method, in_range, kind_of, methods

__all__ = ["check"]


def check(
    game: GameState[Any] | _planning.Planning[Any],
    *,
    games: int = 100,
    states: int = 200,
    longest: int = 1_000,
    seed: int = 0,
    patience: float | None = None,
    constant_sum: float | None = None,
    without: Sequence[str] = (),
    seen: Callable[[Any, int], Hashable] | None = None,
    fair_guesses: bool = False,
) -> str:
    """Check the laws that every game obeys, on lines of play that start here, and return a summary.

    The check goes through ``states`` short lines and plays ``games`` random games of at most ``longest`` actions.
    If states have ``__eq__`` and ``__hash__``, equal ones must continue in the same way, and so must those with equal keys if
    they have ``key``. An ``evaluation`` must be in [0, 1]. With ``constant_sum``, the rewards of all players must have this sum.
    ``without`` names laws to leave out.

    ``seen`` is for games with hidden information: a function from a state and a player to everything that the player has seen, as a
    hashable object. A guess of ``determinize`` must then keep it, the turn and the actions, and must not depend on what is hidden; and a
    player must learn nothing from an action that the action does not say. With ``fair_guesses``, a guess must be as likely as the deal that
    it stands for; the check must begin before the deal, which is a turn of chance.

    A law that is broken raises ``Violation``, which shows a short line of play that breaks it. Ctrl-C ends a check. A call into
    the game that takes longer than ``patience`` seconds **ends the process** with status 101, after a text that shows the line of
    play; by default, a check waits.

    With a ``Planning``, it plays ``games`` random lines of at most ``longest`` steps, and checks that copies share nothing, that a
    step draws from its argument ``random`` alone, that rewards and estimates are finite, and that no method raises. The other
    settings do not matter. With a ``Belief``, it also checks that ``observe`` draws from ``random`` alone and changes nothing, and that
    ``likelihood``, if there is one, is right about what ``observe`` draws.
    """
    if seen is None:
        if fair_guesses:
            raise ValueError("`fair_guesses` needs to know what players see; give `seen`")
    elif not callable(seen):
        raise TypeError(f"`seen` is {kind_of(seen)}; give a function of a state and a player")
    elif not has_method(game, "determinize"):
        raise ValueError(f"{type(game).__name__} has no method determinize(player, random); write one, or leave out `seen`")
    in_range(0, 2**32 - 1, games=games)
    in_range(states=states, longest=longest, seed=seed)
    if isinstance(game, _planning.Planning):
        methods(game.state, game.kind)  # finds those that are missing
        return _planning.check(game, games, longest, seed)
    if _is_over(game):
        raise ValueError("the game is over at the start, so there is nothing to check: `turn` returned None. Is a `return` missing?")
    cls = type(game)
    has_equality = cls.__eq__ is not object.__eq__ and cls.__hash__ not in (object.__hash__, None)
    sight = None if seen is None else (seen, fair_guesses)
    return _ramure.check(game, games, states, longest, seed, patience, constant_sum, list(without), has_equality, sight)


def _is_over(game: GameState[Any]) -> bool:
    """Return whether ``turn`` returns ``None``. What it raises, the kit tells with its line."""
    try:
        return game.turn() is None
    except Exception:
        return False
