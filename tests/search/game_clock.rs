//! The clock of a game: the share of a move against values computed by hand, increments, periods, the flag, and bad
//! settings. No test looks at the time.

use ramure::games::Connect4;
use ramure::{Budget, ClockError, GameClock, Mcts, RootDecision, SearchError};
use std::time::Duration;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A clock without a margin, whose budgets are plain.
fn plain(remaining: u64) -> GameClock {
    GameClock::new(ms(remaining)).margin(Duration::ZERO).stops_early(false).percent_if_unclear(0)
}

fn budget(share: u64) -> Result<Budget, ClockError> {
    Ok(Budget::millis(share).and_percent_if_unclear(0))
}

#[test]
fn the_share_of_a_move_is_that_of_the_formula() {
    let of_ten = plain(10_000).moves_to_go(20);
    assert_eq!(of_ten.budget(), budget(500)); // 10 000 / 20
    assert_eq!(of_ten.margin(ms(2_000)).budget(), budget(400)); // 8000 / 20
    assert_eq!(of_ten.increment(ms(100)).budget(), budget(595)); // (10 000 + 19 * 100) / 20
    assert_eq!(of_ten.increment(ms(100)).margin(ms(2_000)).budget(), budget(495)); // (8000 + 19 * 100) / 20
    assert_eq!(of_ten.moves_to_go(1).margin(ms(10)).budget(), budget(9_990));
    // Sudden death is divided by the expected moves, and moves to go take precedence over them.
    assert_eq!(plain(9_000).budget(), budget(300)); // 9000 / 30, the default
    assert_eq!(plain(9_000).expected_moves(45).budget(), budget(200));
    assert_eq!(plain(9_000).expected_moves(45).moves_to_go(9).budget(), budget(1_000));
    // The moves of the first period are those to go, if they are not set.
    assert_eq!(plain(9_000).periods(18, ms(1)).budget(), budget(500));
    assert_eq!(plain(9_000).periods(18, ms(1)).moves_to_go(3).budget(), budget(3_000));
    assert_eq!(plain(1).moves_to_go(2).share(), Ok(Duration::from_micros(500)));
}

#[test]
fn an_increment_above_the_remaining_time_is_not_spent_before_it_comes() {
    let clock = plain(100).increment(ms(60_000)).moves_to_go(5);
    assert_eq!(clock.budget(), budget(100));
    assert_eq!(clock.margin(ms(30)).budget(), budget(70));
    assert_eq!(clock.increment(Duration::MAX).budget(), budget(100));
}

#[test]
fn the_defaults_are_the_documented_ones() {
    // (3010 - 10) / 30; up to half more is well within the rest.
    let expected = Budget::millis(100).or_decided().and_percent_if_unclear(50);
    assert_eq!(GameClock::new(ms(3_010)).budget(), Ok(expected));
    let written_out = GameClock::new(ms(3_010))
        .increment(Duration::ZERO)
        .expected_moves(30)
        .margin(ms(10))
        .stops_early(true)
        .percent_if_unclear(50);
    assert_eq!(GameClock::new(ms(3_010)), written_out);
}

#[test]
fn extra_time_never_reaches_into_the_margin() {
    let clock = plain(1_000).margin(ms(100)).percent_if_unclear(200);
    let percent = |moves: u32, share: u64, percent: u32| {
        let expected = Budget::millis(share).and_percent_if_unclear(percent);
        assert_eq!(clock.moves_to_go(moves).budget(), Ok(expected));
    };
    percent(9, 100, 200); // 900 / 9; 200 % more would leave 600 and the margin
    percent(3, 300, 200); // all but the margin
    percent(2, 450, 100); // 450 more are there, not 900
    percent(1, 900, 0);
    assert_eq!(clock.moves_to_go(1).percent_if_unclear(u32::MAX).budget(), budget(900));
}

#[test]
fn with_only_the_margin_left_the_search_makes_an_iteration() {
    for remaining in [1, 5, 10] {
        let clock = GameClock::new(ms(remaining)).margin(ms(10));
        assert_eq!(clock.share(), Ok(Duration::ZERO));
        let report = Mcts::new(Connect4::new()).run(clock.budget().unwrap()).unwrap();
        assert_eq!(report.iterations, 1);
    }
}

#[test]
fn a_move_takes_time_and_gets_the_increment() {
    let mut clock = plain(1_000).increment(ms(30)).moves_to_go(3);
    assert_eq!(clock.spent(ms(400)), Ok(()));
    assert_eq!((clock.remaining(), clock.moves_left()), (ms(630), 2));
    assert_eq!(clock.budget(), budget(330)); // (630 + 30) / 2
    assert_eq!(clock.spent(Duration::ZERO), Ok(()));
    assert_eq!((clock.remaining(), clock.moves_left()), (ms(660), 1));
    assert_eq!(clock.spent(ms(659)), Ok(()));
    // After the last of the moves, the rest is sudden death.
    assert_eq!((clock.remaining(), clock.moves_left()), (ms(31), 30));
}

