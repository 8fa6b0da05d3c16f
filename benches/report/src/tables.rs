//! The tables of criterion's measurements. A `-` stands for a missing measurement.

use crate::criterion::Benches;
use crate::numbers::{digits, with_spaces};

const GAMES: [&str; 6] =
    ["tic-tac-toe", "connect 4", "sudo tic-tac-toe 1", "sudo tic-tac-toe 2", "hex 11x11", "hex 19x19"];

const POLICIES: [&str; 11] = [
    "Ucb1",
    "own copy of Ucb1",
    "own plain UCB1",
    "Ucb1Tuned",
    "Puct",
    "Grave",
    "Rave",
    "Thompson",
    "Ucb1, Solver",
    "Ucb1, Mast",
    "Ucb1, Cutoff 8",
];

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

pub fn growth(benches: &Benches) -> String {
    let of = |power: u32| benches.per_element("growth", "", &format!("1e{power}"));
    let rows = (3..=7)
        .map(|power| row(&with_spaces(10u64.pow(power)), &[of(power), 1e3 / of(power), of(power) / of(5)]));
    head("iterations", &["ns per iteration", "Mit/s", "relative to 100 000"]) + &rows.collect::<String>()
}

pub fn first_result(benches: &Benches) -> String {
    let rows = FIRST.map(|iterations| {
        let of = |way| benches.per_element("first result", way, &iterations.to_string());
        let numbers = ["fresh", "warm"].map(|way| [of(way) * iterations as f64 / 1e3, of(way)]);
        row(&with_spaces(iterations), numbers.as_flattened())
    });
    head("iterations", &["fresh: µs", "ns per iteration", "warm: µs", "ns per iteration"]) + &rows.concat()
}

pub fn search(benches: &Benches) -> String {
    let rows = POLICIES.map(|policy| {
        let cells = GAMES.map(|game| {
            let of = |policy| benches.per_element(&format!("search, {game}"), "", policy);
            match of(policy) {
                time if time.is_nan() => " - |".into(),
                time => format!(" {} ({:.2}) |", digits(time), time / of(POLICIES[0])),
            }
        });
        format!("\n| {policy} |{}", cells.concat())
    });
    head("policies", &GAMES) + &rows.concat()
}

pub fn rollouts(benches: &Benches) -> String {
    let rows = GAMES.map(|game| {
        let of = |way| benches.per_element(&format!("rollout, {game}"), "", way);
        let (uniform, in_search) = (of("Uniform"), of("Uniform, in a search"));
        row(game, &[uniform, in_search, of("by actions"), 1e3 / uniform, 1e3 / in_search])
    });
    let titles = [
        "Uniform: ns per game",
        "in a search",
        "by actions",
        "Uniform: million games per second",
        "in a search",
    ];
    head("game", &titles) + &rows.concat()
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
