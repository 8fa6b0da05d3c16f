//! Finds the best search for a game, or the best value of one parameter: `ramure-lab tune`.

use super::compare::sweeps;
use super::files::Files;
use super::output::{say, stop_by_ctrl_c};
use super::parallel::Work;
use super::{AnyGame, GAMES};
use crate::Failure;
use crate::contest::Estimate;
use crate::lines::IfThere;
use crate::pictures::{Colour, Curve, Curves, Picture, Scale};
use crate::several::joined;
use crate::tuning::{Candidate, Playing, Rounds, Row, Tuner, Tuning, TuningError, halving};
use clap::Args;
use std::f64::consts::SQRT_2;
use std::path::{Path, PathBuf};

/// Finds the best search for a game, or the best value of one parameter.
///
/// With --minutes or --total, it searches over tree policies, rollouts, backpropagations and their parameters
/// together, by games against the default search. It prints the best settings, fresh games of the best one
/// against the default, and its text and its line of Rust.
///
/// Otherwise it finds how many deviations of the rewards to explore by, or the best value of another
/// parameter, against one reference, by successive halving: in each round, every remaining value plays the
/// reference, all from the same openings. Then the weaker half is dropped, and the remaining values play twice as many games. The
/// best of many values looks better than it is, by chance. So at the end that value plays fresh games for its
/// final figure, and so does the agent without the value, the default.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The game
    #[arg(help = format!("The game: {GAMES}"))]
    game: String,

    /// Search all settings, and end after M minutes of games
    #[arg(long, value_name = "M", conflicts_with_all = ONE)]
    minutes: Option<f64>,

    /// Search all settings, and end after N games; the same seed then gives the same result
    #[arg(long, value_name = "N", conflicts_with = "minutes", conflicts_with_all = ONE)]
    total: Option<u64>,

    /// Set the budget of the search, iterations or a time such as 10ms: short for --agent mcts:BUDGET,k={}, and
    /// with --minutes or --total the default is mcts:BUDGET
    #[arg(long, value_name = "BUDGET", default_value = "1000", conflicts_with = "agent")]
    budget: String,

    /// Tune this agent, with {} in place of the value, as in mcts:1000,policy=ucb1-tuned,c={} or
    /// mcts:1000,expand={}
    #[arg(long, value_name = "AGENT", requires = "against")]
    agent: Option<String>,

    /// Choose the reference agent [default: mc-total with the same budget; with --minutes or --total mcts]
    #[arg(long, value_name = "AGENT")]
    against: Option<String>,

    /// List the values, with commas between them, as in 0.1,0.2,0.4 [default: two for each factor of two from
    /// 0.044 to 4 deviations]
    #[arg(long, value_name = "V,V,..", value_delimiter = ',', allow_hyphen_values = true)]
    values: Vec<f64>,

    /// Set the games of each value in the first round, an even number; half are played from each seat
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,

    /// Stop halving when N values or fewer remain
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(2..))]
    left: u16,

    /// Start no round that would bring all values together above N games [default: no limit]
    #[arg(long, value_name = "N")]
    most: Option<u64>,

    /// Set the fresh games for each final figure, an even number
    #[arg(long, value_name = "N", default_value_t = 200)]
    fresh: u32,

    /// Set the random actions at the start of a game; each opening is played from both seats
    #[arg(long, value_name = "N", default_value_t = 2)]
    openings: u32,

    /// Keep the games in this file, so that --resume can go on after a crash
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Continue the tuning in the file
    #[arg(long, requires = "file", conflicts_with = "force")]
    resume: bool,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

/// The options that only the tuning of one parameter has.
const ONE: [&str; 7] = ["agent", "values", "games", "left", "most", "fresh", "plot"];

