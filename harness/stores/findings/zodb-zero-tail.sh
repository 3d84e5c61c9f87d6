#!/bin/bash
# What a power cut can leave of the transaction that ZODB was committing: a longer file, and zeros in its new
# part. ZODB cuts the zeros off, and that start fails all the same; the next one succeeds. No kill is needed.
folder=$(mktemp -d)
export PYTHONPATH=${PYTHONPATH-.build/harness/stores/zodb-6.4} # of harness/setup --stores
store='import sys, transaction, ZODB; root = ZODB.DB(sys.argv[1] + "/s").open().root()'
/usr/bin/python3 -c "$store; root['key'] = 'kept'; transaction.commit()" "$folder"
truncate -s +512 "$folder/s"
for start in first second; do
    /usr/bin/python3 -c "$store; print(root['key'])" "$folder" >"$folder/$start" 2>&1; echo "$start start: $(tail -1 "$folder/$start")"
done
grep -q ReadConflictError "$folder/first" && grep -q kept "$folder/second"; shown=$?
rm -rf "$folder"; ((shown == 0)) || { echo "not shown"; exit 1; }
