//! The text around the tables of the pages. It describes how the figures were measured, and says nothing
//! about the results.

use crate::{Measured, tables};

/// Keeps the rows of so many iterations, and these columns.
fn at(iterations: &str, table: &str, columns: &[usize]) -> String {
    let cell = format!(" | {iterations} | ");
    let rows = table.lines().enumerate().filter(|(number, row)| *number < 2 || row.contains(&cell));
    let kept = rows.map(|(_, row)| {
        let cells = row.split('|').enumerate().filter(|(column, _)| columns.contains(column));
        format!("|{}|", cells.map(|(_, cell)| cell).collect::<Vec<_>>().join("|"))
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// Puts the rows of one table to the right of those of another.
fn beside(left: &str, right: &str) -> String {
    let rows =
        left.lines().zip(right.lines()).map(|(left, right)| format!("{}{right}", left.trim_end_matches('|')));
    rows.collect::<Vec<_>>().join("\n")
}

/// All of `docs/benchmarks.md`.
pub fn benchmarks(measured: &Measured) -> String {
    let Measured { machine, peers, threads, contest, contest_alone, information_sets, .. } = measured;
    // The game, our time and the ratios; then the ratios.
    let natural = at("1000", &measured.natural, &[1, 3, 6, 7]);
    let natural_peers = at("1000", &measured.natural_peers, &[4, 5, 6, 7]);
    let natural = beside(&natural, &natural_peers);
    format!(
        "# Benchmarks

One command measures everything here again, and writes this chapter and [what the parts cost](evidence/parts.md):

```sh
benches/run.sh
```

The last run:

{machine}

Machines are noisy: a *ratio* of two figures from the same table says more than either figure, and differences of a few per cent
say nothing. An iteration is one pass of the four phases with one rollout. \"Mit/s\" means million iterations per second. Unless a table
says otherwise, a search uses one thread, the state is the empty board of Connect 4, and the search is
`Mcts::new(Connect4::new()).tree_policy(Ucb1::new(1.0)).backprop(Average)`.

## Games as you write them

Five games as a newcomer writes them, with 1000 iterations: a `Vec` of actions, boards of arrays, no method overridden; chess by the crate
`cozy-chess`. \"By hand\" is a search with states in its nodes (`benches/natural/plain.rs`), and \"rollouts\" are random games from its
leaves. The other crates are as they come: with their own rollouts or, in mcts and treant, plain ones (`benches/peers/src/bin/natural`).
Times contain the creation and the freeing of the search: the least of seven runs in turn, with c = 0.7 and without proofs; with minimax,
c = 1.70. Below 1, ramure is faster. The last three games list their actions once, in `apply`. [At 10 000
iterations](evidence/parts.md#natural-games).

{natural}

## Other searches

All searches use the same position, rules, rollout and number of iterations. If a search has its own rollout and also accepts ours, it has a row for each.
`benches/peers` contains the setup of each search.

- In each round every search runs once, in a process of its own. Speeds are medians over the rounds, by processor time. Ratios are
  medians of the ratios within a round, with the least and the greatest in brackets.
- \"Alike\" compares with the ramure row that has the same exploration constant, and proofs if the other search proves.
- Bytes are the peak of the memory requested from the allocator, per iteration.
- The last column says whether the search found the one right column in sixteen positions.
- \"By hand\" is UCT for this one game, as you might write it in an afternoon, without a memory limit, errors or reports
  (`benches/peers/src/by_hand.rs`).

{peers}

## Threads

The tables compare the searches that can use several cores, with two threads each:

- ramure: one tree that one thread owns, with a window of eight leaves; both threads play rollouts ([using all cores](cores.md)).
- treant and mcts: one tree that the threads share without locks. A visit counts before its reward is known. treant's guide also recommends a
  virtual loss above the greatest reward.
- minimax: one tree that the threads share without locks, with a virtual loss.
- mctrust: two trees that share nothing. It adds up the visits of the actions of the root at the end.

arbor, monte-carlo-tree-search, the `MCTSBot` of OpenSpiel and board-game use one thread.

**Speed.** Wall time, measured in turn like the table of other searches, with our rollout.

{threads}

**Score at equal time.** Each search played Connect 4 against ramure at the same wall time per action (`benches/peers/src/contest.rs`). The
first two actions of a game are random, and each opening is played twice, with colours swapped. Each action is a search from an empty tree.
The players are separate processes, and while one of them thinks, the other one waits. If other
programs used more than 5 % of the processors during a pair of games, the pair was played again.

ramure has its defaults. Others without a default constant get c = 1, or play our rollout in place of their own. On two threads, searches
with c = 1 also meet ramure with c = 1, which proves if they do. A draw is half a win. The interval is Wilson's at 95 %. The last two columns
give the mean wall time per action: less than the time allowed if the search stops when the root is proven.

On two threads, each search has 50 ms by its own time limit. The last line says what time is worth in this contest: it is ramure against
itself with a quarter of the time.

{contest}

On one thread, most searches have no time limit. There, each search makes as many iterations as took 20 ms in its action before.

{contest_alone}

[The same with 50 ms, and against c = 1](evidence/contests.md#other-searches-with-50-ms).

The score compares whole programs: it mixes the speed on one thread, the gain from the second thread, and the quality of each iteration.

## Hidden information

The table compares [searches of information sets](hidden_information.md) with those of OpenSpiel, in two games that both have. SO-ISMCTS is
`Mcts` over an `InformationSet`, and MO-ISMCTS is `PlayerTrees` over it, both with `AvailabilityUcb1::new(0.7)`. The nodes of OpenSpiel's
search stand for all that the player to move there has seen since the start of the game, and ramure's trees begin at the
root. What the other player has seen before must come from `HiddenInformation::private_knowledge`, as in Leduc poker. Phantom Tic-Tac-Toe
does not say it: there, and in SO-ISMCTS, the other player answers alike in all guesses.

All searches use one thread, one uniform rollout per iteration, the same number of iterations and c = 0.7 for rewards in [0, 1]: on
OpenSpiel's scales, 26 * 0.7 in Leduc poker and 2 * 0.7 in phantom Tic-Tac-Toe.

OpenSpiel's search in C++ does not play phantom Tic-Tac-Toe. There the table has its search in Python, with a function of ours that draws as
ramure does: those rows say little about speed.

In each round, both search the same 20 positions of random games. In the match, each deal is played twice, with seats swapped, and each
action is a search from an empty tree. The mean return is in chips for Leduc poker, and otherwise between -1 and 1; 0 is even. Its interval
is at 95 %, from the means of the pairs of games.

{information_sets}

**Back:** [architecture](architecture.md), which shows which ideas paid off.
"
    )
}

/// All of `docs/evidence/parts.md`.
pub fn parts(measured: &Measured) -> String {
    let Measured { hex, policies, growth, bytes, instructions, benches, .. } = measured;
    let natural = at("10000", &measured.natural, &[1, 2, 3, 4, 5, 6, 7]);
    let natural_peers = at("10000", &measured.natural_peers, &[1, 2, 3, 4, 5, 6, 7]);
    let first_result = tables::first_result(benches);
    let rollouts = tables::rollouts(benches);
    let selection = tables::selection(benches);
    let wide = tables::wide_search(benches);
    let advance = tables::advance(benches);
    format!(
        "# What the parts cost

`benches/run.sh` measured the tables of this page together with those of [Benchmarks](../benchmarks.md), which names the machine and the
date.

## Natural games

[Games as you write them](../benchmarks.md#games-as-you-write-them), at 10 000 iterations in place of 1000.

{natural}

The same games against other crates as they come.

{natural_peers}

## Policies

ramure under other policies, measured in turn. The cost of a policy is not only its formula: it also
changes the tree, and deeper iterations take longer. The bytes per node are all bytes divided by all nodes, including the tables of learning
policies. \"Own copy\" is `Ucb1` as a user would write it. \"As in books\" is the same formula with a square root and a division per child
(`benches/common/own_ucb1.rs`). The relative time is the median of the ratios within a round. A policy that explores little
may miss a threat in the positions of the last column. [Evidence on policies](policies.md#costs) has the cost of every policy.

![The cost of policies](../pictures/policies.svg)

{policies}

## Rollouts

Random games from the start to the end. *Uniform* is the default rollout, compiled for any processor. *In a search* is the same code,
compiled for newer instructions. *By actions* plays one random action after another, for policies that record the actions; a game without
this figure always does.

{rollouts}

## Growth

The time per iteration of searches that start with an empty tree, measured in turn. Big trees do not fit into the caches of a processor, so
the figures depend on the machine. The shortest searches end before the processor reaches its full speed, and are noisy.

![Time per iteration over the number of iterations](../pictures/growth.svg)

{growth}

## Time to a first result

The time from a state to an action. *Fresh*: make the search, run it, make the report, and drop the search. *Warm*: `reset`, and a run in
the memory of the search before. The first search of a program takes longer.

![Time from a state to an action](../pictures/first_result.svg)

{first_result}

## Wide nodes

A root with 121 children, all visited, and nothing below it: an iteration is the choice of a child, a random reward and its record. \"By
hand\" is a plain loop over nodes of 16 bytes (`benches/wide.rs`). The figure is the time of the whole iteration divided by the number of
children.

{selection}

Searches of Hex from the empty board, including the rollouts.

{wide}

A search that is written for Hex on 11x11 only (`benches/peers/src/bin/hex`): siblings side by side, eight compared at a time, a random game by
bits. The means of the best action show that both search the same.

{hex}

## Moving on

`advance` keeps the subtree of the next state and gives the rest back to the tree's free memory; `reset` gives everything back. The best
action has the most visited part of the tree, the worst nearly nothing. No memory goes back to the system.

{advance}

## Memory

The bytes of the report, divided by the iterations and by the stored children. Small trees pay for a whole chunk of the store. In games
with few actions, some lanes of the blocks stay empty. Policies that tell untried children apart store all of them.

{bytes}

## Instructions

Callgrind counts the instructions, so the figures do not depend on the load of the machine. Each
figure is the difference between two searches of different length, divided by the difference of their iterations. `own` and `plain` are the
two copies of UCB1 from above. Instructions are not time: they do not count waits for memory and mispredicted
branches, and one vector instruction does the work of many.

{instructions}
"
    )
}
