"""Lets the same call fail under the rig and under strace, and compares how the program ends."""
import collections
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

from house.script import give_up
from house.server import Server, Unavailable
from house.table import markdown

PATIENCE = 60
# How often a pair that ended otherwise is tried again, to see what differs by itself.
AGAIN = 4
COLUMNS = ["program", "call", "file", "number", "of", "error", "exit_rig", "exit_strace", "files_rig", "files_strace",
           "said_rig", "said_strace", "varies", "alike", "explanation"]
KEY = ("program", "call", "file", "number", "error")
# Calls about a descriptor, and those about a path, of which the last one counts.
WRITES = {"write", "pwrite64", "writev", "pwritev"}
BY_DESCRIPTOR = WRITES | {"fsync", "fdatasync", "ftruncate", "fallocate", "close"}
BY_PATH = {"open", "openat", "creat", "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "link", "linkat"}
OPENS = {"open", "openat", "creat"}
# The rig's name of an error, and that of strace.
ERRNO = {"eio": "EIO", "enospc": "ENOSPC", "emfile": "EMFILE", "close-eio": "EIO"}
CLOSED = "strace does not make the close, the rig does, as the kernel does whatever it returns"

Program = collections.namedtuple("Program", "needs command prepare")
Call = collections.namedtuple("Call", "thread name file path turn nth")
Ending = collections.namedtuple("Ending", "code said files")


def sql(place):
    """Some changes of a database, which need no more room than a journal."""
    rows = "".join(f"insert into t values({number}, zeroblob(9000));" for number in range(8))
    return ["sqlite3", "-bail", f"{place}/db", f"create table t(a, b);begin;{rows}commit;delete from t where a < 4;"]


def new_repository(place):
    """A repository with a file to commit."""
    for words in (["init", "-q", "--template="], ["config", "user.name", "a"], ["config", "user.email", "a@b"]):
        subprocess.run(["git", "-C", place, *words], check=True, stdout=subprocess.DEVNULL)
    (place / "file").write_text("text\n" * 2000)
    subprocess.run(["git", "-C", place, "add", "file"], check=True)


def fetch(storage):
    return lambda place, url, programs: [
        programs / "downloader", "fetch", "--url", url, "--cache", place, "--durability", "power", "--storage", storage,
        "--output", place / "out.mp4"]


PROGRAMS = {
    "curl": Program("curl", lambda place, url, _: ["curl", "-q", "-sS", "-f", "-o", place / "out", url], None),
    "wget": Program("wget", lambda place, url, _: ["wget", "--no-config", "-nv", "-O", place / "out", url], None),
    "aria2": Program("aria2c", lambda place, url, _: [
        "aria2c", "--no-conf=true", "--no-netrc=true", "--show-console-readout=false", "--enable-color=false",
        "--console-log-level=error", "--download-result=hide", "--max-tries=1", "-d", place, "-o", "out", url], None),
    "sqlite3": Program("sqlite3", lambda place, url, _: sql(place), None),
    "git": Program("git", lambda place, url, _: [
        "git", "-C", place, "-c", "core.fsync=all", "-c", "gc.auto=0", "commit", "-q", "-m", "x"], new_repository),
    "downloader-rows": Program(None, fetch("rows"), None),
    "downloader-file": Program(None, fetch("file"), None),
}


def pattern(path):
    """The name of a file, without what is drawn anew in each run."""
    return re.sub(r"(tmp_(?:obj|pack|idx)_)\w+", r"\1*", os.path.basename(path))


class Stage:
    """A server with a video, and a folder in which programs run, made anew for each of them."""

    def __init__(self, program, folder):
        self.rig, self.folder = program, folder.resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "home").mkdir(parents=True)
        self.place = self.folder / "place"
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "LC_ALL": "C", "TZ": "UTC",
                            "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}

    def __enter__(self):
        try:
            self.server = Server(self.folder, [self.rig, "serve", "--video-size", "2MB", "--port", "0"])
        except Unavailable as error:
            give_up(69, str(error))
        return self

    def __exit__(self, *_):
        self.server.end()

    def run(self, program, wrap):
        """Runs a program in a new folder, behind the words of a tracer; returns how it ended."""
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        if program.prepare:
            program.prepare(self.place)
        command = [*wrap, *program.command(self.place, self.server.url, self.rig.parent)]
        process = subprocess.Popen(
            [str(word) for word in command], cwd=self.place, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            output, messages = process.communicate(timeout=PATIENCE)
            code = str(process.returncode)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, messages = process.communicate()
            code = "hangs"
        return Ending(code, self.first_line(messages) or self.first_line(output), self.files())

    def first_line(self, text):
        """The first line of what was said, without this machine's folders, names and times that are drawn anew."""
        line = next((line for line in text.decode(errors="replace").splitlines() if line.strip()), "")
        line = line.replace(str(self.place), "DIR").replace(self.server.url, "URL")
        line = re.sub(r"(tmp_(?:obj|pack|idx)_)\w+", r"\1*", line)
        return re.sub(r"\d\d\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*|\d\d/\d\d \d\d:\d\d:\d\d", "TIME", line)[:200]

    def files(self):
        """Each file that is left, with its size and what it holds."""
        found = {}
        for path in sorted(self.place.rglob("*")):
            if path.is_file() and not path.is_symlink():
                name = str(path.parent.relative_to(self.place) / pattern(path))
                found[name] = (path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest()[:12])
        return found

    # MARK: the calls

    def calls(self, program):
        """The calls that an unharmed program makes in its folder, as strace sees them."""
        log = self.folder / "strace.log"
        names = ",".join(sorted(BY_DESCRIPTOR | BY_PATH))
        ending = self.run(program, ["strace", "-f", "-y", "-o", log, "-e", f"trace={names}"])
        if ending.code != "0":
            give_up(69, f"{program.needs or 'the downloader'} fails unharmed: exit {ending.code}: {ending.said}")
        return self.read(log)

    def read(self, log):
        """The calls in a log of strace: the turn is their number among those of the same name in their
        thread, and `nth` that among those about the same file."""
        turns, numbers, written, calls = collections.Counter(), collections.Counter(), set(), []
        for line in log.read_text(errors="replace").splitlines():
            started = re.match(r"(\d+) +(\w+)\((.*)$", line)
            if not started:
                continue
            thread, name, words = started.groups()
            turns[thread, name] += 1
            path = self.path(name, words)
            if path is None or name == "close" and path not in written:
                continue
            if name in WRITES:
                written.add(path)
            file = pattern(path)
            numbers[name, file] += 1
            calls.append(Call(thread, name, file, path, turns[thread, name], numbers[name, file]))
        return calls

    def path(self, name, words):
        """The path below the folder that a call changes; None for any other call."""
        if name in BY_DESCRIPTOR:
            of = re.match(r"\d+<([^>]*)>", words)
            path = of and of[1]
        elif name in OPENS and name != "creat" and not re.search(r"O_CREAT|O_TRUNC", words):
            return None
        else:
            named = re.findall(r'"((?:[^"\\]|\\.)*)"', words)
            path = named and os.path.join(self.place, named[-1])
        if not path or not os.path.normpath(path).startswith(f"{self.place}/"):
            return None
        return os.path.normpath(path.removesuffix(" (deleted)"))

    def choice(self, calls, most):
        """The calls to try, and the errors: about each file the first of a kind, and of writes one in the
        middle and the last. Kinds take turns, so that none is left out where there are too many."""
        groups = collections.defaultdict(list)
        for call in calls:
            groups[call.name, call.file].append(call)
        tries = collections.defaultdict(list)
        for (name, _), same in sorted(groups.items()):
            places = [same[0], same[len(same) // 2], same[-1]] if name in WRITES else same[:1]
            errors = ["close-eio"] if name == "close" else ["eio"]
            if name in WRITES:
                errors.append("enospc")
            if name in OPENS:
                errors += ["emfile", "enospc"]
            tries[name].append([(call, error) for error in errors for call in dict.fromkeys(places)])
        return taking_turns([taking_turns(of_files) for of_files in tries.values()])[:most], {key: len(same) for key, same in groups.items()}

    # MARK: the pairs

    def pairs(self, name, most):
        """A row for each call that fails under both."""
        program, rows = PROGRAMS[name], []
        chosen, numbers = self.choice(self.calls(program), most)
        for call, error in chosen:
            ours, theirs = self.both(program, call, error)
            # The rig lets only calls fail that can: a write that needs no room does not find the disk full.
            if ours is None or theirs is None:
                continue
            rows.append({"program": name, "call": call.name, "file": call.file, "number": str(call.nth),
                         "of": str(numbers[call.name, call.file]), "error": error,
                         **self.compared(program, call, error, ours, theirs)})
        return rows

    def both(self, program, call, error):
        return self.under_rig(program, call, error), self.under_strace(program, call, error)

    def under_rig(self, program, call, error):
        """How the program ends under the rig's tracer; None if it was another call that failed, or none."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        ending = self.run(program, [
            self.rig, "trace", "--report", report, "--under", self.place, "--error", error, "--sticky", "once", "--on", call.file,
            "--of", call.name, "--kill-at", call.nth, "--"])
        failed = json.loads(report.read_text()).get("failed") if report.exists() else None
        return ending if failed and pattern(failed["call"]["path"]) == call.file else None

    def under_strace(self, program, call, error):
        """How it ends under strace; None if not just this call failed.

        strace counts the calls of each thread. With a path it counts only those about that path."""
        log = self.folder / "strace.log"
        by_path = call.name in BY_DESCRIPTOR and "*" not in call.file
        turn = call.nth if by_path else call.turn
        ending = self.run(program, [
            "strace", "-f", "-y", "-o", log, *(["-P", call.path] if by_path else []), "-e", f"trace={call.name}",
            "-e", f"inject={call.name}:error={ERRNO[error]}:when={turn}"])
        failed = [line for line in log.read_text(errors="replace").splitlines() if "(INJECTED)" in line]
        started = failed and re.match(r"\d+ +(?:<\.\.\. )?(\w+)\(?(.*)$", failed[0])
        path = started and self.path(started[1], started[2])
        is_it = len(failed) == 1 and (path is None or pattern(path) == call.file)
        return ending if is_it else None

    def compared(self, program, call, error, ours, theirs):
        """Whether both ended alike. What differs between two runs of one kind as well says nothing."""
        varies = set()
        unlike = differing(ours.files, theirs.files)
        for _ in range(AGAIN):
            if not unlike - varies and (ours.said == theirs.said or "its message" in varies):
                break
            for first, second in zip((ours, theirs), self.both(program, call, error)):
                if second:
                    varies |= differing(first.files, second.files)
                    if first.said != second.said:
                        varies.add("its message")
        alike = ours.code == theirs.code and not unlike - varies and (ours.said == theirs.said or "its message" in varies)
        return {"exit_rig": ours.code, "exit_strace": theirs.code, "files_rig": listed(ours.files),
                "files_strace": listed(theirs.files), "said_rig": ours.said, "said_strace": theirs.said,
                "varies": ", ".join(sorted(varies)), "alike": "yes" if alike else "no",
                "explanation": CLOSED if error == "close-eio" and not alike else ""}


def taking_turns(queues):
    """The first of each queue, then the second of each, until all are empty."""
    rounds = itertools.zip_longest(*queues)
    return [one for together in rounds for one in together if one is not None]


def differing(ours, theirs):
    """The names of files that are not the same in both."""
    return {name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)}


def listed(files):
    return " ".join(f"{name}:{size}:{digest}" for name, (size, digest) in sorted(files.items()))


def page(rows):
    """The number of pairs of each program, each difference with its explanation, and all pairs."""
    def names(text):
        return {name: rest for name, _, rest in (one.partition(":") for one in text.split())}

    def code(text):
        return f"`{text}`" if text else "nothing"

    def difference(row):
        ours, theirs, varies = names(row["files_rig"]), names(row["files_strace"]), row["varies"].split(", ")
        told = [] if row["exit_rig"] == row["exit_strace"] else [f"exit {row['exit_rig']}, and {row['exit_strace']} under strace"]
        told += [f"`{name}` {ours.get(name, 'is not there')}, and {theirs.get(name, 'is not there')}"
                 for name in sorted(ours.keys() | theirs.keys()) if ours.get(name) != theirs.get(name) and name not in varies]
        if row["said_rig"] != row["said_strace"] and "its message" not in varies:
            told.append(f"{code(row['said_rig'])}, and {code(row['said_strace'])}")
        return "; ".join(told)

    def escaped(text):
        return text.replace("|", "\\|")

    programs = list(dict.fromkeys(row["program"] for row in rows))
    of = lambda name: [row for row in rows if row["program"] == name]
    alike = lambda some: sum(row["alike"] == "yes" for row in some)
    head = markdown(["program", "pairs", "alike", "explained"], [
        [f"`{name}`", len(of(name)), alike(of(name)), sum(bool(row["explanation"]) for row in of(name) if row["alike"] != "yes")]
        for name in programs], "lrrr")
    call = lambda row: f"`{row['program']}`: {row['call']} {row['number']} of {row['of']} to `{row['file']}`, {row['error']}"
    unlike = [[call(row), escaped(difference(row)), row["explanation"]] for row in rows if row["alike"] != "yes"]
    every = markdown(["call", "exit", "its message", "varies by itself", "alike"], [
        [call(row), row["exit_rig"], escaped(code(row["said_rig"])), row["varies"], row["alike"]] for row in rows])
    parts = [head, f"{len(rows)} pairs, {alike(rows)} alike.",
             markdown(["call", "the rig, and strace", "why"], unlike) if unlike else "", every]
    return "\n\n".join(part for part in parts if part)
