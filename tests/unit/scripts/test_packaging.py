# SPDX-License-Identifier: GPL-2.0
"""The files that the packages install: udev rules, units, lists of modules."""
import pathlib
import unittest

PACKAGING = pathlib.Path(__file__).resolve().parents[3] / "packaging"


def text(name):
    return (PACKAGING / name).read_text(encoding="utf-8")


def logical_lines(name):
    """The lines of a file without comments; a backslash at the end continues a line."""
    lines = text(name).replace("\\\n", " ").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


class UdevRules(unittest.TestCase):
    def test_management_datagrams_of_software_devices_only(self):
        """Group rdma gets the MAD devices of software RDMA devices; only they have "parent"."""
        rules = [line for line in logical_lines("udev/90-rxe.rules") if "infiniband_mad" in line]
        self.assertTrue(rules)
        for rule in rules:
            self.assertIn('TEST=="/sys/class/infiniband/$attr{ibdev}/parent"', rule)


if __name__ == "__main__":
    unittest.main()
