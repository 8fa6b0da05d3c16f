//! Programs that failed.

use super::kinds::Kind;
use super::program::{Call, Growth, Program, Settings};
use super::table::{Asked, Door, Fault, How, Room, Table};

/// The drop of an action panicked after the tree had moved, and the root state stayed.
#[test]
fn the_root_and_the_tree_move_together_if_a_drop_panics() {
    let kind = Kind::LinesOwned;
    let settings = Settings::default();
    let ends = |count| (0..count).map(|_| Room::end(vec![0.5, 0.5]));
    let doors = |from: u16| (0..4).map(|action| Door::new(action, from + u16::from(action))).collect();
    let mut rooms = vec![Room::new(0, vec![Door::new(1, 1), Door::new(2, 3)], vec![0.5, 0.5])];
    rooms.push(Room::new(1, vec![Door::new(12, 2)], vec![0.5, 0.5]));
    rooms.push(Room::new(0, doors(4), vec![0.5, 0.5]));
    rooms.push(Room::new(1, doors(4), vec![0.5, 0.5]));
    rooms.extend(ends(4));
    for at in (1..400).step_by(if cfg!(miri) { 157 } else { 1 }) {
        let faults = vec![Fault { on: Asked::DropAction, at, every: 0, how: How::Panic }];
        let table = Table { faults, ..Table::new(2, rooms.clone()) };
        let calls = vec![Call::Run(8), Call::Advance(0), Call::Run(3), Call::Advance(0), Call::Run(3)];
        Program { kind, settings, start: 0, table, calls }.check();
    }
}

/// A guess of another player's state may allow none of the actions that are permitted at the root.
#[test]
fn a_guess_without_a_permitted_action_is_no_lack_of_memory() {
    let kind = Kind::Guesses;
    let room = |seen: [u16; 2], room: Room| Room { seen: seen.to_vec(), ..room };
    let rooms = vec![
        room([0, 0], Room::new(None, vec![Door::new(0, 1), Door::new(1, 2)], vec![0.5, 0.5])),
        room([1, 1], Room::new(0, vec![Door::new(3, 3)], vec![0.5, 0.5])),
        room([1, 2], Room::new(0, vec![Door::new(3, 4)], vec![0.5, 0.5])),
        room([2, 3], Room::new(1, vec![Door::new(1, 5), Door::new(2, 6)], vec![0.5, 0.5])),
        room([2, 4], Room::new(1, vec![Door::new(1, 7)], vec![0.5, 0.5])),
        room([3, 5], Room::end(vec![1.0, 0.0])),
        room([4, 6], Room::end(vec![0.0, 1.0])),
        room([3, 7], Room::end(vec![0.5, 0.5])),
    ];
    // Player 0 sees no difference between rooms 3 and 4, and considers only action 2, which room 4 does not have.
    for seed in 0..8 {
        let (settings, table) = (Settings { seed, ..Settings::default() }, Table::new(2, rooms.clone()));
        let calls = vec![Call::Advance(0), Call::Only(2, 0), Call::Run(1), Call::Run(20)];
        Program { kind, settings, start: 1, table, calls }.check();
    }
}

/// The observer chooses at the same time as the player to move, who acts by what it knows: the report is about the observer.
#[test]
fn restrictions_are_about_the_player_whom_the_report_is_about() {
    let kind = Kind::PlayerTrees;
    let room = |seen: [u16; 2], room: Room| Room { seen: seen.to_vec(), ..room };
    let at_once = |seen: [u16; 2], mover: u8, doors: Vec<Door>| Room {
        simultaneous: true,
        ..room(seen, Room::new(mover, doors, vec![0.5, 0.5]))
    };
    let rooms = vec![
        room([0, 0], Room::new(1, vec![Door::new(5, 1)], vec![0.5, 0.5])),
        at_once([1, 1], 0, vec![Door::new(3, 2), Door::new(4, 2)]),
        at_once([2, 2], 1, vec![Door::new(1, 3), Door::new(2, 4)]),
        room([3, 3], Room::end(vec![1.0, 0.0])),
        room([4, 4], Room::end(vec![0.0, 1.0])),
    ];
    let (settings, table) = (Settings::default(), Table { tells: true, ..Table::new(2, rooms) });
    let calls = vec![Call::Advance(0), Call::Only(1, 0), Call::Run(8), Call::Except(1, 3), Call::Run(20)];
    Program { kind, settings, start: 0, table, calls }.check();
}

