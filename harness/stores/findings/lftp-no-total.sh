#!/bin/bash
# A server answers a range by a 206 whose Content-Range has no total, "bytes 7340032-12582911/*", as RFC 9110 allows:
# lftp takes what it gets for the whole file, and ends with success. Python serves, to this machine only.
export no_proxy=127.0.0.1
folder=$(mktemp -d) && cd "$folder" && head -c 12M /dev/urandom >whole && head -c 7M whole >video.mp4
python3 -c 'import http.server; whole = open("whole", "rb").read()
class NoTotal(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        start = int((self.headers["Range"] or "bytes=0-")[6:].split("-")[0]); self.send_response(206 if start else 200)
        self.send_header("Content-Type", "video/mp4"); self.send_header("Content-Length", len(whole) - start)
        start and self.send_header("Content-Range", f"bytes {start}-{len(whole) - 1}/*"); self.end_headers(); self.wfile.write(whole[start:])
http.server.HTTPServer(("127.0.0.1", 8898), NoTotal).serve_forever()' 2>log & server=$!; sleep 1
lftp --norc -c "get -c http://127.0.0.1:8898/video.mp4 -o video.mp4"; code=$?
echo "lftp: exit code $code, $(stat -c %s video.mp4) bytes of 12582912"; cmp video.mp4 whole && code=1
kill $server; rm -rf "$folder"; ((code == 0)) || { echo "not shown"; exit 1; }
