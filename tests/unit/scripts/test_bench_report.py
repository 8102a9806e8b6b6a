#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Unit tests of scripts/bench-report and scripts/lib/chart.py: ticks, tables, goals, data files. Run with
"python3 -B -m unittest discover -s tests/unit/scripts". Needs no gnuplot."""
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
SCRIPTS = REPOSITORY / "scripts"


def load(path):
    loader = importlib.machinery.SourceFileLoader(path.name.replace("-", "_"), str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


sys.path.insert(0, str(SCRIPTS))
report = load(SCRIPTS / "bench-report")
chart = report.chart
UML = report.Setup("uml", "namespaces", 1500)


def record(driver, name, unit, value, x=None, round_=1):
    return {"kernel": "uml", "setup": "namespaces", "mtu": 1500, "round": round_, "driver": driver, "name": name,
            "unit": unit, "value": value, "x": x}


def rows(*records):
    return report.summarised(records)[UML]


class Ticks(unittest.TestCase):
    def test_texts(self):
        for text, args, wanted in (
                (chart.size_text, (8,), "8"),
                (chart.size_text, (512,), "512"),
                (chart.size_text, (4096,), "4 Ki"),
                (chart.size_text, (65536,), "64 Ki"),
                (chart.size_text, (1048576,), "1 Mi"),
                (chart.size_text, (8388608,), "8 Mi"),
                (chart.size_text, (1536,), "1.5 Ki"),
                (chart.count_text, (100,), "100"),
                (chart.count_text, (10000,), "10 k"),
                (chart.count_text, (2500000,), "2.5 M"),
                (chart.time_text, (0.5,), "0.5 µs"),
                (chart.time_text, (10,), "10 µs"),
                (chart.time_text, (1000,), "1 ms"),
                (chart.time_text, (5e6,), "5 s"),
                (chart.value_text, (10000, "MiB/s"), "10,000"),
                (chart.value_text, (10000, "msg/s"), "10 k"),
                (chart.value_text, (10000, "us"), "10 ms"),
                (report.percentile_text, (0,), "min"),
                (report.percentile_text, (50,), "median"),
                (report.percentile_text, (99.9,), "p99.9"),
                (report.percentile_text, (100,), "max")):
            with self.subTest(function=text.__name__, args=args):
                self.assertEqual(text(*args), wanted)

    def test_log_ticks(self):
        for low, high, wanted in (
                (0.18, 2288, [0.1, 1, 10, 100, 1000, 10000]),
                (25, 850, [20, 50, 100, 200, 500, 1000]),
                (6.8, 84, [5, 10, 20, 50, 100]),
                (10, 1000, [10, 20, 50, 100, 200, 500, 1000]),
                (7, 7, [5, 10]),
                (100, 100, [100, 200])):
            with self.subTest(low=low, high=high):
                ticks = chart.log_ticks(low, high)
                self.assertEqual([round(t, 6) for t in ticks], wanted)

    def test_no_powers_of_ten_written_out(self):
        script = chart.script(
            chart.Chart("t", "n", "x", "y", "MiB/s", [(64, "64"), (1048576, "1 Mi")], True),
            {"ours": [chart.Point(64, 5.0), chart.Point(1048576, 2e6)]}, "out.svg")
        self.assertIn('"1 Mi" 1048576', script)
        self.assertIn('"1,000,000" 1000000', script)
        self.assertNotIn("1x10", script)


class Curves(unittest.TestCase):
    def test_percent_is_no_format(self):
        self.assertIn('"5 %%" 5', chart.axis("x", [(5, "5 %")]))

    def test_spread_has_whiskers(self):
        points = [chart.Point(1, 5.0, 4.0, 6.0), chart.Point(2, 5.0, 4.0, 6.0), chart.Point(4, 7.0, 4.0, 8.0)]
        block, plots = chart.series(0, "ours", points)
        self.assertIn("1 5 4 6", block)
        self.assertEqual(len(plots), 2)
        self.assertIn("yerrorbars", plots[0])

    def test_unknown_spread_has_none(self):
        _, plots = chart.series(0, "ours", [chart.Point(1, 5.0), chart.Point(2, 5.0), chart.Point(3, 5.0)])
        self.assertEqual(len(plots), 1)
        self.assertIn("linespoints", plots[0])

    def test_no_line_between_two_points(self):
        _, plots = chart.series(0, "udp", [chart.Point(50, 5.0), chart.Point(99.9, 9.0)])
        self.assertIn("with points", plots[0])

    def test_each_driver_looks_different(self):
        for column in (1, 2, 3):
            looks = [style[column] for style in chart.STYLES.values()]
            self.assertEqual(len(looks), len(set(looks)))

    def test_single_point_is_no_curve(self):
        at = [record("ours", "NFS 4 KiB write by depth", "IOPS", 9, x) for x in (1, 32)]
        for records, drawn in (at[:1], 0), (at, 1):
            self.assertEqual(len(report.draw_curves(pathlib.Path(), UML, rows(*records), False)), drawn)

    def test_counterparts(self):
        measured = rows(record("ours", "WRITE by size", "MiB/s", 5.0, 64), record("ours", "WRITE 64 KiB", "MiB/s", 7.0),
                        record("tcp", "WRITE 64 KiB", "MiB/s", 6.0), record("siw", "WRITE 1 MiB, 1 QP", "MiB/s", 4.0))
        by_driver = report.curves(measured)["WRITE by size", "MiB/s"]
        self.assertEqual(by_driver["ours"], [chart.Point(64, 5.0)])
        self.assertEqual(by_driver["tcp"], [chart.Point(65536, 6.0)])
        self.assertEqual(by_driver["siw"], [chart.Point(1048576, 4.0)])

    def test_counterparts_of_some_drivers(self):
        measured = rows(record("ours", "SEND 64 B latency by percentile", "us", 5.0, 50),
                        record("siw", "SEND 64 B latency", "us", 7.0), record("udp", "SEND 64 B latency", "us", 6.0))
        by_driver = report.curves(measured)["SEND 64 B latency by percentile", "us"]
        self.assertEqual(by_driver["udp"], [chart.Point(50, 6.0)])
        self.assertNotIn("siw", by_driver)


class Tables(unittest.TestCase):
    def test_medians_and_spread(self):
        measured = rows(*(record("ours", "SEND 64 B", "msg/s", v, round_=i) for i, v in enumerate((30, None, 10, 20))))
        self.assertEqual(measured, [report.Row("ours", "SEND 64 B", "msg/s", None, 20, 10, 30, 3)])

    def test_failed(self):
        measured = rows(record("ours", "SEND 64 B", "msg/s", None))
        self.assertIsNone(measured[0].median)
        self.assertIn("| SEND 64 B | msg/s | – |", list(report.table(measured)))

    def test_numbers(self):
        for value, wanted in ((None, "–"), (1649.4, "1,649"), (39.64, "39.6"), (8, "8")):
            self.assertEqual(report.number(value), wanted)
        for value, wanted in ((None, ""), (0.413, "0.41 ×"), (4.96, "5.0 ×"), (41.6, "42 ×"), (1806.4, "1,806 ×")):
            self.assertEqual(report.times(value), wanted)

    def test_columns(self):
        measured = rows(record("ours", "SEND 64 KiB", "MiB/s", 2000), record("in-tree", "SEND 64 KiB", "MiB/s", 25),
                        record("tcp", "WRITE 64 KiB", "MiB/s", 800), record("ours", "WRITE 64 B latency", "us", 10),
                        record("in-tree", "WRITE 64 B latency", "us", 30))
        self.assertEqual(list(report.table(measured)), [
            "|  | unit | this driver | in-tree | TCP |",
            "|---|---|---:|---:|---:|",
            "| SEND 64 KiB | MiB/s | 2,000 | 25 (80 ×) | 800 (2.5 ×) |",
            "| WRITE 64 KiB | MiB/s | – | – | 800 |",
            "| WRITE 64 B latency | µs | 10 | 30 (3.0 ×) | – |"])

    def test_spread_column(self):
        measured = rows(*(record("ours", "SEND 64 B", "msg/s", v) for v in (100, 200, 300)))
        self.assertEqual(list(report.table(measured))[::2], [
            "|  | unit | this driver | min to max |",
            "| SEND 64 B | msg/s | 200 | 100 to 300 |"])


class Goals(unittest.TestCase):
    def missed(self, name, unit, goals, *records):
        return list(report.missed(name, unit, report.figures(rows(*records)), goals))

    def test_rates(self):
        both = record("ours", "SEND 64 B", "msg/s", 50), record("in-tree", "SEND 64 B", "msg/s", 10)
        self.assertEqual(self.missed("SEND 64 B", "msg/s", {"in-tree": 5}, *both), [])
        self.assertEqual(self.missed("SEND 64 B", "msg/s", {"in-tree": 10}, *both), ["10 × in-tree"])

    def test_times(self):
        both = record("ours", "WRITE 64 B latency", "us", 10), record("in-tree", "WRITE 64 B latency", "us", 29)
        self.assertEqual(self.missed("WRITE 64 B latency", "us", {"in-tree": 3}, *both), ["1/3 of in-tree"])
        self.assertEqual(self.missed("WRITE 64 B latency", "us", {"in-tree": 0.5}, *both), [])

    def test_of_own_figures(self):
        both = record("ours", "a", "1/s", 40), record("ours", "b", "1/s", 100)
        self.assertEqual(self.missed("a", "1/s", {"b": 0.5}, *both), ["0.5 × b"])
        self.assertEqual(self.missed("a", "1/s", {"b": 0.4}, *both), [])
        self.assertEqual(self.missed("a", "1/s", {"b": 1}, *both), ["as good as b"])

    def test_unknown_is_not_missed(self):
        self.assertEqual(self.missed("a", "1/s", {"in-tree": 5, "b": 1}, record("ours", "a", "1/s", 40)), [])


class Files(unittest.TestCase):
    def test_data_round_trip(self):
        data = report.Data("2 × CPU", "2026-01-02", [
            report.Row("ours", "WRITE 1 MiB, 4 QPs", "MiB/s", None, 1047683.5, 10, 20, 3),
            report.Row("siw", "WRITE by size", "MiB/s", 8388608, 0.18, None, None, 3),
            report.Row("udp", "SEND 64 B", "msg/s", None, None, None, None, 0)])
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "x.tsv"
            report.write_data(path, UML, data)
            self.assertEqual(report.read_data(path), (UML, data))

    def test_names(self):
        self.assertEqual(report.stem(UML), "uml-1500")
        self.assertEqual(report.stem(report.Setup("6.12", "pair", 9000)), "6-12-pair-9000")

    def test_new_data_replace_old_and_pages_are_checked(self):
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            records = directory / "bench.jsonl"
            for value in 10, 20:
                records.write_text(json.dumps(record("ours", "SEND 64 B", "msg/s", value)) + "\n", encoding="utf-8")
                self.run_report("--document", directory / "bench", records)
            page = directory / "bench" / "uml.md"
            self.assertIn("| SEND 64 B | msg/s | 20 |", page.read_text(encoding="utf-8"))
            self.run_report("--check", "--document", directory / "bench")
            page.write_text(page.read_text(encoding="utf-8").replace("| 20 |", "| 30 |"), encoding="utf-8")
            with self.assertRaises(subprocess.CalledProcessError):
                self.run_report("--check", "--document", directory / "bench")

    def test_documents_say_what_the_data_say(self):
        self.run_report("--check", "--document", "docs/bench", "--overview", "docs/performance.md")

    def run_report(self, *args):
        subprocess.run([SCRIPTS / "bench-report", *args], cwd=REPOSITORY, check=True, capture_output=True)


if __name__ == "__main__":
    unittest.main()
