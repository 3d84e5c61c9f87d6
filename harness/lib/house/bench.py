"""What the benchmarks share: the rows that they add, and the servers that they fetch from."""
import contextlib
import datetime
import os
import pathlib
import subprocess
import sys

from house import timing
from house.script import changes, git, give_up
from house.server import Server, Unavailable, free_port, nginx, program

COLUMNS = ["schema", "date", "commit", "machine", "benchmark", "subject", "n", "median", "min", "max", "unit"]
MB = 1 << 20


class Bench:
    """The rows of the benchmarks, a folder to work in, and how often each is run."""

    def __init__(self, work, runs, programs):
        self.work, self.runs, self.programs, self.rows = work, runs, programs, []
        name = git("rev-parse", "--short", "HEAD")
        self.same = {"schema": 1, "date": datetime.datetime.now(datetime.timezone.utc).date(),
                     "commit": name + ("+changes" if name and changes() else ""), "machine": machine(work)}

    def row(self, benchmark, subject, values, unit, n=None, digits=2):
        """Adds a row: the median, or the median, the least and the greatest."""
        n = self.runs if n is None else n
        median, least, most = [f"{value:.{digits}f}" for value in values] + [""] * (3 - len(values))
        self.rows.append({**self.same, "benchmark": benchmark, "subject": subject, "n": n, "median": median,
                          "min": least, "max": most, "unit": unit})
        between = f" ({least} to {most})" if least else ""
        print(f"{benchmark:<13} {subject:<16} n={n:<3} {median:>9} {unit:<6}{between}", flush=True)

    def spread(self, benchmark, subject, values, unit, factor=1):
        self.row(benchmark, subject, timing.spread(values, factor), unit, len(values))

    def ratio(self, benchmark, subject, dividend, divisor):
        self.row(benchmark, subject, [dividend / divisor], "ratio")

    def compare(self, benchmark, commands, prepare=None):
        """Adds a row for each command; returns their times."""
        times = timing.compared(commands, self.runs, self.work / "times.csv", prepare)
        for name, time in times.items():
            self.row(benchmark, name, time[:3], "s", digits=3)
        return times

    def speed(self, benchmark, subject, other, times):
        """Adds the speed of a subject relative to another."""
        self.ratio(benchmark, f"{subject} : {other}", times[other].median, times[subject].median)

    def processor(self, benchmark, subject, other, times):
        """Adds how much processor time a subject takes relative to another."""
        self.ratio(benchmark, f"{subject} : {other} processor", times[subject].processor, times[other].processor)

    def origin(self, size):
        return self.serve([self.programs / "rig", "serve", "--video-size", size, "--port", "0"])

    def proxy(self, cache, *more):
        return self.serve([self.programs / "downloader", "proxy", "--cache", cache, "--capacity", "100GB", *more])

    def serve(self, command):
        try:
            return Server(self.work, command)
        except Unavailable as error:
            give_up(69, str(error))

    def fetch(self, cache, url, *more):
        """The command of a fetch into a cache."""
        return [self.programs / "downloader", "fetch", "--quiet", "--cache", cache, "--url", url, *more]

    @contextlib.contextmanager
    def nginx_with_video(self):
        """nginx on a free port, with a video of 1 GB; its addresses without and with TLS."""
        root, key, certificate = self.work / "www", self.work / "nginx.key", self.work / "nginx.pem"
        root.mkdir()
        with self.origin("1GB") as origin:
            run(["curl", "-s", "-f", "-o", root / "video.mp4", origin.url])
        self.work.chmod(0o755)
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
             "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
            stderr=subprocess.DEVNULL)
        tls = free_port()
        with nginx(str(self.work), root, free_port(), f"listen 127.0.0.1:{tls} ssl; ssl_certificate {certificate}; "
                   f"ssl_certificate_key {key};") as server:
            yield (f"http://127.0.0.1:{server.port}/video.mp4", f"https://127.0.0.1:{tls}/video.mp4")
        remove(root)


def has(*names):
    """Whether programs are here; says which is not."""
    for name in names:
        try:
            program(name)
        except Unavailable as error:
            print(f"nothing is measured with {name}: {error}", file=sys.stderr)
            return False
    return True


def run(words, **more):
    """Runs a command that must not fail; returns what it printed."""
    done = subprocess.run([str(word) for word in words], text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, **more)
    if done.returncode:
        give_up(70, f"{' '.join(map(str, words))} failed with exit code {done.returncode}")
    return done.stdout


def remove(*paths):
    subprocess.run(["rm", "-rf", *map(str, paths)], check=True)


def machine(folder):
    def said(*words):
        try:
            return subprocess.run(words, capture_output=True, text=True).stdout
        except OSError:
            return ""

    known = pathlib.Path("/proc/cpuinfo")
    cpus = [line.partition(": ")[2] for line in known.read_text().splitlines() if line.startswith("model name")] \
        if known.exists() else said("sysctl", "-n", "machdep.cpu.brand_string").splitlines()
    kinds = [line.split()[1] for line in said("df", "-PT", str(folder)).splitlines()[1:2]]
    system = os.uname()
    return (f"{(cpus or [system.machine])[0]}, {os.cpu_count()} cores, {system.sysname} {system.release}, "
            f"{(kinds or ['file system not known'])[0]}").replace('"', "")
