//! The laws of optional parts of a game, beyond `GameState`. A method of the check asks for each.

use super::{Part, Rule, Site, draws, futures};
use crate::list::list;
use crate::look::Look;
use crate::probe::{Breach, broken};
use core::fmt::{Debug, Display};
use core::str::FromStr;
use ramure::{ActionIndex, GameState, Player, StaticEvaluation, Symmetric, Turn};
use serde::{Serialize, de::DeserializeOwned};
use std::collections::HashMap;

pub fn constant_sum<G: GameState>(sum: f64) -> impl Rule<G> {
    move |site: &mut Site<'_, G>| {
        let look = &site.here().look;
        let here: f64 = look.rewards.iter().sum();
        // A comparison with NaN is never true.
        let wrong = look.is_over() && (here - sum).abs().partial_cmp(&1e-6).is_none_or(|order| order.is_gt());
        Breach::of(
            wrong.then(|| format!("the rewards are {:?} and sum to {here}, not to {sum}", look.rewards)),
        )
    }
}

pub fn text<G: GameState + Display + FromStr<Err: Debug>>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    if !site.one_in(4) {
        return Ok(());
    }
    let (probe, here) = (site.probe, site.walk.last());
    let text = probe.call("`Display`", || here.state.to_string())?;
    let back = match probe.call("`from_str`", || text.parse::<G>())? {
        Ok(back) => back,
        Err(error) => {
            return broken(format!("its text cannot be read back: {error:?}; the text is\n{text}"));
        }
    };
    let again = probe.call("`Display`", || back.to_string())?;
    if again != text {
        return broken(format!(
            "the state read back from its text prints another text: the first text is\n{text}\nand the second\n{again}"
        ));
    }
    Breach::of(differs(site, &back)?.map(|difference| {
        format!("the state (here) and the state read back from its text (there) differ: {difference}")
    }))
}

/// Returns what differs between the state at the end of the line and what was read back.
fn differs<G: GameState>(site: &mut Site<'_, G>, back: &G) -> Result<Option<String>, Breach> {
    let here = site.walk.last();
    let difference = match site.rng.below(4) == 0 || site.part == Part::Shortening {
        true => futures::difference(site, &here.state, back, Look::difference)?,
        false => here.look.difference(&Look::at(back, site.probe)?),
    };
    if difference.is_some() { Ok(difference) } else { draws::difference(site, &here.state, back) }
}

/// States and actions, through the format of saved searches.
pub fn serde<G>(site: &mut Site<'_, G>) -> Result<(), Breach>
where
    G: GameState<Action: Serialize + DeserializeOwned> + Serialize + DeserializeOwned,
{
    if !site.one_in(4) {
        return Ok(());
    }
    let (probe, here) = (site.probe, site.walk.last());
    for action in &here.look.actions {
        match probe.call("serde of an action", || written_and_read(action))? {
            Ok((_, back)) if back == *action => {}
            Ok((_, back)) => return broken(format!("{action:?} is read back as {back:?}")),
            Err(error) => return broken(format!("{action:?} cannot be read back: {error}")),
        }
    }
    let (bytes, back) = match probe.call("serde", || written_and_read(&here.state))? {
        Ok(read) => read,
        Err(error) => return broken(format!("the state cannot be read back: {error}")),
    };
    let again = probe.call("serde", || postcard::to_allocvec(&back))?;
    if again.as_ref() != Ok(&bytes) {
        return broken(format!(
            "the state read back is written as other bytes: {again:?}, and the state as {bytes:?}"
        ));
    }
    Breach::of(
        differs(site, &back)?.map(|difference| {
            format!("the state (here) and the state read back (there) differ: {difference}")
        }),
    )
}

/// Returns the bytes of a value in the format of saved searches, and what is read from them.
fn written_and_read<T: Serialize + DeserializeOwned>(value: &T) -> Result<(Vec<u8>, T), postcard::Error> {
    let bytes = postcard::to_allocvec(value)?;
    let back = postcard::from_bytes(&bytes)?;
    Ok((bytes, back))
}

pub fn action_text<G: GameState<Action: Display + FromStr<Err: Debug>>>(
    site: &mut Site<'_, G>,
) -> Result<(), Breach> {
    for action in &site.here().look.actions {
        let text = site.probe.call("`Display` of an action", || action.to_string())?;
        match site.probe.call("`from_str` of an action", || text.parse::<G::Action>())? {
            Ok(back) if back == *action => {}
            Ok(back) => {
                return broken(format!("{action:?} prints `{text}`, which is read back as {back:?}"));
            }
            Err(error) => {
                return broken(format!("{action:?} prints `{text}`, which cannot be read back: {error:?}"));
            }
        }
    }
    Ok(())
}

pub fn evaluation<G: StaticEvaluation>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let (probe, here) = (site.probe, site.walk.last());
    if here.look.is_over() || !site.one_in(3) {
        return Ok(());
    }
    for player in 0..here.look.players {
        let evaluate = || probe.call("`evaluate`", || here.state.evaluate(player));
        let value = evaluate()?;
        if !(0.0..=1.0).contains(&value) {
            return broken(format!("the evaluation for player {player} is {value}; it must be in [0, 1]"));
        }
        let again = evaluate()?;
        if again != value {
            return broken(format!(
                "the evaluation for player {player} was {value}; asked again, it is {again}"
            ));
        }
    }
    Ok(())
}

