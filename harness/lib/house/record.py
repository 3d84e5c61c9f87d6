"""Keeps rows in files of CSV, such as those below results/reference."""
import csv

from house.script import ROOT

REFERENCE = ROOT / "results/reference"


def read(path):
    """The rows of a file, without one that was cut; none if there is no file."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return [row for row in csv.DictReader(file) if None not in row.values() and None not in row]


def write(path, columns, rows, end="\r\n"):
    """Writes a file, which is there whole or as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    with open(new, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator=end)
        writer.writeheader()
        writer.writerows(rows)
    new.replace(path)


def merged(old, new, key, order=None):
    """Old and new rows, of which the new ones are in the place of old ones with the same key. The
    order is of keys, and those that it does not have are left out."""
    names = (key,) if isinstance(key, str) else key
    of = lambda row: tuple(row[name] for name in names) if len(names) > 1 else row[key]
    replaced = {of(row) for row in new}
    rows = [row for row in old if of(row) not in replaced] + list(new)
    if order is None:
        return rows
    place = {one: number for number, one in enumerate(order)}
    return sorted((row for row in rows if of(row) in place), key=lambda row: place[of(row)])
