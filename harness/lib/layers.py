#!/usr/bin/env python3
"""Checks that the folders of a target are layers: each may use those below it, and none above.

    layers.py                  every target that has an order
    layers.py TARGET …         only these
    layers.py --cycles …       the groups of folders that use each other in a circle
    layers.py --check …        as above, and whether the order names the folders that are there

Printed is each name that a file uses of a folder above its own, as `FOLDER/File.swift uses NAME of
FOLDER`. Files that stand in the target's folder itself are above all others.

Names are those of types, protocols, type aliases, functions and constants that stand alone. What an
extension adds to a type of another folder is not seen where it is called, and a name that a file
also declares inside a type counts as that one. Comments and the text of strings do not count; what
a string interpolates does. A name after a dot is a member, and counts only after the name of the
target.

Exit codes: 0 nothing is found; 1 something is; 64 bad option.
"""

import argparse
import pathlib
import re
import sys

# From low to high. A target that is not here is not checked, but --cycles shows it when named.
ORDER = {
    "RigModel": ["Terms", "Plan", "Evidence", "Verdict"],
    "RigVerdict": [
        "Statistics", "Measure", "Checkers", "Judge", "Summary", "Gates", "Compare", "History",
        "Conclusion", "Parts", "Promises", "Replay",
    ],
    "RigReport": ["Words", "CSV", "Text", "JSON", "GitHub", "JUnit", "Badge", "HTML"],
    "RigLab": [
        "Machine", "Worker", "Store", "Observe", "PowerCut", "Kill", "Iteration", "Lab",
    ],
    "RigProfiles": ["YAML", "Bounds", "Workers"],
    "RigRun": [
        "Output", "Settings", "Environment", "Stored", "Campaign", "Conclusion", "KillTest",
        "Replay", "Explain", "Trials", "Init",
    ],
    "StorageModel": ["Log", "Disk", "Replay", "States"],
    "SyscallTracer": ["Log"],
}

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOP = "."

DECLARATION = re.compile(
    r"(?<![\w.`])(struct|class|enum|protocol|actor|typealias|func|let|var)\s+`?(\w+)")
HIDDEN = re.compile(r"\b(?:private|fileprivate)\b(?!\s*\(set\))")


def masked(text):
    """The text with its comments and the words of its strings blanked, line by line."""
    out = []
    # One entry for each open string: its delimiter and hashes; and for each open interpolation, how
    # many of its parentheses are open.
    stack = []
    index = 0
    comment = 0

    def blank(part):
        out.append(re.sub(r"[^\n]", " ", part))

    while index < len(text):
        if comment:
            if text.startswith("/*", index):
                comment += 1
            elif text.startswith("*/", index):
                comment -= 1
            else:
                blank(text[index])
                index += 1
                continue
            blank(text[index:index + 2])
            index += 2
            continue
        if stack and isinstance(stack[-1], tuple):
            quote, hashes = stack[-1]
            if text.startswith("\\" + hashes + "(", index):
                step = 2 + len(hashes)
                stack.append(1)
            elif text.startswith("\\" + hashes, index):
                step = 2 + len(hashes)
            elif text.startswith(quote + hashes, index):
                step = len(quote + hashes)
                stack.pop()
            else:
                step = 1
            blank(text[index:index + step])
            index += step
            continue
        if text.startswith("//", index):
            end = text.find("\n", index)
            end = len(text) if end < 0 else end
            blank(text[index:end])
            index = end
            continue
        if text.startswith("/*", index):
            comment = 1
            blank("  ")
            index += 2
            continue
        opened = re.compile(r'(#*)("""|")').match(text, index)
        if opened:
            stack.append((opened[2], opened[1]))
            blank(opened[0])
            index = opened.end()
            continue
        if stack:
            stack[-1] += {"(": 1, ")": -1}.get(text[index], 0)
            if stack[-1] == 0:
                stack.pop()
                blank(")")
                index += 1
                continue
        out.append(text[index])
        index += 1
    return "".join(out)