const EXAMPLES: &str = "\
Examples:
  ramure-lab tune connect4 --minutes 10 --budget 10ms --file tune.jsonl
  ramure-lab tune hex:7 --budget 1000 --plot k.png
  ramure-lab tune connect4 --budget 10ms --against mc:400 --values 0.25,1,4
  ramure-lab tune hex:11 --agent mcts:1000,policy=ucb1-tuned,c={} \\
                  --against mcts:1000,c=0.2 --games 100 --csv c.csv

Agents are written as for `ramure-lab compare`, whose --help lists them.

Ctrl-C ends the program after the games in progress and shows the results so far; a second Ctrl-C ends it at once.";

/// Tunes the agent, and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    // A resumed tuning may replace the table and the picture that it wrote before.
    let files = Files { force: options.files.force || options.resume, ..options.files.clone() };
    files.check(1, options.file.clone())?;
    let if_there = match (options.resume, files.force) {
        (true, _) => IfThere::Resume,
        (false, true) => IfThere::Replace,
        (false, false) => IfThere::Refuse,
    };
    let playing = Playing {
        openings: options.openings,
        seed: options.work.seed,
        threads: options.work.threads(),
        stop: stop_by_ctrl_c(),
        progress: true,
        file: options.file.clone().map(|path| (path, if_there)),
    };
    let start = AnyGame::read(&options.game)?;
    let tuned = match (options.minutes, options.total) {
        (None, None) => one_parameter(&options, &start, &playing)?,
        (minutes, games) => all_settings(&options, start, playing, minutes, games)?,
    };
    let (tuning, failure) = match tuned {
        Err(TuningError::Broken { found, source }) => (*found, Some(source)),
        tuned => (tuned?, None),
    };
    say(format_args!("{}: {tuning}", options.game))?;
    if let Some(mut file) = files.table(COLUMNS)? {
        let rows =
            tuning.rows.iter().map(|row| (row, false)).chain(tuning.fresh.iter().map(|row| (row, true)));
        rows.map(|(row, is_fresh)| record(&tuning, row, is_fresh)).try_for_each(|row| file.write(row))?;
    }
    files.plot(|path| draw(&options.game, &tuning, path))?;
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// Searches all settings.
fn all_settings(
    options: &Options,
    start: AnyGame,
    playing: Playing,
    minutes: Option<f64>,
    games: Option<u64>,
) -> Result<Result<Tuning, TuningError>, Failure> {
    let known = AnyGame::registry();
    let tuner = known.tuner(start, &format!("mcts:{}", options.budget))?.playing(playing);
    let tuner = match &options.against {
        Some(text) => tuner.against(known.read(text)?),
        None => tuner,
    };
    let tuner = games.into_iter().fold(tuner, Tuner::games);
    Ok(minutes.into_iter().fold(tuner, Tuner::minutes).run())
}

/// Finds the best value of a parameter.
fn one_parameter(
    options: &Options,
    start: &AnyGame,
    playing: &Playing,
) -> Result<Result<Tuning, TuningError>, Failure> {
    let (known, budget) = (AnyGame::registry(), &options.budget);
    let candidate = |(value, text): (f64, String)| Ok(Candidate { value, agent: known.read(&text)? });
    let text = options.agent.clone().unwrap_or_else(|| format!("mcts:{budget},k={{}}"));
    let values = if options.values.is_empty() { &DEVIATIONS[..] } else { &options.values };
    let (parameter, swept) = sweeps::read(&with_values(&text, values)?)?;
    let candidates = swept.into_iter().map(candidate).collect::<Result<_, Failure>>()?;
    // Without the parameter; a budget has no default.
    let also = known.read(&text.replace(&format!(",{parameter}={{}}"), "")).ok();
    let reference = match &options.against {
        Some(text) => known.read(text)?,
        None => known.read(&format!("mc-total:{budget}")).map_err(|error| {
            format!(
                "{error}; mc-total needs a number as its budget, so name another reference with --against"
            )
        })?,
    };
    let rounds = Rounds {
        games: options.games,
        left: options.left.into(),
        most_games: options.most.unwrap_or(u64::MAX),
        fresh_games: options.fresh,
    };
    Ok(halving(start, &parameter, candidates, also, &reference, &rounds, playing))
}

