//! Games with secrets: round robins of searches, agents against fields, and a person at the table; and 2048
//! at the table.

use crate::common::sized;
use ramure::prelude::*;
use ramure_lab::commands::hidden::{Contest, Effort};
use ramure_lab::commands::play::game_2048::{self, Kind};
use ramure_lab::commands::play::table::{self, Person};
use ramure_lab::contest::Conditions;
use ramure_lab::games::KnockoutWhist;
use ramure_lab::games::goofspiel::Prizes;
use std::io::Cursor;

#[test]
fn all_searches_play_both_games_and_win_against_random_players() {
    for contest in [Contest::KnockoutWhist, Contest::PhantomTicTacToe] {
        let effort = Effort { iterations: 60, guesses: 5, c: 0.7 };
        let games = Conditions::games(sized(10, 20)).seed(1);
        let result = contest.play(effort, games).expect("sound games");
        assert_eq!(result.agents, ["random", "pimc", "so-ismcts", "mo-ismcts", "cheating-uct"]);
        for pair in result.pairs.iter().filter(|pair| pair.agents[0] == 0) {
            let score = pair.standings[1].score.expect("they have played").value;
            assert!(score > 0.5, "{contest}: {} scores {score}", pair.standings[1].name);
        }
        assert!(contest.published().starts_with("Published: "));
    }
}

#[test]
fn each_agent_plays_alone_against_fields_of_all_others() {
    let effort = Effort { iterations: 15, guesses: 2, c: 0.7 };
    let result = Contest::KnockoutWhist.play_fields(3, effort, Conditions::games(12).seed(5)).expect("games");
    assert_eq!((result.players, result.games, result.rows.len()), (3, 12, 5 * 4));
    let mean = |is_counted: &dyn Fn(&str, &str) -> bool| {
        let rows = result.rows.iter().filter(|(agent, field, _)| is_counted(agent, field));
        let scores: Vec<f64> = rows.map(|row| row.2.value).collect();
        assert_eq!(scores.len(), 4);
        scores.iter().sum::<f64>() / 4.0
    };
    // An agent among equals wins a third of the games.
    assert!(mean(&|agent, _| agent == "random") < 0.33, "{result}");
    assert!(mean(&|_, field| field == "random") > 0.34, "{result}");
    let text = result.to_string();
    assert!(text.contains("a score of 0.333 is even"), "{text}");
    assert_eq!(text.lines().count(), 2 + 20, "{text}");
    assert_eq!(result.to_csv().lines().count(), 1 + 20);

    let error =
        Contest::PhantomTicTacToe.play_fields(3, effort, Conditions::games(3)).expect_err("two players");
    assert_eq!(error.to_string(), "phantom-tic-tac-toe is a game for two players");
    assert!(Contest::KnockoutWhist.play_fields(8, effort, Conditions::games(8)).is_err());
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let play = |threads| {
        let effort = Effort { iterations: 30, guesses: 3, c: 0.7 };
        let conditions = Conditions::games(4).seed(1).threads(threads);
        let result = Contest::KnockoutWhist.play(effort, conditions).expect("sound games");
        let scores = result.pairs.iter().map(|pair| pair.standings[0].score.map(|score| score.value));
        scores.collect::<Vec<_>>()
    };
    assert_eq!(play(1), play(2));
}

