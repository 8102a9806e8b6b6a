# SPDX-License-Identifier: GPL-2.0
"""Charts of one style, drawn by gnuplot: a curve for each driver, ticks as people say the numbers.

The background is white in any case, so that a chart can be read on a dark page. The colours are those of
Okabe and Ito, which colour-blind readers can tell apart; each driver has a marker and a dash pattern as
well. Whiskers reach from the smallest to the largest round, where the rounds are known.
"""
from __future__ import annotations

import math
import subprocess
import typing

# Order in the legend: label, colour, gnuplot's point type and dash pattern.
STYLES = {
    "ours": ("this driver", "#0072B2", 7, "solid"),
    "in-tree": ("in-tree", "#D55E00", 5, "'-'"),
    "siw": ("siw", "#009E73", 9, "'-.'"),
    "tcp": ("TCP", "#000000", 13, "'.'"),
    "udp": ("UDP", "#CC79A7", 11, "'-..'"),
}
SIZE = "720,432"


class Point(typing.NamedTuple):
    x: float
    median: float
    low: float | None = None
    high: float | None = None


class Chart(typing.NamedTuple):
    """@note is the second line of the title. @x_ticks are pairs of position and text. The y axis is
    logarithmic."""
    title: str
    note: str
    x_label: str
    y_label: str
    unit: str
    x_ticks: list
    log_x: bool


def plain(value):
    """1234.5 as "1,234.5": at most four digits behind the point, and no zeros at the end."""
    text = f"{value:,.4f}"
    return text.rstrip("0").rstrip(".")


def scaled(value, base, suffixes, blank=" "):
    """Value in the largest unit of which it has at least one: @suffixes, each @base of the one before."""
    power = 0
    while abs(value) >= base and power < len(suffixes) - 1:
        value /= base
        power += 1
    return plain(value) + (blank + suffixes[power] if suffixes[power] else "")


def size_text(value):
    """A number of bytes: 64, 4 Ki, 1 Mi."""
    return scaled(value, 1024, ["", "Ki", "Mi", "Gi"])


def count_text(value):
    """A rate or a number of things: 64, 10 k, 2.5 M."""
    return scaled(value, 1000, ["", "k", "M", "G"])


def time_text(value):
    """Microseconds: 10 µs, 1 ms, 2 s."""
    return scaled(value, 1000, ["µs", "ms", "s"])


def value_text(value, unit):
    """A tick of the y axis, whose label names the unit (but of times)."""
    if unit == "us":
        return time_text(value)
    return count_text(value) if unit in ("msg/s", "1/s") else plain(value)


def log_ticks(low, high):
    """From the one at or below @low to the one at or above @high, at least two: powers of ten, and where that
    would leave few, two and five times these as well."""
    steps = (1, 2, 5) if high / low < 300 else (1,)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = [s * 10.0 ** e for e in range(first, last + 1) for s in steps]
    start = max(i for i, tick in enumerate(ticks) if tick <= low * 1.000001)
    end = next(i for i, tick in enumerate(ticks) if tick >= high / 1.000001 and i > start)
    return ticks[start:end + 1]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def axis(name, ticks):
    """To gnuplot the texts are formats."""
    return f"set {name}tics nomirror scale 0.6 (" + ", ".join(
        f"{quoted(text.replace('%', '%%'))} {at:.10g}" for at, text in ticks) + ")"


def y_axis(chart, points):
    lows = [p.median if p.low is None else p.low for p in points]
    highs = [p.median if p.high is None else p.high for p in points]
    at = log_ticks(min(lows), max(highs))
    ticks = [(y, value_text(y, chart.unit)) for y in at]
    return [axis("y", ticks), f"set yrange [{at[0] / 1.001:.10g}:{at[-1] * 1.001:.10g}]"]


def x_axis(chart):
    first, last = chart.x_ticks[0][0], chart.x_ticks[-1][0]
    if chart.log_x:
        margin = (last / first) ** 0.04 or 2
        span = first / margin, last * margin
    else:
        span = first - 0.04 * (last - first), last + 0.04 * (last - first)
    return [axis("x", chart.x_ticks), f"set xrange [{span[0]:.10g}:{span[1]:.10g}]"]


def series(number, driver, points):
    """Definition of a data block, and what to plot of it. No line connects less than three points: what is
    between them is not known."""
    label, colour, marker, dashes = STYLES[driver]
    spread = any(p.low is not None for p in points)
    rows = [f"{p.x:.10g} {p.median:.10g} {p.median if p.low is None else p.low:.10g} "
            f"{p.median if p.high is None else p.high:.10g}" for p in sorted(points)]
    look = f'lc rgb "{colour}"'
    how = f"linespoints lw 2.2 dt {dashes}" if len(points) > 2 else "points lw 2.2"
    plots = [f"$d{number} using 1:2 with {how} pt {marker} ps 0.8 {look} title {quoted(label)}"]
    if spread:
        plots.insert(0, f"$d{number} using 1:2:3:4 with yerrorbars pt -1 lw 1.5 {look} notitle")
    return f"$d{number} << EOD\n" + "\n".join(rows) + "\nEOD", plots


def script(chart, by_driver, out):
    """What gnuplot is told. @by_driver: lists of points."""
    blocks, plots = [], []
    for driver in (d for d in STYLES if by_driver.get(d)):
        block, uses = series(len(blocks), driver, by_driver[driver])
        blocks.append(block)
        plots += uses
    points = [p for ps in by_driver.values() for p in ps]
    return "\n".join([
        f'set terminal svg noenhanced size {SIZE} font "sans,13" background "#ffffff"',
        "set encoding utf8",
        f'set output {quoted(str(out))}',
        f'set title "{chart.title}\\n{chart.note}"',
        'set border 3 lc rgb "#404040"', 'set grid lt 1 lw 0.6 lc rgb "#d8d8d8"',
        "set pointintervalbox 0", "set errorbars 0.8",
        "set key outside right top Left reverse samplen 3 spacing 1.3",
        f"set xlabel {quoted(chart.x_label)}", f"set ylabel {quoted(chart.y_label)}",
        "set logscale x" if chart.log_x else "", "set logscale y",
        *x_axis(chart), *y_axis(chart, points), *blocks, "plot " + ", \\\n\t".join(plots), ""])


def draw(chart, by_driver, out):
    subprocess.run(["gnuplot"], input=script(chart, by_driver, out), text=True, check=True)
