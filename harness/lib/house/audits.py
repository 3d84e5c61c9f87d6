"""Audits by `rig audit`: each in a folder, with a log beside it that has the seconds of each line."""
import collections
import json
import os
import re
import shlex
import shutil
import subprocess
import time

from house import rig
from house.script import give_up

# What the first line of a log begins with; the options follow.
MADE = "0.0 made by: "
# A rig that hangs is ended after three times the minutes and so many seconds, in which it may be built;
# tests do not wait for that long.
PATIENCE = int(os.environ.get("RIG_AUDIT_PATIENCE", 900))


def audit(words, folder, minutes, command=()):
    """Audits a program into a folder, unless its audit is there; returns what was found."""
    words = [*words, "--minutes", f"{minutes:g}"]
    options = shlex.join(str(word) for word in [*words[1:], *command])
    if found(folder) is None:
        if (folder / "unharmed.log").exists():
            shutil.rmtree(folder)  # what an interrupted audit has left
        folder.parent.mkdir(parents=True, exist_ok=True)
        began, limit = time.monotonic(), 180 * minutes + PATIENCE
        with open(log_of(folder), "w") as log:
            log.write(f"{MADE}{options}\n")
            with rig.started([*words, "--out", folder, *command], os.devnull, limit=limit,
                             stderr=subprocess.PIPE, errors="replace") as process:
                for line in process.stderr:
                    log.write(f"{time.monotonic() - began:.1f} {line}")
                    log.flush()
            if time.monotonic() - began >= limit:
                log.write(f"{limit:.1f} the rig did not end by itself\n")
    elif made(folder) not in (options, None):
        give_up(64, f"{folder} was audited with other options, {made(folder)}; name another --out")
    return found(folder)


def made(folder):
    """The options of an audit; None where its log does not say."""
    text = log_of(folder).read_text() if log_of(folder).exists() else ""
    line = text.partition("\n")[0]
    return line.removeprefix(MADE) if line.startswith(MADE) else None


def makers(folders):
    """A sentence that says which rig made some audits, and with which seed and minutes."""
    counts = collections.Counter(maker(folder) for folder in folders)
    if len(counts) == 1:
        return f"Audited by {next(iter(counts))}."
    return f"Audited by {'; '.join(f'{one} ({count})' for one, count in sorted(counts.items()))}."


def maker(folder):
    try:
        manifest = json.loads((folder / "unharmed/manifest.json").read_text())
    except (OSError, ValueError):
        manifest = {}
    version = (manifest.get("versions") or {}).get("rig")
    source = manifest.get("provenance") or {}
    words = [f"rig {version}" if version else "a rig that is not known"]
    if source.get("commit"):
        words.append(f"commit {source['commit'][:12]}"
                     f"{'' if source.get('tree') == 'clean' else ' with changes'}")
    for option, text in (("seed", "seed {}"), ("minutes", "{} minutes each")):
        value = re.search(rf"--{option} (\S+)", made(folder) or "")
        if value:
            words.append(text.format(value[1]))
    return ", ".join(words)


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
