#!/usr/bin/env python3
# Takes 416 for "I have it all".
# shown by: shortened
import os, sys, urllib.error, urllib.request
url, output, folder = sys.argv[1:]
part, name = folder + "/part", folder + "/etag"
done = os.path.getsize(part) if os.path.exists(part) else 0
request = urllib.request.Request(url, headers={"Range": f"bytes={done}-"} if done else {})
try:
    answer = urllib.request.urlopen(request)
    if answer.status == 206 and answer.headers["ETag"] != open(name).read():
        answer = urllib.request.urlopen(url)
    open(name, "w").write(answer.headers["ETag"])
    left = int(answer.headers["Content-Length"])
    with open(part, "ab" if answer.status == 206 else "wb") as file:
        while piece := answer.read(65536):
            file.write(piece)
            file.flush()
            left -= len(piece)
    if left:
        sys.exit("cut")
except urllib.error.HTTPError as error:
    if error.code != 416:
        raise
os.replace(part, output)
