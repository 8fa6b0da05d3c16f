//! Compares guesses with the exact probabilities of what is hidden, by going through all lines of play.

use ramure::{HiddenInformation, MAX_PLAYERS, Player, Rng, Turn};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// What an observer cannot tell apart: the probabilities of all states, by their texts, and one of the
/// states.
struct Alike<G> {
    states: BTreeMap<String, f64>,
    one: G,
}

/// A line of play.
#[derive(Clone)]
struct Line<G> {
    state: G,
    probability: f64,
    seen: [String; MAX_PLAYERS],
    unseen: [String; MAX_PLAYERS],
    chose: Option<Player>,
}

/// Plays all lines as long as `goes_on` says, where players act at random, and tells the states apart by what
/// the player to move has seen.
fn all_alike<G: HiddenInformation + Debug>(
    start: &G,
    goes_on: impl Fn(&G) -> bool,
) -> BTreeMap<(Player, String), Alike<G>> {
    let mut all = BTreeMap::new();
    let empty = || std::array::from_fn(|_| String::new());
    let mut open =
        vec![Line { state: start.clone(), probability: 1.0, seen: empty(), unseen: empty(), chose: None }];
    while let Some(mut line) = open.pop() {
        let turn = line.state.turn();
        let simultaneous = line.state.is_simultaneous();
        let is_same_step = matches!(turn, Turn::Player(player) if simultaneous && line.chose.is_none_or(|last| last < player));
        if !is_same_step {
            line.chose = None;
            for (seen, unseen) in line.seen.iter_mut().zip(&mut line.unseen) {
                seen.push_str(&std::mem::take(unseen));
            }
        }
        if let Turn::Player(player) = turn {
            let key = (player, line.seen[usize::from(player)].clone());
            let alike =
                all.entry(key).or_insert_with(|| Alike { states: BTreeMap::new(), one: line.state.clone() });
            *alike.states.entry(format!("{:?}", line.state)).or_insert(0.0) += line.probability;
        }
        if !goes_on(&line.state) {
            continue;
        }
        let actions = Vec::from_iter(line.state.actions());
        for action in &actions {
            let mut next = line.clone();
            next.probability *= match turn {
                Turn::Chance => line.state.probability(action.clone()),
                _ => 1.0 / actions.len() as f64,
            };
            for observer in 0..line.state.players() {
                let place = usize::from(observer);
                if turn == Turn::Player(observer) {
                    next.seen[place].push_str(&format!("{action:?} "));
                } else if let Some(seen) = line.state.observe(action.clone(), observer) {
                    let log = if simultaneous { &mut next.unseen } else { &mut next.seen };
                    log[place].push_str(&format!("{seen:?} "));
                }
            }
            next.chose = match turn {
                Turn::Player(player) if simultaneous => Some(player),
                _ => None,
            };
            next.state.apply(action.clone());
            open.push(next);
        }
    }
    all
}

/// Checks that guesses for the player to move are exactly the states that look alike, each with its
/// probability if all players act at random. Returns the number of different views.
///
/// The sum of all chi-squared statistics may exceed its mean by at most five standard deviations: for a fixed
/// seed that either holds or not, and for a random one it fails once in some million.
pub fn guesses_are_fair<G: HiddenInformation + Debug>(
    start: &G,
    goes_on: impl Fn(&G) -> bool,
    draws: u32,
) -> usize {
    let all = all_alike(start, goes_on);
    let mut rng = Rng::seeded(1);
    let (mut sum, mut degrees) = (0.0, 0.0);
    for ((player, seen), alike) in &all {
        let whole: f64 = alike.states.values().sum();
        let mut counts: BTreeMap<&String, u32> = BTreeMap::new();
        for _ in 0..draws {
            let mut guess = alike.one.clone();
            guess.determinize(*player, &mut rng);
            assert!(guess.actions().into_iter().eq(alike.one.actions()));
            let text = format!("{guess:?}");
            let Some((text, _)) = alike.states.get_key_value(&text) else {
                panic!(
                    "player {player} has seen `{seen}`, and cannot be in\n{text}, but in\n{:#?}",
                    alike.states.keys()
                );
            };
            *counts.entry(text).or_default() += 1;
        }
        let least = alike.states.values().fold(f64::INFINITY, |least, &state| least.min(state / whole));
        if least * f64::from(draws) < 5.0 {
            continue;
        }
        for (text, probability) in &alike.states {
            let expected = f64::from(draws) * probability / whole;
            let count = f64::from(counts.get(text).copied().unwrap_or(0));
            sum += (count - expected) * (count - expected) / expected;
        }
        degrees += alike.states.len() as f64 - 1.0;
    }
    assert!(degrees > 0.0, "nothing was compared");
    let most = degrees + 5.0 * (2.0 * degrees).sqrt();
    assert!(sum < most, "chi-squared is {sum} with {degrees} degrees of freedom");
    all.len()
}
