#!/usr/bin/env python3
# Resumes by a state that is behind the bytes, compares what comes, and lets another one end first.
import fcntl, json, os, sys, urllib.request
url, output, folder = sys.argv[1:]
lock = open(folder + "/lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
state, part = folder + "/state.json", folder + "/part"
whole = os.path.exists(state) and os.path.exists(part)
known = json.load(open(state)) if whole else {"done": 0, "etag": "", "size": -1}
done = known["done"]
if done == known["size"]:  # All has come; only the name is missing.
    os.truncate(part, done)
    os.replace(part, output)
    sys.exit()
headers = {"Range": f"bytes={done}-", "If-Range": known["etag"]} if done else {}
answer = urllib.request.urlopen(urllib.request.Request(url, headers=headers))
if answer.status == 206 and not answer.headers["Content-Range"].startswith(f"bytes {done}-"):
    answer = urllib.request.urlopen(url)
if answer.status == 200:
    done = 0
end = done + int(answer.headers["Content-Length"])
with open(part, "r+b" if os.path.exists(part) else "wb") as file:
    file.seek(done)
    while piece := answer.read(65536):
        file.write(piece)
        file.flush()
        os.fsync(file.fileno())
        done += len(piece)
        with open(state + ".new", "w") as new:
            json.dump({"done": done, "etag": answer.headers["ETag"], "size": end}, new)
            new.flush()
            os.fsync(new.fileno())
        os.replace(state + ".new", state)
    file.truncate()
    os.fsync(file.fileno())
if done != end:
    sys.exit("cut")
os.replace(part, output)
