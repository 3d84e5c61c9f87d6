#!/bin/sh
# Starts a Redis server and a client that stores two hundred keys, and says each that was answered.
#
#   redis.sh FOLDER always|everysec
#
# always syncs each key before it is answered; everysec once in a second.
set -eu
cd "$1"
rm -f redis.sock
redis-server --port 0 --unixsocket redis.sock --dir . --save '' --appendonly yes \
    --appendfsync "$2" --logfile redis.log &
server=$!
until [ "$(redis-cli -s redis.sock ping 2>/dev/null)" = PONG ]; do
    # One that does not start again has been harmed.
    kill -0 "$server" 2>/dev/null || exit 1
    sleep 0.01
done
seq 1 200 | sed 's/.*/SET key:& &/' | stdbuf -oL redis-cli -s redis.sock |
    awk '$0 != "OK" { exit 1 } { print NR; fflush() }'
redis-cli -s redis.sock shutdown nosave || true
wait "$server"
