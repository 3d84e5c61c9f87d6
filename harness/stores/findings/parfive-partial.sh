#!/bin/bash
# parfive, killed: the next start takes the part that is there for the whole file, and ends with success.
# nginx serves the file, slowly, to this machine only.
folder=$(mktemp -d) && chmod 711 "$folder" && head -c 20M /dev/urandom >"$folder/video"
echo "user root; daemon off; pid $folder/pid; events {} http { access_log off; server { listen
    127.0.0.1:8899; root $folder; limit_rate 1m; } }" >"$folder/conf"
nginx -e "$folder/log" -c "$folder/conf" & server=$!; sleep 1
get=(parfive --no-progress --directory "$folder/got" http://127.0.0.1:8899/video)
"${get[@]}" & until [ "$(stat -c %s "$folder/got/video" 2>/dev/null || echo 0)" -gt 2000000 ]; do sleep 0.1; done
kill -9 $!; wait $! 2>/dev/null
"${get[@]}"; code=$?; echo "the second parfive ended with exit code $code"
wrong=$(cmp -l "$folder/video" "$folder/got/video" | wc -l); echo "$wrong of $(stat -c %s "$folder/got/video") bytes are wrong"
kill $server; rm -rf "$folder"; ((code == 0 && wrong > 0)) || { echo "not shown"; exit 1; }
