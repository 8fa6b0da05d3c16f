//! States and actions survive a way through JSON, and impossible ones are rejected, with the feature `serde`.

use crate::common::sized;
use crate::support::{DRAWN_SUDO, legal, peaceful_game, play, random_game, states};
use ramure::{GameState, Rng};
use ramure_games::bandit::BanditAction;
use ramure_games::connect4::ConnectFour;
use ramure_games::hex::HexAction;
use ramure_games::sudo_tic_tac_toe::{self, Mode};
use ramure_games::{
    Bandit, Connect4, Hex, PGame, SameGame, SudoTicTacToe, TicTacToe, connect4, hex, morpion, same_game,
    tic_tac_toe,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::str::FromStr;

fn back<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("it can be written");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Checks that a state and its actions are equal after they were written and read, and that both states have
/// the same actions, in the same order.
fn survives<G>(game: &G)
where
    G: GameState<Action: Serialize + DeserializeOwned> + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let read = back(game);
    assert_eq!(&read, game);
    assert_eq!(format!("{read:?}"), format!("{game:?}"));
    assert_eq!((read.turn(), read.players()), (game.turn(), game.players()), "{game:?}");
    let actions = Vec::from_iter(game.actions());
    assert_eq!(Vec::from_iter(read.actions()), actions, "{game:?}");
    assert_eq!(back(&actions), actions);
    for (action, player) in actions.iter().zip((0..read.players()).cycle()) {
        assert_eq!(read.probability(action.clone()), game.probability(action.clone()));
        let [after_read, after] = [&read, game].map(|state| {
            let mut state = state.clone();
            state.apply(action.clone());
            state
        });
        assert_eq!(after_read, after);
        if after.turn() == ramure::Turn::Over {
            assert_eq!(after_read.reward(player), after.reward(player));
        }
    }
}

/// Checks all states of some random games and of some long ones.
fn games_survive<G>(start: &G, games: usize)
where
    G: GameState<Action: Serialize + DeserializeOwned> + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let mut rng = Rng::seeded(11);
    for _ in 0..games {
        random_game(start, &mut rng, survives);
        peaceful_game(start, &mut rng, survives);
    }
}

#[test]
fn every_state_and_action_of_random_games_survives_json() -> Result<(), Box<dyn std::error::Error>> {
    games_survive(&TicTacToe::new(), sized(20, 200));
    games_survive(&Connect4::new(), sized(5, 50));
    games_survive(&ConnectFour::<5, 4>::new(), sized(5, 50));
    for size in [2, 3, 10] {
        games_survive(&Hex::new(size)?, 1);
        games_survive(&Hex::new(size)?.with_swap(), 1);
    }
    survives(&play(Hex::new(19)?, "a1 s1 a19 s19"));
    for cell in ["a1", "b2", "c4"] {
        games_survive(&play(Hex::new(4)?.with_swap(), &format!("{cell} swap")), 1);
    }
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        games_survive(&SudoTicTacToe::new(mode), sized(2, 20));
    }
    states(&SudoTicTacToe::new(Mode::LocalWin), DRAWN_SUDO).iter().for_each(survives);
    for seed in 0..20 {
        games_survive(&PGame::new(1 + seed as u8 % 5, 1 + seed as u8, (u64::MAX / 3).wrapping_mul(seed))?, 2);
    }
    games_survive(&"1 2 1 3\n2 1 1 3\n2 2 1 2\n".parse::<SameGame>()?, 5);
    let awkward = [0.1 + 0.2, 1.0 / 3.0, 0.0, 1.0, f64::MIN_POSITIVE, 0.999_999_999_999_999_9];
    games_survive(&Bandit::new(&awkward)?, 50);
    games_survive(&Bandit::new(&[0.5; 1000])?, 1);
    Ok(())
}

/// A line of play is legal after each state is read back, also in Hex, where a state keeps more than the text
/// shows.
#[test]
fn a_game_serialized_after_each_action_continues_unchanged() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = Rng::seeded(12);
    let mut game = Hex::new(7)?.with_swap();
    let mut read = game.clone();
    while let Some(action) = game.random_action(&mut rng) {
        game.apply(action);
        read.play(back(&action))?;
        read = back(&read);
        assert_eq!(read, game);
        assert_eq!(legal(&read), legal(&game));
    }
    assert_eq!(read.winner(), game.winner());
    Ok(())
}

#[test]
fn states_and_actions_of_the_four_games_serialize_as_text() -> Result<(), Box<dyn std::error::Error>> {
    fn is_text<T: Serialize + Display>(value: &T) {
        assert_eq!(serde_json::to_value(value).expect("it can be written"), Value::String(value.to_string()));
    }
    is_text(&TicTacToe::new());
    is_text(&Connect4::new());
    is_text(&Hex::new(5)?);
    is_text(&SudoTicTacToe::new(Mode::Ultimate));
    assert_eq!(json!("5".parse::<tic_tac_toe::Cell>()?), json!("5"));
    assert_eq!(json!("3".parse::<connect4::Column>()?), json!("3"));
    assert_eq!(json!("b3".parse::<hex::Cell>()?), json!("b3"));
    assert_eq!(json!(["b3".parse::<HexAction>()?, HexAction::Swap]), json!(["b3", "swap"]));
    assert_eq!(json!("5.1".parse::<sudo_tic_tac_toe::Cell>()?), json!("5.1"));
    assert_eq!(json!("c2".parse::<same_game::Group>()?), json!("c2"));
    games_survive(&morpion::Morpion::touching(), 2);
    let stroke = "14,11 right 5".parse::<morpion::Stroke>()?;
    assert_eq!((json!(stroke), back(&stroke)), (json!("14,11 right 5"), stroke));
    assert_eq!(json!([Mode::LocalWin, Mode::Ultimate]), json!(["local_win", "ultimate"]));
    assert_eq!(back(&[Mode::LocalWin, Mode::Ultimate]), [Mode::LocalWin, Mode::Ultimate]);
    // So an action can be the key of a map.
    let visits: BTreeMap<connect4::Column, u32> = Connect4::new().actions().into_iter().zip(10..).collect();
    assert_eq!(json!(visits)["6"], 16);
    assert_eq!(back(&visits), visits);
    Ok(())
}

