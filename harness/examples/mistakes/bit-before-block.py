#!/usr/bin/env python3
# Sets the bit of a block before the block is written.
# shown by: anywhere calls
import os, sys, urllib.request
url, output, folder = sys.argv[1:]
SIZE = 262144
head = urllib.request.urlopen(urllib.request.Request(url, method="HEAD")).headers
length, etag = int(head["Content-Length"]), head["ETag"]
bits, part, name = folder + "/bits", folder + "/part", folder + "/etag"
if not os.path.exists(name) or open(name).read() != etag:
    for path in (bits, part):
        if os.path.exists(path):
            os.remove(path)
    open(name, "w").write(etag)
for path in (bits, part):
    open(path, "ab").close()
with open(bits, "r+b") as map, open(part, "r+b") as file:
    done = map.read().ljust((length + SIZE - 1) // SIZE, b"\0")
    for block in range(len(done)):
        if done[block]:
            continue
        map.seek(block)
        map.write(b"\1")
        map.flush()
        first = block * SIZE
        last = min(length, first + SIZE) - 1
        request = urllib.request.Request(url, headers={"Range": f"bytes={first}-{last}", "If-Range": etag})
        answer = urllib.request.urlopen(request)
        if answer.status != 206 or not answer.headers["Content-Range"].startswith(f"bytes {first}-{last}/"):
            sys.exit("no ranges")
        bytes = answer.read()
        file.seek(first)
        file.write(bytes)
        file.flush()
os.replace(part, output)
