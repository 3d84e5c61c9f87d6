#!/usr/bin/env python3
"""The same as notes-in-place.py, with the cure: the new file is made beside the old one, and takes
its place when it is on the disk.

    notes-beside.py FOLDER
"""

import json
import os
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
path = folder / "notes.json"
notes = json.loads(path.read_text()) if path.exists() else []


def sync(name):
    """Waits until a file, or a folder's list of names, is on the disk."""
    descriptor = os.open(name, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


for number in range(len(notes) + 1, 201):
    notes.append(f"note {number} " + "." * 100)
    beside = folder / "notes.json.new"
    beside.write_text(json.dumps(notes))
    sync(beside)
    os.replace(beside, path)
    sync(folder)
    print(number, flush=True)
