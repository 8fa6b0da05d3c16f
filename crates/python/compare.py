"""Compares this package with others of PyPI, each with its own Tic-Tac-Toe: python compare.py [FOLDER]

Installs the others into FOLDER (default: target/peers), each apart, because two of them have modules of one name. Measures the
iterations per second from the empty board in processes that alternate, the best of fifteen each, and then plays matches in which
both have the same time for each move.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
PEERS = ["mcts", "monte-carlo-tree-search", "mcts-simple", "mctspy"]
ITERATIONS, ROUNDS, GAMES, MILLIS = 2_000, 15, 400, 2

# An agent gets the cells played so far, 0 to 8, and a number of iterations, and returns a cell.
Agent = Callable[[list[int], int], int]


def ramure() -> Agent:
    sys.path.insert(0, str(HERE / "examples"))
    import ramure
    from tic_tac_toe import TicTacToe

    def choose(played: list[int], iterations: int) -> int:
        state = TicTacToe()
        for cell in played:
            state.apply(cell)
        # Without proofs, so that each of the iterations is made.
        action = ramure.Search(state, "ucb1:solver=no", seed=len(played)).run(iterations=iterations).best_action
        assert action is not None
        return action

    return choose


def mcts() -> Agent:
    from mcts import mcts

    # Written against its interface, like the example of `monte-carlo-tree-search`.
    state_class, action_class = naughts_and_crosses(
        "getCurrentPlayer", "getPossibleActions", "takeAction", "isTerminal", "getReward"
    )

    def choose(played: list[int], iterations: int) -> int:
        state = state_class()
        for number, cell in enumerate(played):
            state = state.takeAction(action_class(1 - number % 2 * 2, cell // 3, cell % 3))
        action = mcts(iterationLimit=iterations).search(initialState=state)
        return 3 * action.x + action.y

    return choose


def monte_carlo_tree_search() -> Agent:
    from mcts.example.naughtsandcrosses import Action, NaughtsAndCrossesState
    from mcts.searcher.mcts import MCTS

    def choose(played: list[int], iterations: int) -> int:
        state = NaughtsAndCrossesState()
        for number, cell in enumerate(played):
            state = state.take_action(Action(1 - number % 2 * 2, cell // 3, cell % 3))
        action = MCTS(iteration_limit=iterations).search(initial_state=state)
        return 3 * action.x + action.y

    return choose


def naughts_and_crosses(*names: str):
    """Return the state and the action of the example of `mcts`, with methods of these names."""
    from copy import deepcopy
    from functools import reduce
    import operator

    class Action:
        def __init__(self, player, x, y):
            self.player, self.x, self.y = player, x, y

        def __eq__(self, other):
            return self.__class__ == other.__class__ and (self.x, self.y, self.player) == (other.x, other.y, other.player)

        def __hash__(self):
            return hash((self.x, self.y, self.player))

    class State:
        def __init__(self):
            self.board = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
            self.currentPlayer = 1

        def current(self):
            return self.currentPlayer

        def possible(self):
            board = self.board
            return [Action(self.currentPlayer, i, j) for i in range(3) for j in range(3) if board[i][j] == 0]

        def take(self, action):
            after = deepcopy(self)
            after.board[action.x][action.y] = action.player
            after.currentPlayer = self.currentPlayer * -1
            return after

        def lines(self):
            yield from self.board
            yield from map(list, zip(*self.board))
            yield [self.board[i][i] for i in range(3)]
            yield [self.board[i][2 - i] for i in range(3)]

        def terminal(self):
            return any(abs(sum(line)) == 3 for line in self.lines()) or reduce(operator.mul, sum(self.board, []), 1) != 0

        def reward(self):
            return next((sum(line) / 3 for line in self.lines() if abs(sum(line)) == 3), 0)

    for name, method in zip(names, (State.current, State.possible, State.take, State.terminal, State.reward)):
        setattr(State, name, method)
    return State, Action


def mcts_simple() -> Agent:
    os.environ["TQDM_DISABLE"] = "1"
    from mcts_simple import UCT, Game

    class TicTacToe(Game):
        def __init__(self, played):
            self.board, self.player = [None] * 9, 0
            for cell in played:
                self.take_action(cell)

        def get_state(self):
            return self.board

        def number_of_players(self):
            return 2

        def current_player(self):
            return self.player

        def possible_actions(self):
            return [cell for cell in range(9) if self.board[cell] is None]

        def take_action(self, action):
            self.board[action] = self.player
            self.player = 1 - self.player

        def line(self):
            board = self.board
            rows = [(i, i + 1, i + 2) for i in (0, 3, 6)] + [(i, i + 3, i + 6) for i in range(3)] + [(0, 4, 8), (2, 4, 6)]
            return next((board[a] for a, b, c in rows if board[a] is not None and board[a] == board[b] == board[c]), None)

        def has_outcome(self):
            return self.line() is not None or None not in self.board

        def winner(self):
            owner = self.line()
            return [0, 1] if owner is None else [owner]

    def choose(played: list[int], iterations: int) -> int:
        search = UCT(TicTacToe(played), seed=len(played))
        search.self_play(iterations=iterations)
        return max(search.root.children, key=lambda action: search.root.children[action].n)

    return choose


def mctspy() -> Agent:
    import numpy as np
    from mctspy.games.examples.tictactoe import TicTacToeGameState, TicTacToeMove
    from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
    from mctspy.tree.search import MonteCarloTreeSearch

    def choose(played: list[int], iterations: int) -> int:
        state = TicTacToeGameState(state=np.zeros((3, 3)), next_to_move=1)
        for number, cell in enumerate(played):
            state = state.move(TicTacToeMove(cell // 3, cell % 3, 1 - number % 2 * 2))
        root = TwoPlayersGameMonteCarloTreeSearchNode(state=state)
        after = MonteCarloTreeSearch(root).best_action(iterations).state.board
        return int(np.flatnonzero(after != state.board)[0])

    return choose


def agent(name: str) -> Agent:
    return globals()[name.replace("-", "_")]()


def serve(name: str) -> None:
    """Answer lines of a number of iterations and the cells played, by a cell and the seconds that it took."""
    choose = agent(name)
    for line in sys.stdin:
        iterations, *played = map(int, line.split())
        start = time.perf_counter()
        cell = choose(played, iterations)
        print(cell, time.perf_counter() - start, flush=True)


class Process:
    def __init__(self, name: str, folder: Path) -> None:
        path = os.pathsep.join([str(folder / name), *filter(None, [os.environ.get("PYTHONPATH")])])
        self.child = subprocess.Popen(
            [sys.executable, __file__, "--serve", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    def ask(self, played: list[int], iterations: int) -> tuple[int, float]:
        assert self.child.stdin and self.child.stdout
        print(iterations, *played, file=self.child.stdin, flush=True)
        cell, seconds = self.child.stdout.readline().split()
        return int(cell), float(seconds)


def winner(played: list[int]) -> int | None:
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    own = [set(played[player::2]) for player in (0, 1)]
    return next((player for player in (0, 1) if any(own[player].issuperset(line) for line in lines)), None)


def main(folder: Path) -> None:
    for name in PEERS:
        if not (folder / name).exists():
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder / name), name]
            subprocess.run(command, check=True)
    agents = {name: Process(name, folder) for name in ["ramure", *PEERS]}
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, process in agents.items():
            best[name] = max(best.get(name, 0.0), ITERATIONS / process.ask([], ITERATIONS)[1])
    print("| package | iterations per second | ramure is faster | score of ramure at the same time per move |")
    print("|---|---|---|---|")
    for name, speed in best.items():
        if name == "ramure":
            print(f"| ramure | {speed:.0f} | | |")
            continue
        scores = [game(agents["ramure"], agents[name], best["ramure"], speed, seat, opening)
                  for opening in range(GAMES // 2) for seat in (0, 1)]
        mean = sum(scores) / len(scores)
        spread = 1.96 * math.sqrt(sum((score - mean) ** 2 for score in scores) / (len(scores) - 1) / len(scores))
        print(f"| {name} | {speed:.0f} | {best['ramure'] / speed:.1f} times | {mean:.2f} ± {spread:.2f} |", flush=True)


def game(first: Process, second: Process, speed: float, other: float, seat: int, opening: int) -> float:
    """Play a game after an opening of one move each, and return the score of the first agent."""
    cells = [(a, b) for a in range(9) for b in range(9) if a != b]
    played = list(cells[opening * 7 % len(cells)])
    while winner(played) is None and len(played) < 9:
        is_first = len(played) % 2 == seat
        iterations = max(1, int((speed if is_first else other) * MILLIS / 1e3))
        played.append((first if is_first else second).ask(played, iterations)[0])
    won = winner(played)
    return 0.5 if won is None else float(won == seat)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    else:
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent.parent / "target" / "peers")
