"""Chance, and states as text."""

from __future__ import annotations

import enum
import re
from typing import Final


class Chance(enum.Enum):
    """The turn of chance; see ``CHANCE``."""

    CHANCE = "chance"

    def __repr__(self) -> str:
        return "ramure.CHANCE"


CHANCE: Final = Chance.CHANCE
"""What ``turn`` returns if chance draws the next action."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def describe(state: object) -> str:
    """Return the ``repr`` of a state; its attributes if its class has none. Addresses are left out."""
    cls = type(state)
    if cls.__repr__ is not object.__repr__:
        return _ADDRESS.sub("", repr(state))
    slots = [name for base in reversed(cls.__mro__) for name in _names(base.__dict__.get("__slots__", ()))]
    values = {name: getattr(state, name) for name in slots if name[:2] != "__" and hasattr(state, name)}
    values.update(getattr(state, "__dict__", {}))
    return _ADDRESS.sub("", f"{cls.__name__}({', '.join(f'{name}={value!r}' for name, value in values.items())})")


def _names(slots: object) -> tuple[str, ...]:
    if isinstance(slots, str):
        return (slots,)
    return tuple(slots) if isinstance(slots, (tuple, list)) else ()
