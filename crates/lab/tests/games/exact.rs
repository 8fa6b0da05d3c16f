//! Exact values against published ones, and against OpenSpiel.
//!
//! The figures marked OpenSpiel are those of the package `open_spiel` 1.x from PyPI, by
//! `exploitability.nash_conv(game, policy.UniformRandomPolicy(game))`, on 23 November 2026.

use ramure::{GameFault, GameState, HiddenInformation, Player, Rng, Turn};
use ramure_lab::exact::{ExactError, SequenceForm};
use ramure_lab::games::goofspiel::{Goofspiel, Prizes, Scoring};
use ramure_lab::games::kuhn::KuhnAction::{self, Bet, Deal, Pass};
use ramure_lab::games::{Kuhn, Leduc, MatrixGame};

fn is_close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

fn sets<A: Clone + Eq>(form: &SequenceForm<A>) -> [usize; 2] {
    [0, 1].map(|player| form.information_sets(player).iter().filter(|set| set.actions.len() > 1).count())
}

/// An equilibrium of Kuhn poker. Player 0 bets with a jack with probability `alpha`, at most 1/3, and with a
/// king three times as often; it calls with a queen with probability `alpha + 1/3`. (Kuhn 1950; Hoehn et al.
/// 2005, section 2.)
fn kuhn(alpha: f64) -> impl Fn(Player, &[KuhnAction], &[KuhnAction]) -> Vec<f64> {
    move |_, seen, _| {
        let Deal(card) = seen[0] else { panic!("the own card comes first") };
        let bets = match (&seen[1..], card) {
            ([], 0) => alpha,
            ([], 1) => 0.0,
            ([], _) => 3.0 * alpha,
            ([Pass, Bet], 1) => alpha + 1.0 / 3.0,
            ([Pass], 0) => 1.0 / 3.0,
            ([Bet], 1) => 1.0 / 3.0,
            ([Pass], 1) => 0.0,
            ([..], 0) => 0.0,
            ([..], _) => 1.0,
        };
        vec![1.0 - bets, bets]
    }
}

#[test]
fn kuhn_poker_is_worth_minus_an_eighteenth() {
    let form = SequenceForm::of(&Kuhn::new()).expect("a small game");
    assert_eq!((form.ends(), sets(&form)), (30, [6, 6]));
    for alpha in [0.0, 0.1, 1.0 / 3.0] {
        let profile = form.profile(kuhn(alpha)).expect("probabilities");
        assert!(is_close(4.0 * profile.value(0) - 2.0, -1.0 / 18.0));
        assert!(is_close(profile.value(0) + profile.value(1), 1.0));
        assert!(profile.exploitability().abs() < 1e-12, "alpha {alpha}: {}", profile.exploitability());
    }
    let profile = form.profile(kuhn(0.5)).err();
    assert!(matches!(profile, Some(ExactError::Probabilities { player: 0, actions: 2, .. })));
}

#[test]
fn random_play_is_exploited_as_published() {
    // Kuhn: 11/12 chips (OpenSpiel). The rewards are chips divided by 4.
    let form = SequenceForm::of(&Kuhn::new()).expect("a small game");
    assert!(is_close(4.0 * form.uniform().nash_conv(), 11.0 / 12.0));
    // Leduc: 4.747222222222222 chips, 468 information sets of each player, or 144 with equal suits
    // (OpenSpiel).
    for (game, count) in [(Leduc::new(), 468), (Leduc::by_rank(), 144)] {
        let form = SequenceForm::of(&game).expect("a small game");
        assert_eq!(sets(&form), [count, count]);
        assert!(is_close(26.0 * form.uniform().nash_conv(), 4.747_222_222_222_222));
    }
    // Goofspiel: 4/3, 3/2 and 1.4930555555555556 for wins of 1 and losses of -1, 5/2 for half of the
    // difference in points (OpenSpiel). With choice there are 1 + 3^2 information sets of each player, 1 +
    // 4^2 + 12^2, and 4 + 4 * 3 * 4^2 + 4 * 3 * 2 * 12^2 if prizes are drawn. (OpenSpiel counts fewer,
    // because there a player forgets in which order it has bid.)
    for (cards, order, scoring, scale, conv, count) in [
        (3, Prizes::Descending, Scoring::Win, 2.0, 4.0 / 3.0, 10),
        (4, Prizes::Descending, Scoring::Win, 2.0, 1.5, 161),
        (4, Prizes::Drawn, Scoring::Win, 2.0, 1.493_055_555_555_555_6, 3_652),
        (4, Prizes::Descending, Scoring::Difference, 10.0, 2.5, 161),
    ] {
        let form =
            SequenceForm::of(&Goofspiel::new(cards, order, scoring).expect("few cards")).expect("small");
        assert!(is_close(scale * form.uniform().nash_conv(), conv), "{}", scale * form.uniform().nash_conv());
        assert_eq!(sets(&form), [count, count]);
    }
}

