//! The commands, one function each.

use super::{Answer, Engine, SettingsError, clock};
use crate::commands::AnyAction;
use crate::several::joined;
use crate::sgf::{HexRecord, read_file};
use core::fmt::Write;
use core::time::Duration;
use ramure::{GameState, Player, Search};
use ramure_games::hex::HexAction;

type Reply = Result<String, String>;

/// Runs a command with its arguments.
type Command = fn(&mut Engine, &[&str]) -> Reply;

/// The names of the commands, and what they do.
const COMMANDS: [(&str, Command); 23] = [
    ("all_legal_moves", |engine, _| Ok(joined(engine.position().actions().into_iter().map(move_name), " "))),
    ("boardsize", boardsize),
    ("clear_board", clear_board),
    ("final_score", final_score),
    ("genmove", genmove),
    ("hexgui-analyze_commands", |_, _| Ok(ANALYSES.into())),
    ("known_command", known_command),
    ("list_commands", list_commands),
    ("loadsgf", loadsgf),
    ("name", |_, _| Ok("ramure".into())),
    ("play", play),
    ("protocol_version", |_, _| Ok("2".into())),
    ("quit", |_, _| Ok(String::new())),
    ("ramure-means", |engine, _| of_moves(engine, |_, mean| format!("{mean:.2}"))),
    ("ramure-report", report),
    ("ramure-search", search),
    ("ramure-visits", |engine, _| of_moves(engine, |visits, _| visits.to_string())),
    ("reg_genmove", reg_genmove),
    ("showboard", |engine, _| Ok(format!("\n{}", engine.position()))),
    ("time_left", time_left),
    ("time_settings", time_settings),
    ("undo", |engine, _| engine.undo().map(|()| String::new())),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").into())),
];

const COLOURS: [&str; 2] = ["black", "white"];

/// The entries of the menu of HexGui: kind, label and command.
const ANALYSES: &str = "string/Report of the search/ramure-report\n\
    pspairs/Visits of the moves/ramure-visits\n\
    pspairs/Means of the moves/ramure-means";

impl Engine {
    /// Answers a line. `None` if the line has no command: it is empty, or a comment.
    pub fn answer(&mut self, line: &str) -> Option<Answer> {
        let line: String = line
            .split('#')
            .next()
            .unwrap_or_default()
            .chars()
            .map(|character| if character == '\t' { ' ' } else { character })
            .filter(|character| !character.is_control())
            .collect();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let is_number = words.first()?.bytes().all(|byte| byte.is_ascii_digit());
        let number = if is_number { words.remove(0) } else { "" };
        let command = words.first().map(|name| name.to_lowercase());
        let reply = match words.split_first() {
            Some((_, arguments)) => {
                match COMMANDS.iter().find(|(known, _)| Some(*known) == command.as_deref()) {
                    Some((_, command)) => command(self, arguments),
                    None => Err("unknown command; list_commands lists those there are".into()),
                }
            }
            None => Err("there is a number and no command".into()),
        };
        let quits = reply.is_ok() && command.as_deref() == Some("quit");
        Some(Answer { text: written(reply, number), quits })
    }
}

/// Writes an answer as the protocol has it: no empty line inside, and one at the end.
pub(super) fn written(reply: Reply, number: &str) -> String {
    let (sign, text) = match &reply {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    // A text of lines, such as a board, begins on a line of its own.
    let start = if text.starts_with('\n') && !lines.is_empty() { "\n" } else { "" };
    // HexGui takes an answer without the space for an error.
    format!("{sign}{number} {start}{}\n\n", lines.join("\n"))
}

/// Reads a colour: `b`, `black`, `w` or `white`.
fn colour(text: &str) -> Result<Player, String> {
    let text = text.to_lowercase();
    let is = |colour: &&str| *colour == text || colour[..1] == text;
    COLOURS
        .iter()
        .position(is)
        .map(|player| player as Player)
        .ok_or_else(|| format!("syntax error: \"{text}\" is not a colour; write black or white"))
}

/// Reads a colour for a move. The game must not be over.
fn colour_of_move(engine: &Engine, text: &str) -> Result<Player, String> {
    let player = colour(text)?;
    score(engine).map_or(Ok(player), |score| Err(format!("the game is over: {score}")))
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("syntax error: \"{text}\" is not a number in range"))
}

fn move_name(action: HexAction) -> String {
    match action {
        HexAction::Swap => "swap-pieces".into(),
        HexAction::Place(cell) => cell.to_string(),
    }
}

fn arguments<'a, const N: usize>(given: &[&'a str], names: &str) -> Result<[&'a str; N], String> {
    let number = given.len();
    given.try_into().map_err(|_| format!("syntax error: {number} arguments instead of {N}: {names}"))
}

fn boardsize(engine: &mut Engine, given: &[&str]) -> Reply {
    let size = match given {
        [size] => size,
        [width, height] if width == height => width,
        [_, _] => return Err("unacceptable size: the board has as many rows as columns".into()),
        _ => return Err("syntax error: write boardsize N".into()),
    };
    let error = "unacceptable size: 2 to 19".to_string();
    let size: u8 = size.parse().map_err(|_| error.clone())?;
    match engine.restart(size) {
        Ok(()) => Ok(String::new()),
        Err(SettingsError::Size(_)) => Err(error),
        Err(other) => Err(other.to_string()),
    }
}

fn clear_board(engine: &mut Engine, _: &[&str]) -> Reply {
    engine.restart(engine.settings.size).map(|()| String::new()).map_err(|error| error.to_string())
}