#[test]
fn a_period_is_renewed_after_its_last_move_and_keeps_what_was_saved() {
    let mut clock = plain(1_000).moves_to_go(2).periods(3, ms(600));
    let mut after = |took: u64| {
        clock.spent(ms(took)).unwrap();
        (clock.remaining(), clock.moves_left())
    };
    assert_eq!(after(300), (ms(700), 1));
    assert_eq!(after(500), (ms(800), 3)); // 200 + 600
    assert_eq!(after(100), (ms(700), 2));
    assert_eq!(after(100), (ms(600), 1));
    assert_eq!(after(100), (ms(1_100), 3));
    // Without moves to go, the first period has as many moves as the others.
    let mut clock = plain(1_000).periods(2, ms(600)).increment(ms(10));
    clock.spent(ms(100)).unwrap();
    assert_eq!((clock.remaining(), clock.moves_left()), (ms(910), 1));
    clock.spent(ms(100)).unwrap();
    assert_eq!((clock.remaining(), clock.moves_left()), (ms(1_420), 2)); // 810 + 10 + 600
}

#[test]
fn the_flag_falls_when_the_time_is_used_up() {
    for took in [1_000, 1_001, u64::MAX] {
        let mut clock = plain(1_000).increment(ms(50)).periods(1, ms(50));
        let fell = ClockError::FlagFell { took: ms(took), left: ms(1_000) };
        assert_eq!(clock.spent(ms(took)), Err(fell));
        // Neither an increment nor a period lifts it again.
        assert_eq!((clock.remaining(), clock.budget()), (Duration::ZERO, Err(ClockError::NoTime)));
        assert!(clock.spent(Duration::ZERO).is_err());
    }
    assert_eq!(plain(1_000).spent(ms(1_000) - Duration::from_nanos(1)), Ok(()));
    let fell = ClockError::FlagFell { took: ms(1_500), left: ms(1_000) };
    assert_eq!(
        fell.to_string(),
        "the flag fell: the move took 1.5s, and 1s were left; set a greater margin if the search kept to its budget"
    );
}

#[test]
fn settings_that_leave_no_budget_are_errors() {
    let sound = plain(1_000);
    for (clock, error) in [
        (plain(0), ClockError::NoTime),
        (plain(0).increment(ms(100)), ClockError::NoTime),
        (sound.moves_to_go(0), ClockError::NoMoves),
        (sound.expected_moves(0), ClockError::NoMoves),
        (sound.moves_to_go(5).expected_moves(0), ClockError::NoMoves),
        (sound.periods(0, ms(1)), ClockError::EmptyPeriod),
        (sound.periods(40, Duration::ZERO), ClockError::EmptyPeriod),
    ] {
        assert_eq!((clock.check(), clock.share(), clock.budget()), (Err(error), Err(error), Err(error)));
    }
    // A move on a clock with bad settings is counted nevertheless.
    let mut clock = sound.moves_to_go(0);
    assert_eq!((clock.spent(ms(1)), clock.remaining()), (Ok(()), ms(999)));
}

#[test]
fn the_longest_times_do_not_overflow() {
    let mut clock = GameClock::new(Duration::MAX)
        .increment(Duration::MAX)
        .periods(u32::MAX, Duration::MAX)
        .moves_to_go(u32::MAX)
        .percent_if_unclear(u32::MAX);
    for _ in 0..3 {
        assert!(clock.share().unwrap() <= Duration::MAX / (u32::MAX - 3));
        assert!(clock.budget().is_ok());
        clock.spent(Duration::from_secs(1)).unwrap();
    }
    let clock = clock.moves_to_go(1);
    assert_eq!(clock.share().unwrap(), Duration::MAX - ms(10));
    assert!(clock.budget().is_ok());
    assert!({ clock }.spent(Duration::MAX).is_err());
}

#[test]
fn a_clock_works_with_searches_that_cannot_stop_early_if_told_so() {
    let search = || Mcts::new(Connect4::new()).root_decision(RootDecision::Max);
    let clock = GameClock::new(ms(100)).moves_to_go(50);
    assert_eq!(search().run(clock.budget().unwrap()), Err(SearchError::CannotStopEarly));
    assert!(search().run(clock.stops_early(false).budget().unwrap()).is_ok());
}
