"""Searches in files."""

import copy
import gc
import pickle
import sys
import weakref

import numpy as np
import pytest
import ramure
from conftest import Die, Sticks


class Words(Sticks):
    """Sticks whose actions are tuples and texts."""

    def actions(self):
        return [("take", n) if n < 3 else "three" for n in super().actions()]

    def apply(self, action):
        super().apply(3 if action == "three" else action[1])


class Crowd(Sticks):
    """Sticks for three players, the last of whom takes none."""

    def players(self):
        return 3


class Walk:
    """A walk with noise on the numbers from -5 to 5, whose rewards are the numbers."""

    def __init__(self, place=0):
        self.place = place

    def __copy__(self):
        return type(self)(self.place)

    def actions(self):
        return ["down", "up"]

    def step(self, action, random):
        self.place += (1 if action == "up" else -1) * random.choice([1, 1, 2])
        self.place = min(max(self.place, -5), 5)
        return self.place


class Mapped(Walk):
    def key(self):
        return f"place {self.place}"


class Noisy(Sticks):
    """Sticks that note when they are read from a file, and do then what `told` says."""

    read = []
    told = None

    def __setstate__(self, state):
        self.read.append(state)
        self.__dict__.update(state)
        if self.told is not None:
            raise self.told


class Held(Sticks):
    """Sticks that keep an object."""

    def __init__(self, held=None):
        super().__init__(10)
        self.held = held

    def __copy__(self):
        other = type(self)(self.held)
        other.left, other.player = self.left, self.player
        return other


def even(states, actions):
    return [0.5] * len(states), None


def planes(planes, actions):
    return planes[:, 0].mean((1, 2)).astype(np.float64), None


