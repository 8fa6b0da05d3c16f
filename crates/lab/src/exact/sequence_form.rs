//! The sequence form of a game.

use super::error::ExactError;
use super::observations::Observations;
use ramure::{GameFault, GameState, HiddenInformation, MAX_PLAYERS, Player, Turn};

/// A whole game, as what each player can observe and do.
///
/// A *sequence* of a player is what it has done so far: an information set and an action there, after the
/// sequence before. The end of a line of play is given by the last sequence of each player, the probability
/// of chance and the rewards.
///
/// **Cost:** time and memory are proportional to the number of positions of the game.
///
/// **Source:** Koller, Megiddo and von Stengel, *Fast algorithms for finding randomized strategies in game
/// trees*, 1994.
///
/// ```
/// use ramure_lab::exact::SequenceForm;
/// use ramure_lab::games::Kuhn;
///
/// let kuhn = SequenceForm::of(&Kuhn::new())?;
/// assert_eq!(kuhn.ends(), 30);
/// assert_eq!(kuhn.information_sets(0).len() + kuhn.information_sets(1).len(), 12);
/// # Ok::<(), ramure_lab::exact::ExactError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SequenceForm<A> {
    pub(super) players: Vec<PlayerSets<A>>,
    /// The probabilities of chance of all ends.
    pub(super) chances: Vec<f64>,
    /// For each end, the last sequence of each player.
    pub(super) last: Vec<u32>,
    /// For each end, the reward of each player.
    pub(super) rewards: Vec<f64>,
    positions: usize,
}

/// The information sets of a player. Each comes after those in which the player acted before.
#[derive(Clone, Debug)]
pub(super) struct PlayerSets<A> {
    pub sets: Vec<InformationSetOf<A>>,
    /// The number of sequences. Sequence 0 is empty.
    pub sequences: usize,
}

/// An information set: all positions in which a player has observed the same.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct InformationSetOf<A> {
    /// The observations of the player: its own actions, and what it saw of others.
    pub seen: Vec<A>,
    /// The legal actions, in the order of the game.
    pub actions: Vec<A>,
    /// The sequence of the player that leads here.
    pub(super) parent: u32,
    /// The sequence of the first action; those of the others follow.
    pub(super) first: u32,
}

impl<A> InformationSetOf<A> {
    /// The sequences of the actions.
    pub(super) fn sequences(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.actions.len()
    }
}

/// The default limit of positions.
const MOST_POSITIONS: usize = 20_000_000;

/// A position that is still to be visited.
#[derive(Clone)]
struct Open<G: GameState> {
    state: G,
    chance: f64,
    ply: usize,
    /// For each player, the last sequence.
    last: [u32; MAX_PLAYERS],
    /// For each player, what it has observed.
    seen: [u32; MAX_PLAYERS],
    /// The player who chose last in the current step.
    chose: Option<Player>,
    /// The choices of the current step that an observer will see when it ends.
    unseen: Vec<(Player, G::Action)>,
}

impl<G: GameState> Open<G> {
    fn fault(&self, fault: GameFault) -> ExactError {
        ExactError::Game { fault, ply: self.ply }
    }
}

impl<A: Clone + Eq> SequenceForm<A> {
    /// Goes through all lines of play that start with `state`, up to 20 million positions.
    ///
    /// # Errors
    ///
    /// Returns [`ExactError::TooLarge`] if there are more positions, [`ExactError::Game`] if the game breaks
    /// its contract, and [`ExactError::Recall`] if a player has to act in the same way in positions with
    /// different actions.
    pub fn of<G: HiddenInformation<Action = A>>(state: &G) -> Result<Self, ExactError> {
        SequenceForm::with_limit(state, MOST_POSITIONS)
    }

