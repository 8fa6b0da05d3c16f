//! The check of observations, with a correct simulator and with wrong ones.

use ramure::prelude::*;
use ramure::{Belief, PartiallyObserved, Simulator, fail};
use ramure_rules::check_observations;

/// A thing at a place from 0 to 9 walks to and fro. A look shows its place with a normal error, and a knock whether it is
/// in the left half, with probability 0.8.
#[derive(Clone)]
struct Hidden {
    place: u8,
    mistake: Mistake,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mistake {
    None,
    /// The likelihoods of looks are those of a smaller error.
    TooSure,
    /// The likelihoods of knocks are those of a probability of 0.75.
    TooUnsure,
    /// The likelihood of a look forgets that the density depends on the error.
    ForgetsScale,
    /// A likelihood is a logarithm.
    IsLogarithm,
    IsNotANumber,
    /// A knock is believed to be always right.
    IsNeverWrong,
    IsUnknown,
    /// `observe` counts its calls.
    HasOwnGenerator,
    Fails,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Sensed {
    Place(f64),
    IsLeft(bool),
}

impl Eq for Sensed {}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sense {
    Look,
    Knock,
}

impl Hidden {
    fn blur(&self) -> f64 {
        1.0 + f64::from(self.place)
    }
}

impl Simulator for Hidden {
    type Action = Sense;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = Sense> {
        [Sense::Look, Sense::Knock]
    }
    fn step(&mut self, _: Sense, rng: &mut Rng) -> f64 {
        self.place = if rng.unit() < 0.5 { self.place.saturating_sub(1) } else { (self.place + 1).min(9) };
        0.0
    }
}

static CALLS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

impl PartiallyObserved for Hidden {
    type Observation = Sensed;

    fn observe(&self, action: &Sense, rng: &mut Rng) -> Sensed {
        if self.mistake == Mistake::HasOwnGenerator {
            return Sensed::Place(CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) as f64);
        }
        match action {
            Sense::Look => {
                let length = libm::sqrt(-2.0 * libm::log(1.0 - rng.unit()));
                let error = length * libm::cos(core::f64::consts::TAU * rng.unit());
                Sensed::Place(f64::from(self.place) + self.blur() * error)
            }
            Sense::Knock => Sensed::IsLeft((self.place < 5) == (rng.unit() < 0.8)),
        }
    }
    fn likelihood(&self, _: &Sense, sensed: &Sensed) -> Option<f64> {
        let density = |place: f64, blur: f64| {
            let off = (place - f64::from(self.place)) / blur;
            libm::exp(-0.5 * off * off) / blur
        };
        Some(match (*sensed, self.mistake) {
            (_, Mistake::IsUnknown) => return None,
            (_, Mistake::IsNotANumber) => f64::NAN,
            (_, Mistake::Fails) => fail("no likelihood"),
            (Sensed::Place(place), Mistake::TooSure) => density(place, 0.8 * self.blur()),
            (Sensed::Place(place), Mistake::ForgetsScale) => density(place, self.blur()) * self.blur(),
            (Sensed::Place(place), Mistake::IsLogarithm) => libm::log(density(place, self.blur())),
            (Sensed::Place(place), _) => density(place, self.blur()),
            (Sensed::IsLeft(is_left), mistake) => {
                let right = match mistake {
                    Mistake::TooUnsure => 0.75,
                    Mistake::IsNeverWrong => 1.0,
                    _ => 0.8,
                };
                if (self.place < 5) == is_left { right } else { 1.0 - right }
            }
        })
    }
}

fn checked(mistake: Mistake) -> Result<u32, String> {
    let belief = Belief::from_fn(100, 3, |rng| Hidden { place: rng.below(10) as u8, mistake }).unwrap();
    check_observations(&belief).map_err(|fault| fault.to_string())
}

#[test]
fn observations_that_are_as_likely_as_said_pass() {
    let told_apart = checked(Mistake::None).unwrap();
    assert!(told_apart > 50_000, "{told_apart}");
}

#[test]
fn wrong_likelihoods_are_found() {
    for (mistake, what) in [
        (Mistake::TooSure, "`likelihood` is wrong"),
        (Mistake::TooUnsure, "`likelihood` is wrong"),
        (Mistake::ForgetsScale, "`likelihood` is wrong"),
        (Mistake::IsLogarithm, "`likelihood` returned -"),
        (Mistake::IsNotANumber, "`likelihood` returned NaN"),
        (Mistake::IsNeverWrong, "`likelihood` returned 0 for"),
        (Mistake::IsUnknown, "`likelihood` returned `None`"),
        (Mistake::HasOwnGenerator, "with the same generator"),
        (Mistake::Fails, "the simulator failed: no likelihood"),
    ] {
        let fault = checked(mistake).expect_err("a mistake");
        assert!(fault.contains(what), "{mistake:?}: {fault}");
    }
    let one = Hidden { place: 9, mistake: Mistake::None };
    let alike = Belief::new([one.clone(), one]).unwrap();
    assert!(check_observations(&alike).is_ok(), "the steps lead to different states");
}