SEARCHES = {
    "sticks": lambda: ramure.Search(Sticks(40), seed=4),
    "words": lambda: ramure.Search(Words(40), seed=4),
    "three players": lambda: ramure.Search(Crowd(40), seed=4),
    "chance": lambda: ramure.Search(Die(), seed=4),
    "network": lambda: ramure.Search(Sticks(40), evaluate=even, window=4, seed=4),
    "plan": lambda: ramure.Search(ramure.Planning(Walk(), discount=0.9, horizon=9), seed=4),
    "plan with keys": lambda: ramure.Search(ramure.Planning(Mapped(), horizon=9), seed=4),
    "hex": lambda: ramure.Search(ramure.games.hex(5), seed=4, threads=2),
    "tic-tac-toe": lambda: ramure.Search(ramure.games.tic_tac_toe(), seed=4),
    "connect 4 by planes": lambda: ramure.Search(ramure.games.connect4(), evaluate=planes, planes=True, window=8, seed=4),
    "planes on threads": lambda: ramure.Search(ramure.games.connect4(), evaluate=planes, planes=True, threads=2, seed=4),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_loaded_search_goes_on_as_one_that_was_never_saved(name, tmp_path):
    never, search, other = (SEARCHES[name]() for _ in range(3))
    for found in (never, search):
        found.run(iterations=300)
        if "plan" not in name:  # whose trees begin anew
            found.advance(found.report().principal_variation[0])
    search.save(tmp_path / "tree")
    other.run(iterations=10)
    other.load(tmp_path / "tree")
    assert other.report().actions == never.report().actions and other.report().root_visits > 10
    for found in (never, search, other):
        found.run(iterations=200)
    expected = never.report()
    for found in (search, other):
        assert (found.report().actions, found.report().nodes) == (expected.actions, expected.nodes)
        assert found.actions_after([]) == never.actions_after([])
        assert str(found.report()).splitlines()[:3] == str(expected).splitlines()[:3]


def test_the_file_has_the_state(tmp_path):
    search = ramure.Search(Words(10))
    search.run(iterations=100)
    search.advance("three")
    search.save(tmp_path / "tree")
    other = ramure.Search(Words(4))
    other.load(tmp_path / "tree")
    assert (other.state.left, other.state.player) == (7, 1)
    other.advance("three")
    assert other.run(iterations=500).proof == 0.0  # four sticks are left
    assert "Words(left=" in other.page()


def test_a_state_that_cannot_be_pickled(tmp_path):
    class Local(Sticks):
        pass

    (tmp_path / "tree").write_text("before")
    for state, match in [(Held(lambda: 3), "lambda"), (Local(10), "Local")]:
        search = ramure.Search(state)
        search.run(iterations=50)
        with pytest.raises(ramure.SearchError, match=f"`pickle.dumps` raised .*{match}") as caught:
            search.save(tmp_path / "tree")
        assert isinstance(caught.value.__cause__, (AttributeError, pickle.PicklingError))
        assert (tmp_path / "tree").read_text() == "before" and len(list(tmp_path.iterdir())) == 1
        assert search.run(iterations=10).root_visits > 0


def test_an_action_that_cannot_be_pickled(tmp_path):
    class Odd(Held):
        def actions(self):
            return [even, planes, len][: min(self.left, 3)]

        def apply(self, action):
            self.left, self.player = self.left - 1, 1 - self.player

    module = sys.modules[__name__]
    module.Odd, Odd.__qualname__ = Odd, "Odd"
    search = ramure.Search(Odd())
    search.run(iterations=50)
    search.save(tmp_path / "tree")  # functions of a module are pickled by their names
    ramure.Search(Odd()).load(tmp_path / "tree")
    Odd.actions = lambda self: [self.held] * (self.left > 0)
    search = ramure.Search(Odd(lambda: 3))
    with pytest.raises(ramure.SearchError, match="`pickle.dumps` raised"):
        search.run(iterations=5)
        search.save(tmp_path / "tree")
    del module.Odd


def unchanged(search, load, error, match):
    """Check that a search refuses a file and is as it was before, and return the exception."""
    before = search.report()
    with pytest.raises(error, match=match) as caught:
        load()
    assert search.report() == before
    return caught.value


def test_a_class_that_is_gone(tmp_path):
    module = sys.modules[__name__]
    module.Gone = type("Gone", (), {"__module__": __name__})
    search = ramure.Search(Held(module.Gone()))
    search.run(iterations=20)
    search.save(tmp_path / "tree")
    del module.Gone
    error = unchanged(search, lambda: search.load(tmp_path / "tree"), ramure.SearchError, "`pickle.loads` raised AttributeError: .*Gone")
    assert isinstance(error.__cause__, AttributeError)
    assert search.run(iterations=20).root_visits > 0


@pytest.mark.parametrize("error", [ZeroDivisionError("inside"), KeyboardInterrupt()])
def test_what_unpickling_raises(error, tmp_path, monkeypatch):
    search = ramure.Search(Noisy(10))
    search.run(iterations=20)
    search.save(tmp_path / "tree")
    monkeypatch.setattr(Noisy, "told", error)
    caught = unchanged(search, lambda: search.load(tmp_path / "tree"), (ramure.SearchError, KeyboardInterrupt), None)
    assert error in (caught, caught.__cause__)


@pytest.mark.parametrize("error", [ZeroDivisionError("inside"), KeyboardInterrupt()])
@pytest.mark.parametrize("method", ["turn", "actions", "apply", "players", "__copy__"])
def test_what_a_game_raises_while_its_tree_is_checked(method, error, tmp_path, monkeypatch):
    search = ramure.Search(Crowd(10), seed=1)
    search.run(iterations=50)
    search.save(tmp_path / "tree")

    def fails(self, *_):
        raise error

    before = search.report()
    with monkeypatch.context() as patch:
        patch.setattr(Crowd, method, fails)
        with pytest.raises((ramure.SearchError, type(error))) as caught:
            search.load(tmp_path / "tree")
        assert error in (caught.value, caught.value.__cause__)
    assert search.report() == before and search.run(iterations=10).root_visits > 0


def test_damaged_files(tmp_path):
    search = ramure.Search(Noisy(20), seed=2)
    search.run(iterations=30)
    search.save(tmp_path / "tree")
    whole = (tmp_path / "tree").read_bytes()
    Noisy.read.clear()
    first = whole.index(b"POSI")
    for place in range(0, len(whole), 7):
        for damaged in (whole[:place], whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :], whole[:place] + whole[place + 1 :]):
            (tmp_path / "tree").write_bytes(damaged)
            unchanged(search, lambda: search.load(tmp_path / "tree"), ValueError, "the file")
            # Nothing is unpickled before its checksum is compared.
            assert place > first or Noisy.read == []
    (tmp_path / "tree").write_bytes(whole + b"more")
    unchanged(search, lambda: search.load(tmp_path / "tree"), ValueError, "the file")
    with pytest.raises(FileNotFoundError):
        search.load(tmp_path / "missing")
    with pytest.raises(OSError):
        search.save(tmp_path / "no folder" / "tree")
    with pytest.raises(TypeError):
        search.load(3)


