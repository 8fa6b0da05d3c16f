import os
from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BeliefError",
    "Draws",
    "Game",
    "RawSearch",
    "SearchError",
    "Violation",
    "check",
    "check_observations",
    "compare",
    "end",
    "tune",
]

# The fields of a `Standing`.
_Row = tuple[str, tuple[int, int, int], tuple[float, float, float] | None, float, list[str]]

class SearchError(Exception):
    """A search failed. If the game raised, that exception is the ``__cause__``."""

    ply: int | None
    """The number of actions from the root of the search to the fault; ``None`` if it has no place."""
    line: list[str]
    """The texts of these actions."""

class BeliefError(SearchError):
    """No state of a belief explains what was observed, or a likelihood is wrong."""

class Violation(AssertionError):
    """A game broke a law of the rules kit. Its text shows a short line of play that breaks it."""

    law: str
    """The name of the law, such as "Clones"."""
    actions: list[str]
    """The texts of the actions that lead to the violation."""

@final
class RawSearch:
    """What ``Search`` calls, after it has checked the arguments."""

    def __new__(
        cls,
        state: Any,
        algorithm: str | None,
        seed: int,
        memory: int | None,
        threads: int | None,
        evaluate: tuple[Callable[..., Any], bool, int] | None,
        wrapper: tuple[float, int | None, tuple[float, float] | None, tuple[tuple[float, float] | None] | None] | bool | None,
    ) -> RawSearch: ...
    def run(
        self,
        iterations: int | None,
        millis: float | None,
        memory: int | None,
        stop_early: bool,
        progress: tuple[Callable[[Any], object], float] | None,
    ) -> Any: ...
    def stop(self) -> None: ...
    def report(self, player: int | None) -> Any: ...
    def actions_after(self, line: Sequence[Any]) -> list[Any]: ...
    def advance(self, action: Any, observation: tuple[Any] | None) -> None: ...
    def exchange(
        self, given: tuple[int, list[Any], list[Any] | None] | None, until: tuple[int, bool] | None
    ) -> tuple[Any, list[list[Any]]] | None: ...
    def reset(self, state: Any) -> None: ...
    def state(self) -> Any: ...
    def root(self) -> Any: ...
    def page(self, title: str, nodes: int) -> str: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def load(self, path: str | os.PathLike[str]) -> None: ...

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
        """Return the owner of each cell, row by row from the top, as a copy: a player, or -1. Needs NumPy."""

    def planes(self) -> NDArray[np.float32]:
        """Return four planes of the size of the board, for networks. Needs NumPy.

        They are the stones of the player to move, those of the other player, the cells where the player to move may place one, and
        everywhere the number of this player. All are 0 if the game is over.
        """

    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any) -> Game: ...

def end() -> None: ...
def check(
    game: Any,
    games: int,
    states: int,
    longest: int,
    seed: int,
    patience: float | None,
    constant_sum: float | None,
    without: list[str],
    has_equality: bool,
    seen: tuple[Callable[[Any, int], Any], bool] | None,
) -> str: ...
def check_observations(belief: Any) -> int: ...
def compare(
    state: Any,
    agents: list[tuple[str, Callable[[Any, list[Any]], int] | None]],
    games: int,
    openings: int,
    seed: int,
    threads: int | None,
) -> tuple[list[_Row], str]: ...
def tune(
    state: Any,
    default: str,
    games: int | None,
    minutes: float | None,
    openings: int,
    seed: int,
    threads: int | None,
) -> tuple[str, list[_Row], list[_Row], str | None, int, str]: ...

@final
class Draws:
    """The source of the numbers that the steps of a simulator draw."""

    def unit(self) -> float: ...
    def bits(self) -> int: ...
