#!/bin/sh
# Checks the keys of redis.sh: the server starts, and has every key whose storing was answered.
#
#   check-redis.sh FOLDER SAID
#
# Exit codes: 0 all is there; 1 something is not, and the last line says what.
set -u
said=$(realpath "$2") && cd "$1" || exit 2
rm -f check.sock
redis-server --port 0 --unixsocket check.sock --dir . --save '' --appendonly yes \
    --logfile check.log &
server=$!
trap 'kill $server 2>/dev/null; wait $server; rm -f check.sock' EXIT
until [ "$(redis-cli -s check.sock ping 2>/dev/null)" = PONG ]; do
    if ! kill -0 "$server" 2>/dev/null; then
        echo "the server does not start: $(tail -n 1 check.log)"
        exit 1
    fi
    sleep 0.01
done
sed 's/.*/GET key:&/' "$said" | redis-cli -s check.sock | paste - "$said" | awk '
    $1 != $2 { lost++ }
    END {
        if (lost) print lost " keys are gone whose storing was answered"
        exit lost > 0
    }'
