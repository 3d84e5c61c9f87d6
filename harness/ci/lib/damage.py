"""Damages caches by a seed, and checks what the downloader does with them; harness/ci/damage says
how it is called.

Each variant begins with a copy of a sound cache of one video, and damages it once: a bit, a page, a
file, a value. Then the cache is exported, asked for its status, fetched, exported again and played
through the proxy. Whatever the damage was, none of these steps may end by a signal, hang, or hand
out a byte that is not the video's, and what a fetch calls complete must be exportable.
"""

import argparse
import collections
import http.client
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request

VIDEO_BYTES = 3 << 20
THRESHOLD = "256KB"
LIMIT_SECONDS = 30
STORAGES = ("file", "rows")
# Small damage is more frequent, because a store is most likely to accept it.
KINDS = (
    ["bit"] * 10 + ["value"] * 6 + ["page"] * 2
    + ["truncated", "swapped", "older", "older", "foreign", "deleted", "folder", "data"]
)
MOMENTS = ["stopped"] * 4 + ["served", "unfinished"]
VALUES = [None, 0, 1, -1, 1 << 20, (1 << 63) - 1, -(1 << 63), 1.5, "abc", "", b"\x00\xff"]
FAILURES = ("wrong bytes", "signal", "hang", "not exported")


class Programs:
    """The downloader and an origin."""

    def __init__(self, folder, scratch):
        self.downloader = str(folder.resolve() / "downloader")
        self.scratch = scratch
        self.log = open(scratch / "serve.log", "w")
        self.origin = subprocess.Popen(
            [str(folder.resolve() / "rig"), "serve", "--video-size", str(VIDEO_BYTES)],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.origin.stdout.readline()
        self.url = next((word for word in line.split() if word.startswith("http://")), None)
        if self.url is None:
            sys.exit(f"harness/ci/damage: the origin did not start: {line.strip()}")
        with urllib.request.urlopen(self.url) as answer:
            self.video = answer.read()

    def run(self, *arguments):
        """Runs the downloader to its end; returns how it ended and what it printed."""
        try:
            done = subprocess.run(
                [self.downloader, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                timeout=LIMIT_SECONDS, cwd=self.scratch)
        except subprocess.TimeoutExpired:
            return "hang", b""
        return done.returncode, done.stdout + done.stderr

    def stop(self):
        self.origin.terminate()
        self.origin.wait()


class Variant:
    """One damaged cache."""

    def __init__(self, programs, sources, folder, seed):
        self.programs = programs
        self.random = random.Random(seed)
        self.storage = self.random.choice(STORAGES)
        self.kind = self.random.choice(KINDS)
        self.moment = self.random.choice(MOMENTS)
        self.folder = folder
        self.cache = folder / "cache"
        self.output = folder / "out.mp4"
        self.sources = sources
        self.failures = []
        self.steps = []
        self.detail = ""
        source = sources[self.storage, "part" if self.moment == "unfinished" else "whole"]
        shutil.copytree(source, self.cache)

    # What is damaged

    def damage(self):
        getattr(self, "damage_" + self.kind)()

    def flip(self, path):
        size = path.stat().st_size if path.is_file() else 0
        if size == 0:
            return
        place = self.random.randrange(size)
        bit = self.random.randrange(8)
        self.detail = f"{path.name} byte {place} bit {bit}"
        with open(path, "r+b") as file:
            file.seek(place)
            old = file.read(1)[0]
            file.seek(place)
            file.write(bytes([old ^ 1 << bit]))

    def database(self):
        return self.cache / "cache.sqlite"

    def files(self):
        return sorted(path for path in self.cache.rglob("*") if path.is_file())

    def damage_bit(self):
        """A bit of a page. With bytes in rows most pages hold only bytes, so mostly other pages."""
        path = self.database()
        if self.storage == "file" or self.random.random() < 0.2:
            return self.flip(path)
        size = path.stat().st_size
        page = 16 << 10
        pages = [0]
        with open(path, "rb") as file:
            for number in range(size // page):
                file.seek(number * page)
                if file.read(1)[0] in (2, 5, 10, 13):
                    pages.append(number)
        start = self.random.choice(pages) * page
        # A byte of the page that is not zero: the header and the cells, wherever they are.
        place = start + self.random.randrange(page)
        with open(path, "r+b") as file:
            for _ in range(64):
                file.seek(place)
                if file.read(1) not in (b"\0", b""):
                    break
                place = start + self.random.randrange(page)
            bit = self.random.randrange(8)
            self.detail = f"cache.sqlite byte {place} bit {bit}"
            file.seek(place)
            old = file.read(1)
            if old:
                file.seek(place)
                file.write(bytes([old[0] ^ 1 << bit]))

    def damage_data(self):
        self.flip(self.random.choice(self.files()))

    def damage_page(self):
        path = self.random.choice(self.files())
        page = 1 << self.random.randrange(9, 15)
        count = max(1, path.stat().st_size // page)
        place = self.random.randrange(count) * page
        self.detail = f"{path.name} {page} bytes from {place}"
        with open(path, "r+b") as file:
            file.seek(place)
            file.write(bytes(page))

    def damage_truncated(self):
        files = self.files()
        if self.moment == "served":
            # SQLite maps this file; a process that reads what was cut off a mapping gets SIGBUS.
            files = [path for path in files if path.name != "cache.sqlite-shm"]
        path = self.random.choice(files)
        size = self.random.randrange(path.stat().st_size + 1)
        self.detail = f"{path.name} to {size}"
        os.truncate(path, size)

    def damage_swapped(self):
        """A file of a cache of another video, or of the other storage."""
        path = self.random.choice(self.files())
        place = path.relative_to(self.cache)
        others = [
            source / place for source in self.sources.values()
            if (source / place).is_file() and (source / place).read_bytes() != path.read_bytes()
        ]
        if others:
            other = self.random.choice(others)
            self.detail = f"{place} by {other.relative_to(other.parents[len(place.parents)])}"
            shutil.copyfile(other, path)

    def damage_older(self):
        """Files of a backup of the same cache, some of them, over those that are there."""
        backup = self.sources[self.storage, "backup"]
        names = sorted(
            path.relative_to(backup) for path in backup.rglob("*")
            if path.is_file() and path.name != "cache.sqlite-shm")
        chosen = self.random.sample(names, self.random.randrange(1, len(names) + 1))
        self.detail = ", ".join(map(str, chosen))
        for name in chosen:
            (self.cache / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(backup / name, self.cache / name)

    def damage_foreign(self):
        path = self.random.choice(self.files())
        self.detail = path.name
        path.unlink()
        if self.random.random() < 0.5:
            path.write_bytes(self.random.randbytes(self.random.randrange(1, 100_000)))
            return
        database = sqlite3.connect(path)
        database.execute("CREATE TABLE video (id INTEGER, note TEXT)")
        database.execute("INSERT INTO video VALUES (1, 'not a cache')")
        database.commit()
        database.close()

    def damage_deleted(self):
        path = self.random.choice(self.files())
        self.detail = path.name
        path.unlink()

    def damage_folder(self):
        """A folder where a file is expected."""
        names = ["cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm", "data/journal", "data/1"]
        path = self.cache / self.random.choice(names)
        self.detail = str(path.relative_to(self.cache))
        if path.is_file():
            path.unlink()
        path.mkdir(parents=True, exist_ok=True)

    def damage_value(self):
        """One value of a row, changed by another program."""
        database = sqlite3.connect(self.database(), timeout=20)
        tables = ["video", "chunk", "cached_range", "chunk_use", "chunk_total"]
        table = self.random.choice(tables)
        rows = database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
        names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        name = self.random.choice(names)
        value = self.random.choice(VALUES + ["older", "newer"])
        if rows > 0:
            key = database.execute(
                f"SELECT {', '.join(names)} FROM {table} LIMIT 1 OFFSET ?",
                [self.random.randrange(rows)]).fetchone()
            old = key[names.index(name)]
            if value in ("older", "newer"):
                step = -1 if value == "older" else 1
                value = old + step if isinstance(old, int) else f"{old}{step}"
            self.detail = f"{table}.{name} {str(old)[:20]!r} to {value!r}"
            where = " AND ".join(f"{column} IS ?" for column in names)
            try:
                database.execute(
                    f"UPDATE {table} SET {name} = ? WHERE {where}", [value, *key])
                database.commit()
            except (sqlite3.Error, OverflowError):
                self.detail += " (refused by SQLite)"
        database.close()

    # What the downloader does with it

    def fail(self, outcome, step):
        self.failures.append((outcome, step))

    def run(self, step, *arguments):
        code, said = self.programs.run(*arguments)
        self.steps.append(f"{step} {code}")
        if code == "hang":
            self.fail("hang", step)
        elif code < 0 or code > 128:
            self.fail("signal", f"{step} ({code})")
        return code, said

    def export(self, step):
        self.output.unlink(missing_ok=True)
        code, _ = self.run(
            step, "export", "--cache", str(self.cache), "--url", self.programs.url, "--output",
            str(self.output))
        # The file must be complete and right, or missing, whatever the exit code is.
        if self.output.is_file():
            if self.output.read_bytes() != self.programs.video:
                self.fail("wrong bytes", step)
            elif code != 0:
                self.fail("not exported", f"{step}: the file is there, and the exit code is {code}")
        elif code == 0:
            self.fail("wrong bytes", f"{step}: no file")
        return code

    def fetch(self, step):
        return self.run(
            step, "fetch", "--url", self.programs.url, "--cache", str(self.cache), "--threshold",
            THRESHOLD, "--storage", self.storage, "--retries", "0")[0]

    def play(self, proxy, step, start):
        """Reads the video through a proxy from a position on; what it gets must be right."""
        try:
            connection = http.client.HTTPConnection(proxy.host, proxy.port, timeout=LIMIT_SECONDS)
            connection.request("GET", proxy.path, headers={"Range": f"bytes={start}-"})
            answer = connection.getresponse()
            got = b""
            if answer.status in (200, 206):
                if answer.status == 200:
                    start = 0
                try:
                    got = answer.read()
                except http.client.IncompleteRead as partial:
                    got = partial.partial
            self.steps.append(f"{step} {answer.status} {len(got)}")
            if got != self.programs.video[start:start + len(got)]:
                self.fail("wrong bytes", step)
        except TimeoutError:
            self.fail("hang", step)
        except (OSError, http.client.HTTPException) as error:
            self.steps.append(f"{step} {type(error).__name__}")

    def look(self):
        """Carries out all steps with a damaged cache."""
        if self.moment == "served":
            with Proxy(self) as proxy:
                if proxy.is_there:
                    self.play(proxy, "play before", VIDEO_BYTES // 2)
                    self.damage()
                    self.play(proxy, "play on", 0)
        else:
            self.damage()
        self.export("export")
        self.run("status", "status", "--cache", str(self.cache))
        fetched = self.fetch("fetch")
        exported = self.export("export again")
        if fetched == 0 and exported != 0:
            # An export may report damage once: it is then dropped, and fetched again.
            if self.fetch("third fetch") == 0 and self.export("last export") != 0:
                self.fail("not exported", "after a fetch that called it complete")
        with Proxy(self) as proxy:
            if proxy.is_there:
                self.play(proxy, "play", 0)


class Proxy:
    """A downloader's proxy over a variant's cache."""

    def __init__(self, variant):
        self.variant = variant
        self.is_there = False

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.variant.programs.downloader, "proxy", "--cache", str(self.variant.cache), "--port",
             "0", "--threshold", THRESHOLD, "--retries", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        alarm = threading.Timer(LIMIT_SECONDS, self.process.kill)
        alarm.start()
        line = self.process.stdout.readline()
        alarm.cancel()
        address = next((word for word in line.split() if word.startswith("http://")), None)
        if address:
            parts = urllib.parse.urlsplit(address)
            self.host, self.port = parts.hostname, parts.port
            self.path = parts.path + "/play?url=" + urllib.parse.quote(self.variant.programs.url, safe="")
            self.is_there = True
        return self

    def __exit__(self, *_):
        early = self.process.poll()
        if early is None:
            self.process.terminate()
        try:
            code = self.process.wait(LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.variant.fail("hang", "proxy")
            return
        self.variant.steps.append(f"proxy {code}")
        # The proxy ends with 128 + 15 when it was asked to end.
        if code < 0 or code > 128 and not (early is None and code == 128 + signal.SIGTERM):
            self.variant.fail("signal", f"proxy ({code})")


def make_sources(programs, scratch):
    """Makes sound caches in both storages: complete and closed, and partial and killed."""
    sources = {}
    for storage in STORAGES:
        for part in ("whole", "part"):
            folder = scratch / f"{storage}-{part}"
            code, said = programs.run(
                "fetch", "--url", programs.url, "--cache", str(folder), "--threshold", THRESHOLD,
                "--storage", storage)
            if code != 0:
                sys.exit(f"harness/ci/damage: no cache to damage: {said.decode()}")
            if part == "part":
                code, said = programs.run("clear", "--cache", str(folder), "--url", programs.url)
                if code != 0:
                    sys.exit(f"harness/ci/damage: the cache was not cleared: {said.decode()}")
                play_the_first(programs, folder, VIDEO_BYTES // 4)
                # An earlier time of the same cache. Of the whole one it is another cache's.
                sources[storage, "backup"] = scratch / f"{storage}-backup"
                shutil.copytree(folder, sources[storage, "backup"])
                play_the_first(programs, folder, VIDEO_BYTES // 2)
            sources[storage, part] = folder
    return sources


def play_the_first(programs, folder, count):
    """Plays a part of the video through a proxy that is killed, so the log is not checkpointed."""
    proxy = subprocess.Popen(
        [programs.downloader, "proxy", "--cache", str(folder), "--port", "0", "--threshold",
         THRESHOLD], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    address = proxy.stdout.readline().split()[-1]
    part = urllib.request.Request(
        f"{address}/play?url={urllib.parse.quote(programs.url, safe='')}",
        headers={"Range": f"bytes=0-{count - 1}"})
    with urllib.request.urlopen(part, timeout=LIMIT_SECONDS) as answer:
        if answer.read() != programs.video[:count]:
            sys.exit("harness/ci/damage: a sound cache plays the wrong bytes")
    proxy.kill()
    proxy.wait()


def main():
    parser = argparse.ArgumentParser(prog="harness/ci/damage", description=__doc__)
    parser.add_argument("variants", nargs="?", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1, help="of the first variant")
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if options.variants < 1:
        parser.error("give at least 1 variant")
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="rig-damage-"))
    counts = collections.Counter()
    outcomes = collections.Counter()
    programs = Programs(options.programs, scratch)
    try:
        sources = make_sources(programs, scratch)
        lock = threading.Lock()
        seeds = iter(range(options.seed, options.seed + options.variants))

        def work(number):
            while True:
                with lock:
                    seed = next(seeds, None)
                if seed is None:
                    return
                folder = scratch / f"variant-{number}"
                folder.mkdir()
                variant = Variant(programs, sources, folder, seed)
                variant.look()
                shutil.rmtree(folder, ignore_errors=True)
                with lock:
                    counts[variant.storage, variant.kind] += 1
                    outcomes.update({outcome for outcome, _ in variant.failures})
                    for outcome, step in variant.failures:
                        print(
                            f"{outcome}: seed {seed}, {variant.storage}, {variant.kind}, "
                            f"{variant.moment}, {variant.detail}: {step}; "
                            f"{', '.join(variant.steps)}", flush=True)

        threads = [threading.Thread(target=work, args=[n]) for n in range(os.cpu_count() or 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        programs.stop()
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{options.variants} damaged caches, seeds from {options.seed}")
    for (storage, kind), count in sorted(counts.items()):
        print(f"  {storage} {kind}: {count}")
    print("outcomes: " + ", ".join(f"{name} {outcomes[name]}" for name in FAILURES))
    # If a variant was not checked to its end, the run is not a pass.
    if sum(counts.values()) != options.variants:
        sys.exit("harness/ci/damage: not every variant was looked at")
    sys.exit(1 if outcomes else 0)


if __name__ == "__main__":
    main()
