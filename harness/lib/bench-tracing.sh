# Sourced by harness/bench: how much tracing slows a worker. Uses its functions and variables:
# start_origin, stop_origin, rows_of_times, ratio_row, median_of, $work, $url, $runs, …
# shellcheck shell=bash disable=SC2154

# Adds rows for a fetch alone, with its calls counted by the tracer, and with them recorded, too.
# The goal is that counting takes less than 5 times as long.
measure_tracing() {
    start_origin 10MB
    local fetch="$release_folder/downloader fetch --cache $work/traced --url $url"
    local trace="$release_folder/rig trace --report $work/trace.json --under $work/traced"
    hyperfine --shell=none --style none --warmup 1 --runs "$runs" \
        --prepare "bash -c 'rm -rf $work/traced && mkdir $work/traced'" \
        --export-csv "$work/tracing.csv" \
        --command-name alone "$fetch" \
        --command-name traced "$trace -- $fetch" \
        --command-name recorded "$trace --record $work/trace.log -- $fetch" >&2
    stop_origin
    rows_of_times fetch-10MB "$work/tracing.csv"
    local how
    for how in traced recorded; do
        ratio_row fetch-10MB "$how : alone" "$runs" \
            "$(median_of "$work/tracing.csv" "$how")" "$(median_of "$work/tracing.csv" alone)"
    done
}
