#!/usr/bin/env bash
# The job that waits for all parts, joins them and judges the run. harness/slurm/submit queues it.
#
#   sbatch --dependency=afterany:JOB harness/slurm/merge.sh RIG N DIR [options of merge]
#
# Exit codes: those of rig merge, 97 among them when a part is missing.
#SBATCH --job-name=rig-merge
#SBATCH --requeue
set -euo pipefail

if (($# < 3)); then
    echo "merge.sh: give the rig, the number of parts and their folder" >&2
    exit 64
fi
rig=$1 count=$2 folder=$3
shift 3
exec "$rig" merge "$folder" --expect "$count" "$@"
