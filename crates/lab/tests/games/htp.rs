//! Scripted sessions of the Hex Text Protocol. What must come back is written by hand from the specification.

use ramure::Budget;
use ramure_lab::htp::{Engine, LONGEST_LINE, Settings, SettingsError, serve};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::{Duration, Instant};

fn settings(size: u8, swap: bool) -> Settings {
    Settings { search: "ucb1".into(), size, swap, budget: Budget::iterations(200), seed: 1 }
}

fn engine(size: u8, swap: bool) -> Engine {
    Engine::new(settings(size, swap)).expect("valid settings")
}

/// Answers a whole session.
fn session(engine: &mut Engine, input: impl AsRef<[u8]>) -> String {
    let mut output = Vec::new();
    serve(engine, input.as_ref(), &mut output).expect("texts in memory do not fail");
    String::from_utf8(output).expect("answers are UTF-8")
}

/// Answers one command, and returns what follows its sign.
fn ask(engine: &mut Engine, command: &str) -> Result<String, String> {
    let text = engine.answer(command).expect("a command").text;
    let inside = text.strip_suffix("\n\n").expect("an empty line ends an answer");
    assert!(!inside.contains("\n\n"), "{text}");
    match inside.split_at(1) {
        ("=", answer) => Ok(answer.trim().into()),
        ("?", error) => Err(error.trim().into()),
        _ => panic!("{text}"),
    }
}

#[test]
fn a_session_has_the_form_of_the_protocol() {
    let session = session(
        &mut engine(3, true),
        "# a comment\n\
         \n\
         1 protocol_version\r\n\
         name # and a comment\n\
         7\tboardsize\t3 3\n\
         play BLACK A1\n\
         play w swap-pieces\n\
         \u{7}8 play\u{0} b b2\n\
         showboard\n\
         9 all_legal_moves\n\
         9 quit\n\
         name\n",
    );
    let expected = "=1 2\n\n\
                    = ramure\n\n\
                    =7 \n\n\
                    = \n\n\
                    = \n\n\
                    =8 \n\n\
                    = \n  a b c\n1 O . .\n 2 . X .\n  3 . . .\nswap: taken\nmoves: 3\nstatus: O to play\n\n\
                    =9 b1 c1 a2 c2 a3 b3 c3\n\n\
                    =9 \n\n";
    assert_eq!(session, expected);
}

#[test]
fn each_error_says_what_is_wrong() {
    let mut engine = engine(3, true);
    for (command, error) in [
        ("nonsense", "unknown command; list_commands lists those there are"),
        ("12", "12 there is a number and no command"),
        ("boardsize", "syntax error: write boardsize N"),
        ("boardsize 1", "unacceptable size: 2 to 19"),
        ("boardsize 20", "unacceptable size: 2 to 19"),
        ("boardsize -3", "unacceptable size: 2 to 19"),
        ("boardsize 5 6", "unacceptable size: the board has as many rows as columns"),
        ("play black", "syntax error: 1 arguments instead of 2: play COLOUR MOVE"),
        ("play green a1", "syntax error: \"green\" is not a colour; write black or white"),
        (
            "play black a",
            "syntax error: \"a\" is not a move; write a cell such as b3, swap-pieces, swap-sides or resign",
        ),
        ("loadsgf", "syntax error: write loadsgf FILE, or loadsgf FILE MOVE"),
        ("play black d1", "illegal move: the cell is off the board; there are 3 rows and columns"),
        ("undo", "there is no move to undo"),
        ("final_score", "cannot score: the game is not over"),
        ("time_settings 1 2", "syntax error: 2 arguments instead of 3: time_settings MAIN BYO-YOMI STONES"),
        ("time_left black -1 0", "syntax error: \"-1\" is not a number in range"),
        ("ramure-search a b", "syntax error: a search has no spaces"),
    ] {
        let found = ask(&mut engine, command).expect_err(command);
        if command == "play black d1" {
            assert!(found.starts_with("illegal move: "), "{found}");
        } else {
            assert_eq!(found, error, "{command}");
        }
    }
    assert!(ask(&mut engine, "play black swap-pieces").expect_err("too early").starts_with("illegal move: "));
    assert!(ask(&mut engine, "ramure-search ucb7").expect_err("no such word").contains("ucb"));
    assert_eq!(ask(&mut engine, "ramure-search").as_deref(), Ok("ucb1"), "the search did not change");
    assert_eq!(ask(&mut engine, "ramure-visits").as_deref(), Ok(""), "nothing was searched");
    // Nothing has changed the board.
    assert_eq!(ask(&mut engine, "all_legal_moves").as_deref(), Ok("a1 b1 c1 a2 b2 c2 a3 b3 c3"));
    ask(&mut engine, "play black b2").expect("legal");
    assert!(ask(&mut engine, "play white b2").expect_err("taken").starts_with("illegal move: "));
}

