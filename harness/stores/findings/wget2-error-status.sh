#!/bin/bash
# A server answers 503 to the request for the rest, or sends the whole in its place: wget2 -c ends with success both
# times, and the part is as it was. Python serves, to this machine only; the part is what a kill leaves.
export no_proxy=127.0.0.1
folder=$(mktemp -d) && cd "$folder" && head -c 12M /dev/urandom >whole && mkdir busy none
head -c 7M whole | tee busy/video.mp4 >none/video.mp4
python3 -c 'import http.server; whole = open("whole", "rb").read()
class Odd(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"" if "busy" in self.path else whole; self.send_response(200 if body else 503)
        self.send_header("Content-Type", "video/mp4"); self.send_header("Content-Length", len(body)); self.end_headers(); self.wfile.write(body)
http.server.HTTPServer(("127.0.0.1", 8898), Odd).serve_forever()' 2>log & server=$!; sleep 1
wget2 --no-config -qcP busy http://127.0.0.1:8898/busy/video.mp4; one=$?
echo "503: exit code $one, $(stat -c %s busy/video.mp4) bytes of 12582912"; cmp -s busy/video.mp4 whole && one=1
wget2 --no-config -qcP none http://127.0.0.1:8898/none/video.mp4; two=$?
echo "no ranges: exit code $two, $(stat -c %s none/video.mp4) bytes of 12582912"; cmp -s none/video.mp4 whole && two=1
(cd none && ls -l video.mp4.1)
kill $server; rm -rf "$folder"; ((one == 0 && two == 0)) || { echo "not shown"; exit 1; }