fn play(engine: &mut Engine, given: &[&str]) -> Reply {
    let [player, text] = arguments(given, "play COLOUR MOVE")?;
    let action = text.parse().map_err(|_| {
        format!("syntax error: \"{text}\" is not a move; write a cell such as b3, swap-pieces, swap-sides or resign")
    })?;
    let player = colour_of_move(engine, player)?;
    engine.play(player, action).map(|()| String::new())
}

fn genmove(engine: &mut Engine, given: &[&str]) -> Reply {
    let [player] = arguments(given, "genmove COLOUR")?;
    let player = colour_of_move(engine, player)?;
    let action = engine.choose(player)?;
    engine.play(player, action)?;
    Ok(action.to_string())
}

fn reg_genmove(engine: &mut Engine, given: &[&str]) -> Reply {
    let [player] = arguments(given, "reg_genmove COLOUR")?;
    let player = colour_of_move(engine, player)?;
    engine.choose(player).map(|action| action.to_string())
}

/// `loadsgf FILE [MOVE]` loads the first game of a file, as it is before this move, counted from 1.
fn loadsgf(engine: &mut Engine, given: &[&str]) -> Reply {
    let (before, path) = match given.split_last() {
        Some((last, path @ [_, ..])) if last.bytes().all(|byte| byte.is_ascii_digit()) => {
            (Some(number::<usize>(last)?.max(1)), path)
        }
        Some(_) => (None, given),
        None => return Err("syntax error: write loadsgf FILE, or loadsgf FILE MOVE".into()),
    };
    let path = path.join(" ");
    let game: Result<HexRecord, String> = read_file(path.as_ref());
    let loaded = game.and_then(|record| engine.load(&record, before));
    loaded.map(|()| String::new()).map_err(|error| format!("cannot load file: {path}: {error}"))
}

fn score(engine: &Engine) -> Option<&'static str> {
    let winner = engine.position().winner().or(engine.resigned.map(|player| player ^ 1));
    winner.map(|winner| if winner == 0 { "B+" } else { "W+" })
}

fn final_score(engine: &mut Engine, _: &[&str]) -> Reply {
    score(engine).map(String::from).ok_or_else(|| "cannot score: the game is not over".into())
}

fn known_command(_: &mut Engine, given: &[&str]) -> Reply {
    let [name] = arguments(given, "known_command NAME")?;
    Ok(COMMANDS.iter().any(|(known, _)| *known == name.to_lowercase()).to_string())
}

fn list_commands(_: &mut Engine, _: &[&str]) -> Reply {
    Ok(COMMANDS.map(|(name, _)| name).join("\n"))
}

/// `time_settings MAIN BYO-YOMI STONES`: the main time in seconds, then so many seconds for each so many
/// moves.
fn time_settings(engine: &mut Engine, given: &[&str]) -> Reply {
    let [main, more, stones] = arguments(given, "time_settings MAIN BYO-YOMI STONES")?;
    let (main, more, stones) = (number::<u32>(main)?, number::<u32>(more)?, number::<u32>(stones)?);
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    engine.time = match (main, more, stones) {
        // The protocol's words for no limit.
        (_, 1.., 0) | (0, 0, _) => None,
        // Byo-yomi from the first move on.
        (0, ..) => Some(clock(seconds(more), stones).periods(stones, seconds(more))),
        // `time_left` says when byo-yomi begins.
        _ => Some(clock(seconds(main), 0)),
    };
    engine.clocks = [engine.time; 2];
    Ok(String::new())
}

/// `time_left COLOUR SECONDS STONES`: what the clock of a player shows; 0 stones in the main time.
fn time_left(engine: &mut Engine, given: &[&str]) -> Reply {
    let [player, time, stones] = arguments(given, "time_left COLOUR SECONDS STONES")?;
    let (player, time, stones) = (colour(player)?, number::<u32>(time)?, number::<u32>(stones)?);
    engine.clocks[usize::from(player)] = Some(clock(Duration::from_secs(time.into()), stones));
    Ok(String::new())
}

/// `ramure-search TEXT` sets the search; without a text, prints it.
fn search(engine: &mut Engine, given: &[&str]) -> Reply {
    match given {
        [] => Ok(engine.settings.search.clone()),
        [text] => engine.renew((*text).into()).map(|()| String::new()).map_err(|error| error.to_string()),
        _ => Err("syntax error: a search has no spaces".into()),
    }
}

fn report(engine: &mut Engine, _: &[&str]) -> Reply {
    let report = engine.search.report().map_err(|error| error.to_string())?;
    let mut text = String::from("\nmove          visits   mean\n");
    for found in report.top(usize::MAX).filter(|found| found.visits > 0) {
        let proof = match found.proof {
            Some(1.0) => "  win",
            Some(_) => "  loss",
            None => "",
        };
        let _ = writeln!(text, "{:<11} {:>8}  {:.3}{proof}", name_of(found.action), found.visits, found.mean);
    }
    let line = joined(report.principal_variation.into_iter().map(name_of), " ");
    Ok(format!("{text}best line: {line}"))
}

/// Returns the name of a move of the search.
fn name_of(action: AnyAction) -> String {
    if let AnyAction::Hex(action) = action { move_name(action) } else { action.to_string() }
}

/// Returns pairs of a cell and what the search found of it.
fn of_moves(engine: &Engine, print: fn(u32, f32) -> String) -> Reply {
    let report = engine.search.report().map_err(|error| error.to_string())?;
    let mut pairs = String::new();
    for found in report.actions.iter().filter(|found| found.visits > 0) {
        let _ = write!(pairs, "{} {} ", name_of(found.action), print(found.visits, found.mean));
    }
    Ok(pairs)
}
