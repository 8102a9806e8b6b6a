# SPDX-License-Identifier: GPL-2.0
"""What fails a long run: tests/vm/lib/soak-trend."""
import pathlib
import subprocess
import tempfile
import unittest

TREND = pathlib.Path(__file__).resolve().parents[3] / "tests/vm/lib/soak-trend"
MIB = 1 << 20


def trend(name, values, host="a"):
    """Return the status and the output for samples that are a minute apart."""
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as samples:
        for minute, value in enumerate(values):
            samples.write(f"{minute * 60}\t{host}\t{name}\t{value}\n")
        samples.flush()
        run = subprocess.run([TREND, samples.name], stdout=subprocess.PIPE, text=True, check=False)
    return run.returncode, run.stdout.strip()


class Trend(unittest.TestCase):
    def test_memory_that_stays(self):
        self.assertEqual(trend("slab", [8 * MIB + (i % 3) * 1000 for i in range(60)])[0], 0)

    def test_a_slow_leak(self):
        status, said = trend("slab", [8 * MIB + i * 20000 for i in range(60)])
        self.assertEqual(status, 1)
        self.assertIn("slab of a grew by", said)

    def test_caches_fill_in_the_first_fifth(self):
        self.assertEqual(trend("pages", [min(i, 11) * MIB for i in range(60)])[0], 0)

    def test_samples_of_a_busy_machine(self):
        self.assertEqual(trend("latency", [10 + (500 if i in (40, 41, 59) else 0) for i in range(60)], "b")[0], 0)

    def test_latency_that_could_not_be_measured(self):
        self.assertEqual(trend("latency", ["inf" if i % 3 else 30 for i in range(60)], "b")[0], 0)

    def test_latency_that_grows(self):
        self.assertEqual(trend("latency", [10 + i / 5 for i in range(60)], "b")[0], 1)

    def test_an_object_a_reload(self):
        self.assertEqual(trend("qp", [5 + i // 10 for i in range(60)])[0], 1)

    def test_regions_that_rpc_makes_on_demand(self):
        self.assertEqual(trend("mr", [400 + (i % 7) for i in range(60)], "b")[0], 0)

    def test_counters_may_grow(self):
        self.assertEqual(trend("sent_pkts", [i * 1000 for i in range(60)])[0], 0)

    def test_one_sample(self):
        self.assertEqual(trend("slab", [8 * MIB])[0], 0)


if __name__ == "__main__":
    unittest.main()
