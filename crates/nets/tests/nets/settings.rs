//! Orientations, the cache, and the sizes of batches.

use crate::models::{Linear, residual};
use crate::{evaluate, random_states};
use prost::Message;
use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::Evaluate;
use ramure::{ActionIndex, Symmetric};
use ramure_games::{Connect4, TicTacToe};
use ramure_nets::{LoadError, Network, Orientation};

fn tic_tac_toe() -> Network<TicTacToe> {
    let linear = Linear::random(&[2, 3, 3], 9, 1, "Tanh", 4);
    Network::from_bytes(&linear.bytes(), &TicTacToe::new()).unwrap()
}

#[test]
fn the_average_is_the_mean_over_all_orientations() {
    let plain = tic_tac_toe();
    let average = tic_tac_toe().orientation(Orientation::Average);
    let states = random_states(&TicTacToe::new(), 30, 2);
    for (state, answer) in states.iter().zip(evaluate(&average, &states)) {
        let (value, priors) = answer.unwrap();
        let mut images: Vec<_> = (0..TicTacToe::SYMMETRIES).map(|number| state.transformed(number)).collect();
        images.push(*state);
        let of_images: Vec<_> = evaluate(&plain, &images).into_iter().map(Result::unwrap).collect();
        let mean = of_images.iter().map(|(value, _)| f64::from(value[0])).sum::<f64>() / 8.0;
        assert!((f64::from(value[0]) - mean).abs() < 1e-6);
        for (action, prior) in state.actions().into_iter().zip(priors) {
            let in_image = |number: usize| {
                let (image, action) = match number {
                    7 => (*state, action),
                    _ => (images[number], state.transformed_action(action, number)),
                };
                let place = image.actions().into_iter().position(|other| other == action).unwrap();
                f64::from(of_images[number].1[place])
            };
            let mean = (0..8).map(in_image).sum::<f64>() / 8.0;
            assert!((f64::from(prior) - mean).abs() < 1e-6);
        }
    }
    assert_eq!(average.counts().evaluated, 240);
}

#[test]
fn mirror_images_have_the_same_average() {
    let network = Network::from_bytes(&residual([2, 6, 7], 7, 5), &Connect4::new()).unwrap();
    let average = network.orientation(Orientation::Average);
    let states = random_states(&Connect4::new(), 20, 3);
    let images: Vec<_> = states.iter().map(|state| state.transformed(0)).collect();
    for (here, there) in evaluate(&average, &states).into_iter().zip(evaluate(&average, &images)) {
        let ((value, mut priors), (other_value, other_priors)) = (here.unwrap(), there.unwrap());
        priors.reverse();
        let close = |a: &f32, b: &f32| (a - b).abs() < 1e-6;
        assert!(close(&value[0], &other_value[0]));
        assert!(priors.iter().zip(&other_priors).all(|(a, b)| close(a, b)));
    }
}

#[test]
fn a_random_orientation_is_one_of_all_and_depends_on_the_seed_and_the_position_alone() {
    let plain = tic_tac_toe();
    let states = random_states(&TicTacToe::new(), 60, 4);
    let random = |seed| evaluate(&tic_tac_toe().orientation(Orientation::Random { seed }), &states);
    let (first, again, other) = (random(1), random(1), random(2));
    assert_eq!(first, again);
    assert_ne!(first, other);
    let mut backwards = states.clone();
    backwards.reverse();
    let network = tic_tac_toe().orientation(Orientation::Random { seed: 1 });
    assert!(evaluate(&network, &backwards).into_iter().rev().eq(first.clone()));
    let mut drawn = [0; 8];
    for (state, answer) in states.iter().zip(first) {
        let (value, priors) = answer.unwrap();
        let matches = |number: usize| {
            let image = if number == 7 { *state } else { state.transformed(number) };
            let (image_value, image_priors) = evaluate(&plain, &[image]).remove(0).unwrap();
            let mut by_cell = [0.0; 9];
            for (action, prior) in image.actions().into_iter().zip(image_priors) {
                by_cell[TicTacToe::action_index(action)] = prior;
            }
            let same = |(action, &prior): (<TicTacToe as GameState>::Action, &f32)| {
                let action = if number == 7 { action } else { state.transformed_action(action, number) };
                (by_cell[TicTacToe::action_index(action)] - prior).abs() < 1e-6
            };
            (image_value[0] - value[0]).abs() < 1e-6 && state.actions().into_iter().zip(&priors).all(same)
        };
        let found = (0..8).find(|&number| matches(number)).expect("no orientation gives this answer");
        drawn[found] += 1;
    }
    // Each is drawn 7.5 times on average. With this seed, none is missing.
    assert!(drawn.iter().all(|&count| count > 0), "{drawn:?}");
}

