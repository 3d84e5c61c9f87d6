#!/usr/bin/env bash
# The script that one would write without the rig: curl is killed at random moments, resumes with
# -C -, and cmp compares the file.
#
#   bench-shell-loop.sh URL REFERENCE FOLDER ITERATIONS [SEED]
#
# URL is that of a running `rig serve`, REFERENCE the file that it serves, FOLDER is for the
# downloads. Moments are uniform in the time of an uninterrupted download, which is measured first.
# So the loop has a run's kills by the clock, but none by bytes, which a shell cannot place. It
# checks less than the rig does: nothing is examined between the kill and the relaunch.
#
# Exit codes: 0 every file was right; 1 a file was wrong; 64 usage; otherwise that of a failed curl.
set -euo pipefail

if (($# < 4 || $# > 5)); then
    echo "usage: bench-shell-loop.sh URL REFERENCE FOLDER ITERATIONS [SEED]" >&2
    exit 64
fi
url=$1 reference=$2 folder=$3 iterations=$4
RANDOM=${5:-1}
file=$folder/video
# A pipe without a writer: reading from it with a timeout sleeps without starting a process.
exec {silence}<> <(:)

pause() { IFS= read -r -t "$1" -u "$silence" || true; }

# The time of the shortest of five downloads, in microseconds.
unit=
for _ in 1 2 3 4 5; do
    rm -f "$file"
    began=${EPOCHREALTIME/[.,]/}
    curl -sS -o "$file" "$url"
    took=$((${EPOCHREALTIME/[.,]/} - began))
    if [[ -z $unit ]] || ((took < unit)); then unit=$took; fi
done

for ((number = 1; number <= iterations; number++)); do
    rm -f "$file"
    curl -sS -o "$file" "$url" &
    child=$!
    # Two draws of 15 bits.
    moment=$((unit * (RANDOM * 32768 + RANDOM) / (32768 * 32768)))
    pause "$(printf '%d.%06d' $((moment / 1000000)) $((moment % 1000000)))"
    kill -9 "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
    # If the file is complete already, curl fails with code 33, or with 22 for a 416.
    curl -sS -C - -o "$file" "$url" 2>/dev/null || cmp -s "$file" "$reference"
    cmp -s "$file" "$reference" || {
        echo "bench-shell-loop.sh: iteration $number: $file is not $reference" >&2
        exit 1
    }
done
