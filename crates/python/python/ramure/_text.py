"""Chance, and states as text."""

from __future__ import annotations

import enum
import re
from typing import Any, Final

from ramure._methods import defines, listed


class Chance(enum.Enum):
    """The turn of chance; see ``CHANCE``."""

    CHANCE = "chance"

    def __repr__(self) -> str:
        return "ramure.CHANCE"


CHANCE: Final = Chance.CHANCE
"""What ``turn`` returns if chance draws the next action."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


# What texts of the crate say about Rust, and the same about Python.
_WORDS = {
    "`Turn::Over`": "None",
    "`Turn::Chance`": "ramure.CHANCE",
    "which this game lacks: implement `StaticEvaluation` for it, and call `with_evaluation` on the registry": (
        "which this game lacks: add a method evaluation(player), or give a function, as in Search(state, evaluate=function)"
    ),
    "which this game lacks: implement `Keyed` for it, and call `with_keys` on the registry": (
        "which this game lacks: add a method key(), or leave out `transpositions`"
    ),
    "which this game lacks: implement `Keyed` and `Symmetric` for it, and call `with_mirror_images` on the registry": (
        "which only the games in ramure.games have; leave out `transpositions`"
    ),
    "take all randomness from `rng`": "take all randomness from `random`",
    "a `Pomdp` with few observations needs it to weigh states, so implement it or leave out `Pomdp::observations`": (
        "a `Planning` with `observations` needs it to weigh states, so write it or leave out `observations`"
    ),
    "Pomdp::observations": "observations",
    "`action_index` returned": "an action has the number",
    "it must be below `ACTION_COUNT`, which is 4096": (
        "this algorithm keeps tables of 4096 actions; choose one without, such as ucb1-tuned"
    ),
}


def in_python(text: str) -> str:
    """Return a text about Rust as one about Python."""
    for rust, python in _WORDS.items():
        text = text.replace(rust, python)
    return text


# Words that are no searches of their own, by the part of a text that they belong to.
_PARTS = {
    "rollout": "cutoff cutoff-random cutoff-decided evaluation softmax decisive mast mast-gibbs nst lgr ppa multiple mixed",
    "backprop": "average contempt relative-bonus discounted recency-weighted max power-mean bayes implicit-minimax score-bounds",
}
_AGENTS = "mc mc-total minimax alphabeta mcts random"


def home_of(text: str | None) -> str:
    """Return where the word belongs with which a text begins, if it names no search: an empty text if nothing is known."""
    word = (text or "").partition(":")[0].strip()
    for part, words in _PARTS.items():
        if word in words.split():
            return f'`{word}` is a part of a search; write it as `{part}={word}`, as in "ucb1:{part}={word}"'
    return f"`{word}` is an agent, which plays in `compare` only" if word in _AGENTS.split() else ""


def describe(state: object) -> str:
    """Return the ``repr`` of a state; its attributes if its class has none. Addresses are left out."""
    cls = type(state)
    if defines(cls, "__repr__"):
        return _ADDRESS.sub("", repr(state))
    slots = [name for base in reversed(cls.__mro__) for name in _names(base.__dict__.get("__slots__", ()))]
    values = {name: getattr(state, name) for name in slots if name[:2] != "__" and hasattr(state, name)}
    values.update(getattr(state, "__dict__", {}))
    return _ADDRESS.sub("", f"{cls.__name__}({', '.join(f'{name}={value!r}' for name, value in values.items())})")


def seen(state: Any) -> tuple[str, ...]:
    """Return what a search sees of a state, as texts: if they change while the state should not, something is shared.

    Only a ``__repr__`` written by hand counts. Other texts show attributes, also those that a state may change, such as what it has
    computed before.
    """
    turn = repr(state.turn()) if hasattr(state, "turn") else ""
    over = turn == "None" or (hasattr(state, "is_over") and bool(state.is_over()))
    actions = "" if over else _ADDRESS.sub("", repr(listed(state.actions())))
    text = type(state).__repr__
    is_by_hand = defines(type(state), "__repr__") and not hasattr(text, "__wrapped__")
    return turn, actions, _ADDRESS.sub("", repr(state)) if is_by_hand else ""


def _names(slots: object) -> tuple[str, ...]:
    if isinstance(slots, str):
        return (slots,)
    return tuple(slots) if isinstance(slots, (tuple, list)) else ()
