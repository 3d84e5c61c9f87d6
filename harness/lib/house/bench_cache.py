"""Benchmarks of the cache: how fast the downloader fetches and stores a video, and the proxy serves it,
compared with other programs and with the limits of the machine."""
import csv
import time
import urllib.parse

from house import timing
from house.bench import MB, has, remove, run
from house.script import ROOT, give_up

LIB = ROOT / "harness/lib"
# Each client asks for 64 KB of a 1 GB video, anywhere in it, again and again.
ASK = """
request = function()
    local first = math.random(0, 16383) * 65536
    return wrk.format("GET", nil, { ["Range"] = "bytes=" .. first .. "-" .. (first + 65535) })
end
done = function(summary, latency)
    local failed = summary.errors.connect + summary.errors.read + summary.errors.write
        + summary.errors.status + summary.errors.timeout
    if failed > 0 or summary.bytes < summary.requests * 65536 then os.exit(70) end
    io.write(string.format("figures %.1f %.4f\\n", summary.requests / summary.duration * 1e6,
        latency:percentile(99) / 1e6))
end
"""


def ingest(bench):
    """One video from one origin: nginx, which serves it to all from the page cache."""
    if not has("nginx"):
        return
    with bench.nginx_with_video() as (url, tls):
        folder, video = bench.work / "in", bench.work / "www/video.mp4"
        # Before each timed run: what the last one wrote is synced.
        prepare = f"bash -c 'rm -rf {folder} && mkdir {folder} && sync -f {bench.work}'"
        loop = bench.work / "recv-write"
        run(["cc", "-O2", "-o", loop, LIB / "bench-recv-write.c"])
        loops = f"{loop} {url.split(':')[2].replace('/', ' ')} {folder}/loop"
        fetch, encrypted = (" ".join(map(str, bench.fetch(folder, one))) for one in (url, tls))
        commands = {}
        for storage in ("file", "rows"):
            commands[storage] = f"{fetch} --storage {storage} --threshold 512KB"
            commands[f"{storage} disabled"] = f"{fetch} --storage {storage} --threshold disabled"
        times = bench.compare("ingest-1GB", {
            **commands, "recv-write": loops, "recv-write of saves": f"{loops} 16384 524288",
            "file over TLS": f"{encrypted} --ca-file {bench.work}/nginx.pem",
            "curl over TLS": f"curl -s -f --cacert {bench.work}/nginx.pem -o {folder}/curl {tls}",
            "wget": f"wget -q -O {folder}/wget {url}", "curl": f"curl -s -f -o {folder}/curl {url}",
            "aria2c": f"aria2c -q --file-allocation=none -d {folder} -o aria2 {url}",
            "dd": f"dd if={video} of={folder}/dd bs=512K status=none",
            "memory-copy": f"dd if={video} of=/dev/null bs=512K status=none"}, prepare)
        for storage in ("file", "rows"):
            for other in (f"{storage} disabled", "wget", "curl", "aria2c", "dd"):
                bench.speed("ingest-1GB", storage, other, times)
        limits = [("file", "recv-write"), ("file", "recv-write of saves"), ("file over TLS", "curl over TLS")]
        for add in (bench.speed, bench.processor):
            for subject, other in limits:
                add("ingest-1GB", subject, other, times)
        ingest_to_disk(bench, fetch, video, folder, prepare)
    remove(folder)


def ingest_to_disk(bench, fetch, video, folder, prepare):
    """Commits that must survive a power cut, compared with a dd that waits for the disk after every
    512 KB, and with a cache's waits alone: for a row after its bytes, for both at once, and both twice
    as often, as with two buffers of half a threshold."""
    floor = f"python3 {LIB}/bench-commit-floor.py {video} {folder}"
    waits = {"waits alone": f"{floor} 524288 two", "waits at once": f"{floor} 524288 both",
             "waits of halves": f"{floor} 262144 two", "waits of halves at once": f"{floor} 262144 both"}
    stored = {storage: f"{fetch} --storage {storage} --durability power" for storage in ("file", "rows")}
    dd = f"dd if={video} of={folder}/dd bs=512K oflag=dsync status=none"
    times = bench.compare("ingest-1GB-power", {**stored, "dd-dsync": dd, **waits}, prepare)
    for subject in [*stored, *waits]:
        bench.speed("ingest-1GB-power", subject, "dd-dsync", times)


def memory(bench):
    """The downloader's peak memory, for each layout and video size."""
    folder = bench.work / "in"
    for size in ("10MB", "1GB", "8GB"):
        with bench.origin(size) as origin:
            for storage in ("file", "rows"):
                peaks = []
                for _ in range(bench.runs):
                    remove(folder)
                    peaks.append(timing.peak_memory(bench.fetch(folder, origin.url, "--storage", storage), bench.work))
                bench.spread(f"peak-rss-{size}", storage, peaks, "MB", 1 / MB)
        remove(folder)


def player_of(proxy, url):
    """The address at which a proxy plays a video."""
    return f"{proxy.url}/play?url={urllib.parse.quote(url, safe='')}"


def first_byte(url, first, length):
    """The seconds until the first byte of a range."""
    return float(run(["curl", "-s", "-f", "-o", "/dev/null", "-r", f"{first}-{first + length - 1}",
                      "-w", "%{time_starttransfer}", url]))


