#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""iperf_rate.py REPORT START END: print the Mb/s of all streams of an iperf3 report (JSON), between these seconds."""

import json
import sys

report, start, end = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
with open(report) as file:
    intervals = [interval["sum"] for interval in json.load(file)["intervals"]]
chosen = [one for one in intervals if one["start"] >= start and one["end"] <= end]
print(f'{sum(one["bytes"] for one in chosen) * 8e-6 / sum(one["seconds"] for one in chosen):.2f}')
