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

class Modules(unittest.TestCase):
    def test_no_list_for_boot(self):
        """A listed module that is missing makes the system "degraded" at each boot."""
        self.assertNotIn("modules-load.d", text("rdma-rxe.spec") + text("rpm"))
        installed = [line for line in text("install").splitlines() if " 644 " in line]
        self.assertTrue(installed)
        self.assertFalse([line for line in installed if "modules-load.d" in line])

    def test_modules_for_programs_are_loaded_with_ours(self):
        self.assertIn("softdep rdma_rxe post: ib_uverbs rdma_ucm",
                      logical_lines("modprobe/modprobe.conf"))


if __name__ == "__main__":
    unittest.main()
