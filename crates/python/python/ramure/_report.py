"""What a search found."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

A = TypeVar("A")


@dataclass(frozen=True)
class ActionReport(Generic[A]):
    """What a search found about an action of the root."""

    action: A
    visits: int
    """The number of iterations that went through this action."""
    mean: float
    """The mean reward of the player to move, from 0 to 1; 0 before the first visit. In a search of a ``Planning``, the mean
    return, of any scale."""
    proof: float | None
    """The reward of the player to move, if it is proven."""
    worth: float | None
    """What the proof is worth on the scale of ``mean``."""
    prior: float | None
    """The prior probability, if the algorithm has one."""
    improved_policy: float | None
    """The probability to play it that ``"gumbel"`` found, a training target. It follows proofs, as ``visit_shares`` does."""
    interval: tuple[float, float]
    """A nominal 95 % confidence interval of the mean."""
    is_pruned: bool
    """Whether another action is certainly at least as good."""


@dataclass(frozen=True)
class Report(Generic[A]):
    """What a search found.

    ``print`` shows a table, and a notebook shows it with bars.
    """

    actions: list[ActionReport[A]]
    """Every legal action, in the order of the game; at a chance node, its outcomes; in a search of a ``Planning``, the actions tried
    so far."""
    best_action: A | None
    """The action to play; ``None`` at a chance node."""
    principal_variation: list[A]
    """The best line of play found."""
    player: int | None
    """The player to move, whose means these are; ``None`` at a chance node."""
    proof: float | None
    """The reward of the player to move, if it is proven."""
    iterations: int
    """The number of iterations of this run."""
    root_visits: int
    """The visits of the root, including those kept from earlier runs."""
    seconds: float
    """The wall time of this run."""
    nodes: int
    """The number of nodes in the tree."""
    bytes: int
    """The number of bytes that the tree takes, without the actions and states of Python."""
    recycled_nodes: int
    """The number of nodes freed at the memory limit."""
    depth: int
    """The depth of the deepest node of this run."""
    mean_depth: float
    """The mean depth over the iterations of this run."""
    stop_reason: str
    """Why the search stopped, as in "all iterations done". That of ``Search.report`` is "reported without a run": its ``iterations``,
    ``seconds`` and depths are 0."""
    _shares: list[float] = field(repr=False)
    _text: str = field(repr=False, compare=False)

    @property
    def iterations_per_second(self) -> float:
        """The iterations per second of wall time."""
        return self.iterations / max(self.seconds, 1e-9)

    def top(self, count: int) -> list[ActionReport[A]]:
        """Return the best ``count`` actions: the chosen one first, then by descending visits."""
        return self._best_first()[:count]

    def visit_shares(self) -> dict[A, float]:
        """Return the share of each action in the visits, as far as proofs leave a choice: the training target of AlphaZero.

        A proven win has all, however few visits led to it. A proven loss and a pruned action have none while others are open.
        """
        return {entry.action: share for entry, share in zip(self.actions, self._shares, strict=True)}

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as a dictionary. It is JSON if the actions are; those of NumPy become numbers and lists of Python."""
        fields = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        fields["actions"] = [vars(entry) | {"action": _plain(entry.action)} for entry in self.actions]
        fields["best_action"] = _plain(self.best_action)
        fields["principal_variation"] = [_plain(action) for action in self.principal_variation]
        return fields

    def __str__(self) -> str:
        return self._text

    def _best_first(self) -> list[ActionReport[A]]:
        def key(entry: ActionReport[A]) -> tuple[bool, int]:
            return (entry.action != self.best_action or self.best_action is None, -entry.visits)

        return sorted(self.actions, key=key)

    def _repr_html_(self) -> str:
        return "".join(self._html())

    def _html(self) -> Iterator[str]:
        best = self._best_first()
        most = max((entry.visits for entry in best), default=0)
        yield '<table><thead><tr><th style="text-align:left">action</th><th>visits</th><th></th>'
        yield "<th>mean</th><th>proof</th></tr></thead><tbody>"
        for entry in best[:12]:
            width = 120 * entry.visits / max(most, 1)
            proof = "" if entry.proof is None else f"{entry.proof:g}"
            yield f'<tr><td style="text-align:left">{html.escape(repr(entry.action))}</td><td>{_grouped(entry.visits)}</td>'
            yield f'<td style="text-align:left"><div style="width:{width:.0f}px;height:.8em;background:#5b8ff9">'
            yield f"</div></td><td>{entry.mean:.3f}</td><td>{proof}</td></tr>"
        yield "</tbody></table>"
        more = f"{len(best) - 12} more actions; " if len(best) > 12 else ""
        yield f"<p>{more}{_grouped(self.iterations)} iterations in {self.seconds:.3f} s "
        yield f"({_grouped(round(self.iterations_per_second))} per second): {html.escape(self.stop_reason)}</p>"


