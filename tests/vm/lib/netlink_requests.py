#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Sends RDMA netlink requests with flaws, and fails unless the kernel answers each.

usage: netlink_requests.py DEVICE INTERFACE SECONDS SEED

Each command is sent with its attributes, then with each of them missing, doubled, of every shorter length, longer,
and of an unknown kind; then with several flaws at random, until the time is up. Requests name DEVICE by its index, or
no device at all. A link that a request adds, on INTERFACE, is deleted.
"""
import errno
import os
import random
import re
import socket
import struct
import sys
import time

sys.dont_write_bytecode = True
from nlattr import attr, attrs  # noqa: E402

NETLINK_RDMA = 20
NLDEV = 5
REQUEST, ACK, DUMP = 1, 4, 0x300
ERROR, DONE, MULTI = 2, 3, 2
HEADER = "/usr/include/rdma/rdma_netlink.h"
PATIENCE = 10


def numbers(prefix, first):
    """Return the constants of the enumeration in the kernel's header whose first one is @first, without @prefix."""
    with open(HEADER, encoding="utf-8") as header:
        text = re.sub(r"/\*.*?\*/", "", header.read(), flags=re.S)
    body = re.search(r"enum \w+ \{\s*" + prefix + first + r"\b(.*?)\};", text, flags=re.S).group(0)
    found, value = {}, -1
    for name, given in re.findall(prefix + r"(\w+)(?:\s*=\s*(\w+))?\s*,?", body):
        value = int(given) if given.isdigit() else found.get(given.removeprefix(prefix), value + 1)
        found[name] = value
    return found


COMMANDS = numbers("RDMA_NLDEV_CMD_", "UNSPEC")
KINDS = numbers("RDMA_NLDEV_ATTR_", "UNSPEC")


def u32(value):
    return struct.pack("=I", value)


def text(value):
    return value.encode() + b"\0"


class Kernel:
    def __init__(self):
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_RDMA)
        self.socket.settimeout(PATIENCE)
        self.sequence = 0
        self.answers = {}

    def ask(self, command, body, flags=0):
        """Send a request. Return the error, and the bodies of its answers. Answers to other requests are ignored."""
        self.sequence += 1
        kind = NLDEV << 10 | command
        self.socket.send(struct.pack("=IHHII", 16 + len(body), kind, REQUEST | ACK | flags, self.sequence, 0) + body)
        bodies = []
        while True:
            data = self.socket.recv(1 << 20)
            while len(data) >= 16:
                length, kind, _, sequence, _ = struct.unpack_from("=IHHII", data)
                message, data = data[16:length], data[(length + 3) & ~3:]
                if sequence != self.sequence:
                    continue
                if kind in (ERROR, DONE):
                    err = -struct.unpack_from("=i", message)[0] if len(message) >= 4 else 0
                    self.answers[err] = self.answers.get(err, 0) + 1
                    return err, bodies
                bodies.append(message)

    def devices(self):
        """Return the indices of all devices by their names."""
        _, bodies = self.ask(COMMANDS["GET"], b"", DUMP)
        found = (attrs(body) for body in bodies)
        return {f[KINDS["DEV_NAME"]].rstrip(b"\0").decode(): struct.unpack("=I", f[KINDS["DEV_INDEX"]])[0]
                for f in found if KINDS["DEV_NAME"] in f}


def requests(index, interface):
    """Return pairs of a command and its attributes: (kind, data)."""
    device = (KINDS["DEV_INDEX"], u32(index))
    port = (KINDS["PORT_INDEX"], u32(1))
    out = [("GET", [device]), ("PORT_GET", [device, port]), ("SYS_GET", []), ("RES_GET", [device]),
           ("SET", [device, (KINDS["DEV_DIM"], b"\1")]),
           ("SET", [device, (KINDS["DEV_NAME"], text("rxe_fuzz"))]),
           ("NEWLINK", [(KINDS["DEV_NAME"], text("rxe_new")), (KINDS["LINK_TYPE"], text("rxe")),
                        (KINDS["NDEV_NAME"], text(interface))]),
           ("GET_CHARDEV", [device, (KINDS["CHARDEV_TYPE"], text("uverbs"))]),
           ("STAT_GET", [device, port]),
           ("STAT_GET", [device, port, (KINDS["STAT_RES"], u32(0))]),
           ("STAT_SET", [device, port, (KINDS["STAT_RES"], u32(0)), (KINDS["STAT_MODE"], u32(1)),
                         (KINDS["STAT_AUTO_MODE_MASK"], u32(3))]),
           ("STAT_SET", [device, port, (KINDS["STAT_RES"], u32(0)), (KINDS["STAT_MODE"], u32(0)),
                         (KINDS["RES_LQPN"], u32(1)), (KINDS["STAT_COUNTER_ID"], u32(1))]),
           ("STAT_DEL", [device, port, (KINDS["STAT_RES"], u32(0)), (KINDS["STAT_COUNTER_ID"], u32(1)),
                         (KINDS["RES_LQPN"], u32(1))])]
    for name, number in (("QP", "RES_LQPN"), ("CQ", "RES_CQN"), ("MR", "RES_MRN"), ("PD", "RES_PDN"),
                         ("CM_ID", "RES_CM_IDN"), ("CTX", "RES_CTXN"), ("SRQ", "RES_SRQN")):
        out.append((f"RES_{name}_GET", [device, (KINDS[number], u32(1))]))
        if f"RES_{name}_GET_RAW" in COMMANDS:
            out.append((f"RES_{name}_GET_RAW", [device, (KINDS[number], u32(1))]))
    return out