def test_files_of_other_games(tmp_path):
    files = {}
    for name, new in {**SEARCHES, "noisy": lambda: ramure.Search(Noisy(10))}.items():
        files[name] = tmp_path / name
        search = new()
        search.run(iterations=20)
        search.save(files[name])
    Noisy.read.clear()
    for name, new in SEARCHES.items():
        for other, file in files.items():
            if other != name:
                search = new()
                match = "the file is of a search" if name not in ("hex", "connect 4 by planes") else "the file is"
                unchanged(search, lambda: search.load(file), ValueError, match)
    # Sticks have unpickled the file of another game. No other search has.
    assert len(Noisy.read) <= 4
    Noisy.read.clear()
    for state in [ramure.games.connect4(), ramure.games.hex(5), ramure.games.tic_tac_toe(), ramure.games.sudo_tic_tac_toe()]:
        for evaluate in [None, even]:
            with pytest.raises(ValueError, match="the file is of a search with another game"):
                ramure.Search(state, evaluate=evaluate).load(files["noisy"])
    assert Noisy.read == []


def test_actions_must_be_equal_after_pickling(tmp_path):
    class Token:
        pass

    module = sys.modules[__name__]
    module.Token, Token.__qualname__ = Token, "Token"
    tokens = [Token() for _ in range(3)]

    class Tokens(Held):
        def actions(self):
            return (self.held or tokens)[: min(self.left, 3)]

        def apply(self, token):
            super().apply((self.held or tokens).index(token) + 1)

    module.Tokens, Tokens.__qualname__ = Tokens, "Tokens"
    for held, is_legal in [(None, False), (tokens, True)]:
        search = ramure.Search(Tokens(held))
        search.run(iterations=50)
        search.save(tmp_path / "tree")
        if is_legal:  # The state has its tokens with it.
            search.load(tmp_path / "tree")
            assert search.run(iterations=500).proof == 1.0
        else:
            unchanged(search, lambda: search.load(tmp_path / "tree"), ValueError, "an action is not legal")
    del module.Token, module.Tokens


def test_searches_without_a_file(tmp_path):
    for search in [ramure.Search(Sticks(4), "ucb1"), ramure.Search(ramure.games.connect4(), "ucb1")]:
        for attempt in [search.save, search.load]:
            with pytest.raises(ValueError, match="only searches by the default algorithm and with `evaluate` have pages and files"):
                attempt(tmp_path / "tree")
    assert list(tmp_path.iterdir()) == []
    for attempt in [pickle.dumps, copy.copy, copy.deepcopy]:
        with pytest.raises(TypeError, match="`save` it"):
            attempt(ramure.Search(Sticks(3)))


def test_a_tree_that_does_not_fit(tmp_path):
    search = ramure.Search(Sticks(60))
    search.run(iterations=20_000)
    search.save(tmp_path / "tree")
    small = ramure.Search(Sticks(60), memory=50_000)
    unchanged(small, lambda: small.load(tmp_path / "tree"), ValueError, "memory limit of 50000 bytes")


def test_a_loaded_search_is_freed(tmp_path):
    state = Held()
    state.held = held = {}
    search = ramure.Search(state)
    search.run(iterations=50)
    search.save(tmp_path / "tree")
    for _ in range(3):
        search.load(tmp_path / "tree")
    held["search"] = search.state.held["search"] = search
    with pytest.raises(ramure.SearchError, match="`pickle.dumps` raised TypeError: a search cannot be pickled"):
        search.save(tmp_path / "tree")
    gone = weakref.ref(search)
    del search, state, held
    gc.collect()
    assert gone() is None


def test_a_state_that_uses_its_search_while_it_is_pickled(tmp_path):
    class Meddling(Sticks):
        def __reduce__(self):
            search.report()

    search = ramure.Search(Meddling(5))
    with pytest.raises(ramure.SearchError, match="this search is running"):
        search.save(tmp_path / "tree")
