"""Connect 4 with a network in NumPy, in batches of 64. Run: python crates/python/examples/network.py

The weights are random, so it plays badly: the example shows how to connect a network, and prints the share of the time that the
network takes.
"""

from __future__ import annotations

import time

import numpy as np
import ramure

COLUMNS, HIDDEN, WINDOW = 7, 512, 64
rng = np.random.default_rng(0)
first = rng.normal(size=(2 * 6 * COLUMNS, HIDDEN)).astype(np.float32) / 10
second = rng.normal(size=(HIDDEN, HIDDEN)).astype(np.float32) / 10
heads = rng.normal(size=(HIDDEN, COLUMNS + 1)).astype(np.float32) / 10
seconds = 0.0


def evaluate(
    states: list[ramure.games.Game], actions: list[list[int]]
) -> tuple[list[float], list[list[float]]]:
    """Return the value of each state for the player to move, and a prior for each of its actions."""
    global seconds
    start = time.perf_counter()
    boards = np.array([state.board() for state in states])
    movers = np.array([state.turn() for state in states])[:, None, None]
    planes = np.stack([boards == movers, boards == 1 - movers], axis=1).astype(np.float32)
    hidden = np.maximum(np.maximum(planes.reshape(len(states), -1) @ first, 0) @ second, 0)
    outputs = hidden @ heads
    values = 1 / (1 + np.exp(-outputs[:, COLUMNS]))
    policy = np.exp(outputs[:, :COLUMNS])
    priors = [[float(row[column]) for column in columns] for row, columns in zip(policy, actions, strict=True)]
    seconds += time.perf_counter() - start
    return list(map(float, values)), priors


def main() -> None:
    search = ramure.Search(ramure.games.connect4(), evaluate=evaluate, window=WINDOW, seed=1)
    report = search.run(iterations=20_000)
    print(report)
    print(f"the network took {100 * seconds / report.seconds:.0f} % of the time")


if __name__ == "__main__":
    main()
