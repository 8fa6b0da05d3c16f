//! Ratings, compared with closed forms and a search over a grid, and how often intervals contain the truth.

use super::{Z, close, covers, game};
use ramure::Rng;
use ramure_lab::contest::{Meeting, Ratings, RatingsError, expected_score};

fn meeting(i: usize, j: usize, of_i: f64, games: u64) -> Meeting {
    Meeting { entrants: [i, j], points: [of_i, games as f64 - of_i], games }
}

/// With w and l points, including half of the virtual draw each, the difference is `400 log10(w / l)`, with
/// the variance `1/w + 1/l` in units of the natural logarithm. Each rating is half of the difference away
/// from the mean.
#[test]
fn two_ratings_differ_by_the_log_odds() {
    for (won, games) in [(70.0, 100), (12.5, 40), (5.0, 10), (0.0, 1), (1000.0, 1000)] {
        let ratings = Ratings::new(&["a", "b"], &[meeting(0, 1, won, games)]).expect("they met");
        let (w, l) = (won + 0.5, games as f64 - won + 0.5);
        let scale = 400.0 / 10f64.ln();
        let (difference, deviation) = (scale * (w / l).ln(), scale * (1.0 / w + 1.0 / l).sqrt());
        let sign = if won * 2.0 < games as f64 { -1.0 } else { 1.0 };
        let [first, second] = [&ratings.entries[0], &ratings.entries[1]];
        close(first.elo.value, sign * difference / 2.0, 1e-6);
        close(second.elo.value, -sign * difference / 2.0, 1e-6);
        close(first.elo.high - first.elo.low, Z * deviation, 1e-6);
        assert_eq!((first.games, first.name == "a"), (games, sign > 0.0));
        let likelihood = normal(sign * difference / deviation);
        close(ratings.superiority(0, 1).expect("both are there"), likelihood, 1e-7);
        close(ratings.superiority(1, 0).expect("both are there"), 1.0 - likelihood, 1e-7);
    }
}

