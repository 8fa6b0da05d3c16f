//! [`Program`]: a table, the settings of a search, and a sequence of calls. It prints as Rust.

use super::kinds::Kind;
use super::table::{Asked, Fault, How, Payoff, Recipe, Shape, Table};
use crate::selection::FirstPlay;
use crate::{Expansion, Order, Rng, RootDecision};

/// What a program does.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub kind: Kind,
    pub settings: Settings,
    /// The room in which the search begins.
    pub start: u16,
    pub table: Table,
    pub calls: Vec<Call>,
}

/// The policies, by numbers, and the settings of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    pub tree: u8,
    pub rollout: u8,
    pub backprop: u8,
    pub seed: u64,
    /// The leaves of a window.
    pub window: usize,
    /// Whether pending visits count as means, and not as losses.
    pub mean: bool,
    pub expansion: Option<Growth>,
    pub limit: Option<usize>,
}

/// When nodes get children.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Growth {
    pub on_visit: u32,
    pub depth: Option<u32>,
    pub listed: bool,
    pub widening: bool,
    pub first_play: Option<f32>,
}

/// How the action to play is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decides {
    Default,
    Robust,
    Max,
    Secure,
    Temperature,
    Within,
    MaxRobust,
}

/// A call of the search.
#[derive(Clone, PartialEq, Debug)]
pub enum Call {
    /// A run of so many iterations.
    Run(u64),
    /// A run that ends when the choice is clear.
    RunDecided(u64),
    /// A run of so many iterations, or until the tree has grown by so many bytes.
    RunBytes(u64, usize),
    /// A run with reports after so many iterations each; the report with this number asks to stop.
    RunObserved(u64, u64, Option<u32>),
    /// A run after a request to stop.
    RunStopped(u64),
    /// A run by time. Nothing is compared after it.
    RunTime,
    /// Plays the legal action with this number, modulo their count.
    Advance(u8),
    /// Plays the action that the report chooses.
    AdvanceBest,
    /// Plays an action that is not legal.
    AdvanceIllegal,
    /// Plays a legal action and gives the state that follows.
    AdvanceTo(u8),
    /// Begins anew in a room.
    Reset(u16),
    /// Begins anew in a room of the same game.
    ContinueAt(u16),
    /// Clones the search. From here on, both do the same.
    Fork,
    /// Clones the search and goes on with the clone alone.
    GoOnWithClone,
    /// Considers only the legal actions whose bit is set.
    Only(u16, u32),
    /// Considers only the others.
    Except(u16, u32),
    /// Considers all actions.
    Lift,
    Grow(Growth),
    Limit(usize),
    /// Limits the memory to what the tree takes.
    LimitHere,
    NoLimit,
    Decide(Decides),
    Seed(u64),
    Report,
    View,
    /// Saves the search and loads the file into a new one. From here on, both do the same. If true, by `resume`.
    Save(bool),
    /// Loads a file of another kind of search.
    LoadForeign,
    /// Loads a file with a wrong byte.
    LoadDamaged(u8),
    /// Gives the rooms before the root, one bit each.
    Earlier(u16),
    /// Asks so many questions.
    Ask(u8),
    /// Answers the open question with this number, modulo their count.
    Tell(u8),
    /// Answers so many questions, the oldest first.
    TellAll(u8),
    /// Answers a question that has an answer.
    TellAgain,
    /// Gives a wrong answer.
    TellWrong(u8),
    Finish,
    Plan(u64),
}

impl Default for Settings {
    fn default() -> Self {
        let (expansion, limit) = (None, None);
        Settings { tree: 0, rollout: 0, backprop: 0, seed: 0, window: 1, mean: false, expansion, limit }
    }
}

impl Settings {
    /// Returns an expression of Rust.
    fn rust(&self) -> String {
        let (text, usual) = (format!("{self:?}"), format!("{:?}", Settings::default()));
        if text == usual { "Settings::default()".into() } else { text }
    }
}

impl Growth {
    pub fn expansion(self) -> Expansion {
        let mut expansion = Expansion::default().on_visit(self.on_visit);
        if let Some(depth) = self.depth {
            expansion = expansion.depth(depth);
        }
        if self.listed {
            expansion = expansion.order(Order::AsListed);
        }
        if self.widening {
            expansion = expansion.widening(1.0, 0.5);
        }
        self.first_play.map_or(expansion, |value| expansion.first_play(FirstPlay::Value(value)))
    }
}

impl Decides {
    pub fn decision(self) -> Option<RootDecision> {
        match self {
            Decides::Default => None,
            Decides::Robust => Some(RootDecision::Robust),
            Decides::Max => Some(RootDecision::Max),
            Decides::Secure => Some(RootDecision::Secure(1.0)),
            Decides::Temperature => Some(RootDecision::Temperature(1.0)),
            Decides::Within => Some(RootDecision::Within(0.1)),
            Decides::MaxRobust => Some(RootDecision::MaxRobust(0.5)),
        }
    }
}

impl Kind {
    /// Whether positions are recognised.
    pub fn is_graph(self) -> bool {
        matches!(self, Kind::Graph | Kind::Mirror | Kind::GraphThreads)
    }

