#!/usr/bin/env python3
"""Writes a file like a cache that must survive a power cut, and does nothing else: no network, no
database. Its time is the minimum for a cache that keeps its bytes and their rows in two files.

    bench-commit-floor.py VIDEO FOLDER BYTES two|both

Each BYTES of the video are written to one file, and a row of 6 KB to another, which starts over at
its end like a write-ahead log (the downloader's log grows by 5.5 to 6.1 KB per commit). `two` waits
for the bytes, then for the row; `both` waits for both at the same time.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

ROW_BYTES = 6 << 10
# The size of the log when it is copied into the database.
LOG_BYTES = 600 * ROW_BYTES


def main(video: str, folder: str, size: int, waits: str) -> None:
    os.makedirs(folder, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    data = os.open(f"{folder}/data", flags)
    log = os.open(f"{folder}/log", flags)
    # A log that was written once from end to end, so its blocks are allocated.
    os.write(log, bytes(LOG_BYTES))
    os.fsync(log)
    row, at = os.urandom(ROW_BYTES), 0
    with ThreadPoolExecutor(1) as beside, open(video, "rb", buffering=0) as source:
        while chunk := source.read(size):
            os.write(data, chunk)
            wait = beside.submit(os.fdatasync, data) if waits == "both" else None
            if wait is None:
                os.fdatasync(data)
            os.pwrite(log, row, at)
            at = (at + ROW_BYTES) % LOG_BYTES
            os.fdatasync(log)
            if wait is not None:
                wait.result()


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[4] not in ("two", "both"):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
