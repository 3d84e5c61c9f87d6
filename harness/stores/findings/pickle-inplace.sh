#!/bin/bash
# A pickle that is written over the old one is lost whole if its writer is killed meanwhile.
folder=$(mktemp -d)
writer='import pickle, sys
while True:
    with open(sys.argv[1], "wb") as file: pickle.dump({n: bytes(32768) for n in range(500)}, file)
    print("saved", flush=True)'
for ((kill = 1; kill <= 500; kill++)); do
    python3 -c "$writer" "$folder/store" >"$folder/saved" & until [ -s "$folder/saved" ]; do :; done
    sleep "0.0$((RANDOM % 100))"; kill -9 $!; wait $! 2>/dev/null
    python3 -c 'import pickle, sys; pickle.load(open(sys.argv[1], "rb"))' "$folder/store" 2>"$folder/said" ||
        { echo "after $kill kills:"; tail -1 "$folder/said"; break; }
done
rm -rf "$folder"; ((kill <= 500)) || { echo "not shown"; exit 1; }