#[test]
fn a_search_gives_the_same_with_and_without_a_cache() {
    for orientation in [Orientation::Same, Orientation::Random { seed: 3 }] {
        let network = tic_tac_toe().orientation(orientation);
        let run = |network: Network<TicTacToe>| {
            let mut search = Mcts::new(TicTacToe::new())
                .tree_policy(Puct::default())
                .rollout_policy(Evaluate::new(network))
                .window(8);
            let report = search.run(Budget::iterations(400)).unwrap();
            report.actions.iter().map(|action| (action.visits, action.mean.to_bits())).collect::<Vec<_>>()
        };
        let expected = run(network.clone());
        let without = network.counts();
        assert_eq!(without.cached, 0);
        for entries in [1, 7, 5000] {
            // A clone with a cache of its own, and counts that it shares.
            let before = network.counts();
            let cached = network.clone().cache(entries);
            assert_eq!(run(cached.clone()), expected, "{entries} entries");
            let after = cached.counts();
            let (evaluated, hits) = (after.evaluated - before.evaluated, after.cached - before.cached);
            assert_eq!(evaluated + hits, without.evaluated);
            assert!(entries < 5000 || hits > 20, "{hits} hits");
        }
    }
}

#[test]
fn another_orientation_empties_the_cache() {
    let states = [TicTacToe::new()];
    let plain = tic_tac_toe().cache(100);
    let _ = evaluate(&plain, &states);
    let average = plain.clone().orientation(Orientation::Average);
    assert_ne!(evaluate(&average, &states), evaluate(&plain, &states));
    assert_eq!(
        evaluate(&average, &states),
        evaluate(&tic_tac_toe().orientation(Orientation::Average), &states)
    );
}

#[test]
fn other_sizes_of_batches_empty_the_cache() {
    let states = [TicTacToe::new()];
    let plain = tic_tac_toe().cache(100);
    let _ = evaluate(&plain, &states);
    // The clone shares the cache until it is compiled for other batches, which may round differently.
    let others = plain.clone().batch_sizes(&[8]).unwrap();
    let _ = evaluate(&others, &states);
    assert_eq!((plain.counts().evaluated, plain.counts().cached), (2, 0));
    let _ = evaluate(&plain, &states);
    assert_eq!((plain.counts().evaluated, plain.counts().cached), (2, 1));
}

#[test]
fn a_file_may_fix_the_size_of_its_batches() {
    let linear = Linear::random(&[2, 6, 7], 7, 1, "Tanh", 3);
    let mut fixed = linear.model();
    let graph = fixed.graph.as_mut().unwrap();
    graph.input[0] = crate::models::value("planes", &[4, 2, 6, 7]);
    let fixed = Network::from_bytes(&fixed.encode_to_vec(), &Connect4::new()).unwrap();
    let network = Network::from_bytes(&linear.bytes(), &Connect4::new()).unwrap();
    let states = random_states(&Connect4::new(), 9, 1);
    assert_eq!(evaluate(&fixed, &states), evaluate(&network, &states));
    assert!(matches!(fixed.batch_sizes(&[8]), Err(LoadError::BatchSizes { fixed: Some(4), .. })));
}

#[test]
fn sizes_of_batches_out_of_range_are_refused() {
    for sizes in [&[][..], &[0], &[1, 4097]] {
        match tic_tac_toe().batch_sizes(sizes) {
            Err(LoadError::BatchSizes { found, fixed: None }) => assert_eq!(found, sizes),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn networks_and_errors_may_go_to_other_threads() {
    fn check<T: Send + Sync + std::fmt::Debug + 'static>() {}
    check::<Network<TicTacToe>>();
    check::<LoadError>();
    check::<ramure_nets::EvaluationError>();
}
