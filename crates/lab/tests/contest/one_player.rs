//! Matches on one-player games: each agent plays alone, and the scores of the same games are compared.

use ramure::SearchError;
use ramure::{GameState, Player, Turn};
use ramure_agents::Agent;
use ramure_lab::Recipe;
use ramure_lab::contest::{Conditions, ContestError, Match, RoundRobin, Sprt, Verdict};

/// A die is thrown once. The player may then throw it again, and the second throw counts instead of the
/// first.
#[derive(Clone, Copy, Debug)]
struct Twice {
    shown: Option<u8>,
    is_thrown: bool,
    is_over: bool,
}

impl GameState for Twice {
    /// 0 keeps the die, 1 throws it again; 2 to 7 are the faces.
    type Action = u8;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        match (self.is_over, self.is_thrown) {
            (true, _) => Turn::Over,
            (_, true) => Turn::Chance,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        match self.turn() {
            Turn::Chance => 2..8,
            Turn::Player(_) => 0..2,
            _ => 0..0,
        }
    }
    fn apply(&mut self, action: u8) {
        match action {
            0 => self.is_over = true,
            1 => self.is_thrown = true,
            face => {
                self.is_over = self.shown.is_some();
                (self.shown, self.is_thrown) = (Some(face - 2), false);
            }
        }
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.shown.unwrap_or(0)) / 5.0
    }
    fn probability(&self, _: u8) -> f64 {
        1.0 / 6.0
    }
}

const DIE: Twice = Twice { shown: None, is_thrown: true, is_over: false };

/// An agent that throws again if the first throw is below this number.
struct Below(u8);

impl Agent<Twice> for Below {
    fn name(&self) -> String {
        format!("below {}", self.0)
    }

    fn choose(&mut self, state: &Twice) -> Result<u8, SearchError> {
        Ok(u8::from(state.shown.is_some_and(|shown| shown < self.0)))
    }
}

fn agents() -> [Recipe<Twice>; 2] {
    [Recipe::new(|| Below(3)), Recipe::new(|| Below(0))]
}

/// A second throw after a throw below 3 is worth (4 + 2.5) / 2 = 3.25 points of 5, and a single throw 2.5, so
/// the difference is .15. It lies outside a 95 % interval with a probability of 5 %; the seed is fixed.
#[test]
fn two_agents_are_compared_by_their_scores_in_paired_games() {
    let result = Match::new(DIE, agents()).run(&Conditions::games(400).openings(0).seed(4)).expect("a match");
    let records = &result.played.records;
    assert_eq!(records.len(), 800);
    let of = |agent: usize| records.iter().filter(move |record| record.seats == [agent]);
    let mut differences = Vec::new();
    for (one, other) in of(0).zip(of(1)) {
        assert_eq!((one.game, one.actions[0]), (other.game, other.actions[0]), "the same luck");
        differences.push(one.rewards[0] - other.rewards[0]);
    }
    assert_eq!(differences.len(), 400);
    let mean = differences.iter().sum::<f64>() / 400.0;
    let squares: f64 = differences.iter().map(|difference| (difference - mean) * (difference - mean)).sum();
    let error = (squares / 399.0 / 400.0).sqrt();
    let difference = result.difference().expect("both have played");
    assert!((difference.value - mean).abs() < 1e-12);
    // Student's quantile for 399 degrees of freedom.
    assert!((difference.high - mean - 1.965_9 * error).abs() < 1e-4 * error, "{difference}");
    assert!(difference.low < 0.15 && 0.15 < difference.high && difference.low > 0.0, "{difference}");
    for (standing, agent) in result.standings.iter().zip([0, 1]) {
        let score = of(agent).map(|record| record.rewards[0]).sum::<f64>() / 400.0;
        assert!((standing.score.expect("it has played").value - score).abs() < 1e-12);
    }
    assert_eq!(
        (result.standings[0].name.as_str(), result.standings[1].name.as_str()),
        ("below 3", "below 0")
    );
    assert!(
        result.to_string().contains(&format!("difference of the scores, game by game: {difference}")),
        "{result}"
    );
}

#[test]
fn a_sequential_test_of_two_agents_ends_early_and_finds_the_better_one() {
    let conditions = Conditions::games(2_000).openings(0).seed(5);
    let (result, test) = Match::new(DIE, agents()).test(&conditions, Sprt::new(0.0, 50.0)).expect("a match");
    assert_eq!(test.verdict, Verdict::Accept);
    assert!(result.played.records.len() < 4_000);
    let [better, worse] = agents();
    let (_, test) =
        Match::new(DIE, [worse, better]).test(&conditions, Sprt::new(0.0, 50.0)).expect("a match");
    assert_eq!(test.verdict, Verdict::Reject);
}

#[test]
fn one_agent_plays_alone_and_a_two_player_game_has_no_difference() {
    let alone =
        Match::new(DIE, agents()[..1].to_vec()).run(&Conditions::games(4).openings(0)).expect("a match");
    assert_eq!((alone.standings.len(), alone.difference()), (1, None));
    let three = [agents().to_vec(), vec![Recipe::new(|| Below(6))]].concat();
    let three = Match::new(DIE, three).run(&Conditions::games(4).openings(0)).expect("a match");
    assert_eq!((three.standings.len(), three.difference()), (3, None));
    let robin = RoundRobin::new(DIE, agents()).run(&Conditions::games(4)).expect_err("each plays alone");
    assert!(robin.to_string().ends_with("use a `Match`, in which each agent plays alone"), "{robin}");
    let nobody = Match::new(DIE, []).run(&Conditions::games(4));
    assert!(matches!(nobody, Err(ContestError::NobodyPlays)));
}
