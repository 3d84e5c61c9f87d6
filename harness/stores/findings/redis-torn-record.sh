#!/bin/bash
# What a power cut can leave of the record that Redis was writing: a longer file, and zeros in its new part.
# Redis does not start again. No kill is needed: the script appends the zeros itself.
folder=$(mktemp -d)
redis() { timeout 20 redis-server --port 0 --unixsocket "$folder/r.sock" --dir "$folder" --save "" \
    --appendonly yes --appendfsync always; }
redis >/dev/null & until redis-cli -s "$folder/r.sock" ping; do sleep 0.1; done >/dev/null 2>&1
redis-cli -s "$folder/r.sock" set key value
redis-cli -s "$folder/r.sock" shutdown; wait
truncate -s +512 "$folder"/appendonlydir/*.incr.aof
redis | grep -i "append only"; shown=$?
rm -rf "$folder"; ((shown == 0)) || { echo "not shown"; exit 1; }