def encoded(pairs):
    return b"".join(attr(kind, data) for kind, data in pairs)


def flaws(pairs):
    """Return the attributes with each single flaw."""
    for i, (kind, data) in enumerate(pairs):
        rest, after = pairs[:i], pairs[i + 1:]
        yield rest + after
        yield rest + [(kind, data), (kind, data)] + after
        for length in range(len(data)):
            yield rest + [(kind, data[:length])] + after
        for longer in (1, 4, 16, 64, 300):
            yield rest + [(kind, data + b"x" * longer)] + after
        yield rest + [(kind, b"x" * 300)] + after
        for other in (0, KINDS["UNSPEC"], max(KINDS.values()) + 60, 0x3fff, kind | 0x8000, kind | 0x4000):
            yield rest + [(other, data)] + after
    yield pairs + [(0x3fff, b"")]


def any_flaws(rng, pairs):
    """Return the attributes with some flaws, as bytes."""
    pairs = list(pairs)
    for _ in range(1 + rng.randrange(3)):
        i = rng.randrange(len(pairs) + 1)
        change = rng.randrange(5)
        if change == 0:
            pairs.insert(i, (rng.randrange(120), rng.randbytes(rng.randrange(40))))
        elif i < len(pairs):
            kind, data = pairs[i]
            # No request may name another device by its index.
            value = u32(rng.choice((1 << 20, 1 << 31, 0xffffffff))) if kind == KINDS["DEV_INDEX"] else \
                rng.randbytes(rng.choice((1, 2, 4, 8, 65)))
            pairs[i:i + 1] = ([], [(kind, value)], [(kind, data), (kind, value)],
                              [(kind, data[:rng.randrange(len(data) + 1)])])[change - 1]
    body = bytearray(encoded(pairs))
    if body and rng.randrange(4) == 0:
        # The length of an attribute, beyond the end of the message or inside its own header.
        body[0:2] = struct.pack("=H", rng.choice((0, 1, 3, 4, 5, 0xffff, len(body) + 1)))
    return bytes(body)


def main():
    device, interface, seconds, seed = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    kernel = Kernel()
    before = kernel.devices()
    rng = random.Random(seed)
    # First the device is found by its name, then by its index.
    plan = requests(before[device], interface)
    others = {name for name in before if name != device}

    def send(command, body):
        flags = DUMP if rng.randrange(4) == 0 else 0
        try:
            kernel.ask(COMMANDS[command], body, flags)
        except socket.timeout:
            sys.exit(f"no answer to {command}, flags {flags:#x}: {body.hex()}")
        now = kernel.devices()
        for name in now:
            if name not in before and now[name] != before[device]:
                kernel.ask(COMMANDS["DELLINK"], attr(KINDS["DEV_INDEX"], u32(now[name])))
        if not others <= set(now) or before[device] not in now.values():
            sys.exit(f"a device has gone after {command}, flags {flags:#x}: {body.hex()}")

    sent = 0
    for command, pairs in plan:
        for body in [encoded(pairs)] + [encoded(p) for p in flaws(pairs)]:
            send(command, body)
            sent += 1
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        command, pairs = rng.choice(plan)
        send(command, any_flaws(rng, pairs))
        sent += 1
    answers = ", ".join(f"{count} {errno.errorcode.get(err, 'OK') if err else 'OK'}"
                        for err, count in sorted(kernel.answers.items()))
    print(f"{sent} requests with seed {seed}; with the requests of the test's own: {answers}")


if os.geteuid() != 0:
    sys.exit("needs root")
main()
