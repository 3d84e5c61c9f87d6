#!/usr/bin/env python3
# Calls done what has come when the connection ends.
# shown by: cut
import os, sys, urllib.request
url, output, folder = sys.argv[1:]
part = folder + "/part"
answer = urllib.request.urlopen(url)
with open(part, "wb") as file:
    while piece := answer.read(65536):
        file.write(piece)
os.replace(part, output)
