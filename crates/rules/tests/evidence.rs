//! The rules kit catches mistakes. Each mistake in `wrong_games` is caught by the law, the twin or the table
//! that should catch it, with the default settings and any seed. In games without a mistake, the kit finds
//! none. The quick size has one seed, checks fewer games and states, and starts some games near the mistake.

use crate::common::sized;
use crate::quick::{Quick, shallow};
use crate::support::play;
use crate::wrong_games::{chomp, connect4, hex, knapsack, nim, pig, sticks, sudo, tic_tac_toe};
use ramure::GameState;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure_rules::{Check, Law};
use std::fmt::{self, Debug, Display};
use std::ops::Range;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The actions that lead to a late state of Ultimate Tic-Tac-Toe.
const LATE_SUDO: &str = "3.2 2.7 7.3 3.4 4.2 2.8 8.5 5.8 8.1 1.3 3.9 9.5 5.1 1.2 2.1 1.4 4.7 7.5 5.3 3.5 5.4 4.6 6.6 6.1 1.1 \
     1.9 9.8 8.7 7.4 4.8 8.4 4.3 3.1 1.5 5.6 6.4 4.4 4.5 5.2 2.9 9.1 1.7 7.1 3.8 8.3 3.3 3.7 7.8 8.2 7.7 7.9 9.4 4.1 6.8 \
     9.9 9.2 9.6";

/// The actions that almost fill the board of Connect 4.
const LATE_CONNECT4: &str = "6 2 6 0 2 0 4 4 2 3 3 6 0 4 4 4 6 6 1 1 4 1 6 0 0 5 2 5 5 5 0 2 2 1 5";

/// The actions that lead to a state of Ultimate Tic-Tac-Toe in which a player has two boards of the diagonal
/// that [`sudo::Mistake::LineOfBoardsForgotten`] forgets, and almost the third.
const TWO_BOARDS_OF_A_LINE: &str = "8.7 7.1 1.4 4.3 3.1 1.2 2.5 5.7 7.5 5.3 3.3 3.7 7.6 6.1 1.6 6.8 8.5 5.1 1.7 7.4 \
     4.4 4.6 6.5 5.9 9.3 3.4 4.7 7.7 9.2 2.9 9.1 1.1 1.3 3.6 6.9 6.7 8.3 3.5";

/// The actions that almost fill the four lowest rows of Connect 4.
const FOUR_ROWS_OF_CONNECT4: &str = "2 2 5 3 2 4 4 2 1 3 1 3 3 6 4 4 6 0 0 1 5 1 6 5 0 5 0";

/// The seeds of each check.
fn seeds() -> Range<u64> {
    0..sized(1, 20)
}

mod every_mistake_is_caught_by_its_law {
    use super::*;

    #[test]
    fn in_tic_tac_toe() {
        let check = |mistake| {
            let start = if mistake == tic_tac_toe::Mistake::LineMistyped { "" } else { "5 2" };
            check_tic_tac_toe_after(sized(start, ""), mistake)
        };
        assert_caught(tic_tac_toe::Mistake::ALL, check, |mistake| {
            use tic_tac_toe::Mistake as M;
            match mistake {
                M::None => &[],
                // In a transformed board, the missing line is elsewhere, or there is a line that should not
                // be.
                M::DiagonalForgotten | M::LineMistyped => &[Law::Agreement, Law::Symmetry],
                M::LooksForALineOfTheNextPlayer => &[Law::Agreement],
                M::FullBoardRunsOn => &[Law::Running],
                M::DrawIsALoss => &[Law::ConstantSum],
                M::LossIsMinusOne => &[Law::Rewards],
                M::ReadsUpsideDown => &[Law::Text],
                M::EvaluationUnbounded => &[Law::Evaluation],
                M::ActionsTurnBack => &[Law::Symmetry],
                M::DrawsInTheOrderOfPlay => &[Law::Equality, Law::Text],
            }
        });
    }

