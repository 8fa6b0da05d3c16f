//! The session of `watch` and what it draws (`src/watch`), without a terminal.

use ramure::{Budget, Bytes, GameState};
use ramure_lab::commands::AnyGame;
use ramure_lab::watch::{Bars, Colors, Command, Session, board, command, draw};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

fn session(game: &str, iterations: u64) -> Session {
    let state = AnyGame::read(game).expect("a game");
    let mut session = Session::new(state, "ucb1", 1, Bytes::mib(64)).expect("a search");
    if iterations > 0 {
        session.run(Budget::iterations(iterations));
    }
    session
}

/// Returns the lines of a window of this size.
fn screen(session: &Session, width: u16, height: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a window");
    terminal.draw(|frame| draw(frame, session, Colors::No)).expect("it draws");
    let buffer = terminal.backend().buffer();
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(line).collect()
}

#[test]
fn a_usual_window_shows_the_board_the_actions_and_the_keys() {
    let screen = screen(&session("connect4", 2_000), 80, 24).join("\n");
    for text in [
        "connect4 searching",
        "2000 iterations",
        "position",
        "0  1  2  3  4  5  6",
        "actions by visits",
        "best line: 3",
        "q quit",
    ] {
        assert!(screen.contains(text), "{text} is missing in\n{screen}");
    }
    // The most visited action comes first and is selected.
    assert!(
        screen.lines().any(|line| line.contains(">3 ") && line.contains('█') && line.contains('±')),
        "{screen}"
    );
}

#[test]
fn a_large_window_is_filled_with_a_large_board_the_means_over_time_and_the_tree() {
    let mut session = session("connect4", 1_000);
    for _ in 0..20 {
        session.run(Budget::iterations(1_000));
    }
    let wide = screen(&session, 120, 40);
    let text = wide.join("\n");
    assert!(text.contains("means: 3") && text.contains("21k"), "{text}");
    session.obey(Command::Play);
    let text = screen(&session, 120, 40).join("\n");
    assert!(text.contains("╭───╮") && text.contains("│[R]│"), "{text}");
    // Each line of the panel of actions has a row, and rows below others are indented.
    let rows: Vec<&str> = wide[2..37].iter().map(|line| line.rsplit('│').nth(1).expect("a panel")).collect();
    assert!(rows.iter().all(|row| row.contains('%')), "{text}");
    let indent = |row: &str| row[1..].len() - row[1..].trim_start().len();
    assert_eq!(rows.iter().filter(|row| indent(row) == 0).count(), 7);
    assert!(rows.iter().any(|row| indent(row) >= 3), "{rows:?}");
    assert!(rows.windows(2).all(|pair| indent(pair[1]) <= indent(pair[0]) + 1), "{rows:?}");
}

#[test]
fn boards_bring_out_the_last_action_and_what_won() {
    let drawn = |game: &str, actions: &str| {
        let mut state = AnyGame::read(game).expect("a game");
        let mut last = None;
        for action in actions.split(' ') {
            last = Some(state.read_action(action).expect("an action"));
            last.into_iter().for_each(|action| state.apply(action));
        }
        board(&state, last, (0, 0), Colors::No).to_string()
    };
    let text = drawn("connect4", "3 3 2");
    assert!(text.contains("│ ·  · [R] R  ·  ·  · │") && text.contains("│ ·  ·  ·  Y  ·  ·  · │"), "{text}");
    assert!(drawn("connect4:4x4", "0 1 0 1 0 1 0").matches("[R]").count() == 4);
    assert!(drawn("tic-tac-toe", "5 1").contains("│[O] 2  3 │"));
    let text = drawn("hex:3", "b1 a1 b2 a2 b3");
    assert!(text.matches("[X]").count() == 3 && text.contains("1 ╲ O[X]· ╲ 1"), "{text}");
    let text = drawn("sudo:2", "5.1");
    assert!(text.contains("[X]") && text.contains("│ 1  2  3 │ ·  ·  · │"), "{text}");
}

#[test]
fn every_window_can_be_drawn_and_small_ones_keep_the_actions() {
    for game in ["connect4", "hex:11", "tic-tac-toe", "sudo"] {
        for iterations in [0, 500] {
            let mut session = session(game, iterations);
            for (width, height) in [(1, 1), (3, 2), (5, 3), (20, 5), (20, 10), (30, 30), (59, 17), (200, 60)]
            {
                screen(&session, width, height);
            }
            session.obey(Command::Help);
            screen(&session, 20, 5);
        }
    }
    let small = screen(&session("connect4", 2_000), 20, 10).join("\n");
    assert!(small.contains("actions by visits") && small.contains(">3 "), "{small}");
    let tiny = screen(&session("connect4", 2_000), 20, 4).join("\n");
    assert!(tiny.contains(">3 "), "{tiny}");
}

#[test]
fn the_viewer_walks_the_tree_and_comes_back() {
    let mut session = session("tic-tac-toe", 2_000);
    session.obey(Command::Into);
    session.obey(Command::Down);
    session.obey(Command::Into);
    assert_eq!(session.walked().len(), 2);
    let text = screen(&session, 100, 30).join("\n");
    assert!(text.contains("after 5 "), "{text}");
    session.obey(Command::Out);
    assert_eq!(session.walked().len(), 1);
    // The action that was selected there is selected still.
    let rows = session.rows();
    assert_eq!(session.selected_row(&rows), Some(1));
    session.obey(Command::Root);
    session.obey(Command::Out);
    session.obey(Command::Up);
    assert!(session.walked().is_empty());
}

