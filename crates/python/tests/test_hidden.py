"""Hidden information: searches that see guesses, and trees for each player."""

import copy

import pytest
import ramure
from conftest import Sticks, goes_on_from_a_file
from ramure import InformationSet, PlayerTrees


class Cards:
    """Each player has one of six cards. Player 0 bets or passes, player 1 calls or folds. Called, the greater card wins."""

    def __init__(self, hands, played=()):
        self.hands, self.played = hands, played

    def __copy__(self):
        return type(self)(self.hands, self.played)

    def turn(self):
        return 0 if not self.played else 1 if self.played == ("bet",) else None

    def actions(self):
        return ["bet", "pass"] if not self.played else ["call", "fold"]

    def apply(self, act):
        self.played += (act,)

    def reward(self, player):
        first = {"pass": 0.5, "fold": 0.75, "call": float(self.hands[0] > self.hands[1])}[self.played[-1]]
        return first if player == 0 else 1 - first

    def determinize(self, player, random):
        own = self.hands[player]
        other = random.choice([card for card in range(1, 7) if card != own])
        self.hands = (own, other) if player == 0 else (other, own)


def sees(cards, player):
    return cards.hands and cards.hands[player], cards.played


class Deal(Cards):
    """Chance deals the hands."""

    def turn(self):
        return super().turn() if self.hands else ramure.CHANCE

    def actions(self):
        return super().actions() if self.hands else [(one, other) for one in range(1, 7) for other in range(1, 7) if one != other]

    def apply(self, act):
        if self.hands:
            super().apply(act)
        else:
            self.hands = act

    def determinize(self, player, random):
        if self.hands:
            super().determinize(player, random)


class Ball:
    """The player takes 0.6, or bets on the colour of a hidden ball; or looks first, which costs a twentieth."""

    def __init__(self, red=True, looks=False, knows=False, chosen=None):
        self.red, self.looks, self.knows, self.chosen = red, looks, knows, chosen

    def __copy__(self):
        return Ball(self.red, self.looks, self.knows, self.chosen)

    def players(self):
        return 1

    def turn(self):
        return None if self.chosen else ramure.CHANCE if self.looks and not self.knows else 0

    def actions(self):
        if self.turn() is ramure.CHANCE:
            return ["shows red" if self.red else "shows blue"]
        return ["take", "red", "blue"] + ["look"] * (not self.looks)

    def apply(self, act):
        if act == "look":
            self.looks = True
        elif act.startswith("shows"):
            self.knows = True
        else:
            self.chosen = act

    def reward(self, player):
        share = 0.95 if self.looks else 1
        return share * (0.6 if self.chosen == "take" else float((self.chosen == "red") == self.red))

    def determinize(self, player, random):
        if not self.knows:
            self.red = random.random() < 0.5


class Pennies:
    """Two players choose at the same time. Player 0 wins 1 if both say heads, and one half if both say tails."""

    def __init__(self, said=()):
        self.said = said

    def __copy__(self):
        return Pennies(self.said)

    def turn(self):
        return len(self.said) if len(self.said) < 2 else None

    def actions(self):
        return ["heads", "tails"]

    def apply(self, side):
        self.said += (side,)

    def reward(self, player):
        first = 0.0 if self.said[0] != self.said[1] else 1.0 if self.said[0] == "heads" else 0.5
        return first if player == 0 else 1 - first

    def is_simultaneous(self):
        return True


def mean(report, action):
    return next(entry.mean for entry in report.actions if entry.action == action)


@pytest.mark.parametrize("card", range(1, 7))
def test_a_card_is_called_as_often_as_the_other_may_be_lower(card):
    reports = []
    for other in {1, 6} - {card}:
        search = ramure.Search(InformationSet(Cards((other, card), ("bet",))), seed=3)
        reports.append(search.run(iterations=1_500))
    right = (card - 1) / 5
    assert mean(reports[0], "call") == pytest.approx(right, abs=0.06)
    assert mean(reports[0], "fold") == 0.25
    assert reports[0].best_action == ("call" if right > 0.25 else "fold") and reports[0].player == 1
    assert all(report.actions == reports[0].actions for report in reports), "what is hidden makes no difference"


