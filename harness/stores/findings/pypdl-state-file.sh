#!/bin/bash
# pypdl as it comes, killed between the creation of its state file and the first write to it: every later
# start ends with an error. strace kills it there; nginx serves the file, to this machine only.
export PYTHONPATH=.build/harness/downloaders/pypdl-1.5.7 # harness/setup --workers
folder=$(mktemp -d) && chmod 711 "$folder" && head -c 20M /dev/urandom >"$folder/video"
echo "user root; daemon off; pid $folder/pid; events {} http { access_log off; server { listen
    127.0.0.1:8899; root $folder; add_header Accept-Ranges bytes; } }" >"$folder/conf"
nginx -e "$folder/log" -c "$folder/conf" & server=$!; sleep 1
get=(/usr/bin/python3 -Sc "import sys, pypdl; get = pypdl.Pypdl(logger=pypdl.pypdl.utils.logging.getLogger('get'))
get.start('http://127.0.0.1:8899/video', sys.argv[1], display=False); sys.exit(bool(get.failed))" "$folder/got")
strace -f -qq -o /dev/null -P "$folder/got.json" -e inject=write:signal=KILL "${get[@]}" 2>/dev/null
shown=0
for i in 2 3; do "${get[@]}" 2>&1 | tail -1; code=${PIPESTATUS[0]}; ((code == 0)) || shown=$((shown + 1))
    echo "start $i of pypdl ended with exit code $code"; done
kill $server; rm -rf "$folder"; ((shown == 2)) || { echo "not shown"; exit 1; }
