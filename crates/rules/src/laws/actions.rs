//! The laws of the list of actions.

use super::{Part, Site};
use crate::list::list;
use crate::probe::{Breach, broken};
use ramure::GameState;

/// With more actions than this, not all pairs are compared.
const MANY: usize = 200;

/// Makes the calls that the other laws may skip.
pub fn calls<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let (probe, here) = (site.probe, site.walk.last());
    if let Some(action) = here.look.actions.first() {
        probe.is_legal(&here.state, action)?;
    }
    probe.draw(&here.state, here.look.turn, &mut site.rng)?;
    Ok(())
}

pub fn unique<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let actions = &site.walk.last().look.actions;
    // Actions implement neither `Ord` nor `Hash`. If there are very many, each is compared with those shortly
    // before it, and some with all.
    let count = actions.len();
    let (window, some) = match site.part {
        _ if count <= MANY => (count, 0..0),
        Part::Shortening if count <= 20 * MANY => (count, 0..0),
        _ => {
            let first = site.rng.below(count);
            (MANY, first..(first + MANY).min(count))
        }
    };
    let twice = (0..count).find(|&place| {
        let start = if some.contains(&place) { 0 } else { place.saturating_sub(window) };
        actions[start..place].contains(&actions[place])
    });
    Breach::of(twice.map(|place| {
        let action = &actions[place];
        let count = actions.iter().filter(|&other| other == action).count();
        format!(
            "{action:?} is listed {count} times among {}; list it once: actions that are `==` are one action. If it stands for equal things, \
             such as two equal cards, list one of them; if they differ, the action must tell them apart",
            list(actions)
        )
    }))
}

pub fn order<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let (probe, here) = (site.probe, site.walk.last());
    if here.look.is_over() {
        return Ok(());
    }
    let again = probe.actions(&here.state)?;
    if again != here.look.actions {
        return broken(format!(
            "the actions were {}; asked again, they are {}",
            list(&here.look.actions),
            list(&again)
        ));
    }
    let clones = probe.actions(&probe.clone(&here.state)?)?;
    let wrong = clones != here.look.actions;
    Breach::of(wrong.then(|| {
        format!("the actions are {}, and those of a clone are {}", list(&here.look.actions), list(&clones))
    }))
}

pub fn sizes<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let (look, state) = (&site.here().look, &site.here().state);
    if look.is_over() {
        return Ok(());
    }
    let (least, most) = site.probe.call("`actions`", || state.actions().into_iter().size_hint())?;
    let count = look.actions.len();
    let keeps = least <= count && most.is_none_or(|most| count <= most);
    Breach::of((!keeps).then(|| {
        let promised = match most {
            Some(most) if most == least => least.to_string(),
            Some(most) => format!("{least} to {most}"),
            None => format!("at least {least}"),
        };
        format!(
            "the `size_hint` of the iterator promises {promised} actions, but it yields {count}: {}",
            list(&look.actions)
        )
    }))
}

pub fn running<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let look = &site.here().look;
    let wrong = !look.is_over() && look.actions.is_empty();
    Breach::of(
        wrong.then(|| format!("the game is not over, the turn is {:?}, but there are no actions", look.turn)),
    )
}

pub fn legal<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let (probe, here) = (site.probe, site.walk.last());
    // `is_legal` may go through all actions each time. If there are very many, only some are asked for.
    let step = here.look.actions.len() / MANY + 1;
    for action in here.look.actions.iter().skip(site.rng.below(step)).step_by(step) {
        if !probe.is_legal(&here.state, action)? {
            return broken(format!("{action:?} is listed, but `is_legal` says that it is not legal"));
        }
    }
    if here.look.is_over() {
        return Ok(());
    }
    // The actions that were listed before and are not now, including the action that was played, are few.
    let Some((before, _)) = site.walk.before() else { return Ok(()) };
    let step = before.look.actions.len() / MANY + 1;
    for action in before.look.actions.iter().skip(site.rng.below(step)).step_by(step) {
        if !here.look.actions.contains(action) && probe.is_legal(&here.state, action)? {
            return broken(format!(
                "{action:?} is not listed any more, but `is_legal` says that it is legal"
            ));
        }
    }
    Ok(())
}
