#!/bin/bash
# A download is killed, and another file is fetched to the same place: six programs go on in what is
# left of the first, and end with success. nginx serves both, slowly, to this machine only.
shown=0; folder=$(mktemp -d) && chmod 711 "$folder" && cd "$folder" && mkdir a b && export no_proxy=127.0.0.1
head -c 12M /dev/urandom >a/video.mp4; head -c 12M /dev/urandom >b/video.mp4
echo "user root; daemon off; pid $folder/pid; events {} http { access_log off; server { listen
    127.0.0.1:8899; root $folder; limit_rate 2m; types { video/mp4 mp4; } } }" >conf
nginx -e "$folder/log" -c "$folder/conf" & server=$!; sleep 1
start() { mkdir -p "$name" && cd "$name" && eval "exec ${get/URL/http://127.0.0.1:8899/$1/video.mp4}"; }
unlike() { cmp -l "$name/video.mp4" "$1/video.mp4" | wc -l; }
brought() { du -sB1M --apparent-size "$name" 2>/dev/null | cut -f1; }
for get in "curl -qsOC - URL" "wget -qc URL" "wget2 -qc URL" "lftp --norc -c 'get -c URL'" \
    "gallery-dl -qD . -f video.mp4 URL" "yt-dlp --ignore-config -qo video.mp4 URL"; do
    name=${get%% *}; start a & until (($(brought) >= 4)); do sleep 0.1; done; kill -9 $!; wait $! 2>/dev/null
    (start b); code=$?; first=$(unlike a); second=$(unlike b); ((code || !first || !second)) || shown=$((shown + 1))
    echo "$name: exit code $code, $first of 12582912 bytes are not the first's, $second of 12582912 bytes are not the second's"
done; kill $server; rm -rf "$folder"; ((shown == 6)) || { echo "not shown by $((6 - shown)) of 6"; exit 1; }
