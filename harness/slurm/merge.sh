#!/usr/bin/env bash
# The job that waits for all parts, merges them and judges the run. harness/slurm/submit queues it.
#
#   sbatch --dependency=afterany:JOB harness/slurm/merge.sh RIG N DIR [options of merge]
#                                                           [-- options of kill-test]
#
# With the options of kill-test, every part in DIR must belong to that run, so the verdict cannot be
# about another run that is in DIR. Without them, any run that is there is judged.
#
# Exit codes: those of rig merge, such as 97 when a part is missing; 65 also when a part in DIR
# belongs to another run.
#SBATCH --job-name=rig-merge
#SBATCH --requeue
set -euo pipefail

if (($# < 3)); then
    echo "merge.sh: give the rig, the number of parts and their folder" >&2
    exit 64
fi
rig=$1 count=$2 folder=$3
shift 3
merge=("$rig" merge "$folder" --expect "$count")
while (($# > 0)) && [[ $1 != -- ]]; do
    merge+=("$1")
    shift
done
if (($# > 0)); then
    shift
    # For a part that exists, this only compares the options and runs nothing. harness/lib/parts.sh
    # cannot be sourced: Slurm runs a copy of this file, which does not know the repository's path.
    for ((part = 1; part <= count; part++)); do
        [[ ! -e $folder/part-$part-of-$count ]] ||
            "$rig" kill-test --partition "slice:$part/$count" --out "$folder" "$@" </dev/null >/dev/null
    done
fi
exec "${merge[@]}"
