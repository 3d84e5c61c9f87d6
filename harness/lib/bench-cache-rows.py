#!/usr/bin/env python3
"""Prints one line per benchmark: its name without commas, n, and the median, minimum and maximum in
microseconds, separated by tabs.

    bench-cache-rows.py EXPORT

EXPORT is the output of `swift package benchmark --format influx`: one line per percentile, in
nanoseconds.
"""

import csv
import sys


def main(path: str) -> None:
    with open(path, encoding="utf-8", newline="") as file:
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        percentiles: dict[str, dict[str, str]] = {}
        for line in lines:
            test = percentiles.setdefault(line["test"].replace(",", ""), {})
            test[line["percentile"]] = f"{int(line['value']) / 1000:.2f}"
            test["n"] = line["iterations"]
    if not percentiles:
        sys.exit(f"{path} has no benchmark")
    for name, test in percentiles.items():
        print(name, test["n"], test["50.0"], test["0.0"], test["100.0"], sep="\t")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