/// After drops of actions that panic in a run, a search had no tree left.
#[test]
fn a_search_on_threads_keeps_its_tree_if_drops_panic() {
    let door = |action, weight, gain, to| Door { weight, gain, ..Door::new(action, to) };
    let mut rooms = vec![
        Room::new(2, vec![door(8, 2, 0.0, 2)], vec![0.0, 1.0, 0.0]),
        Room::end(vec![1.0, 0.0, 0.0]),
        Room::new(0, vec![door(9, 1, -4.0, 3), door(1, 4, 3.0, 3)], vec![1.0, 0.0, 0.0]),
        Room::new(0, vec![door(9, 4, 3.0, 4), door(6, 3, 3.0, 4)], vec![0.0, 0.0, 1.0]),
    ];
    rooms.push(Room::end(vec![0.0, 1.0, 0.0]));
    for kind in [Kind::GraphThreads, Kind::Threads] {
        for at in (1..200).step_by(if cfg!(miri) { 97 } else { 1 }) {
            let faults = vec![Fault { on: Asked::DropAction, at, every: 1, how: How::Panic }];
            let (settings, table) = (Settings::default(), Table { faults, ..Table::new(3, rooms.clone()) });
            Program { kind, settings, start: 0, table, calls: vec![Call::Run(7)] }.check();
        }
    }
}

/// A clone of a state panicked after some trees had moved.
#[test]
fn all_player_trees_move_to_a_new_state_or_none_does() {
    let kind = Kind::PlayerTrees;
    let room = |seen: u16, room: Room| Room { seen: vec![seen; 2], ..room };
    let doors = |to: u16| vec![Door::new(1, to), Door::new(2, to + 1)];
    let mut rooms = vec![
        room(0, Room::new(0, doors(2), vec![0.5, 0.5])),
        room(1, Room::new(None, doors(2), vec![0.5, 0.5])),
    ];
    rooms.extend([room(2, Room::end(vec![1.0, 0.0])), room(3, Room::end(vec![0.0, 1.0]))]);
    for at in (1..120).step_by(if cfg!(miri) { 61 } else { 1 }) {
        let faults = vec![Fault { on: Asked::CloneState, at, every: 0, how: How::Panic }];
        let (settings, table) = (Settings::default(), Table { faults, ..Table::new(2, rooms.clone()) });
        let calls = vec![Call::Run(4), Call::Reset(1), Call::Report, Call::Reset(0), Call::Run(2)];
        Program { kind, settings, start: 0, table, calls }.check();
    }
}

/// At the memory limit, a restriction moves children of a root that lacks others. Such a search could not be loaded.
#[test]
fn a_restricted_search_at_the_memory_limit_is_loaded() {
    let doors = (1..=5).map(|number| Door::new(number + 5, u16::from(number))).collect();
    let mut rooms = vec![Room::new(0, doors, vec![0.5])];
    rooms.extend((0..5).map(|_| Room::end(vec![0.5])));
    for listed in [false, true] {
        let growth = Growth { on_visit: 1, depth: None, listed, widening: false, first_play: None };
        let settings = Settings { expansion: Some(growth), ..Settings::default() };
        for limit in [1_500, 2_000, 2_500, 3_000] {
            for bits in 1..32 {
                let calls = vec![
                    Call::Limit(limit),
                    Call::Only(bits, 0),
                    Call::Run(1),
                    Call::Run(1),
                    Call::Save(false),
                    Call::Limit(20_000),
                    Call::Run(9),
                ];
                let table = Table::new(1, rooms.clone());
                Program { kind: Kind::Lines, settings, start: 0, table, calls }.check();
            }
        }
    }
}

