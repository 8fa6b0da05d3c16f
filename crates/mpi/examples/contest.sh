#!/usr/bin/env bash
#SBATCH --job-name=ramure-contest
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=08:00:00
# 64 games at a time: one rank for each node, and one game for each core. If the time runs out, submit it again: it goes on
# with the games that are missing. Submit it with `sbatch contest.sh`.
set -euo pipefail
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" ramure-mpi compare hex:9 mcts:20000,c=0.2 mcts:20000,c=0.4 --games 20000 --openings 2 --threads "$SLURM_CPUS_PER_TASK" \
  --results contest.jsonl --resume --csv contest.csv
