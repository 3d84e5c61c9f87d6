#!/bin/bash
# A server breaks off after 1 of 6 MB, and says before that 6 will come: wget2 and pooch keep the part as the file, and
# end with success. Python serves, to this machine only.
export no_proxy=127.0.0.1
folder=$(mktemp -d) && cd "$folder" && head -c 6M /dev/urandom >whole
python3 -c 'import http.server; whole = open("whole", "rb").read()
class Cut(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Type", "video/mp4")
        self.send_header("Content-Length", len(whole)); self.end_headers(); self.wfile.write(whole[:1 << 20])
http.server.HTTPServer(("127.0.0.1", 8897), Cut).serve_forever()' 2>log & server=$!; sleep 1
wget2 --no-config -q http://127.0.0.1:8897/wget2; one=$?
echo "wget2: exit code $one, $(stat -c %s wget2) bytes of 6291456"; cmp -s wget2 whole && one=1
/usr/bin/python3 -c 'import pooch; pooch.retrieve("http://127.0.0.1:8897/x", None, "pooch", ".")' 2>>log; two=$?
echo "pooch: exit code $two, $(stat -c %s pooch) bytes of 6291456"; cmp -s pooch whole && two=1
kill $server; rm -rf "$folder"; ((one == 0 && two == 0)) || { echo "not shown"; exit 1; }