#[test]
fn every_command_is_known_and_listed() {
    let mut engine = engine(3, true);
    let commands = ask(&mut engine, "list_commands").expect("a list");
    assert_eq!(commands.lines().count(), 23);
    for command in commands.lines() {
        assert_eq!(ask(&mut engine, &format!("known_command {command}")).as_deref(), Ok("true"));
    }
    assert_eq!(ask(&mut engine, "known_command swap").as_deref(), Ok("false"));
    for analysis in ask(&mut engine, "hexgui-analyze_commands").expect("a list").lines() {
        let command = analysis.split('/').nth(2).expect("three parts");
        assert!(commands.lines().any(|known| known == command), "{analysis}");
    }
}

#[test]
fn hostile_lines_are_answered_and_the_session_goes_on() {
    let mut input = vec![b'a'; 1 << 20];
    input.extend(b"\n\xff\xfe\n1 name\n");
    input.extend(vec![b'#'; LONGEST_LINE]);
    input.extend(b"\n2 name");
    let answers = session(&mut engine(3, true), input);
    assert_eq!(
        answers,
        format!(
            "? the line is longer than {LONGEST_LINE} bytes\n\n? syntax error: the line is not UTF-8\n\n=1 ramure\n\n=2 ramure\n\n"
        )
    );
}

/// What `HtpController` of HexGui does with an answer: reads lines up to an empty one, and takes two
/// characters for the sign. Anything else is a message box.
fn as_hexgui_reads(answer: &str) -> Result<String, String> {
    let (inside, rest) = answer.split_once("\n\n").expect("an empty line ends an answer");
    assert_eq!(rest, "", "{answer}");
    match (inside.strip_prefix("= "), inside.strip_prefix("? ")) {
        (Some(text), _) => Ok(text.into()),
        (_, Some(text)) => Err(text.into()),
        _ => panic!("HexGui cannot read {answer:?}"),
    }
}

/// The commands that HexGui sends when it connects, starts a game, plays, asks for a move, takes back and
/// analyses.
#[test]
fn hexgui_can_read_every_answer_of_a_session() {
    let mut engine = engine(11, true);
    let mut send = |command: &str| as_hexgui_reads(&engine.answer(command).expect("a command").text);
    assert_eq!(send("name").as_deref(), Ok("ramure"));
    assert!(send("version").is_ok_and(|version| !version.is_empty()));
    let analyses = send("hexgui-analyze_commands").expect("a list");
    for analysis in analyses.lines() {
        let parts: Vec<&str> = analysis.split('/').collect();
        // HexGui knows the kind in any case, the label is not empty, and the command is one of ours.
        assert!(
            ["string", "pspairs"].contains(&parts[0]) && !parts[1].is_empty() && parts.len() == 3,
            "{analysis}"
        );
    }
    assert_eq!(send("boardsize 5 5").as_deref(), Ok(""));
    assert!(send("boardsize 5 6").is_err());
    assert!(send("showboard").expect("a board").starts_with("\n  a b c d e\n"));
    assert_eq!(send("play black c3").as_deref(), Ok(""));
    let is_point = |name: &str| {
        let cells = ('a'..='e').flat_map(|column| (1..=5).map(move |row| format!("{column}{row}")));
        cells.chain(["swap-pieces".into()]).any(|point| point == name)
    };
    let reply = send("genmove white").expect("a move");
    assert!(is_point(&reply), "{reply}");
    for analysis in analyses.lines() {
        send(analysis.rsplit('/').next().expect("a command")).expect("an analysis");
    }
    for _ in 0..2 {
        assert_eq!(send("undo").as_deref(), Ok(""));
    }
    assert!(send("undo").is_err());
    assert_eq!(send("play black a1").as_deref(), Ok(""));
    assert_eq!(send("play white swap-pieces").as_deref(), Ok(""));
    assert_eq!(send("time_left black 60 0").as_deref(), Ok(""));
    assert!(send("final_score").is_err());
    assert!(send("dfpn-solve-state").is_err(), "a command of another program");
    assert_eq!(send("quit").as_deref(), Ok(""));
    assert_eq!(engine.answer("# interrupt"), None);
}

