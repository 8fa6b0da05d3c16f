//! `random_rollout` ends games as random play does, with the same probability of each outcome. The
//! probabilities are computed exactly from late positions by a walk through all games, and compared with many
//! games played action by action from early positions.

use crate::common::sized;
use crate::support::{DRAWN_SUDO, random_game, states, successors};
use ramure::{GameState, Rng, Turn};
use ramure_games::connect4::{Column, ConnectFour};
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

/// The probabilities of a win, a draw and a loss of player 0.
type Chances = [f64; 3];

fn outcome(game: &impl GameState) -> usize {
    assert_eq!(game.turn(), Turn::Over);
    match game.reward(0) {
        1.0 => 0,
        0.5 => 1,
        _ => 2,
    }
}

/// Computes the probabilities of random play by a walk through all games.
fn exactly(game: &impl GameState) -> Chances {
    averaged(game, exactly)
}

/// Computes the same, and walks on from each position only once.
fn exactly_by_position<G: GameState + Eq + Hash>(game: &G, known: &mut HashMap<G, Chances>) -> Chances {
    if let Some(&chances) = known.get(game) {
        return chances;
    }
    let chances = averaged(game, |next| exactly_by_position(next, known));
    known.insert(game.clone(), chances);
    chances
}

/// Returns the outcome of a finished game, and otherwise the average of the chances after each action.
fn averaged<G: GameState>(game: &G, mut after: impl FnMut(&G) -> Chances) -> Chances {
    if game.turn() == Turn::Over {
        let mut chances = [0.0; 3];
        chances[outcome(game)] = 1.0;
        return chances;
    }
    let next: Vec<Chances> = successors(game).map(|next| after(&next)).collect();
    [0, 1, 2].map(|outcome| next.iter().map(|chances| chances[outcome]).sum::<f64>() / next.len() as f64)
}

/// Plays a game by the shortcut, and the rest of it action by action, as a search does.
fn rolled_out<G: GameState>(start: &G, rng: &mut Rng) -> G {
    let mut game = start.clone();
    game.random_rollout(rng);
    random_game(&game, rng, |_| {})
}

/// Counts the outcomes of `games` games.
fn counts<G: GameState>(games: u32, mut play: impl FnMut() -> G) -> [f64; 3] {
    let mut counts = [0.0; 3];
    for _ in 0..games {
        counts[outcome(&play())] += 1.0;
    }
    counts
}

/// Compares counts with the exact probabilities by Pearson's statistic. With 2 degrees of freedom, it is
/// above 50 with a probability of exp(-25) = 1e-11 for a right rollout; a few thousand positions are tested.
fn assert_chances<G: GameState + Debug>(start: &G, rng: &mut Rng) {
    let games = sized(8_000, 20_000);
    let chances = exactly(start);
    let counts = counts(games, || rolled_out(start, rng));
    let mut excess = 0.0;
    for (count, chance) in counts.into_iter().zip(chances) {
        let expected = chance * f64::from(games);
        if expected < 25.0 {
            // The expected count is too small for the statistic; seeing 90 then has a probability below
            // 1e-20.
            assert!(
                count < 90.0 && (chance > 0.0 || count == 0.0),
                "{counts:?} for {chances:?} in {start:?}"
            );
        } else {
            excess += (count - expected) * (count - expected) / expected;
        }
    }
    assert!(excess < 50.0, "{counts:?} for {chances:?} in {start:?}");
}

/// Returns the first state of a random game that is not over and has at most `left` legal actions.
fn late<G: GameState>(start: &G, left: usize, rng: &mut Rng) -> Option<G> {
    let mut states = Vec::new();
    random_game(start, rng, |state| states.push(state.clone()));
    states.into_iter().find(|state| state.turn() != Turn::Over && state.actions().into_iter().count() <= left)
}

#[test]
fn late_outcomes_have_the_exact_probabilities_of_random_play() -> Result<(), ramure::ParameterError> {
    let mut rng = Rng::seeded(1);
    for _ in 0..sized(6, 15) {
        let mut tested = 0;
        for size in [3, 4] {
            for game in [Hex::new(size)?, Hex::new(size)?.with_swap()] {
                if let Some(game) = late(&game, 7, &mut rng) {
                    assert_chances(&game, &mut rng);
                    tested += 1;
                }
            }
        }
        if let Some(game) = late(&TicTacToe::new(), 7, &mut rng) {
            assert_chances(&game, &mut rng);
        }
        assert!(tested >= 2);
    }
    Ok(())
}

