#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""flow_rates.py FLOWS BEFORE AFTER: print the rate of TCP connections, and how equal they are.

BEFORE and AFTER are files: a line with the time in ms, then the output of `ss -HtinO state established`. Of the
connections that are in both, the FLOWS that have received most count. Prints "MBIT/S JAIN": 10^6 bits a second of all
together, and Jain's index of their shares, from 1/FLOWS to 1.
"""

import re
import sys


def sample(path):
    """Return the time in ms, and a dictionary: addresses of a connection -> bytes received."""
    with open(path) as file:
        lines = file.read().splitlines()
    received = {}
    for line in lines[1:]:
        local, peer = line.split()[2:4]
        counted = re.search(r"bytes_received:(\d+)", line)
        received[local, peer] = int(counted[1]) if counted else 0
    return int(lines[0]), received


flows = int(sys.argv[1])
(start, before), (end, after) = map(sample, sys.argv[2:])
deltas = sorted((after[key] - before[key] for key in before if key in after), reverse=True)[:flows]
if len(deltas) < flows:
    sys.exit(f"{len(deltas)} of {flows} connections are in both samples")
total = sum(deltas)
squares = sum(delta * delta for delta in deltas)
print(f"{total * 8e-3 / (end - start):.2f} {total * total / squares / flows if squares else 0:.3f}")
