# SPDX-License-Identifier: GPL-2.0
"""scripts/layering refuses what it is there to refuse, in small trees with planted faults."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[3]


def load():
    loader = importlib.machinery.SourceFileLoader("layering", str(TOP / "scripts" / "layering"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("layering", loader))
    loader.exec_module(module)
    return module


layering = load()


class Tree(unittest.TestCase):
    """A tree of sources in a directory of its own, with rooms of drivers/rxe."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        self.write("base/low.h", "int low(void);\n")
        self.write("base/low.c", '#include "base/low.h"\nint low(void) { return 1; }\n')
        self.write("tx/high.h", "int high(void);\n")
        self.write("tx/high.c", '#include "base/low.h"\n#include "tx/high.h"\n'
                                "int high(void) { return low(); }\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def includes(self):
        return list(layering.include_faults("module", self.root))

    def objects(self):
        for source in self.root.rglob("*.c"):
            subprocess.run(["cc", "-I", self.root, "-c", source, "-o", source.with_suffix(".o")],
                           check=True)
        return list(layering.object_faults("module", self.root, self.root))


class Includes(Tree):
    def test_downward_include_passes(self):
        self.assertEqual(self.includes(), [])

    def test_upward_include_is_refused(self):
        self.write("base/low.c", '#include "tx/high.h"\n')
        self.assertEqual(self.includes(), ["base/low.c: base may not include tx (tx/high.h)"])

    def test_include_relative_to_the_file_is_refused(self):
        self.write("tx/high.c", '#include "high.h"\n')
        self.assertIn('"high.h" is no file', self.includes()[0])

    def test_private_header_of_the_transport_is_refused(self):
        self.write("transport/common/state.h", "")
        self.write("tx/high.c", '#include "transport/common/state.h"\n')
        self.assertIn("private to the transport", self.includes()[0])

    def test_kernel_header_in_the_transport_is_refused(self):
        self.write("transport/transport.c", "#include <linux/skbuff.h>\n#include <linux/types.h>\n")
        self.assertEqual(self.includes(),
                         ["transport/transport.c: the transport may not include <linux/skbuff.h>"])

    def test_file_outside_of_the_rooms_is_refused(self):
        self.write("attic/old.h", "")
        self.assertEqual(self.includes(), ["attic/old.h: its directory is no room"])


class Calls(Tree):
    def test_call_into_the_transport_from_tx_is_refused(self):
        self.write("tx/high.c", "void high(void) { roce_tx(qp, now, &batch); }\n")
        self.assertEqual(list(layering.call_faults(self.root)),
                         ["tx/high.c: tx may not call roce_tx()"])

    def test_call_from_qp_passes(self):
        self.write("qp/ep.c", "void ep(void) { roce_tx(qp, now, &batch); }\n")
        self.assertEqual(list(layering.call_faults(self.root)), [])


class Objects(Tree):
    def test_downward_reference_passes(self):
        self.assertEqual(self.objects(), [])

    def test_upward_reference_is_refused(self):
        self.write("base/up.c", "int high(void);\nint up(void) { return high(); }\n")
        self.assertEqual(self.objects(), ["base/up.o uses high of tx/high.o, which is above it"])

    def test_circle_within_a_room_is_refused(self):
        self.write("tx/a.c", "int b(void);\nint a(void) { return b(); }\n")
        self.write("tx/b.c", "int c(void);\nint b(void) { return c(); }\n")
        self.write("tx/c.c", "int a(void);\nint c(void) { return a(); }\n")
        faults = self.objects()
        self.assertEqual(len(faults), 1)
        self.assertIn("3 files use each other in a circle", faults[0])

    def test_no_objects_is_a_fault(self):
        self.assertIn("build it first",
                      list(layering.object_faults("module", self.root, self.root))[0])


class Linked(Tree):
    """A module and the list that kbuild leaves of its objects."""

    def setUp(self):
        super().setUp()
        self.module = self.root / "rdma_rxe.ko"
        self.write("base/low.o", "")
        self.write("tx/high.o", "")
        self.write("rdma_rxe.mod", "base/low.o\ntx/high.o\n")
        self.write("rdma_rxe.ko", "")

    def faults(self):
        return [fault.replace(f"{self.root}/", "") for fault in layering.link_faults(self.module)]

    def test_complete_module_passes(self):
        self.assertEqual(self.faults(), [])

    def test_list_of_older_kernels_passes(self):
        self.write("rdma_rxe.mod", "base/low.o tx/high.o\n\n")
        self.assertEqual(self.faults(), [])

    def test_failed_link_is_refused(self):
        self.module.unlink()
        self.assertEqual(self.faults(), ["rdma_rxe.ko: the build has failed"])

    def test_missing_object_is_refused(self):
        (self.root / "tx/high.o").unlink()
        self.assertEqual(self.faults(),
                         ["tx/high.o: does not exist, but rdma_rxe.ko consists of it"])

    def test_object_of_a_later_build_is_refused(self):
        os.utime(self.module, (0, 0))
        self.assertEqual(len(self.faults()), 2)
        self.assertIn("base/low.o: is newer than rdma_rxe.ko", self.faults())

    def test_empty_list_is_refused(self):
        self.write("rdma_rxe.mod", "")
        self.assertEqual(self.faults(), ["rdma_rxe.mod: lists no objects"])


if __name__ == "__main__":
    unittest.main()
