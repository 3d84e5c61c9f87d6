"""What every script has: the repository's folder, its options, and how it ends."""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
# As it is called in the repository: harness/bench.
NAME = os.path.relpath(os.path.realpath(sys.argv[0]), ROOT)


def give_up(code, text):
    print(f"{NAME}: {text}", file=sys.stderr)
    sys.exit(code)


class Options(argparse.ArgumentParser):
    """The options of a script. Its docstring is its help; a wrong option ends it with 64."""

    def __init__(self, text):
        super().__init__(prog=NAME, allow_abbrev=False)
        self.text = text

    def format_help(self):
        return self.text

    def error(self, message):
        give_up(64, f"{message}; see {NAME} --help")


def chosen(names, known, kind):
    """The names that were given, each of which must be known; all if none was."""
    for name in names:
        if name not in known:
            give_up(64, f"there is no {kind} '{name}'; choose from {', '.join(known)}")
    return names or list(known)


def count(text):
    """The type of an option that takes a number of at least 1."""
    if not re.fullmatch("[1-9][0-9]*", text):
        raise argparse.ArgumentTypeError("give a number of at least 1")
    return int(text)


def need_room(folder, gigabytes):
    """Ends the script unless a folder has so much room."""
    asked = subprocess.run(["df", "-Pk", folder], capture_output=True, text=True, check=True)
    if int(asked.stdout.splitlines()[1].split()[3]) < gigabytes << 20:
        give_up(69, f"{folder} has less than {gigabytes} GB free; set TMPDIR to a folder with more")


def git(*words):
    """What git prints about the repository; nothing if there is none."""
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True).stdout.rstrip()


def changes():
    """What differs from the commit; recorded results do not count."""
    return git("status", "--porcelain", "--", ".", ":!results")


def carry_out(main):
    """Runs a script, which ends with 130 when it is asked to, after it has cleaned up."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        give_up(130, "interrupted")
