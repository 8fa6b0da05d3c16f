//! Files with right checksums and wrong contents.

use crate::optimization::{FlatSampling, Optimization};
use crate::saved::sections::{damage, resign};
use crate::search::Budget;
use crate::{GameState, Player, Rng, Scored, Turn, sized};
use serde::{Deserialize, Serialize};

/// Take one to three of some sticks, until none is left. To take many scores much.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Sticks {
    left: u8,
    score: u16,
}

impl GameState for Sticks {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.left.min(3)
    }
    fn apply(&mut self, taken: u8) {
        self.left -= taken;
        self.score = self.score.saturating_add(u16::from(taken * taken));
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.score) / f64::from(u16::MAX)
    }
    fn players(&self) -> u8 {
        1
    }
}

impl Scored for Sticks {
    fn score(&self) -> f64 {
        f64::from(self.score)
    }
}

type Search = Optimization<Sticks, FlatSampling>;

fn new() -> Search {
    Optimization::new(Sticks { left: 20, score: 0 }, FlatSampling).searches(2).seed(3)
}

fn saved(search: &Search) -> Vec<u8> {
    let mut file = Vec::new();
    search.save_to(&mut file).expect("it can be written");
    file
}

/// A file of a search that has run, after a change that no search makes.
fn forged(forge: impl FnOnce(&mut f64, &mut Vec<u8>)) -> Vec<u8> {
    let mut search = new();
    search.run(Budget::iterations(20)).expect("a sound problem");
    let (score, line) = search.searches[1].best.as_mut().expect("it has run");
    forge(score, line);
    saved(&search)
}

#[test]
fn a_forged_line_is_refused() {
    let refused = |file: Vec<u8>| {
        let mut search = new();
        let error = search.load_from(&file[..]).expect_err("no search saves this");
        assert_eq!(search.best(), None);
        let text = error.to_string();
        text.strip_prefix("the file is invalid, in the best lines: ").unwrap_or(&text).to_owned()
    };
    new().load_from(&forged(|_, _| {})[..]).expect("it was not changed");
    let wrong_score = "a score is not that of the line";
    assert_eq!(refused(forged(|score, _| *score += 1.0)), wrong_score);
    assert_eq!(refused(forged(|score, _| *score *= 1.000_001)), wrong_score);
    // On another machine, the last bits of a score may differ. The line has the score of this machine.
    let mut search = new();
    search
        .load_from(&forged(|score, _| *score = f64::from_bits(score.to_bits() ^ 1))[..])
        .expect("it is nearly equal");
    let (score, line) = search.best().expect("there is a line");
    let mut end = *search.state();
    line.iter().for_each(|&action| end.apply(action));
    assert_eq!(score, end.score());
    for score in [f64::NAN, f64::INFINITY] {
        assert_eq!(refused(forged(|old, _| *old = score)), wrong_score);
    }
    let too_short = "a line ends before the game is over";
    assert_eq!(refused(forged(|_, line| line.truncate(line.len() - 1))), too_short);
    assert_eq!(refused(forged(|_, line| line.clear())), too_short);
    let too_long = "a line goes on after the end of the game";
    assert_eq!(refused(forged(|_, line| line.push(line[0]))), too_long);
    let illegal = "an action is not legal";
    assert_eq!(refused(forged(|_, line| line[0] = 4)), illegal);
    let mut over = new();
    over.searches[0].best = Some((0.0, Vec::new()));
    over.state.left = 0;
    let error = new().resume_from(&saved(&over)[..]).expect_err("the game is over");
    assert!(error.to_string().ends_with("no search begins like this"), "{error}");
}

#[test]
fn damaged_files_with_right_checksums_are_refused_or_do_no_harm() {
    let (file, mut draws) = (forged(|_, _| {}), Rng::seeded(5));
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..sized(3_000, 100_000) {
        let mut file = file.clone();
        for _ in 0..1 + draws.below(2) {
            damage(&mut file, 12, &mut draws);
        }
        resign(&mut file);
        let mut search = new();
        if search.resume_from(&file[..]).is_err() {
            assert_eq!(search.best(), None);
            refused += 1;
            continue;
        }
        accepted += 1;
        // In a damaged root state, the game may be over.
        let _ = search.run(Budget::iterations(6));
        new().resume_from(&saved(&search)[..]).expect("it was saved by a search");
    }
    assert!(refused > 1_000 && accepted > 200, "{refused} refused, {accepted} accepted");
}
