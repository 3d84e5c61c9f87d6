#!/bin/bash
# A disk that is full for a moment: wget2 goes on behind what it could not write, and "-c" then ends with success. Where
# only the end did not fit, the first call does. Python serves, to this machine only; the disk is a tmpfs, needing root.
export no_proxy=127.0.0.1
folder=$(mktemp -d) && cd "$folder" && mkdir disk && head -c 12M /dev/urandom >whole
mount -t tmpfs -o size=5m tmpfs disk || { echo "not shown"; exit 1; }
python3 -c 'import http.server, time; whole = open("whole", "rb").read()
class Pauses(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        start = int((self.headers["Range"] or "bytes=0-")[6:].split("-")[0]); self.send_response(206 if start else 200)
        start and self.send_header("Content-Range", f"bytes {start}-{len(whole) - 1}/{len(whole)}")
        self.send_header("Content-Type", "video/mp4"); self.send_header("Content-Length", len(whole) - start); self.end_headers()
        pause = len(whole) - 2**16 if self.path == "/end" else 8 * 2**20
        self.wfile.write(whole[start:pause]); time.sleep(1); self.wfile.write(whole[max(start, pause):])
http.server.HTTPServer(("127.0.0.1", 8900), Pauses).serve_forever()' 2>log & server=$!; sleep 1
(sleep 0.5; mount -o remount,size=40m disk) & wget2 --no-config -q -P disk http://127.0.0.1:8900/moment; codes=$?; wait $!
wget2 --no-config -qc -P disk http://127.0.0.1:8900/moment; codes+=", $?"
echo "full for a moment: exit codes $codes, $(stat -c %s disk/moment) bytes of 12582912"; cmp disk/moment whole && codes=right
rm disk/moment && mount -o remount,size=$((12 * 1024 - 32))k disk
wget2 --no-config -q -P disk http://127.0.0.1:8900/end; codes+=", $?"
echo "full at the end: exit code ${codes##* }, $(stat -c %s disk/end) bytes of 12582912"; cmp disk/end whole && codes=right
kill $server; umount disk; cd / && rm -rf "$folder"; [[ $codes == "3, 0, 0" ]] || { echo "not shown"; exit 1; }
