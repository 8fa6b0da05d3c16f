"""Environments of Gymnasium as simulators to search. Needs the package ``gymnasium``."""

from __future__ import annotations

import copy
import io
import itertools
import pickle
import random
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.toy_text.blackjack import BlackjackEnv
from gymnasium.wrappers import FilterObservation, TimeLimit

__all__ = ["Gymnasium"]

_MOST_ACTIONS = 10_000


class Gymnasium:
    """An environment of Gymnasium, after ``reset``, as a simulator for ``ramure.Planning``.

    ``Search(Planning(Gymnasium(env), discount=0.99, horizon=100))`` searches for the next action. Actions are numbers, or tuples of
    numbers. Two outcomes of a step are the same if their observations are.

    The search copies the environment in each iteration, and often in a step, by ``copy.deepcopy``. ``shared``
    names attributes of ``env.unwrapped`` that no step changes, such as the table ``P`` of FrozenLake; copies share them, which is
    faster. If this is not right for an environment, derive a class with another ``__copy__``.

    All randomness must come from ``env.unwrapped.np_random``.

    If actions are ``Discrete`` and the information of a step has an ``action_mask``, as in Taxi, only those that it allows are legal. That of ``reset`` is
    ``mask``: ``Gymnasium(env, mask=info["action_mask"])``.

    **The search sees the whole state of the environment**, not only its observation. Where an observation is less than the state, the
    advice depends on what the player must not know, such as the dealer's hidden card in Blackjack; there, the adapter warns. Derive a
    class whose ``step`` first draws the hidden part again, from ``random``, as the player would guess it:

    >>> import gymnasium
    >>> class Blackjack(Gymnasium):
    ...     def step(self, action, random):
    ...         self.env.unwrapped.dealer[1] = min(random.randint(1, 13), 10)
    ...         return super().step(action, random)
    >>> env = gymnasium.make("Blackjack-v1")
    >>> adapted = Blackjack(env)

    An environment does not tell whether its episode is over, so make the adapter while the episode goes on. Only if it shows by a
    ``TimeLimit``, in CartPole, or by the table ``P`` of Gymnasium's toy texts that it is over, a search is an error.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], *, shared: Iterable[str] = (), mask: Any = None) -> None:
        inner = env.unwrapped
        if env.render_mode == "human":
            raise ValueError('each step of the search would be drawn in a window; make the environment without render_mode="human"')
        layers = [env]
        while isinstance(layers[-1], gymnasium.Wrapper):
            layers.append(layers[-1].env)
        if any(isinstance(layer, (BlackjackEnv, FilterObservation)) for layer in layers) and type(self).step is Gymnasium.step:
            text = f"the search sees what {env} hides from its player, and advises by it; derive a class whose `step` draws it again first"
            warnings.warn(text, stacklevel=2)
        self._actions = list(_actions(env.action_space))
        self._has_mask = isinstance(env.action_space, spaces.Discrete)
        self._mask = mask if self._has_mask else None
        self.env = env
        self.observation: Any = None
        self.over = _is_over(layers)
        self._generator = np.random.Generator(np.random.PCG64(0))
        constant = [space for layer in layers for space in (layer.action_space, layer.observation_space)]
        constant += [layer.spec for layer in layers] + [getattr(inner, name) for name in shared]
        self._memo = {id(value): value for value in constant}

    def __copy__(self) -> Gymnasium:
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        # Steps of a copy must not draw from the generator of the environment.
        other.env = deep_copy(self.env, self._memo | {id(self.env.unwrapped.np_random): self._generator})
        return other

    def __getstate__(self) -> bytes:
        return pickled(vars(self) | {"_memo": list(self._memo.values())})

    def __setstate__(self, state: bytes) -> None:
        attributes = pickle.loads(state)
        vars(self).update(attributes, _memo={id(value): value for value in attributes["_memo"]})

    def actions(self) -> list[Any]:
        if self._mask is None:
            return self._actions
        return [action for action, allowed in zip(self._actions, np.ravel(self._mask), strict=True) if allowed]

    def is_over(self) -> bool:
        return self.over

    def step(self, action: Any, random: random.Random) -> float:
        state = {"state": random.getrandbits(128), "inc": random.getrandbits(128) | 1}
        self._generator.bit_generator.state = {"bit_generator": "PCG64", "state": state, "has_uint32": 0, "uinteger": 0}
        self.env.unwrapped.np_random = self._generator
        self.observation, reward, terminated, truncated, info = self.env.step(action)
        self._mask = info.get("action_mask") if self._has_mask else None
        self.over = bool(terminated or truncated)
        return float(reward)

    def key(self) -> Any:
        return _key(self.observation)

    def __repr__(self) -> str:
        return f"{self.env}: {self.observation}"


class _Pickler(pickle.Pickler):
    """Pickles an ``EzPickle`` attribute by attribute, which would be pickled as a new environment."""

    def reducer_override(self, value: Any) -> Any:
        getstate = getattr(type(value), "__getstate__", None)
        if getattr(getstate, "__qualname__", None) == "EzPickle.__getstate__":
            return object.__new__, (type(value),), vars(value), None, None, _fill
        return NotImplemented


def _fill(value: Any, attributes: dict[str, Any]) -> None:
    vars(value).update(attributes)


def pickled(attributes: dict[str, Any]) -> bytes:
    """Pickle the attributes of a state that holds an environment."""
    buffer = io.BytesIO()
    _Pickler(buffer).dump(attributes)
    return buffer.getvalue()


def deep_copy(env: Any, memo: dict[int, Any]) -> Any:
    """Copy an environment by ``copy.deepcopy``, which would create a new one of an ``EzPickle``: that one, attribute by attribute."""
    inner = env.unwrapped
    try:
        if hasattr(inner, "_ezpickle_args") and not hasattr(inner, "__deepcopy__"):
            memo[id(inner)] = other = object.__new__(type(inner))
            vars(other).update(copy.deepcopy(vars(inner), memo))
        return copy.deepcopy(env, memo)
    except (TypeError, AttributeError, pickle.PicklingError, NotImplementedError) as error:
        raise TypeError(
            f"{env} cannot be copied ({error}), and a search copies it in each iteration; derive a class of the adapter whose `__copy__` "
            "makes an equal environment in another way"
        ) from error


def _is_over(layers: Sequence[Any]) -> bool:
    """Return whether an environment, given with its wrappers, shows that its episode is over. Most do not show it."""
    inner = layers[-1]
    for layer in layers:
        if isinstance(layer, TimeLimit) and (layer._elapsed_steps or 0) >= layer._max_episode_steps:
            return True
    if getattr(inner, "steps_beyond_terminated", None) is not None:
        return True
    if not type(inner).__module__.startswith("gymnasium.envs.toy_text.") or not hasattr(inner, "P") or not hasattr(inner, "s"):
        return False
    # In these tables, whether a step ends the episode depends on the state after it alone.
    ways = (way for actions in inner.P.values() for ways in actions.values() for way in ways)
    return any(ends and after == inner.s for _, after, _, ends in ways)


def _key(observation: Any) -> Any:
    """Return an observation as something hashable."""
    if isinstance(observation, np.ndarray):
        return observation.tobytes()
    if isinstance(observation, dict):
        return tuple((name, _key(value)) for name, value in sorted(observation.items()))
    if isinstance(observation, (tuple, list)):
        return tuple(map(_key, observation))
    return observation


def _actions(space: spaces.Space[Any]) -> Iterator[Any]:
    """Return the actions of a space."""
    if isinstance(space, spaces.Discrete):
        return iter(range(int(space.start), int(space.start + space.n)))
    if isinstance(space, spaces.MultiDiscrete):
        sizes, starts = space.nvec.flatten().tolist(), space.start.flatten().tolist()
    elif isinstance(space, spaces.MultiBinary):
        sizes = [2] * int(np.prod(space.shape))
        starts = [0] * len(sizes)
    else:
        raise ValueError(f"the actions {space} cannot be listed; wrap the environment so that they are a Discrete")
    if np.prod(sizes, dtype=float) > _MOST_ACTIONS:
        raise ValueError(f"{space} has more than {_MOST_ACTIONS} actions; wrap the environment so that there are fewer")
    return itertools.product(*(range(start, start + size) for start, size in zip(starts, sizes, strict=True)))
