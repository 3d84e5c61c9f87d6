#!/usr/bin/env bash
# One task of an array job, which carries out its part of a run. harness/slurm/submit queues it.
#
#   sbatch --array=1-N harness/slurm/kill-test.sh RIG N DIR <options of kill-test>
#
# The task's number is the part's number, so a single part can be queued again: --array=3. A task
# that is queued again (after a failed node, preemption or scontrol requeue) continues where it was.
# A task whose part exists already does nothing.
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

# Prints the plan's digest, from the output of rig plan or from a manifest.
digest_in() { sed -n 's/^  "plan_digest" *: *"\([0-9a-f]*\)",$/\1/p'; }
# Prints the words of the command that began a run, from its manifest.
words_in() { sed -n '/^  "command" : \[$/,/^  \]/s/^    "\(.*\)",\{0,1\}$/\1/p'; }
# Drops the backslashes that JSON may have added to words.
bare() { tr -d "\\\\"; }

# True if this command began the unfinished part, for this plan. A part of another run must not be
# finished instead.
is_of_this_run() { # its folder
    local manifest=$1/manifest.json
    [[ -n $digest && $(digest_in <"$manifest") == "$digest" ]] &&
        [[ $(words_in <"$manifest" | bare) == "$(printf '%s\n' rig "${command[@]}" | bare)" ]]
}

command=(kill-test --partition "slice:$part/$count" --out "$folder" "$@")
if ((${SLURM_RESTART_COUNT:-0} > 0)); then
    # A video that has to be fetched first has no plan yet: its part is run from the beginning.
    digest=$("$rig" plan --json --partition "slice:$part/$count" "$@" 2>/dev/null | digest_in) ||
        digest=
    for unfinished in "$folder/.part-$part-of-$count."*.partial; do
        [[ -e $unfinished/manifest.json ]] || continue
        if ! is_of_this_run "$unfinished"; then
            echo "kill-test.sh: $unfinished is of another run and stays as it is" >&2
            continue
        fi
        # A part that cannot be resumed is run from the beginning.
        if "$rig" resume "$unfinished"; then break; fi
    done
fi
# Also checks that a resumed part is the requested one.
exec "$rig" "${command[@]}"
