"""Plays games of self-play with OpenSpiel's AlphaZero, to compare their number per second with that of `ramure-nets train`.

    pip install open_spiel jax flax optax orbax-checkpoint chex
    python openspiel.py [games] [simulations]

The network is as large as the default of `ramure-nets train connect4`: a residual tower, 4 blocks of 32 filters. One process plays,
as each actor of OpenSpiel does. The first game compiles the network and does not count.
"""

import sys
import tempfile
import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms.alpha_zero import alpha_zero
from open_spiel.python.algorithms.alpha_zero import evaluator as evaluator_lib


class Silent:
    def print(self, *_):
        pass

    opt_print = print


def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    simulations = int(sys.argv[2]) if len(sys.argv) > 2 else 32
    game = pyspiel.load_game("connect_four")
    with tempfile.TemporaryDirectory() as folder:
        config = alpha_zero.Config(
            game="connect_four", path=folder, learning_rate=0.001, weight_decay=1e-4, decouple_weight_decay=True,
            train_batch_size=256, replay_buffer_size=1000, replay_buffer_reuse=4, max_steps=1, checkpoint_freq=1,
            actors=1, evaluators=0, evaluation_window=1, eval_levels=1, uct_c=1.25, max_simulations=simulations,
            policy_alpha=1, policy_epsilon=0.25, temperature=1, temperature_drop=15, nn_model="resnet", nn_width=32,
            nn_depth=4, observation_shape=game.observation_tensor_shape(), output_size=game.num_distinct_actions(),
            verbose=False, quiet=True,
        )
        evaluator = evaluator_lib.AlphaZeroEvaluator(game, alpha_zero._init_model_from_config(config))
        bots = [alpha_zero._init_bot(config, game, evaluator, False) for _ in range(2)]
        np.random.seed(1)

        def play(number):
            return len(alpha_zero._play_game(Silent(), number, game, bots, 1, 15).states)

        play(0)
        start = time.perf_counter()
        actions = sum(play(number) for number in range(1, games + 1))
        seconds = time.perf_counter() - start
        print(f"{games} games of {actions / games:.1f} actions in {seconds:.1f} s: {games / seconds:.3f} games per second, "
              f"{actions * simulations / seconds:.0f} simulations per second")


main()
