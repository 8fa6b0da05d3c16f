//! The macro `laws!`, which writes one test per law.

/// Writes one `#[test]` per law, so that the test runner names the broken law.
///
/// `laws!(mod name, initial)` checks the laws of every game. After a semicolon, list methods of
/// [`Check`](crate::Check), with their argument after `=`. Some ask for further laws, each with a test
/// of its own: `hash`, `text`, `action_text`, `serde`, `symmetry`, `evaluation`,
/// `indices`, `constant_sum = 1.0`, `winner = ..`, `keys` or `keys_by = |state| ..`, `invariant = |state|
/// ..`, `hidden = |state, player| ..`, `fair_guesses = |state, player| ..`, `twin = ..`. The others are
/// settings: `games = 200`, `states = ..`, `longest = ..`, `seed = ..`, `time = ..`, `without = Law::..`.
///
/// ```
/// use ramure_games::Connect4;
///
/// ramure_rules::laws!(mod connect4_rules, Connect4::new(); hash, text, symmetry, constant_sum = 1.0, winner = Connect4::winner);
/// ```
///
/// A counterexample prints states with `Display` if they implement it, otherwise with `Debug`.
///
/// If the game panics before a law can be checked, the test of that law passes, and the test
/// `every_call_returns` fails.
#[macro_export]
macro_rules! laws {
    (mod $name:ident, $initial:expr $(,)? $(; $($word:ident $(= $value:expr)?),* $(,)?)?) => {
        #[cfg(test)]
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[track_caller]
            fn uphold(law: $crate::Law) {
                let check = $crate::check($initial);
                let shown = {
                    #[allow(unused_imports, reason = "only one of the two is used")]
                    use $crate::{__ShownByDebug as _, __ShownByDisplay as _};
                    (&check).__by()
                };
                let check = check.__shown(shown);
                $($(let check = check.$word($($value)?);)*)?
                $crate::__uphold(check, law);
            }

            $crate::laws! { @tests
                every_call_returns Calls,
                a_clone_is_independent Clones,
                the_turn_names_an_existing_player Turns,
                each_action_is_listed_once Unique,
                actions_keep_their_order Order,
                there_are_as_many_actions_as_promised Sizes,
                there_are_actions_until_the_game_is_over Running,
                is_legal_agrees_with_the_list Legal,
                equal_lines_give_equal_states Replay,
                rewards_are_in_range Rewards,
                every_game_ends Ends,
                chance_probabilities_sum_to_one Probabilities,
                random_actions_are_legal RandomLegal,
                random_actions_are_fair RandomFair,
                random_rollouts_end_as_random_play_does RandomRollout,
                every_player_gets_to_move Moves,
                not_all_results_are_equal Results,
            }
            $($($crate::laws! { @asked $word })*)?
        }
    };
    (@tests $($test:ident $law:ident,)*) => {
        $(
            #[test]
            fn $test() {
                uphold($crate::Law::$law);
            }
        )*
    };
    (@asked hash) => { $crate::laws! { @tests equal_states_have_equal_hashes_and_futures Equality, } };
    (@asked text) => { $crate::laws! { @tests text_reads_back Text, } };
    (@asked action_text) => { $crate::laws! { @tests actions_read_back ActionText, } };
    (@asked serde) => { $crate::laws! { @tests serde_reads_back Serde, } };
    (@asked symmetry) => { $crate::laws! { @tests symmetries_commute_with_play Symmetry, } };
    (@asked evaluation) => { $crate::laws! { @tests evaluations_are_in_range Evaluation, } };
    (@asked indices) => { $crate::laws! { @tests action_indices_are_unique_and_in_range Indices, } };
    (@asked constant_sum) => { $crate::laws! { @tests rewards_have_a_constant_sum ConstantSum, } };
    (@asked invariant) => { $crate::laws! { @tests the_invariant_holds Invariant, } };
    (@asked winner) => {
        $crate::laws! { @tests
            rewards_go_to_the_winner Winner,
            a_search_finds_a_win_in_one FindsWin,
            a_search_blocks_a_loss_in_one BlocksLoss,
        }
    };
    (@asked hidden) => {
        $crate::laws! { @tests
            guesses_keep_what_is_seen_and_do_not_peek Guesses,
            what_a_player_learns_is_in_the_actions Announced,
        }
    };
    (@asked fair_guesses) => { $crate::laws! { @tests guesses_are_as_likely_as_what_they_replace GuessesFair, } };
    (@asked keys) => { $crate::laws! { @tests equal_keys_have_equal_futures Keys, } };
    (@asked keys_by) => { $crate::laws! { @asked keys } };
    (@asked twin) => { $crate::laws! { @tests the_twin_agrees Agreement, } };
    // Settings have no tests. The compiler reports names that are not methods of `Check`.
    (@asked $setting:ident) => {};
}
