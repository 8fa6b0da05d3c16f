//! Proofs from finished games upwards.

use super::{Backprop, Step, second};
use crate::game::{GameFault, GameState, Player, Rewards, Turn};
use crate::parameter::ParameterError;

/// MCTS-Solver for any number of players: proves nodes won, drawn or lost, and leaves the averages to `B`.
///
/// A node where the player to move has a child that he wins is won for him; where all his children are known he takes
/// the best; below chance a result is certain if all outcomes have it. Proven children are not searched again, proven
/// draws neither; but a player who has a drawn child in hand takes the draw rather than a reward below it, and so do the
/// averages above him. A proven root ends the search.
///
/// With more than two players a player who loses whatever he does may yet decide who wins; then only those who lose in
/// every case are known to lose.
///
/// **Use it** in games with sudden ends (Connect 4, Tic-Tac-Toe, Hex); it costs little elsewhere. **Stores** 2 bytes per
/// child and what `B` stores. **Source:** Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, 2008, without
/// its limit of two players; for more, Nijssen and Winands, *Enhancements for Multi-Player Monte-Carlo Tree Search*,
/// 2010, section 4.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::StopReason;
/// let mut search = Mcts::new(ramure::games::TicTacToe::new()).backprop(Solver::new(Average));
/// let report = search.run(Budget::iterations(200_000))?;
/// assert_eq!((report.stop_reason, report.proof), (StopReason::Proven, Some(0.5)));
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Solver<B> {
    inner: B,
}

impl<B> Solver<B> {
    /// Adds proofs to `inner`.
    pub const fn new(inner: B) -> Self {
        Solver { inner }
    }
}

impl<G: GameState, B: Backprop<G>> Backprop<G> for Solver<B> {
    type Stats = (Proof, B::Stats);
    const PROVES: bool = true;
    const LOOKS: bool = B::LOOKS;
    const COUNTS: bool = B::COUNTS;

    #[inline(always)]
    fn look(&self, state: &G, (proof, inner): Self::Stats) -> Result<Self::Stats, GameFault> {
        Ok((proof, self.inner.look(state, inner)?))
    }

    #[inline(always)]
    fn update(&self, step: impl Step<G, Self::Stats>, rewards: &mut Rewards) {
        prove(step, rewards);
        // Only now: what is inside may change the rewards.
        self.inner.update(second(step), rewards);
    }

    #[inline(always)]
    fn certain(&self, (proof, inner): Self::Stats, player: Player) -> Option<f32> {
        proof.reward(player).or_else(|| self.inner.certain(inner, player))
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.inner.check()
    }
}

/// Brings the proof of a step up to date, and takes a draw in hand for a reward below it.
#[inline(always)]
pub(crate) fn prove<G: GameState, S: Copy>(step: impl Step<G, (Proof, S)>, rewards: &mut Rewards) {
    let mut proof = step.stats().0;
    // Only what happened to the child on the path can tell this node something new.
    if step.turn() == Turn::Over || step.followed().is_some_and(|(child, _)| child.says_anything()) {
        proof = learn(step, rewards);
    }
    if let Turn::Player(mover) = step.turn()
        && matches!(proof.ending, Ending::DrawInHand | Ending::Drawn)
        && rewards[mover] < 0.5
    {
        *rewards = Rewards::new(rewards.players(), |_| 0.5);
    }
}

/// Adds to the proof of a step what its end or its children say. Rare: so it stands outside the loop.
#[inline(never)]
fn learn<G: GameState, S: Copy>(step: impl Step<G, (Proof, S)>, rewards: &Rewards) -> Proof {
    let (known, inner) = step.stats();
    let news = match step.turn() {
        Turn::Over => Proof::of_end(rewards),
        turn => Proof::follows(turn, rewards.players(), step.children().map(|(child, _)| child)),
    };
    let proof = known.and(news);
    step.set_stats((proof, inner));
    proof
}

/// What is proven of a node. 2 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Proof {
    /// The players who certainly get 0, a bit each.
    losers: u8,
    ending: Ending,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
enum Ending {
    /// Nothing is known but the losers.
    #[default]
    Open,
    /// The player to move has a child that is proven drawn, and may find a better one.
    DrawInHand,
    /// Everybody gets 1/2.
    Drawn,
    /// The one who is not a loser gets 1.
    Won,
}

impl Proof {
    /// The reward of `player`, if it is proven.
    #[inline(always)]
    pub fn reward(self, player: Player) -> Option<f32> {
        match self.ending {
            _ if self.losers >> player & 1 != 0 => Some(0.0),
            Ending::Drawn => Some(0.5),
            Ending::Won => Some(1.0),
            Ending::Open | Ending::DrawInHand => None,
        }
    }

    /// What a finished game says. Rewards other than 0, 1/2 and 1 prove nothing.
    fn of_end(rewards: &Rewards) -> Self {
        let with = |reward: f32| {
            let players = rewards.as_slice().iter().enumerate();
            players.filter(|&(_, &r)| r == reward).fold(0u8, |set, (player, _)| set | 1 << player)
        };
        let (losers, winners, all) = (with(0.0), with(1.0), everybody(rewards.players()));
        let ending = if with(0.5) == all {
            Ending::Drawn
        } else if winners.count_ones() == 1 && losers | winners == all {
            Ending::Won
        } else {
            Ending::Open
        };
        Proof { losers, ending }
    }

    /// What follows for a node from its children: the player to move takes the best for himself, chance takes any.
    fn follows(turn: Turn, players: u8, children: impl Iterator<Item = Self> + Clone) -> Self {
        let first = children.clone().next().unwrap_or_default();
        let all_alike = first.is_ended() && children.clone().all(|child| child == first);
        let losers = children.clone().fold(everybody(players), |set, child| set & child.losers);
        let in_all = Proof { losers, ending: if all_alike { first.ending } else { Ending::Open } };
        let Turn::Player(mover) = turn else { return in_all };

        let mine = || children.clone().map(|child| child.reward(mover));
        if let Some(won) = children.clone().find(|child| child.reward(mover) == Some(1.0)) {
            return won;
        }
        if !mine().any(|reward| reward == Some(0.5)) {
            return in_all;
        }
        let all_known = mine().all(|reward| reward.is_some());
        Proof { losers: 0, ending: if all_known { Ending::Drawn } else { Ending::DrawInHand } }
    }

    /// What is known from two sources. Children may have been forgotten since the first, for want of memory.
    fn and(self, news: Self) -> Self {
        Proof { losers: self.losers | news.losers, ending: self.ending.max(news.ending) }
    }

    #[inline(always)]
    fn is_ended(self) -> bool {
        matches!(self.ending, Ending::Drawn | Ending::Won)
    }

    /// Whether anything is known that could tell the parent something.
    #[inline(always)]
    fn says_anything(self) -> bool {
        self.is_ended() || self.losers != 0
    }
}

fn everybody(players: u8) -> u8 {
    u8::MAX >> (8 - players.min(8))
}
