#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The commands that "rxectl doctor" prints as "fix: COMMAND", of all distributions, are valid for the shell. They
are taken from the expected output of the golden test, which has a row for each."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "unit/rxectl/test_golden.c"
SHELLCHECK = shutil.which("shellcheck")


def remedies():
    """All commands, without those of JSON output, which are the same."""
    source = GOLDEN.read_text(encoding="utf-8")
    texts = re.findall(r'(?:"(?:\\.|[^"\\\n])*"\s*)+', source)
    found = set()
    for text in texts:
        plain = "".join(json.loads(f'"{part}"'.replace(r"\033", r"\u001b"))
                        for part in re.findall(r'"((?:\\.|[^"\\\n])*)"', text) if r"\x" not in part)
        found.update(re.findall(r"^ +fix: (.+)$", plain, re.M))
    return sorted(found)


class Remedies(unittest.TestCase):
    def test_families(self):
        """Each family of distributions has commands of its own."""
        commands = remedies()
        self.assertGreater(len(commands), 25)
        for program in ("apt-get", "dnf", "zypper"):
            self.assertTrue(any(program in command for command in commands), program)

    @unittest.skipUnless(SHELLCHECK, "install shellcheck")
    def test_shell(self):
        """No placeholder, no unquoted expansion, nothing that a root shell would reject."""
        with tempfile.TemporaryDirectory() as directory:
            files = []
            for i, command in enumerate(remedies()):
                self.assertNotRegex(command, r"<[A-Za-z ]+>|\bDEV\b|\bADDRESS\b")
                files.append(pathlib.Path(directory, f"{i}.sh"))
                files[-1].write_text(f"#!/bin/bash\n{command}\n", encoding="utf-8")
            # SC2046: "$(uname -r)" and the output of find are words without blanks.
            result = subprocess.run([SHELLCHECK, "-e", "SC2046", *files], capture_output=True, text=True, check=False)
        self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main()
