# Sourced by harness/bench: how fast the downloader fetches and stores a video, compared with other
# programs and with the limits of the machine. Uses its functions and variables:
# start_nginx_with_video, rows_of_times, ratio_row, median_of, $work, $url, $runs, …
# shellcheck shell=bash disable=SC2154

# Prints what runs before each timed run: it empties the folder, and syncs what the last run wrote.
ingest_prepare() { echo "bash -c 'rm -rf $work/in && mkdir $work/in && sync -f $work'"; }

# Measures one video from one origin: nginx, which serves it to all from the page cache.
measure_ingest() {
    has_nginx || return 0
    start_nginx_with_video
    local fetch="$release_folder/downloader fetch --quiet --cache $work/in --url $video_url"
    local storage subjects=() other loop=$work/recv-write
    cc -O2 -o "$loop" "$root/harness/lib/bench-recv-write.c"
    for storage in file rows; do
        subjects+=(--command-name "$storage" "$fetch --storage $storage --threshold 512KB")
        subjects+=(--command-name "$storage disabled"
            "$fetch --storage $storage --threshold disabled")
    done
    hyperfine --shell=none --style none --warmup 1 --runs "$runs" \
        --prepare "$(ingest_prepare)" --export-csv "$work/ingest.csv" "${subjects[@]}" \
        --command-name recv-write "$loop $nginx_port video.mp4 $work/in/loop" \
        --command-name "recv-write of saves" \
        "$loop $nginx_port video.mp4 $work/in/loop 16384 524288" \
        --command-name "file over TLS" "${fetch/http:*/$video_tls_url} --ca-file $work/nginx.pem" \
        --command-name "curl over TLS" \
        "curl -s -f --cacert $work/nginx.pem -o $work/in/curl $video_tls_url" \
        --command-name wget "wget -q -O $work/in/wget $video_url" \
        --command-name curl "curl -s -f -o $work/in/curl $video_url" \
        --command-name aria2c "aria2c -q --file-allocation=none -d $work/in -o aria2 $video_url" \
        --command-name dd "dd if=$work/www/video.mp4 of=$work/in/dd bs=512K status=none" \
        --command-name memory-copy "dd if=$work/www/video.mp4 of=/dev/null bs=512K status=none" >&2
    rows_of_times ingest-1GB "$work/ingest.csv"
    for storage in file rows; do
        for other in "$storage disabled" wget curl aria2c dd; do
            speed_ratio ingest-1GB "$storage" "$other" "$work/ingest.csv"
        done
    done
    speed_ratio ingest-1GB file recv-write "$work/ingest.csv"
    speed_ratio ingest-1GB file "recv-write of saves" "$work/ingest.csv"
    speed_ratio ingest-1GB "file over TLS" "curl over TLS" "$work/ingest.csv"
    processor_ratio ingest-1GB file recv-write "$work/ingest.csv"
    processor_ratio ingest-1GB file "recv-write of saves" "$work/ingest.csv"
    processor_ratio ingest-1GB "file over TLS" "curl over TLS" "$work/ingest.csv"
    measure_ingest_to_disk
    stop_nginx
    rm -rf "$work/www" "$work/in"
}

# Measures commits that must survive a power cut, compared with a dd that waits for the disk after
# every 512 KB, and with a cache's waits alone: for a row after its bytes, for both at once, and
# both twice as often, as with two buffers of half a threshold.
measure_ingest_to_disk() {
    local floor="python3 $root/harness/lib/bench-commit-floor.py $work/www/video.mp4 $work/in"
    local fetch="$release_folder/downloader fetch --quiet --cache $work/in --url $video_url"
    local storage subject subjects=()
    for storage in file rows; do
        subjects+=(--command-name "$storage" "$fetch --storage $storage --durability power")
    done
    hyperfine --shell=none --style none --warmup 1 --runs "$runs" \
        --prepare "$(ingest_prepare)" --export-csv "$work/power.csv" "${subjects[@]}" \
        --command-name dd-dsync \
        "dd if=$work/www/video.mp4 of=$work/in/dd bs=512K oflag=dsync status=none" \
        --command-name "waits alone" "$floor 524288 two" \
        --command-name "waits at once" "$floor 524288 both" \
        --command-name "waits of halves" "$floor 262144 two" \
        --command-name "waits of halves at once" "$floor 262144 both" >&2
    rows_of_times ingest-1GB-power "$work/power.csv"
    for subject in file rows "waits alone" "waits at once" "waits of halves" \
        "waits of halves at once"; do
        speed_ratio ingest-1GB-power "$subject" dd-dsync "$work/power.csv"
    done
}

# Adds the speed of a subject relative to another: benchmark, subject, other, hyperfine's CSV.
speed_ratio() {
    ratio_row "$1" "$2 : $3" "$runs" "$(median_of "$4" "$3")" "$(median_of "$4" "$2")"
}

# Adds how much processor time a subject takes relative to another: benchmark, subject, other,
# hyperfine's CSV.
processor_ratio() {
    ratio_row "$1" "$2 : $3 processor" "$runs" "$(processor_of "$4" "$2")" "$(processor_of "$4" "$3")"
}

# Prints the mean processor time that hyperfine measured: its CSV, name of the command.
processor_of() { awk -F, -v name="$2" '$1 == name { print $5 + $6 }' "$1"; }

# Prints the peak memory of a command in bytes.
peak_memory() {
    if [[ $OSTYPE == darwin* ]]; then
        /usr/bin/time -l "$@" 2>&1 >/dev/null | awk '/maximum resident set size/ { print $1 }'
    else
        "$(type -P time)" -f %M -o "$work/memory" "$@" >/dev/null 2>"$work/memory.log" || {
            cat "$work/memory.log" >&2
            fail 70 "$1 failed; its messages are above"
        }
        awk '{ print $1 * 1024 }' "$work/memory"
    fi
}

# Measures the downloader's peak memory in MB of 1024 × 1024 bytes, for each layout and video size.
measure_memory() {
    local storage size attempt middle least most
    for size in 10MB 1GB 8GB; do
        start_origin "$size"
        for storage in file rows; do
            : >"$work/peaks"
            for ((attempt = 0; attempt < runs; attempt++)); do
                rm -rf "$work/in"
                peak_memory "$release_folder/downloader" fetch --quiet --cache "$work/in" \
                    --url "$url" --storage "$storage" >>"$work/peaks"
            done
            read -r middle least most _ < <(summary_of "$work/peaks" 9.5367431640625e-7)
            row "peak-rss-$size" "$storage" "$runs" "$middle" "$least" "$most" MB
        done
        stop_origin
        rm -rf "$work/in"
    done
}
