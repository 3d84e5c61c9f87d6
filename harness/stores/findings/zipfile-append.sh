#!/bin/bash
# A zip archive to which Python appends cannot be read if the writer is killed before it closes it.
folder=$(mktemp -d)
python3 -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as archive: archive.writestr("old", "kept for years")' "$folder/a.zip"
python3 -c 'import sys, time, zipfile
archive = zipfile.ZipFile(sys.argv[1], "a")
archive.writestr("new", bytes(100000))
archive.fp.flush()
print("added", flush=True)
time.sleep(60)' "$folder/a.zip" >"$folder/said" & until [ -s "$folder/said" ]; do :; done
kill -9 $!; wait $! 2>/dev/null
python3 -c 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).namelist())' "$folder/a.zip" >"$folder/said" 2>&1; code=$?
tail -1 "$folder/said"; rm -rf "$folder"; ((code)) || { echo "not shown"; exit 1; }
