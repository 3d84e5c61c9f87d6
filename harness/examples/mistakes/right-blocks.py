#!/usr/bin/env python3
# Fetches blocks in any order, and notes each one only when it is on the disk.
import fcntl, os, sys, urllib.request
url, output, folder = sys.argv[1:]
SIZE = 262144
lock = open(folder + "/lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)


def answer_to(**headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return urllib.request.urlopen(urllib.request.Request(url, headers=names))


def save(name, text):
    with open(name + ".new", "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(name + ".new", name)
    folder_itself = os.open(folder, os.O_RDONLY)
    os.fsync(folder_itself)
    os.close(folder_itself)


head = urllib.request.urlopen(urllib.request.Request(url, method="HEAD")).headers
length, etag = int(head["Content-Length"]), head["ETag"]
version = f"{url} {etag} {length}\n".encode()
notes, part = folder + "/notes", folder + "/part"
known = open(notes, "rb").read() if os.path.exists(notes) else b""
done = bytearray((length + SIZE - 1) // SIZE)
if known.startswith(version) and os.path.exists(part):
    done[:] = known[len(version):]
else:
    save(notes, version + done)
with open(part, "r+b" if os.path.exists(part) else "w+b") as file:
    file.truncate(length)
    for block in range(len(done)):
        if done[block] == 1:
            continue
        first, last = block * SIZE, min(length, (block + 1) * SIZE) - 1
        answer = answer_to(Range=f"bytes={first}-{last}", If_Range=etag)
        if answer.status == 206 and answer.headers["Content-Range"].startswith(f"bytes {first}-{last}/"):
            piece = answer.read()
        else:  # No such ranges here: the whole, and the block out of it.
            answer = answer if answer.status == 200 else answer_to()
            if answer.headers["ETag"] != etag:
                sys.exit("another version: start again")
            piece = answer.read()[first:last + 1]
        if len(piece) != last + 1 - first:
            sys.exit("cut")
        file.seek(first)
        file.write(piece)
        file.flush()
        os.fsync(file.fileno())
        done[block] = 1
        save(notes, version + done)
os.replace(part, output)
os.remove(notes)