def chunks(bench):
    """Caches with chunks of 16 KB, the smallest possible: 100,000 of them are 1.6 GB."""
    folder = bench.work / "large"
    for storage in ("rows", "file"):
        with bench.origin("1600MB") as origin:
            url = origin.url
            run(bench.fetch(folder, url, "--storage", storage, "--threshold", "16KB", "--allow-small-threshold"))
        opening = []
        for _ in range(bench.runs):
            began = time.monotonic()
            with bench.proxy(folder):
                opening.append(time.monotonic() - began)
        bench.spread("open-100k-chunks", storage, opening, "ms", 1000)
        with bench.proxy(folder) as proxy:
            # Positions all over the video, in an order that read-ahead cannot predict.
            hits = [first_byte(player_of(proxy, url), number * 7919 % 1600 * MB + number * 4099, 1024)
                    for number in range(100)]
        bench.spread("hit-first-byte", storage, hits, "ms", 1000)
        remove(folder)


def misses(bench):
    """What a player waits for the first byte of 2 MB that are not cached: from the origin itself, through
    the proxy, and through one that saves nothing before a request ends."""
    # No two of them overlap, and none lies just behind another.
    places = [(number * 37 % 100 * 16 + 4) * MB for number in range(100)]
    with bench.origin("1600MB") as origin:
        waits = {"origin": [first_byte(origin.url, place, 2 * MB) for place in places]}
        for threshold in ("512KB", "disabled"):
            with bench.proxy(bench.work / "misses", "--threshold", threshold) as proxy:
                player = player_of(proxy, origin.url)
                first_byte(player, 0, 1024)  # What is known about the video costs the first request a second one.
                waits[threshold] = [first_byte(player, place, 2 * MB) for place in places]
            remove(bench.work / "misses")
    for subject, seconds in waits.items():
        bench.spread("miss-first-byte", subject, seconds, "ms", 1000)


def hits(bench):
    """The same file from the proxy's cache and from nginx; both are in the page cache."""
    if not has("nginx"):
        return
    with bench.nginx_with_video() as (url, _):
        for storage in ("rows", "file"):
            run(bench.fetch(bench.work / f"hit-{storage}", url, "--storage", storage))
        nginx = bench.compare("hit-1GB", {"nginx": f"curl -s -f -o /dev/null {url}"})["nginx"]
        for storage in ("rows", "file"):
            with bench.proxy(bench.work / f"hit-{storage}") as proxy:
                times = bench.compare("hit-1GB", {storage: f"curl -s -f -o /dev/null {player_of(proxy, url)}"})
            bench.speed("hit-1GB", storage, "nginx", {**times, "nginx": nginx})
            remove(bench.work / f"hit-{storage}")


def clients(bench):
    """Fifty players that ask for small ranges of a cached video, and the same from nginx; and whether the
    proxy's memory is the same afterwards."""
    if not has("nginx", "wrk"):
        return
    ask, cache, found, memory = bench.work / "ask.lua", bench.work / "clients", {}, []
    ask.write_text(ASK)

    def answers(url):
        said = [run(["wrk", "-t1", "-c50", "-d5s", "-s", ask, url]) for _ in range(bench.runs)]
        lines = [line.split() for text in said for line in text.splitlines() if line.startswith("figures ")]
        return [[float(line[column]) for line in lines] for column in (1, 2)]

    def note_memory(proxy):
        with open(f"/proc/{proxy.process.pid}/status") as file:
            memory.extend(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS:"))

    with bench.nginx_with_video() as (url, _):
        run(bench.fetch(cache, url))
        found["nginx"] = answers(url)
        with bench.proxy(cache) as proxy:
            first_byte(player_of(proxy, url), 0, 65536)
            note_memory(proxy)
            found["file"] = answers(player_of(proxy, url))
            note_memory(proxy)
    for name, (rates, waits) in found.items():
        bench.spread("many-clients", name, rates, "/s")
        bench.spread("many-clients", f"{name} 99%", waits, "ms", 1000)
    bench.ratio("many-clients", "file : nginx", *(timing.spread(found[name][0])[0] for name in ("file", "nginx")))
    for when, size in zip(("before", "after"), memory):
        bench.row("many-clients", f"memory {when}", [size], "MB", 1)
    remove(cache)


def parts(bench):
    """Parts of the cache by themselves, in microseconds; n is the number of measurements."""
    folder, log = bench.work / "cache", bench.work / "cache.log"
    folder.mkdir()
    timing.seconds_of(["swift", "package", "--disable-sandbox", "benchmark", "--no-progress", "--format", "influx",
                       "--path", folder], log, cwd=ROOT / "harness/benchmarks")
    tests = {}
    for file in sorted(folder.glob("*.csv")):
        with open(file, newline="") as text:
            for line in csv.DictReader(line for line in text if not line.startswith("#")):
                # One line per percentile, in nanoseconds.
                test = tests.setdefault(line["test"].replace(",", ""), {"n": int(line["iterations"])})
                test[line["percentile"]] = int(line["value"]) / 1000
    if not tests:
        give_up(70, "the benchmarks of the cache wrote nothing that can be read")
    for name, test in tests.items():
        bench.row("cache", name, [test["50.0"], test["0.0"], test["100.0"]], "us", test["n"])
