#!/bin/bash
# A server begins its 206 1000 bytes before the range, and says so in Content-Range: wget2 appends it, yt-dlp takes it
# for the whole file, and both end with success. Python serves, to this machine only; the parts are what a kill leaves.
export PYTHONPATH=$PWD/.build/harness/downloaders/yt-dlp-2026.10.26 no_proxy=127.0.0.1 # harness/setup --workers
folder=$(mktemp -d) && cd "$folder" && head -c 12M /dev/urandom >whole && head -c 7M whole | tee video.mp4 >yt-dlp.part
python3 -c 'import http.server; whole = open("whole", "rb").read()
class Early(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        start = int((self.headers["Range"] or "bytes=1000-")[6:].split("-")[0]) - 1000; self.send_response(206 if start else 200)
        self.send_header("Content-Type", "video/mp4"); self.send_header("Content-Length", len(whole) - start)
        start and self.send_header("Content-Range", f"bytes {start}-{len(whole) - 1}/{len(whole)}"); self.end_headers(); self.wfile.write(whole[start:])
http.server.HTTPServer(("127.0.0.1", 8899), Early).serve_forever()' 2>log & server=$!; sleep 1
wget2 -qc http://127.0.0.1:8899/video.mp4; one=$?
echo "wget2: exit code $one, $(stat -c %s video.mp4) bytes of 12582912"; cmp video.mp4 whole && one=1
get=(/usr/bin/python3 -Sm yt_dlp --ignore-config --no-cache-dir --fixup never -qo yt-dlp http://127.0.0.1:8899/video.mp4)
"${get[@]}"; two=$?; echo "yt-dlp: exit code $two, $(stat -c %s yt-dlp) bytes of 12582912"; cmp -s yt-dlp whole && two=1
kill $server; rm -rf "$folder"; ((one == 0 && two == 0)) || { echo "not shown"; exit 1; }
