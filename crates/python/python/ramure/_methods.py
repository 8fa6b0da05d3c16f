"""The methods of games and simulators written in Python."""

from __future__ import annotations

import copy
import itertools
import operator
from collections.abc import Callable
from typing import Any

from ramure._ramure import Game

# The most actions of a state. A longer list is taken to be endless.
_MOST_ACTIONS = 1 << 20

# The methods that each kind of problem must have, and those that it may have.
_KINDS = {
    "game": (
        ["turn()", "actions()", "apply(action)", "reward(player)"],
        [
            *("players", "probability", "random_rollout", "evaluation", "key"),
            *("determinize", "observe", "private_knowledge", "is_simultaneous"),
        ],
    ),
    "simulator": (["actions()", "step(action, random)"], ["is_over", "key", "estimate"]),
    "particle": (
        ["actions()", "step(action, random)", "observe(action, random)"],
        ["is_over", "estimate", "likelihood", "reinvigorate"],
    ),
}


def methods(state: object, kind: str) -> tuple[Callable[[Any], Any], list[str]]:
    """Return the function that copies a state, and the names of the optional methods that it has.

    Raise ``TypeError`` if it is no game, or no simulator.
    """
    if isinstance(state, type):
        raise TypeError(f"{state.__name__} is a class; give a state, an instance of it")
    required, optional = _KINDS[kind]
    names = (method.partition("(")[0] for method in required)
    lacks = [name for name in names if not callable(getattr(state, name, None))]
    if lacks:
        text = f"{type(state).__name__} is not a {kind}: it lacks {', '.join(lacks)}; a {kind} has the methods {', '.join(required)}"
        if hasattr(state, "particles"):
            text += ". To search a belief, give ramure.Planning(belief)"
        elif hasattr(state, "agent_selection"):
            text += ". To search an environment of PettingZoo, give ramure.pettingzoo.PettingZoo(env)"
        elif hasattr(state, "action_space") and hasattr(state, "step"):
            text += ". To search an environment of Gymnasium, give ramure.Planning(ramure.gymnasium.Gymnasium(env))"
        elif "actions" not in lacks and hasattr(state, "step"):
            text += ". To search a simulator, give ramure.Planning(simulator)"
        raise TypeError(text)
    found = [name for name in optional if has_method(state, name)]
    return (getattr(type(state), "__copy__") if has_method(type(state), "__copy__") else copy.deepcopy), found


# Their copies are right, and dear.
_ADAPTERS = ("ramure.gymnasium", "ramure.openspiel", "ramure.pettingzoo")


def defines(cls: type, name: str) -> bool:
    """Return whether a class has a method of its own in place of that of ``object``."""
    return getattr(cls, name) is not getattr(object, name)


def try_actions(state: Any) -> str:
    """Return what is wrong with the class of the actions of a state: an empty text if nothing is.

    What raises here raises in the search, too, which says where.
    """
    try:
        pairs = zip(listed(state.actions()), listed(state.actions()), strict=False)
        wrong = next((type(one) for one, other in pairs if one is not other and not defines(type(one), "__eq__")), None)
    except Exception:
        wrong = None
    if wrong is None:
        return ""
    return (
        f"the actions of class {wrong.__name__} have no `__eq__`, so none equals itself when it is listed again; write "
        "@dataclass(frozen=True) above the class, or give it `__eq__` and `__hash__`"
    )


def try_copy(state: Any, play: Callable[[Any, Any], object], seen: Callable[[Any], Any]) -> str:
    """Play an action on a copy of a state. Return what is wrong with ``__copy__``: an empty text if nothing is."""
    if not hasattr(state, "__copy__") or any(cls.__module__ in _ADAPTERS for cls in type(state).__mro__):
        return ""
    try:
        before, actions, copied = seen(state), listed(state.actions()), type(state).__copy__(state)
        if copied is state or not actions:
            return ""
        play(copied, actions[0])
        return "" if seen(state) == before else shared(state)
    except Exception:
        return ""


def shared(state: object) -> str:
    """Describe what is wrong with a class whose copies share something."""
    cls = type(state)
    how = "`__copy__`" if has_method(cls, "__copy__") else "`copy.deepcopy`"
    return (
        f"the search changed your state: {how} of {cls.__name__} returns a copy that shares something with it, such as a list; "
        "copy what is inside, too, or leave out `__copy__`"
    )


def listed(actions: Any) -> list[Any]:
    """Return what ``actions`` returned as a list."""
    try:
        iterator = iter(actions)
    except TypeError:
        raise TypeError(f"`actions` returned {kind_of(actions)}; return a list of actions") from None
    found = list(itertools.islice(iterator, _MOST_ACTIONS + 1))
    if len(found) > _MOST_ACTIONS:
        raise ValueError(f"`actions` yields more than {_MOST_ACTIONS} actions; is it endless?")
    return found


def has_method(owner: object, name: str) -> bool:
    """Return whether there is an optional method; raise ``TypeError`` if there is something else of this name."""
    if not hasattr(owner, name):
        return False
    method = getattr(owner, name)
    if not callable(method):
        raise TypeError(f"`{name}` is {kind_of(method)}; make it a method")
    return True


def kind_of(value: object) -> str:
    """Describe the type of a value, for errors."""
    return "None" if value is None else f"a value of type {type(value).__name__}"


def in_range(least: int = 0, most: int = 2**64 - 1, **numbers: int | None) -> None:
    """Raise an exception with the name of a number that is not a whole number from ``least`` to ``most``. ``None`` is left to a default."""
    for name, number in numbers.items():
        try:
            is_whole = number is None or least <= operator.index(number) <= most
        except TypeError:
            raise TypeError(f"`{name}` is {kind_of(number)}; give a whole number") from None
        if not is_whole:
            raise ValueError(f"`{name}` is {number}; it must be a whole number from {least} to {most}")


def check_threads(state: object, text: object) -> None:
    """Raise ``ValueError`` if the text of a search or an agent asks for several threads in a game written in Python.

    They would wait for the interpreter, which the thread that waits for them holds.
    """
    if not isinstance(text, str):
        raise TypeError(f"an algorithm is {kind_of(text)}; give a text")
    parts = [part.partition("=") for part in text.replace(":", ",").split(",")]
    threads = {value.strip() for name, _, value in parts if name.strip() == "threads"}
    if not isinstance(state, Game) and not threads <= {"1"}:
        raise ValueError(
            "a game written in Python is searched by one thread, because only one thread at a time can run Python; leave out `threads`"
        )
