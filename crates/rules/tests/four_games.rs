//! The rules kit on games without a mistake. `evidence.rs` shows that it catches mistakes.

use crate::common::bad::{Bad, Fault};
use crate::common::nim::Nim;
use crate::common::pig::Pig;
use crate::common::simple::{Climb, Corridor};
use crate::common::sized;
use crate::quick::Quick;
use ramure::{ActionIndex, GameState, Keyed, Player, Rewards, Rng, StaticEvaluation, Turn};
use ramure_games::connect4::Column;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure_rules::Law;

fn nothing_floats(state: &Connect4) -> bool {
    (0..5).all(|row| {
        (0..7).all(|column| state.cell(row, column).is_some() || state.cell(row + 1, column).is_none())
    })
}

ramure_rules::laws!(
    mod tic_tac_toe, TicTacToe::new();
    hash, text, action_text, serde, symmetry, evaluation, indices, keys, constant_sum = 1.0, winner = TicTacToe::winner, quick = 30
);
ramure_rules::laws!(
    mod connect4, Connect4::new();
    hash, text, action_text, serde, symmetry, evaluation, indices, keys, constant_sum = 1.0, winner = Connect4::winner,
    invariant = nothing_floats, quick = 30
);
ramure_rules::laws!(
    mod hex, Hex::new(5).expect("a size").with_swap();
    hash, text, action_text, serde, symmetry, evaluation, indices, keys, constant_sum = 1.0, winner = Hex::winner, quick = 30
);
ramure_rules::laws!(
    mod hex_with_a_pass, Hex::new(4).expect("a size").with_swap().with_turn(1);
    hash, text, action_text, serde, symmetry, evaluation, indices, keys, constant_sum = 1.0, winner = Hex::winner, quick = 30
);
ramure_rules::laws!(
    mod sudo_tic_tac_toe_local_win, SudoTicTacToe::new(Mode::LocalWin);
    hash, text, action_text, serde, symmetry, evaluation, indices, keys, constant_sum = 1.0, winner = SudoTicTacToe::winner, quick = 30
);
ramure_rules::laws!(
    mod sudo_tic_tac_toe_ultimate, SudoTicTacToe::new(Mode::Ultimate);
    hash, text, action_text, serde, symmetry, evaluation, indices, keys, constant_sum = 1.0, winner = SudoTicTacToe::winner, quick = 30
);
// Three players, dice, one player, a single action, and a game that is over at the start.
ramure_rules::laws!(mod three_players, Nim::<3> { sticks: 11, player: 0 }; hash, indices, evaluation, constant_sum = 1.0);
ramure_rules::laws!(mod dice, Pig::new(6); hash, indices, evaluation, constant_sum = 1.0, games = sized(100, 400));
ramure_rules::laws!(mod one_player, Climb::new(9, 0b1_0110_0101); hash, indices, evaluation);
ramure_rules::laws!(mod no_choice, Corridor { left: 300 }; hash, constant_sum = 1.0, longest = 300, quick = 8, without = Law::Results);
ramure_rules::laws!(mod over, Corridor { left: 0 });
// Actions that own memory.
ramure_rules::laws!(
    mod texts, Texts { left: 12, player: 0 };
    hash, serde, action_text, indices, evaluation, keys, constant_sum = 1.0, winner = Texts::winner, quick = 30
);

/// Two players take turns to take one to three sticks, and say so in words. The player who takes the last
/// one wins.
#[derive(Clone, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
struct Texts {
    left: u8,
    player: Player,
}

impl Texts {
    fn winner(&self) -> Option<Player> {
        (self.left == 0).then_some(1 - self.player)
    }
    fn number(text: &str) -> u8 {
        text.strip_prefix("take ").and_then(|number| number.parse().ok()).expect("it is an action")
    }
}

impl GameState for Texts {
    type Action = String;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = String> {
        (1..=self.left.min(3)).map(|number| format!("take {number}"))
    }
    fn apply(&mut self, taken: String) {
        self.left -= Texts::number(&taken);
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(player != self.player))
    }
}

impl ActionIndex for Texts {
    const ACTION_COUNT: usize = 4;
    fn action_index(action: String) -> usize {
        Texts::number(&action).into()
    }
}

impl StaticEvaluation for Texts {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}

impl Keyed for Texts {
    fn key(&self) -> u128 {
        u128::from(self.left) << 1 | u128::from(self.player)
    }
}

