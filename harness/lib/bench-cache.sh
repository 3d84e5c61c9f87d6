# Sourced by harness/bench: the parts of the cache by themselves, by the package harness/benchmarks.
# Uses its functions and variables: row, fail, $work, $root.
# shellcheck shell=bash disable=SC2154

# Adds a row for each of its benchmarks: microseconds, of as many measurements as it took.
measure_cache() {
    mkdir "$work/cache"
    (
        cd "$root/harness/benchmarks"
        swift package --disable-sandbox benchmark --no-progress --format influx \
            --path "$work/cache"
    ) >"$work/cache.log" 2>&1 || {
        cat "$work/cache.log" >&2
        fail 70 "the benchmarks of the cache failed; their messages are above"
    }
    python3 "$root/harness/lib/bench-cache-rows.py" "$work"/cache/*.csv >"$work/cache.rows" ||
        fail 70 "the benchmarks of the cache wrote nothing that can be read"
    local subject count middle least most
    while IFS=$'\t' read -r subject count middle least most; do
        row cache "$subject" "$count" "$middle" "$least" "$most" us
    done <"$work/cache.rows"
}
