//! Learning and decisive rollouts against uniform rollouts: on which games they are stronger.

use super::matches::{Named, score};
use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::Setting;
use ramure_games::{Connect4, Hex};
use ramure_lab::Failure;
use ramure_lab::commands::AnyGame;
use ramure_lab::contest::Estimate;
use ramure_lab::games::Breakthrough;

/// The games, each with an agent with uniform rollouts.
const GROUNDS: [(&str, &str); 5] = [
    ("Hex 7x7", "mcts:500,c=0.2"),
    ("Hex 11x11", "mcts:300,c=0.1"),
    ("Connect 4", "mcts:500,c=0.7"),
    ("Breakthrough 5x5", "mcts:500,c=0.7"),
    ("misère Breakthrough 5x5", "mcts:500,c=0.7"),
];

/// The rollouts, the source, and the number of games on each ground: 0 if an iteration takes so long that the
/// policy is of no use there.
const ROLLOUTS: [(&str, &str, [u32; 5]); 10] = [
    ("mast", "Finnsson and Björnsson 2008; with ε, Tak et al. 2012", [200, 300, 200, 200, 200]),
    ("mast-gibbs", "Finnsson and Björnsson 2008", [400, 0, 400, 200, 200]),
    ("nst", "Tak, Winands and Björnsson 2012", [200, 100, 200, 200, 200]),
    ("lgr", "Baier and Drake 2010: LGRF-2", [400, 100, 200, 200, 200]),
    ("lgr,actions=1", "Baier and Drake 2010: LGRF-1", [200, 100, 400, 200, 200]),
    ("lgr,actions=1,forgets=no", "Drake 2009: LGR-1", [200, 200, 200, 200, 200]),
    ("ppa", "Cazenave 2015: in Breakthrough, misère above all", [200, 0, 200, 200, 200]),
    ("ppa,alpha=0.1", "Cazenave 2015, with another step", [200, 0, 200, 200, 200]),
    ("decisive", "Teytaud and Teytaud 2010", [0, 0, 400, 200, 200]),
    ("decisive,anti=yes", "Teytaud and Teytaud 2010", [0, 0, 200, 200, 200]),
];

/// Plays all matches, with a row for each rollout policy and a column for each game.
pub fn add(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let columns = [
        column::<AnyGame>(setting, Hex::new(7)?.into(), 0)?,
        column::<AnyGame>(setting, Hex::new(11)?.into(), 1)?,
        column::<AnyGame>(setting, Connect4::new().into(), 2)?,
        column(setting, Breakthrough::new(false), 3)?,
        column(setting, Breakthrough::new(true), 4)?,
    ];
    let head = GROUNDS.map(|(game, uniform)| format!("{game}, `{uniform}`"));
    let mut table = Table::new(["`rollout=`".to_owned()].into_iter().chain(head));
    for (row, (rollout, source, _)) in ROLLOUTS.into_iter().enumerate() {
        let scores = columns.each_ref().map(|column| column[row]);
        let cells = scores.map(|score| score.map_or("not played".into(), |score| format!("{score:.2}")));
        table.row([format!("`{rollout}`")].into_iter().chain(cells));
        section.findings.push(somewhere(rollout, source, scores));
    }
    section.parts.push(Part::Text(
        "Rollouts that learn against uniform rollouts, at equal iterations: the score of each column's agent with this `rollout=` \
         against the same agent without it. At equal time they are weaker than here. With five games, at least one interval is above one \
         half by chance in an eighth of all cases."
            .into(),
    ));
    section.parts.push(Part::Table(table));
    Ok(())
}

/// Returns the scores on one ground.
fn column<G: Named>(setting: &Setting, start: G, ground: usize) -> Result<Vec<Option<Estimate>>, Failure> {
    let (_, uniform) = GROUNDS[ground];
    let play = |(rollout, _, games): &(&str, &str, [u32; 5])| match games[ground] {
        0 => Ok(None),
        games => score(setting, &start, [&format!("{uniform},rollout={rollout}"), uniform], games).map(Some),
    };
    ROLLOUTS.iter().map(play).collect()
}

/// Judges whether the policy is better on at least one ground, and names the grounds.
fn somewhere(rollout: &str, source: &str, scores: [Option<Estimate>; 5]) -> Finding {
    let on = |better: fn(Estimate) -> bool| {
        let played = GROUNDS.iter().zip(scores).filter_map(|((game, _), score)| Some((game, score?)));
        let these = played.filter(|&(_, score)| better(score));
        these.map(|(game, score)| format!("{game} ({:.2})", score.value)).collect::<Vec<_>>().join(", ")
    };
    let (better, worse) = (on(|score| score.low > 0.5), on(|score| score.high < 0.5));
    let ours = if better.is_empty() { "nowhere here".to_owned() } else { format!("on {better}") };
    Finding::new(
        format!("`rollout={rollout}` beats uniform rollouts somewhere"),
        source,
        if worse.is_empty() { ours } else { format!("{ours}; worse on {worse}") },
        Verdict::of(!better.is_empty(), "on none of these games"),
    )
}

#[cfg(test)]
mod tests {
    use super::{GROUNDS, Named, ROLLOUTS};
    use ramure_lab::commands::AnyGame;
    use ramure_lab::games::Breakthrough;

    #[test]
    fn every_agent_can_be_read_for_its_game() {
        for (rollout, ..) in ROLLOUTS {
            for (game, uniform) in GROUNDS {
                let text = format!("{uniform},rollout={rollout}");
                let is_read = match game.contains("Breakthrough") {
                    true => Breakthrough::read(&text).is_ok(),
                    false => <AnyGame as Named>::read(&text).is_ok(),
                };
                assert!(is_read, "{game}: {text}");
            }
        }
    }
}
