//! The tables of criterion's measurements. A `-` stands for a missing measurement.

use crate::criterion::Benches;
use crate::numbers::{digits, with_spaces};

const GAMES: [&str; 6] =
    ["tic-tac-toe", "connect 4", "sudo tic-tac-toe 1", "sudo tic-tac-toe 2", "hex 11x11", "hex 19x19"];

/// The iterations of the searches for the time to a first result.
pub const FIRST: [u64; 8] = [1, 3, 10, 30, 100, 300, 1_000, 10_000];

/// The head of a table and the line below it: words to the left, numbers to the right.
fn head(words: &str, numbers: &[&str]) -> String {
    let titles: String = numbers.iter().map(|title| format!(" {title} |")).collect();
    format!("| {words} |{titles}\n|---|{}", "---:|".repeat(numbers.len()))
}

fn row(title: &str, numbers: &[f64]) -> String {
    let cells: String = numbers.iter().map(|&number| format!(" {} |", digits(number))).collect();
    format!("\n| {title} |{cells}")
}

pub fn first_result(benches: &Benches) -> String {
    let rows = FIRST.map(|iterations| {
        let of = |way| benches.per_element("first result", way, &iterations.to_string());
        row(&with_spaces(iterations), &["fresh", "warm"].map(|way| of(way) * iterations as f64 / 1e3))
    });
    head("iterations", &["fresh: µs", "warm: µs"]) + &rows.concat()
}

pub fn rollouts(benches: &Benches) -> String {
    let rows = GAMES.map(|game| {
        let of = |way| benches.per_element(&format!("rollout, {game}"), "", way);
        row(game, &["Uniform", "Uniform, in a search", "by actions"].map(of))
    });
    head("game", &["Uniform: ns per game", "in a search", "by actions"]) + &rows.concat()
}

pub fn selection(benches: &Benches) -> String {
    let of = |way| benches.per_element("selection among 121", "", way);
    let rows = ["ramure", "by hand"].map(|way| row(way, &[of(way), of(way) / of("by hand")]));
    head("121 children", &["ns per child", "relative to by hand"]) + &rows.concat()
}

pub fn wide_search(benches: &Benches) -> String {
    let rows = ["hex 11x11", "hex 19x19"].map(|game| {
        let [few, many] = ["10000", "100000"].map(|count| benches.per_element("wide search", game, count));
        row(game, &[few, many])
    });
    head("game", &["10 000 iterations: ns per iteration", "100 000 iterations"]) + &rows.concat()
}

pub fn advance(benches: &Benches) -> String {
    let mut table = head("search, step", &["nodes given back", "ms", "ns per node given back"]);
    for iterations in [100_000, 1_000_000] {
        for step in ["by the best action", "by the worst action", "reset"] {
            let title = format!("{} iterations, {step}", with_spaces(iterations));
            let numbers = match benches.find("advance", step, &iterations.to_string()) {
                Some(bench) => [bench.elements, bench.nanoseconds / 1e6, bench.per_element()],
                None => [f64::NAN; 3],
            };
            table += &row(&title, &numbers);
        }
    }
    table
}
