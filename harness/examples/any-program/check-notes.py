#!/usr/bin/env python3
"""Checks notes.json: it can be read, and every note that was said is there.

    check-notes.py FOLDER SAID

Exit codes: 0 all is there; 1 something is not, and the last line says what.
"""

import json
import pathlib
import sys

path = pathlib.Path(sys.argv[1]) / "notes.json"
said = [int(line) for line in open(sys.argv[2])]
if not path.exists():
    sys.exit(f"there is no file, and {len(said)} notes were saved" if said else 0)
try:
    notes = json.loads(path.read_text())
except ValueError as error:
    sys.exit(f"notes.json cannot be read: {error}")
if len(notes) < max(said, default=0):
    sys.exit(f"{len(notes)} notes are there, and {max(said)} were saved")
