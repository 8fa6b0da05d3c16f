#!/usr/bin/env bash
#SBATCH --job-name=ramure
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=00:10:00
# One rank for each node, and one thread with one tree for each core. Submit it with `sbatch slurm.sh`.
set -euo pipefail
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" ramure-mpi search connect4 --time 60000 --threads "$SLURM_CPUS_PER_TASK"
