#!/bin/bash
# lftp's `pget -c`, killed in its first 10 s: the next `pget -c` ends with success, and what the
# killed connections had not brought is zeros. nginx serves the file, slowly, to this machine only.
folder=$(mktemp -d) && chmod 711 "$folder" && head -c 20M /dev/urandom >"$folder/video"
echo "user root; daemon off; pid $folder/pid; events {} http { access_log off; server { listen
    127.0.0.1:8899; root $folder; limit_rate 1m; } }" >"$folder/conf"
nginx -e "$folder/log" -c "$folder/conf" & server=$!; sleep 1
get=(lftp --norc -c "pget -c -n 4 http://127.0.0.1:8899/video -o $folder/got")
"${get[@]}" & until [ "$(stat -c %s "$folder/got" 2>/dev/null || echo 0)" -gt 2000000 ]; do sleep 0.1; done
kill -9 $!; wait $! 2>/dev/null
"${get[@]}"; code=$?; echo "the second pget ended with exit code $code"
wrong=$(cmp -l "$folder/video" "$folder/got" | wc -l); echo "$wrong of $(stat -c %s "$folder/got") bytes are wrong"
kill $server; rm -rf "$folder"; ((code == 0 && wrong > 0)) || { echo "not shown"; exit 1; }
