#!/bin/bash
# Berkeley DB makes a database as __db.NAME and renames it. SIGKILL in between leaves __db.NAME, and every
# later open waits 100 seconds and fails. Prints how many kills it took, and what the next open says.
folder=$(mktemp -d)
maker='import bsddb3, os, sys
while True:
    bsddb3.btopen(sys.argv[1], "c").close(); os.remove(sys.argv[1])'
for ((kill = 1; kill <= 500; kill++)); do
    /usr/bin/python3 -c "$maker" "$folder/store.db" & sleep "0.2$((RANDOM % 10))"; kill -9 $!; wait $! 2>/dev/null
    [ -e "$folder/__db.store.db" ] && { echo "after $kill kills: $(ls "$folder")"; SECONDS=0; break; }
done
/usr/bin/python3 -c 'import bsddb3, sys; bsddb3.btopen(sys.argv[1], "c")' "$folder/store.db" >"$folder/said" 2>&1; code=$?
tail -1 "$folder/said"; echo "the next open took $SECONDS s"
rm -rf "$folder"; ((kill <= 500 && code != 0)) || { echo "not shown"; exit 1; }
