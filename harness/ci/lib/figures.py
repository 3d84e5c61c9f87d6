"""Checks the quoted figures; harness/ci/figures describes how."""

import csv
import json
import pathlib
import re
import sys

MARK_TEXT = re.compile(r"^<!-- text of (\S+): (begin|end) -->$")
MARK_FIGURES = re.compile(r"^<!-- figures of (\S+(?: \S+)*) -->$")
UNIT = r"(?:%|[KMG]?B\b|ms\b|µs\b|s\b)"
NUMBER = re.compile(rf"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(?![\w.]*\d)(?:\s?({UNIT}))?")
MINUTES = re.compile(r"\b(\d+) min(?: (\d+) s)?\b")
# Factors that convert a file's number to the unit. In the files, sizes are in bytes and times in
# seconds, or they are in the unit already.
SCALES = {
    "KB": (1, 1 / 1024), "MB": (1, 1 / 1024**2), "GB": (1, 1 / 1024**3), "B": (1,),
    "%": (1, 100), "ms": (1, 1e3, 1e-3), "µs": (1, 1e3, 1e6), "s": (1,), None: (1,),
}


def constant(root, path, name):
    """The value of an integer constant in a source file."""
    text = (root / path).read_text(encoding="utf-8")
    found = re.findall(rf"\bstatic let {name} = (\d+)$", text, re.MULTILINE)
    if len(found) != 1:
        raise SystemExit(f"{path}: no single 'static let {name} = NUMBER'; mend harness/ci/figures")
    return int(found[0])


class Today:
    """The present versions of judge and formats, from the sources."""

    def __init__(self, root):
        self.judge = constant(root, "Sources/Rig/RigVerdict/Judge/Judge.swift", "version")
        self.manifest = constant(root, "Sources/Rig/RigModel/Plan/Manifest.swift", "schemaVersion")
        self.row = constant(root, "Sources/Rig/RigModel/Verdict/IterationRow.swift", "schema")
        self.summary = constant(root, "Sources/Rig/RigModel/Verdict/PolicySummary.swift", "schema")


def schemas(path):
    """The schema versions in the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return sorted({row["schema"] for row in csv.DictReader(file)})


def run_problems(root, folder, today):
    """What is outdated in a run, and the commit that it is of."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    problems = []

    def expect(what, found, wanted):
        if found != wanted:
            problems.append(f"{what} is {found}, today's is {wanted}")

    expect("judge", manifest["versions"].get("judge", "not known"), str(today.judge))
    expect("manifest's schema", manifest["schema"], today.manifest)
    for name, wanted in (("iterations.csv", today.row), ("summary.csv", today.summary)):
        if (folder / name).exists():
            expect(f"schema of {name}", ", ".join(schemas(folder / name)), str(wanted))
    origin = manifest.get("provenance", {})
    if origin.get("tree") != "clean":
        problems.append(f"tree is {origin.get('tree', 'not known')}, not clean")
    listed = [f"{folder.relative_to(root)}: {'; '.join(problems)}"] if problems else []
    return listed, origin.get("commit", "unknown")


def reference_problems(root):
    """What is wrong with the committed runs, and with the other reference results."""
    reference = root / "results/reference"
    today = Today(root)
    problems, commits = [], {}
    for path in sorted(reference.rglob("manifest.json")):
        found, commit = run_problems(root, path.parent, today)
        problems += found
        commits.setdefault(commit, []).append(str(path.parent.relative_to(reference)))
    parts = reference / "parts.csv"
    made = {}
    if parts.exists():
        with parts.open(encoding="utf-8", newline="") as file:
            made = {row["part"]: row["commit"] for row in csv.DictReader(file)}
    for part in wanted_parts(root):
        commits.setdefault(made.get(part, "unknown"), []).append(f"part {part}")
    for commit in sorted(commits_of_benchmarks(reference)):
        whole = [known for known in commits if known.startswith(commit)]
        commits.setdefault(whole[0] if whole else commit, []).append("benchmarks.csv")
    if "unknown" in commits:
        problems.append("of no known commit: " + ", ".join(commits.pop("unknown")))
    if len(commits) > 1:
        for commit, names in sorted(commits.items()):
            problems.append(f"not all of one commit; of {commit}: {', '.join(names)}")
    return problems


def commits_of_benchmarks(reference):
    """The commits in the rows of the benchmarks."""
    path = reference / "benchmarks.csv"
    if not path.exists():
        return set()
    with path.open(encoding="utf-8", newline="") as file:
        return {row["commit"] or "unknown" for row in csv.DictReader(file)}


def wanted_parts(root):
    """The parts that harness/reference-runs makes."""
    text = (root / "harness/reference-runs").read_text(encoding="utf-8")
    body = re.search(r"^parts=\(\n(.*?)^\)$", text, re.MULTILINE | re.DOTALL)
    return re.findall(r'^ +"([^"|]+)\|', body.group(1), re.MULTILINE) if body else []


