#!/bin/bash
# git update-ref, killed by SIGKILL, leaves refs/….lock behind: every later update of that reference
# fails until someone removes the file. Prints how many kills it took.
folder=$(mktemp -d)
git init --quiet --bare "$folder"
blob=$(git -C "$folder" hash-object -w --stdin <<<"a block")
for ((kill = 1; kill <= 2000; kill++)); do
    git -C "$folder" update-ref refs/blocks/1 "$blob" & sleep "0.00$((RANDOM % 5))$((RANDOM % 10))"
    kill -9 $! 2>/dev/null; wait $! 2>/dev/null
    git -C "$folder" update-ref -d refs/blocks/1 2>"$folder/said" || {
        echo "after $kill kills:"; head -2 "$folder/said"; break
    }
done
rm -rf "$folder"; ((kill <= 2000)) || { echo "not shown"; exit 1; }
