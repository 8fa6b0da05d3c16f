"""OpenSpiel's C++ Monte-Carlo tree search, with the arguments and the output of the program `peers`.

Needs only the compiled module `pyspiel` of the package `open_spiel`. One call of `step` is one search, for which Python
waits. `RandomRolloutEvaluator(1)` plays one random game per iteration in C++; our own rollout would have to be in
Python. Rewards are 1, 0 and -1, twice as far apart as ramure's, so `--uct-c 2` is ramure's c = 1.
"""

import argparse
import resource
import sys
import time
from importlib.metadata import version

import pyspiel

OTHER_SEED = 1_000_000  # for the warm-up: a processor remembers the branches of a search that it saw before
MEMORY_MB = 1 << 20  # large enough that it never discards nodes

game = pyspiel.load_game("connect_four")


def bot(options, iterations, seed):
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, options.uct_c, iterations, MEMORY_MB, options.solve, seed, False)


def after(columns):
    state = game.new_initial_state()
    for digit in columns:
        state.apply_action(int(digit))
    return state


def resident_peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(options):
    """Prints `cpu_ns wall_ns iterations bytes`, with `-` for unknown values."""
    state = after("")
    bot(options, options.warm_up, options.seed + OTHER_SEED).step(state)
    search = bot(options, options.iterations, options.seed)
    before = resident_peak()
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    search.step(state)
    cpu, wall = time.process_time_ns() - cpu, time.perf_counter_ns() - wall
    print(cpu, wall, "-", resident_peak() - before)


def check(options):
    """Prints the column that the search plays in each position."""
    for position in options.positions:
        print(bot(options, options.iterations, options.seed).step(after(position)))


def play(options):
    """For each line with the columns played so far, prints the next column and the nanoseconds that it took.

    Each search gets as many iterations as took `--millis` in the one before, as in `contest.rs`.
    """
    wanted = options.millis * 1_000_000
    iterations = 16

    def choose(columns, seed):
        nonlocal iterations
        state = after(columns)
        start = time.perf_counter_ns()
        column = bot(options, int(iterations), seed).step(state)
        taken = time.perf_counter_ns() - start
        iterations = max(16, iterations * min(2, max(0.5, wanted / taken)))
        return column, taken

    while choose("", 0)[1] < wanted / 2:
        pass
    print("ready", flush=True)
    for turn, line in enumerate(sys.stdin, 1):
        print(*choose(line.strip(), (options.seed << 8) + turn), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["measure", "check", "play", "version"])
    parser.add_argument("--iterations", type=int, default=100_000)
    parser.add_argument("--warm-up", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--millis", type=int, default=50)
    parser.add_argument("--bytes", action="store_true", help="accepted and ignored: the bytes are always printed")
    parser.add_argument("--uct-c", type=float, default=2)
    parser.add_argument("--solve", action="store_true")
    parser.add_argument("positions", nargs="*")
    options = parser.parse_intermixed_args()
    if options.what == "version":
        print(version("open_spiel"))
    elif options.what == "measure":
        measure(options)
    elif options.what == "play":
        play(options)
    else:
        check(options)


main()