    /// Goes through all lines of play that start with `state`, up to this number of positions.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`of`](Self::of).
    pub fn with_limit<G: HiddenInformation<Action = A>>(
        state: &G,
        positions: usize,
    ) -> Result<Self, ExactError> {
        let players = state.players();
        if players == 0 || usize::from(players) > MAX_PLAYERS {
            return Err(ExactError::Game { fault: GameFault::Players { players }, ply: 0 });
        }
        Traversal::new(usize::from(players), positions).run(state)
    }

    /// Returns the number of players.
    pub fn players(&self) -> u8 {
        self.players.len() as u8
    }

    /// Returns the number of lines of play to the end of the game.
    pub fn ends(&self) -> usize {
        self.chances.len()
    }

    /// Returns the number of positions, counted once for each line of play that leads to them.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Returns the information sets of `player`, in the order in which they were found; none for a player who
    /// does not exist.
    pub fn information_sets(&self, player: Player) -> &[InformationSetOf<A>] {
        self.players.get(usize::from(player)).map_or(&[], |sets| &sets.sets)
    }

    /// The ends: the probability of chance, the last sequence of each player, the rewards.
    pub(super) fn each_end(&self) -> impl Iterator<Item = (f64, &[u32], &[f64])> {
        let players = self.players.len();
        let lasts = self.last.chunks_exact(players).zip(self.rewards.chunks_exact(players));
        self.chances.iter().zip(lasts).map(|(&chance, (last, rewards))| (chance, last, rewards))
    }
}

/// A traversal of a game.
struct Traversal<A> {
    form: SequenceForm<A>,
    observations: Vec<Observations<A>>,
    /// For each player, the information set of each sequence of observations.
    set_of: Vec<Vec<Option<u32>>>,
    limit: usize,
}

impl<A: Clone + Eq> Traversal<A> {
    fn new(players: usize, limit: usize) -> Self {
        let sets = || PlayerSets { sets: Vec::new(), sequences: 1 };
        Traversal {
            form: SequenceForm {
                players: (0..players).map(|_| sets()).collect(),
                chances: Vec::new(),
                last: Vec::new(),
                rewards: Vec::new(),
                positions: 0,
            },
            observations: (0..players).map(|_| Observations::new()).collect(),
            set_of: vec![Vec::new(); players],
            limit,
        }
    }

    fn run<G: HiddenInformation<Action = A>>(mut self, state: &G) -> Result<SequenceForm<A>, ExactError> {
        let mut open = vec![Open {
            state: state.clone(),
            chance: 1.0,
            ply: 0,
            last: [0; MAX_PLAYERS],
            seen: [0; MAX_PLAYERS],
            chose: None,
            unseen: Vec::new(),
        }];
        while let Some(here) = open.pop() {
            if self.form.positions == self.limit {
                return Err(ExactError::TooLarge { positions: self.limit });
            }
            self.form.positions += 1;
            let first = open.len();
            self.visit(here, &mut open)?;
            open[first..].reverse(); // so that lines are visited in the order of the game
        }
        Ok(self.form)
    }

    fn visit<G: HiddenInformation<Action = A>>(
        &mut self,
        mut here: Open<G>,
        open: &mut Vec<Open<G>>,
    ) -> Result<(), ExactError> {
        let turn = here.state.turn();
        let is_simultaneous = here.state.is_simultaneous();
        let goes_on = matches!(turn, Turn::Player(player) if is_simultaneous && here.chose.is_none_or(|last| player > last));
        if !goes_on {
            for (observer, action) in std::mem::take(&mut here.unseen) {
                self.observes(&mut here.seen, observer, action);
            }
            here.chose = None;
        }
        match turn {
            Turn::Over => self.end(&here),
            Turn::Chance => self.chance(&here, open),
            Turn::Player(player) => self.decision(&here, player, is_simultaneous, open),
        }
    }

    fn observes(&mut self, seen: &mut [u32; MAX_PLAYERS], observer: Player, action: A) {
        let observer = usize::from(observer);
        seen[observer] = self.observations[observer].after(seen[observer], action);
    }

