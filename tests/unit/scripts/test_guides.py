#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""tests/vm/guides.txt names each block of commands in the documents for users, and what runs it."""
import collections
import pathlib
import re
import unittest

REPO = pathlib.Path(__file__).resolve().parents[3]
PAGES = [REPO / "README.md", *sorted((REPO / "docs/guides").glob("*.md")),
         *(REPO / "docs" / name for name in ("install.md", "lab.md", "monitoring.md"))]


def blocks(page):
    """Yield the section, kind and number of each block for a shell, as guide_block() of tests/vm/lib counts them."""
    section, is_open, seen = "", False, collections.Counter()
    for line in page.read_text(encoding="utf-8").splitlines():
        fence = re.match(r" *```(.*)", line)
        heading = re.match(r"#+ (.*)", line)
        if fence:
            is_open = not is_open
            if is_open and fence[1] in ("sh", "console"):
                seen[section, fence[1]] += 1
                yield f"{page.relative_to(REPO)}: {section}: {fence[1]} {seen[section, fence[1]]}"
        elif heading and not is_open:
            section = heading[1]


def table():
    """Return what runs each block."""
    lines = (REPO / "tests/vm/guides.txt").read_text(encoding="utf-8").splitlines()
    return dict(re.fullmatch(r"(.*: (?:sh|console) \d+): (.+)", line).groups()
                for line in lines if not line.startswith("#"))


class Guides(unittest.TestCase):
    def test_each_block(self):
        self.assertEqual(list(table()), [block for page in PAGES for block in blocks(page)])

    def test_what_runs_them(self):
        """Cases are in a list that "make test" or "make test-full" reads."""
        listed = set()
        for name in ("cases.txt", "cases-full.txt"):
            for line in (REPO / "tests/vm" / name).read_text(encoding="utf-8").splitlines():
                listed.update(line.split())
        for block, test in table().items():
            if not test.startswith("none: ") and not (REPO / test).is_file():
                self.assertIn(test, listed, block)
                self.assertEqual(len(list((REPO / "tests/vm/cases").glob(f"*/{test}"))), 1, block)


if __name__ == "__main__":
    unittest.main()
