"""Runs the rig, and reads what it says."""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

from house.script import ROOT, give_up

# The exit codes of a run that was judged: it holds, says too little, or does not hold.
JUDGED = (0, 98, 99)
RELEASE = ROOT / ".build/release"

running = set()
lock = threading.Lock()


def need_tools():
    """Installs what the checks need."""
    code = subprocess.run([ROOT / "harness/setup", "--test-tools"]).returncode
    if code:
        sys.exit(code)


def build():
    """Builds the release programs if a source has changed; returns their folder."""
    script = 'set -euo pipefail; root=$1; source "$root/harness/lib/build.sh"; build_release'
    code = subprocess.run(["bash", "-c", script, "bash", str(ROOT)]).returncode
    if code:
        sys.exit(code)
    return RELEASE


def programs():
    """The folder of programs that RIG_BINARIES names; without it, that of the built ones."""
    told = os.environ.get("RIG_BINARIES")
    return pathlib.Path(told).resolve() if told else build()


@contextlib.contextmanager
def started(words, log, cwd=ROOT, limit=None, **more):
    """A command as it runs; what it says goes to a file. It is waited for, and ended with the script, or
    after so many seconds; one that does not listen then is killed a minute later."""
    with open(log, "w") as file:
        process = subprocess.Popen(
            [str(word) for word in words], cwd=cwd, text=True, stdin=subprocess.DEVNULL,
            **{"stdout": file, "stderr": file, **more})
    with lock:
        running.add(process)
    ends = ((limit, process.terminate), (limit + 60, process.kill)) if limit else ()
    timers = [threading.Timer(seconds, end) for seconds, end in ends]
    for timer in timers:
        timer.daemon = True
        timer.start()
    try:
        yield process
    except (SystemExit, GeneratorExit):
        process.terminate()
        raise
    finally:
        process.wait()
        for timer in timers:
            timer.cancel()
        with lock:
            running.discard(process)


def end_all():
    """Ends the commands that run."""
    with lock:
        for process in running:
            process.terminate()


def run(words, log, **more):
    """Runs a command to its end; what it says goes to a file. Returns its exit code."""
    with started(words, log, **more) as process:
        return process.wait()


class Kills:
    """A run of kills in a folder: the rows of its kills as they come, then its exit code. It is stopped
    when it takes longer than the limit, in seconds; the rows until then have come."""

    def __init__(self, words, folder, log, limit=None):
        self.words = [*words, "--no-config", "--json", "--out", str(folder)]
        self.log, self.code, self.seconds = log, None, 0.0
        self.limit, self.is_stopped = limit, False

    def __iter__(self):
        began = time.monotonic()
        try:
            with started(self.words, self.log, limit=self.limit, stdout=subprocess.PIPE) as self.process:
                for line in self.process.stdout:
                    self.seconds = time.monotonic() - began
                    event = json.loads(line)
                    if event.get("event") == "row":
                        yield event
        except KeyboardInterrupt:
            give_up(130, "interrupted; call it again, and it goes on")
        self.code, self.seconds = self.process.returncode, time.monotonic() - began
        self.is_stopped = self.limit is not None and self.seconds >= self.limit


def first_failure(words, program, folder, log):
    """Runs the rig until a kill of a program shows something wrong; returns that kill, how many were judged
    by then, the seconds, and the exit code."""
    run = Kills(words, folder, log)
    run.words += ["--", *program]
    judged = 0
    for kill in run:
        judged += kill["verdict"] != "inconclusive"
        if kill["verdict"] == "fail":
            run.process.terminate()
            run.process.wait()
            return kill, judged, run.seconds, None
    return None, judged, run.seconds, run.code


def told(kill):
    """What a kill showed first, without the names of this machine's folders."""
    return without_folders(kill["reason"].split("; ")[0])


def without_folders(text):
    return re.sub(r"/[^ '\"]*/scratch/[^ '\"]*?/(?:state|as-the-\w+-life-left-it)", "DIR", text)