#[test]
fn a_best_response_beats_every_pure_strategy() {
    // Kuhn poker has 2^6 pure strategies for each player.
    let form = SequenceForm::of(&Kuhn::new()).expect("a small game");
    let mut rng = Rng::seeded(3);
    for player in 0..2 {
        let random: Vec<f64> = (0..100).map(|_| rng.unit()).collect();
        let place = |seen: &[KuhnAction]| {
            let number = |action: &KuhnAction| match action {
                Deal(card) => usize::from(*card),
                Pass => 0,
                Bet => 1,
            };
            seen.iter().fold(seen.len(), |sum, action| 3 * sum + number(action)) % 100
        };
        let own_sets = form.information_sets(player);
        let mut best = 0.0_f64;
        for pure in 0..64_u32 {
            let strategy = |of: Player, seen: &[KuhnAction], _: &[KuhnAction]| {
                let bets = if of == player {
                    let number = own_sets.iter().position(|set| set.seen == seen).expect("it is known");
                    f64::from(pure >> number & 1)
                } else {
                    random[place(seen)]
                };
                vec![1.0 - bets, bets]
            };
            let profile = form.profile(strategy).expect("probabilities");
            best = best.max(profile.value(player));
            let response = profile.best_response(player);
            assert!(response.value >= profile.value(player) - 1e-12);
            assert_eq!(response.choices.len(), 6);
            if pure == 63 {
                assert!(is_close(best, response.value), "{best} {}", response.value);
            }
        }
    }
}

#[test]
fn linear_programs_and_regrets_find_the_same_values() {
    let kuhn = SequenceForm::of(&Kuhn::new()).expect("a small game");
    let equilibrium = kuhn.equilibrium().expect("solved");
    assert!(equilibrium.exploitability() < 1e-9);
    assert!(is_close(4.0 * equilibrium.value(0) - 2.0, -1.0 / 18.0));

    // Leduc: -0.0856064 chips for player 0 (OpenSpiel, `sequence_form_lp.solve_zero_sum_game`).
    let leduc = SequenceForm::of(&Leduc::by_rank()).expect("a small game");
    let equilibrium = leduc.equilibrium().expect("solved");
    let chips = 26.0 * equilibrium.value(0) - 13.0;
    assert!((chips + 0.085_606_424).abs() < 1e-6, "{chips}");
    assert!(26.0 * equilibrium.exploitability() < 1e-6);
    let average = leduc.regret_minimization(200);
    assert!(26.0 * average.exploitability() < 0.2, "{}", 26.0 * average.exploitability());

    let goofspiel = Goofspiel::new(4, Prizes::Descending, Scoring::Win).expect("few cards");
    let form = SequenceForm::of(&goofspiel).expect("a small game");
    let equilibrium = form.equilibrium().expect("solved");
    assert!((equilibrium.value(0) - 0.5).abs() < 1e-7, "the game is symmetric: {}", equilibrium.value(0));
    assert!(equilibrium.exploitability() < 1e-7);
    assert!(form.regret_minimization(300).exploitability() < 0.02);
}

#[test]
fn equilibria_of_matrices_are_equilibria() {
    let form = SequenceForm::of(&MatrixGame::biased_rock_paper_scissors()).expect("a small game");
    let brps = form.equilibrium().expect("solved");
    for player in 0..2 {
        for (found, known) in brps.probabilities(player, 0).iter().zip([1.0, 10.0, 5.0]) {
            assert!((found - known / 16.0).abs() < 1e-7, "{brps:?}");
        }
    }
    for seed in 0..20 {
        let (rows, columns) = (1 + seed as usize % 7, 1 + seed as usize % 5);
        let game = MatrixGame::random(rows, columns, seed).expect("a small matrix");
        let form = SequenceForm::of(&game).expect("a small game");
        let found = form.equilibrium().expect("solved");
        let (value, rows_by, columns_by) =
            (found.value(0), found.probabilities(0, 0), found.probabilities(1, 0));
        let entry = |row, column| game.payoff(row, column).expect("inside");
        // No row is better for player 0, and no column for player 1.
        for row in 0..rows {
            let worth: f64 = (0..columns).map(|column| columns_by[column] * entry(row, column)).sum();
            assert!(worth <= value + 1e-7, "{game}{found:?}");
        }
        for column in 0..columns {
            let worth: f64 = (0..rows).map(|row| rows_by[row] * entry(row, column)).sum();
            assert!(worth >= value - 1e-7, "{game}{found:?}");
        }
    }
}

