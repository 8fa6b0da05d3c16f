//! The chapter: what stands around the tables. It says how things were measured, and nothing about how they came out.

use crate::{Measured, tables};

/// All of `docs/benchmarks.md`.
pub fn write(measured: &Measured) -> String {
    let Measured { machine, peers, growth, policies, bytes, instructions, benches, .. } = measured;
    let growth_by_clock = tables::growth(benches);
    let first_result = tables::first_result(benches);
    let search = tables::search(benches);
    let rollouts = tables::rollouts(benches);
    let selection = tables::selection(benches);
    let wide = tables::wide_search(benches);
    let advance = tables::advance(benches);
    format!(
        "# Benchmarks

Written by one command, which measures everything here again:

```sh
benches/run.sh
```

It was run on

{machine}

How to read it. Machines are noisy, and differ: a *ratio* of two figures from one table says more than either of them, and
differences of a few per cent say nothing. One thread throughout. An iteration is one pass of the four phases with one rollout;
how strong the searches play is not measured here. Where nothing else is said the state is the empty board of Connect 4 and the
search `Mcts::new(Connect4::new()).tree_policy(Ucb1::new(1.0))`.

## Other searches

The same position, rules, rollout and number of iterations for all; a search that has a rollout of its own and can be given ours has
a row for each. Each run is a process of its own, and in each round every search runs once, in turn. Speeds are medians
over the rounds, by the time of the processor; ratios are medians of the ratios within a round, with the least and the greatest.
\"Alike\" compares with ramure with the same exploration constant, and with proofs if the other proves. Bytes are the most asked of
the allocator at a time, per iteration. The last column says whether the search found the one right column in sixteen positions: a
fast wrong search does not count. \"By hand\" is UCT for this one game as one writes it in an afternoon, in `f32` and without a
limit of memory, errors or reports (`benches/peers/src/by_hand.rs`). ramure and the Rust crates are built with link-time
optimisation.

What it does not say: which search plays best, and how they compare on slow games, where the rollout takes most of the time,
whichever search asks for it. `benches/peers` says how each was set up.

{peers}

## Growth

Time per iteration in searches from nothing, measured in turn as above. Big trees do not fit into the caches of a processor,
so this depends on the machine; and iterations go deeper the longer a search runs. The shortest searches are over before a
processor is at its speed, and are noisy.

![Time per iteration over the number of iterations](pictures/growth.svg)

{growth}

The same of ramure alone by criterion, with cargo's release profile as it comes, the search and its report in the time, many runs
in one process (so the allocator gets its memory from searches before).

{growth_by_clock}

## Time to a first result

All that stands between a state and an action. *Fresh*: making the search, running it, the report, and dropping the search.
*Warm*: `reset`, and a run on the memory of the search before. So this includes what does not depend on the number of
iterations, which weighs most in the smallest searches. The processor knows the code and the allocator its memory from the searches
before; the first search of a program takes longer.

![Time from a state to an action](pictures/first_result.svg)

{first_result}

## Policies

ramure beside itself with other policies, measured in turn as the table of other searches. What a policy costs is not only its
formula: it also makes another tree, and deeper iterations take longer, so the mean depth stands beside the time. Policies are
there to need fewer iterations; this table says nothing about that. The bytes per node are all bytes over all nodes, tables of
learning policies included. \"Own copy\" is `Ucb1` written by a user, \"as in books\" the same formula with a root and a division
per child (`benches/common/own_ucb1.rs`). A policy that explores little may miss a threat in the positions of the last column.

![What policies cost](pictures/policies.svg)

{policies}

By criterion, on all games, searches of 10 000 iterations from nothing: nanoseconds per iteration, and in brackets how many times
as long as with `Ucb1` it takes on the same game. The quicker a game, the more of the time is the policy's. `Mast` and `Cutoff` change the
rollouts, and so what those cost.

{search}

## Rollouts

Random games from the start to the end. *Uniform* is the default rollout, compiled for any processor; *in a search* the same code
inside the loop of a search, which is compiled for newer instructions as well where there are such. *By actions* plays one random
action after another, which policies need that note actions; where there is no figure, the game has no shortcut and plays like this
anyway.

{rollouts}

## Wide nodes

A root with 121 children, all visited, and nothing below: an iteration is the choice of a child, a random reward and its record.
\"By hand\" is the loop that one writes over nodes of 16 bytes, with one logarithm per node and a root and a division per child
(`benches/wide.rs`). The figure is the whole iteration over the number of children, the same for both.

{selection}

Searches of Hex from the empty board, rollouts included.

{wide}

## Moving on

`advance` keeps what is known of the state that follows and gives the rest of the tree back to it; `reset` gives all back. By the best
action the most visited part of the tree is kept, by the worst (the least visited) nearly nothing. Nothing goes back to the system:
that happens when the search is dropped, and is not in these times.

{advance}

## Memory

The bytes of the report, which are all that the tree takes from the system, over the iterations and over the stored children. Small
trees pay for a whole chunk of the store. Where games have few actions, lanes of blocks stay empty; policies that tell children never
visited apart store all of them. [Memory](memory.md) says what a block takes.

{bytes}

## Instructions

Counted by callgrind, so they do not depend on what else the machine does: the same compiler gives the same figures. Two searches of
different length, the difference divided by the difference of their iterations, so the start of the program is not in it. `own` and
`plain` are the two copies of UCB1 from above. The instruction set is the one that the loop was run with: valgrind need not offer all
that the processor has. An instruction is not a time: waiting for memory and mispredicted branches are not
counted, and one vector instruction does the work of many.

{instructions}

**Back:** [architecture](architecture.md), which says which ideas paid.
"
    )
}