    /// Whether the actions own memory, and nodes keep states.
    pub fn owns(self) -> bool {
        use Kind::*;
        matches!(self, LinesOwned | Mirror | Guesses | Sampled | GraphThreads | Threads)
    }

    /// Whether players do not see everything.
    pub fn is_hidden(self) -> bool {
        matches!(self, Kind::Guesses | Kind::PlayerTrees)
    }

    /// Whether several threads are used.
    pub fn has_threads(self) -> bool {
        matches!(self, Kind::GraphThreads | Kind::Threads)
    }

    /// Whether it asks and tells.
    pub fn asks(self) -> bool {
        matches!(self, Kind::Asks | Kind::GraphThreads | Kind::Threads)
    }

    /// Whether there may be proofs.
    pub fn proves(self) -> bool {
        !matches!(self, Kind::Guesses | Kind::Open | Kind::Sampled | Kind::Planning | Kind::PlayerTrees)
    }

    /// Whether a node stands for one state whose actions are listed.
    pub fn is_exact(self) -> bool {
        self.proves()
    }

    /// Whether first-play urgency has an effect, and widening is possible.
    fn widens(self) -> bool {
        !matches!(self, Kind::Guesses | Kind::Open | Kind::PlayerTrees)
    }
}

/// How a random program is made.
struct Maker {
    rng: Rng,
    kind: Kind,
}

impl Program {
    /// Makes a random program of a kind.
    pub fn random(seed: u64, kind: Kind) -> Self {
        let mut maker = Maker { rng: Rng::seeded(seed), kind };
        let recipe = maker.recipe();
        let mut table = recipe.make();
        if maker.one_in(6) {
            table.faults = maker.faults();
        }
        let mut settings = maker.settings();
        let rooms = table.rooms.len();
        let start = match kind {
            // After the deal.
            _ if kind.is_hidden() && maker.below(6) > 0 => {
                table.rooms[0].doors[maker.below(table.rooms[0].doors.len())].to
            }
            _ if maker.one_in(8) => maker.below(rooms) as u16,
            _ => 0,
        };
        let most = if maker.one_in(3) { 36 } else { 8 };
        let count = 5 + maker.below(most);
        if recipe.shape == Shape::Ring && settings.rollout % 6 == 4 {
            settings.rollout = 3; // a good reply may go round for ever
        }
        let mut program = Program { kind, settings, start, table, calls: Vec::new() };
        for _ in 0..count {
            let mut call = maker.call(rooms, &program);
            if !program.table.faults.is_empty()
                && matches!(call, Call::Only(..) | Call::Except(..) | Call::Lift)
            {
                call = Call::Report; // if it panics, the old restriction may hold or the new one
            }
            program.calls.push(call);
        }
        program
    }

    /// Makes a random program of a few calls and iterations.
    pub fn small(seed: u64, kind: Kind) -> Self {
        let mut program = Program::random(seed, kind);
        program.calls.truncate(6);
        // Miri does not know the machine instructions of some policies.
        (program.settings.tree, program.settings.backprop) =
            (if matches!(kind, Kind::LinesOwned | Kind::Guesses) { 5 } else { 0 }, 0);
        for call in &mut program.calls {
            if let Call::Run(n)
            | Call::RunDecided(n)
            | Call::RunBytes(n, _)
            | Call::RunStopped(n)
            | Call::RunObserved(n, _, _) = call
            {
                *n = (*n).min(8);
            }
        }
        program
    }

    /// Returns whether the memory is short, or something that owns memory panics.
    pub fn is_demanding(&self) -> bool {
        use Asked::*;
        let panics = |fault: &Fault| {
            fault.how == How::Panic
                && matches!(fault.on, CloneState | CloneAction | CompareActions | DropAction)
        };
        self.settings.limit.is_some() || self.table.faults.iter().any(panics)
    }

