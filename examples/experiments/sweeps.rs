//! Many agents in one text: `mcts:48,96,192` or `mcts:1000,c={0.1,0.2,0.5}`.

use super::Failure;

/// An agent of a sweep: the value of its parameter, and its text.
pub type Swept = (f64, String);

/// The values that a sweep's text names, and the text of the agent with each. Either one list in braces, anywhere; or, behind
/// the colon, numbers with commas between them, and then the parameters that all have.
///
/// # Errors
///
/// There is no list, or something in it is no number.
pub fn read(text: &str) -> Result<(String, Vec<Swept>), Failure> {
    let (before, list, after) = parts(text).ok_or_else(|| {
        format!("\"{text}\" names no values; write them as in mcts:48,96,192 or mcts:1000,c={{0.1,0.2,0.5}}")
    })?;
    if after.contains(['{', '}']) {
        return Err(format!("\"{text}\" has more than one list in braces; a sweep has one parameter").into());
    }
    let swept = list.iter().map(|word| {
        let word = word.trim();
        let value = word.parse().map_err(|_| format!("\"{word}\" in \"{text}\" is no number"))?;
        Ok((value, format!("{before}{word}{after}")))
    });
    let parameter =
        before.rsplit([':', ',']).next().unwrap_or_default().trim_end_matches('=').trim().to_owned();
    let parameter =
        if parameter.is_empty() { first_parameter(before.trim_end_matches(':')) } else { parameter };
    Ok((parameter, swept.collect::<Result<_, Failure>>()?))
}

/// What stands before the list, its words, what stands behind it.
fn parts(text: &str) -> Option<(&str, Vec<&str>, String)> {
    if let Some((before, rest)) = text.split_once('{') {
        let (list, after) = rest.split_once('}')?;
        return Some((before, list.split(',').collect(), after.to_owned()));
    }
    let colon = text.find(':')? + 1;
    let words: Vec<&str> = text[colon..].split(',').collect();
    let values = words.iter().take_while(|word| !word.contains('=')).count();
    let after = words[values..].iter().map(|word| format!(",{word}")).collect();
    (values > 0).then(|| (&text[..colon], words[..values].to_vec(), after))
}

/// What the number behind an agent's word is.
fn first_parameter(word: &str) -> String {
    match word {
        "mc" => "rollouts for each action",
        "mc-total" | "mc-ucb1" => "rollouts per action",
        "mcts" => "iterations per action",
        "minimax" | "alphabeta" => "depth",
        word => word,
    }
    .to_owned()
}