/// An output that someone closed.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_ends_the_session() {
    serve(&mut engine(3, true), &b"name\nname\n"[..], Closed).expect("it is no error");
}

/// Returns whether a chain of cells joins two sides, by filling from one side. Cells are column and row.
fn joins(
    cells: &BTreeSet<(i8, i8)>,
    starts: impl Fn((i8, i8)) -> bool,
    ends: impl Fn((i8, i8)) -> bool,
) -> bool {
    let mut pending: Vec<_> = cells.iter().copied().filter(|&cell| starts(cell)).collect();
    let mut seen: BTreeSet<_> = pending.iter().copied().collect();
    while let Some((column, row)) = pending.pop() {
        if ends((column, row)) {
            return true;
        }
        for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            let next = (column + right, row + down);
            if cells.contains(&next) && seen.insert(next) {
                pending.push(next);
            }
        }
    }
    false
}

#[test]
fn two_engines_play_a_game_to_its_end() {
    for swap in [false, true] {
        let (mut black, mut white) = (engine(5, swap), engine(5, swap));
        ask(&mut white, "ramure-search grave:solver=yes").expect("a search");
        let mut stones = [BTreeSet::new(), BTreeSet::new()];
        for turn in 0.. {
            let (colour, player) = if turn % 2 == 0 { ("black", 0) } else { ("white", 1) };
            let (mover, other) =
                if player == 0 { (&mut black, &mut white) } else { (&mut white, &mut black) };
            let Ok(action) = ask(mover, &format!("genmove {colour}")) else { break };
            ask(other, &format!("play {colour} {action}")).expect("the other engine accepts it");
            if action == "swap-pieces" {
                assert!(swap && turn == 1);
                // The stone of black becomes the mirrored stone of white.
                stones = [BTreeSet::new(), stones[0].iter().map(|&(column, row)| (row, column)).collect()];
            } else {
                let (letter, row) = action.split_at(1);
                let cell =
                    (letter.as_bytes()[0] as i8 - b'a' as i8, row.parse::<i8>().expect("a number") - 1);
                assert!(!stones[0].contains(&cell) && stones[player].insert(cell), "{action}");
            }
        }
        let [score, other] =
            [&mut black, &mut white].map(|engine| ask(engine, "final_score").expect("it is over"));
        assert_eq!(score, other);
        let black_joins = joins(&stones[0], |(_, row)| row == 0, |(_, row)| row == 4);
        let white_joins = joins(&stones[1], |(column, _)| column == 0, |(column, _)| column == 4);
        assert_eq!((black_joins, white_joins), (score == "B+", score == "W+"));
        let error = ask(&mut black, "genmove black").expect_err("it is over");
        assert_eq!(error, format!("the game is over: {score}"));
    }
}

