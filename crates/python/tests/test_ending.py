"""The end of the interpreter while searches run on threads that it does not wait for."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import threading, time
import ramure
from conftest import Sticks
hex = ramure.games.hex(5)
def even(states, actions):
    return [0.5] * len(states), None
class Slow(Sticks):
    is_slow = False
    def turn(self):
        if self.is_slow:
            time.sleep(0.02)
        return super().turn()
class Stuck(Sticks):
    def turn(self):
        time.sleep(4)
        return super().turn()
class Walk(Sticks):
    def step(self, action, random):
        return 1
slow = ramure.Search(Slow(40))
slow.run(iterations=500)
slow.save(PATH)
Slow.is_slow = True
work = {
    "python": lambda: ramure.Search(Sticks(300)).run(millis=600_000),
    "text": lambda: ramure.Search(Sticks(300), "ucb1-tuned").run(millis=600_000),
    "crate": lambda: ramure.Search(ramure.games.hex(11)).run(millis=600_000),
    "network": lambda: ramure.Search(hex, evaluate=even, window=8).run(millis=600_000),
    "match": lambda: ramure.compare(hex, "mcts:100", "mcts:100", games=100_000),
    "plan": lambda: ramure.Search(ramure.Planning(Walk(300), horizon=50)).run(millis=600_000),
    "load": lambda: slow.load(PATH),
    "tune": lambda: ramure.tune(hex, "mcts:100", games=100_000),
    "stuck": lambda: ramure.Search(Stuck(9)).run(iterations=9),
    "check": lambda: ramure.check(Sticks(300), games=1_000_000),
}
threading.Thread(target=work[KIND], daemon=True).start()
time.sleep(0.3)
"""


@pytest.mark.parametrize("kind", ["python", "text", "crate", "network", "match", "plan", "load", "tune", "stuck", "check"])
def test_a_search_ends_with_the_interpreter(kind, tmp_path):
    program = PROGRAM.replace("KIND", repr(kind)).replace("PATH", repr(str(tmp_path / "tree")))
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parent, timeout=60, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
