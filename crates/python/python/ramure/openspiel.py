"""Games of OpenSpiel as games to search. Needs the package ``open_spiel``."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from ramure._text import CHANCE, Chance

__all__ = ["OpenSpiel"]

_CHANCE, _TERMINAL = -1, -4


class OpenSpiel:
    """A state of OpenSpiel: of any number of players, with or without chance.

    ``OpenSpiel(pyspiel.load_game("connect_four").new_initial_state())`` is a state to search. Actions are the numbers of
    OpenSpiel. Returns are mapped from the utilities of the game to [0, 1].

    Games with simultaneous moves, with hidden information, and with chance that cannot be listed are refused: the search
    would see what a player must not see.
    """

    def __init__(self, state: Any) -> None:
        game = state.get_game()
        kind = game.get_type()
        name = kind.short_name
        dynamics, information, chance = (
            str(value).rpartition(".")[2] for value in (kind.dynamics, kind.information, kind.chance_mode)
        )
        if dynamics != "SEQUENTIAL":
            raise ValueError(f"the players of {name} move at the same time ({dynamics}); only games in which they move in turn are searched")
        if information != "PERFECT_INFORMATION":
            raise ValueError(f"{name} has hidden information, which the search would see; use a game without")
        if chance == "SAMPLED_STOCHASTIC":
            raise ValueError(f"the outcomes of chance of {name} cannot be listed; use a game whose outcomes can")
        low, high = game.min_utility(), game.max_utility()
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"the utilities of {name} are from {low} to {high}; the search needs finite bounds")
        self.state, self._low, self._scale = state, low, 1 / (high - low)
        self._odds: dict[int, float] = {}
        self._has_chance = chance != "DETERMINISTIC"

    def __copy__(self) -> OpenSpiel:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.state, copy._odds = self.state.clone(), {}
        return copy

    def players(self) -> int:
        return int(self.state.num_players())

    def turn(self) -> int | Chance | None:
        player: int = self.state.current_player()
        if player >= 0:
            return player
        return None if player == _TERMINAL else CHANCE

    def actions(self) -> list[int]:
        if self.state.current_player() == _CHANCE:
            return list(self._outcomes())
        actions: list[int] = self.state.legal_actions()
        return actions

    def probability(self, outcome: int) -> float:
        return self._outcomes()[outcome]

    def _outcomes(self) -> dict[int, float]:
        if not self._odds:
            self._odds = dict(self.state.chance_outcomes())
        return self._odds

    def apply(self, action: int) -> None:
        self.state.apply_action(action)
        self._odds = {}

    def random_rollout(self, random: Random) -> None:
        state, unit = self.state, random.random
        # At the end, and only there, no action is legal.
        while actions := state.legal_actions():
            if self._has_chance and state.current_player() == _CHANCE:
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, weights)[0])
            else:
                state.apply_action(actions[int(unit() * len(actions))])
        self._odds = {}

    def reward(self, player: int) -> float:
        return float((self.state.player_return(player) - self._low) * self._scale)

    def __repr__(self) -> str:
        return str(self.state)