/// Plays with a person who types these lines, and returns what the person saw.
fn seen(lines: &str, game: impl FnOnce(&mut Person<'_>)) -> String {
    let (mut input, mut output) = (Cursor::new(lines.to_owned()), Vec::new());
    game(&mut Person { input: &mut input, output: &mut output });
    String::from_utf8(output).expect("text")
}

#[test]
fn a_person_at_the_whist_table_sees_no_card_of_the_others_before_it_is_played() {
    let budget = Budget::iterations(20);
    // The first deal of this seed.
    let start = KnockoutWhist::dealt(3, &mut Rng::seeded(4)).expect("three players");
    let text = seen("", |person| table::knockout_whist(3, budget, 4, person).expect("it leaves"));
    assert!(text.ends_with("You leave the table.\n"), "{text}");
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    for card in start.hand(0) {
        assert!(words.contains(&card.to_string().as_str()));
    }
    for card in start.hand(1).chain(start.hand(2)) {
        assert!(!words.contains(&card.to_string().as_str()), "{card} in\n{text}");
    }
}

#[test]
fn whole_games_are_played_at_the_table() {
    let budget = Budget::iterations(50);
    // Tries all cards at each turn; those that are not legal are refused.
    let all: String = (0..52)
        .map(|card| {
            format!(
                "{}{}\n",
                ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"][card % 13],
                ["c", "d", "h", "s"][card / 13]
            )
        })
        .collect();
    let text = seen(&all.repeat(40), |person| table::knockout_whist(2, budget, 1, person).expect("a game"));
    assert!(text.contains("is not one of them") && text.contains("the hand is over"), "{text}");
    assert!(text.contains(" 1 trick") && !text.contains(" 1 tricks"), "{text}");
    assert!(text.trim_end().ends_with("won."), "{text}");

    for order in [Prizes::Drawn, Prizes::Descending] {
        let bids = "1\n2\nx\n3\n4\n";
        let text = seen(bids, |person| table::goofspiel(4, order, budget, 5, person).expect("a game"));
        assert_eq!(text.matches("player 1 has bid").count(), 4, "{text}");
        assert!(text.contains("\"x\" is not one of them."));
        assert!(text.contains(" to ") && !text.contains("player 0 has bid"), "{text}");
    }
    assert!(
        seen("quit\n", |person| table::goofspiel(3, Prizes::Drawn, budget, 5, person).expect("it leaves"))
            .contains("You leave the table.")
    );
}

#[test]
fn the_search_advises_a_person_who_plays_2048_and_plays_the_rest() {
    let budget = Budget::iterations(3);
    let play = |lines: &str| seen(lines, |person| game_2048::with_person(budget, 2, person).expect("a game"));
    let text = play("hint\nx\nquit\n");
    assert!(text.contains("Advice: ") && text.contains("\"x\" is not one of them."), "{text}");
    assert!(text.contains("\n0 points") && text.ends_with("You leave the table.\n"), "{text}");
    // Of four slides, one at least moves a tile. All words for a slide mean the same.
    let boards = |text: &str| {
        text.lines().filter(|line| line.ends_with(" points") || line.starts_with("    ")).count()
    };
    let words = play("up\nleft\ndown\nright\n");
    assert_eq!(boards(&words), boards(&play("w\na\nS\nd\n")));
    assert_eq!(boards(&words), boards(&play("\u{1b}[A\n\u{1b}[D\n\u{1b}[B\n\u{1b}[C\n")));
    assert!(boards(&words) > boards(&play("")), "{words}");
    let text = play("play\nrest\n");
    assert!(text.contains("No slide is left. You have "), "{text}");
    assert!(text.matches("the search slides ").count() > 30, "{text}");
}

#[test]
fn searches_play_2048_alone_better_than_at_random() {
    let budget = Budget::iterations(sized(10, 20));
    let mean = |kind| {
        let games = game_2048::alone(kind, 3, budget, 1).expect("sound games");
        assert_eq!(games.ends.len(), 3);
        assert!(games.to_string().contains(" ± "), "{games}");
        games.ends.iter().map(|end| f64::from(end.score())).sum::<f64>() / 3.0
    };
    let random = mean(Kind::Random);
    for kind in [Kind::ChanceNodes, Kind::OpenLoop] {
        assert!(mean(kind) > random, "{kind:?}");
    }
}

#[test]
fn tables_without_a_game_are_errors() {
    let budget = Budget::iterations(1);
    seen("", |person| {
        let error = table::knockout_whist(9, budget, 0, person).expect_err("too many players");
        assert_eq!(error.to_string(), "Knockout Whist for 9 players: choose 2 to 7");
        let error = table::goofspiel(0, Prizes::Drawn, budget, 0, person).expect_err("no cards");
        assert_eq!(error.to_string(), "Goofspiel with 0 cards: choose 1 to 13");
    });
}