#[test]
fn small_games_are_searched_completely() {
    let check = ramure_rules::check(TicTacToe::new()).hash().states(20_000).games(40);
    let check = if sized(true, false) { check.only([Law::Running]) } else { check };
    let summary = check.run().expect("sound");
    assert_eq!((summary.distinct, summary.complete, summary.games), (Some(5478), true, 40));
    let summary = ramure_rules::check(Nim::<2> { sticks: 5, player: 0 }).run().expect("sound");
    // 1 + 3 + 6 + 7 + ... lines: the compositions of 0..=5 into parts of 1 to 3 number 1, 1, 2, 4, 7, 13.
    let lines = 1 + 1 + 2 + 4 + 7 + 13;
    let of_games: u64 = summary.states - lines;
    assert!(summary.complete && of_games > 0 && summary.distinct.is_none(), "{summary:?}");
    assert!(!ramure_rules::check(Connect4::new()).quick(100).run().expect("sound").complete);
}

#[test]
fn the_summary_describes_random_play() {
    // At random three of four games.
    let (games, random) = sized((5_000, 3_750), (20_000, 15_000));
    let summary =
        ramure_rules::check(TicTacToe::new()).only([Law::Running]).games(games).run().expect("sound");
    // By exact counting, .5849 and .2881 of random games are won, and the mean length is 7.63 actions. With
    // 15 000 games, five standard errors are at most .02, and .04 actions, so a right kit fails with a
    // probability below 2e-6. With a quarter of the games, the errors are twice as large.
    let times = sized(2.0, 1.0);
    let share = |wins: u32| f64::from(wins) / f64::from(random);
    assert!((share(summary.wins[0]) - 0.5849).abs() < times * 0.02, "{summary}");
    assert!((share(summary.wins[1]) - 0.2881).abs() < times * 0.02, "{summary}");
    assert_eq!(summary.wins.iter().sum::<u32>() + summary.draws, random);
    assert!((summary.lengths.mean - 7.63).abs() < times * 0.045, "{summary}");
    assert_eq!((summary.lengths.count, summary.lengths.least, summary.lengths.most), (random.into(), 5, 9));
    assert_eq!((summary.branching.least, summary.branching.most), (1, 9));
    let text = summary.to_string();
    let percent = format!("player 0 wins {:.0}.", (100.0 * share(summary.wins[0])).floor());
    assert!(
        text.contains(&format!("{games}, {random} of them at random")) && text.contains(&percent),
        "{text}"
    );
}

#[test]
fn chance_is_drawn_by_its_probabilities() {
    /// One toss of a coin that shows 1 with a probability of 1/5.
    #[derive(Clone, Debug)]
    struct Coin(Option<u8>);
    impl GameState for Coin {
        type Action = u8;
        fn turn(&self) -> Turn {
            if self.0.is_some() { Turn::Over } else { Turn::Chance }
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            0..if self.0.is_some() { 0 } else { 2 }
        }
        fn apply(&mut self, side: u8) {
            self.0 = Some(side);
        }
        fn reward(&self, player: Player) -> f64 {
            f64::from(u8::from(self.0 == Some(player)))
        }
        fn probability(&self, side: u8) -> f64 {
            [0.8, 0.2][usize::from(side)]
        }
    }
    let summary = ramure_rules::check(Coin(None)).games(8_000).run().expect("sound");
    // 6000 random games: five standard errors are .026.
    assert!((f64::from(summary.wins[1]) / 6_000.0 - 0.2).abs() < 0.026, "{summary}");
}

