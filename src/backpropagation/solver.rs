//! Proofs from finished games upwards. What the loop does with a proven node is `close_if_certain` in
//! `iteration/proofs.rs`: it closes the node, or gives it the mean of a loss.

use super::{Backprop, Decorated, Decorator, Proof, Step, StepChild};
use crate::game::{GameState, Player, Rewards, Turn};

/// MCTS-Solver for any number of players: proves nodes won, drawn or lost, and leaves the averages to `B`.
///
/// If a child is a win for the player to move, so is the node. If the results of all children are known, the
/// node has the result that is best for the player to move. At a chance node, a result is certain if all
/// outcomes have it. A proven root ends the search, and an iteration that reaches a proven node ends there
/// with the proven result.
///
/// Won and drawn children are not visited again while others are open: the tree policy would visit little
/// else. A refuted child, which loses, gets the mean of a loss, and the tree policy still visits it as rarely
/// as any bad child, except at the root. If it were skipped, an action with many refuted replies would look
/// worse than one whose bad replies are not refuted yet. Only tree policies that follow what an action is
/// worth elsewhere ([`Grave`](crate::selection::Grave), [`Rave`](crate::selection::Rave)) or give every child
/// a share ([`Shot`](crate::selection::Shot), [`Exp3`](crate::selection::Exp3)) skip it. A player with a
/// proven draw takes it in place of a child whose *mean* is worth less, and so do the averages above. `B`
/// determines what a draw is worth ([`Contempt`](super::Contempt)).
///
/// With more than two players, a player who loses in any case may still decide who wins. Then only the
/// players who lose in every case are known to lose.
///
/// **Use it** in games with sudden ends (Connect 4, Tic-Tac-Toe, Hex). It costs little elsewhere, so with
/// [`Average`](super::Average) it is the default of [`Mcts::new`](crate::Mcts::new) for a game. It finds
/// nothing where games end by counting; there [`ScoreBounds`](super::ScoreBounds) may.
///
/// **Parameters:** none. **Cost:** reading two bytes per step, and a pass over the siblings where something
/// was proven. **Stores** 2 bytes per child and what `B` stores. **Source:** Winands, Björnsson and Saito,
/// *Monte-Carlo Tree Search Solver*, 2008, without its limit of two players. For more players: Nijssen and
/// Winands, *Enhancements for Multi-Player Monte-Carlo Tree Search*, 2010, section 4.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::StopReason;
/// let mut search = Mcts::new(ramure_games::TicTacToe::new()).backprop(Solver::new(Average));
/// let report = search.run(Budget::iterations(200_000))?;
/// assert_eq!((report.stop_reason, report.proof), (StopReason::Proven, Some(0.5)));
/// # Ok::<(), SearchError>(())
/// ```
pub type Solver<B> = Decorated<Proofs, B>;

/// The decorator of a [`Solver`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Proofs;

impl<B> Solver<B> {
    /// Adds proofs to `inner`.
    pub const fn new(inner: B) -> Self {
        Decorated { decorator: Proofs, inner }
    }
}

impl<G: GameState> Decorator<G> for Proofs {
    type Stats = Proof;
    const PROVES: bool = true;
    const AVERAGES: bool = true;

    #[inline(always)]
    fn update<B: Backprop<G>>(
        &self,
        inner: &B,
        step: impl Step<G, (Proof, B::Stats)>,
        rewards: &mut Rewards,
    ) {
        prove(step, rewards, inner);
        inner.update(step.second(), rewards);
    }

    #[inline(always)]
    fn certain(&self, proof: Proof, player: Player) -> Option<f32> {
        proof.reward(player)
    }

    fn knows(&self, proof: Proof, _: u8) -> bool {
        !proof.is_unknown()
    }
}

/// The decorator of proofs that a program switches on or off at run time: with `ProofsIf(true)` the search is
/// that of a [`Solver`], and with `ProofsIf(false)` that of the backpropagation inside.
///
/// **Who needs it:** programs in which proofs are a setting, and which shall not compile a search loop twice
/// for it. **Stores** what a [`Solver`] stores, on or off.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::backpropagation::{Decorated, ProofsIf};
///
/// let solver = std::env::args().any(|argument| argument == "--solver");
/// let mut search = Mcts::new(ramure_games::TicTacToe::new()).backprop(Decorated::by(ProofsIf(solver), Average));
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ProofsIf(pub bool);

impl<G: GameState> Decorator<G> for ProofsIf {
    type Stats = Proof;
    const PROVES: bool = true;
    const AVERAGES: bool = true;

    #[inline(always)]
    fn update<B: Backprop<G>>(
        &self,
        inner: &B,
        step: impl Step<G, (Proof, B::Stats)>,
        rewards: &mut Rewards,
    ) {
        if self.0 {
            prove(step, rewards, inner);
        }
        inner.update(step.second(), rewards);
    }

    #[inline(always)]
    fn certain(&self, proof: Proof, player: Player) -> Option<f32> {
        proof.reward(player) // without proofs, `None` everywhere
    }

    fn knows(&self, proof: Proof, _: u8) -> bool {
        !proof.is_unknown()
    }
}

/// Updates the proof of a step. If the player to move has a proven draw, it replaces the rewards of children
/// whose means are less than the worth of the draw to that player, according to `inner`.
#[inline(always)]
fn prove<G: GameState, B: Backprop<G>>(
    step: impl Step<G, (Proof, B::Stats)>,
    rewards: &mut Rewards,
    inner: &B,
) {
    let (mut proof, inner_stats) = step.stats();
    let followed = step.followed();
    let nothing_known = |child: StepChild<(Proof, B::Stats)>| child.stats.0.is_unknown();
    if proof.is_unknown() && followed.is_some_and(nothing_known) {
        return;
    }
    // This node can learn something new only from the child on the path.
    if matches!(step.turn(), Turn::Over) {
        proof = proof.and(Proof::of_end(rewards));
        step.set_stats((proof, inner_stats));
    } else if followed.is_some_and(|child| child.stats.0.affects_parent()) {
        proof = learn(proof, step.turn(), rewards.players(), step.children().map(|(child, _)| child));
        step.set_stats((proof, inner_stats));
    }
    // The means decide, not the rewards of the iteration: to replace each reward below a draw would back up
    // E[max(X, 1/2)], which exceeds max(E[X], 1/2). The mean of one visit is that of its reward, so it
    // decides nothing.
    if proof.has_a_draw()
        && let Turn::Player(mover) = step.turn()
        && (proof.reward(mover).is_some()
            || followed.is_some_and(|child| {
                let draw = worth_of_a_draw::<G, B>(inner, child.stats.1, rewards.players(), mover);
                child.visits > 1 && child.mean < draw
            }))
    {
        *rewards = Rewards::new(rewards.players(), |_| 0.5);
    }
}

/// Returns what a draw is worth to `mover` in a child with these statistics. Rarely called, so it is kept out
/// of the loop. (It gets no step: to put one into memory for it costs the whole loop.)
#[inline(never)]
fn worth_of_a_draw<G: GameState, B: Backprop<G>>(
    inner: &B,
    stats: B::Stats,
    players: u8,
    mover: Player,
) -> f32 {
    inner.worth(stats, &Rewards::new(players, |_| 0.5), mover)
}

/// Updates the proof of a node from those of its children. Rarely called, so it is kept out of the loop.
#[inline(never)]
fn learn(known: Proof, turn: Turn, players: u8, children: impl Iterator<Item = Proof> + Clone) -> Proof {
    known.and(Proof::follows(turn, players, children))
}
