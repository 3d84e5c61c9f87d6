"""Kills rigs, and checks what they leave.

The kinds of runs take turns. Half of the kills hit the rig alone, and its guardian cleans up; the
others hit both, and the next run cleans up. If the worker hides a daemon, only the rig is killed:
without a guardian, nothing knows that the daemon is the worker's.

Exit codes: 0 nothing was left, 1 something was, 77 not root.
"""

import argparse
import glob
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

LONG = ["--iterations", "1000", "--video-size", "4MB"]
RUNS = {
    "files": [],
    "rows": ["--set", "storage=rows"],
    "playback": ["--workload", "playback"],
    "switching": ["--workload", "switching"],
    "lists": ["--workload", "offline-library"],
    "phases": ["--trigger", "phase"],
    "calls": ["--trigger", "syscall"],
    "chains": ["--kills", "4"],
    "jobs": ["--jobs", "3"],
    "curl": ["--worker", "curl"],
    "power cuts": ["--fault", "power-cut"],
    "power cuts of jobs": ["--fault", "power-cut", "--jobs", "2"],
    "torn power cuts": ["--fault", "power-cut-torn"],
    "want of memory": ["--fault", "oom"],
    "a hidden daemon": None,
}
HIDDEN = (
    'env -i PATH="$PATH" setsid sh -c \'sleep 1000; :\' & '
    'curl -sS -C - --limit-rate 400K -o "$2" "$1"; pkill -KILL -s $!'
)
PATIENCE = 20.0


def command(rig, name, folder):
    options = RUNS[name]
    base = [rig, "kill-test", "--quiet", "--out", os.path.join(folder, "run")] + LONG
    if options is not None:
        return base + options
    return base + ["--", "/bin/sh", "-c", HIDDEN, "sh", "{url}", "{output}"]


def text(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def link(path):
    try:
        return os.readlink(path)
    except OSError:
        return ""


def processes(folder):
    """Processes that run below a folder, or have it in their environment or arguments."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        if int(process) == os.getpid() or b") Z " in text(f"/proc/{process}/stat"):
            continue
        words = text(f"/proc/{process}/environ") + text(f"/proc/{process}/cmdline")
        if folder.encode() in words or link(f"/proc/{process}/cwd").startswith(folder):
            name = text(f"/proc/{process}/comm").decode().strip()
            found.append(f"process {process} ({name})")
    return found


def left(folder, rig):
    """What the rig with this process id has left of a run in a folder."""
    mounts = [
        f"mount {line.split()[1]}"
        for line in text("/proc/mounts").decode().splitlines()
        if line.split()[1].startswith(folder)
    ]
    loops = [
        f"loop device of {name}"
        for name in (
            text(path).decode().strip() for path in glob.glob("/sys/block/loop*/loop/backing_file")
        )
        if name.startswith(folder)
    ]
    groups = glob.glob(f"/sys/fs/cgroup/**/rig-{rig}-*", recursive=True)
    return processes(folder) + mounts + loops + [f"control group {name}" for name in groups]


def guardian(rig):
    for process in filter(str.isdigit, os.listdir("/proc")):
        words = text(f"/proc/{process}/cmdline").split(b"\0")
        if len(words) > 1 and words[1] == b"guard-workers":
            fields = text(f"/proc/{process}/stat").rsplit(b")", 1)[-1].split()
            if len(fields) > 1 and int(fields[1]) == rig:
                return int(process)
    return None


def kill(rig, name, seed):
    """Starts a run and kills it; returns what it left."""
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="rig-kills-") as folder:
        run = subprocess.Popen(
            command(rig, name, folder), cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        # One second more: the guardian does not know a daemon yet that has just been hidden.
        time.sleep(draw.uniform(0.02, 3) + (1 if RUNS[name] is None else 0))
        both = name != "a hidden daemon" and draw.random() < 0.5
        guard = guardian(run.pid) if both else None
        if guard is not None:
            os.kill(guard, signal.SIGKILL)
        ended = run.poll()
        run.kill()
        run.wait()
        if ended is not None:
            return [f"it had ended with {ended} before its kill"]
        if both:
            subprocess.run(
                command(rig, "files", f"{folder}/next") + ["--iterations", "1"], cwd=folder,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                check=False,
            )
        end = time.monotonic() + PATIENCE
        while True:
            rest = left(folder, run.pid)
            if not rest or time.monotonic() > end:
                return rest
            time.sleep(0.05)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kills", type=int, nargs="?", default=60)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("harness/ci/rig-kills: mounts and control groups need root", file=sys.stderr)
        return 77
    rig = os.path.join(options.programs, "rig")
    failures = 0
    for number in range(options.kills):
        name = list(RUNS)[number % len(RUNS)]
        rest = kill(rig, name, options.seed + number)
        if rest:
            failures += 1
            print(f"seed {options.seed + number}, {name}: left " + ", ".join(rest))
    print(f"{options.kills} kills of a rig, {failures} of which left something")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