#[test]
fn a_seed_fixes_everything() {
    let run = |seed| {
        ramure_rules::check(Connect4::new()).seed(seed).hash().games(50).quick(20).run().expect("sound")
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
    let violation = |seed| {
        ramure_rules::check(Bad::new(Fault::Panic, 9)).seed(seed).run().expect_err("it panics").to_string()
    };
    assert_eq!(violation(3), violation(3));
}

#[test]
fn laws_can_be_selected_and_left_out() {
    let summary = ramure_rules::check(TicTacToe::new())
        .hash()
        .only([Law::Unique, Law::Equality])
        .quick(50)
        .run()
        .expect("sound");
    assert_eq!(summary.laws, [Law::Unique, Law::Equality]);
    let summary = ramure_rules::check(TicTacToe::new())
        .without(Law::Clones)
        .without(Law::Unique)
        .quick(50)
        .run()
        .expect("sound");
    assert!(!summary.laws.contains(&Law::Clones) && !summary.laws.contains(&Law::Unique));
    assert!(summary.laws.contains(&Law::RandomFair));
    let rewards = ramure_rules::check(Bad::new(Fault::Reward, 0));
    assert!(rewards.without(Law::Rewards).without(Law::Clones).run().is_ok());
}

#[test]
fn a_law_that_was_not_requested_is_an_error() {
    let violation =
        ramure_rules::check(TicTacToe::new()).only([Law::Text]).run().expect_err("text() is missing");
    assert_eq!(violation.law, Law::Text);
    assert!(violation.what.contains("ask for it"), "{violation}");
}

#[test]
fn a_sum_of_nan_is_never_met() {
    let check = ramure_rules::check(TicTacToe::new()).constant_sum(f64::NAN);
    assert_eq!(check.run().expect_err("no sum is that").law, Law::ConstantSum);
}

/// Three players with ranks: it can be worse to end the game at once than to continue.
#[test]
fn a_win_of_low_reward_need_not_be_found() {
    #[derive(Clone, Debug)]
    struct Ranks {
        points: u8,
        held: Option<u8>,
    }
    impl GameState for Ranks {
        type Action = bool;
        fn turn(&self) -> Turn {
            if self.held.is_some() || self.points == 12 { Turn::Over } else { Turn::Player(self.points % 2) }
        }
        fn actions(&self) -> impl IntoIterator<Item = bool> {
            [true, false].into_iter().filter(|_| self.turn() != Turn::Over)
        }
        fn apply(&mut self, hold: bool) {
            if hold { self.held = Some(self.points % 2) } else { self.points += 1 }
        }
        fn reward(&self, player: Player) -> f64 {
            let margin = 0.05 + f64::from(self.points) / 30.0;
            match self.held {
                Some(winner) if winner == player => 0.5 + margin,
                Some(_) => 0.5 - margin,
                None => 0.5,
            }
        }
    }
    let game = Ranks { points: 0, held: None };
    for seed in 0..sized(2, 20) {
        let check = ramure_rules::check(game.clone()).constant_sum(1.0).winner(|state| state.held).seed(seed);
        check.run().unwrap_or_else(|violation| panic!("{violation}"));
    }
}

/// Sticks, with a shortcut for random games that looks right: a coin toss decides which player takes the last
/// stick.
#[derive(Clone, Debug)]
struct Hasty(Nim<3>);

impl GameState for Hasty {
    type Action = u8;

    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        Vec::from_iter(self.0.actions())
    }
    fn apply(&mut self, taken: u8) {
        self.0.apply(taken);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
    fn players(&self) -> u8 {
        3
    }
    fn random_rollout(&mut self, rng: &mut Rng) {
        self.0 = Nim { sticks: 0, player: rng.below(2) as u8 };
    }
}

/// Connect 4, with several random games at once that are wrong.
#[derive(Clone, Debug)]
struct Several {
    game: Connect4,
    wrong: fn(&Connect4, u32, &mut Rng) -> Rewards,
}

impl GameState for Several {
    type Action = Column;

    fn turn(&self) -> Turn {
        self.game.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = Column> {
        self.game.actions()
    }
    fn apply(&mut self, column: Column) {
        self.game.apply(column);
    }
    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
    fn random_rollouts(&self, games: u32, rng: &mut Rng) -> Option<Rewards> {
        Some((self.wrong)(&self.game, games, rng))
    }
}

/// O loses with every action: at once with two of three, a little later with the third, which a search finds.
/// So O may play any of them.
#[test]
fn a_player_in_a_lost_position_may_lose_at_once() {
    let text = ".X.|OO.|OOX\n.X.|...|..X\n.X.|XXX|O..\n---+---+---\nO.X|OXX|X..\nOX.|X.O|.XX\nXO.|.OO|OOO\n\
        ---+---+---\nO.O|O..|OXO\nX.O|.OX|XO.\nX.X|XXX|.OO\nmode: ultimate\nnext: 7\nmoves: 51\nstatus: O to play";
    let lost: SudoTicTacToe = text.parse().expect("a position");
    for seed in 0..sized(3, 20) {
        let check =
            ramure_rules::check(lost).only([Law::BlocksLoss]).winner(SudoTicTacToe::winner).seed(seed);
        check.run().expect("no law is broken");
    }
}

#[test]
fn a_shortcut_with_wrong_probabilities_is_a_violation() {
    for seed in 0..20 {
        let check = ramure_rules::check(Hasty(Nim { sticks: 9, player: 0 })).seed(seed);
        let violation = check.run().expect_err("only two of three ever win");
        assert_eq!(violation.law, Law::RandomRollout);
        assert!(violation.actions.is_empty(), "{violation}");
        assert!(violation.what.contains("games ended by `random_rollout`"), "{violation}");
    }
}

#[test]
fn several_random_games_with_wrong_rewards_are_a_violation() {
    fn right(game: &Connect4, games: u32, rng: &mut Rng) -> Rewards {
        game.random_rollouts(games, rng).expect("it plays several games at once")
    }
    type Wrong = fn(&Connect4, u32, &mut Rng) -> Rewards;
    fn swapped(rewards: Rewards) -> Rewards {
        Rewards::new(2, |player| rewards[1 - player])
    }
    let wrong: [(Wrong, &str); 8] = [
        // The winner is taken for the loser in a single game, in a few games, and in those that remain after
        // two vectors.
        (
            |game, games, rng| {
                if games == 1 { swapped(right(game, 1, rng)) } else { right(game, games, rng) }
            },
            "1 at a time",
        ),
        (
            |game, games, rng| {
                if games == 3 { swapped(right(game, 3, rng)) } else { right(game, games, rng) }
            },
            "3 at a time",
        ),
        (
            |game, games, rng| {
                let (many, rest) = (games / 8 * 8, games % 8);
                if many == 0 || rest == 0 {
                    return right(game, games, rng);
                }
                let (most, least) = (right(game, many, rng), swapped(right(game, rest, rng)));
                let share = rest as f32 / games as f32;
                Rewards::new(2, |player| most[player] * (1.0 - share) + least[player] * share)
            },
            "20 at a time",
        ),
        // The winner is taken for the loser.
        (|game, games, rng| Rewards::new(2, |player| right(game, games, rng)[1 - player]), "mean reward"),
        // The games that do not fill a vector are not played.
        (
            |game, games, rng| {
                let played = games / 8 * 8;
                Rewards::new(2, |player| right(game, played, rng)[player] * played as f32 / games as f32)
            },
            "mean reward",
        ),
        // A sum, not a mean.
        (
            |game, games, rng| Rewards::new(2, |player| right(game, games, rng)[player] * games as f32),
            "rewards are in [0, 1]",
        ),
        (
            |game, games, rng| Rewards::new(3, |player| right(game, games, rng)[player % 2]),
            "there are 2 players",
        ),
        (|_, _, _| Rewards::new(2, |_| f32::NAN), "NaN"),
    ];
    // Red has three in a column, and no random player sees it.
    let mut start = Connect4::new();
    for column in [3, 0, 3, 0, 3].map(Column::new) {
        start.apply(column.expect("a column"));
    }
    let check = |wrong: Wrong, seed| {
        let check = ramure_rules::check(Several { game: start, wrong }).only([Law::RandomRollout]);
        check.games(20).seed(seed).run().map_err(Box::new)
    };
    let mut missed = [0; 8];
    for seed in 0..sized(1, 20) {
        check(right, seed).unwrap_or_else(|violation| panic!("{violation}"));
        for ((wrong, what), missed) in wrong.into_iter().zip(&mut missed) {
            let Err(violation) = check(wrong, seed) else {
                *missed += 1;
                continue;
            };
            assert_eq!(violation.law, Law::RandomRollout);
            assert!(
                violation.what.contains("`random_rollouts`") && violation.what.contains(what),
                "{violation}"
            );
        }
    }
    // That the last four of 20 games are wrong is seen with most seeds.
    assert!(missed.iter().all(|&missed| missed <= sized(0, 5)), "{missed:?}");
}

/// A right game must not fail by chance, with a probability below 1e-7 for each of 300 seeds. (Draws that
/// depended on each other once made it fail for one seed in a few hundred.)
#[test]
fn a_correctly_drawn_loaded_die_never_fails() {
    for seed in 0..sized(3, 300) {
        let check = ramure_rules::check(Pig::new(4)).only([Law::RandomFair, Law::RandomRollout]).seed(seed);
        check.run().unwrap_or_else(|violation| panic!("seed {seed}: {violation}"));
    }
}
