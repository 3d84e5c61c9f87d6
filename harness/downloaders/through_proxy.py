"""Fetches a file from a proxy of the reference downloader, which it starts and ends: URL FILE CACHE THRESHOLD
DURABILITY."""
import os, subprocess, sys, urllib.parse

url, path, cache, threshold, durability = sys.argv[1:]
# Without its page it is judged as any other program: by what the origin and its files show.
os.environ.pop("RIG_WITNESS", None)
proxy = subprocess.Popen(
    [".build/release/downloader", "proxy", "--quiet", "--cache", cache, "--threshold", threshold, "--durability",
     durability, "--allow-small-threshold"], stdout=subprocess.PIPE, text=True)
# Its address has a key, and is printed when it listens.
address = proxy.stdout.readline().strip()
if not address:
    sys.exit(proxy.wait() or 1)
video = f"{address}/play?url={urllib.parse.quote(url, safe='')}"
# As a player does, it asks again after an answer that is cut: of another version, for example.
code = subprocess.call(["curl", "-q", "-sS", "-f", "--retry", "2", "--retry-all-errors", "--retry-delay", "1", "-o", path, video])
proxy.terminate()
# 143 is its good end.
sys.exit(code or int(proxy.wait() not in (0, 143)))
