#!/bin/bash
# A file gets another length on its server while aria2 has a part of it: aria2 ends with an error each time. Without its
# state file it calls the old part the file, or goes on behind it. Python serves, to this machine only.
export no_proxy=127.0.0.1
folder=$(mktemp -d) && cd "$folder" && mkdir www && head -c 6M /dev/urandom >www/v
cat >serve.py <<'END'
import http.server, os, re, time
class Serves(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        whole = open("www/v", "rb").read(); first = int((re.match(r"bytes=(\d+)", self.headers["Range"] or "") or [0, 0])[1])
        fits = first < len(whole); self.send_response((206 if first else 200) if fits else 416)
        if first: self.send_header("Content-Range", f"bytes {first}-{len(whole) - 1}/{len(whole)}" if fits else f"bytes */{len(whole)}")
        self.send_header("ETag", f'"{len(whole)}"'); self.send_header("Content-Length", max(0, len(whole) - first)); self.end_headers()
        for at in range(first, len(whole), 65536):
            self.wfile.write(whole[at:at + 65536]); time.sleep(.03 if os.path.exists("slow") else 0)
http.server.ThreadingHTTPServer(("127.0.0.1", 8897), Serves).serve_forever()
END
touch slow; python3 serve.py 2>log & server=$!; sleep 1
get="aria2c -q --no-conf -c -o part http://127.0.0.1:8897/v"
$get & sleep 1; kill -9 $!; wait $! 2>/dev/null; rm slow; cp part kept; cp part.aria2 kept.aria2
bad=0
for length in 3M 9M; do
    cp kept part; cp kept.aria2 part.aria2; head -c $length /dev/urandom >www/v
    $get; first=$?; $get; second=$?; rm part.aria2; $get; third=$?
    echo "$length: exit codes $first, $second; without its state file $third, $(stat -c %s part) bytes, $(cmp -s part www/v && echo right || echo wrong)"
    ((first != 0 && second != 0 && third == 0)) && ! cmp -s part www/v && bad=$((bad + 1))
done
kill $server; rm -rf "$folder"; ((bad == 2)) || { echo "not shown"; exit 1; }
