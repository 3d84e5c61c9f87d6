# Sourced by harness/bench: measures parts of the cache, with the package harness/benchmarks.
# Uses its functions and variables: row, fail, $work, $root.
# shellcheck shell=bash disable=SC2154

# Adds a row for each benchmark of the package, in microseconds; n is the number of measurements.
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
