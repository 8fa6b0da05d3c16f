//! The clock of a game: the share of a move against values computed by hand, increments, periods, the flag,
//! and bad settings. No test looks at the time.

use ramure::{Budget, GameClock, Mcts, RootDecision, SearchError};
use ramure_games::Connect4;
use std::time::Duration;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A clock without a margin, whose budgets are plain.
fn plain(remaining: u64) -> GameClock {
    GameClock::new(ms(remaining)).margin(Duration::ZERO).stops_early(false).percent_if_unclear(0)
}

fn budget(share: u64) -> Result<Budget, SearchError> {
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
    assert_eq!(plain(1).moves_to_go(2).share(), Ok(Duration::from_micros(500)));
}

/// The least of what `moves` moves can have each, for all numbers of moves up to those expected.
fn least(remaining: u64, increment: u64, (first, moves, time): (u64, u64, u64), expected: u64) -> Duration {
    let each = |count: u64| {
        let periods = if count > first { 1 + (count - first - 1) / moves } else { 0 };
        Duration::from_millis(remaining + (count - 1) * increment + periods * time) / count as u32
    };
    (1..=expected.max(first)).map(each).min().expect("a move")
}

#[test]
fn no_move_takes_what_the_moves_of_the_periods_after_it_need() {
    // Time that comes after each move is an increment.
    let (main, more) = (Duration::from_secs(1_780), Duration::from_secs(20));
    let plain = plain(1_780_000);
    assert_eq!(plain.periods(1, more).share(), plain.increment(more).share());
    assert_eq!(plain.periods(1, more).share(), Ok((main + 29 * more) / 30));
    // The first period has as many moves as the others, if the moves to go are not set.
    assert_eq!(plain.periods(40, main).share(), Ok(main / 40));
    assert_eq!(plain.periods(40, main).moves_to_go(7).share(), Ok((main + main) / 30)); // 7 moves need not save a seventh each
    assert_eq!(plain.periods(40, Duration::MAX).moves_to_go(7).share(), Ok(main / 7));
    assert_eq!(plain.periods(18, ms(1)).share(), Ok((main + ms(1)) / 30));
    let mut compared = 0;
    for (remaining, increment) in [(9_000, 0), (9_000, 100), (50, 700)] {
        for (moves, time) in
            [(1, 30), (1, 3_000), (2, 100), (7, 4_000), (18, 1), (29, 500), (30, 9_000), (40, 9_000)]
        {
            for first in [1, 3, 17, 29, 30, 50] {
                for expected in [1, 12, 30, 31] {
                    let clock = GameClock::new(ms(remaining)).margin(Duration::ZERO).increment(ms(increment));
                    let clock = clock.periods(moves, ms(time)).moves_to_go(first).expected_moves(expected);
                    let least =
                        least(remaining, increment, (first.into(), moves.into(), time), expected.into());
                    assert_eq!(clock.share(), Ok(least), "{clock:?}");
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 576);
}

#[test]
fn a_clock_that_shows_no_time_begins_with_its_first_period() {
    let clock = GameClock::new(Duration::ZERO);
    let of_moves = clock.periods(1, ms(30_000)).margin(Duration::ZERO);
    assert_eq!((of_moves.remaining(), of_moves.share()), (ms(30_000), Ok(ms(30_000))));
    let japanese = clock.byo_yomi(5, 1, ms(30_000));
    assert_eq!((japanese.remaining(), japanese.share()), (ms(30_000), Ok(ms(29_990))));
    let canadian = clock.byo_yomi(1, 25, ms(300_010));
    assert_eq!((canadian.remaining(), canadian.share()), (ms(300_010), Ok(ms(12_000))));
    assert_eq!(canadian.moves_to_go(3).share(), Ok(ms(100_000)));
}

#[test]
fn a_period_of_japanese_byo_yomi_is_renewed_and_lost_when_its_time_runs_out() {
    let clock = plain(10_000).byo_yomi(3, 1, ms(1_000));
    let after = |moves: &[u64]| {
        let mut clock = clock;
        let last = moves.iter().map(|&took| clock.spent(ms(took))).last().expect("a move");
        last.map(|()| (clock.remaining(), clock.share().expect("time is left")))
    };
    // A thirtieth of the main time is less than a period, which is there whatever happens.
    assert_eq!(clock.share(), Ok(ms(1_000)));
    assert_eq!(plain(90_000).byo_yomi(3, 1, ms(1_000)).share(), Ok(ms(3_000)));
    assert_eq!(after(&[4_000]), Ok((ms(6_000), ms(1_000))));
    assert_eq!(after(&[9_990]), Ok((ms(10), ms(1_000))));
    // The main time ends in a move, which then has a period, too: all three are left.
    for first in [10_000, 10_999] {
        assert_eq!(after(&[first]), Ok((ms(1_000), ms(1_000))));
        assert_eq!(after(&[first, 0, 999, 500, 999]), Ok((ms(1_000), ms(1_000)))); // unused time is lost
        assert_eq!(after(&[first, 1_000]), Ok((ms(1_000), ms(1_000)))); // two are left
        assert_eq!(after(&[first, 1_500, 1_999]), Ok((ms(1_000), ms(1_000)))); // one is left
        let fell = |took, left| Err(SearchError::FlagFell { took: ms(took), left: ms(left) });
        assert_eq!(after(&[first, 1_500, 1_999, 1_000]), fell(1_000, 1_000));
        assert_eq!(after(&[first, 3_000]), fell(3_000, 3_000));
        assert_eq!(after(&[first, 2_999]), Ok((ms(1_000), ms(1_000))));
        assert_eq!(after(&[first, 2_999, 1_000]), fell(1_000, 1_000));
        // The flag stays down.
        assert_eq!(after(&[first, 3_000, 0]), fell(0, 0));
    }
    assert_eq!(after(&[12_999]), Ok((ms(1_000), ms(1_000))));
    assert_eq!(after(&[13_000]), Err(SearchError::FlagFell { took: ms(13_000), left: ms(13_000) }));
    let mut fallen = clock;
    assert!(fallen.spent(Duration::MAX).is_err());
    assert_eq!((fallen.remaining(), fallen.budget()), (Duration::ZERO, Err(SearchError::NoTime)));
    // The increment belongs to the main time.
    let mut clock = clock.increment(ms(50));
    clock.spent(ms(4_000)).unwrap();
    assert_eq!(clock.remaining(), ms(6_050));
    clock.spent(ms(6_050)).unwrap();
    assert_eq!(clock.remaining(), ms(1_000));
}

#[test]
fn a_period_of_canadian_byo_yomi_is_for_several_moves() {
    let mut clock = plain(1_000).byo_yomi(1, 3, ms(600));
    assert_eq!(clock.share(), Ok(ms(200)));
    let mut after = |took: u64| {
        clock.spent(ms(took)).unwrap();
        (clock.remaining(), clock.moves_left(), clock.share().expect("time is left"))
    };
    assert_eq!(after(990), (ms(10), 30, ms(200)));
    assert_eq!(after(110), (ms(500), 2, ms(250))); // this move counts for the period that it ends in
    assert_eq!(after(100), (ms(400), 1, ms(400)));
    assert_eq!(after(100), (ms(600), 3, ms(200))); // 300 are lost
    assert_eq!(after(599), (ms(1), 2, Duration::from_micros(500)));
    assert_eq!(clock.spent(ms(1)), Err(SearchError::FlagFell { took: ms(1), left: ms(1) }));
    // The later of two kinds of periods replaces the other.
    let both = plain(1_000).periods(40, ms(1)).byo_yomi(1, 3, ms(600));
    assert_eq!(both, plain(1_000).byo_yomi(1, 3, ms(600)));
    assert_eq!(both.periods(40, ms(1)), plain(1_000).periods(40, ms(1)));
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
        let fell = SearchError::FlagFell { took: ms(took), left: ms(1_000) };
        assert_eq!(clock.spent(ms(took)), Err(fell));
        // Neither an increment nor a period lifts it again.
        assert_eq!((clock.remaining(), clock.budget()), (Duration::ZERO, Err(SearchError::NoTime)));
        assert!(clock.spent(Duration::ZERO).is_err());
    }
    assert_eq!(plain(1_000).spent(ms(1_000) - Duration::from_nanos(1)), Ok(()));
    let fell = SearchError::FlagFell { took: ms(1_500), left: ms(1_000) };
    assert_eq!(
        fell.to_string(),
        "the flag fell: the move took 1.5s, and 1s were left; set a greater margin if the search kept to its budget"
    );
}

#[test]
fn settings_that_leave_no_budget_are_errors() {
    let sound = plain(1_000);
    let no_time = "the clock shows no time";
    for (clock, message) in [
        (plain(0), no_time),
        (plain(0).increment(ms(100)), no_time),
        (sound.moves_to_go(0), "GameClock::moves_to_go is 0; it must be at least 1"),
        (sound.expected_moves(0), "GameClock::expected_moves is 0; it must be at least 1"),
        (sound.moves_to_go(5).expected_moves(0), "GameClock::expected_moves is 0"),
        (sound.periods(0, ms(1)), "GameClock::periods is 0; it must be at least 1"),
        (sound.periods(40, Duration::ZERO), "GameClock::periods is 0; it must be more than zero"),
        (sound.byo_yomi(0, 1, ms(1)), "GameClock::byo_yomi is 0; it must be at least 1"),
        (sound.byo_yomi(1, 0, ms(1)), "GameClock::byo_yomi is 0; it must be at least 1"),
        (sound.byo_yomi(1, 1, Duration::ZERO), "GameClock::byo_yomi is 0; it must be more than zero"),
        (plain(0).byo_yomi(1, 1, Duration::ZERO), "GameClock::byo_yomi is 0; it must be more than zero"),
    ] {
        let error = clock.budget().expect_err(message);
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!(clock.share(), Err(error));
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
    let clock =
        GameClock::new(Duration::MAX).increment(Duration::MAX).moves_to_go(1).percent_if_unclear(u32::MAX);
    assert_eq!(clock.share().unwrap(), Duration::MAX - ms(10));
    assert!(clock.budget().is_ok());
    assert!({ clock }.spent(Duration::MAX).is_err());
    for clock in [plain(1), plain(1).increment(Duration::MAX)] {
        let clock = clock.expected_moves(u32::MAX).percent_if_unclear(u32::MAX);
        assert!(clock.periods(1, Duration::MAX).budget().is_ok());
        let mut clock = clock.byo_yomi(u32::MAX, u32::MAX, Duration::MAX);
        assert!(clock.budget().is_ok());
        assert_eq!((clock.spent(Duration::MAX), clock.remaining()), (Ok(()), ms(1)));
        assert!(clock.budget().is_ok());
    }
}

#[test]
fn a_clock_works_with_searches_that_cannot_stop_early_if_told_so() {
    let search = || Mcts::new(Connect4::new()).root_decision(RootDecision::Max);
    let clock = GameClock::new(ms(100)).moves_to_go(50);
    assert_eq!(search().run(clock.budget().unwrap()), Err(SearchError::CannotStopEarly));
    assert!(search().run(clock.stops_early(false).budget().unwrap()).is_ok());
}