def documents(root):
    """The documents that may quote figures."""
    found = [root / "README.md", root / "results/reference/README.md"]
    found += sorted((root / "docs").rglob("*.md")) if (root / "docs").exists() else []
    found += sorted(p for p in (root / "harness").rglob("*.md") if ".build" not in p.parts)
    return [path for path in found if path.exists()]


def as_quoted(path):
    """A file's text in the form in which a document quotes it."""
    text = path.read_text(encoding="utf-8").rstrip("\n") + "\n"
    return f"```text\n{text}```\n" if path.suffix == ".txt" else text


def check_texts(root, document, write):
    """Compares the text between marks with the files that they name, or writes the files there."""
    name = document.relative_to(root)
    problems, lines, quoted, inside, fenced = [], [], [], None, False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(True), 1):
        # A mark in a fenced block is only an example.
        fenced ^= inside is None and line.startswith("```")
        mark = None if fenced else MARK_TEXT.match(line.rstrip("\n"))
        if mark and mark[2] == "begin" and inside is None:
            inside, quoted = mark[1], []
            lines.append(line)
        elif mark and mark[2] == "end" and inside == mark[1]:
            path = root / inside
            if not path.exists():
                problems.append(f"{name}:{number}: {inside} is not there")
                lines += quoted
            elif write:
                lines.append(as_quoted(path))
            else:
                if "".join(quoted) != as_quoted(path):
                    problems.append(f"{name}:{number}: is not what {inside} says; use --write")
                lines += quoted
            lines.append(line)
            inside = None
        elif mark:
            problems.append(f"{name}:{number}: a mark without its other one")
            lines.append(line)
        else:
            (quoted if inside is not None else lines).append(line)
    if inside is not None:
        return problems + [f"{name}: the text of {inside} has no end"]
    if write:
        document.write_text("".join(lines), encoding="utf-8")
    return problems


def numbers_of(path):
    """Every number of a file. In texts, thousands may have a comma; in CSV and JSON it divides."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".txt", ".md"):
        text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return [float(n) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def stands_in(text, unit, numbers):
    """True if a figure is one of the numbers, as it is or rounded to its decimals."""
    figure = float(text.replace(",", ""))
    decimals = len(text.partition(".")[2])
    half = 0.5 * 10**-decimals + 1e-9
    return any(
        abs(number * scale - figure) <= half for number in numbers for scale in SCALES[unit])


def figures_of(block):
    """The figures of a block, as text and unit."""
    text = re.sub(r"```\w*|`[^`\n]*`|\]\([^)]*\)|<!--.*?-->", " ", block)
    found = []
    for match in MINUTES.finditer(text):
        found.append((str(int(match[1]) * 60 + int(match[2] or 0)), "s"))
    for match in NUMBER.finditer(MINUTES.sub(" ", text)):
        found.append((match[1].rstrip(","), match[2]))
    return found


def blocks_of(lines):
    """The blocks of a document: first line's number, the mark's files or None, the text."""
    blocks, start, current, fenced, files = [], 0, [], False, None
    for number, line in enumerate(lines + [""], 1):
        if line.startswith("```"):
            fenced = not fenced
        mark = MARK_FIGURES.match(line)
        if mark and not fenced:
            files = mark[1].split(" ")
        elif line.strip() or fenced:
            if not current:
                start = number
            current.append(line)
        elif current:
            blocks.append((start, files, "\n".join(current)))
            current, files = [], None
    return blocks


def check_figures(root, document):
    """Looks up every figure of a marked block in the files that the mark names."""
    name = document.relative_to(root)
    problems = []
    inside = False
    for start, files, block in blocks_of(document.read_text(encoding="utf-8").splitlines()):
        marks = [m for m in map(MARK_TEXT.match, block.splitlines()) if m]
        was_inside, inside = inside, (marks[-1][2] == "begin" if marks else inside)
        if files is None:
            is_quoted = marks or was_inside or document.parent.name == "reference"
            if not is_quoted and "results/reference/" in block and figures_of(block):
                problems.append(f"{name}:{start}: figures of results/reference without a mark")
            continue
        missing = [file for file in files if not (root / file).exists()]
        if missing or any(file.endswith("iterations.csv") for file in files):
            problems.append(f"{name}:{start}: no file of figures: {', '.join(missing or files)}")
            continue
        numbers = [number for file in files for number in numbers_of(root / file)]
        for text, unit in figures_of(block):
            if not stands_in(text, unit, numbers):
                problems.append(
                    f"{name}:{start}: {text}{' ' + unit if unit else ''} is not in "
                    + " ".join(files))
    return problems


def main(arguments):
    root, options = pathlib.Path(arguments[0]), arguments[1:]
    if options not in ([], ["--write"]):
        print("harness/ci/figures: use harness/ci/figures [--write]", file=sys.stderr)
        return 64
    problems = reference_problems(root)
    for document in documents(root):
        problems += check_texts(root, document, write=bool(options))
        problems += check_figures(root, document)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(
            f"{len(problems)} figures or runs are not today's; harness/reference-runs makes the "
            "runs, harness/ci/figures --write quotes them", file=sys.stderr)
        return 1
    print("every quoted figure stands in a run of today's judge", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
