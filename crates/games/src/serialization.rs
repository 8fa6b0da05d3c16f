//! `Serialize` and `Deserialize` of the games, behind the feature `serde`.
//!
//! States and actions of the four games, boards of SameGame and the actions of the puzzles are written as
//! their text, and text is checked as `FromStr` does. The two problems have no text; they are written field
//! by field.

use super::bandit::{Bandit, Stage};
use super::p_game::{GREATEST, PGame};
use super::sudo_tic_tac_toe::{self, SudoTicTacToe};
use super::{Hex, SameGame, TicTacToe, connect4, hex, morpion, same_game, tic_tac_toe};
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A type that is written as its text.
trait AsText: FromStr<Err: fmt::Display> {
    /// The demand of the error for a value that is not a text.
    const EXPECTED: &str;
}

struct Text<T>(PhantomData<T>);

impl<T: AsText> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! serialize_as_text {
    ($($(#[$($generics:tt)+])? $type:ty: $expected:literal;)+) => {
        $(
            impl$(<$($generics)+>)? AsText for $type {
                const EXPECTED: &str = $expected;
            }

            #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
            impl$(<$($generics)+>)? Serialize for $type {
                /// Writes the text of `Display`.
                fn serialize<Out: Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
                    serializer.collect_str(self)
                }
            }

            #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
            impl<'de $(, $($generics)+)?> Deserialize<'de> for $type {
                /// Reads a text as `FromStr` does.
                fn deserialize<In: Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
                    deserializer.deserialize_str(Text(PhantomData))
                }
            }
        )+
    };
}

serialize_as_text! {
    TicTacToe: "a position of Tic-Tac-Toe as text";
    tic_tac_toe::Cell: "a cell of Tic-Tac-Toe as text, such as \"5\"";
    #[const COLUMNS: u8, const ROWS: u8] connect4::ConnectFour<COLUMNS, ROWS>: "a position of Connect 4 as text";
    connect4::Column: "a column of Connect 4 as text, such as \"3\"";
    Hex: "a position of Hex as text";
    hex::Cell: "a cell of Hex as text, such as \"b3\"";
    hex::HexAction: "an action of Hex as text, such as \"b3\" or \"swap\"";
    SudoTicTacToe: "a position of Sudo Tic-Tac-Toe as text";
    SameGame: "a board of SameGame as text";
    same_game::Group: "a group of SameGame as text, such as \"c2\"";
    morpion::Morpion: "a position of Morpion Solitaire as text";
    morpion::Stroke: "a line of Morpion Solitaire as text, such as \"14,11 right 5\"";
    sudo_tic_tac_toe::Cell: "a cell of Sudo Tic-Tac-Toe as text, such as \"5.1\"";
}

/// Implements both traits for a type by its `..Def`. The function after `if` checks the value before it is
/// written and after it is read.
macro_rules! serialize_by {
    ($type:ty, $def:ty, if $check:expr) => {
        #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
        impl Serialize for $type {
            fn serialize<Out: Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
                $check(self).map_err(serde::ser::Error::custom)?;
                <$def>::serialize(self, serializer)
            }
        }

        #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<In: Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
                let value = <$def>::deserialize(deserializer)?;
                $check(&value).map_err(serde::de::Error::custom)?;
                Ok(value)
            }
        }
    };
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PGame", rename = "PGame", deny_unknown_fields)]
struct PGameDef {
    branching: u8,
    depth: u8,
    played: u8,
    sum: i32,
    path: u64,
}
serialize_by!(PGame, PGameDef, if check_p_game);

fn check_p_game(game: &PGame) -> Result<(), String> {
    let PGame { branching, depth, played, sum, .. } = *game;
    PGame::new(branching, depth, 0).map_err(|error| error.to_string())?;
    if played > depth {
        return Err(format!("`played` is {played}; it must be at most {depth}, the depth of this P-game"));
    }
    // The players alternate, and player 0 starts.
    let (least, most) = (-GREATEST * i32::from(played / 2), GREATEST * i32::from(played.div_ceil(2)));
    if (least..=most).contains(&sum) {
        return Ok(());
    }
    Err(format!("`sum` is {sum}; after {played} actions of a P-game it must be from {least} to {most}"))
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Bandit", rename = "Bandit", deny_unknown_fields)]
struct BanditDef {
    #[serde(serialize_with = "<[f64]>::serialize", deserialize_with = "read_arms")]
    probabilities: Arc<[f64]>,
    stage: Stage,
}
serialize_by!(Bandit, BanditDef, if check_bandit);

fn read_arms<'de, In: Deserializer<'de>>(deserializer: In) -> Result<Arc<[f64]>, In::Error> {
    Vec::deserialize(deserializer).map(Arc::from)
}

fn check_bandit(bandit: &Bandit) -> Result<(), String> {
    Bandit::new(&bandit.probabilities).map_err(|error| error.to_string())?;
    match bandit.stage {
        // An arm that the bandit does not have never wins.
        Stage::Played { probability }
            if probability != 0.0 && !bandit.probabilities.contains(&probability) =>
        {
            Err(format!("the arm played wins with probability {probability}, but no arm of this bandit does"))
        }
        _ => Ok(()),
    }
}
