"""Compares ramure's searches of information sets with those of OpenSpiel, in games that both have, and prints a table.

1. Plays random games in both libraries at once. After each action, both must agree on the turn, the legal actions and the
   returns, and on which states look the same to a player.
2. Measures the speed: searches of the same positions in turn, by processor time, from an empty tree to the best action.
3. Plays a match with the same number of iterations for both. Each deal is played twice, with seats swapped. Each action is
   a search from an empty tree by the player to move, which sees no more than that player has seen.

The searches of ramure are SO-ISMCTS and MO-ISMCTS. In MO-ISMCTS of Leduc poker, each player acts by its own card in each guess,
because the game says what the players know. Phantom Tic-Tac-Toe does not say. In OpenSpiel's search, each player acts by all that it
has seen since the start.

Both play uniform rollouts, one per iteration, with one thread, and choose the most visited action. OpenSpiel's returns are
further apart than ramure's rewards, which lie in [0, 1], so its exploration constant is greater by the same factor.

OpenSpiel has two programs for this search. `ISMCTSBot` in C++ plays only games that can draw a state from what a player has
seen. Leduc poker can. Phantom Tic-Tac-Toe cannot, and Python cannot give the C++ bot a function for it. So there
`open_spiel.python.algorithms.ismcts` plays, with a function from here that draws as ramure does. It requires `numpy` and `absl-py`.
"""

import argparse
import importlib.util
import math
import random
import statistics
import subprocess
import sys
import time
from importlib.metadata import version

sys.path.pop(0)  # this folder, because its file `open_spiel.py` would hide the package `open_spiel`
import pyspiel

C = 0.7  # as in the paper, for rewards in [0, 1]


class Game:
    def __init__(self, name, title, reward_range):
        self.name = name
        self.title = title
        self.c = C * reward_range  # OpenSpiel's, for its returns
        self.rules = pyspiel.load_game(name)

    def after(self, actions):
        state = self.rules.new_initial_state()
        for action in actions:
            state.apply_action(action)
        return state


LEDUC = Game("leduc_poker", "Leduc poker", 26)  # -13 to 13 chips
PHANTOM = Game("phantom_ttt", "phantom Tic-Tac-Toe", 2)  # a loss is -1, a win is 1


SEARCHES = {"so-ismcts": "SO-ISMCTS", "mo-ismcts": "MO-ISMCTS"}  # ramure's


