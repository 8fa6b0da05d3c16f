"""Arrays of NumPy. The package needs NumPy for these only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def array(buffer: bytearray, kind: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return an array in this memory."""
    return np.frombuffer(buffer, dtype=kind).reshape(shape)


def stack(states: Sequence[Any]) -> NDArray[np.float32]:
    """Return the planes of states written in Python as one array."""
    return np.stack([np.asarray(state.planes(), dtype=np.float32) for state in states])
