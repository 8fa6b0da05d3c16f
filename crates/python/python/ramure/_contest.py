"""Matches and tuning."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from ramure import _ramure
from ramure._game import GameState
from ramure._hidden import refuse_hidden
from ramure._methods import check_threads, in_range, kind_of
from ramure._report import Comparison, Standing, Tuning

__all__ = ["compare", "tune"]

A = TypeVar("A")


def compare(
    state: GameState[A],
    *agents: str | Callable[[Any], A],
    games: int = 100,
    openings: int = 0,
    seed: int = 0,
    threads: int | None = None,
) -> Comparison:
    """Play a match between agents, one for each player, who change seats, and return their scores with intervals.

    Agents are texts of the laboratory, such as ``"mcts:1000"``, ``"mcts:1000,policy=ucb1-tuned"``, ``"mc:64"`` or
    ``"random"``, and functions from a state to an action. ``games`` is a multiple of the number of players, and each game begins
    with ``openings`` random actions. The games of ``ramure.games`` are played on all cores if all agents are texts; others, one at a
    time. Ctrl-C ends the match, in the games of ``ramure.games`` after those that are being played. The first exception of
    a game written in Python ends the match with a ``SearchError``. What a function
    raises ends it, too, and so does an action that is not legal.
    """
    in_range(0, 2**32 - 1, games=games, openings=openings)
    in_range(seed=seed, threads=threads)
    players = [_agent(state, agent) for agent in agents]
    if threads is None and any(function is not None for _, function in players):
        threads = 1  # The function may not be safe to call from several.
    rows, text = _ramure.compare(state, players, games, openings, seed, _threads(state, threads))
    return Comparison([_standing(*row) for row in rows], text)


def tune(
    state: GameState[A],
    default: str = "mcts:1000",
    *,
    games: int | None = None,
    minutes: float | None = None,
    openings: int = 2,
    seed: int = 0,
    threads: int | None = None,
) -> Tuning:
    """Find a good search for a game of two players, by games against the agent ``default``.

    Give ``games`` or ``minutes``, how long it may take. It searches over tree policies, rollouts, backpropagations and their
    parameters together. What ``default`` sets stays as it is: with ``"mcts:1000,solver=yes"``, every setting proves. With
    ``games``, the same seed gives the same result. Ctrl-C ends it, in the games of ``ramure.games`` after
    those that are being played.
    """
    if (games is None) == (minutes is None):
        raise ValueError("give `games` or `minutes`, how long the tuning may take")
    in_range(games=games, seed=seed, threads=threads)
    in_range(0, 2**32 - 1, openings=openings)
    refuse_hidden(state)
    check_threads(state, default)
    best, rows, fresh, code, played, text = _ramure.tune(
        state, default, games, minutes, openings, seed, _threads(state, threads)
    )
    return Tuning(best, [_standing(*row) for row in rows], [_standing(*row) for row in fresh], code, played, text)


def _agent(state: object, agent: Any) -> tuple[str, Callable[[Any, list[Any]], int] | None]:
    """Return the name of an agent, and its function from a state and its legal actions to an index if it is not a text."""
    if isinstance(agent, str):
        if agent != "random":
            refuse_hidden(state)
        check_threads(state, agent)
        return agent, None
    if not callable(agent):
        raise TypeError(f"an agent is {kind_of(agent)}; give a text or a function from a state to an action")
    name = str(getattr(agent, "__name__", type(agent).__name__))

    def choose(state: object, legal: list[Any]) -> int:
        chosen = agent(state)
        cause = None
        try:
            hash(chosen)
            if chosen in legal:
                return legal.index(chosen)
        except Exception as error:
            cause = error
        try:
            text = repr(chosen)
        except Exception:
            text = kind_of(chosen)
        raise ValueError(f"the agent {name} chose {text}, which is not legal; choose one of `actions()`") from cause

    return name, choose


def _threads(state: object, threads: int | None) -> int | None:
    """Return the number of threads that play games; ``None`` for all cores."""
    if isinstance(state, _ramure.Game):
        return threads
    if threads not in (None, 1):
        raise ValueError(
            "games written in Python are played one at a time, because only one thread at a time can run Python; leave out `threads`"
        )
    return 1


def _standing(
    name: str,
    tally: tuple[int, int, int],
    score: tuple[float, float, float] | None,
    seconds: float,
    forfeits: list[str],
) -> Standing:
    value, low, high = (math.nan, 0.0, 1.0) if score is None else score
    return Standing(name, *tally, value, (low, high), seconds, forfeits)