def test_the_observer_may_be_another_player():
    state = Cards((6, 1), ("bet",))
    assert ramure.Search(InformationSet(state, observer=0)).run(iterations=300).best_action == "fold"
    search = ramure.Search(PlayerTrees(state, observer=1))
    assert search.run(iterations=300).best_action == "fold"


def test_to_look_first_is_worth_its_price():
    search = ramure.Search(InformationSet(Ball()))
    report = search.run(iterations=3_000)
    assert report.best_action == "look" and mean(report, "take") == pytest.approx(0.6)
    assert mean(report, "red") == pytest.approx(0.5, abs=0.1)
    shown = {entry.action for entry in search.actions_after(["look"])}
    assert shown == {"shows red", "shows blue"}
    best = max(search.actions_after(["look", "shows blue"]), key=lambda entry: entry.visits)
    assert best.action == "blue" and best.mean == pytest.approx(0.95)
    search.advance("look")
    assert search.state.looks and "shows red" in search.page()


def test_players_who_choose_at_the_same_time_need_their_trees():
    with pytest.raises(ValueError, match="search ramure.PlayerTrees"):
        ramure.Search(Pennies())
    with pytest.raises(ValueError, match="search ramure.PlayerTrees"):
        ramure.compare(Pennies(), "mcts:50", "random", games=2)


def test_what_players_choose_at_the_same_time_is_mixed():
    search = ramure.Search(PlayerTrees(Pennies()), seed=1)
    search.run(iterations=20_000)
    for player, worth in [(0, 1 / 3), (1, 2 / 3)]:
        report = search.report(player)
        assert report.player == player and report.visit_shares()["heads"] == pytest.approx(1 / 3, abs=0.06)
        assert mean(report, "heads") == pytest.approx(worth, abs=0.06)
    with pytest.raises(ramure.SearchError, match="player 2"):
        search.report(2)
    with pytest.raises(ValueError, match="this search has one tree"):
        ramure.Search(Sticks()).report(0)


def test_players_know_their_own_cards_if_the_game_says_so():
    class Known(Deal):
        def private_knowledge(self, player):
            return [("has", player, self.hands[player])] if self.hands else []

        def observe(self, action, player):
            return action if self.hands else ("has", player, action[player])

    # Against a 5, player 1 calls with a 6 and folds with the other four cards. Without its card, it folds.
    for view, worth in [(PlayerTrees, (4 * 0.75 + 0) / 5), (InformationSet, 0.75)]:
        report = ramure.Search(view(Known((5, 2))), seed=2).run(iterations=12_000)
        assert mean(report, "bet") == pytest.approx(worth, abs=0.04)


def test_a_search_goes_on_at_the_next_state():
    search = ramure.Search(InformationSet(Cards((6, 5))))
    search.run(iterations=200)
    search.advance("bet")
    assert search.state.played == ("bet",) and search.report().root_visits > 0
    search.reset(InformationSet(Cards((6, 5), ("bet",))))
    assert search.run(iterations=500).best_action == "call"


def test_a_search_of_guesses_is_saved(tmp_path):
    goes_on_from_a_file(lambda: ramure.Search(InformationSet(Ball())), tmp_path / "tree")


