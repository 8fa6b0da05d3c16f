//! Players who choose at the same time, each by a value that the others do not know: a sealed auction at the second
//! price.

use ramure::prelude::*;
use ramure::search::InformationSet;
use ramure::selection::RegretMatching;
use ramure::{HiddenInformation, SearchError};

/// What is dealt, and what is bid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Act {
    Value(Player, u8),
    Bid(u8),
}

/// The player with the greater bid gets the good, which has an own value for each, from 1 to 4, and pays the other's
/// bid. Of equal bids each wins with probability 1/2.
#[derive(Clone, Debug)]
struct Auction {
    values: Vec<u8>,
    bids: Vec<u8>,
}

impl Auction {
    fn dealt(values: [u8; 2]) -> Auction {
        Auction { values: values.to_vec(), bids: vec![] }
    }

    fn gain(&self, player: Player) -> f64 {
        let (own, other) = (usize::from(player), usize::from(1 - player));
        let share = match self.bids[own].cmp(&self.bids[other]) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        };
        share * (f64::from(self.values[own]) - f64::from(self.bids[other]))
    }
}

impl GameState for Auction {
    type Action = Act;

    fn turn(&self) -> Turn {
        match (self.values.len(), self.bids.len()) {
            (0 | 1, _) => Turn::Chance,
            (_, 2) => Turn::Over,
            (_, bids) => Turn::Player(bids as Player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = Act> {
        let dealt = self.values.len();
        let act =
            move |number| if dealt < 2 { Act::Value(dealt as Player, number) } else { Act::Bid(number) };
        (u8::from(dealt < 2)..=4).map(act)
    }
    fn apply(&mut self, action: Act) {
        match action {
            Act::Value(_, value) => self.values.push(value),
            Act::Bid(bid) => self.bids.push(bid),
        }
    }
    fn reward(&self, player: Player) -> f64 {
        0.5 + self.gain(player) / 8.0
    }
    fn is_simultaneous(&self) -> bool {
        self.values.len() == 2
    }
}

impl HiddenInformation for Auction {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        for (player, value) in (0..).zip(&mut self.values) {
            if player != observer {
                *value = 1 + rng.below(4) as u8;
            }
        }
    }
    fn observe(&self, action: Act, observer: Player) -> Option<Act> {
        match action {
            Act::Value(player, _) if player != observer => None,
            _ => Some(action),
        }
    }
    fn private_knowledge(&self, player: Player) -> impl IntoIterator<Item = Act> {
        self.values.get(usize::from(player)).map(|&value| Act::Value(player, value))
    }
}

/// Whatever the other bids, no bid is better than the own value; so that is what the trees should find, for an
/// observer who chooses first, and for one who chooses last. Without its own value, the other bids what hardly depends
/// on it, and bids above the value cost nothing.
#[test]
fn bidders_know_their_own_values() {
    let truthful = |bid: u8| {
        (1..=4).map(|other| Auction { values: vec![3, other], bids: vec![bid, other] }.gain(0)).sum()
    };
    let gains: Vec<f64> = (0..=4).map(truthful).collect();
    assert!(gains.iter().all(|&gain| gain <= gains[3]) && gains[4] < gains[3], "{gains:?}");
    for seed in 0..4 {
        for me in [0, 1] {
            let space = InformationSet::new(Auction::dealt([3, 3])).observer(me);
            let mut search = Mcts::player_trees(space).seed(seed);
            let report = search.run(Budget::iterations(10_000)).expect("a sound game");
            assert_eq!(report.best_action(), Act::Bid(3), "seed {seed}, player {me}:\n{report}");
            let share =
                report.actions.iter().find(|action| action.action == Act::Bid(3)).map(|action| action.visits);
            assert!(share > Some(8_000), "seed {seed}, player {me}:\n{report}");
        }
    }
}

#[test]
fn the_observer_reports_where_all_choose_at_the_same_time() {
    for me in [0, 1] {
        let mut search = Mcts::player_trees(InformationSet::new(Auction::dealt([3, 2])).observer(me)).seed(1);
        search.run(Budget::iterations(3_000)).expect("a sound game");
        let [own, report] = [search.report_of(me), search.report()].map(|report| report.expect("it chooses"));
        assert_eq!(own.actions, report.actions);
        let other = 1 - me;
        assert_eq!(search.report_of(other).unwrap_err(), SearchError::ActsByKnowledge { player: other });
        assert!(search.strategy(other, &[]).iter().all(|(act, _)| matches!(act, Act::Value(..))));
        // Nearly all that a player with a value of 4 bids is 4, and with a value of 1 it is 1.
        for value in [1, 4] {
            let strategy = search.strategy(other, &[Act::Value(other, value)]);
            let best = strategy.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("it was dealt");
            assert!(
                best.1 > 0.3 && matches!(best.0, Act::Bid(bid) if bid.abs_diff(value) <= 1),
                "{value}: {best:?}"
            );
        }
        search.advance(Act::Bid(3)).expect("legal");
        assert_eq!(search.run(Budget::iterations(10)).unwrap_err(), SearchError::MidStep);
        search.advance(Act::Bid(2)).expect("legal");
        assert_eq!(search.run(Budget::iterations(10)).unwrap_err(), SearchError::GameOver);
    }
}

/// Player 1 has a type, and gets 1 for naming it. Player 0 bets at the same time that it does, or takes 0.6. The types
/// are equally likely, so a bet on a player who does not know its type is worth 1/2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Types {
    of_one: bool,
    bets: Option<bool>,
    named: Option<bool>,
}

impl GameState for Types {
    type Action = (Player, bool);

    fn turn(&self) -> Turn {
        match (self.bets, self.named) {
            (None, _) => Turn::Player(0),
            (_, None) => Turn::Player(1),
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = (Player, bool)> {
        let player = Player::from(self.bets.is_some());
        [(player, false), (player, true)]
    }
    fn apply(&mut self, (player, action): (Player, bool)) {
        *(if player == 0 { &mut self.bets } else { &mut self.named }) = Some(action);
    }
    fn reward(&self, player: Player) -> f64 {
        let is_named = f64::from(u8::from(self.named == Some(self.of_one)));
        if player == 1 || self.bets == Some(true) { is_named } else { 0.6 }
    }
    fn is_simultaneous(&self) -> bool {
        true
    }
}

impl HiddenInformation for Types {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if observer == 0 {
            self.of_one = rng.below(2) == 0;
        }
    }
    fn private_knowledge(&self, player: Player) -> impl IntoIterator<Item = (Player, bool)> {
        (player == 1).then_some((2, self.of_one))
    }
}

#[test]
fn a_bet_on_what_another_knows_pays() {
    let space = InformationSet::new(Types { of_one: true, bets: None, named: None });
    let mut search = Mcts::player_trees(space).tree_policy(RegretMatching::default()).seed(3);
    let report = search.run(Budget::iterations(3_000)).expect("a sound game");
    let bet = search.strategy(0, &[]).into_iter().find(|(action, _)| action.1).expect("legal").1;
    assert!(bet > 0.7, "{bet}:\n{report}");
}
