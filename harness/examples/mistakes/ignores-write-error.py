#!/usr/bin/env python3
# Says what is wrong with a write, and goes on: on a full disk it calls half of a file done.
# shown by: full-disk io-error
import os, sys, urllib.request
url, output, folder = sys.argv[1:]
part = f"{folder}/part-{os.getpid()}"
answer = urllib.request.urlopen(url)
left = int(answer.headers["Content-Length"])
with open(part, "wb", buffering=0) as file:
    while piece := answer.read(65536):
        left -= len(piece)
        try:
            file.write(piece)
        except OSError as error:
            print(error, file=sys.stderr)
    os.fsync(file.fileno())
if left:
    sys.exit("cut")
os.replace(part, output)
