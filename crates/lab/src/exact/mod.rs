//! Exact results for small games with hidden information and simultaneous moves: values, best responses,
//! exploitability and equilibria. Uses the layer `game` of [`ramure`].
//!
//! [`SequenceForm`] goes through a whole game once. A [`Profile`] is a strategy for each player: from a
//! [function](SequenceForm::profile) of your own, from [`regret_minimization`](SequenceForm::regret_minimization) or from
//! [`equilibrium`](SequenceForm::equilibrium).
//!
//! A player acts in the same way in all states in which it has observed the same. What it observes are its
//! own actions and what [`HiddenInformation::observe`](ramure::HiddenInformation::observe) shows it of all
//! others. Choices of the same step ([`GameState::is_simultaneous`](ramure::GameState::is_simultaneous)) are
//! shown when the step ends.
//!
//! ```
//! use ramure_lab::exact::SequenceForm;
//! use ramure_lab::games::Kuhn;
//!
//! let kuhn = SequenceForm::of(&Kuhn::new())?;
//! let uniform = kuhn.uniform();
//! // A reward of 1 is two chips, and one of 0 is minus two.
//! assert!((4.0 * uniform.exploitability() - 11.0 / 24.0).abs() < 1e-12);
//! let equilibrium = kuhn.equilibrium()?;
//! assert!((4.0 * equilibrium.value(0) - 2.0 + 1.0 / 18.0).abs() < 1e-9);
//! assert!(equilibrium.exploitability() < 1e-9);
//! # Ok::<(), ramure_lab::exact::ExactError>(())
//! ```

mod error;
mod linear_program;
mod observations;
mod profile;
mod regret;
mod sequence_form;

pub use error::ExactError;
pub use profile::{BestResponse, Profile};
pub use sequence_form::{InformationSetOf, SequenceForm};
