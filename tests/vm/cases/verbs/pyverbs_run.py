#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Runs one module of rdma-core's Python test suite and prints a line a test, tabs between:

    passed|failed|error|skipped  MODULE.CLASS.TEST  REASON

usage: pyverbs_run.py DIRECTORY MODULE SECONDS ARGS...

Most tests skip themselves when a call is not supported. Some of those for adapters forget to, and
count as skipped here as well, and so do those that ask only the user library whether there is an
operation, when the device does not advertise it. All that are skipped have to be listed with their
reason in any case.

DIRECTORY holds the suite as its package "tests"; ARGS are the suite's own (--dev NAME). Each test
runs in a process forked for it, which may take SECONDS: the suite's destructors run in whatever
order Python finds its garbage, and have been seen to crash in libibverbs because of it.
"""
import errno
import importlib
import os
import signal
import sys
import unittest


def unsupported(err):
    """Did the device, or its user library, have no such call? The suite's own skip_unsupported."""
    return getattr(err[1], "error_code", None) in (errno.EOPNOTSUPP, errno.EPROTONOSUPPORT)


# Features that tests use without checking that the device advertises them: a bit of device_cap_flags_ex each.
USES = {"test_qp_ex_rc_atomic_write": 1 << 40}  # IBV_DEVICE_ATOMIC_WRITE


def advertised(bit):
    """Is this one of the device's capabilities? The modules are there once the suite is loaded."""
    from pyverbs.device import Context
    from args_parser import parser
    with Context(name=parser.get_config()["dev"]) as context:
        return context.query_device_ex().device_cap_flags_ex & bit


class Lines(unittest.TestResult):
    """Prints results as they come."""

    def line(self, verdict, test, reason=""):
        reason = " ".join(str(reason).split())
        print(verdict, test.id().removeprefix("tests."), reason[-400:], sep="\t", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.line("passed", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.line("skipped", test, reason)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.line("failed", test, self.failures[-1][1])

    def addError(self, test, err):
        if unsupported(err):
            self.addSkip(test, f"not supported: {err[1]}")
            return
        super().addError(test, err)
        self.line("error", test, self.errors[-1][1])

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.line("passed", test)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.line("failed", test, "succeeded, which the suite does not expect")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.line("failed", test, subtest.id() + ": " + str(err[1]))


def load(directory, module):
    """
    The tests of MODULE. The package's own __init__ loads all modules, of which one may fail for
    want of a library, so its place is taken by an empty one.
    """
    package = type(sys)("tests")
    package.__path__ = [os.path.join(directory, "tests")]
    sys.modules["tests"] = package
    sys.path.insert(0, package.__path__[0])
    # Tests read their arguments when they are created.
    importlib.import_module("args_parser").parser.parse_args()
    return unittest.defaultTestLoader.loadTestsFromModule(
        importlib.import_module("tests." + module))


def tests_of(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from tests_of(item)
        else:
            yield item


def run_child(test, seconds):
    """Ends without destructors; the kernel takes back what the test has not."""
    os.setpgid(0, 0)
    signal.alarm(seconds)
    bit = USES.get(test.id().rpartition(".")[2])
    if bit and not advertised(bit):
        Lines().addSkip(test, f"the device does not advertise bit {bit:#x}")
    else:
        unittest.TestSuite([test]).run(Lines())
    sys.stderr.flush()
    os._exit(0)


def run(test, seconds):
    sys.stdout.flush()
    pid = os.fork()
    if not pid:
        run_child(test, seconds)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    try:
        os.killpg(pid, signal.SIGKILL)  # what it has started and not waited for
    except ProcessLookupError:
        pass
    if status == -signal.SIGALRM:
        Lines().line("error", test, f"not done in {seconds} s")
    elif status:
        Lines().line("error", test, f"its process ended with status {status}")


def main():
    directory, module, seconds = sys.argv[1:4]
    sys.argv[1:] = sys.argv[4:]
    for test in tests_of(load(directory, module)):
        run(test, int(seconds))


if __name__ == "__main__":
    main()
