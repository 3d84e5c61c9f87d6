"""Packages of PyPI that checks need, in a folder of their own."""
import shutil
import subprocess
import sys

from house import rig
from house.script import ROOT, give_up

# Pinned versions, because a newer checker must not fail an old commit.
PINNED = ["check-jsonschema==0.39.0", "kubernetes-validate==1.37.0", "PyYAML==6.0.3"]
FOLDER = ROOT / ".build/harness/venv"


def need():
    """Installs the packages unless they are installed, and lets this program import them."""
    stamp, log = FOLDER / "packages", FOLDER.with_suffix(".log")
    if not stamp.exists() or stamp.read_text() != " ".join(PINNED):
        rig.need_tools()
        print(f"installing {' '.join(PINNED)}", file=sys.stderr)
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.parent.mkdir(parents=True, exist_ok=True)
        with open(log, "w") as file:
            for words in (["python3", "-m", "venv", FOLDER],
                          [FOLDER / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *PINNED]):
                if subprocess.run(words, stdout=file, stderr=file).returncode:
                    give_up(69, f"the Python packages could not be installed; is there a network?\n{log.read_text()}")
        stamp.write_text(" ".join(PINNED))
    sys.path += map(str, FOLDER.glob("lib/*/site-packages"))