#[test]
fn a_played_action_becomes_the_root_and_can_be_taken_back() {
    let mut session = session("connect4", 2_000);
    let visits = session.rows()[0].visits;
    session.obey(Command::Play);
    let text = screen(&session, 80, 24).join("\n");
    assert!(text.contains("Y to move") && text.contains("[R]"), "{text}");
    // The tree below the action stays: the first visit of a node is not one of its children.
    let kept: u32 = session.rows().iter().map(|row| row.visits).sum();
    assert!(kept > 0 && kept <= visits, "{kept} of {visits}");
    session.obey(Command::Undo);
    session.obey(Command::Undo);
    assert!(screen(&session, 80, 24).join("\n").contains("R to move"));
    session.run(Budget::iterations(100));
    assert_eq!(session.iterations, 100);
}

#[test]
fn the_search_pauses_ends_when_it_is_proven_and_says_when_the_game_is_over() {
    let mut session = session("tic-tac-toe", 10);
    session.obey(Command::Pause);
    session.run(Budget::iterations(10));
    assert_eq!((session.iterations, session.status()), (10, "paused"));
    session.obey(Command::Pause);
    session.obey(Command::Bars);
    assert_eq!(session.bars, Bars::Means);
    session.run(Budget::iterations(300_000));
    assert_eq!((session.thinks(), session.status()), (false, "the root is proven"));
    assert!(screen(&session, 80, 24).join("\n").contains("proven draw"));
    for _ in 0..9 {
        session.run(Budget::iterations(200));
        session.obey(Command::Play);
    }
    assert_eq!(session.status(), "the game is over");
    let text = screen(&session, 80, 24).join("\n");
    assert!(text.contains("the game is over here"), "{text}");
    session.obey(Command::Into);
    session.obey(Command::Play);
    session.obey(Command::Undo);
    assert!(session.thinks());
}

#[test]
fn bars_fill_their_share_of_the_width() {
    let mut session = session("connect4", 5_000);
    let all: u32 = session.rows().iter().map(|row| row.visits).sum();
    let share = f64::from(session.rows()[0].visits) / f64::from(all);
    let first = |session: &Session| {
        screen(session, 120, 24).into_iter().find(|line| line.contains('>')).expect("a row")
    };
    let cells = |line: &str| line.chars().filter(|&cell| cell == '█').count() as f64;
    let by_visits = cells(&first(&session));
    session.obey(Command::Bars);
    let by_mean = cells(&first(&session));
    let mean = f64::from(session.rows()[0].mean);
    // Each bar is cut to whole cells.
    assert!(
        (by_visits / by_mean - share / mean).abs() < 0.1,
        "{by_visits} and {by_mean} cells for {share} and {mean}"
    );
}

#[test]
fn every_width_names_the_keys_of_help_and_cuts_no_figure() {
    let session = session("connect4", 2_000);
    for width in 16..=130 {
        let screen = screen(&session, width, 20);
        assert!(screen[19].ends_with("? help  q quit"), "{width}: {}", screen[19]);
        let status = &screen[0];
        let last = status.rsplit("  ").next().expect("a word");
        let is_whole = ["searching", "iterations", "/s", "B", "nodes"].iter().any(|end| last.ends_with(end));
        assert!(width < 18 || is_whole || last.starts_with("depth "), "{width}: {status}");
    }
    let wide = screen(&session, 80, 20);
    let [titles, first] = [&wide[1], &wide[2]];
    // The titles end where the figures end: the last cell belongs to the border.
    assert!(titles.ends_with("visits  share    mean ±95%┐"), "{titles}");
    assert!(first.ends_with('│') && first.chars().count() == titles.chars().count(), "{first}");
}

#[test]
fn the_help_scrolls_in_a_small_window() {
    let mut session = session("connect4", 10);
    let selected = session.rows()[0].action;
    session.obey(Command::Help);
    assert!(!screen(&session, 20, 10).join("\n").contains("q, Esc"));
    for _ in 0..100 {
        session.obey(Command::Down);
        if screen(&session, 20, 10).join("\n").contains("q, Esc") {
            break;
        }
    }
    assert!(screen(&session, 20, 10).join("\n").contains("q, Esc"));
    session.obey(Command::Help);
    session.obey(Command::Help);
    assert!(screen(&session, 20, 10).join("\n").contains("Up, Down"), "it begins at its top again");
    session.obey(Command::Help);
    let rows = session.rows();
    assert_eq!(
        session.selected_row(&rows).map(|at| rows[at].action),
        Some(selected),
        "the keys moved no selection"
    );
}

#[test]
fn esc_closes_the_help_before_it_quits() {
    let mut session = session("connect4", 10);
    let shows_help = |session: &Session| screen(session, 80, 24).join("\n").contains("q, Esc");
    let (esc, q) = (KeyEvent::from(KeyCode::Esc), KeyEvent::from(KeyCode::Char('q')));
    assert_eq!(command(esc, &session), Some(Command::Quit));
    session.obey(Command::Help);
    assert!(shows_help(&session));
    assert_eq!(command(q, &session), Some(Command::Quit));
    session.obey(command(esc, &session).expect("it closes the help"));
    assert!(!shows_help(&session));
    assert_eq!(command(esc, &session), Some(Command::Quit));
}
