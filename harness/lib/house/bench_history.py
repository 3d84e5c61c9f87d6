"""Benchmarks of rig history: how long it takes to open many runs, to add one, and to compare with them."""
import json
import shutil
import sqlite3
import subprocess
import sys

from house import timing
from house.bench import MB, remove
from house.rig import run
from house.script import ROOT, give_up

RUNS = 10_000
BROWSE = ROOT / "Tests/Rig/RigEndToEndTests/Page/browse.py"
# The time since it was asked for, when it has been drawn.
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"


def history(bench):
    """The page and the badge of a history of ten thousand runs, and the page in a browser. The goal is that
    each takes less than a second. Then one more run: judging it by the newest of them, and adding it."""
    folder, file, log = bench.work / "run", bench.work / "history.sqlite", bench.work / "history.log"
    rig, newest = bench.programs / "rig", bench.work / "newest"
    for words in (["kill-test", "--quiet", "--out", folder], ["kill-test", "--quiet", "--out", newest],
                  ["history", "add", folder, "--history", file]):
        if run([rig, *words], log, cwd=bench.work):
            give_up(70, f"no history was made:\n{log.read_text()}")
    repeat(file)
    bench.row("history-10000", "file", [file.stat().st_size / MB], "MB", n=1)
    bench.compare("history-10000", {
        "page": f"{rig} history page --quiet --history {file} --out {bench.work}/history.html",
        "page of all runs": f"{rig} history page --quiet --last {RUNS} --history {file} --out {bench.work}/all.html",
        "badge": f"{rig} history badge --quiet --history {file} --out {bench.work}/badge.svg",
        "gate": f"{rig} judge {newest} --quiet --gate 'lost_bytes.mean < +1MB vs history' --history {file}"})
    times = [added(file, [rig, "history", "add", newest, "--history", file], log) for _ in range(bench.runs)]
    bench.row("history-10000", "add", timing.spread(times), "s", digits=3)
    browser = shutil.which("chromium")
    for name in ("history", "all") if browser else ():
        times = [opened(bench, browser, bench.work / f"{name}.html") for _ in range(bench.runs)]
        bench.row("history-10000", f"{name}.html opened", timing.spread(times), "s", digits=3)
    remove(folder, newest, file)


def opened(bench, browser, page):
    """How long a browser takes to load and draw a page, by its own clock, in seconds."""
    steps = bench.work / "steps"
    steps.write_text(f'{{"open": true}}\n{{"run": "{DRAWN}"}}\n')
    done = subprocess.run([sys.executable, BROWSE, browser, bench.work / "profile", page.as_uri(), steps],
                          capture_output=True, text=True)
    if done.returncode:
        give_up(70, f"the browser did not open {page}:\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout.splitlines()[1])["value"] / 1000


def added(file, command, log):
    """How long it takes to add a run that the history does not have, in seconds."""
    with sqlite3.connect(file) as database:
        for table, key in (("figures", "run"), ("kills", "run"), ("run", "id")):
            database.execute(f"DELETE FROM {table} WHERE {key} > {RUNS}")
    database.close()
    return timing.seconds_of(command, log)


def repeat(file):
    """Copies the only run of a history, each copy a minute earlier and with other figures."""
    with sqlite3.connect(file) as database:
        database.execute(f"""
            WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < {RUNS - 1})
            INSERT INTO run SELECT id + n, identity || n, run_id || n,
                strftime('%Y-%m-%dT%H:%M:%SZ', started_at, '-' || n || ' minutes'), commit_name, job, machine,
                judged_by, exit_code FROM run, copy""")
        database.execute("""
            INSERT INTO figures SELECT run.id, place, policy, rows, left_out, violations, decided,
                loss_percent * (1 + run.id * 7919 % 101 / 1000.0), lost_bytes_max,
                recovery_seconds_median * (1 + run.id * 104729 % 97 / 1000.0)
            FROM figures, run WHERE run.id > 1""")
        database.execute("INSERT INTO kills SELECT run.id, csv FROM kills, run WHERE run.id > 1")
    database.close()