#[test]
fn undo_and_new_games_repeat_what_was() {
    let mut engine = engine(4, false);
    let boards: Vec<String> = ["b2", "c3", "a4"]
        .iter()
        .zip(["black", "white", "black"])
        .map(|(cell, colour)| {
            let before = ask(&mut engine, "showboard").expect("a board");
            ask(&mut engine, &format!("play {colour} {cell}")).expect("legal");
            before
        })
        .collect();
    for board in boards.iter().rev() {
        ask(&mut engine, "undo").expect("there is a move");
        assert_eq!(ask(&mut engine, "showboard").as_ref(), Ok(board));
    }
    // The seed fixes the moves of a game.
    let first = ask(&mut engine, "clear_board").and_then(|_| ask(&mut engine, "genmove b"));
    let report = ask(&mut engine, "ramure-visits").expect("it has searched");
    assert!(report.split(' ').count().is_multiple_of(2), "{report}");
    assert_eq!(ask(&mut engine, "clear_board").and_then(|_| ask(&mut engine, "genmove b")), first);
    // A search that is asked for its opinion does not play.
    ask(&mut engine, "reg_genmove white").expect("a move");
    assert_eq!(ask(&mut engine, "all_legal_moves").expect("a list").split(' ').count(), 15);
    let report = ask(&mut engine, "ramure-report").expect("it has searched");
    let (table, line) = report.split_once("\nbest line: ").expect("a line");
    let best = table.lines().nth(1).and_then(|row| row.split_whitespace().next()).expect("a move");
    assert!(line.starts_with(best), "{report}");
    assert!(ask(&mut engine, "ramure-means").expect("it has searched").contains("0."));
}

