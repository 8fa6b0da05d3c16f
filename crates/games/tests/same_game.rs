//! SameGame: the rules on boards made by hand, and against a plain second implementation.

use crate::support::reason;
use ramure::{ActionCode, GameState, Rng, Scored, Turn};
use ramure_games::{IllegalReason, ParseError, SameGame, same_game::Group};
use std::collections::{BTreeSet, HashMap};

fn board(text: &str) -> SameGame {
    text.parse().expect("a board")
}

fn group(text: &str) -> Group {
    text.parse().expect("a group")
}

fn names(board: &SameGame) -> Vec<String> {
    board.actions().into_iter().map(|group| group.to_string()).collect()
}

#[test]
fn blocks_fall_and_columns_close_up() {
    let mut game = board("1 . 2\n2 1 2\n2 1 3\n");
    assert_eq!(names(&game), ["a1", "b1", "c2"]);
    game.apply(group("b1")); // the whole middle column
    assert_eq!(game.to_string(), "1 2\n2 2\n2 3\n");
    assert_eq!((game.points(), names(&game)), (0, vec!["a1".to_owned()]));
    game.apply(group("a1")); // four blocks; one above falls
    assert_eq!((game.turn(), game.cells_left()), (Turn::Over, vec![(0, 0, 1), (1, 0, 3)]));
    // Four blocks earned 4; one block of each of two colours costs 1 each.
    assert_eq!((game.points(), game.score()), (2, 2.0));
}

trait CellsLeft {
    fn cells_left(&self) -> Vec<(usize, usize, u8)>;
}

impl CellsLeft for SameGame {
    fn cells_left(&self) -> Vec<(usize, usize, u8)> {
        let cells = (0..15).flat_map(|column| (0..15).map(move |row| (column, row)));
        cells.filter_map(|(column, row)| Some((column, row, self.colour(column, row)?))).collect()
    }
}

#[test]
fn an_empty_board_earns_a_thousand_and_blocks_left_cost_by_colour() {
    let mut game = board("1 1 1 1 1");
    game.apply(group("a1"));
    assert_eq!(
        (game.score(), game.turn(), game.to_string().as_str()),
        (1009.0, Turn::Over, ".\npoints: 9\n")
    );
    // No group from the start: four blocks of colour 1 and four of colour 2, none connected.
    let game = board("1 2 1 2\n2 1 2 1\n");
    assert_eq!((game.turn(), game.score()), (Turn::Over, -8.0));
    // Two blocks of a colour cost nothing, three cost one.
    assert_eq!(board("1 2 1 3 1 2").score(), -1.0 - 1.0);
}

#[test]
fn any_block_names_its_group_to_a_player_and_others_are_refused() {
    let start = board("1 2 2\n1 1 3\n");
    for name in ["a1", "a2", "b1"] {
        let mut game = start;
        assert_eq!(game.play(group(name)), Ok(()));
        assert_eq!((game.points(), game.to_string().as_str()), (0, ". 2\n2 3\npoints: 1\n"), "{name}");
    }
    for name in ["c1", "d1", "a3", "o15"] {
        let mut game = start;
        assert_eq!(reason(game.play(group(name))), Some(IllegalReason::NoGroup), "{name}");
        assert_eq!(game, start);
    }
    // Only the first block of a group is its action.
    assert!(start.is_legal(group("a1")) && !start.is_legal(group("a2")) && !start.is_legal(group("c1")));
    assert_eq!(start.blocks(group("a1")).collect::<Vec<_>>(), [(0, 0), (0, 1), (1, 0)]);
    assert_eq!(start.blocks(group("c1")).count(), 0);
}

#[test]
fn a_text_that_is_no_board_is_refused() {
    let error = |text: &str| text.parse::<SameGame>().expect_err("it is wrong");
    let floating = error("1 . 2\n1 1 .\n").to_string();
    assert!(floating.starts_with("line 1, character 5 is '2'; expected a dot"), "{floating}");
    assert!(matches!(error("points: 3"), ParseError::Character { found: 'p', .. }));
    assert!(matches!(error("1 . 1"), ParseError::Line { line: 1, .. }));
    assert!(matches!(error("1 x"), ParseError::Character { line: 1, column: 3, found: 'x', .. }));
    assert!(matches!(error(&"1 ".repeat(16)), ParseError::Line { line: 1, .. }));
    assert!(matches!(error(&"1\n".repeat(16)), ParseError::Line { line: 16, .. }));
    assert!(matches!(error("1 1\npoints: -1"), ParseError::Line { line: 2, .. }));
    assert!(matches!(error("1 1\npoints: 1\n1 1"), ParseError::Line { line: 3, .. }));
    assert!(matches!(error(""), ParseError::Missing { .. }));
    for text in ["", "c", "c0", "c16", "p1", "C2", "c02", "c+2", "2c", "é1"] {
        assert!(text.parse::<Group>().is_err(), "{text}");
    }
}