/// The state of a node that got another child left room for the child, and came back: the limit was exceeded.
#[test]
fn a_kept_state_and_new_children_are_within_the_limit_together() {
    let door = |action, weight, to| Door { weight, ..Door::new(action, to) };
    let mut rooms = vec![
        Room::new(1, vec![door(5, 2, 1), door(3, 1, 2), Door::new(11, 3)], vec![0.0, 1.0]),
        Room::new(1, vec![door(7, 3, 4), door(3, 3, 5)], vec![1.0, 0.0]),
        Room::new(1, vec![door(1, 3, 6)], vec![1.0, 0.0]),
        Room::end(vec![1.0, 0.0]),
        Room::new(
            None,
            vec![door(5, 1, 7), door(9, 4, 8), door(11, 2, 9), door(8, 4, 10), door(0, 2, 11)],
            vec![0.0, 1.0],
        ),
        Room::new(0, (12..18).map(|to| Door::new(to as u8, to)).collect(), vec![0.0, 1.0]),
    ];
    rooms.extend((6..18).map(|number| Room::end(vec![f64::from(number % 2), f64::from(1 - number % 2)])));
    let settings = Settings { tree: 1, ..Settings::default() };
    for limit in (4_000..12_000).step_by(40) {
        let calls =
            vec![Call::Limit(2_000), Call::Run(1), Call::Advance(0), Call::Limit(limit), Call::Run(15)];
        let table = Table::new(2, rooms.clone());
        Program { kind: Kind::Sampled, settings, start: 0, table, calls }.check();
    }
}

/// A policy that plans ahead without needing a number of iterations, as one that is chosen at run time, kept the plan for
/// the old tree.
#[test]
fn a_plan_ends_when_the_scale_of_the_returns_widens() {
    let kind = Kind::Planning;
    let settings = Settings { tree: 13, seed: 12821397732260687513, ..Settings::default() };
    let door = |action, to, weight, gain| Door { weight, gain, ..Door::new(action, to) };
    let rooms = vec![
        Room::new(0, vec![door(6, 1, 1, -3.0), door(9, 2, 4, 2.0), door(11, 3, 4, -2.0)], vec![1.0]),
        Room::end(vec![1.0]),
        Room::new(0, vec![door(4, 4, 1, -1.0)], vec![0.0]),
        Room::new(0, vec![door(13, 5, 4, -3.0), door(1, 6, 1, 3.0), door(2, 7, 3, 2.0)], vec![0.0]),
        Room::end(vec![0.0]),
        Room::end(vec![0.0]),
        Room::end(vec![1.0]),
        Room::end(vec![1.0]),
    ];
    for seed in 0..20 {
        let settings = Settings { seed: settings.seed + seed, ..settings };
        let calls = vec![Call::Only(26534, 0), Call::Run(10)];
        Program { kind, settings, start: 0, table: Table::new(1, rooms.clone()), calls }.check();
    }
}

/// An outcome that never happens is no child of a search that proves, and its file lacked it.
#[test]
fn a_search_is_saved_where_an_outcome_never_happens() {
    let never = Door { weight: 0, ..Door::new(2, 2) };
    let rooms = vec![
        Room::new(0, vec![Door::new(0, 1)], vec![0.5, 0.5]),
        Room::new(None, vec![Door::new(1, 2), never], vec![0.5, 0.5]),
        Room::new(1, vec![Door::new(3, 3), Door::new(4, 4)], vec![0.5, 0.5]),
        Room::end(vec![0.75, 0.25]),
        Room::end(vec![0.25, 0.75]),
    ];
    for kind in [Kind::Lines, Kind::Graph, Kind::Asks] {
        let (settings, table) = (Settings { seed: 1, ..Settings::default() }, Table::new(2, rooms.clone()));
        let calls = vec![Call::Run(20), Call::Save(true), Call::Run(20)];
        Program { kind, settings, start: 0, table, calls }.check();
    }
}