def declarations(code):
    """Names that stand alone and are seen in the whole target, and those that stand in others."""
    alone, inside = set(), set()
    depth = 0
    position = 0
    for found in DECLARATION.finditer(code):
        depth += sum({"{": 1, "}": -1, "(": 1, ")": -1}.get(c, 0)
                     for c in code[position:found.start()])
        position = found.start()
        line = code[code.rfind("\n", 0, found.start()) + 1:found.start()]
        kind, name = found.groups()
        if name in ("func", "var", "let"):
            continue
        if depth == 0 and not HIDDEN.search(line):
            alone.add(name)
        elif depth == 0 or kind not in ("func", "let", "var"):
            inside.add(name)
    return alone, inside


def uses(code, target):
    """The names that the code may mean by themselves, or as a member of the target."""
    names = set()
    for found in re.finditer(r"(?<![\w@#])[A-Za-z_]\w*", code):
        before = code[max(0, found.start() - len(target) - 1):found.start()]
        # Three dots are a range.
        is_member = before.endswith(".") and not before.endswith("..")
        if not is_member or before == target + ".":
            names.add(found[0])
    return names


class Target:
    """The folders of a target, what they declare and what they use."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        self.files = {}
        self.home = {}
        for path in sorted(folder.rglob("*.swift")):
            relative = path.relative_to(folder)
            room = relative.parts[0] if len(relative.parts) > 1 else TOP
            code = masked(path.read_text())
            alone, inside = declarations(code)
            self.files[relative.as_posix()] = (room, inside, uses(code, name))
            for declared in alone:
                self.home.setdefault(declared, set()).add(room)

    def references(self):
        """Each use of a name of another folder: the file, its folder, the name, its folder."""
        for file, (room, inside, used) in self.files.items():
            for name in sorted(used - inside):
                homes = self.home.get(name, set())
                if homes and room not in homes:
                    yield file, room, name, min(homes)

    def folders(self):
        return {room for room, _, _ in self.files.values()}

    def upward(self, order):
        rank = {room: index for index, room in enumerate([*order, TOP])}
        for file, room, name, home in self.references():
            if rank.get(home, -1) > rank.get(room, -1):
                yield f"{file} uses {name} of {home}"

    def cycles(self):
        """Groups of at least two folders of which each reaches each other."""
        edges = {room: set() for room in self.folders()}
        for _, room, _, home in self.references():
            edges[room].add(home)
        reached = {}
        for room in edges:
            seen, todo = set(), [room]
            while todo:
                for following in edges[todo.pop()] - seen:
                    seen.add(following)
                    todo.append(following)
            reached[room] = seen
        groups = {
            frozenset(other for other in reached[room] if room in reached[other])
            for room in edges if room in reached[room]}
        return sorted(sorted(group) for group in groups if len(group) > 1)


def unlisted(target, order):
    there = target.folders() - {TOP}
    for room in sorted(there - set(order)):
        yield f"{room} is a folder without a place in the order"
    for room in order:
        if room not in there:
            yield f"{room} is in the order, but is no folder"


def target_named(name, root):
    found = sorted(path for path in (root / "Sources").glob(f"**/{name}") if path.is_dir())
    if not found:
        sys.stderr.write(f"layers: there is no target {name} below {root}/Sources\n")
        sys.exit(64)
    return Target(name, found[0])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("targets", nargs="*")
    try:
        options = parser.parse_args()
    except SystemExit as end:
        sys.exit(64 if end.code else 0)
    found = []
    for name in options.targets or ORDER:
        target = target_named(name, options.root)
        order = ORDER.get(name, [])
        if options.cycles:
            found += [f"{name}: " + " ".join(group) for group in target.cycles()]
            continue
        if options.check:
            found += [f"{name}/{line}" for line in unlisted(target, order)]
        found += [f"{name}/{line}" for line in target.upward(order)]
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