    #[test]
    fn in_connect4() {
        let check = |mistake| {
            // Long lines take long to shorten, so the quick size starts near the mistake.
            let start = match mistake {
                connect4::Mistake::RandomTakesTheNextFree
                | connect4::Mistake::RandomDrawsFullColumns
                | connect4::Mistake::LegalForgetsFullColumns => sized("0 0 0 0 0", ""),
                connect4::Mistake::FullARowTooEarly => sized(FOUR_ROWS_OF_CONNECT4, ""),
                connect4::Mistake::LastStoneIsADraw => sized(LATE_CONNECT4, ""),
                _ => sized("3 2 3 2", ""),
            };
            check_connect4_after(start, mistake)
        };
        assert_caught(connect4::Mistake::ALL, check, |mistake| {
            use connect4::Mistake as M;
            match mistake {
                M::None => &[],
                M::WrapsAround | M::DiagonalForgotten => &[Law::Agreement, Law::Symmetry],
                M::VerticalForgotten | M::ThreeSuffice | M::LastStoneIsADraw => &[Law::Agreement],
                M::FullColumnsListed | M::SecondPlayerBegins => &[Law::Agreement],
                M::FullARowTooEarly => &[Law::Running, Law::Agreement],
                M::LegalForgetsFullColumns => &[Law::Legal],
                M::RandomTakesTheNextFree => &[Law::RandomFair],
                M::RandomDrawsFullColumns => &[Law::RandomLegal],
                M::RewardForAnyWin => &[Law::Winner, Law::ConstantSum],
                M::RewardToThePlayerToMove => &[Law::Winner, Law::FindsWin, Law::BlocksLoss],
                // A win in one need not be the best result, because no law forbids a better one.
                M::SlowWinsAreWorthMore => &[Law::Agreement],
                M::HashSeesTheLastColumn => &[Law::Equality],
                M::MirrorForgetsTheAction => &[Law::Symmetry],
            }
        });
    }

    #[test]
    fn in_hex() {
        assert_caught(hex::Mistake::ALL, check_hex, |mistake| {
            use hex::Mistake as M;
            match mistake {
                M::None => &[],
                // A full board may have no winner, and its mirror image may have a different winner.
                M::NeighbourForgotten | M::BothJoinTopAndBottom => {
                    &[Law::Agreement, Law::Running, Law::Symmetry]
                }
                M::NeighboursOfTheMirrorImage => &[Law::Agreement],
                M::SwapIsNotMirrored | M::SwapMayBeSwapped | M::SwapKeepsTheTurn => &[Law::Agreement],
                M::PanicsAtTheEdge => &[Law::Calls],
                M::RandomNeverSwaps | M::RandomTossesACoin => &[Law::RandomFair],
                M::WinnerIsShared => &[Law::Clones],
                M::MirrorKeepsTheOwners => &[Law::Symmetry],
            }
        });
    }

    #[test]
    fn in_sudo_tic_tac_toe() {
        assert_caught(
            sudo::Mistake::ALL,
            |mistake| {
                // Long lines take long to shorten, so the quick size starts near the mistake.
                use sudo::Mistake as M;
                let start = match mistake {
                    M::DrawnBoardIsAJoker
                    | M::MoreBoardsWin
                    | M::OverWhenAllIsFull
                    | M::EqForgetsTheNextBoard
                    | M::RandomDrawsTheBoardFirst => LATE_SUDO,
                    M::LineOfBoardsForgotten => TWO_BOARDS_OF_A_LINE,
                    M::FreeChoiceMarksForTheOther
                    | M::OverWithTheFirstBoard
                    | M::SentToAWonBoard
                    | M::SentToAClosedBoard => "5.1 1.5 5.2 2.5",
                    _ => "",
                };
                check_sudo_after(sized(start, ""), Mode::Ultimate, mistake)
            },
            |mistake| {
                use sudo::Mistake as M;
                match mistake {
                    M::None => &[],
                    M::FreeChoiceMarksForTheOther | M::OverWithTheFirstBoard | M::SentToAWonBoard => {
                        &[Law::Agreement]
                    }
                    M::SentToTheSameBoard | M::LineOfBoardsForgotten => &[Law::Agreement],
                    M::DrawnBoardIsAJoker | M::MoreBoardsWin => &[Law::Agreement],
                    M::SentToAClosedBoard | M::OverWhenAllIsFull => &[Law::Running, Law::Agreement],
                    M::EqForgetsTheNextBoard => &[Law::Equality],
                    M::TextForgetsTheNextBoard | M::ReadsRowsAsBoards => &[Law::Text],
                    M::RandomDrawsTheBoardFirst => &[Law::RandomFair],
                    M::RandomForgetsTheNextBoard => &[Law::RandomLegal],
                    M::LegalForgetsTheNextBoard => &[Law::Legal],
                }
            },
        );
    }