def test_the_laws_of_guesses():
    assert "laws hold" in ramure.check(Cards((6, 5)), games=20, states=20, seen=sees)
    assert "laws hold" in ramure.check(Deal(None), games=20, states=20, seen=sees, fair_guesses=True)
    seen = lambda ball, player: (ball.looks, ball.knows and ball.red, ball.knows, ball.chosen)
    assert "laws hold" in ramure.check(Ball(), games=20, states=20, seen=seen)

    class Changes(Cards):
        def determinize(self, player, random):
            self.hands = (random.randrange(6), random.randrange(6))

    class Depends(Cards):
        def determinize(self, player, random):
            other = list(range(1, 7))
            other.remove(self.hands[player])
            random.shuffle(other)
            if self.hands[1 - player] > 3:
                other.reverse()
            self.hands = (self.hands[0], other[0]) if player == 0 else (other[0], self.hands[1])

    class Biased(Deal):
        def determinize(self, player, random):
            if self.hands:
                own = self.hands[player]
                other = min(random.choice([card for card in range(1, 7) if card != own]) for _ in range(2))
                self.hands = (own, other) if player == 0 else (other, own)

    class Secret(Ball):
        def __copy__(self):
            return Secret(self.red, self.looks, self.knows, self.chosen)

        def apply(self, act):
            super().apply(act)
            self.knows = self.knows or act == "look"

    for state, law, text, how in [
        (Changes((6, 5)), "Guesses", "changes what that player has seen", {"seen": sees}),
        (Depends((6, 5)), "Guesses", "depend on what is hidden", {"seen": sees}),
        (Biased(None), "GuessesFair", "guess", {"seen": sees, "fair_guesses": True}),
        (Secret(), "Announced", "look", {"seen": seen}),
    ]:
        with pytest.raises(ramure.Violation, match=text) as caught:
            ramure.check(state, games=20, states=60, **how)
        assert caught.value.law == law, caught.value


def test_mistakes():
    class Returns(Cards):
        def determinize(self, player, random):
            return copy.copy(self)

    class Raises(Cards):
        def determinize(self, player, random):
            raise RuntimeError("no guess")

    class Turns(Cards):
        def determinize(self, player, random):
            self.played = ("bet", "fold")

    state = Cards((6, 5))
    for wrong, kind, text in [
        (lambda: ramure.Search(state), ValueError, "which this search would see; search ramure.InformationSet"),
        (lambda: ramure.compare(state, "mcts:10", "random"), ValueError, "which this search would see"),
        (lambda: ramure.tune(state, games=10), ValueError, "which this search would see"),
        (lambda: ramure.Search(InformationSet(Sticks())), TypeError, r"Sticks has no method determinize\(player, random\)"),
        (lambda: ramure.Search(InformationSet(3)), TypeError, "int is not a game"),
        (lambda: ramure.Search(InformationSet(state, observer=2)), ValueError, "`observer` is 2"),
        (lambda: ramure.Search(InformationSet(state), "ucb1"), ValueError, "of an InformationSet has no `algorithm`"),
        (lambda: ramure.Search(InformationSet(state)).reset(state), TypeError, "of the class InformationSet"),
        (lambda: ramure.Search(Sticks()).reset(InformationSet(state)), TypeError, "this search is of a state"),
        (lambda: ramure.check(Sticks(), seen=sees), ValueError, "has no method determinize"),
        (lambda: ramure.check(state, seen=3), TypeError, "`seen` is a value of type int"),
        (lambda: ramure.check(state, fair_guesses=True), ValueError, "give `seen`"),
        (lambda: ramure.check(state, seen=lambda state, player: []), ramure.Violation, "unhashable"),
        (lambda: ramure.Search(InformationSet(Returns((6, 5)))).run(iterations=5), ramure.SearchError, "`determinize` returned another"),
        (lambda: ramure.Search(InformationSet(Raises((6, 5)))).run(iterations=5), ramure.SearchError, "`determinize` raised RuntimeError"),
        (lambda: ramure.Search(InformationSet(Turns((6, 5)))).run(iterations=5), ramure.SearchError, "guess"),
    ]:
        with pytest.raises(kind, match=text):
            wrong()


def test_in_a_match_functions_search_guesses():
    def careful(state):
        return ramure.Search(InformationSet(state)).run(iterations=60).best_action

    result = ramure.compare(Deal(None), careful, "random", games=200)
    assert result.standings[0].score > 0.5
