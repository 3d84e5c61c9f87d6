#!/usr/bin/env python3
"""Adds two hundred notes to a JSON file, which it saves in place: a kill can leave half of it.

    notes-in-place.py FOLDER
"""

import json
import pathlib
import sys

path = pathlib.Path(sys.argv[1]) / "notes.json"
notes = json.loads(path.read_text()) if path.exists() else []
for number in range(len(notes) + 1, 201):
    notes.append(f"note {number} " + "." * 100)
    with open(path, "w") as file:
        json.dump(notes, file)
    # A line is a promise: this note is saved.
    print(number, flush=True)