/// One game in nine has a swap, and the first player wins fewer of those. The test plays enough games to show
/// the difference.
#[test]
fn a_possible_swap_is_included() -> Result<(), ramure::ParameterError> {
    let mut rng = Rng::seeded(5);
    let games = sized(100_000, 400_000);
    let start = Hex::new(3)?.with_swap();
    let [wins, _, _] = exactly_by_position(&start, &mut HashMap::new());
    let [without, _, _] = exactly_by_position(&Hex::new(3)?, &mut HashMap::new());
    assert!((wins - without).abs() > 0.01, "a swap makes a difference");
    let [won, _, _] = counts(games, || rolled_out(&start, &mut rng));
    // Seven standard errors: a right rollout fails with a probability below 1e-11.
    let error = (wins * (1.0 - wins) / f64::from(games)).sqrt();
    assert!((won / f64::from(games) - wins).abs() < 7.0 * error, "{won} of {games} instead of {wins}");
    Ok(())
}

#[test]
fn connect4_has_the_outcomes_of_random_play() {
    let mut rng = Rng::seeded(2);
    let mut tested = 0;
    for _ in 0..1_500 {
        // At most two columns are not full, so there are at most 12 actions.
        let Some(game) = late(&Connect4::new(), 2, &mut rng) else { continue };
        assert_chances(&game, &mut rng);
        tested += 1;
    }
    assert!(tested >= 3);
    for _ in 0..sized(40, 400) {
        let Some(game) = late(&ConnectFour::<5, 4>::new(), 2, &mut rng) else { continue };
        assert_chances(&game, &mut rng);
        tested += 1;
    }
    assert!(tested >= 13);
}

/// Returns the probability of each score of several independent games, which is 2 for a win of player 0 and 1
/// for a draw.
fn chances_of_scores(of_one: Chances, games: u32) -> Vec<f64> {
    let [win, draw, loss] = of_one;
    let mut scores = vec![1.0];
    for _ in 0..games {
        let mut next = vec![0.0; scores.len() + 2];
        for (score, chance) in scores.into_iter().enumerate() {
            next[score] += chance * loss;
            next[score + 1] += chance * draw;
            next[score + 2] += chance * win;
        }
        scores = next;
    }
    scores
}

/// Plays several games at once, and returns the sum of the rewards of player 0, doubled.
fn score_of_several(start: &impl GameState, games: u32, rng: &mut Rng) -> usize {
    let rewards = start.random_rollouts(games, rng).expect("it plays several games at once");
    assert_eq!((rewards.players(), rewards[0] + rewards[1]), (2, 1.0));
    (f64::from(rewards[0]) * 2.0 * f64::from(games)).round() as usize
}

/// Compares the scores of several games at once with the exact probabilities, by Pearson's statistic. Scores
/// with an expected count below 25 are merged. A right game fails with a probability of 1e-10 (t = 23 in the
/// bound of Laurent and Massart 2000, lemma 1).
fn assert_scores(start: &(impl GameState + Debug), of_one: Chances, games: u32, rng: &mut Rng) {
    const T: f64 = 23.0;
    let samples = sized(4_000, 40_000);
    let chances = chances_of_scores(of_one, games);
    let mut counts = vec![0.0; chances.len()];
    for _ in 0..samples {
        counts[score_of_several(start, games, rng)] += 1.0;
    }
    let (mut rare, mut statistic, mut freedom) = ((0.0, 0.0), 0.0, 0.0);
    let mut add = |count: f64, expected: f64| {
        statistic += (count - expected) * (count - expected) / expected;
        freedom += 1.0;
    };
    for (&count, chance) in counts.iter().zip(&chances) {
        assert!(*chance > 0.0 || count == 0.0, "{counts:?} for {chances:?} in {start:?}");
        let expected = chance * f64::from(samples);
        if expected < 25.0 { rare = (rare.0 + count, rare.1 + expected) } else { add(count, expected) }
    }
    if rare.1 >= 25.0 {
        add(rare.0, rare.1);
    } else {
        // Seeing 90 then has a probability below 1e-20.
        assert!(rare.0 < 90.0, "{counts:?} for {chances:?} in {start:?}");
    }
    let critical = freedom + 2.0 * (freedom * T).sqrt() + 2.0 * T;
    assert!(statistic < critical, "{statistic} of {games} games: {counts:?} for {chances:?} in {start:?}");
}

