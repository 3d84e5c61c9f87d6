#!/usr/bin/env python3
"""Downloads a file, and resumes where it was killed: downloader.py URL DIR OUTPUT.

DIR/part has the file's first bytes. DIR/part.length says how many of them are safe: it is written
after them, and replaced atomically. DIR/part.etag says which version of the file they belong to.
"""
import os, sys, urllib.error, urllib.request

BLOCK = 64 * 1024
url, folder, output = sys.argv[1:]
part = os.path.join(folder, "part")


def recall(name):
    """Returns the text kept under a name, or an empty text."""
    try:
        with open(f"{part}.{name}") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def keep(name, text):
    """Keeps a text: after a kill, either the new one or the old one is there."""
    with open(f"{part}.{name}.new", "w") as file:
        file.write(text)
    os.replace(f"{part}.{name}.new", f"{part}.{name}")


def fetch(done):
    """Fetches what is missing after the first bytes; nothing if the server has no more."""
    request = urllib.request.Request(url)
    if done > 0:
        request.add_header("Range", f"bytes={done}-")
        request.add_header("If-Range", recall("etag"))
    try:
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        if error.code == 416 and error.headers["Content-Range"] == f"bytes */{done}":
            return
        raise
    if response.status != 206:  # the whole file, of which version it may be
        done = 0
        keep("length", "0")
        keep("etag", response.headers["ETag"] or '""')
    end = done + int(response.headers["Content-Length"])
    with response, open(part, "r+b" if done > 0 else "wb") as file:
        file.seek(done)
        while block := response.read(BLOCK):
            file.write(block)
            file.flush()
            done += len(block)
            keep("length", str(done))
    if done < end:
        sys.exit("the connection was closed early; run me again")


if not os.path.exists(output):
    fetch(int(recall("length") or 0))
    os.replace(part, output)
