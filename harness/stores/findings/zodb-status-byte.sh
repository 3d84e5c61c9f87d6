#!/bin/bash
# What a power cut can leave of the transaction that ZODB was committing: the length and the status byte of
# a whole one, and zeros where a sector is missing. No kill is needed: the script writes the zeros itself.
folder=$(mktemp -d)
export PYTHONPATH=${PYTHONPATH-.build/harness/stores/zodb-6.4} # of harness/setup --stores
store='import sys, transaction, ZODB; root = ZODB.DB(sys.argv[1] + "/s").open().root()'
/usr/bin/python3 -c "$store; root['old'] = 'kept'; transaction.commit()" "$folder"
header=$(stat -c %s "$folder/s")
/usr/bin/python3 -c "$store; root['new'] = b'x' * 100000; transaction.commit()" "$folder"
shown=0; for missing in 51200 "$header"; do # a sector inside the new value, then the rest of the one with the header
    dd if=/dev/zero of="$folder/s" bs=1 seek="$missing" count=$((512 - missing % 512)) conv=notrunc status=none
    /usr/bin/python3 -c "$store; print(root['old'], root['new'].count(b'x'))" "$folder" >"$folder/said" 2>&1
    tail -1 "$folder/said"; grep -q "^kept 99488$\|CorruptedTransactionError" "$folder/said" && shown=$((shown + 1))
done
rm -rf "$folder"; ((shown == 2)) || { echo "not shown"; exit 1; }