#[test]
fn a_clock_replaces_the_budget() {
    // This budget would take minutes.
    let mut settings = settings(11, true);
    settings.budget = Budget::iterations(100_000_000);
    let mut engine = Engine::new(settings).expect("valid settings");
    let start = Instant::now();
    ask(&mut engine, "time_settings 1 0 0").expect("a clock");
    ask(&mut engine, "genmove black").expect("a move");
    ask(&mut engine, "time_left white 0 0").expect("a clock");
    ask(&mut engine, "genmove white").expect("a move, at once");
    ask(&mut engine, "time_left black 1 5").expect("a clock");
    ask(&mut engine, "genmove black").expect("a move");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn bad_settings_are_errors() {
    assert!(matches!(Engine::new(settings(20, true)), Err(SettingsError::Size(_))));
    let mut bad = settings(5, true);
    bad.search = "mcts:100".into();
    let error = Engine::new(bad).expect_err("an agent is no search");
    assert!(matches!(error, SettingsError::Search(_)), "{error}");
}

/// Plays these moves, as in `b a1`.
fn play_all(engine: &mut Engine, moves: &[&str]) {
    for text in moves {
        ask(engine, &format!("play {text}")).expect(text);
    }
}

/// Returns what the board says below its cells.
fn below(engine: &mut Engine) -> String {
    let board = ask(engine, "showboard").expect("a board");
    board.split_once("swap:").expect("a line").1.replace('\n', ", ").trim().into()
}

#[test]
fn commands_moves_and_colours_may_have_capitals() {
    let answers = session(
        &mut engine(5, true),
        "007 NAME # comment\n99999999999 Play B A3#c\nPLAY White SWAP-PIECES\nplay B SWAP\nKnown_Command PLAY\nQUIT\nname\n",
    );
    let expected = "=007 ramure\n\n=99999999999 \n\n= \n\n\
                    ? illegal move: swap is not legal: a swap may only be the second action of a game with the swap rule; \
                    place a stone instead\n\n= true\n\n= \n\n";
    assert_eq!(answers, expected);
}

#[test]
fn a_swap_of_sides_leaves_the_stone_and_gives_white_the_next_turn() {
    let mut engine = engine(4, true);
    play_all(&mut engine, &["black b1", "white SWAP-SIDES"]);
    assert!(ask(&mut engine, "showboard").expect("a board").starts_with("a b c d\n1 . X . .\n"));
    assert_eq!(below(&mut engine), "off, passes: 2, moves: 3, status: O to play");
    assert!(ask(&mut engine, "play white swap-pieces").is_err(), "it has been swapped");
    ask(&mut engine, "genmove white").expect("a move");
    ask(&mut engine, "undo").and_then(|_| ask(&mut engine, "undo")).expect("two moves");
    assert_eq!(below(&mut engine), "on, moves: 1, status: O to play");
    assert!(ask(&mut self::engine(4, false), "play b a1").is_ok());
    let without = &mut self::engine(4, false);
    play_all(without, &["b a1"]);
    assert!(ask(without, "play w swap-sides").expect_err("no swap rule").starts_with("illegal move"));
}

#[test]
fn white_may_begin_and_black_swap() {
    let mut engine = engine(4, true);
    play_all(&mut engine, &["w b1", "b swap-pieces"]);
    assert!(ask(&mut engine, "showboard").expect("a board").starts_with("a b c d\n1 . . . .\n 2 X . . .\n"));
    assert_eq!(below(&mut engine), "taken, passes: 1, moves: 3, status: O to play");
}

#[test]
fn a_resignation_ends_the_game_until_it_is_taken_back() {
    let mut engine = engine(4, true);
    play_all(&mut engine, &["b a1", "b resign"]);
    assert_eq!(ask(&mut engine, "final_score").as_deref(), Ok("W+"));
    assert_eq!(ask(&mut engine, "genmove w").expect_err("it is over"), "the game is over: W+");
    assert_eq!(ask(&mut engine, "play w b2").expect_err("it is over"), "the game is over: W+");
    ask(&mut engine, "undo").expect("the resignation");
    assert!(ask(&mut engine, "final_score").is_err());
    assert_eq!(below(&mut engine), "on, moves: 1, status: O to play");
}

#[test]
fn stones_of_one_colour_set_a_position_up() {
    let mut engine = engine(3, false);
    play_all(&mut engine, &["b a1", "b c2", "w b2"]);
    assert_eq!(below(&mut engine), "off, passes: 1, moves: 4, status: X to play");
    // A move out of turn is searched, and is not played unless it is asked for.
    ask(&mut engine, "reg_genmove white").expect("a move");
    assert_eq!(below(&mut engine), "off, passes: 1, moves: 4, status: X to play");
    ask(&mut engine, "genmove white").expect("a move");
    assert_eq!(below(&mut engine), "off, passes: 2, moves: 6, status: X to play");
    // White joins left and right alone.
    play_all(&mut self::engine(3, false), &["w a1", "w b1", "w c1"]);
}

#[test]
fn a_record_is_loaded_up_to_a_move() {
    let path = std::env::temp_dir().join(format!("ramure {}.sgf", std::process::id()));
    let shown = path.display();
    std::fs::write(&path, "(;GM[11]SZ[4];B[b1];W[swap-sides];W[c3];B[a4];W[resign])").expect("a file");
    let mut engine = engine(9, true);
    ask(&mut engine, &format!("loadsgf {shown}")).expect("it can be read");
    assert_eq!(ask(&mut engine, "final_score").as_deref(), Ok("B+"));
    ask(&mut engine, "undo").expect("the resignation");
    assert_eq!(below(&mut engine), "off, passes: 2, moves: 5, status: O to play");
    ask(&mut engine, &format!("loadsgf {shown} 3")).expect("it can be read");
    assert_eq!(below(&mut engine), "off, passes: 2, moves: 3, status: O to play");
    ask(&mut engine, &format!("LoadSGF {shown} 1")).expect("it can be read");
    assert_eq!(below(&mut engine), "on, moves: 0, status: X to play");
    assert!(ask(&mut engine, "undo").is_err());

    let before = ask(&mut engine, "showboard");
    std::fs::write(&path, "(;GM[11]SZ[4]\n;B[b9])").expect("a file");
    let error = ask(&mut engine, &format!("loadsgf {shown}")).expect_err("it cannot be read");
    assert!(
        error.starts_with("cannot load file: ") && error.contains("line 2, column 4: b9 is not legal"),
        "{error}"
    );
    std::fs::remove_file(&path).expect("the file");
    assert!(
        ask(&mut engine, &format!("loadsgf {shown}")).expect_err("no file").starts_with("cannot load file: ")
    );
    assert_eq!(ask(&mut engine, "showboard"), before);
}