#[test]
fn several_games_of_connect4_have_the_scores_of_independent_random_games() {
    /// Tests late positions with at most two columns that are not full.
    fn test_late<const COLUMNS: u8, const ROWS: u8>(wanted: u32, rng: &mut Rng) {
        let mut tested = 0;
        while tested < wanted {
            let Some(game) = late(&ConnectFour::<COLUMNS, ROWS>::new(), 2, rng) else { continue };
            tested += 1;
            assert_scores(&game, exactly(&game), [1, 3, 4, 7, 8, 20][tested as usize % 6], rng);
        }
    }
    let mut rng = Rng::seeded(9);
    test_late::<7, 6>(sized(6, 30), &mut rng);
    test_late::<5, 4>(sized(12, 120), &mut rng);
    test_late::<4, 4>(sized(12, 120), &mut rng);
    test_late::<2, 8>(sized(6, 30), &mut rng);
    // From the empty board.
    let small = ConnectFour::<4, 4>::new();
    let chances = exactly_by_position(&small, &mut HashMap::new());
    for games in [2, 8, 13] {
        assert_scores(&small, chances, games, &mut rng);
    }
}

/// One game of eight that are played at once, action by action and from a generator of its own.
fn score_of_lane<const COLUMNS: u8, const ROWS: u8>(
    start: &ConnectFour<COLUMNS, ROWS>,
    mut word: u64,
) -> usize {
    let mut game = *start;
    loop {
        let mut fraction = word >> 3;
        for _ in 0..12 {
            let product = u128::from(fraction) * u128::from(COLUMNS);
            fraction = (product % (1 << 61)) as u64;
            let column = Column::new((product >> 61) as u8).expect("a digit is a column");
            if game.is_legal(column) {
                game.apply(column);
            }
            if game.turn() == Turn::Over {
                return 2 - outcome(&game);
            }
        }
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
    }
}

/// The vector instructions give, to the bit, what the rules give. So debug and release builds agree, and so
/// do all processors.
#[test]
fn eight_games_at_once_are_the_same_as_one_by_one() {
    fn test<const COLUMNS: u8, const ROWS: u8>(lines: u32, rng: &mut Rng) {
        for _ in 0..lines {
            let mut states = Vec::new();
            random_game(&ConnectFour::<COLUMNS, ROWS>::new(), rng, |state| states.push(*state));
            for state in states {
                for games in 4..=8 {
                    let mut copy = rng.clone();
                    let words: [u64; 8] = std::array::from_fn(|_| copy.bits() | 1);
                    let lanes = words.into_iter().take(games).map(|word| score_of_lane(&state, word));
                    let one_by_one = lanes.sum::<usize>();
                    let together = score_of_several(&state, games as u32, rng);
                    assert_eq!(together, one_by_one, "{games} games from {state:?}");
                    assert_eq!(*rng, copy);
                }
            }
        }
    }
    let mut rng = Rng::seeded(10);
    let lines = sized(20, 500);
    test::<7, 6>(lines, &mut rng);
    test::<7, 8>(lines, &mut rng);
    test::<5, 4>(lines, &mut rng);
    test::<4, 4>(lines, &mut rng);
    test::<1, 5>(2, &mut rng);
    test::<6, 1>(lines, &mut rng);
    test::<1, 1>(1, &mut rng);
}

/// Returns the number of cells that may still be played.
fn left(game: &SudoTicTacToe) -> usize {
    let open =
        |row, column| game.mode() == Mode::LocalWin || game.board_winner(row / 3 * 3 + column / 3).is_none();
    let cells = (0..9).flat_map(|row| (0..9).map(move |column| (row, column)));
    cells.filter(|&(row, column)| open(row, column) && game.cell(row, column).is_none()).count()
}

#[test]
fn ultimate_tic_tac_toe_has_the_outcomes_of_random_play() {
    let mut rng = Rng::seeded(7);
    let (mut sent, mut anywhere) = (0, 0);
    while sent < 20 || anywhere < 20 {
        let mut late = Vec::new();
        random_game(&SudoTicTacToe::new(Mode::Ultimate), &mut rng, |state| {
            if state.turn() != Turn::Over && left(state) <= 8 {
                late.push(*state);
            }
        });
        for state in late {
            let count = if state.next_board().is_some() { &mut sent } else { &mut anywhere };
            if *count < 20 {
                *count += 1;
                assert_chances(&state, &mut rng);
            }
        }
    }
}

/// Random games of mode 1 do not last that long, so the test uses the end of a game that does.
#[test]
fn mode_1_has_the_outcomes_of_random_play_on_full_boards() {
    let mut rng = Rng::seeded(8);
    let late: Vec<SudoTicTacToe> = states(&SudoTicTacToe::new(Mode::LocalWin), DRAWN_SUDO)
        .into_iter()
        .filter(|state| state.turn() != Turn::Over && left(state) <= 8)
        .collect();
    assert_eq!(late.len(), 8);
    assert!(late.iter().any(|state| exactly(state)[1] < 1.0));
    assert!(late.iter().any(|state| state.next_board().is_none()), "sent to a full board");
    for state in &late {
        assert_chances(state, &mut rng);
    }
}

