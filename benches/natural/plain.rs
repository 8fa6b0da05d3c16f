//! A search as one writes it in an afternoon: states and untried actions in the nodes, a list of nodes, UCB1.

use ramure::prelude::*;

struct Node<G: GameState> {
    state: G,
    /// The player to move; none at the end.
    player: Option<Player>,
    untried: Vec<G::Action>,
    children: Vec<(G::Action, usize)>,
    visits: f64,
    /// The sum of the rewards of the player who chose the action that leads here.
    reward: f64,
}

pub struct Plain<G: GameState> {
    nodes: Vec<Node<G>>,
    rng: Rng,
    c: f64,
    path: Vec<usize>,
}

fn player<G: GameState>(state: &G) -> Option<Player> {
    match state.turn() {
        Turn::Player(player) => Some(player),
        Turn::Over => None,
        _ => unreachable!("these games have no chance"),
    }
}

/// Plays to the end.
pub fn play_out<G: GameState>(state: &mut G, rng: &mut Rng) {
    while player(state).is_some() {
        let mut actions: Vec<_> = state.actions().into_iter().collect();
        let drawn = rng.below(actions.len());
        state.apply(actions.swap_remove(drawn));
    }
}

impl<G: GameState> Plain<G> {
    pub fn new(state: G, c: f64, seed: u64) -> Self {
        let mut plain = Plain { nodes: Vec::new(), rng: Rng::seeded(seed), c, path: Vec::new() };
        plain.add(state);
        plain
    }

    fn add(&mut self, state: G) -> usize {
        let player = player(&state);
        let untried = if player.is_some() { state.actions().into_iter().collect() } else { Vec::new() };
        self.nodes.push(Node { state, player, untried, children: Vec::new(), visits: 0.0, reward: 0.0 });
        self.nodes.len() - 1
    }

    fn best_child(&self, node: usize) -> usize {
        let parent = &self.nodes[node];
        #[expect(clippy::disallowed_methods, reason = "a newcomer would")]
        let ln = parent.visits.ln();
        let score = |child: usize| {
            let child = &self.nodes[child];
            child.reward / child.visits + self.c * (ln / child.visits).sqrt()
        };
        let better = |a: &f64, b: &f64| a.partial_cmp(b).unwrap();
        parent
            .children
            .iter()
            .map(|(_, child)| (score(*child), *child))
            .max_by(|a, b| better(&a.0, &b.0))
            .unwrap()
            .1
    }

    /// Returns the node from which this iteration plays.
    pub fn leaf(&mut self) -> usize {
        self.path.clear();
        self.path.push(0);
        let mut node = 0;
        while self.nodes[node].untried.is_empty() && !self.nodes[node].children.is_empty() {
            node = self.best_child(node);
            self.path.push(node);
        }
        if !self.nodes[node].untried.is_empty() {
            let drawn = self.rng.below(self.nodes[node].untried.len());
            let action = self.nodes[node].untried.swap_remove(drawn);
            let mut state = self.nodes[node].state.clone();
            state.apply(action.clone());
            let child = self.add(state);
            self.nodes[node].children.push((action, child));
            self.path.push(child);
            node = child;
        }
        node
    }

    pub fn iterate(&mut self) -> usize {
        let leaf = self.leaf();
        let mut state = self.nodes[leaf].state.clone();
        play_out(&mut state, &mut self.rng);
        let mut chooser = 0;
        for &node in &self.path {
            self.nodes[node].visits += 1.0;
            self.nodes[node].reward += state.reward(chooser);
            chooser = self.nodes[node].player.unwrap_or(0);
        }
        leaf
    }

    pub fn state(&self, node: usize) -> &G {
        &self.nodes[node].state
    }

    pub fn best_action(&self) -> G::Action {
        let children = &self.nodes[0].children;
        children.iter().max_by_key(|(_, child)| self.nodes[*child].visits as u64).unwrap().0.clone()
    }
}