    #[test]
    fn in_nim() {
        assert_caught(nim::Mistake::ALL, check_nim, |mistake| {
            use nim::Mistake as M;
            match mistake {
                M::None => &[],
                M::HeapsAreShared => &[Law::Clones],
                M::TurnIsStatic => &[Law::Clones, Law::Replay],
                M::PlayersFromOne => &[Law::Turns],
                M::WholeHeapListedTwice => &[Law::Unique],
                M::ListedFromAHashSet => &[Law::Order],
                M::TakingNothing => &[Law::Ends],
                M::TakingMoreThanThereIs | M::CountsForEver => &[Law::Calls],
                M::LastOneLoses | M::EmptyingAHeapKeepsTheTurn => &[Law::Agreement],
                M::WinIsTwo => &[Law::Rewards],
                M::FirstPlayerIsPaid => &[Law::Winner, Law::FindsWin],
                M::EqForgetsTheTurn | M::EqSortsTheHeaps => &[Law::Equality],
            }
        });
    }

    #[test]
    fn in_pig() {
        assert_caught(pig::Mistake::ALL, check_pig, |mistake| {
            use pig::Mistake as M;
            match mistake {
                M::None => &[],
                M::WeightsOfAFifth | M::FaceOfWeightZero => &[Law::Probabilities],
                M::RandomForgetsTheLoad => &[Law::RandomFair],
                M::RollsWithoutChance => &[Law::Replay],
                M::PlayerChoosesTheFace | M::OneKeepsTheTurn | M::OneKeepsThePot => &[Law::Agreement],
                M::TurnsAreNotCounted => &[Law::Ends],
                M::SharesOfNothing => &[Law::Rewards],
                M::EvaluationOfNothing => &[Law::Evaluation],
            }
        });
    }

    #[test]
    fn in_sticks_for_three() {
        assert_caught(sticks::Mistake::ALL, check_sticks, |mistake| {
            use sticks::Mistake as M;
            match mistake {
                M::None => &[],
                M::PlayersForgotten | M::PlayersWhoMayWin | M::TurnPassesWhenAsked => &[Law::Turns],
                M::ThirdNeverMoves | M::TurnStays => &[Law::Agreement, Law::Moves],
                M::NextPlayerIsPaid => &[Law::Winner, Law::FindsWin, Law::BlocksLoss],
                M::LosersGetAHalf => &[Law::ConstantSum],
                M::AllArePaid => &[Law::ConstantSum, Law::Results],
                M::SumsToZero => &[Law::Rewards],
            }
        });
    }

    #[test]
    fn in_a_knapsack() {
        assert_caught(knapsack::Mistake::ALL, check_knapsack, |mistake| {
            use knapsack::Mistake as M;
            match mistake {
                M::None => &[],
                M::RewardNotScaled | M::RewardIsHandedOut => &[Law::Rewards],
                M::TurnsAlternate => &[Law::Turns],
                M::OverWhenNothingIsLeft => &[Law::Running],
                M::ListsWhatDoesNotFit => &[Law::Agreement],
                M::OrderDependsOnTheWay => &[Law::Equality],
                M::EvaluationOfNothing => &[Law::Evaluation],
            }
        });
    }

