# SPDX-License-Identifier: GPL-2.0
"""What makes figures of the runs of scripts/bench-apps: tests/vm/lib/fio-figures, and the order of the drivers."""
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
TOP = pathlib.Path(__file__).resolve().parents[3]


def load(path):
    loader = importlib.machinery.SourceFileLoader(path.name.replace("-", "_"), str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


fio = load(TOP / "tests/vm/lib/fio-figures")


def side(ios, iops, bytes_, mean, p99):
    return {"total_ios": ios, "iops": iops, "bw_bytes": bytes_,
            "lat_ns": {"mean": mean, "percentile": {"50.000000": mean, "99.000000": p99}}}


IDLE = {"total_ios": 0, "iops": 0.0, "bw_bytes": 0, "lat_ns": {"mean": 0.0}}


class Fio(unittest.TestCase):
    def test_read(self):
        job = {"error": 0, "read": side(9, 7763.2, 4096 << 20, 128250.0, 301056), "write": IDLE}
        self.assertEqual(fio.figures(json.dumps({"jobs": [job]})), (7763.2, 4096.0, 128.25, 301.056))

    def test_write_behind_notes(self):
        job = {"error": 0, "read": IDLE, "write": side(1, 10.0, 1 << 19, 1000.0, 2000)}
        self.assertEqual(fio.figures("fio: note\n" + json.dumps({"jobs": [job]})), (10.0, 0.5, 1.0, 2.0))

    def test_failed(self):
        for job in ({"error": 5, "read": side(9, 1.0, 1, 1.0, 1), "write": IDLE}, {"read": IDLE, "write": IDLE}):
            self.assertRaises(ValueError, fio.figures, json.dumps({"jobs": [job]}))


class Order(unittest.TestCase):
    def order(self, round_):
        """What in_turn() of scripts/bench-apps prints."""
        script = (TOP / "scripts/bench-apps").read_text(encoding="utf-8")
        function = script[script.index("in_turn()"):]
        function = function[:function.index("\n}\n") + 3]
        done = subprocess.run(["bash", "-c", f"drivers=(in-tree ours tcp)\n{function}\nin_turn {round_}"],
                              capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_alternates_with_in_tree_last(self):
        self.assertEqual(self.order(1), ["ours", "tcp", "in-tree"])
        self.assertEqual(self.order(2), ["tcp", "ours", "in-tree"])


if __name__ == "__main__":
    unittest.main()
