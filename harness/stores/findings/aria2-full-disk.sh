#!/bin/bash
# The disk becomes full while aria2 downloads, and it ends with 9, as it should. Then there is room again: each later start
# ends with 1, because its state file is empty. Python serves, to this machine only; the disk is a tmpfs, which needs root.
export no_proxy=127.0.0.1
folder=$(mktemp -d) && cd "$folder" && mkdir disk served && head -c 12M /dev/urandom >served/video.mp4
mount -t tmpfs -o size=7m tmpfs disk || { echo "not shown"; exit 1; }
python3 -c 'import http.server; http.server.test(http.server.SimpleHTTPRequestHandler, port=8897, bind="127.0.0.1")' >log 2>&1 & server=$!; sleep 1
get=(aria2c --no-conf -q -c --file-allocation=none -d disk http://127.0.0.1:8897/served/video.mp4)
"${get[@]}"; codes=$?; mount -o remount,size=40m disk
echo "the state file has $(stat -c %s disk/video.mp4.aria2) bytes"
for _ in 1 2 3; do "${get[@]}"; codes+=", $?"; done
echo "aria2: exit codes $codes, $(stat -c %s disk/video.mp4) bytes of 12582912"
kill $server; umount disk; cd / && rm -rf "$folder"; [[ $codes == "9, 1, 1, 1" ]] || { echo "not shown"; exit 1; }
