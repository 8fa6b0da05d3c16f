//! What can be wrong with the text of an agent or of a search.

use super::nearest::nearest;
use core::fmt;
use ramure::ParameterError;

/// Why a text is no agent and no search. Printed, it says what there is instead.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// There is no word at the start of the text.
    Empty {
        /// The words that there are.
        known: Vec<String>,
    },
    /// A word that is not known: of an agent, of a policy, or of another choice.
    Unknown {
        /// What it should be: `agent`, or the name of the parameter.
        what: String,
        /// What is written.
        word: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The word is known, but it needs an ability of the game that the registry was not told of.
    Lacks {
        /// The word.
        word: String,
        /// What the game must be able to do.
        ability: Ability,
    },
    /// What must stand behind the colon does not.
    Missing {
        /// The word before the colon.
        word: String,
        /// What it is called, as in `BUDGET`.
        name: String,
        /// What may stand there.
        values: String,
    },
    /// Between two commas, before `=` or behind it there is nothing.
    Nothing {
        /// The part of the text, as it is written.
        part: String,
    },
    /// A parameter, or what stands without a name, is there twice.
    Twice {
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
    /// Something without a name where nothing can be without.
    Nameless {
        /// What is written.
        value: String,
        /// The text without it.
        of: String,
        /// The parameters that there are.
        known: Vec<String>,
    },
    /// A parameter that there is not, or not together with the others.
    UnknownParameter {
        /// The parameter.
        name: String,
        /// The text without it.
        of: String,
        /// The parameters that there are.
        known: Vec<String>,
    },
    /// A value that cannot be read, or that is out of range.
    Value {
        /// The parameter.
        name: String,
        /// What is written.
        value: String,
        /// What it must be.
        values: String,
    },
    /// A policy says that its parameter is out of range.
    Parameter(ParameterError),
    /// The tree policy plans ahead for a number of iterations, and the budget says none.
    NeedsIterations {
        /// The word of the policy.
        word: String,
    },
    /// A part of the program's own with something else than the usual.
    NotTogether {
        /// Which part is the program's own, as `policy`.
        own: String,
        /// The parts that are not the usual ones, as in `policy=mine`.
        parts: Vec<String>,
    },
    /// Any other reason, for a word of yours.
    Failed(String),
}

/// What a game may offer beyond its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Ability {
    /// [`StaticEvaluation`](crate::StaticEvaluation).
    Evaluation,
    /// [`ActionIndex`](crate::ActionIndex).
    Numbers,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Empty { known } => {
                write!(f, "there is no word at the start; there are {}", known.join(", "))
            }
            ReadError::Unknown { what, word, known } => {
                write!(f, "`{word}` is no {what}; there are {}{}", known.join(", "), DidYouMean(word, known))
            }
            ReadError::Lacks { word, ability } => write!(f, "`{word}` needs {ability}"),
            ReadError::Missing { word, name, values } => {
                write!(f, "`{word}` needs {name}; write `{word}:{name}`, where {name} is {values}")
            }
            ReadError::Nothing { part } => {
                write!(
                    f,
                    "something is missing at `{part}`; write `name=value`, with a comma between two of them"
                )
            }
            ReadError::Twice { first, second } => {
                write!(f, "`{first}` and `{second}` contradict each other; leave one out")
            }
            ReadError::Nameless { value, of, known } => {
                write!(
                    f,
                    "`{value}` has no name, and `{of}` takes nothing without one; {}",
                    Parameters(known)
                )
            }
            ReadError::UnknownParameter { name, of, known } => {
                write!(
                    f,
                    "`{of}` has no parameter `{name}`; {}{}",
                    Parameters(known),
                    DidYouMean(name, known)
                )
            }
            ReadError::Value { name, value, values } => write!(f, "{name} is `{value}`; it must be {values}"),
            ReadError::Parameter(error) => error.fmt(f),
            ReadError::NeedsIterations { word } => write!(
                f,
                "`{word}` plans ahead for a number of iterations, and the budget says none; add one, as in 1000+100ms",
            ),
            ReadError::NotTogether { own, parts } => write!(
                f,
                "{} are not compiled together, for the {own} is this program's own; leave one out, or put the search together \
                 in code, by the methods of `Mcts`",
                parts.join(" and "),
            ),
            ReadError::Failed(why) => f.write_str(why),
        }
    }
}

/// The known word that comes near.
struct DidYouMean<'a>(&'a str, &'a [String]);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        nearest(self.0, self.1).map_or(Ok(()), |near| write!(f, "; did you mean `{near}`?"))
    }
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
        })
    }
}

impl core::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ReadError::Parameter(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ParameterError> for ReadError {
    fn from(error: ParameterError) -> Self {
        ReadError::Parameter(error)
    }
}
