"""Audits by `rig audit`: each in a folder, with a log beside it that has the seconds of each line."""
import json
import os
import re
import shutil
import subprocess
import time

from house import rig


def audit(words, folder, command=()):
    """Audits a program into a folder, unless its audit is there; returns what was found."""
    if found(folder) is None:
        if (folder / "unharmed.log").exists():
            shutil.rmtree(folder)  # what an interrupted audit has left
        folder.parent.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        with open(log_of(folder), "w") as log, rig.started(
                [*words, "--out", folder, *command], os.devnull, stderr=subprocess.PIPE,
                errors="replace") as process:
            for line in process.stderr:
                log.write(f"{time.monotonic() - began:.1f} {line}")
    return found(folder)


def found(folder):
    """The situations of an audit by their names; None if there is no audit in the folder."""
    try:
        situations = json.loads((folder / "audit.json").read_text())["situations"]
    except (OSError, ValueError):
        return None
    return {one["situation"]: one for one in situations}


def log_of(folder):
    return folder.with_name(f"{folder.name}.log")


def seconds_to_failure(folder, situations):
    """When the first of some situations was seen to fail, in seconds; None if that is not known."""
    titles = "|".join(re.escape(one["title"]) for one in situations)
    text = log_of(folder).read_text() if log_of(folder).exists() else ""
    line = re.search(rf"^(\S+) rig: (?:{titles}) \(\d+ kills?\): FAIL ", text, re.M) if titles else None
    return float(line[1]) if line else None
