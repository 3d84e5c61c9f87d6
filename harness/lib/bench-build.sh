# Sourced by harness/bench: measures builds, and the way from a clone to a verdict. Uses its
# functions and variables: row, $root, $work, $release_folder, release_flags.
# shellcheck shell=bash disable=SC2154

# Prints how many seconds a command takes; its output goes to a log.
seconds_of() {
    local began
    began=$(date +%s.%N)
    "$@" >"$work/build.log" 2>&1 </dev/null || {
        cat "$work/build.log" >&2
        fail 70 "$* failed; its messages are above"
    }
    awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { printf "%.2f", b - a }'
}

# Measures the steps of a release build from empty caches: each dependency, with what it needs that
# was not built before, then the project.
measure_build() {
    local name names step took
    git clone --quiet "$root" "$work/clone"
    step=(swift build "${release_flags[@]}" --package-path "$work/clone"
        --cache-path "$work/cache")
    took=$(seconds_of swift package --package-path "$work/clone" --cache-path "$work/cache" resolve)
    row build fetching 1 "$took" "" "" s
    names=$(used_targets)
    for name in $names; do
        took=$(seconds_of "${step[@]}" --target "$name")
        row build "$name" 1 "$took" "" "" s
    done
    took=$(seconds_of "${step[@]}")
    row build the-project 1 "$took" "" "" s
    rm -rf "$work/clone" "$work/cache"
}

# Prints the dependencies' targets that the project uses, one per line.
used_targets() {
    swift package --package-path "$work/clone" describe --type json | python3 -c '
import json, sys
targets = json.load(sys.stdin)["targets"]
names = {name for target in targets for name in target.get("product_dependencies", [])
         if target["type"] != "test"}
# Only the headers of an installed SQLite: nothing to build.
print("\n".join(sorted(names - {"GRDBSQLite"})))
'
}

# Measures from a clone and empty caches to the verdict of ten kills; then a start with nothing to
# build.
measure_fresh() {
    local began=$SECONDS attempt middle least most
    git clone --quiet "$root" "$work/clone"
    (cd "$work/clone" && XDG_CACHE_HOME="$work/cache" harness/rig kill-test --iterations 10)
    row start clone-to-first-verdict 1 "$((SECONDS - began))" "" "" s
    : >"$work/starts"
    for ((attempt = 0; attempt < runs; attempt++)); do
        seconds_of "$work/clone/harness/rig" --version >>"$work/starts"
        echo >>"$work/starts"
    done
    read -r middle least most _ < <(summary_of "$work/starts" 1)
    row start second-start "$runs" "$middle" "$least" "$most" s
    rm -rf "$work/clone" "$work/cache"
}
