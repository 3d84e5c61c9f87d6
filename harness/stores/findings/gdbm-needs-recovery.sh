#!/bin/bash
# A program that writes to dbm.gnu is killed by SIGKILL: the next one gets "Database needs recovery" at
# its first write, and so does the call that rewrites the file. Prints how many kills it took.
folder=$(mktemp -d)
writer='import dbm.gnu, itertools, sys
store = dbm.gnu.open(sys.argv[1], "c")
for n in itertools.count(): store[str(n)] = bytes(32768)'
for ((kill = 1; kill <= 500; kill++)); do
    rm -f "$folder/store"
    /usr/bin/python3 -c "$writer" "$folder/store" & sleep "0.1$((RANDOM % 10))"; kill -9 $!; wait $! 2>/dev/null
    /usr/bin/python3 -c 'import dbm.gnu, sys; dbm.gnu.open(sys.argv[1], "c")["0"] = b""' "$folder/store" \
        2>"$folder/said" || { echo "after $kill kills:"; tail -1 "$folder/said"; break; }
done
/usr/bin/python3 -c 'import dbm.gnu, sys; dbm.gnu.open(sys.argv[1], "c").reorganize()' "$folder/store" 2>&1 | tail -1
rm -rf "$folder"; ((kill <= 500)) || { echo "not shown"; exit 1; }