/// The same game on a map from places to colours, by the words of the rules.
#[derive(Clone)]
struct Plain {
    cells: HashMap<(usize, usize), u8>,
    points: i64,
}

impl Plain {
    fn group(&self, at: (usize, usize)) -> BTreeSet<(usize, usize)> {
        let (mut group, mut open) = (BTreeSet::from([at]), vec![at]);
        while let Some((x, y)) = open.pop() {
            for next in [(x + 1, y), (x.wrapping_sub(1), y), (x, y + 1), (x, y.wrapping_sub(1))] {
                if self.cells.get(&next) == self.cells.get(&at) && group.insert(next) {
                    open.push(next);
                }
            }
        }
        group
    }

    fn groups(&self) -> BTreeSet<BTreeSet<(usize, usize)>> {
        self.cells.keys().map(|&at| self.group(at)).filter(|group| group.len() > 1).collect()
    }

    fn remove(&mut self, group: &BTreeSet<(usize, usize)>) {
        self.points += (group.len() as i64 - 2).pow(2);
        let columns = (0..15).map(|x| {
            let kept = (0..15).filter(|&y| !group.contains(&(x, y))).filter_map(|y| self.cells.get(&(x, y)));
            kept.copied().collect::<Vec<u8>>()
        });
        let columns: Vec<Vec<u8>> = columns.filter(|column| !column.is_empty()).collect();
        self.cells.clear();
        for (x, column) in columns.into_iter().enumerate() {
            self.cells.extend(column.into_iter().enumerate().map(|(y, colour)| ((x, y), colour)));
        }
    }

    fn score(&self) -> f64 {
        let left = |colour| self.cells.values().filter(|&&other| other == colour).count() as i64;
        let cost = |colour| if left(colour) == 0 { 0 } else { (left(colour) - 2).pow(2) };
        (self.points + if self.cells.is_empty() { 1000 } else { -(1..=9).map(cost).sum::<i64>() }) as f64
    }
}

#[test]
fn random_games_agree_with_the_plain_rules() {
    let mut rng = Rng::seeded(3);
    let mut emptied = 0;
    for seed in 0..14 {
        // Boards of fifteen columns, and small ones of two colours, which are often emptied.
        let mut game = if seed < 4 {
            SameGame::random(seed)
        } else {
            let row = |rng: &mut Rng| (0..4).map(|_| format!("{} ", 1 + rng.below(2))).collect::<String>();
            board(&(0..4).map(|_| row(&mut rng) + "\n").collect::<String>())
        };
        let cells = game.cells_left().into_iter().map(|(x, y, colour)| ((x, y), colour)).collect();
        let mut plain = Plain { cells, points: 0 };
        loop {
            let groups: BTreeSet<BTreeSet<(usize, usize)>> =
                game.actions().into_iter().map(|group| game.blocks(group).collect()).collect();
            assert_eq!(groups, plain.groups(), "{game}");
            let codes: BTreeSet<u64> =
                game.actions().into_iter().map(|group| game.action_code(group)).collect();
            assert_eq!((codes.len(), game.actions().into_iter().count()), (groups.len(), groups.len()));
            let Some(action) = game.random_action(&mut rng) else { break };
            plain.remove(&game.blocks(action).collect());
            game.apply(action);
            let left = game.cells_left().into_iter().map(|(x, y, colour)| ((x, y), colour));
            assert_eq!(left.collect::<HashMap<_, _>>(), plain.cells);
        }
        assert_eq!((game.turn(), game.score()), (Turn::Over, plain.score()));
        emptied += u32::from(plain.cells.is_empty());
    }
    assert!(emptied > 0, "some board was emptied");
}

#[test]
fn a_random_board_has_five_colours_about_equally_often() {
    let mut counts = [0u32; 6];
    (0..40).for_each(|seed| {
        SameGame::random(seed).cells_left().iter().for_each(|cell| counts[usize::from(cell.2)] += 1)
    });
    assert_eq!((counts[0], counts.iter().sum::<u32>()), (0, 9_000));
    // The standard deviation of a count is 38.
    assert!(counts[1..].iter().all(|count| (1_600..2_000).contains(count)), "{counts:?}");
    assert_ne!(SameGame::random(0), SameGame::random(1));
}

ramure_rules::laws!(mod same_game_rules, board("1 2 1 3\n2 1 1 3\n2 2 1 2\n3 1 2 2\n"); hash, text, action_text, serde, games = 60);
