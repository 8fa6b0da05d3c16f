"""The class ``Search``."""

from __future__ import annotations

import asyncio
import contextlib
import math
import operator
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, Generic, NoReturn, TypeVar, final

from ramure import _ramure
from ramure._belief import Belief
from ramure._game import GameState
from ramure._hidden import InformationSet, PlayerTrees, refuse_hidden
from ramure._methods import check_threads, has_method, in_range, kind_of, methods, shared, try_actions, try_copy
from ramure._planning import PartiallyObserved, Planning, Simulator
from ramure._report import ActionReport, Page, Report
from ramure._text import home_of, seen

__all__ = ["Search"]

A = TypeVar("A")
B = TypeVar("B")


@final
class Search(Generic[A]):
    """A search, and its tree.

    ``algorithm`` is a text of the laboratory, such as ``"ucb1:c=0.5,solver=yes"`` or ``"grave:ref=30"``; by
    default, UCB1 that explores by the deviation of the rewards, with proofs. Algorithms that need a static evaluation, such
    as ``"puct"``, are for the games in ``ramure.games`` and those with a method ``evaluation``, and ``transpositions=yes`` for
    those with a method ``key``. Those that keep tables of actions, such as ``"grave"``, are for games of at most 4096 different
    actions. The same ``seed`` gives the same result. ``memory`` is the most bytes that the tree may take; at the limit, the least
    visited nodes are freed. ``threads`` is the number of threads that search, for the games in ``ramure.games``; the result
    depends on it.

    With ``evaluate``, a network for example, the search is one by PUCT without rollouts. The function gets a list of at most
    ``window`` states, 16 by default, which it must not change, and the list of the actions of each. It returns the values and the priors
    (or ``None``). In a game of two players whose rewards sum to 1, and in a game of one player, the value of a state may be
    one number: the expected reward of the player to move. In other games, and where chance moves, it is the rewards of all
    players. The priors of a state are a number for each of its actions, in their order. Where chance moves, the list of
    actions is empty. With ``threads``, several threads call the function, and two calls may overlap. With ``planes=True``, the function gets
    one array of NumPy in place of the list of states: what the method ``planes()`` of each state returns, an array of numbers whose shape
    is the same for all states. ``run_many`` fills the batches of one function with the leaves of many searches.

    The search works on a copy of ``state``, which may also be a ``Planning`` or an ``InformationSet``. A search that its own state or its
    network refers to is freed by the garbage collector; not one that the states of its ``Belief`` refer to.
    """

    __slots__ = ("__weakref__", "_before", "_function", "_lock", "_of", "_raw")

    def __init__(
        self,
        state: GameState[A] | Planning[A] | InformationSet[A],
        algorithm: str | None = None,
        *,
        seed: int = 0,
        memory: int | None = None,
        threads: int | None = None,
        evaluate: Callable[[Any, list[list[A]]], tuple[Iterable[Any], Iterable[Any] | None]] | None = None,
        planes: bool = False,
        window: int | None = None,
    ) -> None:
        in_range(seed=seed, memory=memory, threads=threads, window=window)
        self._of: type = object
        self._lock = threading.Lock()
        self._function: tuple[Callable[..., Any], bool] | None = None
        if isinstance(state, (Planning, InformationSet)):
            if (algorithm, threads, evaluate, planes, window) != (None, None, None, False, None):
                kind = "a Planning" if isinstance(state, Planning) else "an InformationSet"
                raise ValueError(f"a search of {kind} has no `algorithm`, `threads`, `evaluate` or `window`; leave them out")
        if isinstance(state, Planning):
            self._raw = _ramure.RawSearch(state.simulator, None, seed, memory, None, None, _settings(state))
            self._of = Belief if isinstance(state.simulator, Belief) else object
            _try(state.state, lambda copied, action: copied.step(action, Random(0)))
            self._look()
            return
        if isinstance(state, InformationSet):
            state._check()
            self._of = type(state)
            self._raw = _ramure.RawSearch(state, None, seed, memory, None, None, self._of is PlayerTrees)
            _try(state.state, lambda copied, action: copied.apply(action))
            self._look()
            return
        refuse_hidden(state)
        is_own = not isinstance(state, _ramure.Game)
        if is_own and threads is not None:
            raise ValueError(
                "only the games in ramure.games can be searched by several threads, because only one thread at a time can run "
                "Python; leave out `threads`"
            )
        if algorithm is not None:
            check_threads(state, algorithm)
            if threads is not None:
                raise ValueError('write the number of threads into the text, as in "ucb1:threads=4"')
            if evaluate is not None:
                raise ValueError("a search with `evaluate` is one by PUCT; leave out `algorithm`")
            if window is not None:
                raise ValueError('write the window into the text, as in "ucb1:window=16"')
        if evaluate is None:
            if window is not None:
                raise ValueError("only a search with `evaluate` has a window; leave out `window`")
            if planes:
                raise ValueError("`planes` are for a function; give `evaluate`")
        else:
            if not callable(evaluate):
                raise TypeError(f"`evaluate` is {kind_of(evaluate)}; give a function of states and their actions")
            if planes and is_own and not has_method(state, "planes"):
                raise ValueError("the state has no method planes(); add one, or leave out `planes`")
        self._function = None if evaluate is None else (evaluate, planes)
        function = None if evaluate is None else (evaluate, planes, 16 if window is None else window)
        try:
            self._raw = _ramure.RawSearch(state, algorithm, seed, memory, threads, function, None)
        except ValueError as error:
            home = home_of(algorithm)
            if home == "":
                raise
            raise ValueError(f"{home}. ({error})") from None
        if is_own:
            _try(state, lambda copied, action: copied.apply(action))
        self._look()

    def run(
        self,
        *,
        iterations: int | None = None,
        millis: float | None = None,
        memory: int | None = None,
        stop_early: bool = False,
        seconds: float | None = None,
        on_progress: Callable[[Report[A]], object] | None = None,
        every_millis: float = 100,
    ) -> Report[A]:
        """Search until one of the bounds is reached, and report.

        Give ``iterations``, or the time in ``seconds`` or ``millis``, or both. ``memory`` bounds the bytes of the tree, too. With
        ``stop_early``, the search ends as soon as no other action can become the most visited one. Further runs go on with the tree.
        Ctrl-C ends the search with ``KeyboardInterrupt``; ``report`` then gives what it found.

        ``on_progress`` is called with a report every ``every_millis``, and at the end. If it returns ``False``, the run ends, and needs no
        other bound; what it raises, the run raises. A bar of ``tqdm``: ``on_progress=lambda report: bar.update(report.iterations - bar.n)``.
        """
        if seconds is not None:
            if millis is not None:
                raise ValueError("`seconds` and `millis` are one bound; leave one out")
            if not 0 <= seconds < 1e15:
                raise ValueError(f"`seconds` is {seconds}; it must be a number of seconds above 0")
            millis = 1e3 * seconds
        if iterations is None and millis is None and on_progress is None:
            raise ValueError("this search would never end; give `iterations`, `seconds` or `millis`")
        in_range(1, iterations=iterations)
        in_range(memory=memory)
        if millis is not None and not 0 <= millis < 1e18:
            raise ValueError(f"`millis` is {millis}; it must be a number of milliseconds above 0")
        if on_progress is not None and not callable(on_progress):
            raise TypeError(f"`on_progress` is {kind_of(on_progress)}; give a function of a report")
        if not 1 <= every_millis < 1e18:
            raise ValueError(f"`every_millis` is {every_millis}; it must be a number of milliseconds from 1")
        progress = None if on_progress is None else (_watcher(on_progress), every_millis)
        with self._alone():
            try:
                report: Report[A] = self._raw.run(iterations, millis, memory, stop_early, progress)
            except _ramure.SearchError as error:
                if self._has_changed():
                    raise fault(shared(self._raw.root())) from error
                raise
        self._check_root()
        return report

    async def run_async(self, **bounds: Any) -> Report[A]:
        """Do what ``run`` does with the same arguments, on another thread, while the event loop goes on.

        If the task is cancelled, the run ends, and the tree is kept. The loop waits for a method of a game that is written in Python.
        """
        has_begun, is_cancelled = threading.Event(), threading.Event()

        def work() -> Report[A] | None:
            has_begun.set()
            return None if is_cancelled.is_set() else self.run(**bounds)

        run = asyncio.get_running_loop().run_in_executor(None, work)
        try:
            report = await asyncio.shield(run)
            assert report is not None
            return report
        except asyncio.CancelledError:
            is_cancelled.set()
            run.add_done_callback(lambda run: run.cancelled() or run.exception())  # nobody asks for it any more
            while has_begun.is_set() and not run.done():
                self.stop()  # again, in case the run had not begun
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait([run], timeout=0.01)
            raise

    def stop(self) -> None:
        """End the run that is going on, from another thread or from ``on_progress``; it reports. Between two runs, do nothing."""
        self._raw.stop()

    def report(self, player: int | None = None) -> Report[A]:
        """Report on the tree without searching; in a search of ``PlayerTrees``, on that of ``player``, one of those who choose at the root."""
        if player is not None and self._of is not PlayerTrees:
            raise ValueError("this search has one tree; leave out `player`")
        in_range(0, 7, player=player)
        report: Report[A] = self._raw.report(player)
        return report

    def actions_after(self, line: Sequence[A]) -> list[ActionReport[A]]:
        """Report on the actions in the tree after ``line``, those with the most visits first; none if the tree does not reach so far.

        In a search of a ``Planning`` with ``key``, only the empty line has actions; others raise ``ValueError``: what follows a step
        depends on its outcome. In a search of a ``Belief``, a line has actions and observations in turn.
        """
        reports: list[ActionReport[A]] = self._raw.actions_after(line)
        return sorted(reports, key=lambda report: -report.visits)

    def advance(self, action: A) -> None:
        """Play an action: the state after it becomes the root, and its part of the tree is kept.

        In a search of a ``Planning``, the simulator draws what follows, and a new tree begins. In one of a ``Belief``, it also draws what
        is observed; to tell the search what was observed, call ``observe``.
        """
        self._raw.advance(action, None)
        self._look()

    def observe(self, action: A, observation: Hashable) -> None:
        """Tell a search of a ``Belief`` what the planner has done and then observed.

        The belief becomes that of the states that explain it, and the next run starts a new tree. If no state explains it, raise
        ``BeliefError``; if the action is not legal, ``SearchError``. Belief and tree are unchanged then.
        """
        if self._of is not Belief:
            raise ValueError("this search has no belief; search Planning(Belief(states)), or call `advance` or `reset`")
        self._raw.advance(action, (observation,))
        self._look()

    @property
    def belief(self) -> Belief[Any]:
        """The states that are possible now, in a search of a ``Belief``."""
        if self._of is not Belief:
            raise ValueError("this search has no belief; search Planning(Belief(states))")
        belief: Belief[Any] = self._raw.state()
        return belief

    def reset(self, state: GameState[A] | InformationSet[A] | Simulator[A] | Belief[PartiallyObserved[A]]) -> None:
        """Replace the root by a state of the same game, of the simulator of a ``Planning``, or by another ``Belief`` or
        ``InformationSet``, and empty the tree.

        The search keeps what rollouts learned.
        """
        kind = type(state) if isinstance(state, (Belief, InformationSet)) else object
        if kind is not self._of:
            names = ["a state" if of is object else f"the class {of.__name__}" for of in (self._of, kind)]
            raise TypeError(f"this search is of {names[0]}, and this is {names[1]}; give the same kind")
        if isinstance(state, InformationSet):
            state._check()
        self._raw.reset(state)
        self._look()

    @property
    def state(self) -> Any:
        """A copy of the root state, or of the belief."""
        return self._raw.state()

    def page(self, title: str = "The tree of a search", *, nodes: int = 20_000) -> Page:
        """Return a page to look at the tree with. Only searches by the default algorithm and with ``evaluate`` have one;
        ``actions_after`` shows the tree of every search."""
        return Page(self._raw.page(title, nodes))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the search as a file: one by the default algorithm or with ``evaluate``, also of a ``Planning``.

        The file has the tree, the settings and the generator of random numbers, but not the function of ``evaluate``. It has the
        state, the actions and the keys of a game written in Python as ``pickle`` writes them: a pickled state must be the same state,
        and pickled actions and keys must be equal to those of the game.

        Raise ``OSError`` if the file cannot be written, and ``SearchError`` if pickling raises. An old file of this name stays then.
        """
        self._raw.save(path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Go on where the search in a file was, in whatever state of the game, with the same results as if it had gone on.

        The settings of a ``Planning`` are those of the file.

        **Load only files that you trust**: if this search is of a game written in Python, the file can run any program when
        it is unpickled. Searches of the games in ``ramure.games`` unpickle nothing.

        Raise ``OSError`` if the file cannot be read, ``ValueError`` if it is damaged or has no search of this game, and
        ``SearchError`` if unpickling or the game raises. The search is unchanged then.
        """
        self._raw.load(path)
        self._look()

    def _look(self) -> None:
        """Note what the search sees of its root, which no run may change."""
        self._before = _seen(self._raw.root())

    def _check_root(self) -> None:
        """Raise ``SearchError`` if the search has changed its root."""
        if self._has_changed():
            raise fault(shared(self._raw.root()))

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other runs of this search out."""
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("this search is running, on another thread or around this call; wait until it has returned, or create another search")
        try:
            yield
        finally:
            self._lock.release()

    def _has_changed(self) -> bool:
        """Return whether what the search sees of its root is no more what it was, and note it."""
        before = self._before
        self._look()
        return None not in (before, self._before) and before != self._before

    def __reduce__(self) -> NoReturn:
        raise TypeError("a search cannot be pickled or copied; `save` it, or pickle its state and reports")


def _watcher(on_progress: Callable[[Report[A]], object]) -> Callable[[Report[A]], bool]:
    """Return a function that returns ``False`` where ``on_progress`` returns a false truth value, also one of NumPy."""

    def watch(report: Report[A]) -> bool:
        answer = on_progress(report)
        return type(answer).__name__ not in ("bool", "bool_") or bool(answer)

    return watch


def _seen(root: Any) -> tuple[str, ...] | None:
    """Return what a search sees of its root; ``None`` if that raises, or if the root is a game of ``ramure.games``."""
    try:
        return None if root is None else seen(root)
    except Exception:
        return None


def fault(text: str) -> _ramure.SearchError:
    """Return the error of a game that is wrong in no special place."""
    error = _ramure.SearchError(text)
    error.ply, error.line = None, []
    return error


def _try(state: Any, play: Callable[[Any, Any], object]) -> None:
    """Raise ``SearchError`` if a first action shows that the class of a state is wrong."""
    wrong = try_actions(state) or try_copy(state, play, seen)
    if wrong:
        raise fault(wrong)


_Pair = tuple[float, float]


def _settings(plan: Planning[Any]) -> tuple[float, int | None, _Pair | None, tuple[_Pair | None] | None]:
    """Return the discount, the horizon, the bounds and, for a belief, the observations of a ``Planning``, after a check."""
    _, optional = methods(plan.state, plan.kind)
    discount = _read("discount", plan.discount, _number)
    horizon = None if plan.horizon is None else _read("horizon", plan.horizon, operator.index)
    bounds = None if plan.bounds is None else _read("bounds", plan.bounds, _pair)
    observations = None if plan.observations is None else _read("observations", plan.observations, _pair)
    is_belief = isinstance(plan.simulator, Belief)
    if observations is not None and not is_belief:
        raise ValueError("`observations` are those of a belief; give Planning(Belief(states)), or leave them out")
    if horizon is None and discount == 1.0 and "is_over" not in optional:
        raise ValueError("a simulator without `is_over` never ends; give a `horizon`, or a `discount` below 1")
    if horizon is not None and not 0 <= horizon < 2**32:
        raise ValueError(f"`horizon` is {horizon}; it must be from 1 to 2^32 - 1")
    return discount, horizon, bounds, (observations,) if is_belief else None


def _read(name: str, value: Any, read: Callable[[Any], B]) -> B:
    try:
        return read(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"`{name}` is {kind_of(value)}: {error}") from error


def _number(value: Any) -> float:
    return math.ldexp(value, 0)  # `float` reads texts, too.


def _pair(value: Any) -> _Pair:
    low, high = value
    return _number(low), _number(high)
