//! The laws and their names.

use core::fmt;

macro_rules! laws {
    ($($(#[$doc:meta])* $law:ident, $sentence:literal;)*) => {
        /// A law that every game obeys, or one that you can ask for.
        ///
        /// `Display` prints it as a sentence, which is also the name of its test in
        /// [`laws!`](crate::laws!), with underscores.
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
    /// Every call returns: no call panics or [fails](ramure::fail), and every list of actions ends.
    ///
    /// *Typical mistake:* an edge of the board is forgotten. `apply` in the last column reads the next
    /// column, and panics.
    Calls, "every call returns";

    /// Applying an action to a clone leaves the original unchanged, and playing on leaves all earlier states
    /// of a game unchanged, as seen through every method and through `Debug`.
    ///
    /// *Typical mistake:* a clone that shares data. The board is an `Rc<RefCell<..>>`, and a rollout from a
    /// clone places its stones on the original's board.
    Clones, "a clone is independent";

    /// The turn is that of chance, of no player (the game is over), or of a player below `players`. The
    /// number of players is 1 to [`MAX_PLAYERS`](ramure::MAX_PLAYERS) and the same in every state. Asking
    /// changes neither.
    ///
    /// *Typical mistake:* counting from 1. If two players are numbered 1 and 2, player 2 does not exist.
    Turns, "the turn names an existing player";

    /// No action is listed twice.
    ///
    /// *Typical mistake:* two ways to the same action. A stone that captures both left and right is listed
    /// once for each, and the search divides its visits between the two.
    Unique, "each action is listed once";

    /// The actions come in the same order when asked for again, also from a clone.
    ///
    /// *Typical mistake:* actions are collected in a `HashSet`, whose order differs from set to set. A seed
    /// then no longer fixes a search.
    Order, "actions keep their order";

    /// The iterator of [`actions`](ramure::GameState::actions) yields as many actions as its
    /// [`size_hint`](Iterator::size_hint) says. Random actions are drawn by it.
    ///
    /// *Typical mistake:* an iterator of one's own that counts the cells of the board, and not the free ones.
    Sizes, "there are as many actions as promised";

    /// There is at least one action while the game runs. What is listed after the end does not matter.
    ///
    /// *Typical mistake:* a full board without a winner. `turn` checks only for a winner, so the game goes on
    /// without a legal action.
    Running, "there are actions until the game is over";

    /// `is_legal` accepts every listed action, and rejects actions that were listed before the last action
    /// and no longer are, as long as the game runs.
    ///
    /// *Typical mistake:* a faster `is_legal` that checks the edges of the board, but not whether the cell is
    /// free.
    Legal, "is legal agrees with the list";

    /// The same actions from the same start lead to states that look the same.
    ///
    /// *Typical mistake:* data outside of the state. A `static` counter says whose turn it is, or `apply`
    /// rolls the dice itself.
    Replay, "equal lines give equal states";

    /// When the game is over, the reward of each player lies in [0, 1] and is the same when asked for again.
    ///
    /// *Typical mistake:* a loss of -1, copied from another program; or 0 divided by 0 if no player has a
    /// point.
    Rewards, "rewards are in range";

    /// No line of play is longer than [`longest`](crate::Check::longest).
    ///
    /// *Typical mistake:* two pieces can move back and forth forever, or the game does not end when all
    /// players pass.
    Ends, "every game ends";

    /// The probabilities of the outcomes of chance are positive and sum to one.
    ///
    /// *Typical mistake:* five sides of a die with a probability of 1/6 each.
    Probabilities, "chance probabilities sum to one";

    /// `random_action` draws one of the actions of a player, and `random_outcome` one of the outcomes of
    /// chance.
    ///
    /// *Typical mistake:* a faster `random_action` that ignores a rule added later, such as forced captures.
    RandomLegal, "random actions are legal";

    /// `random_action` draws each action of a player with the same probability, and `random_outcome` each
    /// outcome of chance by its probability.
    ///
    /// The test is one chi-squared statistic over the states reached. A correct game fails it less than once
    /// in ten million runs.
    ///
    /// *Typical mistake:* taking the first free cell after a random one. A cell after a row of occupied cells
    /// is drawn too often.
    RandomFair, "random actions are fair";

    /// In games that `random_rollout` finishes, the same players win as often as in games played action by
    /// action. The mean rewards of `random_rollouts` are those of such games.
    ///
    /// From each of four positions, the test compares 400 games that `random_rollout` ends with as many that
    /// are played action by action. For `random_rollouts`, it compares at least 800 games of each of the
    /// sizes 1, 3, 8 and 20 with 1600. A correct game fails it less than once in a million runs.
    ///
    /// *Typical mistake:* filling the board at random and giving the last stone to the wrong player.
    RandomRollout, "random rollouts end as random play does";

    /// Each player is to move in some state. The law says nothing about fewer than 16 random games with two
    /// turns or more per player. If a player of your game never moves, leave it out:
    /// [`without(Law::Moves)`](crate::Check::without).
    ///
    /// *Typical mistake:* `apply` does not pass the turn on, so player 0 plays alone and wins.
    Moves, "every player gets to move";

    /// Not all games end with the same rewards. The law says nothing about fewer than 16 random games with
    /// two turns or more per player. If your start decides the game, or if random play never solves your
    /// puzzle, leave it out: [`without(Law::Results)`](crate::Check::without).
    ///
    /// *Typical mistake:* `reward` returns 1 for a won game, and ignores the player it is asked for.
    Results, "not all results are equal";

    /// The rewards of all players have the same sum wherever the game ends. Ask for it with
    /// [`constant_sum`](crate::Check::constant_sum).
    ///
    /// *Typical mistake:* a draw counts as a loss for both players, because `reward` returns 1 for the winner
    /// and 0 for all others.
    ConstantSum, "rewards have a constant sum";

    /// States that are `==` have the same hash, look the same, continue in the same way, and draw the same
    /// random actions and rollouts from the same random numbers. Ask for it with
    /// [`hash`](crate::Check::hash).
    ///
    /// *Typical mistake:* an `Eq` that compares the stones but not the turn, or a `Hash` of an incrementally
    /// updated number that depends on the order of the actions. Or `random_action` draws from a list of free
    /// cells whose order depends on the order of play, and `==` ignores the list: a search that was saved and
    /// loaded then draws others.
    Equality, "equal states have equal hashes and futures";

    /// A state can be read back from its text: it prints the same text, looks the same, continues in the same
    /// way, and draws the same random actions and rollouts from the same random numbers. Ask for it with
    /// [`text`](crate::Check::text).
    ///
    /// *Typical mistake:* a text of only the board, where the rules also need the number of actions without a
    /// capture.
    Text, "text reads back";

    /// An action can be read back from its text. Ask for it with
    /// [`action_text`](crate::Check::action_text).
    ///
    /// *Typical mistake:* columns are printed from 1 and read from 0.
    ActionText, "actions read back";

    /// States and actions can be read back from what serde writes for a saved
    /// search: a state gives the same bytes, looks the same, continues in the
    /// same way, and draws the same random actions and rollouts from the same random numbers. Ask for it with
    /// `Check::serde`.
    ///
    /// *Typical mistake:* `#[serde(skip)]` on a field that `random_action` reads.
    Serde, "serde reads back";

    /// The mirror image of a state has the mirror images of its actions, and playing then mirroring gives the
    /// same state as mirroring then playing. Ask for it with [`symmetry`](crate::Check::symmetry).
    ///
    /// *Typical mistake:* the board is mirrored, but the action is not.
    Symmetry, "symmetries commute with play";

    /// The static evaluation lies in [0, 1] for each player of a running game, and is the same when asked for
    /// again. Ask for it with [`evaluation`](crate::Check::evaluation).
    ///
    /// *Typical mistake:* a sum of terms that stays below 1 in every position you have looked at.
    Evaluation, "evaluations are in range";

    /// Action indices are below `ACTION_COUNT`, and no two actions of the game share one. Ask for it with
    /// [`indices`](crate::Check::indices).
    ///
    /// *Typical mistake:* `row * 8 + column` on a board of nine columns.
    Indices, "action indices are unique and in range";

    /// Your own predicate holds in every state. Ask for it with
    /// [`invariant`](crate::Check::invariant).
    ///
    /// *Typical mistake:* a capture removes the stones from the board, but not from a counter.
    Invariant, "the invariant holds";

    /// The reward of the winner is greater than all others. If no player has won, no reward is greater than
    /// all others. You name the winner with [`winner`](crate::Check::winner), which asks for this law.
    ///
    /// *Typical mistake:* the reward goes to the player to move, although the player who just moved has won.
    Winner, "rewards go to the winner";

    /// A small search finds an action that wins at once, wherever one exists. Ask for it with
    /// [`winner`](crate::Check::winner).
    ///
    /// *Typical mistake:* any that makes winning look bad: the reward, or the turn, is that of the other
    /// player.
    FindsWin, "a search finds a win in one";

    /// A small search plays no action that loses at once or lets the next player win at once, if another
    /// action exists. Ask for it with [`winner`](crate::Check::winner).
    ///
    /// *Typical mistake:* a reward that ignores the player it is asked for, so that any win is good.
    BlocksLoss, "a search blocks a loss in one";

    /// Two implementations agree on the turn, the players, the set of actions, the probabilities of chance
    /// and the rewards. Ask for it with [`twin`](crate::Check::twin).
    ///
    /// *Typical mistake:* a missed diagonal. It breaks no other law; the rules are simply those of another
    /// game.
    Agreement, "the twin agrees";

    /// A guess of what an observer has not seen keeps what the observer has seen, the turn and the players,
    /// and the actions if it is the observer's turn. It does not depend on what is hidden. Some guess differs
    /// from its state. Ask for it with [`hidden`](crate::Check::hidden).
    ///
    /// *Typical mistake:* the unseen cards are shuffled as they lie, without being sorted first. So the
    /// result depends on who has which.
    Guesses, "guesses keep what is seen and do not peek";

    /// Actions show all that a player learns from them. If a player cannot tell two states apart, the
    /// player cannot tell them apart after the same action in both, unless the game is over or players choose
    /// at the same time: the player has seen the same, the turn is the same, and guesses stay the same. Ask
    /// for it with [`hidden`](crate::Check::hidden).
    ///
    /// A search of an information set has one node after an action, whatever the action shows. So it does not
    /// use what the player learns, unless an outcome of chance says it.
    ///
    /// *Typical mistake:* a player looks at a hidden card, `apply` sets a flag, and guesses keep the card from
    /// then on. Let `apply` give the turn to chance, whose one outcome is the card.
    Announced, "what a player learns is in the actions";

    /// Where chance deals, a guess is as likely as the deal that it stands for, given what the observer has
    /// seen: one chi-squared statistic over many positions. A correct game breaks this law less than once in
    /// ten million runs. Ask for it with [`fair_guesses`](crate::Check::fair_guesses).
    ///
    /// *Typical mistake:* the unseen cards are drawn one after another, and one of them is left where it is.
    GuessesFair, "guesses are as likely as what they replace";

    /// States with the same [key](ramure::Keyed::key) have the same turn and the same actions, in any order,
    /// and continue in the same way. The key of a clone is the same. The key changes only when an action is
    /// applied. Rewards for a repetition are in [0, 1]. Ask for it with [`keys`](crate::Check::keys),
    /// or with [`keys_by`](crate::Check::keys_by) if the game keeps its key up to date in `apply`:
    /// then the key equals one that is computed from scratch.
    ///
    /// *Typical mistake:* a key of the stones in a game in which a player may pass. The same stones with the
    /// other player to move are another position.
    Keys, "equal keys have equal futures";
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.sentence())
    }
}