    #[test]
    fn in_chomp() {
        use chomp::Mistake as M;
        assert_caught(&[M::IndicesOfNarrowRows], |_| check_chomp::<1>(), |_| &[Law::Indices]);
        assert_caught(&[M::IndicesFromOne], |_| check_chomp::<2>(), |_| &[Law::Indices]);
        assert_caught(&[M::ReadsFromZero], |_| check_chomp::<3>(), |_| &[Law::ActionText]);
        assert_caught(&[M::ReadsRowFirst], |_| check_chomp::<4>(), |_| &[Law::ActionText]);
        assert_eq!(M::ALL, [M::IndicesOfNarrowRows, M::IndicesFromOne, M::ReadsFromZero, M::ReadsRowFirst]);
    }
}

mod correct_games_break_no_law {
    use super::*;

    #[test]
    fn in_tic_tac_toe() {
        assert_right(|| check_tic_tac_toe(tic_tac_toe::Mistake::None));
    }

    #[test]
    fn in_connect4() {
        assert_right(|| check_connect4(connect4::Mistake::None));
    }

    #[test]
    fn in_hex() {
        assert_right(|| check_hex(hex::Mistake::None));
    }

    #[test]
    fn in_sudo_tic_tac_toe() {
        assert_right(|| check_sudo(Mode::LocalWin, sudo::Mistake::None));
        assert_right(|| check_sudo(Mode::Ultimate, sudo::Mistake::None));
    }

    #[test]
    fn in_nim() {
        assert_right(|| check_nim(nim::Mistake::None));
    }

    #[test]
    fn in_pig() {
        assert_right(|| check_pig(pig::Mistake::None));
    }

    #[test]
    fn in_sticks_for_three() {
        assert_right(|| check_sticks(sticks::Mistake::None));
    }

    #[test]
    fn in_a_knapsack() {
        assert_right(|| check_knapsack(knapsack::Mistake::None));
    }

    #[test]
    fn in_chomp() {
        assert_right(check_chomp::<0>);
    }
}

/// Mistakes that make a different game, with different counts.
mod every_wrong_game_has_other_counts {
    use super::*;

    #[test]
    fn in_tic_tac_toe() {
        use tic_tac_toe::Mistake as M;
        let table = include_str!("perft/tic_tac_toe.perft");
        let mistakes =
            [M::DiagonalForgotten, M::LineMistyped, M::LooksForALineOfTheNextPlayer, M::FullBoardRunsOn];
        assert_miscounted(tic_tac_toe::TicTacToe::new, M::None, &mistakes, table);
    }

    #[test]
    fn in_connect4() {
        use connect4::Mistake as M;
        let table = include_str!("perft/connect4.perft");
        let mistakes = [
            M::WrapsAround,
            M::VerticalForgotten,
            M::DiagonalForgotten,
            M::ThreeSuffice,
            M::LastStoneIsADraw,
            M::FullARowTooEarly,
            M::FullColumnsListed,
            M::RewardForAnyWin,
            M::RewardToThePlayerToMove,
            M::SecondPlayerBegins,
        ];
        assert_miscounted(connect4::Connect4::new, M::None, &mistakes, table);
    }

    #[test]
    fn in_hex() {
        use hex::Mistake as M;
        let table = include_str!("perft/hex_3x3_swap.perft");
        // The neighbours of the mirror image are missing here: that game has the same number of lines, with
        // other cells.
        let mistakes = [
            M::NeighbourForgotten,
            M::BothJoinTopAndBottom,
            M::SwapIsNotMirrored,
            M::SwapMayBeSwapped,
            M::SwapKeepsTheTurn,
        ];
        assert_miscounted(|mistake| hex::Hex::new(3, mistake), M::None, &mistakes, table);
    }

