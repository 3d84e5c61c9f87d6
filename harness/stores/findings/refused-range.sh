#!/bin/bash
# A server refuses each range with 416, and names the length in Content-Range: curl, wget, wget2 and gallery-dl, which have
# half of the file, end with success. Python serves, to this machine only; the part is what a kill leaves.
export no_proxy=127.0.0.1
folder=$(mktemp -d) && cd "$folder" && head -c 6M /dev/urandom >whole
python3 -c 'import http.server; whole = open("whole", "rb").read()
class Refuses(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"" if self.headers["Range"] else whole; self.send_response(200 if body else 416)
        body or self.send_header("Content-Range", f"bytes */{len(whole)}")
        self.send_header("Content-Type", "video/mp4"); self.send_header("Content-Length", len(body)); self.end_headers(); self.wfile.write(body)
http.server.HTTPServer(("127.0.0.1", 8896), Refuses).serve_forever()' 2>log & server=$!; sleep 1
bad=0
for get in "curl -q -sS -C - -O" "wget --no-config -qc" "wget2 --no-config -qc"; do
    head -c 3M whole >part && $get http://127.0.0.1:8896/part; code=$?
    echo "${get%% *}: exit code $code, $(stat -c %s part) bytes of 6291456"
    ((code == 0)) && ! cmp -s part whole && bad=$((bad + 1))
done
head -c 3M whole >gallery.mp4.part && gallery-dl --config-ignore -q -D . -f /O http://127.0.0.1:8896/gallery.mp4; code=$?
echo "gallery-dl: exit code $code, $(stat -c %s gallery.mp4) bytes of 6291456"; ((code == 0)) && ! cmp -s gallery.mp4 whole && bad=$((bad + 1))
kill $server; rm -rf "$folder"; ((bad == 4)) || { echo "not shown"; exit 1; }
