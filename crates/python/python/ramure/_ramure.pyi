import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NoReturn, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from ramure._game import GameState
from ramure._planning import Planning, Simulator
from ramure._report import ActionReport, Comparison, Page, Report, Tuning

A = TypeVar("A")

class SearchError(Exception):
    """A search failed. If the game raised, that exception is the ``__cause__``."""

    ply: int | None
    """The number of actions from the root of the search to the fault; ``None`` if it has no place."""
    line: list[str]
    """The texts of these actions."""

class Violation(AssertionError):
    """A game broke a law of the rules kit. Its text shows a short line of play that breaks it."""

    law: str
    """The name of the law, such as "Clones"."""
    actions: list[str]
    """The texts of the actions that lead to the violation."""

@final
class Search(Generic[A]):
    """A search, and its tree.

    ``algorithm`` is a text of the laboratory, such as ``"ucb1:c=0.5,solver=yes"`` or ``"grave:ref=30"``; by
    default, UCB1 that explores by the deviation of the rewards, with proofs. Algorithms that need a static evaluation, such
    as ``"puct"``, and ``transpositions=yes`` are for the games in ``ramure.games``. Those that keep tables of actions, such as
    ``"grave"``, are for games of at most 4096 different actions. The same ``seed`` gives the same
    result. ``memory`` is the most bytes that the tree may take; at the limit, the least visited nodes are
    freed. ``parallel`` is the number of trees that search on threads of their own, for the games in
    ``ramure.games``.

    With ``evaluate``, a network for example, the search is one by PUCT without rollouts. The function gets a list of at most
    ``window`` states, which it must not change, and the list of the actions of each. It returns the values and the priors
    (or ``None``). In a game of two players whose rewards sum to 1, and in a game of one player, the value of a state may be
    one number: the expected reward of the player to move. In other games, and where chance moves, it is the rewards of all
    players. The priors of a state are a number for each of its actions, in their order. Where chance moves, the list of
    actions is empty. With ``planes=True``, the function gets one array of NumPy in place of the list of states: what the method
    ``planes()`` of each state returns, an array of numbers whose shape is the same for all states.

    The search works on a copy of ``state``, which may also be a ``Planning``.
    """

    def __new__(
        cls,
        state: GameState[A] | Planning[A],
        algorithm: str | None = None,
        *,
        seed: int = 0,
        memory: int | None = None,
        parallel: int | None = None,
        evaluate: Callable[[Any, list[list[A]]], tuple[Iterable[Any], Iterable[Any] | None]] | None = None,
        planes: bool = False,
        window: int = 1,
    ) -> Search[A]: ...
    def run(
        self,
        *,
        iterations: int | None = None,
        millis: float | None = None,
        memory: int | None = None,
        stop_early: bool = False,
    ) -> Report[A]:
        """Search until one of the bounds is reached, and report.

        Give ``iterations``, ``millis`` or both. ``memory`` bounds the bytes of the tree, too. With ``stop_early``, the search ends as soon as no other action can
        become the most visited one. Further runs go on with the tree. Ctrl-C ends the search with
        ``KeyboardInterrupt``; ``report`` then gives what it found.
        """

    def report(self) -> Report[A]:
        """Report on the tree without searching."""

    def actions_after(self, line: Sequence[A]) -> list[ActionReport[A]]:
        """Report on the actions in the tree after ``line``, the best first; none if the tree does not reach so far.

        In a search of a ``Planning`` with ``key``, only the empty line has actions; others raise ``ValueError``: what follows a step
        depends on its outcome.
        """

    def advance(self, action: A) -> None:
        """Play an action: the state after it becomes the root, and its part of the tree is kept.

        In a search of a ``Planning``, the simulator draws what follows, and a new tree begins.
        """

    def reset(self, state: GameState[A] | Simulator[A]) -> None:
        """Replace the root by a state of the same game, or of the simulator of a ``Planning``, and empty the tree.

        The search keeps what rollouts learned.
        """

    @property
    def state(self) -> Any:
        """A copy of the root state."""

    def page(self, title: str = "The tree of a search", *, nodes: int = 20_000) -> Page:
        """Return a page to look at the tree with. Only searches by the default algorithm have one; ``actions_after`` shows the
        tree of every search."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the search as a file: one of a game in ``ramure.games``, by the default algorithm.

        Raise ``OSError`` if the file cannot be written.
        """

    def load(self, path: str | os.PathLike[str]) -> None:
        """Go on where the search in a file was, in whatever state of the game.

        Raise ``OSError`` if the file cannot be read, and ``ValueError`` if it has no search of this game.
        """

    def __reduce__(self) -> NoReturn: ...

@final
class Game:
    """A state of a game of the crate, with the methods of a game written in Python."""

    def __new__(cls, name: str) -> Game:
        """Create the start of a game by its name, such as "connect4" or "hex:7"."""

    @property
    def name(self) -> str:
        """The name of the game."""

    def turn(self) -> int | None: ...
    def actions(self) -> list[Any]: ...
    def apply(self, action: Any) -> None: ...
    def reward(self, player: int) -> float: ...
    def players(self) -> int: ...
    def board(self) -> NDArray[np.int8]:
        """Return the owner of each cell, row by row from the top: a player, or -1. Needs NumPy."""

    def planes(self) -> NDArray[np.float32]:
        """Return four planes of the size of the board, for networks. Needs NumPy.

        They are the stones of the player to move, those of the other player, the cells where the player to move may place one, and
        everywhere the number of this player. All are 0 if the game is over.
        """

    def __copy__(self) -> Game: ...

def check(
    game: GameState[A] | Planning[A],
    *,
    games: int = 100,
    states: int = 200,
    longest: int = 1_000,
    seed: int = 0,
    patience: float = 10.0,
    constant_sum: float | None = None,
    without: list[str] = ...,
) -> str:
    """Check the laws that every game obeys, on lines of play that start here, and return a summary.

    The check goes through ``states`` short lines and plays ``games`` random games of at most ``longest`` actions.
    If states have ``__eq__`` and ``__hash__``, equal ones must continue in the same way. With
    ``constant_sum``, the rewards of all players must have this sum. ``without`` names laws to leave out.

    A law that is broken raises ``Violation``, which shows a short line of play that breaks it. A call into the game
    that takes longer than ``patience`` seconds **ends the process**, because it cannot be stopped.

    With a ``Planning``, it plays ``games`` random lines of at most ``longest`` steps, and checks that copies share nothing, that a
    step draws from its argument ``random`` alone, and that no method raises. The other settings do not matter.
    """

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
    ``"random"``, and functions from a state to an action. Each game begins with ``openings`` random actions. The games of
    ``ramure.games`` are played on all cores if all agents are texts; others, one at a time. Ctrl-C ends the match after the games
    that are being played. The first exception of a game written in Python ends the match with a ``SearchError``. What a function
    raises ends it, too, and so does an action that is not legal.
    """

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
    ``games``, the same seed gives the same result. Ctrl-C ends it after the games that are being played.
    """

@final
class Draws:
    """The source of the numbers that the steps of a simulator draw."""

    def unit(self) -> float: ...
    def bits(self) -> int: ...