    #[test]
    fn in_sudo_tic_tac_toe() {
        use sudo::Mistake as M;
        let mistakes = [
            M::FreeChoiceMarksForTheOther,
            M::OverWithTheFirstBoard,
            M::SentToAWonBoard,
            M::SentToAClosedBoard,
            M::SentToTheSameBoard,
            M::LineOfBoardsForgotten,
            M::DrawnBoardIsAJoker,
            M::MoreBoardsWin,
            M::OverWhenAllIsFull,
        ];
        let table = include_str!("perft/sudo_ultimate.perft");
        assert_miscounted(|mistake| sudo::Sudo::new(Mode::Ultimate, mistake), M::None, &mistakes, table);
        // In mode 1, few random games reach a full board, but the third section of the table does.
        let mistakes = [M::FreeChoiceMarksForTheOther, M::SentToAClosedBoard, M::SentToTheSameBoard];
        let table = include_str!("perft/sudo_local_win.perft");
        assert_miscounted(|mistake| sudo::Sudo::new(Mode::LocalWin, mistake), M::None, &mistakes, table);
    }
}

#[test]
fn mistakes_that_make_another_valid_game_break_no_law() {
    assert_lawful(check_connect4(connect4::Mistake::VerticalForgotten));
    assert_lawful(check_hex(hex::Mistake::NeighboursOfTheMirrorImage));
    assert_lawful(check_nim(nim::Mistake::LastOneLoses));
    assert_lawful(check_pig(pig::Mistake::OneKeepsTheTurn));
    assert_lawful(check_sticks(sticks::Mistake::ThirdNeverMoves).without(Law::Moves));
}

/// The bounds are the smallest possible.
#[test]
fn lines_are_as_short_as_possible() {
    let of_tic_tac_toe = |mistake, law, least| assert_short(|| check_tic_tac_toe(mistake), law, least);
    of_tic_tac_toe(tic_tac_toe::Mistake::DiagonalForgotten, Law::Agreement, 5);
    of_tic_tac_toe(tic_tac_toe::Mistake::FullBoardRunsOn, Law::Running, 9);
    of_tic_tac_toe(tic_tac_toe::Mistake::DrawIsALoss, Law::ConstantSum, 9);
    let of_connect4 = |mistake, law, least| assert_short(|| check_connect4(mistake), law, least);
    of_connect4(connect4::Mistake::VerticalForgotten, Law::Agreement, 7);
    of_connect4(connect4::Mistake::FullARowTooEarly, Law::Agreement, 5);
    of_connect4(connect4::Mistake::HashSeesTheLastColumn, Law::Equality, 3);
    if sized(false, true) {
        of_connect4(connect4::Mistake::LastStoneIsADraw, Law::Agreement, 42);
        of_connect4(connect4::Mistake::FullARowTooEarly, Law::Running, 35);
        of_connect4(connect4::Mistake::LegalForgetsFullColumns, Law::Legal, 6);
        of_connect4(connect4::Mistake::RandomDrawsFullColumns, Law::RandomLegal, 6);
    }
    let (near, least) = sized(("0 0 0 0 0", 1), ("", 6));
    let check = || check_connect4_after(near, connect4::Mistake::RandomTakesTheNextFree);
    assert_short(check, Law::RandomFair, least);
    let of_hex = |mistake, law, least| assert_short(|| check_hex(mistake), law, least);
    of_hex(hex::Mistake::NeighbourForgotten, Law::Agreement, sized(5, 7));
    of_hex(hex::Mistake::NeighbourForgotten, Law::Running, sized(9, 16));
    of_hex(hex::Mistake::SwapIsNotMirrored, Law::Agreement, 2);
    of_hex(hex::Mistake::PanicsAtTheEdge, Law::Calls, 2);
    let of_sudo = |mistake, law, least| assert_short(|| check_sudo(Mode::Ultimate, mistake), law, least);
    of_sudo(sudo::Mistake::OverWithTheFirstBoard, Law::Agreement, 5);
    of_sudo(sudo::Mistake::TextForgetsTheNextBoard, Law::Text, 1);
    if sized(false, true) {
        of_sudo(sudo::Mistake::SentToAWonBoard, Law::Agreement, 6);
        of_sudo(sudo::Mistake::SentToAClosedBoard, Law::Running, 6);
    }
    let of_nim = |mistake, law, least| assert_short(|| check_nim(mistake), law, least);
    of_nim(nim::Mistake::TakingNothing, Law::Ends, 2);
    of_nim(nim::Mistake::EqForgetsTheTurn, Law::Equality, 2);
    of_nim(nim::Mistake::TakingMoreThanThereIs, Law::Calls, 2);
}

