# Sourced by harness/bench: what a kill of a store costs, and a state that a modelled power cut can
# leave of one. Uses its functions and variables: row, summary_of, fail, $work, $root,
# $release_folder.
# shellcheck shell=bash disable=SC2154

# Prints the profiles of stores that are libraries: no servers, and not git, which is many programs.
embedded_stores() {
    local profile
    for profile in "$root"/harness/stores/profiles/*.yml; do
        if ! grep -qE 'store_(etcd|git|postgres|redis)\.py' "$profile"; then
            basename "$profile" .yml
        fi
    done
}

# Measures the seconds per kill of each store, in each way in which the survey kills them.
measure_store_kills() {
    local fault names
    mapfile -t names < <(embedded_stores)
    for fault in sigkill power-cut power-cut-torn; do
        "$root/harness/survey" --kills 10 --faults "$fault" --out "$work/survey-$fault" \
            "${names[@]}" >/dev/null || echo "store-kill: some stores are not installed" >&2
        python3 - "$work/survey-$fault/rows.csv" >"$work/store-kill" <<'PY'
import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    if row["seconds"]:  # empty for a store that is not installed
        print(float(row["seconds"]) / (int(row["kills"]) + int(row["left_out"])))
PY
        row_of_stores store-kill "$fault" "$work/store-kill"
    done
}

# Adds a row of the stores' median, least and most: benchmark, subject, file of seconds.
row_of_stores() {
    local middle least most count
    [[ -s $3 ]] || fail 69 "no store is installed; run harness/setup --stores"
    read -r middle least most count < <(summary_of "$3" 1)
    row "$1" "$2" "$count" "$middle" "$least" "$most" s
}

# Measures the seconds per state of a modelled power cut: what 20 states per kill take more than
# one, divided by how many more were tried.
measure_store_states() {
    local name states began seconds tried
    : >"$work/store-state"
    while read -r name; do
        : >"$work/states"
        for states in 1 20; do
            rm -rf "$work/run"
            began=$(date +%s.%N)
            (cd "$root" && "$release_folder/rig" kill-test --no-config --quiet --jobs 4 --seed 7 \
                --worker "harness/stores/profiles/$name.yml" --fault power-cut-torn \
                --video-size 4MB --trigger bytes --iterations 8 --states "$states" \
                --out "$work/run") >/dev/null 2>"$work/states.log" || true
            seconds=$(awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
            tried=$(awk -F, 'NR > 1 { tried += $NF } END { print tried + 0 }' \
                "$work/run/iterations.csv" 2>/dev/null || echo 0)
            echo "$seconds $tried" >>"$work/states"
        done
        # A store of which each kill had a finding in its first state has no further ones.
        awk '{ seconds = $1 - seconds; tried = $2 - tried }
            END { if (tried > 0) print seconds / tried }' "$work/states" >>"$work/store-state"
    done < <(embedded_stores)
    row_of_stores store-state power-cut-torn "$work/store-state"
    rm -rf "$work/run"
}

measure_stores() {
    measure_store_kills
    measure_store_states
}
