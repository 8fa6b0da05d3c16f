"""Functions that evaluate the leaves of a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ramure._methods import kind_of


def answer(function: Callable[[Any, Any], Any], states: Any, actions: list[list[Any]]) -> tuple[list[Any], list[Any] | None]:
    """Call a function, and return the values and the priors, each as a list that is as long as that of the states."""
    answer = function(states, actions)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise TypeError(f"`evaluate` returned {kind_of(answer)}; return the values and the priors, as a tuple")
    values, priors = answer
    return _listed(values, "values", len(actions)), None if priors is None else _listed(priors, "priors", len(actions))


def _listed(sequence: Any, name: str, count: int) -> list[Any]:
    try:
        iterator = iter(sequence)
    except TypeError:
        kind = kind_of(sequence)
        raise TypeError(f"the {name} that `evaluate` returned are {kind}; return one for each state") from None
    found = list(iterator)
    if len(found) != count:
        raise ValueError(f"`evaluate` returned {len(found)} {name} for {count} states; return one for each state")
    return found
