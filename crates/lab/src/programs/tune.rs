//! The best exploration constant for a game and a budget: `ramure-lab tune`.

use crate::Recipe;
use crate::contest::Estimate;
use crate::experiments::games::{AnyGame, GAMES};
use crate::experiments::output::{self, Files};
use crate::experiments::parallel::Work;
use crate::experiments::tuning::{self, Candidate, EXPLORATION_CONSTANTS, Row, Settings, Tuning, written};
use crate::experiments::{Failure, statistics, sweeps};
use clap::Args;
use std::f64::consts::SQRT_2;

/// Finds the best exploration constant, or the best value of another parameter, against one reference agent.
///
/// It uses successive halving: in each round, every remaining value plays the reference, all from the same openings. Then
/// the weaker half is dropped, and the remaining values play twice as many games. The best of many values looks better than
/// it is, by chance. So at the end that value plays fresh games for its final figure, and so does sqrt 2, the constant of
/// the theorem.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The game
    #[arg(help = format!("The game: {GAMES}"))]
    game: String,

    /// Set the budget of the search, iterations or a time such as 10ms: short for --agent mcts:BUDGET,c={}
    #[arg(long, value_name = "BUDGET", default_value = "1000", conflicts_with = "agent")]
    budget: String,

    /// Tune this agent, with {} in place of the value, as in mcts:1000,policy=ucb1-tuned,c={} or mcts:1000,expand={}
    #[arg(long, value_name = "AGENT", requires = "against")]
    agent: Option<String>,

    /// Choose the reference agent [default: mc-total with the same budget]
    #[arg(long, value_name = "AGENT")]
    against: Option<String>,

    /// List the values, with commas between them, as in 0.1,0.2,0.4 [default: two for each factor of two from 0.022 to 2,
    /// including sqrt 2]
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

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const EXAMPLES: &str = "\
Examples:
  ramure-lab tune hex:7 --budget 1000 --plot c.png
  ramure-lab tune connect4 --budget 10ms --against mc:400 --values 0.1,0.2,0.4,0.8,1.6
  ramure-lab tune hex:11 --agent mcts:1000,policy=ucb1-tuned,c={} --against mcts:1000,c=0.2 --games 100 --csv c.csv
Agents are written as for `ramure-lab compare`, whose --help lists them.

Ctrl-C ends the program after the games in progress and shows the results so far; a second Ctrl-C ends it at once.";

impl Options {
    /// Tunes the agent, and prints the results.
    pub fn run(&self) -> Result<(), Failure> {
        self.files.check(1, [])?;
        let start = AnyGame::read(&self.game)?;
        let known = AnyGame::registry();
        let read = |text: &str| Ok(known.read(text)?);
        let candidate = |(value, text): (f64, String)| Ok(Candidate { value, agent: read(&text)? });
        let text = self.agent.clone().unwrap_or_else(|| format!("mcts:{},c={{}}", self.budget));
        let values = if self.values.is_empty() { &EXPLORATION_CONSTANTS[..] } else { &self.values };
        let (parameter, swept) = sweeps::read(&with_values(&text, values)?)?;
        let candidates = swept.into_iter().map(candidate).collect::<Result<_, Failure>>()?;
        let also = match &parameter[..] {
            "c" => sweeps::read(&with_values(&text, &[SQRT_2])?)?.1.pop().map(candidate).transpose()?,
            _ => None,
        };
        let reference = self.reference(read)?;
        let settings = Settings {
            games: self.games,
            left: self.left.into(),
            most_games: self.most.unwrap_or(u64::MAX),
            fresh_games: self.fresh,
            openings: self.openings,
            seed: self.work.seed,
            threads: self.work.threads(),
            stop: output::stop_by_ctrl_c(),
            progress: true,
        };
        let tuning = tuning::tune(&start, &parameter, candidates, also, &reference, &settings)?;
        output::say(format_args!("{}: {}\n{}", self.game, table(&tuning), conclusion(&tuning)))?;
        if let Some(mut file) = self.files.table(&COLUMNS)? {
            let rows =
                tuning.rows.iter().map(|row| (row, false)).chain(tuning.fresh.iter().map(|row| (row, true)));
            rows.map(|(row, is_fresh)| record(&tuning, row, is_fresh)).try_for_each(|row| file.write(row))?;
        }
        self.files.plot(|path| output::draw_tuning(&self.game, &tuning, path))
    }

    fn reference(
        &self,
        read: impl Fn(&str) -> Result<Recipe<AnyGame>, Failure>,
    ) -> Result<Recipe<AnyGame>, Failure> {
        match &self.against {
            Some(text) => read(text),
            None => read(&format!("mc-total:{}", self.budget)).map_err(|error| {
                format!(
                    "{error}; mc-total needs a number as its budget, so name another reference with --against"
                )
                .into()
            }),
        }
    }
}