/// The distribution function of the standard normal distribution, by Simpson's rule.
fn normal(x: f64) -> f64 {
    let (steps, low) = (20_000, -12.0f64);
    let width = (x.min(12.0) - low) / f64::from(steps);
    let density = |i: i32| (-(low + width * f64::from(i)).powi(2) / 2.0).exp();
    let weight = |i: i32| if i == 0 || i == steps { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    (0..=steps).map(|i| weight(i) * density(i)).sum::<f64>() * width / 3.0 / std::f64::consts::TAU.sqrt()
}

/// The likelihood of three entrants with the virtual draws, as a function of the first two strengths. The
/// third is minus their sum.
fn likelihood(table: &[(usize, usize, f64, f64)], x: f64, y: f64) -> f64 {
    let strengths = [x, y, -x - y];
    let term = |&(i, j, won, lost): &(usize, usize, f64, f64)| {
        let lead: f64 = strengths[i] - strengths[j];
        -(won + 0.5) * (-lead).exp().ln_1p() - (lost + 0.5) * lead.exp().ln_1p()
    };
    table.iter().map(term).sum()
}

/// The maximum is found on ever finer grids, the second derivatives by differences, and the matrix is
/// inverted by hand.
#[test]
fn three_ratings_match_a_grid_search() {
    let table = [(0, 1, 13.5, 6.5), (1, 2, 11.0, 19.0), (0, 2, 3.0, 1.0)];
    let (mut x, mut y, mut step) = (0.0, 0.0, 0.5);
    while step > 1e-9 {
        let near = |centre: f64| (-4..=4).map(move |i| centre + step * f64::from(i) / 4.0);
        let points = near(x).flat_map(|x| near(y).map(move |y| (x, y)));
        (x, y) = points
            .max_by(|a, b| likelihood(&table, a.0, a.1).total_cmp(&likelihood(&table, b.0, b.1)))
            .expect("points");
        step *= 0.7;
    }
    let h = 1e-3;
    let at = |i: f64, j: f64| likelihood(&table, x + i * h, y + j * h);
    let (xx, yy) = (
        2.0 * at(0.0, 0.0) - at(1.0, 0.0) - at(-1.0, 0.0),
        2.0 * at(0.0, 0.0) - at(0.0, 1.0) - at(0.0, -1.0),
    );
    let xy = -(at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / 4.0;
    let determinant = (xx * yy - xy * xy) / (h * h);
    let (of_x, of_y, both) = (yy / determinant, xx / determinant, -xy / determinant);

    let meetings = table.map(|(i, j, won, lost)| meeting(i, j, won, (won + lost) as u64));
    let ratings = Ratings::new(&["x", "y", "z"], &meetings).expect("all met");
    let scale = 400.0 / 10f64.ln();
    let truth = [("x", x, of_x), ("y", y, of_y), ("z", -x - y, of_x + of_y + 2.0 * both)];
    for (name, strength, variance) in truth {
        let entry = ratings.entries.iter().find(|entry| entry.name == name).expect("it is rated");
        close(entry.elo.value, scale * strength, 1e-4);
        close(entry.elo.high - entry.elo.value, Z * scale * variance.sqrt(), 1e-2);
    }
    let place = |name| ratings.entries.iter().position(|entry| entry.name == name).expect("it is rated");
    let superiority = ratings.superiority(place("x"), place("y")).expect("both are there");
    close(superiority, normal((x - y) / (of_x + of_y - 2.0 * both).sqrt()), 1e-4);
}

/// At the maximum, each entrant's points equal the points that its rating predicts, including virtual draws.
#[test]
fn points_equal_those_expected_from_the_ratings() {
    let mut rng = Rng::seeded(3);
    let names: Vec<String> = (0..12).map(|i| format!("agent {i}")).collect();
    let mut meetings = Vec::new();
    for i in 0..12 {
        for j in 0..i {
            let games = 1 + rng.below(50) as u64;
            meetings.push(meeting(i, j, rng.below(2 * games as usize + 1) as f64 / 2.0, games));
        }
    }
    let ratings = Ratings::new(&names, &meetings).expect("all met");
    let elo = |i: usize| {
        let entry = ratings.entries.iter().find(|entry| entry.name == names[i]).expect("it is rated");
        entry.elo.value
    };
    close((0..12).map(elo).sum(), 0.0, 1e-6);
    for entrant in 0..12 {
        let mut rest = 0.0;
        for Meeting { entrants: [i, j], points, games } in &meetings {
            let lead = expected_score(elo(*i) - elo(*j));
            if *i == entrant {
                rest += points[0] + 0.5 - (*games as f64 + 1.0) * lead;
            } else if *j == entrant {
                rest += points[1] + 0.5 - (*games as f64 + 1.0) * (1.0 - lead);
            }
        }
        close(rest, 0.0, 1e-8);
    }
    assert!(ratings.entries.is_sorted_by(|a, b| a.elo.value >= b.elo.value));
}

/// Checks 4000 intervals of 1000 tournaments, each with four entrants of which one is clearly weaker. Even if
/// the four intervals of a tournament always missed together, a true 0.95 would be observed outside these
/// limits with a probability of 0.004; the seeds are fixed.
#[test]
fn ninety_five_percent_of_intervals_contain_the_rating() {
    let (truth, mut rng, mut hits) = ([120.0, 40.0, 0.0, -160.0], Rng::seeded(9), 0);
    for _ in 0..1000 {
        let mut meetings = Vec::new();
        for i in 0..4 {
            for j in 0..i {
                let score = expected_score(truth[i] - truth[j]);
                let won = (0..40).map(|_| game(&mut rng, score, 0.0)).sum();
                meetings.push(meeting(i, j, won, 40));
            }
        }
        let ratings = Ratings::new(&["0", "1", "2", "3"], &meetings).expect("all met");
        let of = |name: &str| truth[name.parse::<usize>().expect("a number")];
        hits += ratings.entries.iter().filter(|entry| covers(entry.elo, of(&entry.name))).count();
    }
    assert!((3720..=3880).contains(&hits), "{hits}");
}

#[test]
fn an_entrant_that_wins_every_game_has_a_finite_rating() {
    // A ladder: each entrant always beats the next.
    let names: Vec<String> = (0..30).map(|i| i.to_string()).collect();
    for games in [1, 1000, 1_000_000_000, 1 << 53] {
        let ladder: Vec<Meeting> = (1..30).map(|i| meeting(i - 1, i, games as f64, games)).collect();
        let ratings = Ratings::new(&names, &ladder).expect("connected");
        let order: Vec<&str> = ratings.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(order, names);
        let step = 400.0 * (2.0 * games as f64 + 1.0).log10();
        for pair in ratings.entries.windows(2) {
            close(pair[0].elo.value - pair[1].elo.value, step, 1e-6 * step);
            assert!(pair[0].elo.low.is_finite() && pair[0].elo.high > pair[0].elo.low);
        }
    }
}

#[test]
fn table_rows_add_up_and_empty_rows_are_blank() {
    let one = Ratings::new(&["a", "b"], &[meeting(0, 1, 13.5, 20)]).expect("they met");
    let more = [meeting(0, 1, 0.0, 0), meeting(1, 0, 4.0, 12), meeting(0, 1, 5.5, 8)];
    assert_eq!(Ratings::new(&["a", "b"], &more), Ok(one.clone()));
    // Rewards that do not sum to one: only the lead counts.
    let generous = Meeting { entrants: [0, 1], points: [17.0, 10.0], games: 20 };
    let generous = Ratings::new(&["a", "b"], &[generous]).expect("they met");
    assert_eq!(generous.entries[0].elo, one.entries[0].elo);
    assert_eq!(generous.entries[0].score, 0.85);
}

#[test]
fn a_disconnected_field_is_not_rated() {
    let names = ["a", "b", "c", "d", "e"];
    let error = Ratings::new(&names, &[meeting(0, 2, 1.0, 2), meeting(1, 3, 1.0, 2), meeting(0, 1, 0.0, 0)]);
    let parts = [vec!["a".into(), "c".into()], vec!["b".into(), "d".into(), "e".into()]];
    assert_eq!(error, Err(RatingsError::Apart { parts }));
    assert_eq!(
        error.map_err(|error| error.to_string()),
        Err("no game connects a, c with b, d, e; let two of them play each other, or rate the groups separately".into())
    );
}

#[test]
fn errors_name_entrants_that_cannot_be_rated() {
    let rate = |meetings: &[Meeting]| Ratings::new(&["a", "b"], meetings).map(|_| ());
    assert_eq!(Ratings::new(&["a"], &[]), Err(RatingsError::TooFew { entrants: 1 }));
    for pair in [[0, 0], [0, 2], [2, 0]] {
        let wrong = Meeting { entrants: pair, points: [1.0, 0.0], games: 1 };
        let error = RatingsError::Entrants { meeting: 1, pair, entrants: 2 };
        assert_eq!(rate(&[meeting(0, 1, 1.0, 2), wrong]), Err(error));
    }
    for points in [[2.0, 0.0], [0.0, -1.0], [f64::INFINITY, 0.0]] {
        let wrong = Meeting { entrants: [0, 1], points, games: 1 };
        assert!(matches!(rate(&[wrong]), Err(RatingsError::Points { meeting: 0, games: 1, .. })));
    }
    let wrong = Meeting { entrants: [0, 1], points: [f64::NAN, 0.0], games: 1 };
    assert!(matches!(rate(&[wrong]), Err(RatingsError::Points { .. })));
}

#[test]
fn the_table_of_ratings_is_aligned() {
    let meetings = [meeting(0, 1, 30.0, 100), meeting(1, 2, 95.0, 100), meeting(0, 2, 80.5, 100)];
    let ratings = Ratings::new(&["mc:64", "mcts:768", "zufällig"], &meetings).expect("all met");
    let table = [
        "   entrant      Elo     95 % interval     games  score    > next",
        "1  mcts:768    +199      [+154, +244]       200  0.825   100.0 %",
        "2  mc:64        +35         [-4, +73]       200  0.552   100.0 %",
        "3  zufällig    -234      [-283, -184]       200  0.122",
    ];
    assert_eq!(ratings.to_string().lines().collect::<Vec<_>>(), table);
}

#[test]
fn equal_ratings_keep_their_order() {
    let drawn =
        [meeting(0, 1, 7.0, 14), meeting(1, 2, 0.5, 1), meeting(0, 2, 15.0, 30), meeting(3, 1, 2.0, 4)];
    let ratings = Ratings::new(&["a", "b", "c", "d"], &drawn).expect("all met");
    assert_eq!(ratings.entries.iter().map(|entry| entry.name.as_str()).collect::<String>(), "abcd");
    assert!(!ratings.to_string().contains("-0"));
}

#[test]
fn ratings_survive_a_file() {
    let ratings = Ratings::new(&["a", "b"], &[meeting(0, 1, 13.5, 20)]).expect("they met");
    let text = serde_json::to_string(&ratings).expect("plain data");
    let read: Ratings = serde_json::from_str(&text).expect("as written");
    assert_eq!(read.to_string(), ratings.to_string());
}