/// Returns the agent's text with a list of values, for a sweep.
fn with_values(text: &str, values: &[f64]) -> Result<String, Failure> {
    if text.matches("{}").count() != 1 {
        return Err(
            format!("\"{text}\" must have one {{}} in place of the value, as in mcts:1000,k={{}}").into()
        );
    }
    Ok(text.replace("{}", &format!("{{{}}}", joined(values, ","))))
}

const COLUMNS: &str = "parameter value agent reference fresh games wins draws losses score low high dropped_after_round \
                       lead lead_low lead_high";

/// The row of a value in the CSV file: of its fresh games, or of all others.
fn record(tuning: &Tuning, row: &Row, is_fresh: bool) -> Vec<String> {
    let interval = |estimate: Option<Estimate>| match estimate {
        Some(Estimate { value, low, high }) => [value, low, high].map(|number| number.to_string()),
        None => Default::default(),
    };
    let tally = row.tally;
    let mut record = vec![
        tuning.parameter.clone().unwrap_or_default(),
        row.value.map_or_else(String::new, |value| value.to_string()),
        row.agent.clone(),
    ];
    record.extend([tuning.reference.clone(), if is_fresh { "yes" } else { "no" }.into()]);
    record.extend([tally.games(), tally.wins, tally.draws, tally.losses].map(|count| count.to_string()));
    record.extend(interval(row.score));
    record.push(row.dropped.map_or_else(String::new, |round| round.to_string()));
    let has_lead = !is_fresh && !std::ptr::eq(row, tuning.best());
    record.extend(interval(if has_lead { tuning.lead_over(row) } else { None }));
    record
}

/// Explorations from 0.044 to 4 deviations, two for each factor of two.
const DEVIATIONS: [f64; 14] =
    [0.044, 0.0625, 0.088, 0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1.0, SQRT_2, 2.0, 2.83, 4.0];

/// Draws the score over the values, and the fresh games of the best value and of the default.
fn draw(game: &str, tuning: &Tuning, path: &Path) -> Result<(), Failure> {
    let name = tuning.parameter.as_deref().unwrap_or_default();
    let by_factors = tuning.rows.iter().all(|row| row.value > Some(0.0));
    let mut picture = Curves::new(format!("{game}: {} against {}", general(name, tuning), tuning.reference))
        .x_label(match name {
            "c" => "exploration constant c",
            "k" => "exploration in deviations, k",
            _ => name,
        })
        .x_scale(if by_factors { Scale::Log10 } else { Scale::Linear })
        .y_label("score, with 95 % intervals")
        .y_percent()
        .y_within(0.0, 1.0)
        .guide(0.5, "even");
    let point = |row: &Row| Some((row.value?, row.score?));
    let (best, fresh) = match tuning.fresh.first() {
        Some(row) => (row, "best, fresh games"),
        None => (tuning.best(), "best"),
    };
    if let Some(point) = point(best) {
        picture = picture.curve(Curve::of_estimates(fresh, [point]).colour(Colour::Vermilion));
    }
    if let Some(score) = tuning.fresh.get(1).and_then(|row| row.score) {
        picture = picture.guide(score.value, "default");
    }
    let all = tuning.rows.iter().filter_map(point);
    Ok(picture.curve(Curve::of_estimates("all values", all).colour(Colour::Black)).save(path)?)
}

/// Returns the agent's text without the value of the parameter.
fn general(name: &str, tuning: &Tuning) -> String {
    let parts = tuning.best().agent.split(',').filter(|part| !part.starts_with(&format!("{name}=")));
    // A value after the colon has no name of its own, so the word before the colon stands for it.
    let parts = parts.map(|part| if part.starts_with(&format!("{name}:")) { name } else { part });
    joined(parts, ",")
}
