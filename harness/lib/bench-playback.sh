# Sourced by harness/bench: how fast the proxy serves what is cached. Uses its functions and
# variables: start_origin, start_nginx_with_video, stop_process, row, ratio_row, rows_of_times, …
# shellcheck shell=bash disable=SC2154

proxy=

stop_proxy() {
    stop_process "$proxy"
    proxy=
}

# Starts the proxy on a cache folder; sets $player to the address that plays $url, and
# $ready_seconds to the time from its launch to its address.
start_proxy() { # folder, more options
    local began address encoded
    : >"$work/address"
    began=$(date +%s.%N)
    "$release_folder/downloader" proxy --cache "$1" --capacity 100GB "${@:2}" </dev/null \
        >"$work/address" 2>"$work/proxy.log" &
    proxy=$!
    until IFS= read -r address <"$work/address"; do
        kill -0 "$proxy" 2>/dev/null || {
            cat "$work/proxy.log" >&2
            fail 69 "downloader proxy ended; its messages are above"
        }
        sleep 0.001
    done
    ready_seconds=$(awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { printf "%.4f", b - a }')
    encoded=${url//:/%3A}
    player="$address/play?url=${encoded//\//%2F}"
}

# Adds a row, in milliseconds, for the seconds in a file, one per line.
row_of_milliseconds() { # benchmark, subject, file of seconds
    local middle least most count
    read -r middle least most count < <(summary_of "$3" 1000)
    row "$1" "$2" "$count" "$middle" "$least" "$most" ms
}

# Measures a cache with chunks of 16 KB, the smallest possible: 100,000 of them are 1.6 GB.
measure_large_cache() {
    local storage=$1 folder="$work/large" attempt
    rm -rf "$folder"
    start_origin 1600MB
    "$release_folder/downloader" fetch --quiet --cache "$folder" --url "$url" --storage "$storage" \
        --threshold 16KB --allow-small-threshold
    stop_origin
    : >"$work/opening"
    for ((attempt = 0; attempt < runs; attempt++)); do
        start_proxy "$folder"
        echo "$ready_seconds" >>"$work/opening"
        stop_proxy
    done
    row_of_milliseconds open-100k-chunks "$storage" "$work/opening"
    start_proxy "$folder"
    : >"$work/hits"
    for ((attempt = 0; attempt < 100; attempt++)); do
        # Positions all over the video, in an order that read-ahead cannot predict.
        local position=$((attempt * 7919 % 1600 * 1048576 + attempt * 4099))
        curl -s -f -o /dev/null -r "$position-$((position + 1023))" \
            -w '%{time_starttransfer}\n' "$player" >>"$work/hits"
    done
    stop_proxy
    row_of_milliseconds hit-first-byte "$storage" "$work/hits"
    rm -rf "$folder"
}

# Measures what a player waits for the first byte of 2 MB that are not cached: from the origin
# itself, through the proxy, and through one that saves nothing before a request ends.
measure_misses() {
    local subject attempt position
    start_origin 1600MB
    for subject in origin 512KB disabled; do
        player=$url
        if [[ $subject != origin ]]; then
            start_proxy "$work/misses" --threshold "$subject"
            # What is known about the video costs the first request a second one.
            curl -s -f -o /dev/null -r 0-1023 "$player"
        fi
        : >"$work/misses.times"
        for ((attempt = 0; attempt < 100; attempt++)); do
            # No two of them overlap, and none lies just behind another.
            position=$(((attempt * 37 % 100 * 16 + 4) * 1048576))
            curl -s -f -o /dev/null -r "$position-$((position + 2097151))" \
                -w '%{time_starttransfer}\n' "$player" >>"$work/misses.times"
        done
        if [[ $subject != origin ]]; then stop_proxy; fi
        row_of_milliseconds miss-first-byte "$subject" "$work/misses.times"
        rm -rf "$work/misses"
    done
    stop_origin
}

# Measures the same file from the proxy's cache and from nginx; both are in the page cache.
measure_hit_throughput() {
    local subjects=() storage
    has_nginx || return 0
    start_nginx_with_video
    url=$video_url
    for storage in rows file; do
        rm -rf "$work/hit-$storage"
        "$release_folder/downloader" fetch --quiet --cache "$work/hit-$storage" --url "$url" \
            --storage "$storage"
    done
    subjects+=(--command-name nginx "curl -s -f -o /dev/null $video_url")
    hyperfine --shell=none --style none --warmup 1 --runs "$runs" \
        --export-csv "$work/hit-nginx.csv" "${subjects[@]}" >&2
    rows_of_times hit-1GB "$work/hit-nginx.csv"
    for storage in rows file; do
        start_proxy "$work/hit-$storage"
        hyperfine --shell=none --style none --warmup 1 --runs "$runs" \
            --export-csv "$work/hit-$storage.csv" \
            --command-name "$storage" "curl -s -f -o /dev/null $player" >&2
        stop_proxy
        rows_of_times hit-1GB "$work/hit-$storage.csv"
        ratio_row hit-1GB "$storage : nginx" "$runs" \
            "$(median_of "$work/hit-nginx.csv" nginx)" \
            "$(median_of "$work/hit-$storage.csv" "$storage")"
    done
    stop_nginx
    rm -rf "$work/www" "$work/hit-rows" "$work/hit-file"
}

# Writes how many answers a second 50 clients get, and the 99th percentile of their waits in
# milliseconds, to files of that name; each client asks for 64 KB of a 1 GB video, anywhere in it,
# again and again for five seconds.
ask_with_many_clients() { # address, name
    local attempt answers wait
    cat >"$work/ask.lua" <<'LUA'
request = function()
    local first = math.random(0, 16383) * 65536
    return wrk.format("GET", nil, { ["Range"] = "bytes=" .. first .. "-" .. (first + 65535) })
end
done = function(summary, latency)
    local failed = summary.errors.connect + summary.errors.read + summary.errors.write
        + summary.errors.status + summary.errors.timeout
    if failed > 0 or summary.bytes < summary.requests * 65536 then os.exit(70) end
    io.write(string.format("figures %.1f %.4f\n", summary.requests / summary.duration * 1e6,
        latency:percentile(99) / 1e6))
end
LUA
    : >"$work/$2.rate"
    : >"$work/$2.wait"
    for ((attempt = 0; attempt < runs; attempt++)); do
        wrk -t1 -c50 -d5s -s "$work/ask.lua" "$1" >"$work/wrk" ||
            fail 70 "wrk got wrong answers from $1"
        read -r _ answers wait < <(grep '^figures ' "$work/wrk")
        echo "$answers" >>"$work/$2.rate"
        echo "$wait" >>"$work/$2.wait"
    done
}

# Prints the proxy's memory in MB of 1024 × 1024 bytes.
proxy_memory() { awk '/^VmRSS:/ { printf "%.2f", $2 / 1024 }' "/proc/$proxy/status"; }

# Measures many players that ask for small ranges of a cached video, and the same from nginx; and
# whether the proxy's memory is the same afterwards.
measure_many_clients() {
    local name middle least most before after rates=()
    has_nginx || return 0
    type -P wrk >/dev/null || {
        echo "wrk is not here, so nothing is measured with many clients; install wrk" >&2
        return 0
    }
    start_nginx_with_video
    url=$video_url
    "$release_folder/downloader" fetch --quiet --cache "$work/clients" --url "$url"
    ask_with_many_clients "$video_url" nginx
    start_proxy "$work/clients"
    curl -s -f -o /dev/null -r 0-65535 "$player"
    before=$(proxy_memory)
    ask_with_many_clients "$player" file
    after=$(proxy_memory)
    stop_proxy
    for name in nginx file; do
        read -r middle least most _ < <(summary_of "$work/$name.rate" 1)
        row many-clients "$name" "$runs" "$middle" "$least" "$most" /s
        rates+=("$middle")
        row_of_milliseconds many-clients "$name 99%" "$work/$name.wait"
    done
    ratio_row many-clients "file : nginx" "$runs" "${rates[1]}" "${rates[0]}"
    row many-clients "memory before" 1 "$before" "" "" MB
    row many-clients "memory after" 1 "$after" "" "" MB
    stop_nginx
    rm -rf "$work/www" "$work/clients"
}
