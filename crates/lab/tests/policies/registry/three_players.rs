//! Games of three players by text: agents, matches, and what an agent for two players says.

use super::AGENTS;
use crate::clear::Clear;
use crate::common::any::Any;
use crate::common::nim::Nim;
use crate::common::oracle::values;
use crate::covering::everything;
use crate::verdict::depth;
use ramure::SearchError;
use ramure::{GameState, Turn};
use ramure_agents::NotZeroSum;
use ramure_lab::Recipe;
use ramure_lab::contest::{Conditions, Match, MatchResult, Record};

/// Returns the action that is best for the player to move, if all play as well as they can. In these games
/// there is only one.
fn best(state: &Clear, player: u8) -> u8 {
    let value = |&action: &u8| {
        values(&crate::common::after(state, [action]), &|all: Vec<f64>| all)[usize::from(player)]
    };
    state.actions().into_iter().max_by(|one, other| value(one).total_cmp(&value(other))).expect("an action")
}

/// One visit of each action shows which is best for the player to move, and not for another one.
#[test]
fn every_agent_plays_for_itself_among_three() {
    let known = everything();
    for text in AGENTS {
        let (mut right, mut all) = (0, 0);
        for seed in 0..4 * depth() {
            let mut agent = known.read(text).expect(text).make();
            agent.new_game(seed);
            let mut game = Clear::new(seed, 3, 4);
            while let Turn::Player(player) = game.turn() {
                let chosen = agent.choose(&Any::new(game));
                if text.starts_with("alphabeta") {
                    let is_refused = matches!(
                        &chosen,
                        Err(SearchError::Agent(error)) if error.get_ref().is::<NotZeroSum>()
                    );
                    assert!(is_refused, "{text}: {chosen:?}");
                    break;
                }
                let action = chosen.unwrap_or_else(|error| panic!("{text}: {error}"));
                assert!(game.is_legal(action), "{text}: {action}");
                (right, all) = (right + u32::from(action == best(&game, player)), all + 1);
                game.apply(action);
                agent.played(action);
            }
        }
        // With a limit of time, a busy machine decides; a temperature draws; and an action that is better
        // than the urgency 0.6 may be the only one tried. Minimax does not look as far as the end.
        let is_sure = text.starts_with("mc")
            && !["clock", "ms", "temperature", "fpu=0.6"].iter().any(|word| text.contains(word));
        assert!(!is_sure || 10 * right >= 9 * all, "{text}: {right} of {all} actions are right");
    }
}

#[test]
fn agents_by_text_meet_in_a_match_of_three() {
    let known = everything();
    let start = Any::new(Nim::<3> { sticks: 11, player: 0 });
    let recipes = |texts: [&str; 3]| texts.map(|text| known.read(text).expect(text)).to_vec();
    let run = |agents: Vec<Recipe<Any>>, threads| {
        let conditions = Conditions::games(30).openings(0).seed(7).threads(threads);
        Match::new(start.clone(), agents).run(&conditions).expect("a match")
    };
    let texts = ["mcts:60,policy=grave,threads=2", "mc-total:30", "random"];
    let result = run(recipes(texts), 1);
    let games = |result: &MatchResult| {
        let of = |record: &Record| (record.seats.clone(), record.actions.clone());
        result.played.records.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(games(&result), games(&run(recipes(texts), 2)));
    for record in &result.played.records {
        let mut seats = record.seats.clone();
        seats.sort_unstable();
        assert_eq!((seats, record.rewards.iter().sum::<f64>()), (vec![0, 1, 2], 1.0));
    }
    let wins = |agent: usize| result.standings[agent].tally.wins;
    assert_eq!((0..3).map(wins).sum::<u32>(), 30);
    assert_eq!(result.standings[0].name, texts[0]);
    // A random player takes the last sticks only if nobody else can.
    assert!(wins(0) > wins(2) && wins(1) > wins(2), "{result}");
    // An agent that cannot play loses, and the others go on.
    let result = run(recipes(["alphabeta:2", "mc-total:30", "first"]), 2);
    assert!(result.played.records.iter().all(|record| record.rewards.iter().sum::<f64>() == 1.0), "{result}");
    assert_eq!(result.standings[0].tally.wins, 0, "{result}");
}
