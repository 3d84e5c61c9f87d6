#!/bin/bash
# A download is killed, and another file is fetched to the same place: six programs go on in what is
# left of the first, and end with success. nginx serves both, slowly, to this machine only.
folder=$(mktemp -d) && chmod 711 "$folder" && cd "$folder" && mkdir a b && export no_proxy=127.0.0.1
head -c 12M /dev/urandom >a/video.mp4; head -c 12M /dev/urandom >b/video.mp4
echo "user root; daemon off; pid $folder/pid; events {} http { access_log off; server { listen
    127.0.0.1:8899; root $folder; limit_rate 2m; types { video/mp4 mp4; } } }" >conf
nginx -e "$folder/log" -c "$folder/conf" & server=$!; sleep 1
start() { mkdir -p "$name" && cd "$name" && eval "exec ${get/URL/http://127.0.0.1:8899/$1/video.mp4}"; }
unlike() { echo "$(cmp -l "$name/video.mp4" "$1/video.mp4" | wc -l) of 12582912 bytes are not the $2's"; }
for get in "curl -qsOC - URL" "wget -qc URL" "wget2 -qc URL" "lftp --norc -c 'get -c URL'" \
    "gallery-dl -qD . -f video.mp4 URL" "yt-dlp --ignore-config -qo video.mp4 URL"; do
    name=${get%% *}; start a & sleep 4; kill -9 $!; wait $! 2>/dev/null
    (start b); echo "$name: exit code $?, $(unlike a first), $(unlike b second)"
done; kill $server; rm -rf "$folder"
