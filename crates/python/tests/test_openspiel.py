"""Games of OpenSpiel. Skipped if `open_spiel` is not installed."""

import copy
from random import Random

import pytest
import ramure
from conftest import goes_on_from_a_file
from ramure import InformationSet, PlayerTrees
from ramure.openspiel import HiddenOpenSpiel, OpenSpiel

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
        ("goofspiel", r"move at the same time .* search PlayerTrees\(HiddenOpenSpiel"),
        ("kuhn_poker", r"hidden information, which the search would see; search InformationSet\(HiddenOpenSpiel"),
    ]:
        with pytest.raises(ValueError, match=match):
            start(name)
    with pytest.raises(ValueError, match="cannot guess what a player of liars_dice has not seen"):
        hidden("liars_dice", 3, 4)
    with pytest.raises(ValueError, match="after what chance deals"):
        hidden("kuhn_poker")
    with pytest.raises(ValueError, match="which this search would see"):
        ramure.Search(hidden("kuhn_poker", 0, 1))


def hidden(name, *actions):
    state = pyspiel.load_game(name).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return HiddenOpenSpiel(state)


def seen(state, player):
    return state.state.information_state_string(player)


@pytest.mark.parametrize("card", range(3))
def test_kuhn_poker_is_searched_by_guesses(card):
    # Player 1 has `card` and was bet at (1). By the cards alone, a call (1) wins 2 with a 2, is even with a 1, and loses 2 with a 0.
    other = (card + 1) % 3
    search = ramure.Search(InformationSet(hidden("kuhn_poker", other, card, 1)), seed=1)
    report = search.run(iterations=2_000)
    call, fold = (next(entry.mean for entry in report.actions if entry.action == act) for act in (1, 0))
    assert call == pytest.approx((card - 1 + 1) / 2, abs=0.05) and fold == pytest.approx((-1 + 2) / 4)
    assert report.best_action == (0 if card == 0 else 1)


@pytest.mark.parametrize("name, actions", [("kuhn_poker", (0, 1)), ("leduc_poker", (0, 3)), ("kuhn_poker(players=3)", (0, 1, 2))])
def test_poker_obeys_the_laws_of_guesses(name, actions):
    state = hidden(name, *actions)
    assert "laws hold" in ramure.check(state, games=20, states=30, seen=seen, without=["Moves", "Results", "Ends"])


def test_hearts_is_searched():
    state, random = pyspiel.load_game("hearts").new_initial_state(), Random(1)
    while state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    report = ramure.Search(InformationSet(HiddenOpenSpiel(state)), seed=1).run(iterations=50)
    assert report.best_action in state.legal_actions()


def test_players_of_goofspiel_choose_at_the_same_time():
    # With three cards, to name the card that is up is an equilibrium: after the first round, the last two decide.
    state = hidden("goofspiel(num_cards=3,points_order=descending)")
    search = ramure.Search(PlayerTrees(state), seed=1)
    report = search.run(iterations=3_000)
    assert max(report.visit_shares(), key=report.visit_shares().get) == 2
    for card in (2, 1):
        search.advance(card)
    assert search.state.state.history() == [2, 1] and search.run(iterations=100).best_action in (0, 1)


def test_a_search_is_saved(tmp_path):
    goes_on_from_a_file(lambda: ramure.Search(start("connect_four")), tmp_path / "tree")