def _plain(action: Any) -> Any:
    """Return an action without the types of NumPy."""
    if isinstance(action, tuple):
        return tuple(map(_plain, action))
    return action.tolist() if hasattr(action, "tolist") else action


def _grouped(number: int) -> str:
    return str(number) if number < 10_000 else f"{number:,}".replace(",", " ")


def report_of(found: tuple[Any, ...], run: tuple[Any, ...], sizes: tuple[Any, ...], *rest: Any) -> Report[Any]:
    """Return a report of these fields, in their order."""
    fields: tuple[Any, ...] = (*found, *run, *sizes, *rest)
    return Report(*fields)


@dataclass(frozen=True)
class Standing:
    """What an agent has done in a match."""

    name: str
    wins: int
    draws: int
    losses: int
    score: float
    """The mean reward; NaN if no game was played."""
    interval: tuple[float, float]
    """The 95 % interval of the score."""
    seconds: float
    """The time that the agent thought in all; 0 in a tuning, which does not measure it."""
    forfeits: list[str]
    """The reasons of the games that the agent lost because its search failed."""


@dataclass(frozen=True)
class Comparison:
    """The result of a match; ``print`` shows a table."""

    standings: list[Standing]
    """The agents, in the order in which they were given."""
    _text: str = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return _table(self.standings)


@dataclass(frozen=True)
class Tuning:
    """The result of a tuning; ``print`` shows a table."""

    best: str
    """The text of the agent with the greatest score, for ``compare``."""
    rows: list[Standing]
    """The best settings that were found, with their games. The score of the best of many is biased upwards."""
    fresh: list[Standing]
    """The best agent in fresh games, which did not influence the choice; empty if the default is the best."""
    code: str | None
    """The search of the best agent as a line of Rust."""
    games: int
    """The number of all games."""
    _text: str = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        fresh = f"<p>in fresh games:</p>{_table(self.fresh)}" if self.fresh else ""
        return f"<p>the best settings, found in {_grouped(self.games)} games: <code>{html.escape(self.best)}</code></p>{_table(self.rows)}{fresh}"


def _table(standings: list[Standing]) -> str:
    """Return standings as a table with a bar for each score."""
    names = ("agent", "wins", "draws", "losses", "score", "", "95 % interval")
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = ""
    for of in standings:
        width = 0 if math.isnan(of.score) else 120 * of.score
        bar = f'<div style="width:{width:.0f}px;height:.8em;background:#5b8ff9"></div>'
        score, interval = f"{of.score:.3f}", f"{of.interval[0]:.3f} to {of.interval[1]:.3f}"
        cells = (html.escape(of.name), of.wins, of.draws, of.losses, score, bar, interval)
        rows += "<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells) + "</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


class Page(str):
    """The explorer's page of a tree, as HTML. A notebook shows it."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page as a file, which a browser can open."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)

    def __repr__(self) -> str:
        return f"<a page of {len(self)} characters; save it, or show it in a notebook>"

    def _repr_html_(self) -> str:
        source = html.escape(self, quote=True)
        return f'<iframe srcdoc="{source}" style="width:100%;height:640px;border:0"></iframe>'
