#!/usr/bin/env bash
# An example of a gate for any continuous integration that runs a shell: Jenkins, Buildkite, cron.
# Kills the reference downloader, keeps the run folder, and says by its exit code what follows.
#
#   harness/ci/shell/gate.sh [OPTIONS OF RIG KILL-TEST]
#
# The run lies in $RUN_FOLDER, ./kill-test where that is not set: junit.xml for a test report,
# report.html for people, iterations.csv for everybody else.
#
# Exit codes: 0 pass; 1 the worker loses more than it may; 2 it could not be said, run more
# iterations or look at the machine; any other: the rig's own, nothing was found out.
set -euo pipefail

script=$(readlink -f -- "${BASH_SOURCE[0]}")
root=${script%/harness/ci/shell/gate.sh}
folder=${RUN_FOLDER:-kill-test}

status=0
"$root/harness/rig" kill-test --out "$folder" --iterations 100 \
    --gate 'violations == 0' --gate 'corrupt_bytes == 0' "$@" || status=$?

case $status in
0) echo "kill test: pass" ;;
99)
    echo "kill test: FAIL, see $folder/report.html and $folder/evidence" >&2
    exit 1
    ;;
97 | 98)
    echo "kill test: undecided, which is no pass; see $folder/summary.md" >&2
    exit 2
    ;;
*)
    echo "kill test: the rig could not do its work (exit $status)" >&2
    exit "$status"
    ;;
esac