/// Returns the agent's text with a list of values, for a sweep.
fn with_values(text: &str, values: &[f64]) -> Result<String, Failure> {
    if text.matches("{}").count() != 1 {
        return Err(
            format!("\"{text}\" must have one {{}} in place of the value, as in mcts:1000,c={{}}").into()
        );
    }
    let values: Vec<String> = values.iter().map(f64::to_string).collect();
    Ok(text.replace("{}", &format!("{{{}}}", values.join(","))))
}

fn table(tuning: &Tuning) -> String {
    let mut table = format!(
        "against {}, {} games, {}\n{:>8} {:>6} {:<21} {:>7}  {}\n",
        tuning.reference,
        tuning.games(),
        tuning.end,
        tuning.parameter,
        "games",
        "score [95 % interval]",
        "dropped",
        "best is ahead by"
    );
    for row in &tuning.rows {
        let lead = match tuning.lead_over(row) {
            _ if row.value == tuning.best().value => "-".into(),
            lead => or_dash(lead),
        };
        let dropped = row.dropped.map_or("-".into(), |round| format!("round {round}"));
        let (value, score, games) = (written(row.value), or_dash(row.score), row.tally.games());
        table += &format!("{value:>8} {games:>6} {score:<21} {dropped:>7}  {lead}\n");
    }
    for row in tuning.rows.iter().chain(&tuning.fresh).filter(|row| !row.forfeits.is_empty()) {
        table += &format!(
            "{} forfeited {} games; the first: {}\n",
            row.agent,
            row.forfeits.len(),
            row.forfeits[0]
        );
    }
    table
}

fn conclusion(tuning: &Tuning) -> String {
    let (best, name) = (tuning.best(), &tuning.parameter);
    let mut text = format!("best: {name} = {}, score {}\n", written(best.value), or_dash(best.score));
    let as_good: Vec<String> = tuning.as_good().map(|row| written(row.value)).collect();
    text += &match &as_good[..] {
        [] => "every other value is weaker, each by more than chance explains in one comparison\n".to_owned(),
        _ => format!("these games cannot distinguish it from: {}\n", as_good.join(", ")),
    };
    if tuning.fresh.is_empty() {
        return text
            + "The program was stopped before the fresh games, so the score of the best value is biased upwards.\n";
    }
    text += "In fresh games, which did not influence the choice (the score of the best of many values is biased upwards):\n";
    for row in &tuning.fresh {
        let (value, score, verdict) = (written(row.value), or_dash(row.score), verdict(row.score));
        text += &format!("  {name} = {value}: score {score}, {verdict} {}\n", tuning.reference);
    }
    if let [Row { score: Some(best), .. }, Row { score: Some(other), .. }] = tuning.fresh[..] {
        let lead = statistics::difference(best, other);
        text += &format!("  difference: {lead}\n");
    }
    text
}

fn verdict(score: Option<Estimate>) -> &'static str {
    match score {
        Some(score) if score.low > 0.5 => "stronger than",
        Some(score) if score.high < 0.5 => "weaker than",
        _ => "not distinguishable from",
    }
}

fn or_dash(estimate: Option<Estimate>) -> String {
    estimate.map_or("-".into(), |estimate| estimate.to_string())
}

const COLUMNS: [&str; 16] = [
    "parameter",
    "value",
    "agent",
    "reference",
    "fresh",
    "games",
    "wins",
    "draws",
    "losses",
    "score",
    "low",
    "high",
    "dropped_after_round",
    "lead",
    "lead_low",
    "lead_high",
];

/// The row of a value in the CSV file: of its fresh games, or of all others.
fn record(tuning: &Tuning, row: &Row, is_fresh: bool) -> [String; COLUMNS.len()] {
    let interval = |estimate: Option<Estimate>| match estimate {
        Some(Estimate { value, low, high }) => [value, low, high].map(|number| number.to_string()),
        None => Default::default(),
    };
    let [score, low, high] = interval(row.score);
    let is_best = row.value == tuning.best().value;
    let [lead, lead_low, lead_high] =
        interval(if is_fresh || is_best { None } else { tuning.lead_over(row) });
    let tally = row.tally;
    let [games, wins, draws, losses] =
        [tally.games(), tally.wins, tally.draws, tally.losses].map(|count| count.to_string());
    [
        tuning.parameter.clone(),
        row.value.to_string(),
        row.agent.clone(),
        tuning.reference.clone(),
        if is_fresh { "yes" } else { "no" }.into(),
        games,
        wins,
        draws,
        losses,
        score,
        low,
        high,
        row.dropped.map_or_else(String::new, |round| round.to_string()),
        lead,
        lead_low,
        lead_high,
    ]
}