/// What is wrong with a game of one action.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    Players,
    UnknownPlayer,
    NoActions,
    Probability,
    Sum,
    Reward,
    /// Player 0 does not see what chance drew, but has other actions.
    Recall,
    /// Rewards do not have a constant sum.
    Sums,
}

#[derive(Clone, Debug)]
struct Wrong {
    fault: Fault,
    line: Vec<u8>,
}

impl GameState for Wrong {
    type Action = u8;
    fn turn(&self) -> Turn {
        match self.line.len() {
            0 => Turn::Chance,
            1 => Turn::Player(if self.fault == Fault::UnknownPlayer { 2 } else { 0 }),
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        match (self.line.as_slice(), self.fault) {
            ([_], Fault::NoActions) => 0..0,
            ([1], Fault::Recall) => 0..3,
            _ => 0..2,
        }
    }
    fn apply(&mut self, action: u8) {
        self.line.push(action);
    }
    fn players(&self) -> u8 {
        if self.fault == Fault::Players { 0 } else { 2 }
    }
    fn probability(&self, _: u8) -> f64 {
        match self.fault {
            Fault::Probability => f64::NAN,
            Fault::Sum => 0.4,
            _ => 0.5,
        }
    }
    fn reward(&self, player: Player) -> f64 {
        match self.fault {
            Fault::Reward => f64::from(2 * player),
            Fault::Sums => f64::from(self.line[1]) / 2.0,
            _ => 0.5,
        }
    }
}

impl HiddenInformation for Wrong {
    fn determinize(&mut self, _: Player, _: &mut Rng) {}
    fn observe(&self, action: u8, observer: Player) -> Option<u8> {
        (observer == 1 || !self.line.is_empty()).then_some(action)
    }
}

#[test]
fn games_that_break_their_contract_are_errors() {
    let of = |fault| SequenceForm::of(&Wrong { fault, line: vec![] });
    let game = |fault, ply| Err(ExactError::Game { fault, ply });
    let fails = |fault| of(fault).map(|_| ());
    assert_eq!(fails(Fault::Players), game(GameFault::Players { players: 0 }, 0));
    assert_eq!(fails(Fault::UnknownPlayer), game(GameFault::UnknownPlayer { player: 2, players: 2 }, 1));
    assert_eq!(fails(Fault::NoActions), game(GameFault::NoActions, 1));
    assert!(matches!(
        of(Fault::Probability),
        Err(ExactError::Game { fault: GameFault::Probability { .. }, ply: 0 })
    ));
    assert_eq!(fails(Fault::Sum), game(GameFault::ProbabilitySum { sum: 0.8 }, 0));
    assert_eq!(fails(Fault::Reward), game(GameFault::Reward { player: 1, reward: 2.0 }, 2));
    assert_eq!(fails(Fault::Recall), Err(ExactError::Recall { player: 0, ply: 1 }));
    let small = SequenceForm::with_limit(&Wrong { fault: Fault::None, line: vec![] }, 6);
    assert_eq!(small.err(), Some(ExactError::TooLarge { positions: 6 }));
    let form = of(Fault::Sums).expect("a sound game");
    assert_eq!(form.equilibrium().err(), Some(ExactError::NotZeroSum));
    assert_eq!((form.positions(), form.ends()), (7, 4));
    assert_eq!((form.uniform().value(7), form.uniform().best_response(7).value), (0.0, 0.0));
    for wrong in [vec![], vec![1.0], vec![0.5, f64::NAN], vec![1.5, -0.5], vec![0.5, 0.4]] {
        let strategy = |_: Player, _: &[u8], _: &[u8]| wrong.clone();
        let error = form.profile(strategy).err();
        assert!(matches!(&error, Some(ExactError::Probabilities { player: 0, actions: 2, .. })), "{error:?}");
        assert!(error.expect("an error").to_string().contains("for 2 actions"));
    }
}
