#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Draws the samples of the case "soak": usage: soak_chart.py SAMPLES SVG"""
import collections
import math
import subprocess
import sys

PANELS = (("slab caches, KiB", "slab", 1024), ("pages outside of these, MiB", "pages", 1 << 20),
          ("retries since the module was loaded", "completer_retry_err", 1),
          ("smallest latency of a WRITE, µs", "latency", 1), ("memory regions", "mr", 1), ("queue pairs", "qp", 1))
COLOURS = {"a": "#0072B2", "b": "#D55E00"}


def read(path):
    series = collections.defaultdict(list)
    with open(path, encoding="ascii") as lines:
        for line in lines:
            seconds, host, name, value = line.split()
            if math.isfinite(float(value)):
                series[name, host].append((float(seconds) / 60, float(value)))
    return series


def panel(series, title, name, unit):
    """Return the data blocks and the plot of a panel."""
    blocks, plots = [], []
    for host, colour in COLOURS.items():
        points = series.get((name, host))
        if not points:
            continue
        block = f"${name}_{host}"
        blocks.append(f"{block} << EOD\n" + "\n".join(f"{x:.3f} {y / unit:.6g}" for x, y in points) + "\nEOD")
        plots.append(f'{block} using 1:2 with linespoints lw 1.5 pt 7 ps 0.3 lc rgb "{colour}" title "host {host}"')
    return blocks + [f'set title "{title}"', "plot " + ", ".join(plots)] if plots else []


def main():
    samples, out = sys.argv[1:]
    series = read(samples)
    script = ['set terminal svg noenhanced size 960,900 font "sans,12" background "#ffffff"', "set encoding utf8",
              f'set output "{out}"', "set multiplot layout 3,2", 'set border 3 lc rgb "#404040"',
              'set grid lt 1 lw 0.6 lc rgb "#d8d8d8"', 'set xlabel "minutes"', "set yrange [0:*]",
              "set xtics nomirror", "set ytics nomirror", "set key bottom right samplen 2"]
    for title, name, unit in PANELS:
        script += panel(series, title, name, unit)
    subprocess.run(["gnuplot"], input="\n".join(script + ["unset multiplot", ""]), text=True, check=True)


main()
