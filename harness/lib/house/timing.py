"""Measures times and memory."""
import collections
import csv
import shutil
import statistics
import subprocess
import sys
import time

from house.script import give_up

# Seconds: the median, the shortest, the longest, and the mean of processor time.
Times = collections.namedtuple("Times", "median least most processor")


def seconds_of(command, log, **more):
    """How long a command takes; one that fails ends the script."""
    began = time.monotonic()
    with open(log, "w") as file:
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                              stdout=file, stderr=file, **more)
    if done.returncode:
        with open(log) as file:
            sys.stderr.write(file.read())
        give_up(70, f"{' '.join(map(str, command))} failed; its messages are above")
    return time.monotonic() - began


def spread(values, factor=1):
    """The median, the least and the greatest of some numbers."""
    values = [value * factor for value in values]
    return statistics.median(values), min(values), max(values)


def compared(commands, runs, table, prepare=None):
    """Times commands in turn by hyperfine, which writes a table; returns the times by name."""
    words = ["hyperfine", "--shell=none", "--style", "none", "--warmup", "1", "--runs", str(runs),
             "--export-csv", str(table), *(["--prepare", prepare] if prepare else [])]
    for name, command in commands.items():
        words += ["--command-name", name, command]
    if subprocess.run(words, stdout=sys.stderr, stdin=subprocess.DEVNULL).returncode:
        give_up(70, "a command that is measured failed; its messages are above")
    with open(table, newline="") as file:
        return {row["command"]: Times(*(float(row[name]) for name in ("median", "min", "max")),
                                      float(row["user"]) + float(row["system"]))
                for row in csv.DictReader(file)}


def peak_memory(command, folder):
    """The greatest memory of a command, in bytes."""
    is_mac = sys.platform == "darwin"
    report = folder / "memory"
    words = ["-l"] if is_mac else ["-f", "%M", "-o", report]
    seconds_of([shutil.which("time"), *words, *command], folder / "memory.log")
    if is_mac:
        lines = (folder / "memory.log").read_text().splitlines()
        return int(next(line.split()[0] for line in lines if "maximum resident set size" in line))
    return int(report.read_text()) * 1024
