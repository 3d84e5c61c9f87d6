#!/bin/bash
# pypdl with overwrite=False, killed while it writes under the final name: the next start takes what is there
# for the whole file. nginx serves it to this machine only, as it comes, and with a header that it leaves out.
export PYTHONPATH=.build/harness/downloaders/pypdl-1.5.7 # harness/setup --workers
shown=0; folder=$(mktemp -d) && chmod 711 "$folder" && head -c 400M /dev/urandom >"$folder/video"
echo "user root; daemon off; pid $folder/pid; events {} http { access_log off; server { listen 127.0.0.1:8899;
    location /plain { alias $folder; } location /ranges { alias $folder; add_header Accept-Ranges bytes; } } }" >"$folder/conf"
nginx -e "$folder/log" -c "$folder/conf" & server=$!; sleep 1
get=(/usr/bin/python3 -Sc "import sys, pypdl; get = pypdl.Pypdl(); url = 'http://127.0.0.1:8899' + sys.argv[1]
get.start(url, sys.argv[2], display=False, overwrite=False); sys.exit(bool(get.failed))")
for from in plain ranges; do one=("${get[@]}" "/$from/video" "$folder/$from")
    "${one[@]}" & until [[ -s $folder/$from ]]; do :; done; kill -9 $!; wait $! 2>/dev/null
    "${one[@]}"; code=$?; cmp -s "$folder/$from" "$folder/video" || ((code)) || shown=$((shown + 1))
    echo "/$from: exit code $code, $(stat -c %s "$folder/$from") of $(stat -c %s "$folder/video") bytes"; done
kill $server; rm -rf "$folder"; ((shown == 2)) || { echo "not shown"; exit 1; }