    fn end<G: GameState<Action = A>>(&mut self, here: &Open<G>) -> Result<(), ExactError> {
        let players = self.form.players.len();
        for player in 0..players as Player {
            let reward = here.state.reward(player);
            if !(0.0..=1.0).contains(&reward) {
                return Err(here.fault(GameFault::Reward { player, reward }));
            }
            self.form.rewards.push(reward);
        }
        self.form.last.extend(&here.last[..players]);
        self.form.chances.push(here.chance);
        Ok(())
    }

    fn chance<G: HiddenInformation<Action = A>>(
        &mut self,
        here: &Open<G>,
        open: &mut Vec<Open<G>>,
    ) -> Result<(), ExactError> {
        let mut sum = 0.0;
        for (index, outcome) in here.state.actions().into_iter().enumerate() {
            let probability = here.state.probability(outcome.clone());
            if !(0.0..=1.0 + 1e-6).contains(&probability) {
                return Err(here.fault(GameFault::Probability { index, probability }));
            }
            sum += probability;
            if probability == 0.0 {
                continue;
            }
            let mut next = Open { chance: here.chance * probability, ..here.clone() };
            for observer in 0..self.form.players() {
                if let Some(seen) = here.state.observe(outcome.clone(), observer) {
                    self.observes(&mut next.seen, observer, seen);
                }
            }
            next.state.apply(outcome);
            next.ply += 1;
            open.push(next);
        }
        if (sum - 1.0).abs() > 1e-6 {
            return Err(here.fault(GameFault::ProbabilitySum { sum }));
        }
        Ok(())
    }

    fn decision<G: HiddenInformation<Action = A>>(
        &mut self,
        here: &Open<G>,
        player: Player,
        is_simultaneous: bool,
        open: &mut Vec<Open<G>>,
    ) -> Result<(), ExactError> {
        let players = self.form.players();
        if player >= players {
            return Err(here.fault(GameFault::UnknownPlayer { player, players }));
        }
        let actions = Vec::from_iter(here.state.actions());
        if actions.is_empty() {
            return Err(here.fault(GameFault::NoActions));
        }
        let first = self.meet(player, here, &actions)?;
        for (index, action) in actions.iter().enumerate() {
            let mut next = here.clone();
            next.last[usize::from(player)] = first + index as u32;
            self.observes(&mut next.seen, player, action.clone());
            for observer in (0..players).filter(|&observer| observer != player) {
                match here.state.observe(action.clone(), observer) {
                    None => {}
                    Some(seen) if is_simultaneous => next.unseen.push((observer, seen)),
                    Some(seen) => self.observes(&mut next.seen, observer, seen),
                }
            }
            next.chose = is_simultaneous.then_some(player);
            next.state.apply(action.clone());
            next.ply += 1;
            open.push(next);
        }
        Ok(())
    }

    /// Finds or adds the information set, and returns the sequence of its first action.
    fn meet<G: GameState<Action = A>>(
        &mut self,
        player: Player,
        here: &Open<G>,
        actions: &[A],
    ) -> Result<u32, ExactError> {
        let place = usize::from(player);
        let (seen, parent) = (here.seen[place], here.last[place]);
        let set_of = &mut self.set_of[place];
        if set_of.len() <= seen as usize {
            set_of.resize(seen as usize + 1, None);
        }
        let PlayerSets { sets, sequences } = &mut self.form.players[place];
        if let Some(set) = set_of[seen as usize] {
            let set = &sets[set as usize];
            let is_same = set.actions == actions && set.parent == parent;
            return if is_same { Ok(set.first) } else { Err(ExactError::Recall { player, ply: here.ply }) };
        }
        set_of[seen as usize] = Some(sets.len() as u32);
        let first = *sequences as u32;
        *sequences += actions.len();
        let seen = self.observations[place].all(seen);
        sets.push(InformationSetOf { seen, actions: actions.to_vec(), parent, first });
        Ok(first)
    }
}
