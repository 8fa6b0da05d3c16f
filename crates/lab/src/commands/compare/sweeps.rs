//! Many agents in one text: `mcts:48,96,192` or `mcts:1000,c={0.1,0.2,0.5}`.

use crate::Failure;

/// An agent of a sweep: the value of its parameter, and its text.
pub type Swept = (f64, String);

/// Returns the name of a sweep's parameter, and each of its values, in ascending order, with the text of the
/// agent that has it. The text has one list in braces, anywhere; or, after the colon, numbers or times with
/// commas between them, followed by the parameters that all agents share.
///
/// # Errors
///
/// Returns an error if there is no list, or if a word in it is neither a number nor a time, or appears twice.
pub fn read(text: &str) -> Result<(String, Vec<Swept>), Failure> {
    let (before, list, after) = parts(text).ok_or_else(|| {
        format!("\"{text}\" names no values; write them as in mcts:48,96,192 or mcts:1000,c={{0.1,0.2,0.5}}")
    })?;
    if after.contains(['{', '}']) {
        return Err(format!("\"{text}\" has more than one list in braces; a sweep has one parameter").into());
    }
    let timed = list.iter().any(|word| word.trim().ends_with('s'));
    let swept = list.iter().map(|word| {
        let word = word.trim();
        let value = if timed { milliseconds(word) } else { word.parse().ok() };
        let value = value.ok_or_else(|| {
            format!("\"{word}\" in \"{text}\" is not a {}", if timed { "time" } else { "number" })
        })?;
        Ok((value, format!("{before}{word}{after}")))
    });
    let mut swept = swept.collect::<Result<Vec<Swept>, Failure>>()?;
    swept.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    if let Some(pair) = swept.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(format!("\"{text}\" names the value {} twice", pair[0].0).into());
    }
    let name = before.rsplit([':', ',']).next().unwrap_or_default().trim_end_matches('=').trim();
    let parameter = match name {
        "" if timed => "time per action, ms".to_owned(),
        "" => first_parameter(before.trim_end_matches(':')),
        name => name.to_owned(),
    };
    Ok((parameter, swept))
}

/// Reads a time such as `100ms` or `1.5s`.
fn milliseconds(word: &str) -> Option<f64> {
    match word.strip_suffix("ms") {
        Some(number) => number.parse().ok(),
        None => Some(1e3 * word.strip_suffix('s')?.parse::<f64>().ok()?),
    }
}

/// Returns the text before the list, the words of the list, and the text after it.
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

/// Returns the meaning of the number after an agent's word.
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
