//! Errors in the text of an agent or of a search.

use super::nearest::DidYouMean;
use core::fmt;
use ramure::ParameterError;

/// Why a text does not name an agent or a search. The message lists what is allowed.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text does not start with a word.
    #[error("the text does not start with a word; choose one of {}", .known.join(", "))]
    Empty {
        /// The words that are allowed.
        known: Vec<String>,
    },
    /// The word of an agent, of a policy or of another choice is unknown.
    #[error("`{word}` is not a known {what}; choose one of {}{}", .known.join(", "), DidYouMean(.word, .known))]
    Unknown {
        /// The kind of thing that the word should name: `agent`, or the name of the parameter.
        what: String,
        /// The word in the text.
        word: String,
        /// The words that are allowed.
        known: Vec<String>,
    },
    /// The word is known, but it needs an ability of the game that was not declared to the registry.
    #[error("`{word}` needs {ability}")]
    Lacks {
        /// The word.
        word: String,
        /// The ability that the game must have.
        ability: Ability,
    },
    /// The value after the colon is missing.
    #[error("`{word}` needs {name}; write `{word}:{name}`, where {name} is {values}")]
    Missing {
        /// The word before the colon.
        word: String,
        /// The name of the value, as in `BUDGET`.
        name: String,
        /// The values that are allowed.
        values: String,
    },
    /// A name or a value is missing, or nothing is written between two commas.
    #[error("a name or a value is missing in `{part}`; write `name=value`, separated by commas")]
    Nothing {
        /// The part of the text, as written.
        part: String,
    },
    /// A parameter, or the value without a name, is given twice.
    #[error("`{first}` and `{second}` contradict each other; leave one out")]
    Twice {
        /// The first of them, as written.
        first: String,
        /// The second of them, as written.
        second: String,
    },
    /// A value without a name is given where a name is needed.
    #[error("`{value}` has no name, and `{of}` takes no value without one; {}", Parameters(.known))]
    Nameless {
        /// The value, as written.
        value: String,
        /// The text without it.
        of: String,
        /// The parameters that are allowed.
        known: Vec<String>,
    },
    /// A parameter is unknown, or does not apply together with the others.
    #[error("`{of}` has no parameter `{name}`; {}{}", Parameters(.known), DidYouMean(.name, .known))]
    UnknownParameter {
        /// The parameter.
        name: String,
        /// The text without it.
        of: String,
        /// The parameters that are allowed.
        known: Vec<String>,
    },
    /// A value cannot be read, or is out of range.
    #[error("{name} is `{value}`; it must be {values}")]
    Value {
        /// The parameter.
        name: String,
        /// The value, as written.
        value: String,
        /// The values that are allowed.
        values: String,
    },
    /// A policy reports that its parameter is out of range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The tree policy plans ahead for a number of iterations, and the budget has none.
    #[error(
        "`{word}` plans ahead for a number of iterations, but the budget has none; add one, as in 1000+100ms"
    )]
    NeedsIterations {
        /// The word of the policy.
        word: String,
    },
    /// A part that the program added is combined with parts that it is not compiled with.
    #[error(
        "{} are not compiled together, because this program added the {own}; leave one out, or build the search \
         in code, with the methods of `Mcts`",
        .parts.join(" and ")
    )]
    NotTogether {
        /// The kind of the added part, as in `policy`.
        own: String,
        /// The parts that are not the default ones, as in `policy=mine`.
        parts: Vec<String>,
    },
    /// `threads` or `window` is set, and the program added a part of the search.
    #[error(
        "{what}={word} is not compiled with `threads` and `window`, because this program added it; leave them out, or \
         build the search in code, with the methods of `Mcts`"
    )]
    NoWindow {
        /// The kind of the part, as in `policy`.
        what: String,
        /// The word of the part.
        word: String,
    },
    /// Any other reason, for your own words.
    #[error("{0}")]
    Failed(String),
    /// `transpositions` is set, and a part of the search is not compiled with it.
    #[error(
        "{what}={word} is not compiled with `transpositions`; write {what}={only}, leave out `transpositions`, or \
         build the search in code, of `Transpositions::new(state)`"
    )]
    NoGraph {
        /// The kind of the part, as in `policy`.
        what: String,
        /// The word of the part.
        word: String,
        /// The only word that is compiled with it.
        only: String,
    },
    /// `transpositions` is set, and the program added a part of the search under the name of one that is
    /// compiled with it.
    #[error(
        "{what}={word} is not compiled with `transpositions`, because this program added it; leave out \
         `transpositions`, or build the search in code, of `Transpositions::new(state)`"
    )]
    OwnInGraph {
        /// The kind of the part, as in `policy`.
        what: String,
        /// The word of the part.
        word: String,
    },
}

/// An ability that a game may have beyond its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Ability {
    /// [`StaticEvaluation`](ramure::StaticEvaluation).
    Evaluation,
    /// [`ActionIndex`](ramure::ActionIndex).
    Numbers,
    /// [`Keyed`](ramure::Keyed).
    Keys,
    /// [`Keyed`](ramure::Keyed) and [`Symmetric`](ramure::Symmetric).
    MirrorImages,
}

struct Parameters<'a>(&'a [String]);

impl fmt::Display for Parameters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("there are no parameters"),
            known => write!(f, "the parameters are {}", known.join(", ")),
        }
    }
}

impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ability::Evaluation => {
                "a static evaluation, which this game lacks: implement `StaticEvaluation` for it, and call \
                 `with_evaluation` on the registry"
            }
            Ability::Numbers => {
                "numbered actions, which this game lacks: implement `ActionIndex` for it, and call `with_numbers` on \
                 the registry"
            }
            Ability::Keys => {
                "keys of positions, which this game lacks: implement `Keyed` for it, and call `with_keys` on the registry"
            }
            Ability::MirrorImages => {
                "keys and symmetries, which this game lacks: implement `Keyed` and `Symmetric` for it, and call \
                 `with_mirror_images` on the registry"
            }
        })
    }
}

ramure::debug_as_sentence!(ReadError);
