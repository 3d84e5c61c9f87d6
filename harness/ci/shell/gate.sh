#!/usr/bin/env bash
# An example of a gate for any CI system that runs a shell: Jenkins, Buildkite, cron. Kills the
# reference downloader, keeps the run folder, and reports the verdict by its exit code.
#
#   harness/ci/shell/gate.sh [OPTIONS OF RIG KILL-TEST]
#   harness/ci/shell/gate.sh audit [OPTIONS OF RIG AUDIT]
#
# The run is in $RUN_FOLDER, or ./kill-test if that is not set: junit.xml for a test report,
# report.html for people, iterations.csv or audit.json for programs. It must be a new folder: if a job keeps its
# workspace, set RUN_FOLDER=kill-test-$BUILD_NUMBER or similar.
#
# Exit codes: 0 pass; 1 the worker loses more than it may; 2 undecided: run more iterations or look
# at the machine; any other is the rig's own and there is no verdict, such as 64 if the folder
# belongs to an earlier run.
set -euo pipefail

script=$(readlink -f -- "${BASH_SOURCE[0]}")
root=${script%/harness/ci/shell/gate.sh}
# shellcheck source=harness/lib/help.sh
source "$root/harness/lib/help.sh"
folder=${RUN_FOLDER:-kill-test}

command=kill-test
if [[ ${1-} == audit ]]; then
    command=audit
    shift
fi

was_there=false
if [[ -e $folder/manifest.json || -e $folder/audit.json ]]; then was_there=true; fi
status=0
"$root/harness/rig" "$command" --out "$folder" "$@" || status=$?

case $status in
0) echo "kill test: pass" ;;
99)
    echo "kill test: FAIL, see $folder/report.html" >&2
    exit 1
    ;;
97 | 98)
    echo "kill test: undecided, which is no pass; see $folder/report.html" >&2
    exit 2
    ;;
*)
    echo "kill test: the rig could not do its work (exit $status)" >&2
    if [[ $was_there == true ]]; then
        echo "kill test: what is in $folder, junit.xml too, is of an earlier run and says nothing of" \
            "this one; move it away, or name a new folder with RUN_FOLDER" >&2
    fi
    exit "$status"
    ;;
esac
