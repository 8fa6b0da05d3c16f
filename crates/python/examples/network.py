"""Connect 4 with a network in batches of 64. Run: python crates/python/examples/network.py [--numpy] [UNITS]

The network is one of PyTorch if that is installed, and of NumPy otherwise, with two hidden layers of UNITS (default: 512). The
weights are random, so it plays badly: the example shows how to connect a network, and prints the share of the time that it takes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import ramure
from numpy.typing import NDArray

try:
    import torch
except ImportError:
    torch = None

# What a network makes of the planes of a batch: values, and the logits of a policy with a number for each column.
Outputs = tuple[NDArray[Any], NDArray[Any]]

INPUTS, COLUMNS, WINDOW = 4 * 6 * 7, 7, 64
HIDDEN = int(sys.argv[-1]) if sys.argv[-1].isdecimal() else 512
IN_NUMPY = torch is None or "--numpy" in sys.argv


def in_numpy() -> Callable[[NDArray[np.float32]], Outputs]:
    rng = np.random.default_rng(0)
    shapes = [(INPUTS, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, COLUMNS + 1)]
    first, second, heads = (rng.normal(size=shape).astype(np.float32) / 10 for shape in shapes)

    def network(planes: NDArray[np.float32]) -> Outputs:
        hidden = np.maximum(np.maximum(planes.reshape(len(planes), -1) @ first, 0) @ second, 0)
        outputs = hidden @ heads
        return 1 / (1 + np.exp(-outputs[:, COLUMNS])), outputs[:, :COLUMNS]

    return network


def in_torch() -> Callable[[NDArray[np.float32]], Outputs]:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    body = torch.nn.Sequential(
        torch.nn.Flatten(),
        torch.nn.Linear(INPUTS, HIDDEN),
        torch.nn.ReLU(),
        torch.nn.Linear(HIDDEN, HIDDEN),
        torch.nn.ReLU(),
        torch.nn.Linear(HIDDEN, COLUMNS + 1),
    )

    def network(planes: NDArray[np.float32]) -> Outputs:
        with torch.inference_mode():
            outputs = body(torch.from_numpy(planes))
        return torch.sigmoid(outputs[:, COLUMNS]).numpy(), outputs[:, :COLUMNS].numpy()

    return network


def main() -> None:
    network = in_numpy() if IN_NUMPY else in_torch()
    seconds = 0.0

    def evaluate(
        planes: NDArray[np.float32], actions: list[list[int]]
    ) -> tuple[list[float], list[list[float]]]:
        """Return the value of each state for the player to move, and a prior for each of its actions."""
        nonlocal seconds
        start = time.perf_counter()
        values, logits = network(planes)
        seconds += time.perf_counter() - start
        # Lists, because Python takes the numbers out of an array one by one, and slowly.
        policy = np.exp(logits).tolist()
        priors = [[row[column] for column in columns] for row, columns in zip(policy, actions, strict=True)]
        return values.tolist(), priors

    search = ramure.Search(ramure.games.connect4(), evaluate=evaluate, planes=True, window=WINDOW, seed=1)
    report = search.run(iterations=20_000)
    print(report)
    print(f"{'NumPy' if IN_NUMPY else 'PyTorch'} took {100 * seconds / report.seconds:.0f} % of the time")


if __name__ == "__main__":
    main()