// Every law that each game can be checked against.

fn check_tic_tac_toe(mistake: tic_tac_toe::Mistake) -> Check<tic_tac_toe::TicTacToe> {
    check_tic_tac_toe_after("", mistake)
}

fn check_tic_tac_toe_after(actions: &str, mistake: tic_tac_toe::Mistake) -> Check<tic_tac_toe::TicTacToe> {
    let start = play(tic_tac_toe::TicTacToe::new(mistake), actions);
    let twin = play(TicTacToe::new(), actions);
    let check = ramure_rules::check(start).winner(tic_tac_toe::TicTacToe::winner);
    check.hash().text().action_text().symmetry().evaluation().constant_sum(1.0).twin(twin)
}

fn check_connect4(mistake: connect4::Mistake) -> Check<connect4::Connect4> {
    check_connect4_after("", mistake)
}

fn check_connect4_after(actions: &str, mistake: connect4::Mistake) -> Check<connect4::Connect4> {
    let start = play(connect4::Connect4::new(mistake), actions);
    let check = ramure_rules::check(start).winner(connect4::Connect4::winner);
    check.hash().action_text().symmetry().constant_sum(1.0).twin(play(Connect4::new(), actions))
}

fn check_hex(mistake: hex::Mistake) -> Check<hex::Hex> {
    let size = sized(3, 4);
    let twin = Hex::new(size).expect("a valid size").with_swap();
    let check = ramure_rules::check(hex::Hex::new(size.into(), mistake)).winner(hex::Hex::winner);
    check.action_text().symmetry().constant_sum(1.0).twin(twin)
}

fn check_sudo(mode: Mode, mistake: sudo::Mistake) -> Check<sudo::Sudo> {
    check_sudo_after("", mode, mistake)
}

fn check_sudo_after(actions: &str, mode: Mode, mistake: sudo::Mistake) -> Check<sudo::Sudo> {
    let check = ramure_rules::check(play(sudo::Sudo::new(mode, mistake), actions)).winner(sudo::Sudo::winner);
    check.hash().text().action_text().constant_sum(1.0).twin(play(SudoTicTacToe::new(mode), actions))
}

fn check_nim(mistake: nim::Mistake) -> Check<nim::Nim> {
    let of = |mistake| nim::Nim::new(&[3, 4, 5], mistake);
    ramure_rules::check(of(mistake))
        .winner(nim::Nim::winner)
        .hash()
        .constant_sum(1.0)
        .twin(of(nim::Mistake::None))
}

fn check_pig(mistake: pig::Mistake) -> Check<pig::Pig> {
    let check = ramure_rules::check(pig::Pig::new(mistake));
    check.evaluation().constant_sum(1.0).twin(pig::Pig::new(pig::Mistake::None))
}

fn check_sticks(mistake: sticks::Mistake) -> Check<sticks::Sticks> {
    let of = |mistake| sticks::Sticks::new(12, mistake);
    ramure_rules::check(of(mistake))
        .winner(sticks::Sticks::winner)
        .constant_sum(1.0)
        .twin(of(sticks::Mistake::None))
}

fn check_knapsack(mistake: knapsack::Mistake) -> Check<knapsack::Knapsack> {
    let twin = knapsack::Knapsack::new(knapsack::Mistake::None);
    ramure_rules::check(knapsack::Knapsack::new(mistake)).hash().evaluation().twin(twin)
}

fn check_chomp<const MISTAKE: usize>() -> Check<chomp::Chomp<MISTAKE>> {
    ramure_rules::check(chomp::Chomp::new()).action_text().indices().constant_sum(1.0)
}

/// Goes through fewer states before the games, which catch most mistakes.
fn fewer_states<G: GameState + Debug + 'static>(check: Check<G>) -> Check<G> {
    check.states(sized(100, 1_000))
}

