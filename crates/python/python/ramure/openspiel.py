"""Games of OpenSpiel as games to search. Needs the package ``open_spiel``."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from ramure._text import CHANCE, Chance

__all__ = ["HiddenOpenSpiel", "OpenSpiel"]

_CHANCE, _SIMULTANEOUS, _TERMINAL = -1, -2, -4


class OpenSpiel:
    """A state of OpenSpiel: of any number of players, with or without chance.

    ``OpenSpiel(pyspiel.load_game("connect_four").new_initial_state())`` is a state to search. Actions are the numbers of
    OpenSpiel. Returns are mapped from the utilities of the game to [0, 1].

    Games with simultaneous moves or hidden information are refused, because the search would see what a player must not see; they are
    for ``HiddenOpenSpiel``. So are games whose chance cannot be listed.
    """

    _sees_all = True

    def __init__(self, state: Any) -> None:
        game = state.get_game()
        kind = game.get_type()
        name = kind.short_name
        dynamics, information, chance = (
            str(value).rpartition(".")[2] for value in (kind.dynamics, kind.information, kind.chance_mode)
        )
        if self._sees_all and dynamics != "SEQUENTIAL":
            raise ValueError(f"the players of {name} move at the same time ({dynamics}); search PlayerTrees(HiddenOpenSpiel(state))")
        if self._sees_all and information != "PERFECT_INFORMATION":
            raise ValueError(f"{name} has hidden information, which the search would see; search InformationSet(HiddenOpenSpiel(state))")
        if dynamics == "MEAN_FIELD":
            raise ValueError(f"{name} is a mean field game; only games of single players are searched")
        if chance == "SAMPLED_STOCHASTIC":
            raise ValueError(f"the outcomes of chance of {name} cannot be listed; use a game whose outcomes can")
        low, high = game.min_utility(), game.max_utility()
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"the utilities of {name} are from {low} to {high}; the search needs finite bounds")
        self.state, self._low, self._scale = state, low, 1 / (high - low)
        self._odds: dict[int, float] = {}
        self._has_chance = chance != "DETERMINISTIC"
        self._hides, self._name = information == "IMPERFECT_INFORMATION", name

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


class HiddenOpenSpiel(OpenSpiel):
    """A state of OpenSpiel in which players do not see everything, or choose at the same time.

    ``Search(InformationSet(HiddenOpenSpiel(state)))`` guesses what a player has not seen by ``resample_from_infostate``, which OpenSpiel has
    for some games. The search sees all moves after the root, so use it where these are public, as in ``kuhn_poker`` and ``leduc_poker``; what others
    draw in ``gin_rummy`` is not. The player to move must be a player: play what chance deals first. ``Search(PlayerTrees(HiddenOpenSpiel(state)))`` also searches games with simultaneous moves, such as ``goofspiel``.
    """

    _sees_all = False

    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self._chosen: tuple[int, ...] = ()
        trial: Any = self.__copy__()
        trial.determinize(max(state.current_player(), 0), Random(0))  # raises if OpenSpiel cannot guess

    def determinize(self, player: int, random: Random) -> None:
        if not self._hides or self.state.is_terminal():
            return
        try:
            self.state = self.state.resample_from_infostate(player, random.random)
        except Exception as error:
            if "not implemented" in str(error):
                text = f"OpenSpiel cannot guess what a player of {self._name} has not seen; use a game with resample_from_infostate"
            else:
                text = f"OpenSpiel cannot guess what player {player} has not seen here; begin where a player is to move, after what chance deals"
            raise ValueError(text) from error

    def is_simultaneous(self) -> bool:
        return bool(self.state.is_simultaneous_node())

    def turn(self) -> int | Chance | None:
        return len(self._chosen) if self.state.current_player() == _SIMULTANEOUS else super().turn()

    def actions(self) -> list[int]:
        if self.is_simultaneous():
            legal: list[int] = self.state.legal_actions(len(self._chosen))
            return legal or [0]  # of a player who waits
        return super().actions()

    def apply(self, action: int) -> None:
        if not self.is_simultaneous():
            return super().apply(action)
        self._chosen += (action,)
        if len(self._chosen) == self.players():
            self.state.apply_actions(self._chosen)
            self._chosen, self._odds = (), {}

    def random_rollout(self, random: Random) -> None:
        while self.turn() is not None:
            actions = self.actions()
            if self.turn() is CHANCE:
                self.apply(random.choices(actions, [self.probability(outcome) for outcome in actions])[0])
            else:
                self.apply(random.choice(actions))
