# SPDX-License-Identifier: GPL-2.0
"""Kbuild refuses the processors that the module does not support, and says why."""
import pathlib
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[3]


class Refusals(unittest.TestCase):

    def read(self, *config):
        """Have make read Kbuild with a configuration of the kernel; return its errors."""
        with tempfile.TemporaryDirectory() as tree:
            header = pathlib.Path(tree, "include/rdma/ib_verbs.h")
            header.parent.mkdir(parents=True)
            header.write_text("struct rdma_stat_desc\n", encoding="utf-8")
            done = subprocess.run(["make", "-n", "-f", TOP / "Kbuild", f"src={TOP}", f"srctree={tree}", *config],
                                  capture_output=True, text=True, check=False)
        return done.stderr

    def test_64_bit_little_endian(self):
        self.assertNotIn("does not support", self.read("CONFIG_MODULES=y", "CONFIG_64BIT=y"))

    def test_32_bit(self):
        self.assertIn("does not support 32-bit kernels", self.read("CONFIG_MODULES=y"))

    def test_big_endian(self):
        errors = self.read("CONFIG_MODULES=y", "CONFIG_64BIT=y", "CONFIG_CPU_BIG_ENDIAN=y")
        self.assertIn("does not support big-endian kernels", errors)

    def test_clean(self):
        self.assertNotIn("does not support", self.read())


if __name__ == "__main__":
    unittest.main()
