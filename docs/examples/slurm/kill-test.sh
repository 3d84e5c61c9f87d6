#!/usr/bin/env bash
# A task of a Slurm array job. It makes one part of a run; the task's number is the part's number.
#
#   sbatch --array=1-N kill-test.sh N DIR OPTIONS OF RIG KILL-TEST, --seed among them
#
# DIR is a folder of this run alone, on a file system that every node has. RIG names another rig
# than the one in PATH. A task that is queued again (after a failed node, preemption or scontrol
# requeue) continues where it was; one whose part exists already does nothing.
#
# Exit codes: those of rig kill-test; 64 outside of an array job.
#SBATCH --job-name=rig
#SBATCH --requeue
set -euo pipefail

if (($# < 3)) || [[ -z ${SLURM_ARRAY_TASK_ID-} ]]; then
    echo "say: sbatch --array=1-N kill-test.sh N DIR OPTIONS OF RIG KILL-TEST" >&2
    exit 64
fi
rig=${RIG:-rig} count=$1 folder=$2
shift 2
part=$SLURM_ARRAY_TASK_ID

for unfinished in "$folder/.part-$part-of-$count."*.partial; do
    # A part that cannot be resumed is made from the beginning.
    if [[ -e $unfinished/manifest.json ]] && "$rig" resume "$unfinished"; then break; fi
done
# For a part that exists, this compares its options and runs nothing.
exec "$rig" kill-test --partition "slice:$part/$count" --out "$folder" "$@"
