"""Fetches a file from a proxy of the reference downloader, which it starts and ends: URL FILE CACHE THRESHOLD
DURABILITY."""
import subprocess, sys, urllib.parse

url, path, cache, threshold, durability = sys.argv[1:]
proxy = subprocess.Popen(
    [".build/release/downloader", "proxy", "--quiet", "--cache", cache, "--threshold", threshold, "--durability",
     durability, "--allow-small-threshold"], stdout=subprocess.PIPE, text=True)
# Its address has a key, and is printed when it listens.
address = proxy.stdout.readline().strip()
if not address:
    sys.exit(proxy.wait() or 1)
video = f"{address}/play?url={urllib.parse.quote(url, safe='')}"
code = subprocess.call(["curl", "-q", "-sS", "-f", "-o", path, video])
proxy.terminate()
# 143 is its good end.
sys.exit(code or int(proxy.wait() not in (0, 143)))
