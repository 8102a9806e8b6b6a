#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Unit tests of scripts/lib/module.sh: when the module is built, and when the one that is there is taken."""
import pathlib
import subprocess
import tempfile
import unittest

LIBRARY = pathlib.Path(__file__).resolve().parents[3] / "scripts/lib"

# A kbuild that writes how often it ran, and fails if there is a file "broken".
STUBS = """
module_kdir() { cat "$repo/kdir"; }
module_make()
{
	[[ ! -e $repo/broken ]] || return 1
	echo >>"$repo/runs"
	wc -l <"$repo/runs" >"$2/rdma_rxe.ko"
}
"""


class Build(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.repo = pathlib.Path(directory.name) / "repo"
        for room in ("drivers", "include", "scripts"):
            (self.repo / room).mkdir(parents=True)
            (self.repo / room / "a.c").touch()
        (self.repo / "Kbuild").touch()
        self.use_kernel("one")

    def use_kernel(self, name):
        (self.repo / "kdir").write_text(name)

    def build(self, *arguments, fails=False):
        """Build the module; return how many runs of kbuild it comes from."""
        script = f"""set -euo pipefail
            . {LIBRARY}/common.sh
            repo={self.repo} cache={self.repo}/cache
            . {LIBRARY}/module.sh
            {STUBS}
            module_build uml {" ".join(arguments)}"""
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode != 0, fails, run.stderr)
        return None if fails else int(pathlib.Path(run.stdout.strip()).read_text())

    def test_nothing_has_changed(self):
        self.assertEqual([self.build(), self.build()], [1, 1])

    def test_a_source_has_changed(self):
        self.build()
        (self.repo / "drivers/a.c").write_text("int a;")
        self.assertEqual([self.build(), self.build()], [2, 2])

    def test_a_source_has_gone(self):
        self.build()
        (self.repo / "include/a.c").unlink()
        self.assertEqual([self.build(), self.build()], [2, 2])

    def test_another_kernel(self):
        self.build()
        self.use_kernel("two")
        self.assertEqual([self.build(), self.build()], [2, 2])

    def test_arguments_for_kbuild(self):
        self.build()
        self.assertEqual([self.build("C=2"), self.build("C=2"), self.build()], [2, 3, 3])

    def test_a_build_that_failed_is_tried_again(self):
        self.build()
        (self.repo / "drivers/a.c").write_text("int a;")
        (self.repo / "broken").touch()
        self.build(fails=True)
        self.build(fails=True)
        (self.repo / "broken").unlink()
        self.assertEqual(self.build(), 2)


if __name__ == "__main__":
    unittest.main()
