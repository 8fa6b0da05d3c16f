"""Games of OpenSpiel. Skipped if `open_spiel` is not installed."""

import copy

import pytest
import ramure
from conftest import goes_on_from_a_file
from ramure.openspiel import OpenSpiel

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")


def start(name):
    return OpenSpiel(pyspiel.load_game(name).new_initial_state())


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "pig", "pig(players=3)", "catch", "hex(board_size=4)"])
def test_games_obey_the_laws(name):
    assert "laws hold" in ramure.check(start(name), games=20, states=30, without=["Moves", "Results", "Ends"])


def test_a_win_is_found():
    state = start("tic_tac_toe")
    for cell in (0, 3, 1, 4):
        state.apply(cell)
    report = ramure.Search(state).run(iterations=200)
    assert (report.best_action, report.proof) == (2, 1.0)


def test_a_subclass_is_copied_as_itself():
    class Named(OpenSpiel):
        name = "none"

    state = Named(pyspiel.load_game("tic_tac_toe").new_initial_state())
    state.name = "mine"
    report = ramure.Search(state).run(iterations=100)
    assert report.iterations == 100 and copy.copy(state).name == "mine"


def test_chance_and_one_player():
    report = ramure.Search(start("pig"), "ucb1:solver=no").run(iterations=200)
    assert report.best_action in (0, 1)
    state = start("pig(players=3)")
    assert state.players() == 3 and ramure.Search(state, "ucb1:solver=no").run(iterations=200).best_action in (0, 1)


def test_games_that_are_refused():
    for name, match in [
        ("goofspiel", "move at the same time"),
        ("kuhn_poker", "hidden information"),
    ]:
        with pytest.raises(ValueError, match=match):
            start(name)


def test_a_search_is_saved(tmp_path):
    goes_on_from_a_file(lambda: ramure.Search(start("connect_four")), tmp_path / "tree")
