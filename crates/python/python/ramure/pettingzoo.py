"""Environments of PettingZoo, in which agents move in turn, as games to search. Needs the package ``pettingzoo``."""

from __future__ import annotations

import math
import pickle
from typing import Any

from ramure.gymnasium import deep_copy, pickled

__all__ = ["PettingZoo"]

# The classic environments whose agents do not see the same.
_HIDDEN = ("gin_rummy", "hanabi", "leduc_holdem", "rps", "texas_holdem")


class PettingZoo:
    """An AEC environment of PettingZoo, after ``reset``, as a game.

    Actions are the numbers of the agent to move that the ``action_mask`` of its observation or its information allows. The sum of the
    rewards of an agent, from ``low`` to ``high``, is mapped to [0, 1].

    The search copies the environment deeply in each iteration. It must have no chance and no hidden information: the search would see
    what a player must not see.
    """

    def __init__(self, env: Any, *, low: float = -1.0, high: float = 1.0) -> None:
        if not hasattr(env.unwrapped, "agent_selection"):
            raise ValueError(f"in {env}, agents do not move in turn, or it was not reset; give an AEC environment after reset()")
        name = str(getattr(env, "metadata", {}).get("name", ""))
        if name.startswith(_HIDDEN):
            raise ValueError(f"{name} has hidden information, which the search would see; use a game without")
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"the rewards are from {low} to {high}; `low` must be below `high`, and both finite")
        self.env = env.unwrapped
        self._agents = list(env.possible_agents)
        self._sums = dict.fromkeys(self._agents, 0.0)
        self._low, self._scale = low, 1 / (high - low)

    def __copy__(self) -> PettingZoo:
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.env, other._sums = deep_copy(self.env, {}), self._sums.copy()
        return other

    def __getstate__(self) -> bytes:
        return pickled(vars(self))

    def __setstate__(self, state: bytes) -> None:
        vars(self).update(pickle.loads(state))

    def players(self) -> int:
        return len(self._agents)

    def turn(self) -> int | None:
        env = self.env
        over = all(env.terminations[agent] or env.truncations[agent] for agent in env.agents)
        return None if over else self._agents.index(env.agent_selection)

    def actions(self) -> list[int]:
        agent = self.env.agent_selection
        observation, info = self.env.observe(agent), self.env.infos[agent]
        mask = observation.get("action_mask") if isinstance(observation, dict) else None
        mask = info.get("action_mask") if mask is None else mask
        count = int(self.env.action_space(agent).n)
        return [action for action in range(count) if mask is None or mask[action]]

    def apply(self, action: int) -> None:
        env = self.env
        env.step(action)
        for agent, reward in env.rewards.items():
            self._sums[agent] += float(reward)
        while self.turn() is not None and (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            env.step(None)  # An agent that is out has no other action.

    def reward(self, player: int) -> float:
        return (self._sums[self._agents[player]] - self._low) * self._scale

    def __repr__(self) -> str:
        return f"{self.env}: {self._sums}"
