"""Compares this package with Rust, with others of PyPI and with OpenSpiel: python compare.py [--quick] [FOLDER]

Prints the figures of README.md. Installs the others into FOLDER (default: target/peers), each apart, because two of them have
modules of one name, and builds a program of Rust there. Processes alternate; the speed of each is that of its fastest round, because
other programs may share the cores. `--quick` shows in three minutes that all of it works; its figures mean little. `ramure` and
NumPy must be installed. `--many` alone compares searches that share a network.

There are two tables of Tic-Tac-Toe. In the first, each library searches the rules that its own examples have, as its users write them: it
compares rules, too. In the second, all search one class, with the rules of `examples/tic_tac_toe.py`: it compares the libraries.
"""

from __future__ import annotations

import math
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "examples"))
from tic_tac_toe import OTHERS, TicTacToe  # noqa: E402

PEERS = {"mcts": "1.0.4", "monte-carlo-tree-search": "2.1.0", "mcts-simple": "1.1.0", "mctspy": "0.1.1", "open_spiel": "2.0.2"}
QUICK = "--quick" in sys.argv
ROUNDS, GAMES, MILLIS = (1, 4, 2) if QUICK else (15, 400, 2)

# An agent gets the cells played so far, 0 to 8, and a number of iterations, and returns a cell.
Agent = Callable[[list[int], int], int]


class Rules:
    """The rules of `examples/tic_tac_toe.py` with the names of all libraries."""

    def __init__(self, board=None, player=0, owner=None):
        self.board, self.player, self.owner = [None] * 9 if board is None else board, player, owner

    def __copy__(self):
        return type(self)(self.board.copy(), self.player, self.owner)

    def __deepcopy__(self, memo):  # of `mcts-simple`
        return self.__copy__()

    def turn(self):
        return None if self.owner is not None or None not in self.board else self.player

    def actions(self):
        return [cell for cell, owner in enumerate(self.board) if owner is None]

    def apply(self, cell):
        board, player = self.board, self.player
        board[cell] = player
        for a, b in OTHERS[cell]:
            if board[a] == board[b] == player:
                self.owner = player
        self.player = 1 - player

    def reward(self, player):
        return 0.5 if self.owner is None else float(self.owner == player)

    def after(self, cell):
        other = self.__copy__()
        other.apply(cell)
        return other

    def is_over(self):
        return self.owner is not None or None not in self.board

    def sign(self):  # 1 for the first player, -1 for the second
        return 1 - 2 * self.player

    def result(self):
        return 0 if self.owner is None else 1 - 2 * self.owner

    # The names of `mcts`, `monte-carlo-tree-search` and `mctspy`.
    getPossibleActions = get_possible_actions = get_legal_actions = actions
    takeAction = take_action = move = after
    isTerminal = is_terminal = is_game_over = is_over
    getReward = get_reward = result
    getCurrentPlayer = get_current_player = sign
    next_to_move, game_result = property(sign), property(result)


def after(rules: type, played: list[int]) -> Any:
    """Return the state of a class of rules after these cells."""
    state = rules()
    for cell in played:
        state.apply(cell)
    return state


def ramure(one: bool = False) -> Agent:
    import ramure

    def choose(played: list[int], iterations: int) -> int:
        state = after(Rules if one else TicTacToe, played)
        # Without proofs, so that each of the iterations is made.
        action = ramure.Search(state, "ucb1:solver=no", seed=len(played)).run(iterations=iterations).best_action
        assert action is not None
        return action

    return choose


def by_hand(one: bool) -> Agent:
    """A UCT of 24 lines."""

    class Node:
        def __init__(self, parent, mover, actions):
            self.parent, self.mover, self.untried = parent, mover, actions
            self.children, self.visits, self.total = {}, 0, 0.0

    def choose(played: list[int], iterations: int) -> int:
        start = after(Rules, played)
        root = Node(None, None, start.actions())
        for _ in range(iterations):
            node, state = root, start.__copy__()
            while not node.untried and node.children:
                scale = 2 * math.log(node.visits)
                action, node = max(node.children.items(), key=lambda pair: pair[1].total / pair[1].visits + math.sqrt(scale / pair[1].visits))
                state.apply(action)
            if node.untried and state.turn() is not None:
                action, mover = node.untried.pop(), state.turn()
                state.apply(action)
                node.children[action] = node = Node(node, mover, state.actions() if state.turn() is not None else [])
            while state.turn() is not None:
                state.apply(random.choice(state.actions()))
            while node is not None:
                node.visits, node.total = node.visits + 1, node.total + (0.0 if node.mover is None else state.reward(node.mover))
                node = node.parent
        return max(root.children, key=lambda action: root.children[action].visits)

    return choose