class Ramure:
    """The program `information_sets`, which answers a line with a line."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"error: ramure did not answer {' '.join(map(str, words))}")
        return answer.rstrip("\n")


class RamureBot:
    def __init__(self, ramure, search):
        self.ramure = ramure
        self.search = search
        self.seed = 0

    def choose(self, game, state, iterations):
        """Returns the action and the seconds of processor time."""
        self.seed += 1
        actions = state.history()
        answer = self.ramure.ask(game.name, "choose", self.search, C, iterations, self.seed, *actions)
        action, nanoseconds = map(int, answer.split())
        return action, nanoseconds / 1e9


class CppBot:
    language = "C++"

    def __init__(self):
        self.bots = {}

    def make(self, game, iterations):
        seed = 1
        return pyspiel.ISMCTSBot(
            seed,
            pyspiel.RandomRolloutEvaluator(1, seed),
            game.c,
            iterations,
            -1,  # draws a state for each iteration
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            False,
            False,
        )

    def choose(self, game, state, iterations):
        if iterations not in self.bots:
            self.bots[iterations] = self.make(game, iterations)
        bot = self.bots[iterations]
        start = time.process_time()
        action = bot.step(state)
        return int(action), time.process_time() - start


class PythonBot(CppBot):
    language = "Python"

    def make(self, game, iterations):
        import numpy
        from open_spiel.python.algorithms import ismcts, mcts

        rng = numpy.random.RandomState(1)
        bot = ismcts.ISMCTSBot(
            game.rules,
            mcts.RandomRolloutEvaluator(1, rng),
            game.c,
            iterations,
            random_state=rng,
            final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        )
        if game is PHANTOM:
            bot.set_resampler(Guesses(1).draw)
        return bot


class Guesses:
    """Draws states of phantom Tic-Tac-Toe that look like a given one to the player to move.

    The other player tries random cells. A game that contradicts what the player has seen is dropped.
    """

    LINES = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]

    def __init__(self, seed):
        self.random = random.Random(seed).random
        self.made_for = None

    def draw(self, state, player):
        seen = state.information_state_string(player)
        if seen != self.made_for:
            # The cells that the player knows in three lines, then its tries, such as `0,4 0,0`.
            *rows, tries = seen.split("\n")
            cells = "".join(rows)
            other_mark = "ox"[player]
            tries = [int(word.split(",")[1]) for word in tries.split()]
            self.made_for, self.tries = seen, [(cell, cells[cell] == other_mark) for cell in tries]
            self.never = sum(1 << cell for cell in range(9) if cells[cell] == "xo"[player])
        while (actions := self.attempt(player)) is None:
            pass
        return PHANTOM.after(actions)

    def attempt(self, player):
        """Returns the actions of a game that looks right, or `None`."""
        own = other = found = 0
        actions = []
        tries = iter(self.tries)
        is_own_turn = player == 0
        while True:
            if is_own_turn:
                for cell, is_taken in tries:
                    if (other >> cell & 1) != is_taken:
                        return None
                    actions.append(cell)
                    if not is_taken:
                        own |= 1 << cell
                        break
                else:
                    return actions
            else:
                while True:
                    free = [cell for cell in range(9) if not (other | found) >> cell & 1]
                    if not free:
                        return None
                    cell = free[int(self.random() * len(free))]
                    actions.append(cell)
                    if not own >> cell & 1:
                        break
                    found |= 1 << cell
                other |= 1 << cell
                if other & self.never or any(other & line == line for line in self.LINES):
                    return None
            is_own_turn = not is_own_turn


def deal(state, rng):
    """Draws outcomes until a player is to move or the game is over."""
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes())
        state.apply_action(rng.choices(outcomes, weights)[0])


def check(game, ramure, plies):
    """Plays random games in both libraries at once; returns the number of states compared."""
    rng = random.Random(1)
    looks = [{}, {}]  # for each look in one library and player, the look in the other
    compared = 0
    while compared < plies:
        state = game.rules.new_initial_state()
        while True:
            turn, *seen, numbers = ramure.ask(game.name, "state", *state.history()).split("|")
            if state.is_terminal():
                expected = ["over", state.returns()]
            elif state.is_chance_node():
                expected = ["chance", sorted(state.legal_actions())]
            else:
                expected = [str(state.current_player()), sorted(state.legal_actions())]
                # Before the cards are dealt and after the end, nobody searches.
                player = state.current_player()
                ours, theirs = (player, seen[player]), (player, state.information_state_string(player))
                if looks[0].setdefault(ours, theirs) != theirs or looks[1].setdefault(theirs, ours) != ours:
                    sys.exit(f"error: {game.title} looks different to player {player} after {state.history()}")
            if [turn, [float(number) for number in numbers.split()]] != expected:
                sys.exit(f"error: {game.title} after {state.history()}: {turn} {numbers}, not {expected}")
            compared += 1
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))
    return compared


def positions(game, count):
    """Returns positions of random games in which a player has a choice."""
    rng = random.Random(2)
    found = []
    while len(found) < count:
        state = game.rules.new_initial_state()
        deal(state, rng)
        while not state.is_terminal() and len(found) < count:
            if len(state.legal_actions()) > 1:
                found.append(state.clone())
            state.apply_action(rng.choice(state.legal_actions()))
            deal(state, rng)
    return found


def speeds(game, bots, iterations, count, rounds):
    """Returns the iterations per second of both bots, a pair for each round."""
    searched = positions(game, count)
    pairs = []
    for number in range(rounds + 1):
        pair = [0, 0]
        for index in [0, 1] if number % 2 else [1, 0]:
            seconds = sum(bots[index].choose(game, state, iterations)[1] for state in searched)
            pair[index] = iterations * count / seconds
        pairs.append(pair)
    return pairs[1:]  # the first round warms up


def match(game, bots, iterations, games):
    """Returns the returns of the first bot; two in turn are of the same deal."""
    results = []
    for number in range(games):
        rng = random.Random(number // 2)
        first = number % 2
        state = game.rules.new_initial_state()
        deal(state, rng)
        while not state.is_terminal():
            legal = state.legal_actions()
            bot = bots[state.current_player() ^ first]
            state.apply_action(legal[0] if len(legal) == 1 else bot.choose(game, state, iterations)[0])
            deal(state, rng)
        results.append(state.returns()[first])
    return results


def with_range(numbers):
    return f"{statistics.median(numbers):.3g} ({min(numbers):.3g} to {max(numbers):.3g})"


def row(game, bots, iterations, games, options):
    ramure, other = bots
    print(f"{game.title}, {iterations} iterations: {ramure.search} against {other.language}", file=sys.stderr)
    pairs = speeds(game, bots, iterations, options.positions, options.runs)
    ours, theirs = (statistics.median(speed) / 1000 for speed in zip(*pairs))
    results = match(game, bots, iterations, games)
    means = [statistics.mean(results[index : index + 2]) for index in range(0, games, 2)]
    mean, error = statistics.mean(means), 1.96 * statistics.stdev(means) / math.sqrt(len(means))
    wins, losses = sum(result > 0 for result in results), sum(result < 0 for result in results)
    cells = [
        game.title,
        f"`open_spiel` {version('open_spiel')}, {other.language}",
        SEARCHES[ramure.search],
        f"{iterations}",
        f"{theirs:.3g}",
        f"{ours:.0f}",
        with_range([mine / other for mine, other in pairs]),
        f"{games}",
        f"{wins}, {games - wins - losses}, {losses}",
        f"{mean:+.3f} ({mean - error:+.3f} to {mean + error:+.3f})",
    ]
    print("|", " | ".join(cells), "|", flush=True)


HEADER = """\
| game | other search | ramure's search | iterations | the other: kit/s | ramure: kit/s | ramure is faster by \
| games | ramure's wins, draws, losses | ramure's mean return |
|---|---|---|---:|---:|---:|---:|---:|---:|---:|"""


def read_options():
    parser = argparse.ArgumentParser(
        description="Compares ramure's searches of information sets with those of OpenSpiel.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    number = {"type": int, "metavar": "N"}
    parser.add_argument("--program", required=True, help="the program `information_sets`, which is ramure's side")
    parser.add_argument("--only", choices=[LEDUC.name, PHANTOM.name], help="measure only this game")
    parser.add_argument("--search", choices=SEARCHES, help="measure only this search of ramure")
    parser.add_argument("--iterations", default=1000, help="iterations of each search", **number)
    parser.add_argument("--runs", default=9, help="rounds of the speed", **number)
    parser.add_argument("--positions", default=20, help="positions in each round", **number)
    parser.add_argument("--plies", default=5000, help="states in which the rules are compared", **number)
    parser.add_argument("--hands", default=4000, help="hands of Leduc poker in each match", **number)
    parser.add_argument("--games", default=200, help="games of phantom Tic-Tac-Toe in each match", **number)
    parser.add_argument("--quick", action="store_true", help="run a smoke test of a few seconds; the figures mean little")
    options = parser.parse_args()
    if options.quick:
        options.runs, options.positions, options.plies, options.iterations = 2, 4, 500, 200
        options.hands, options.games = 20, 4
    return options


def main():
    options = read_options()
    ramure = Ramure(options.program)
    compared = [check(game, ramure, options.plies) for game in (LEDUC, PHANTOM)]
    print(HEADER, flush=True)
    rows = [(LEDUC, CppBot, options.hands)]
    missing = [name for name in ("absl", "numpy") if importlib.util.find_spec(name) is None]
    if not missing:
        rows.append((PHANTOM, PythonBot, options.games))
    for game, other, games in rows:
        if options.only not in (None, game.name):
            continue
        for search in [options.search] if options.search else SEARCHES:
            row(game, [RamureBot(ramure, search), other()], options.iterations, games, options)
    print(f"\nThe rules agreed in {compared[0]} states of Leduc poker and {compared[1]} of phantom Tic-Tac-Toe.")
    if missing:
        print(f"\nThe table leaves out OpenSpiel's search in Python, for lack of {' and '.join(missing)}.")


main()
