"""Benchmarks of the rig: what a kill costs, how much tracing slows a worker, and what a build takes."""
import json
import os
import subprocess
import sys
import time

from house import record, rig, timing
from house.bench import remove, run
from house.script import ROOT, give_up

# One way to kill each. The others are compared with the first one.
ARMS = {"bytes": "--trigger bytes", "time": "--trigger time", "phase": "--trigger phase --stratify",
        "syscall": "--trigger syscall", "abort": "--trigger bytes --fault abort",
        "power-cut": "--trigger bytes --fault power-cut", "power-cut-torn": "--trigger bytes --fault power-cut-torn"}
# Iterations per run, which share the run's own costs, such as measuring an uninterrupted run.
ITERATIONS = 50
# These are servers, or many programs.
NOT_EMBEDDED = ("etcd", "git", "postgres", "redis")


def kills(bench):
    """A hundred kills: the default kind with one job and with two, with the bytes in rows, of curl as a
    program of one's own, the same at the pace of before (one job, 20 MB/s also for the relaunch), and in a
    shell script with curl, kill -9, curl -C - and cmp."""
    folder, loop, reference = (bench.work / name for name in ("run", "loop", "reference"))
    test = f"{bench.programs}/rig kill-test --iterations 100 --quiet --out {folder}"
    with bench.origin("10MB") as origin:
        run(["curl", "-s", "-f", "-o", reference, origin.url])
        script = ROOT / "harness/lib/bench-shell-loop.sh"
        own = "-- curl -sS -C - -o {output} {url}"
        times = bench.compare("100-kills", {
            "jobs-1": test, "jobs-2": f"{test} --jobs 2", "jobs-1 rows": f"{test} --set storage=rows",
            "jobs-2 rows": f"{test} --set storage=rows --jobs 2",
            "own-program": f"{test} {own}", "own-program paced": f"{test} --jobs 1 --bandwidth 20MB/s {own}",
            "shell-loop": f"bash {script} {origin.url} {reference} {loop} 100"},
            f"bash -c 'rm -rf {folder} {loop} && mkdir {loop}'")
    for subject, other in [("jobs-2", "jobs-1"), ("jobs-2 rows", "jobs-1 rows"),
                           *((name, "shell-loop") for name in list(times)[:-1])]:
        bench.speed("100-kills", subject, other, times)
    remove(folder, loop)


def arms(bench):
    """The seconds of one iteration for each way to kill, and their ratio to the first way."""
    folder, log, first = bench.work / "run", bench.work / "arm.log", None
    test = [bench.programs / "rig", "kill-test", "--quiet", "--out", folder]
    for name, options in ARMS.items():
        remove(folder)
        if rig.run([*test, "--iterations", 1, *options.split()], log, cwd=bench.work):
            print(f"iteration: {name} is not measured: {log.read_text().partition(chr(10))[0]}", file=sys.stderr)
            continue
        command = " ".join(map(str, [*test, "--iterations", ITERATIONS, options]))
        times = timing.compared({name: command}, bench.runs, bench.work / "times.csv", f"rm -rf {folder}")
        # The time of the whole run, divided by its iterations.
        values = [seconds / ITERATIONS for seconds in times[name][:3]]
        bench.row("iteration", name, values, "s", digits=4)
        if first:
            bench.ratio("iteration", f"{name} : {first[0]}", values[0], first[1])
        else:
            first = name, values[0]
    remove(folder)


def tracing(bench):
    """A fetch alone, with its calls counted by the tracer, and with them recorded, too. The goal is that
    counting takes less than 5 times as long."""
    folder = bench.work / "traced"
    with bench.origin("10MB") as origin:
        fetch = f"{bench.programs}/downloader fetch --cache {folder} --url {origin.url}"
        trace = f"{bench.programs}/rig trace --report {bench.work}/trace.json --under {folder}"
        times = bench.compare("fetch-10MB", {
            "alone": fetch, "traced": f"{trace} -- {fetch}",
            "recorded": f"{trace} --record {bench.work}/trace.log -- {fetch}"},
            f"bash -c 'rm -rf {folder} && mkdir {folder}'")
    for how in ("traced", "recorded"):
        bench.ratio("fetch-10MB", f"{how} : alone", times[how].median, times["alone"].median)


def stores(bench):
    """The seconds per state of a modelled power cut: what 20 states per kill take more than one, divided
    by how many more were tried, for stores that are libraries. What a kill costs is in the survey's record."""
    folder, found = bench.work / "run", []
    for profile in sorted((ROOT / "harness/stores/profiles").glob("*.yml")):
        if any(f"store_{name}.py" in profile.read_text() for name in NOT_EMBEDDED):
            continue
        seconds, tried = [], []
        for states in (1, 20):
            remove(folder)
            began = time.monotonic()
            rig.run([bench.programs / "rig", "kill-test", "--no-config", "--quiet", "--jobs", 4, "--seed", 7,
                     "--worker", profile.relative_to(ROOT), "--fault", "power-cut-torn", "--video-size", "4MB",
                     "--trigger", "bytes", "--iterations", 8, "--states", states, "--out", folder],
                    bench.work / "states.log")
            seconds.append(time.monotonic() - began)
            tried.append(sum(int(row["crash_states"] or 0) for row in record.read(folder / "iterations.csv")))
        # A store of which each kill had a finding in its first state has no further ones.
        if tried[1] > tried[0]:
            found.append((seconds[1] - seconds[0]) / (tried[1] - tried[0]))
    if not found:
        give_up(69, "no store is installed; run harness/setup --stores")
    bench.spread("store-state", "power-cut-torn", found, "s")
    remove(folder)


def build(bench):
    """The steps of a release build from empty caches: each dependency, with what it needs that was not
    built before, then the project."""
    clone, cache, log = bench.work / "clone", bench.work / "cache", bench.work / "build.log"
    run(["git", "clone", "--quiet", ROOT, clone])
    where = ["--package-path", clone]
    flags = run(["bash", "-c", 'root=$1; source "$root/harness/lib/build.sh"; echo "${release_flags[*]}"', "bash", ROOT])
    step = ["swift", "build", *flags.split(), *where, "--cache-path", cache]
    took = timing.seconds_of(["swift", "package", *where, "--cache-path", cache, "resolve"], log)
    bench.row("build", "fetching", [took], "s", 1)
    targets = json.loads(run(["swift", "package", *where, "describe", "--type", "json"]))["targets"]
    used = {name for target in targets if target["type"] != "test" for name in target.get("product_dependencies", [])}
    # Only the headers of an installed SQLite: nothing to build.
    for name in sorted(used - {"GRDBSQLite"}):
        bench.row("build", name, [timing.seconds_of([*step, "--target", name], log)], "s", 1)
    bench.row("build", "the-project", [timing.seconds_of(step, log)], "s", 1)
    remove(clone, cache)


def fresh(bench):
    """From a clone and empty caches to the verdict of ten kills; then a start with nothing to build."""
    began, clone, log = time.monotonic(), bench.work / "clone", bench.work / "build.log"
    run(["git", "clone", "--quiet", ROOT, clone])
    environment = dict(os.environ, XDG_CACHE_HOME=str(bench.work / "cache"))
    code = subprocess.run(["harness/rig", "kill-test", "--iterations", "10"], cwd=clone, env=environment).returncode
    if code:
        sys.exit(code)
    bench.row("start", "clone-to-first-verdict", [time.monotonic() - began], "s", 1, 0)
    starts = [timing.seconds_of([clone / "harness/rig", "--version"], log) for _ in range(bench.runs)]
    bench.spread("start", "second-start", starts, "s")
    remove(clone, bench.work / "cache")
