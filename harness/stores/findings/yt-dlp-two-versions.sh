#!/bin/bash
# Today's yt-dlp, killed, goes on with another version of the file: half of each, and exit code 0.
# nginx serves the file, slowly, to this machine only.
export PYTHONPATH=.build/harness/downloaders/yt-dlp-2026.10.26 no_proxy=127.0.0.1 # harness/setup --workers
folder=$(mktemp -d) && chmod 711 "$folder" && head -c 12M /dev/urandom >"$folder/video.mp4"
echo "user root; daemon off; pid $folder/pid; events {} http { access_log off; server { listen
    127.0.0.1:8899; root $folder; limit_rate 2m; types { video/mp4 mp4; } } }" >"$folder/conf"
nginx -e "$folder/log" -c "$folder/conf" & server=$!; sleep 1
get=(/usr/bin/python3 -Sm yt_dlp --ignore-config --no-cache-dir --fixup never -q -o "$folder/got" http://127.0.0.1:8899/video.mp4)
"${get[@]}" & until [ "$(stat -c %s "$folder/got.part" 2>/dev/null || echo 0)" -gt 2000000 ]; do sleep 0.1; done
kill -9 $!; wait $! 2>/dev/null
mv "$folder/video.mp4" "$folder/old"; head -c 12M /dev/urandom >"$folder/video.mp4"
"${get[@]}"; code=$?; echo "the second yt-dlp ended with exit code $code"
for one in old video.mp4; do unlike=$(cmp -l "$folder/got" "$folder/$one" | wc -l); ((unlike)) || code=1
    echo "$unlike of 12582912 bytes are not those of $one"; done
kill $server; rm -rf "$folder"; ((code == 0)) || { echo "not shown"; exit 1; }