#[test]
fn the_two_problems_are_written_field_by_field() -> Result<(), Box<dyn std::error::Error>> {
    let mut bandit = Bandit::new(&[0.25, 0.5])?;
    assert_eq!(json!(bandit), json!({"probabilities": [0.25, 0.5], "stage": "choice"}));
    bandit.apply(BanditAction::Arm(1));
    assert_eq!(json!(bandit)["stage"], json!({"played": {"probability": 0.5}}));
    bandit.apply(BanditAction::Win);
    assert_eq!(json!(bandit)["stage"], json!({"over": {"won": true}}));
    let actions = [BanditAction::Arm(3), BanditAction::Win, BanditAction::Loss];
    assert_eq!(json!(actions), json!([{"arm": 3}, "win", "loss"]));

    let mut game = PGame::new(3, 5, 7)?;
    game.apply(2);
    let value = json!(game);
    assert_eq!(value["sum"], game.sum());
    assert_eq!((&value["branching"], &value["depth"], &value["played"]), (&json!(3), &json!(5), &json!(1)));
    Ok(())
}

/// Checks that each text is rejected with the message that `FromStr` gives.
fn rejects<T: DeserializeOwned + Debug + FromStr<Err: Display>>(texts: &[&str]) {
    for text in texts {
        let Err(expected) = text.parse::<T>() else { panic!("{text} can be parsed") };
        let error = serde_json::from_value::<T>(json!(text)).expect_err(text);
        assert_eq!(error.to_string(), expected.to_string());
    }
    // Values that are not text are rejected.
    for value in [json!(3), json!(null), json!(["3"]), json!({"3": null})] {
        let error = serde_json::from_value::<T>(value.clone()).expect_err("no text").to_string();
        assert!(error.contains("as text"), "{value}: {error}");
    }
}

#[test]
fn impossible_text_gets_the_message_of_the_parser() {
    rejects::<TicTacToe>(&["", "XX.\n...\n...", "XXX\nOOO\n...", "...\n...\n...\nstatus: draw"]);
    rejects::<Connect4>(&["", "0123456\nR......\n.......\n.......\n.......\n.......\n......."]);
    rejects::<Hex>(&["", "a\n1 .", "a b\n1 X X\n2 . ."]);
    rejects::<SudoTicTacToe>(&["", "X..|...|..."]);
    rejects::<tic_tac_toe::Cell>(&["", "0", "10"]);
    rejects::<connect4::Column>(&["", "7", "d"]);
    rejects::<hex::Cell>(&["", "swap", "t1"]);
    rejects::<HexAction>(&["", "a0", "Swap"]);
    rejects::<sudo_tic_tac_toe::Cell>(&["", "5", "0.1"]);
}

#[test]
fn impossible_bandits_and_p_games_are_rejected() -> Result<(), Box<dyn std::error::Error>> {
    fn complaint<T: DeserializeOwned + Debug>(value: Value) -> String {
        serde_json::from_value::<T>(value.clone()).expect_err(&value.to_string()).to_string()
    }
    let bandit = |probabilities: Value, stage: Value| {
        complaint::<Bandit>(json!({"probabilities": probabilities, "stage": stage}))
    };
    let expected = Bandit::new(&[]).expect_err("no arms").to_string();
    assert_eq!(bandit(json!([]), json!("choice")), expected);
    let expected = Bandit::new(&[0.5, 1.5]).expect_err("above 1").to_string();
    assert_eq!(bandit(json!([0.5, 1.5]), json!("choice")), expected);
    let error = bandit(json!([0.5]), json!({"played": {"probability": 0.75}}));
    assert!(error.contains("0.75, but no arm"), "{error}");
    let error = bandit(json!([0.5, null]), json!("choice"));
    assert!(error.contains("null"), "{error}");
    let error = bandit(json!([0.5]), json!("chance"));
    assert!(error.contains("unknown variant `chance`"), "{error}");

    let game = json!(PGame::new(2, 3, 7)?);
    let p_game = |field: &str, value: Value| {
        let mut game = game.clone();
        game[field] = value;
        complaint::<PGame>(game)
    };
    assert_eq!(p_game("branching", json!(0)), PGame::new(0, 3, 7).expect_err("0").to_string());
    assert_eq!(p_game("depth", json!(0)), PGame::new(2, 0, 7).expect_err("0").to_string());
    assert_eq!(p_game("played", json!(4)), "`played` is 4; it must be at most 3, the depth of this P-game");
    assert_eq!(p_game("sum", json!(1)), "`sum` is 1; after 0 actions of a P-game it must be from 0 to 0");
    assert!(p_game("seed", json!(7)).contains("unknown field `seed`"));
    // Two actions add and subtract at most 127 each.
    for (played, sum, fits) in
        [(1, 127, true), (1, -1, false), (2, -127, true), (2, 128, false), (3, 254, true)]
    {
        let mut game = game.clone();
        (game["played"], game["sum"]) = (json!(played), json!(sum));
        assert_eq!(serde_json::from_value::<PGame>(game).is_ok(), fits, "{played} {sum}");
    }
    Ok(())
}
