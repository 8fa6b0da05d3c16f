//! Morpion Solitaire: against a plain second implementation on an endless grid.

use crate::support::reason;
use ramure::{ActionIndex, GameState, Rng, Scored, Turn};
use ramure_games::{IllegalReason, Morpion, ParseError, morpion::Stroke};
use std::collections::BTreeSet;

type Point = (i32, i32);

/// A line by its five points, in the order of its direction, and its new point.
type Drawn = ([Point; 5], Point);

/// The game by its rules: a set of points, and the lines drawn.
#[derive(Clone)]
struct Plain {
    points: BTreeSet<Point>,
    lines: Vec<[Point; 5]>,
    may_touch: bool,
}

const DIRECTIONS: [Point; 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

fn direction(line: &[Point; 5]) -> Point {
    (line[1].0 - line[0].0, line[1].1 - line[0].1)
}

impl Plain {
    fn new(may_touch: bool) -> Self {
        // The cross: the outline of five squares with sides of four points.
        let mut points = BTreeSet::new();
        let corners: [Point; 12] =
            [(3, 0), (6, 0), (6, 3), (9, 3), (9, 6), (6, 6), (6, 9), (3, 9), (3, 6), (0, 6), (0, 3), (3, 3)];
        for (index, &(x, y)) in corners.iter().enumerate() {
            let (u, v) = corners[(index + 1) % 12];
            for step in 0..4 {
                points.insert((x + (u - x) * step / 3, y + (v - y) * step / 3));
            }
        }
        // The program has the cross in the middle of 32 points.
        let points = points.into_iter().map(|(x, y)| (x + 11, y + 11)).collect();
        Plain { points, lines: vec![], may_touch }
    }

    fn actions(&self) -> BTreeSet<Drawn> {
        let mut found = BTreeSet::new();
        for &(x, y) in &self.points {
            for (u, v) in DIRECTIONS {
                for back in -4..=4 {
                    let line = [0, 1, 2, 3, 4].map(|step| (x + (back + step) * u, y + (back + step) * v));
                    let new = Vec::from_iter(line.iter().filter(|point| !self.points.contains(point)));
                    if new.len() == 1 && self.lines.iter().all(|other| self.fits(&line, other)) {
                        found.insert((line, *new[0]));
                    }
                }
            }
        }
        found
    }

    fn fits(&self, line: &[Point; 5], other: &[Point; 5]) -> bool {
        let shared = line.iter().filter(|point| other.contains(point)).count();
        direction(line) != direction(other) || shared <= usize::from(self.may_touch)
    }

    fn after(&self, &(line, new): &Drawn) -> Self {
        let mut next = self.clone();
        next.points.insert(new);
        next.lines.push(line);
        next
    }
}

fn drawn(stroke: Stroke) -> Drawn {
    let point = |(column, row): (usize, usize)| (column as i32, row as i32);
    (stroke.points().map(point), point(stroke.new_point()))
}

fn both() -> [(Morpion, Plain); 2] {
    [(Morpion::touching(), Plain::new(true)), (Morpion::disjoint(), Plain::new(false))]
}

#[test]
fn random_games_agree_with_the_plain_rules() {
    for (start, plain) in both() {
        for seed in 0..crate::common::sized(2, 20) {
            let (mut game, mut plain, mut rng) = (start.clone(), plain.clone(), Rng::seeded(seed));
            loop {
                let actions: Vec<Stroke> = game.actions().into_iter().collect();
                assert!(actions.is_sorted_by(|a, b| a < b));
                let lines: BTreeSet<Drawn> = actions.iter().copied().map(drawn).collect();
                assert_eq!(lines, plain.actions(), "{game}");
                let Some(action) = game.random_action(&mut rng) else { break };
                plain = plain.after(&drawn(action));
                game.apply(action);
            }
            assert_eq!((game.turn(), game.score()), (Turn::Over, plain.lines.len() as f64));
            let points =
                (0..32).flat_map(|x| (0..32).map(move |y| (x, y))).filter(|&(x, y)| game.has_point(x, y));
            assert_eq!(points.count(), 36 + plain.lines.len());
        }
    }
}

/// The number of lines of play of each length.
fn lines_of_play(game: &Morpion, length: u32) -> u64 {
    let actions = game.actions().into_iter();
    if length == 1 {
        return actions.count() as u64;
    }
    let after = |action| {
        let mut next = game.clone();
        next.apply(action);
        lines_of_play(&next, length - 1)
    };
    actions.map(after).sum()
}

fn lines_of_plain(game: &Plain, length: u32) -> u64 {
    let actions = game.actions();
    if length == 1 {
        actions.len() as u64
    } else {
        actions.iter().map(|line| lines_of_plain(&game.after(line), length - 1)).sum()
    }
}

#[test]
fn the_numbers_of_lines_of_play_are_those_of_the_plain_rules() {
    for (game, plain) in both() {
        assert_eq!((lines_of_play(&game, 1), plain.actions().len()), (28, 28));
        assert_eq!(lines_of_play(&game, 2), lines_of_plain(&plain, 2));
    }
    // The two variants differ from the second line on.
    assert_ne!(lines_of_play(&Morpion::touching(), 2), lines_of_play(&Morpion::disjoint(), 2));
}

#[test]
fn positions_are_equal_in_whichever_order_lines_were_drawn() {
    let mut games = [Morpion::touching(), Morpion::touching()];
    let actions: Vec<Stroke> = games[0].actions().into_iter().collect();
    let (first, last) = (actions[0], actions[27]);
    for (game, order) in games.iter_mut().zip([[first, last], [last, first]]) {
        order.into_iter().for_each(|stroke| game.apply(stroke));
    }
    assert_eq!(games[0], games[1]);
}

#[test]
fn a_stroke_reads_back_and_an_illegal_one_is_refused() {
    let mut game = Morpion::disjoint();
    for stroke in game.clone().actions() {
        assert_eq!(stroke.to_string().parse(), Ok(stroke));
        assert!(Morpion::action_index(stroke) < Morpion::ACTION_COUNT);
    }
    let first = game.actions().into_iter().next().expect("28 actions");
    assert_eq!(game.play(first), Ok(()));
    assert_eq!(reason(game.play(first)), Some(IllegalReason::NoLine));
    assert_eq!(game.lines(), 1);
    assert!(game.to_string().contains("5D"));
    for text in [
        "",
        "14,11",
        "14,11 right",
        "14,11 right 6",
        "14,11 right 0",
        "14,11 up 1",
        "32,1 right 1",
        "28,1 right 1",
        "1,28 down 1",
        "3,1 down-left 1",
        "1 right 1",
        "1,1 right 1 1",
        "18446744073709551615,1 right 1",
    ] {
        assert!(matches!(text.parse::<Stroke>(), Err(ParseError::Action { .. })), "{text}");
    }
}

#[test]
fn a_position_with_lines_that_touch_reads_back() {
    let (mut game, mut rng) = (Morpion::touching(), Rng::seeded(3));
    while let Some(stroke) = game.random_action(&mut rng) {
        game.apply(stroke);
        assert_eq!(game.to_string().parse(), Ok(game.clone()), "{game}");
    }
    assert!(game.lines() > 30, "{game}");
}

#[test]
fn a_wrong_text_of_a_position_is_refused_where_it_is_wrong() {
    // Two lines in one direction, which touch in 5T.
    let mut game = Morpion::touching();
    for text in ["11,14 right 5", "15,14 right 1"] {
        let stroke: Stroke = text.parse().expect("a line");
        if game.play(stroke).is_err() {
            let first = game.actions().into_iter().next().expect("actions");
            game.apply(first);
        }
    }
    let text = game.to_string();
    assert_eq!(text.parse(), Ok(game), "{text}");
    let rows = Vec::from_iter(text.lines());
    let change = |number: usize, line: &str| {
        let mut rows = rows.clone();
        rows[number] = line;
        rows.join("\n").parse::<Morpion>()
    };
    let last = rows.len() - 1;
    let count = last - 2;
    assert!(rows[count].starts_with("lines:"), "{text}");
    let at = |number: usize, error: Result<Morpion, ParseError>| {
        let Err(ParseError::Line { line, .. } | ParseError::Character { line, .. }) = error else {
            panic!("{error:?}")
        };
        assert_eq!(line, number + 1);
    };
    for wrong in ["5X from 11,11", "5T", "5T from 11,32", "5T from 11,31", "5T from x"] {
        assert!(change(0, wrong).is_err(), "{wrong}");
    }
    at(1, change(1, "x"));
    let cross = rows.iter().position(|row| row.contains("oooo")).expect("the cross");
    at(0, change(cross, "."));
    at(count, change(count, "lines: 3"));
    at(last, change(last, rows[last - 1]));
    at(last, change(last, "29,11 right"));
    at(last, change(last, "11,11 right"));
    at(last, change(last, "nonsense"));
    at(last + 1, format!("{text}more").parse());
    for end in 0..rows.len() {
        assert!(rows[..end].join("\n").parse::<Morpion>().is_err(), "{end} rows");
    }
    assert!(text.replace("5T", "5D").parse::<Morpion>() != text.parse());
}

ramure_rules::laws!(mod morpion_rules, Morpion::disjoint(); hash, text, action_text, indices, games = 6);
