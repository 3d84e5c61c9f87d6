#!/usr/bin/env bash
# One task of an array job: carries out its part of a run. harness/slurm/submit queues it.
#
#   sbatch --array=1-N harness/slurm/kill-test.sh RIG N DIR <options of kill-test>
#
# The task's number is the part's, so that a part can be queued again alone: --array=3. A task that
# is queued again (a node that failed, preemption, scontrol requeue) goes on where it was; one whose
# part is there already does nothing.
#
# Exit codes: those of rig kill-test; 64 outside of an array job.
#SBATCH --job-name=rig
#SBATCH --requeue
set -euo pipefail

if (($# < 3)) || [[ -z ${SLURM_ARRAY_TASK_ID-} ]]; then
    echo "kill-test.sh: this is a task of an array job; queue it with harness/slurm/submit" >&2
    exit 64
fi
rig=$1 count=$2 folder=$3
shift 3
part=$SLURM_ARRAY_TASK_ID

if ((${SLURM_RESTART_COUNT:-0} > 0)); then
    for unfinished in "$folder/.part-$part-of-$count."*.partial; do
        [[ -e $unfinished/manifest.json ]] || continue
        # What cannot be gone on with is run anew.
        if "$rig" resume "$unfinished"; then break; fi
    done
fi
# Whatever was gone on with is checked to be the part that is asked for.
exec "$rig" kill-test --partition "slice:$part/$count" --out "$folder" "$@"
