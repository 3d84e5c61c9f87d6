"""Plants mutants and runs the tests that must fail; harness/ci/mutants describes how."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "harness/ci/mutants.d"
COPY = ROOT / ".build/mutants/tree"
# The test targets that a filter of `swift test` may mean.
TARGET = re.compile(r"\b(\w+Tests)\b(?=$|[.|)])")
# Time limits of a build that does not end, and of tests that wait forever.
BUILD_SECONDS, TEST_SECONDS = 3600, 900


class Mutant:
    """One mistake: texts of some files, and their replacements."""

    def __init__(self, path):
        self.name = path.stem
        head, *parts = re.split(r"^--- (.+)\n", path.read_text(), flags=re.M)
        lines = head.strip().splitlines()
        if len(lines) < 2 or not lines[-1].startswith("tests: ") or len(parts) % 6 != 0:
            sys.exit(f"{path}: write what it does, tests: FILTER, and then for each change"
                     " --- FILE, the old text, --- becomes, the new text, --- end")
        self.about = " ".join(lines[:-1])
        self.tests = lines[-1].removeprefix("tests: ")
        self.targets = tuple(sorted(
            name for name in TARGET.findall(self.tests) if any((ROOT / "Tests").glob(f"**/{name}"))))
        self.changes = []
        for file, old, middle, new, end, _ in zip(*[iter(parts)] * 6):
            if (middle, end) != ("becomes", "end"):
                sys.exit(f"{path}: --- becomes and --- end must follow --- {file}")
            self.changes.append((file, old.removesuffix("\n"), new.removesuffix("\n")))

    def misfit(self, root):
        """Why it cannot be planted; None if it can."""
        for file, old, new in self.changes:
            path = root / file
            count = path.read_text().count(old) if path.is_file() else 0
            if count != 1 or old == new:
                return f"a text is in {file} {count} times, not once: {old.splitlines()[0].strip()}"
        return None

    def plant(self, root):
        """Plants it; returns a function that removes it again."""
        before = {file: (root / file).read_text() for file, _, _ in self.changes}
        for file, old, new in self.changes:
            path = root / file
            path.write_text(path.read_text().replace(old, new))

        def restore():
            for file, text in before.items():
                (root / file).write_text(text)

        return restore


def run(command, log, seconds):
    """Runs a command in the copy; returns its exit code, or None after the time limit."""
    with open(log, "ab") as output:
        environment = os.environ | {
            "RIG_BINARIES": str(COPY / ".build/debug"),
            "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "8"}
        process = subprocess.Popen(command, cwd=COPY, stdout=output, stderr=output,
                                   stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
        try:
            return process.wait(timeout=seconds)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                return None
            raise


def narrow(targets, folder=COPY):
    """Leaves the copy only these tests, without the programs: a mutant is built only for the tests
    that must fail."""
    names = ", ".join(f'"{name}"' for name in targets)
    (folder / "Package.swift").write_text((ROOT / "Package.swift").read_text() + f"""
let leftOut = ["rig", "rig-confine", "downloader", "downloader-with-bugs", "videos"]
package.products.removeAll {{ leftOut.contains($0.name) }}
package.targets.removeAll {{
    leftOut.contains($0.name) || $0.type == .test && ![{names}].contains($0.name)
}}
""")


def manifest_trouble(mutants):
    """Why the copy's package could not be built, as far as its manifest shows; None if nothing."""
    with tempfile.TemporaryDirectory() as folder:
        narrow(sorted({name for mutant in mutants for name in mutant.targets}), Path(folder))
        done = subprocess.run(["swift", "package", "dump-package"], cwd=folder, text=True,
                              capture_output=True, check=False)
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    return None if done.returncode == 0 else (errors or [f"exit code {done.returncode}"])[0]


def build(log):
    return run(["swift", "build", "--build-tests"], log, BUILD_SECONDS)


def test(pattern, log):
    return run(["swift", "test", "--skip-build", "--filter", pattern], log, TEST_SECONDS)