def mcts(one: bool = False) -> Agent:
    from mcts import mcts

    if one:
        return lambda played, iterations: mcts(iterationLimit=iterations).search(initialState=after(Rules, played))
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


def monte_carlo_tree_search(one: bool = False) -> Agent:
    from mcts.example.naughtsandcrosses import Action, NaughtsAndCrossesState
    from mcts.searcher.mcts import MCTS

    if one:
        return lambda played, iterations: MCTS(iteration_limit=iterations).search(initial_state=after(Rules, played))

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


def mcts_simple(one: bool = False) -> Agent:
    os.environ["TQDM_DISABLE"] = "1"
    from mcts_simple import UCT, Game

    class Changing(Rules, Game):
        """The one class, by the names of `mcts-simple`: actions change the state."""

        possible_actions, take_action, has_outcome = Rules.actions, Rules.apply, Rules.is_over

        def get_state(self):
            return self.board

        def number_of_players(self):
            return 2

        def current_player(self):
            return self.player

        def winner(self):
            return [0, 1] if self.owner is None else [self.owner]

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
        search = UCT(after(Changing, played) if one else TicTacToe(played), seed=len(played))
        search.self_play(iterations=iterations)
        return max(search.root.children, key=lambda action: search.root.children[action].n)

    return choose


def mctspy(one: bool = False) -> Agent:
    import numpy as np
    from mctspy.games.examples.tictactoe import TicTacToeGameState, TicTacToeMove
    from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
    from mctspy.tree.search import MonteCarloTreeSearch

    def choose_in_one(played: list[int], iterations: int) -> int:
        root = TwoPlayersGameMonteCarloTreeSearchNode(state=after(Rules, played))
        board = MonteCarloTreeSearch(root).best_action(iterations).state.board
        return next(cell for cell in root.state.actions() if board[cell] is not None)

    if one:
        return choose_in_one

    def choose(played: list[int], iterations: int) -> int:
        state = TicTacToeGameState(state=np.zeros((3, 3)), next_to_move=1)
        for number, cell in enumerate(played):
            state = state.move(TicTacToeMove(cell // 3, cell % 3, 1 - number % 2 * 2))
        root = TwoPlayersGameMonteCarloTreeSearchNode(state=state)
        board = MonteCarloTreeSearch(root).best_action(iterations).state.board
        return int(np.flatnonzero(board != state.board)[0])

    return choose


def ramure_connect4() -> Agent:
    import ramure

    return lambda played, iterations: ramure.Search(ramure.games.connect4(), seed=1).run(iterations=iterations).best_action or 0


RUST = """
use ramure::prelude::*;
use std::{io::stdin, time::Instant};
fn main() {
    for line in stdin().lines() {
        let begin = Instant::now();
        let mut search = Mcts::new(ramure_games::Connect4::new()).seed(1);
        let report = search.run(Budget::iterations(line.unwrap().trim().parse().unwrap())).unwrap();
        println!("{} {}", report.best_action(), begin.elapsed().as_secs_f64());
    }
}
"""


def rust_program(folder: Path) -> Path:
    """Build a program that searches Connect 4 as `ramure_connect4` does, and that is asked as `serve` is."""
    paths = f'ramure.path = "{HERE.parent.parent}"\nramure-games.path = "{HERE.parent / "games"}"\n'
    manifest = f'[package]\nname = "connect4"\nedition = "2024"\n[dependencies]\n{paths}[workspace]\n'
    (folder / "rust" / "src").mkdir(parents=True, exist_ok=True)
    (folder / "rust" / "Cargo.toml").write_text(manifest)
    (folder / "rust" / "src" / "main.rs").write_text(RUST)
    subprocess.run(["cargo", "build", "--quiet", "--release", "--target-dir", "target"], cwd=folder / "rust", check=True)
    return folder / "rust" / "target" / "release" / "connect4"


def open_spiel_adapter() -> Agent:
    import pyspiel
    import ramure
    from ramure.openspiel import OpenSpiel

    state = pyspiel.load_game("connect_four").new_initial_state()
    return lambda played, iterations: ramure.Search(OpenSpiel(state), "ucb1:solver=no").run(iterations=iterations).best_action or 0


def open_spiel_in_python() -> Agent:
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("connect_four")

    def choose(played: list[int], iterations: int) -> int:
        generator = np.random.RandomState(1)
        evaluator = mcts.RandomRolloutEvaluator(1, generator)
        return int(mcts.MCTSBot(game, 2, iterations, evaluator, False, generator).step(game.new_initial_state()))

    return choose


def open_spiel_in_cpp() -> Agent:
    import pyspiel

    game = pyspiel.load_game("connect_four")

    def choose(played: list[int], iterations: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        return int(pyspiel.MCTSBot(game, evaluator, 2, iterations, 1 << 20, False, 1, False).step(game.new_initial_state()))

    return choose


def serve(name: str) -> None:
    """Answer lines of a number of iterations and the cells played, by a cell and the seconds that it took.

    A name is followed by " one" if the search is of the one class.
    """
    name, _, one = name.partition(" ")
    choose = globals()[name.replace("-", "_")](*[True] * bool(one))
    for line in sys.stdin:
        iterations, *played = map(int, line.split())
        start = time.perf_counter()
        cell = choose(played, iterations)
        print(cell, time.perf_counter() - start, flush=True)


class Process:
    """A search in a process of its own, at ``folder`` with the packages that it needs, or another ``program``."""

    def __init__(self, name: str, folder: Path, program: Path | None = None) -> None:
        path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(folder)])
        self.child = subprocess.Popen(
            [program] if program else [sys.executable, __file__, "--serve", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        # By the number of moves played, from a game to the next: the iterations per second.
        self.speeds: dict[int, float] = {}
        self.seconds: list[float] = []

    def ask(self, played: list[int], iterations: int) -> tuple[int, float]:
        assert self.child.stdin and self.child.stdout
        print(iterations, *played, file=self.child.stdin, flush=True)
        cell, seconds = self.child.stdout.readline().split()
        return int(cell), float(seconds)

    def move(self, played: list[int]) -> int:
        """Choose a cell in the time of a move."""
        speed = self.speeds.get(len(played), self.speeds[0])
        iterations = max(1, int(speed * MILLIS / 1e3))
        cell, seconds = self.ask(played, iterations)
        self.seconds.append(seconds)
        self.speeds[len(played)] = 0.8 * speed + 0.2 * iterations / seconds
        return cell


def measure(processes: dict[str, tuple[Process, int]]) -> dict[str, list[float]]:
    """Return the iterations per second of each process, in rounds that begin with another one each."""
    speeds: dict[str, list[float]] = {name: [] for name in processes}
    names = list(processes)
    for process, iterations in processes.values():
        process.ask([], iterations // 10)
    for number in range(ROUNDS):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            process, iterations = processes[name]
            speeds[name].append(iterations / process.ask([], iterations)[1])
    return speeds


def ratios(own: list[float], other: list[float], digits: int = 1) -> str:
    """Return the ratio of the fastest rounds, with the least and the greatest ratio within a round."""
    found = sorted(first / second for first, second in zip(own, other, strict=True))
    return f"{max(own) / max(other):.{digits}f} ({found[0]:.{digits}f} to {found[-1]:.{digits}f})"


def winner(played: list[int]) -> int | None:
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    own = [set(played[player::2]) for player in (0, 1)]
    return next((player for player in (0, 1) if any(own[player].issuperset(line) for line in lines)), None)


def game(first: Process, second: Process, seat: int, opening: list[int]) -> float:
    """Play a game after an opening of one move each, and return the score of the first agent."""
    played = opening.copy()
    while winner(played) is None and len(played) < 9:
        played.append((first if len(played) % 2 == seat else second).move(played))
    won = winner(played)
    return 0.5 if won is None else float(won == seat)


def tic_tac_toe(folder: Path) -> None:
    agents = {name: Process(name, folder / name) for name in ["ramure", *list(PEERS)[:4]]}
    speeds = measure({name: (process, 2_000) for name, process in agents.items()})
    for name, process in agents.items():
        process.speeds[0] = statistics.median(speeds[name])  # of a usual move
    cells = [[a, b] for a in range(9) for b in range(9) if a != b]
    random.Random(1).shuffle(cells)
    print(f"| Tic-Tac-Toe in Python, ramure | {max(speeds['ramure']):.0f} | | |")
    for name in list(PEERS)[:4]:
        for process in agents.values():
            process.seconds.clear()
        pairs = [(cells[number % len(cells)], seat) for number in range(GAMES // 2) for seat in (0, 1)]
        scores = [game(agents["ramure"], agents[name], seat, opening) for opening, seat in pairs]
        mean, spread = statistics.mean(scores), 1.96 * statistics.stdev(scores) / math.sqrt(len(scores))
        times = " and ".join(f"{1e3 * statistics.mean(agents[each].seconds):.1f}" for each in ("ramure", name))
        speed = f"{max(speeds[name]):.0f} | {ratios(speeds['ramure'], speeds[name])}"
        print(f"| `{name}` {PEERS[name]} | {speed} | {mean:.2f} ± {spread:.2f} in {times} ms |", flush=True)


def tic_tac_toe_of_one_class(folder: Path) -> None:
    names = {"ramure": "ramure", "by-hand": "a UCT of 24 lines by hand"} | {name: f"`{name}` {PEERS[name]}" for name in list(PEERS)[:4]}
    processes = {text: (Process(f"{name} one", folder / name), 2_000) for name, text in names.items()}
    show({f"Tic-Tac-Toe of one class, {text}": speed for text, speed in measure(processes).items()}, 1)


def connect4(folder: Path) -> None:
    count = 20_000 if QUICK else 500_000
    python, rust = Process("ramure-connect4", folder), Process("rust", folder, rust_program(folder))
    speeds = measure({"Connect 4 of `ramure.games`": (python, count), "Connect 4 of this crate in Rust": (rust, count)})
    show(speeds)


def show(speeds: dict[str, list[float]], digits: int = 2) -> None:
    """Print a row for each search, the first of which is compared with the others."""
    first = None
    for name, speed in speeds.items():
        print(f"| {name} | {max(speed):.0f} | {ratios(first, speed, digits) if first else ''} | |", flush=True)
        first = first or speed


def open_spiel(folder: Path) -> None:
    names = {"adapter": "adapter of ramure", "in-python": "`MCTSBot` in Python", "in-cpp": "`MCTSBot` in C++"}
    counts = {"adapter": 10_000, "in-python": 2_000, "in-cpp": 50_000}
    processes = {name: (Process(f"open-spiel-{name}", folder / "open_spiel"), count) for name, count in counts.items()}
    show({f"Connect 4 of OpenSpiel {PEERS['open_spiel']}, {names[name]}": speed for name, speed in measure(processes).items()})


def networks() -> None:
    for units in (256, 512, 768):
        command = ["env", "OPENBLAS_NUM_THREADS=1", sys.executable, str(HERE / "examples" / "network.py"), "--numpy", str(units)]
        runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(min(ROUNDS, 5))]
        shares = sorted(int(run.rpartition(" %")[0].split()[-1]) for run in runs)
        text = f"{statistics.median(shares):.0f} % ({shares[0]} to {shares[-1]}) of the time"
        print(f"\nA network of {units} units a layer, by NumPy on one thread in batches of 64: {text}", flush=True)


def many() -> None:
    """Compare 64 searches that are run together with the same searches one by one."""
    sys.argv[1:] = ["--numpy", "256"]
    import numpy as np
    import ramure
    from network import in_numpy

    network = in_numpy()

    def evaluate(planes, actions):
        values, logits = network(planes)
        return values.tolist(), [[row[column] for column in columns] for row, columns in zip(np.exp(logits).tolist(), actions)]

    def searches(window: int):
        start = ramure.games.connect4()
        return [ramure.Search(start, evaluate=evaluate, planes=True, window=window, seed=seed) for seed in range(64)]

    ways = {
        "one by one": lambda window: [search.run(iterations=100) for search in searches(window)],
        "together": lambda window: ramure.run_many(searches(window), iterations=100),
    }
    for window in (1, 4, 16):
        for name, way in ways.items():
            seconds = []
            for _ in range(ROUNDS):
                start = time.perf_counter()
                way(window)
                seconds.append(time.perf_counter() - start)
            print(f"64 searches with a window of {window}, {name}: {6_400 / min(seconds):.0f} iterations per second", flush=True)


def main(folder: Path) -> None:
    for name, version in PEERS.items():
        if not (folder / name).exists():
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder / name), f"{name}=={version}"]
            subprocess.run(command, check=True)
    print("| search | iterations per second | ramure is faster | score of ramure, ms a move |")
    print("|---|--:|--:|--:|")
    tic_tac_toe(folder)
    tic_tac_toe_of_one_class(folder)
    connect4(folder)
    open_spiel(folder)
    networks()
    subprocess.run(["env", "OPENBLAS_NUM_THREADS=1", sys.executable, __file__, "--many"], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    elif "--many" in sys.argv[1:]:
        many()
    else:
        folders = [Path(argument).resolve() for argument in sys.argv[1:] if argument != "--quick"]
        main(folders[0] if folders else HERE.parent.parent / "target" / "peers")