/// The law on action indices remembers the action seen for each index.
pub fn indices<G: ActionIndex>() -> impl Rule<G> {
    let mut owners: HashMap<usize, G::Action> = HashMap::new();
    move |site: &mut Site<'_, G>| {
        for action in &site.here().look.actions {
            let index = site.probe.call("`action_index`", || G::action_index(action.clone()))?;
            if index >= G::ACTION_COUNT {
                return broken(format!(
                    "the index of {action:?} is {index}; it must be below ACTION_COUNT, which is {}",
                    G::ACTION_COUNT
                ));
            }
            let owner = owners.entry(index).or_insert_with(|| action.clone());
            if owner != action {
                return broken(format!("{action:?} and {owner:?} have the same index, {index}"));
            }
        }
        Ok(())
    }
}

pub fn symmetry<G: Symmetric>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let here = site.walk.last();
    let all = 0..G::SYMMETRIES;
    let one = site.rng.below(G::SYMMETRIES);
    let symmetries = if site.part == Part::Game { one..all.end.min(one + 1) } else { all };
    for symmetry in symmetries {
        let image = site.probe.call("`transformed`", || here.state.transformed(symmetry))?;
        let seen = Look::at(&image, site.probe)?;
        let expected = transformed(site, &here.state, &here.look, symmetry)?;
        if let Some(difference) = expected.difference_but_for_order(&seen) {
            return broken(format!(
                "symmetry {symmetry} changes the game: the expected image of the state (here) and the actual image \
                 (there) differ: {difference}"
            ));
        }
        let Some((before, action)) = site.walk.before() else { continue };
        let state = &before.state;
        let mut played = site.probe.call("`transformed`", || state.transformed(symmetry))?;
        let action =
            site.probe.call("`transformed_action`", || state.transformed_action(action, symmetry))?;
        site.probe.apply(&mut played, &action)?;
        if let Some(difference) = seen.difference_but_for_order(&Look::at(&played, site.probe)?) {
            return broken(format!(
                "symmetry {symmetry} does not commute with the last action: the state after playing and transforming (here) \
                 and the state after transforming and playing {action:?} (there) differ: {difference}"
            ));
        }
    }
    Ok(())
}

/// Returns the look that the mirror image must have.
fn transformed<G: Symmetric>(
    site: &Site<'_, G>,
    state: &G,
    look: &Look<G::Action>,
    symmetry: usize,
) -> Result<Look<G::Action>, Breach> {
    let player =
        |player| site.probe.call("`transformed_player`", || state.transformed_player(player, symmetry));
    let mut image = look.clone();
    if let Turn::Player(mover) = look.turn {
        image.turn = Turn::Player(player(mover)?);
    }
    for action in &mut image.actions {
        *action =
            site.probe.call("`transformed_action`", || state.transformed_action(action.clone(), symmetry))?;
    }
    for (of, &reward) in (0..).zip(&look.rewards) {
        if let Some(place) = image.rewards.get_mut(usize::from(player(of)?)) {
            *place = reward;
        }
    }
    Ok(image)
}

/// A predicate of the game's author. A panic in it also breaks this law, because the predicate is not part of
/// the game.
pub fn invariant<G: GameState>(holds: impl Fn(&G) -> bool) -> impl Rule<G> {
    move |site: &mut Site<'_, G>| {
        let here = &site.walk.last().state;
        match site.probe.call("the invariant", || holds(here)) {
            Ok(true) => Ok(()),
            Ok(false) => broken("the invariant does not hold here"),
            Err(breach) => broken(breach.what),
        }
    }
}

pub fn winner<G: GameState>(winner: impl Fn(&G) -> Option<Player>) -> impl Rule<G> {
    move |site: &mut Site<'_, G>| {
        let here = site.walk.last();
        let winner = site.probe.call("`winner`", || winner(&here.state))?;
        if !here.look.is_over() {
            return Breach::of(winner.map(|winner| {
                format!("player {winner} has won, but the game goes on: the turn is {:?}", here.look.turn)
            }));
        }
        let best = here.look.winners().only();
        let rewards = &here.look.rewards;
        Breach::of((best != winner).then(|| match winner {
            Some(winner) => format!("player {winner} has won, but the rewards are {}", list(rewards)),
            None => format!("no player has won, but the rewards are {}", list(rewards)),
        }))
    }
}
