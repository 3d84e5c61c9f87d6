# Sourced by harness/bench: what a state costs that a modelled power cut can leave of a store. What a
# kill costs is in the survey's record. Uses its functions and variables: row, summary_of, fail,
# $work, $root, $release_folder.
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

# Measures the seconds per state of a modelled power cut: what 20 states per kill take more than
# one, divided by how many more were tried.
measure_stores() {
    local name states began seconds tried middle least most count
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
    [[ -s $work/store-state ]] || fail 69 "no store is installed; run harness/setup --stores"
    read -r middle least most count < <(summary_of "$work/store-state" 1)
    row store-state power-cut-torn "$count" "$middle" "$least" "$most" s
    rm -rf "$work/run"
}
