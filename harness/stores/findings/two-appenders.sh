#!/bin/bash
# Two `curl -C -` (or `wget -c`) at the same time on one file: both append what is missing, both end
# with success, and the file is too long. nginx serves it, slowly, to this machine only.
shown=0; folder=$(mktemp -d) && chmod 711 "$folder" && head -c 8M /dev/urandom >"$folder/video"
echo "user root; daemon off; pid $folder/pid; events {} http { access_log off; server { listen
    127.0.0.1:8899; root $folder; limit_rate 2m; } }" >"$folder/conf"
nginx -e "$folder/log" -c "$folder/conf" & server=$!; sleep 1
for get in "curl --silent --continue-at - --output" "wget --quiet --continue --output-document"; do
    got=$folder/${get%% *}
    $get "$got" http://127.0.0.1:8899/video & until [ "$(stat -c %s "$got" 2>/dev/null || echo 0)" -gt 2000000 ]; do sleep 0.1; done
    kill -9 $!; wait $! 2>/dev/null
    $get "$got" http://127.0.0.1:8899/video & one=$!; $get "$got" http://127.0.0.1:8899/video & wait $one $!; code=$?
    echo "$get: exit code $code, $(stat -c %s "$got") bytes of 8388608, $(cmp -l "$got" "$folder/video" 2>/dev/null | wc -l) differ"
    cmp -s "$got" "$folder/video" || ((code)) || shown=$((shown + 1))
done
kill $server; rm -rf "$folder"; ((shown == 2)) || { echo "not shown"; exit 1; }