    /// Returns the test that repeats this program, as Rust.
    pub fn rust(&self, name: &str) -> String {
        let Program { kind, settings, start, table, calls } = self;
        let calls = Vec::from_iter(calls.iter().map(|call| format!("Call::{call:?}"))).join(", ");
        let (table, settings) = (table.rust(), settings.rust());
        format!(
            "#[test]\nfn {name}() {{\n    let kind = Kind::{kind:?};\n    let settings = {settings};\n    let table = {table};\n    \
             let calls = vec![{calls}];\n    Program {{ kind, settings, start: {start}, table, calls }}.check();\n}}\n"
        )
    }
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.rng.below(n) == 0
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.rng.below(items.len())]
    }

    fn recipe(&mut self) -> Recipe {
        let kind = self.kind;
        let players = if kind == Kind::Planning { 1 } else { self.of(&[2, 2, 2, 2, 1, 3, 4]) };
        let shape = if kind.is_graph() {
            self.of(&[Shape::Dag, Shape::Ring, Shape::Ring])
        } else {
            self.of(&[Shape::Tree, Shape::Tree, Shape::Dag, Shape::Ring])
        };
        Recipe {
            seed: self.rng.bits(),
            players,
            rooms: self.of(&[3, 5, 8, 12, 20, 40]),
            width: self.of(&[1, 2, 2, 3, 3, 4, 8, 13]),
            shape,
            payoff: self.of(&[
                Payoff::Wins,
                Payoff::Wins,
                Payoff::Draws,
                Payoff::Draws,
                Payoff::Shares,
                Payoff::Any,
                Payoff::Even,
            ]),
            chance: self.one_in(3),
            mirrored: kind == Kind::Mirror && !self.one_in(3),
            hidden: kind.is_hidden() || self.one_in(12),
            simultaneous: kind == Kind::PlayerTrees && self.one_in(2),
        }
    }

    fn faults(&mut self) -> Vec<Fault> {
        use Asked::*;
        let owned = [CloneAction, CompareActions, DropAction];
        let usual = [Turn, Actions, Apply, Reward, Probability, Key, Guess, Evaluation, CloneState];
        let on = if self.kind.owns() && self.one_in(3) { self.of(&owned) } else { self.of(&usual) };
        let how = match on {
            CloneAction | CompareActions | DropAction | CloneState => How::Panic,
            _ => {
                let lie = self.below(4) as u8;
                let fails = on != Turn;
                self.of(&[How::Panic, How::Lie(lie), if fails { How::Fail } else { How::Panic }])
            }
        };
        // From the first call on, or in the middle of a search.
        let at = 1 + if self.one_in(4) { 0 } else { self.below(200) as u64 };
        let every = self.of(&[0, 0, 1, 7, 50]);
        vec![Fault { on, at, every, how }]
    }

    fn growth(&mut self) -> Growth {
        let kind = self.kind;
        Growth {
            on_visit: self.of(&[1, 1, 2, 2, 3, 5]),
            depth: self.one_in(4).then_some(1 + self.rng.below(3) as u32),
            listed: self.one_in(3),
            widening: kind.widens() && self.one_in(5),
            first_play: (kind.widens() && self.one_in(5)).then_some(0.5),
        }
    }

    fn settings(&mut self) -> Settings {
        Settings {
            tree: self.below(42) as u8,
            rollout: self.below(12) as u8,
            backprop: self.below(16) as u8,
            seed: self.rng.bits(),
            window: self.of(&[1, 2, 3, 8, 20]),
            mean: self.one_in(2),
            expansion: self.one_in(2).then_some(()).map(|()| self.growth()),
            limit: self.one_in(6).then_some(()).map(|()| self.limit()),
        }
    }

    fn limit(&mut self) -> usize {
        self.of(&[2_000, 4_000, 8_000, 20_000, 60_000])
    }

    fn iterations(&mut self) -> u64 {
        self.of(&[1, 2, 3, 5, 10, 10, 20, 20, 40, 60, 100])
    }

    fn call(&mut self, rooms: usize, program: &Program) -> Call {
        let room = self.below(rooms) as u16;
        let bits = self.rng.bits() as u16;
        let number = self.below(8) as u8;
        let n = self.iterations();
        let plans = program.settings.plans_ahead(self.kind);
        if self.kind.asks() && self.one_in(2) {
            return match self.below(16) {
                0..5 => Call::Ask(1 + number),
                5..8 => Call::Tell(number),
                8..10 => Call::TellAll(1 + number),
                10 => Call::TellAgain,
                11 => Call::TellWrong(number),
                12..14 => Call::Finish,
                _ => Call::Plan(n),
            };
        }
        match self.below(56) {
            0..16 => Call::Run(n),
            16 if !plans => Call::RunDecided(n),
            17 => Call::RunBytes(n, self.of(&[100, 1_000, 5_000])),
            18..20 => Call::RunObserved(n, self.of(&[1, 3, 10]), self.one_in(2).then_some(u32::from(number))),
            20 => Call::RunStopped(n),
            21 if self.one_in(20) && !plans => Call::RunTime,
            22..26 => Call::Advance(number),
            26 => Call::AdvanceBest,
            27 => Call::AdvanceIllegal,
            28 => Call::AdvanceTo(number),
            29 => Call::Reset(room),
            30 => Call::ContinueAt(room),
            31..33 => Call::Fork,
            33 => Call::GoOnWithClone,
            34..36 => Call::Only(bits, self.of(&[0, 0, 3, 20])),
            36..38 => Call::Except(bits, self.of(&[0, 0, 3, 20])),
            38..40 => Call::Lift,
            40..42 => Call::Grow(self.growth()),
            42 => Call::Limit(self.limit()),
            43 => Call::LimitHere,
            44 => Call::NoLimit,
            45 => Call::Decide(self.of(&[
                Decides::Default,
                Decides::Robust,
                Decides::Max,
                Decides::Secure,
                Decides::Temperature,
                Decides::Within,
                Decides::MaxRobust,
            ])),
            46 => Call::Seed(n),
            47..49 => Call::Report,
            49 => Call::View,
            50..52 => Call::Save(self.one_in(2)),
            52 => Call::LoadForeign,
            53 => Call::LoadDamaged(number),
            54 => Call::Earlier(bits),
            _ => Call::Run(n),
        }
    }
}
