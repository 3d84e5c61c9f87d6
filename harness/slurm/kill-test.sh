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

# Prints the plan's digest, of what rig plan says or of a manifest.
digest_in() { sed -n 's/^  "plan_digest" *: *"\([0-9a-f]*\)",$/\1/p'; }
# Prints the words of the command that began a run, of its manifest.
words_in() { sed -n '/^  "command" : \[$/,/^  \]/s/^    "\(.*\)",\{0,1\}$/\1/p'; }
# Drops what JSON may have added to words.
bare() { tr -d "\\\\"; }

# Whether an unfinished part was begun with this command and is of this plan: another one's must not
# be finished in its place.
is_of_this_run() { # its folder
    local manifest=$1/manifest.json
    [[ -n $digest && $(digest_in <"$manifest") == "$digest" ]] &&
        [[ $(words_in <"$manifest" | bare) == "$(printf '%s\n' rig "${command[@]}" | bare)" ]]
}

command=(kill-test --partition "slice:$part/$count" --out "$folder" "$@")
if ((${SLURM_RESTART_COUNT:-0} > 0)); then
    # A video that is yet to be fetched has no plan before: its part is begun anew.
    digest=$("$rig" plan --json --partition "slice:$part/$count" "$@" 2>/dev/null | digest_in) ||
        digest=
    for unfinished in "$folder/.part-$part-of-$count."*.partial; do
        [[ -e $unfinished/manifest.json ]] || continue
        if ! is_of_this_run "$unfinished"; then
            echo "kill-test.sh: $unfinished is of another run and stays as it is" >&2
            continue
        fi
        # What cannot be gone on with is run anew.
        if "$rig" resume "$unfinished"; then break; fi
    done
fi
# Whatever was gone on with is checked to be the part that is asked for.
exec "$rig" "${command[@]}"
