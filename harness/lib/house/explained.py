"""Explains findings of the record by `rig explain`, and kills a program that was mended by such a cure."""
import collections
import math
import os
import re
import shutil
import statistics
import subprocess
import time

from house import rig
from house.script import ROOT, give_up
from house.table import markdown

# The worker, the options of its kills, the page about it, and what that page says is not synced.
Finding = collections.namedtuple("Finding", "worker options page cause")
PROFILES = "harness/stores/profiles"
POWER, PROCESS = ["--durability", "power"], ["--durability", "process"]
TORN = ["--fault", "power-cut-torn", "--video-size", "4MB", "--bandwidth", "16MB/s"]
FEW = ["--iterations", "20"]
FINDINGS = {
    "leveldb-1.22": Finding(f"{PROFILES}/leveldb-1.22.yml", [*POWER, "--states", "5", *FEW], "recall.md", r"MANIFEST"),
    "diskcache-torn": Finding(f"{PROFILES}/diskcache.yml", [*PROCESS, *FEW], "findings/diskcache-torn.md", r"\.val\b"),
    # A kill alone does it: no call that the power took is to blame.
    "zipfile-append": Finding(
        f"{PROFILES}/zipfile.yml", [*PROCESS, *FEW], "findings/zipfile-append.md", r"nothing has to be lost"),
    "tokyocabinet-wal": Finding(
        f"{PROFILES}/tokyocabinet.yml", [*POWER, "--states", "5", *FEW], "findings/tokyocabinet-wal.md",
        r"truncate\w*\(store\.tch\.wal"),
    "zodb-zero-tail": Finding(
        f"{PROFILES}/zodb.yml", [*PROCESS, "--states", "20", "--trigger", "syscall", "--thresholds", "32KB", "--iterations",
                                 "6"], "findings/zodb-zero-tail.md", r"store\.fs\b"),
    "git-init-power-cut": Finding(f"{PROFILES}/git-all.yml", [*POWER, *FEW], "findings/git-init-power-cut.md", r"\bHEAD"),
    "aria2-renamed": Finding("aria2", FEW, "findings/aria2-renamed.md", r"\.aria2")}
COLUMNS = ["finding", "page", "kills", "failed", "iteration", "rule", "cure", "agrees", "seconds", "said"]


def row(name, options, kill_test, out):
    """Kills a program until some kills fail, and explains the first of them."""
    finding = FINDINGS[name]
    words = ["--worker", finding.worker, *TORN, *finding.options, "--jobs", str(options.jobs)]
    kills, run = kill_test(options, f"explain/{name}", words)
    failed = [kill for kill in kills if kill["verdict"] == "fail"]
    found = {**dict.fromkeys(COLUMNS, ""), "finding": name, "page": finding.page, "kills": len(kills), "failed": len(failed)}
    if run.code not in rig.JUDGED:
        return {**found, "said": f"exit {run.code}: {last_line(run.log)}"}
    if not failed:
        return {**found, "said": "no kill failed"}
    found["iteration"] = failed[0]["iteration"]
    log = out / f"explain/{name}-explained.log"
    began = time.monotonic()
    with rig.started([options.rig, "explain", out / f"explain/{name}", "--iteration", found["iteration"]], log,
                     limit=options.limit, stdout=subprocess.PIPE) as process:
        lines = process.stdout.read().splitlines()
    found["seconds"] = f"{time.monotonic() - began:.1f}"
    told = dict(line.split("  ", 1) for line in lines[:2] if "  " in line)
    found["rule"], found["cure"] = told.get("RULE", ""), told.get("CURE", "")
    if found["rule"]:
        found["agrees"] = "yes" if re.search(finding.cause, f"{found['rule']} {found['cure']}") else "no"
    if process.returncode:
        found["said"] = f"exit {process.returncode}: {last_line(log)}"
    return found


def last_line(log):
    return rig.without_folders(log.read_text().strip().rpartition("\n")[2])


def page(rows):
    """A table of explanations, and how long they took."""
    lines = [[f"[{row['finding']}](../../../docs/{row['page']})", f"{row['failed']} of {row['kills']}",
              row["rule"] or row["said"], row["cure"], row["agrees"], row["seconds"]] for row in rows]
    head = ["finding", "kills that failed", "rule", "cure", "as the page says", "seconds"]
    text = markdown(head, lines, "lllllr")
    took = sorted(float(row["seconds"]) for row in rows if row["rule"])
    if not took:
        return text
    return (f"{text}\n\nSeconds per explained failure: median {statistics.median(took):.0f}, "
            f"90th percentile {took[math.ceil(0.9 * len(took)) - 1]:.0f}.")


# The cure of docs/findings/diskcache-torn.md, in Disk._write of diskcache/core.py.
WRITTEN = """                    writer.write(chunk)
                return size
"""
SYNCED = WRITTEN.replace("                return size", """                writer.flush()
                os.fsync(writer.fileno())
                return size""")
WAYS = {"as it is": 40, "patched": 200}
MENDED = ["way", "kills", "left_out", "failed", "seconds", "first_finding", "said"]


def patched(options, kill_test, out):
    """Kills diskcache, and a copy of it that syncs the files of its values."""
    modules = out / "patched/modules"
    profile = ROOT / PROFILES / "diskcache.yml"
    mended = out / "patched/diskcache-patched.yml"
    shutil.rmtree(modules, ignore_errors=True)
    shutil.copytree(place("diskcache"), modules / "diskcache", ignore=shutil.ignore_patterns("__pycache__"))
    core = modules / "diskcache/core.py"
    if core.read_text().count(WRITTEN) != 1:
        give_up(69, f"{core} is not the one that the cure was made for, 5.4.0")
    core.write_text(core.read_text().replace(WRITTEN, SYNCED))
    if place("diskcache", {"PYTHONPATH": str(modules)}) != str(modules / "diskcache"):
        give_up(69, "the copy of diskcache is not what Python takes")
    mended.write_text(profile.read_text().replace("name: diskcache\n", "name: diskcache-patched\n")
                      + f"environment: {{PYTHONPATH: {modules}}}\n")
    rows = []
    for way, worker in zip(WAYS, (profile, mended)):
        kills, run = kill_test(options, f"patched/{way.replace(' ', '-')}", [
            "--worker", worker, *TORN, *PROCESS, "--iterations", str(WAYS[way]), "--jobs", str(options.jobs)])
        failed = [kill for kill in kills if kill["verdict"] == "fail"]
        left_out = sum(kill["verdict"] == "inconclusive" for kill in kills)
        rows.append({"way": way, "kills": len(kills), "left_out": left_out, "failed": len(failed),
                     "seconds": f"{run.seconds:.0f}", "first_finding": rig.told(failed[0]) if failed else "",
                     "said": "" if run.code in rig.JUDGED else f"exit {run.code}: {last_line(run.log)}"})
    return rows


def place(module, variables=None):
    """The folder from which Debian's Python takes a module."""
    asked = subprocess.run(["/usr/bin/python3", "-c", f"import {module}; print({module}.__path__[0])"],
                           env={**os.environ, **(variables or {})}, capture_output=True, text=True)
    if asked.returncode:
        give_up(69, f"{module} is not installed; run harness/setup --stores")
    return asked.stdout.strip()


def mended_page(rows):
    head = ["diskcache", "kills", "left out", "failed", "first finding", "seconds"]
    return markdown(head, [[row["way"], row["kills"], row["left_out"], row["failed"],
                            row["first_finding"] or row["said"], row["seconds"]] for row in rows], "lrrrlr")
