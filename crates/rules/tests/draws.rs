//! Random play must depend on nothing that is lost when a state is saved. `evidence.rs` has the mistake for
//! `==` and for texts.

use ramure::prelude::*;
use ramure::{Player, Rng};
use ramure_rules::Law;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    /// The list of cards is not written, and is sorted when it is made again.
    SkipsTheList,
    /// One more random number is taken where the list is not sorted.
    TakesMore,
    /// Rollouts take the last card of the list.
    RollsOutByTheList,
    /// Actions are written without their last bit.
    HalvesActions,
}

/// An only player takes four of five cards, numbered from 0, and is paid for the last.
#[derive(Clone, Debug)]
struct Cards {
    /// The cards left, in an order that depends on the order of play.
    list: Vec<u8>,
    fault: Fault,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Card(u8, bool);

impl Serialize for Card {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.0 >> u8::from(self.1), self.1).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (number, halved) = <(u8, bool)>::deserialize(deserializer)?;
        Ok(Card(number << u8::from(halved), halved))
    }
}

/// What is written of the cards.
#[derive(Serialize, Deserialize)]
struct Written(Vec<u8>, u8);

const FAULTS: [Fault; 5] =
    [Fault::None, Fault::SkipsTheList, Fault::TakesMore, Fault::RollsOutByTheList, Fault::HalvesActions];

impl Serialize for Cards {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = self.list.clone();
        if !matches!(self.fault, Fault::None | Fault::HalvesActions) {
            list.sort_unstable();
        }
        let fault = FAULTS.iter().position(|&fault| fault == self.fault).unwrap_or(0) as u8;
        Written(list, fault).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written(list, fault) = Written::deserialize(deserializer)?;
        Ok(Cards { list, fault: FAULTS[usize::from(fault)] })
    }
}

impl GameState for Cards {
    type Action = Card;
    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.list.len() == 1 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Card> {
        let mut list = self.list.clone();
        list.sort_unstable();
        let (runs, halves) = (list.len() > 1, self.fault == Fault::HalvesActions);
        list.into_iter().filter(move |_| runs).map(move |card| Card(card, halves))
    }
    fn apply(&mut self, card: Card) {
        if let Some(place) = self.list.iter().position(|&other| other == card.0) {
            self.list.swap_remove(place);
        }
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.list[0]) / 4.0
    }
    fn random_action(&self, rng: &mut Rng) -> Option<Card> {
        let mut list = self.list.clone();
        if self.fault == Fault::TakesMore && !list.is_sorted() {
            rng.bits();
        }
        if self.fault != Fault::SkipsTheList {
            list.sort_unstable();
        }
        let card = list[rng.below(list.len())];
        (list.len() > 1).then_some(Card(card, self.fault == Fault::HalvesActions))
    }
    fn random_rollout(&mut self, rng: &mut Rng) {
        if self.fault != Fault::RollsOutByTheList {
            self.list.sort_unstable();
        }
        self.list = vec![self.list[rng.below(self.list.len())]];
    }
}

#[test]
fn states_that_serde_reads_back_play_the_same_at_random() {
    for fault in FAULTS {
        let start = Cards { list: (0..5).collect(), fault };
        let result = ramure_rules::check(start).serde().games(200).run();
        let law = result.as_ref().err().map(|violation| violation.law);
        let expected = (fault != Fault::None).then_some(Law::Serde);
        assert_eq!(law, expected, "{fault:?}: {:?}", result.map_err(|violation| violation.to_string()));
    }
}
