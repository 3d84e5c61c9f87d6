"""Reads a file with the strict OpenMetrics parser of Prometheus' client.

    check_openmetrics.py FILE

Exit codes: 0 the file is an exposition with at least one sample; 65 it is not.
"""

import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    text = file.read()
try:
    samples = sum(len(family.samples) for family in text_string_to_metric_families(text))
except ValueError as error:
    print(f"{sys.argv[1]}: {error}", file=sys.stderr)
    sys.exit(65)
if samples == 0:
    print(f"{sys.argv[1]}: no sample in it", file=sys.stderr)
    sys.exit(65)
