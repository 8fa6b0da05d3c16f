"""Monte-Carlo tree search for any game.

Write a class with the methods ``turn``, ``actions``, ``apply`` and ``reward``, and search it:

>>> import ramure
>>> class Sticks:
...     '''Players take one, two or three sticks in turn. The player who takes the last one wins.'''
...     def __init__(self, left, player=0):
...         self.left, self.player = left, player
...     def __copy__(self):
...         return type(self)(self.left, self.player)
...     def turn(self):
...         return None if self.left == 0 else self.player
...     def actions(self):
...         return range(1, min(self.left, 3) + 1)
...     def apply(self, taken):
...         self.left, self.player = self.left - taken, 1 - self.player
...     def reward(self, player):
...         return 0.0 if player == self.player else 1.0
>>> ramure.Search(Sticks(10), seed=7).run(iterations=2_000).best_action
2
"""

import atexit

from ramure import _ramure, games
from ramure._belief import Belief
from ramure._contest import compare, tune
from ramure._game import Chance, GameState
from ramure._hidden import HiddenInformation, InformationSet, PlayerTrees
from ramure._many import run_many
from ramure._planning import PartiallyObserved, Planning, Simulator
from ramure._ramure import BeliefError, SearchError, Violation
from ramure._report import ActionReport, Comparison, Page, Report, Standing, Tuning
from ramure._rules import check
from ramure._search import Search
from ramure._text import CHANCE

atexit.register(_ramure.end)

__all__ = [
    "CHANCE",
    "ActionReport",
    "Belief",
    "BeliefError",
    "Chance",
    "Comparison",
    "GameState",
    "HiddenInformation",
    "InformationSet",
    "Page",
    "PartiallyObserved",
    "Planning",
    "PlayerTrees",
    "Report",
    "Search",
    "SearchError",
    "Simulator",
    "Standing",
    "Tuning",
    "Violation",
    "check",
    "compare",
    "games",
    "run_many",
    "tune",
]
