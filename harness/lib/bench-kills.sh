# Sourced by harness/bench: what a kill costs, by its trigger and its fault. Uses its functions and
# variables: start_origin, row, ratio_row, speed_ratio, fail, $work, $runs, $release_folder.
# shellcheck shell=bash disable=SC2154

# Measures a hundred kills: the default kind with one job and with two, with the bytes in rows, of
# curl as a program of one's own, and in a shell script with curl, kill -9, curl -C - and cmp.
measure_kills() {
    local kills="$release_folder/rig kill-test --iterations 100 --quiet --out $work/run"
    start_origin 10MB
    curl -s -f -o "$work/reference" "$url" || fail 70 "curl cannot fetch $url"
    hyperfine --shell=none --style none --warmup 1 --runs "$runs" \
        --prepare "bash -c 'rm -rf $work/run $work/loop && mkdir $work/loop'" \
        --export-csv "$work/kills.csv" \
        --command-name "jobs-1" "$kills" \
        --command-name "jobs-2" "$kills --jobs 2" \
        --command-name "jobs-1 rows" "$kills --set storage=rows" \
        --command-name "jobs-2 rows" "$kills --set storage=rows --jobs 2" \
        --command-name "own-program" "$kills -- curl -sS -C - -o {output} {url}" \
        --command-name "shell-loop" \
        "bash $root/harness/lib/bench-shell-loop.sh $url $work/reference $work/loop 100" >&2
    stop_origin
    rows_of_times 100-kills "$work/kills.csv"
    speed_ratio 100-kills jobs-2 jobs-1 "$work/kills.csv"
    speed_ratio 100-kills "jobs-2 rows" "jobs-1 rows" "$work/kills.csv"
    local subject
    for subject in jobs-1 jobs-2 "jobs-1 rows" "jobs-2 rows" own-program; do
        speed_ratio 100-kills "$subject" shell-loop "$work/kills.csv"
    done
    rm -rf "$work/run" "$work/loop"
}

# One way to kill per line: its name, and its options of kill-test. The others are compared with the
# first one.
kill_arms=(
    "bytes|--trigger bytes"
    "time|--trigger time"
    "phase|--trigger phase --stratify"
    "syscall|--trigger syscall"
    "abort|--trigger bytes --fault abort"
    "power-cut|--trigger bytes --fault power-cut"
    "power-cut-torn|--trigger bytes --fault power-cut-torn"
)

# Iterations per run, which share the run's own costs, such as measuring an uninterrupted run.
iterations_per_run=50

# Measures the seconds of one iteration for each way to kill, and their ratio to the first way.
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
        # The time of the whole run, divided by its iterations.
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
