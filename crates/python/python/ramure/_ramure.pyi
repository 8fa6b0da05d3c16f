import os
from collections.abc import Callable, Sequence
from typing import Any, Generic, NoReturn, TypeVar, final

from ramure._game import GameState
from ramure._report import Comparison, Page, Report

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
    default, UCB1 that explores by the deviation of the rewards, with proofs. The same ``seed`` gives the same
    result. ``memory`` is the most bytes that the tree may take; at the limit, the least visited nodes are
    freed. ``parallel`` is the number of trees that search on threads of their own, for the games in
    ``ramure.games``.

    With ``evaluate``, a network for example, the search is one by PUCT without rollouts. The function gets a list of at most
    ``window`` states, which it must not change, and the list of the actions of each. It returns the values and the priors
    (or ``None``). In a game of two players whose rewards sum to 1, and in a game of one player, the value of a state may be
    one number: the expected reward of the player to move. In other games, and where chance moves, it is the rewards of all
    players. The priors of a state are a number for each of its actions, in their order. Where chance moves, the list of
    actions is empty.

    The search works on a copy of ``state``.
    """

    def __new__(
        cls,
        state: GameState[A],
        algorithm: str | None = None,
        *,
        seed: int = 0,
        memory: int | None = None,
        parallel: int | None = None,
        evaluate: Callable[[list[Any], list[list[A]]], tuple[Sequence[Any], Sequence[Any] | None]] | None = None,
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

    def advance(self, action: A) -> None:
        """Play an action: the state after it becomes the root, and its part of the tree is kept."""

    def reset(self, state: GameState[A]) -> None:
        """Replace the root by a state of the same game, and empty the tree."""

    @property
    def state(self) -> GameState[A]:
        """A copy of the root state."""

    def page(self, title: str = "The tree of a search", *, nodes: int = 20_000) -> Page:
        """Return a page to look at the tree with. Only searches by the default algorithm have one."""

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
    def board(self) -> list[list[int]]:
        """Return the owner of each cell, row by row from the top: a player, or -1."""

    def __copy__(self) -> Game: ...

def check(
    game: GameState[A],
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
    """

def compare(
    state: GameState[A],
    *agents: str,
    games: int = 100,
    openings: int = 0,
    seed: int = 0,
    threads: int | None = None,
) -> Comparison:
    """Play a match between agents, one for each player, who change seats, and return their scores with intervals.

    Agents are texts of the laboratory, such as ``"mcts:1000"``, ``"mcts:1000,policy=ucb1-tuned"``, ``"mc:64"`` or
    ``"random"``. Each game begins with ``openings`` random actions. The games of ``ramure.games`` are played on all cores;
    those written in Python, one at a time. Ctrl-C ends the match after the games that are being played. The first exception of
    a game written in Python ends the match with a ``SearchError``.
    """
