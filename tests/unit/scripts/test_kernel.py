#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Unit tests of scripts/lib/kernel.sh: which release of a kernel is taken."""
import pathlib
import subprocess
import unittest

LIBRARY = pathlib.Path(__file__).resolve().parents[3] / "scripts/lib/kernel.sh"


def shell(command, text=""):
    script = f"set -euo pipefail; . {LIBRARY}; {command}"
    return subprocess.run(["bash", "-c", script], input=text, capture_output=True, text=True, check=True).stdout.strip()


class Release(unittest.TestCase):
    def test_newest_with_headers_and_image(self):
        packages = {
            "6.1.0-57-amd64": "headers",
            "6.1.0-56-amd64": "headers image",
            "6.1.0-9-amd64": "headers image",
            "6.1.0-58-amd64": "image",
        }
        text = "".join(f"linux-{kind}-{release} - Linux for 64-bit PCs (signed)\n"
                       for release, kinds in packages.items() for kind in kinds.split())
        self.assertEqual(shell("newest_complete", text), "6.1.0-56-amd64")

    def test_none(self):
        self.assertEqual(shell("newest_complete", "linux-headers-6.1.0-57-amd64 - Header files\n"), "")
        self.assertEqual(shell("newest_complete"), "")

    def test_pattern(self):
        for name, release, wanted in (
                ("6.1", "6.1.0-56-amd64", True),
                ("6.1", "6.1.0-56-rt-amd64", False),
                ("6.1", "6.1.0-56-amd64-unsigned", False),
                ("6.1-rt", "6.1.0-56-rt-amd64", True),
                ("6.12", "6.12.117+deb12-amd64", True),
                ("newest", "7.3.4+deb13-amd64", True),
                ("newest-arm64", "7.3.4+deb13-arm64", True)):
            with self.subTest(name=name, release=release):
                found = shell(f'if [[ {release} =~ ^$(release_pattern {name})$ ]]; then echo 1; fi')
                self.assertEqual(found == "1", wanted)


if __name__ == "__main__":
    unittest.main()