def copy_tree():
    """Makes the copy equal to the tree, uncommitted changes included; keeps what was built."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
        check=True, capture_output=True, text=True).stdout.split("\0")
    names = {name for name in listed if name and os.path.lexists(ROOT / name)}
    for folder, _, files in os.walk(COPY):
        inside = Path(folder).relative_to(COPY)
        if inside.parts[:1] != (".build",):
            for file in files:
                if str(inside / file) not in names and file != "Package.resolved":
                    os.unlink(Path(folder) / file)
    for name in names:
        source, target = ROOT / name, COPY / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            target.unlink(missing_ok=True)
            target.symlink_to(os.readlink(source))
        # An unchanged file keeps its time, so it is not built again.
        elif not target.is_file() or target.read_bytes() != source.read_bytes():
            shutil.copy(source, target)


def expect_clean(mutants, log):
    """Builds without a mutant, and runs all tests that must fail with one of these."""
    if build(log) != 0:
        return "the copy does not build"
    names = subprocess.run(["swift", "test", "list", "--skip-build"], cwd=COPY, capture_output=True,
                           text=True).stdout.splitlines()
    for mutant in mutants:
        if not any(re.search(mutant.tests, name) for name in names):
            return f"{mutant.name}: no test is called {mutant.tests}"
    if test("|".join(sorted({mutant.tests for mutant in mutants})), log) != 0:
        return "its tests fail without a mutant"
    return None


def judge(mutant, log):
    """Plants a mutant, runs its tests, and returns the outcome."""
    if mutant.misfit(COPY):
        return "does not fit"
    restore = mutant.plant(COPY)
    try:
        if build(log) != 0:
            return "does not build"
        code = test(mutant.tests, log)
        return "hangs" if code is None else "killed" if code != 0 else "LIVES"
    finally:
        restore()


def main(arguments):
    mutants = [Mutant(path) for path in sorted(FOLDER.glob("*.mutant"))]
    mode = arguments[0] if arguments else ""
    if mode == "--only":
        known = {mutant.name: mutant for mutant in mutants}
        unknown = [name for name in arguments[1:] if name not in known]
        if unknown or len(arguments) == 1:
            print(f"harness/ci/mutants: no mutant is called {' '.join(unknown) or 'nothing'};"
                  " see --list", file=sys.stderr)
            return 64
        mutants = [known[name] for name in arguments[1:]]
    elif mode == "--list" and len(arguments) == 1:
        for mutant in mutants:
            print(f"{mutant.name:32}  {mutant.about}")
        return 0
    elif mode not in ("", "--check") or len(arguments) > 1:
        print("harness/ci/mutants: use --only NAME …, --list or --check", file=sys.stderr)
        return 64

    misfits = [f"{mutant.name}: {mutant.misfit(ROOT)}" for mutant in mutants if mutant.misfit(ROOT)]
    for line in misfits:
        print(f"does not fit: {line}", file=sys.stderr)
    trouble = manifest_trouble(mutants)
    if trouble:
        print(f"the copy's Package.swift: {trouble}", file=sys.stderr)
    if mode == "--check" or misfits or trouble:
        return 1 if misfits or trouble else 0

    copy_tree()
    logs = ROOT / ".build/mutants/logs"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    others = 0
    for targets in sorted({mutant.targets for mutant in mutants}):
        group = [mutant for mutant in mutants if mutant.targets == targets]
        narrow(targets)
        log = logs / f"without-{'-'.join(targets)}"
        trouble = expect_clean(group, log)
        if trouble:
            print(f"{trouble}; see {log}", file=sys.stderr)
            return 69
        for mutant in group:
            began = time.monotonic()
            result = judge(mutant, logs / mutant.name)
            others += result != "killed"
            print(f"{mutant.name:32}  {result:14}  {time.monotonic() - began:5.0f} s", flush=True)
    print(f"\n{len(mutants) - others} of {len(mutants)} killed")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