/// The result of the search for one mistake with one law.
struct Trial {
    mistake: String,
    law: Law,
    /// The seeds with which the law did not catch the mistake, and what was found instead.
    missed: Vec<(u64, Option<Law>)>,
    /// The most actions needed to show the mistake.
    longest: usize,
    /// The mean time of a check.
    time: Duration,
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trial { mistake, law, missed, longest, time } = self;
        let caught = seeds().count() - missed.len();
        write!(f, "{mistake:30} {:13} {caught:2} {longest:3} {time:9.1?}", format!("{law:?}"))?;
        if missed.is_empty() { Ok(()) } else { write!(f, "  missed: {missed:?}") }
    }
}

fn try_for<G: GameState + Debug + 'static>(mistake: String, law: Law, check: impl Fn() -> Check<G>) -> Trial {
    let start = Instant::now();
    let (mut missed, mut longest) = (Vec::new(), 0);
    for seed in seeds() {
        match fewer_states(check()).only([law]).seed(seed).run() {
            Err(violation) if violation.law == law => longest = longest.max(violation.actions.len()),
            other => missed.push((seed, other.err().map(|violation| violation.law))),
        }
    }
    Trial { mistake, law, missed, longest, time: start.elapsed() / seeds().count() as u32 }
}

/// Checks that each of `laws` catches the mistake by itself, with every seed.
fn assert_caught<M: Copy + Debug, G: GameState + Debug + 'static>(
    mistakes: &[M],
    check: impl Fn(M) -> Check<G>,
    laws: impl Fn(M) -> &'static [Law],
) {
    let mut trials = Vec::new();
    for &mistake in mistakes {
        assert!(!laws(mistake).is_empty(), "no law is named for {mistake:?}");
        for &law in laws(mistake) {
            trials.push(try_for(format!("{mistake:?}"), law, || check(mistake)));
        }
    }
    let table = || Vec::from_iter(trials.iter().map(Trial::to_string)).join("\n");
    println!("{}", table());
    assert!(trials.iter().all(|trial| trial.missed.is_empty()), "\n{}\n", table());
}

/// Checks that no law is broken.
fn assert_right<G: GameState + Debug + 'static>(check: impl Fn() -> Check<G>) {
    let start = Instant::now();
    for seed in seeds() {
        if let Err(violation) = check().quick(sized(5, 10)).seed(seed).run() {
            panic!("with the seed {seed}\n{violation}");
        }
    }
    println!("{:.1?} each", start.elapsed() / seeds().count() as u32);
}

/// Checks that the table holds for the right game, and for no game with one of the mistakes.
fn assert_miscounted<M: Copy + Debug, G>(game: impl Fn(M) -> G, right: M, mistakes: &[M], table: &str)
where
    G: GameState<Action: Display + FromStr>,
{
    // Without the counts of many lines, because the others are enough.
    let table = shallow(table, sized(10_000, 1_000_000));
    if let Err(error) = ramure_rules::perft_table(&game(right), &table) {
        panic!("{right:?}: {error:?}");
    }
    for &mistake in mistakes {
        assert!(
            ramure_rules::perft_table(&game(mistake), &table).is_err(),
            "{mistake:?} has the right counts"
        );
    }
}

/// Checks that only the twin finds the mistake.
fn assert_lawful<G: GameState + Debug + 'static>(check: Check<G>) {
    if let Err(violation) = check.without(Law::Agreement).quick(30).run() {
        panic!("{violation}");
    }
}

/// Checks that the shortest line that breaks the law has exactly `least` actions, with every seed.
#[track_caller]
fn assert_short<G: GameState + Debug + 'static>(check: impl Fn() -> Check<G>, law: Law, least: usize) {
    for seed in seeds() {
        let violation = fewer_states(check()).only([law]).seed(seed).run().expect_err("there is a mistake");
        assert_eq!(
            (violation.law, violation.actions.len()),
            (law, least),
            "with the seed {seed}\n{violation}"
        );
    }
}
