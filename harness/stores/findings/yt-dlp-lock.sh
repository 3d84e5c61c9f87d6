#!/bin/bash
# Two of today's yt-dlp at the same time on one file: the second finds it locked, and writes all the same.
# Which of the two ends with an error may change. nginx serves it, slowly, to this machine only.
export PYTHONPATH=.build/harness/downloaders/yt-dlp-2026.10.26 no_proxy=127.0.0.1 # harness/setup --workers
folder=$(mktemp -d) && chmod 711 "$folder" && head -c 12M /dev/urandom >"$folder/video.mp4"
echo "user root; daemon off; pid $folder/pid; events {} http { access_log off; server { listen
    127.0.0.1:8899; root $folder; limit_rate 2m; types { video/mp4 mp4; } } }" >"$folder/conf"
nginx -e "$folder/log" -c "$folder/conf" & server=$!; sleep 1
get=(/usr/bin/python3 -Sm yt_dlp --ignore-config --no-cache-dir --fixup never -q -o "$folder/got" http://127.0.0.1:8899/video.mp4)
"${get[@]}" & until [ "$(stat -c %s "$folder/got.part" 2>/dev/null || echo 0)" -gt 2000000 ]; do sleep 0.1; done
kill -9 $!; wait $! 2>/dev/null
"${get[@]}" & one=$!; sleep 1; "${get[@]}" & two=$!
wait $one; echo "the first ended with exit code $?"; wait $two; echo "the second ended with exit code $?"
echo "$(stat -c %s "$folder/got") bytes of 12582912, $(cmp -l "$folder/got" "$folder/video.mp4" 2>/dev/null | wc -l) differ"
cmp -s "$folder/got" "$folder/video.mp4"; shown=$?; kill $server; rm -rf "$folder"; ((shown)) || { echo "not shown"; exit 1; }
