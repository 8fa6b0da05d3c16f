//! The laws by name.

use core::fmt;

macro_rules! laws {
    ($($(#[$doc:meta])* $law:ident, $sentence:literal;)*) => {
        /// A law that every game obeys, or one that its author has asked for.
        ///
        /// `Display` gives it as a sentence, which is also the name of its test in [`laws!`](crate::rules::laws!), there with
        /// underscores.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[non_exhaustive]
        pub enum Law {
            $($(#[$doc])* $law,)*
        }

        impl Law {
            /// All laws, in the order in which they are checked.
            pub const ALL: &[Law] = &[$(Law::$law),*];

            fn sentence(self) -> &'static str {
                match self {
                    $(Law::$law => $sentence,)*
                }
            }
        }
    };
}

laws! {
    /// No call panics, and no list of actions is endless.
    ///
    /// *The mistake:* an edge of the board that was not thought of. `apply` in the last column reads the column right of
    /// it, and panics.
    Calls, "every call returns";

    /// Applying an action to a clone leaves the original as it was, and a game that is played on leaves all its earlier
    /// states as they were. Seen through every method, and through `Debug`.
    ///
    /// *The mistake:* a clone that shares. The board is an `Rc<RefCell<..>>`, and a rollout from a clone of the state plays
    /// its stones on everybody's board.
    Clones, "a clone is independent";

    /// The turn is chance's, nobody's, or of a player below `players`; there are 1 to [`MAX_PLAYERS`](crate::MAX_PLAYERS)
    /// of them, in every state the same number; and neither changes by being asked.
    ///
    /// *The mistake:* counting from 1. Two players who call themselves 1 and 2: player 2 does not exist.
    Turns, "the turn is of a player who exists";

    /// No action is listed twice.
    ///
    /// *The mistake:* two ways to the same action. A stone that captures both left and right is listed once for each, and
    /// the search divides its visits between the two.
    Unique, "each action is listed once";

    /// The actions come in the same order when asked again, also of a clone.
    ///
    /// *The mistake:* actions gathered in a `HashSet`, whose order is another one in each set. Then a seed no longer fixes
    /// a search.
    Order, "actions keep their order";

    /// There are none when the game is over, and at least one while it runs.
    ///
    /// *The mistake:* a full board without a winner. `turn` knows only of winners, so the game goes on, with nothing to
    /// play.
    Running, "there are actions until the game is over";

    /// What is listed is legal to `is_legal`; what was listed before the last action and is not any more, is not.
    ///
    /// *The mistake:* a faster `is_legal` that looks at the board's edges and forgets whether the cell is free.
    Legal, "is legal agrees with the list";

    /// The same actions from the same start lead to states that look the same.
    ///
    /// *The mistake:* state that is not in the state. A `static` counter says whose turn it is, or `apply` rolls its dice
    /// itself.
    Replay, "equal lines give equal states";

    /// When the game is over, the reward of each player lies in [0, 1] and is the same when asked again.
    ///
    /// *The mistake:* a loss of -1, from another program; or 0 divided by 0 when nobody has a point.
    Rewards, "rewards are in range";

    /// No line of play is longer than [`longest`](crate::rules::Check::longest).
    ///
    /// *The mistake:* two pieces that may go back and forth for ever, or a pass that does not end the game when everybody
    /// passes.
    Ends, "every game ends";

    /// The weights of the outcomes of chance are positive and sum to one.
    ///
    /// *The mistake:* five sides of a die with a weight of 1/6 each.
    Weights, "chance weights sum to one";

    /// `random_action` draws one of the actions while the game runs, and none when it is over.
    ///
    /// *The mistake:* a faster `random_action` that knows nothing of a rule added later, such as forced captures.
    RandomLegal, "random actions are legal";

    /// `random_action` draws each action of a player with the same probability, and each outcome of chance by its weight.
    ///
    /// One chi-squared statistic over the states reached; a right game fails it less than once in ten million runs.
    ///
    /// *The mistake:* the first free cell after a random one. A cell after a row of taken ones is drawn too often.
    RandomFair, "random actions are fair";

    /// Games that `random_rollout` ends are won as often by each player as games played action by action.
    ///
    /// Two samples of 400 games, from four positions each; a right game fails less than once in a million runs.
    ///
    /// *The mistake:* a board filled up at random that gives the last stone to the wrong player.
    RandomRollout, "random rollouts end as random play does";

    /// The rewards of all players sum to the same wherever the game ends. Asked for by
    /// [`constant_sum`](crate::rules::Check::constant_sum).
    ///
    /// *The mistake:* a draw that is a loss for both, since `reward` says 1 to the winner and 0 to all others.
    ConstantSum, "rewards have a constant sum";

    /// States that are `==` have the same hash, look the same, and go on alike. Asked for by
    /// [`hash`](crate::rules::Check::hash).
    ///
    /// *The mistake:* an `Eq` that compares the stones and forgets whose turn it is, or a `Hash` of a number that is kept
    /// along the way and depends on the way.
    Equality, "equal states have equal hashes and futures";

    /// A state is read back from its own text: it prints the same again, looks the same and goes on alike. Asked for by
    /// [`text`](crate::rules::Check::text).
    ///
    /// *The mistake:* a text of the board alone, where the rules also need the number of actions without a capture.
    Text, "text reads back";

    /// An action is read back from its own text. Asked for by [`action_text`](crate::rules::Check::action_text).
    ///
    /// *The mistake:* columns are printed from 1 and read from 0.
    ActionText, "actions read back";

    /// The mirror image of a state has the mirror images of its actions, and playing and mirroring may change places. Asked
    /// for by [`symmetry`](crate::rules::Check::symmetry).
    ///
    /// *The mistake:* the board is mirrored, the action is not.
    Symmetry, "symmetries commute with play";

    /// A static evaluation lies in [0, 1] for each player of a running game, and is the same when asked again. Asked for by
    /// [`evaluation`](crate::rules::Check::evaluation).
    ///
    /// *The mistake:* a sum of terms that stays below 1 in all positions that one has looked at.
    Evaluation, "evaluations are in range";

    /// Action indices are below `ACTION_COUNT`, and no two actions of the game share one. Asked for by
    /// [`indices`](crate::rules::Check::indices).
    ///
    /// *The mistake:* `row * 8 + column` on a board of nine columns.
    Indices, "action indices are unique and in range";

    /// A predicate of yours holds in every state. Asked for by [`invariant`](crate::rules::Check::invariant).
    ///
    /// *The mistake:* a capture that removes the stones from the board and leaves them in a counter.
    Invariant, "the invariant holds";

    /// The winner's reward is greater than all others; where nobody has won, no reward is. The winner is named by
    /// [`winner`](crate::rules::Check::winner).
    ///
    /// *The mistake:* a reward for whoever is to move, where whoever has just moved has won.
    Winner, "rewards go to the winner";

    /// A small search finds an action that wins at once, wherever there is one. Asked for by
    /// [`winner`](crate::rules::Check::winner).
    ///
    /// *The mistake:* any that makes winning look bad: the reward, or the turn, is the other player's.
    FindsWin, "a search finds a win in one";

    /// A small search plays no action that loses at once, or lets the next player win at once, if there is another one. Asked for by
    /// [`winner`](crate::rules::Check::winner).
    ///
    /// *The mistake:* a reward that ignores for whom it is asked, so that any win is good.
    BlocksLoss, "a search blocks a loss in one";

    /// Two implementations agree: on turn, players, the set of actions, chance weights, and rewards. Asked for by
    /// [`twin`](crate::rules::Check::twin) and [`agree`](crate::rules::agree).
    ///
    /// *The mistake:* a missed diagonal. It breaks no law, it is only another game.
    Agreement, "the twin agrees";
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.sentence())
    }
}
