# Sourced by harness/bench: what a kill costs, by its trigger and its fault. Uses its functions and
# variables: row, ratio_row, fail, $work, $runs, $release_folder.
# shellcheck shell=bash disable=SC2154

# One way to kill a line: its name, and the options of kill-test that make it. The others are set
# beside the first one.
kill_arms=(
    "bytes|--trigger bytes"
    "time|--trigger time"
    "phase|--trigger phase --stratify"
    "syscall|--trigger syscall"
    "abort|--trigger bytes --fault abort"
    "power-cut|--trigger bytes --fault power-cut"
    "power-cut-torn|--trigger bytes --fault power-cut-torn"
)

# So many iterations share a run's own costs, such as measuring an uninterrupted run.
iterations_per_run=50

# Seconds of one iteration for each way, and how many times those of the first way they are.
measure_iterations() {
    local arm name options first='' first_median='' median least most
    for arm in "${kill_arms[@]}"; do
        name=${arm%%|*}
        read -ra options <<<"${arm#*|}"
        rm -rf "$work/run"
        if ! "$release_folder/rig" kill-test --iterations 1 --quiet --out "$work/run" \
            "${options[@]}" >/dev/null 2>"$work/arm.log"; then
            echo "iteration: $name is not measured: $(head -1 "$work/arm.log")" >&2
            continue
        fi
        hyperfine --shell=none --style none --warmup 1 --runs "$runs" \
            --prepare "rm -rf $work/run" --export-csv "$work/iterations.csv" \
            --command-name "$name" "$release_folder/rig kill-test --quiet --out $work/run \
                --iterations $iterations_per_run ${arm#*|}" >&2
        # Of the whole run, divided by its iterations.
        read -r median least most < <(awk -F, -v n="$iterations_per_run" '
            NR > 1 { printf "%.4f %.4f %.4f\n", $4 / n, $7 / n, $8 / n }' "$work/iterations.csv")
        row iteration "$name" "$runs" "$median" "$least" "$most" s
        if [[ -z $first ]]; then
            first=$name
            first_median=$median
        else
            ratio_row iteration "$name : $first" "$runs" "$median" "$first_median"
        fi
    done
    rm -rf "$work/run"
}
