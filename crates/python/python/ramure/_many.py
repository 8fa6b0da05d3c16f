"""Many searches, one call of their network."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, TypeVar

from ramure._methods import in_range, kind_of
from ramure._network import answer
from ramure._report import Report
from ramure._search import Search, fault

__all__ = ["run_many"]

A = TypeVar("A")


def run_many(searches: Iterable[Search[A]], *, iterations: int) -> list[Report[A]]:
    """Run searches with one ``evaluate`` together, each for so many iterations, and return their reports.

    The function is called with the leaves of all searches: up to ``window`` of each. So a window of 1, which costs a search no
    strength, fills the batches. All searches have the same function, ``planes`` and, with ``planes``, boards of one size.

    Ctrl-C and exceptions end all of them; the trees are kept. The searches run on one thread, and ``stop`` does not end them.
    """
    group = list(searches)
    in_range(1, iterations=iterations)
    for search in group:
        if not isinstance(search, Search):
            raise TypeError(f"a search is {kind_of(search)}; give a list of searches")
        if search._function is None or search._function != group[0]._function:
            raise ValueError("all searches must have the same `evaluate` and `planes`; give each the same function")
    if len(set(map(id, group))) != len(group):
        raise ValueError("a search is in the list twice; give each once")
    if not group:
        return []
    with ExitStack() as locks:
        for search in group:
            locks.enter_context(search._alone())
        targets = [min(search.report().root_visits + iterations, 2**32 - 1) for search in group]
        try:
            _exchange(group, targets)
        finally:
            for search in group:
                search._raw.exchange(None, None)
        for search in group:
            search._check_root()
        return [search.report() for search in group]


def _exchange(group: list[Search[Any]], targets: list[int]) -> None:
    """Ask and answer until the root of each search has so many visits, or is proven."""
    assert group[0]._function is not None
    function, planes = group[0]._function
    answers: list[Any] = [None] * len(group)
    active: Iterable[int] = range(len(group))
    while True:
        asked: list[tuple[int, Any, list[Any]]] = []
        for number in active:
            try:
                questions = group[number]._raw.exchange(answers[number], (targets[number], planes))
            except (TypeError, ValueError) as error:
                raise fault(f"`evaluate` returned a wrong answer: {error}") from error
            if questions is not None:
                asked.append((number, *questions))
        if not asked:
            return
        actions = [listed for _, _, lists in asked for listed in lists]
        inputs = _joined([inputs for _, inputs, _ in asked], planes)
        try:
            values, priors = answer(function, inputs, actions)
        except Exception as error:  # of the function, or of what it returned
            raise fault(f"`evaluate` raised {type(error).__name__}: {error}") from error
        first = 0
        for number, _, lists in asked:
            last = first + len(lists)
            answers[number] = first, values[first:last], None if priors is None else priors[first:last]
            first = last
        active = [number for number, _, _ in asked]


def _joined(inputs: list[Any], planes: bool) -> Any:
    """Return what the function gets for the questions of several searches."""
    if planes:
        import numpy as np

        if len({array.shape[1:] for array in inputs}) > 1:
            raise ValueError("the boards are of several sizes; give searches with boards of one size")
        return np.concatenate(inputs)
    return [state for states in inputs for state in states]
