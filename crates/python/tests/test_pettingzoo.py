"""Environments of PettingZoo. Skipped if `pettingzoo` is not installed."""

import pytest
import ramure
from conftest import goes_on_from_a_file

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
classic = pytest.importorskip("pettingzoo.classic", reason="pettingzoo.classic needs pygame")
from ramure.pettingzoo import PettingZoo  # noqa: E402


def start(name):
    try:
        env = getattr(classic, name).env()
    except ImportError as error:
        pytest.skip(str(error))
    env.reset(seed=1)
    return PettingZoo(env)


@pytest.mark.parametrize("name", ["tictactoe_v3", "connect_four_v3"])
def test_games_obey_the_laws(name):
    assert "laws hold" in ramure.check(start(name), games=2, states=4, constant_sum=1.0, without=["Results", "Moves", "Ends"])


def test_a_win_is_found():
    state = start("tictactoe_v3")
    for cell in (0, 3, 1, 4):
        state.apply(cell)
    search = ramure.Search(state)
    report = search.run(iterations=200)
    assert (report.best_action, report.proof, report.player) == (2, 1.0, 0)
    state.apply(2)
    assert state.turn() is None and (state.reward(0), state.reward(1)) == (1.0, 0.0)
    assert search.state.turn() == 0


def test_a_search_is_saved(tmp_path):
    state = start("tictactoe_v3")
    state.apply(4)
    goes_on_from_a_file(lambda: ramure.Search(state), tmp_path / "tree")


def test_environments_that_are_refused():
    with pytest.raises(ValueError, match="agents do not move in turn, or it was not reset"):
        PettingZoo(classic.tictactoe_v3.env())
    with pytest.raises(ValueError, match="agents do not move in turn"):
        PettingZoo(object())