#[test]
fn the_shortcut_of_sudo_tic_tac_toe_ends_the_game_from_any_position() {
    let mut rng = Rng::seeded(9);
    let mut test = |state: &SudoTicTacToe| {
        let mut over = *state;
        over.random_rollout(&mut rng);
        assert_eq!(over.turn(), Turn::Over, "{state:?}");
        assert_eq!(over.actions().into_iter().count(), 0, "{state:?}");
        assert_eq!(over.random_action(&mut rng), None, "{state:?}");
        assert_eq!(over.reward(0) + over.reward(1), 1.0, "{state:?}");
    };
    let mut walk = Rng::seeded(10);
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        for _ in 0..500 {
            random_game(&SudoTicTacToe::new(mode), &mut walk, &mut test);
        }
    }
    states(&SudoTicTacToe::new(Mode::LocalWin), DRAWN_SUDO).iter().for_each(test);
}

/// Compares two samples of `games` games each. With 2 degrees of freedom, a chi-squared variable is above 50
/// with a probability of 1e-11.
fn assert_alike<G: GameState + Debug>(start: &G, games: u32, rng: &mut Rng) {
    let short = counts(games, || rolled_out(start, rng));
    let long = counts(games, || random_game(start, rng, |_| {}));
    let pairs = short.iter().zip(&long).filter(|&(&one, &other)| one + other > 0.0);
    let excess: f64 = pairs.map(|(one, other)| (one - other) * (one - other) / (one + other)).sum();
    assert!(excess < 50.0, "{short:?} by the shortcut, {long:?} by actions, in {start:?}");
}

#[test]
fn early_outcomes_agree_with_play_action_by_action() -> Result<(), ramure::ParameterError> {
    fn test<G: GameState + Debug>(start: &G, depths: &[usize]) {
        let mut rng = Rng::seeded(3);
        for &depth in depths {
            let mut states = Vec::new();
            random_game(start, &mut rng, |state| states.push(state.clone()));
            let state = &states[depth.min(states.len() - 1)];
            assert_alike(state, sized(2_000, 10_000), &mut rng);
        }
    }
    test(&Connect4::new(), &[0, 1, 4, 8, 15, 25]);
    test(&ConnectFour::<5, 4>::new(), &[0, 1, 4, 8]);
    test(&TicTacToe::new(), &[0, 2, 3]);
    for &size in sized(&[2, 5][..], &[2, 5, 8, 11, 13]) {
        test(&Hex::new(size)?, &[0, 1, 2, 7, 20]);
        test(&Hex::new(size)?.with_swap(), &[0, 1, 2, 3]);
    }
    test(&Hex::new(19)?, sized(&[100], &[0, 1, 100]));
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        test(&SudoTicTacToe::new(mode), &[0, 1, 5, 12, 20, 30, 40, 50]);
    }
    Ok(())
}

/// As in a search: one state is copied into another at the start of each iteration, and the game continues
/// from there.
#[test]
fn a_state_overwritten_by_clone_from_continues_like_the_source() -> Result<(), ramure::ParameterError> {
    fn test<G: GameState + Debug + PartialEq>(start: &G) {
        let mut walk = Rng::seeded(6);
        let mut scratch = random_game(start, &mut walk, |_| {});
        for _ in 0..20 {
            let mut states = Vec::new();
            random_game(start, &mut walk, |state| states.push(state.clone()));
            for state in &states {
                scratch.clone_from(state);
                assert_eq!(&scratch, state);
                let seed = walk.bits();
                let (mut one, mut other) = (Vec::new(), Vec::new());
                random_game(&scratch, &mut Rng::seeded(seed), |state| one.push(state.clone()));
                random_game(state, &mut Rng::seeded(seed), |state| other.push(state.clone()));
                assert!(one == other, "{one:?} {other:?}");
            }
        }
    }
    test(&Connect4::new());
    test(&TicTacToe::new());
    test(&Hex::new(2)?);
    test(&Hex::new(6)?.with_swap());
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        test(&SudoTicTacToe::new(mode));
    }
    Ok(())
}

#[test]
fn a_finished_game_stays_unchanged() -> Result<(), ramure::ParameterError> {
    fn test<G: GameState + Debug + PartialEq>(start: &G) {
        let mut rng = Rng::seeded(4);
        for _ in 0..20 {
            let over = random_game(start, &mut rng, |_| {});
            assert_eq!(rolled_out(&over, &mut rng), over);
        }
    }
    test(&Connect4::new());
    test(&TicTacToe::new());
    test(&Hex::new(6)?);
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        test(&SudoTicTacToe::new(mode));
    }
    Ok(())
}
