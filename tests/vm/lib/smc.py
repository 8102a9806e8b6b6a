#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Set up SMC-R, and show what its connections use, by netlink.

    smc.py pnetid NAME INTERFACE DEVICE   this interface and port 1 of that RDMA device are on one network
    smc.py eid NAME                       accept and offer this user EID, which SMC-Rv2 needs
    smc.py connections                    print "MODE DEVICE" for each: MODE is "smc-r", "tcp" or "smc-d"; for "tcp",
                                          the reason (SMC_CLC_DECL_*, ours and the peer's) instead of the device
"""
import os
import socket
import struct
import sys

from nlattr import attr, attrs

CTRL, CTRL_GETFAMILY, CTRL_NAME, CTRL_ID = 16, 3, 2, 1
PNETID_ADD, PNETID_NAME, PNETID_ETHNAME, PNETID_IBNAME, PNETID_IBPORT = 2, 1, 2, 3, 4
ADD_UEID, EID_ENTRY, EID_BYTES = 10, 1, 32
GENERIC, SOCK_DIAG, BY_FAMILY, AF_SMC = 16, 4, 20, 43
LGRINFO, FALLBACK = 2, 5
MODES = "smc-r", "tcp", "smc-d"
STATE_ACTIVE = 1
REQUEST, ACK, DUMP = 1, 4, 0x300
ERROR, DONE = 2, 3
# struct smc_diag_msg, and the device's name in struct smc_diag_linkinfo.
DIAG_BYTES, NAME_AT, NAME_BYTES = 64, 1, 64


def messages(protocol, kind, body, flags=ACK):
    """Send a request, and return the bodies of the answers."""
    found = []
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol) as sock:
        sock.bind((0, 0))
        sock.send(struct.pack("=IHHII", 16 + len(body), kind, REQUEST | flags, 1, 0) + body)
        while True:
            answer = sock.recv(65536)
            while answer:
                length, answered = struct.unpack_from("=IH", answer)
                if answered == ERROR:
                    error = -struct.unpack_from("=i", answer, 16)[0]
                    if error:
                        raise OSError(error, os.strerror(error))
                if answered in (ERROR, DONE):
                    return found
                found.append(answer[16:length])
                answer = answer[(length + 3) & ~3 :]


def generic(family, command, body):
    header = struct.pack("=BBH", CTRL_GETFAMILY, 1, 0)
    answer = messages(GENERIC, CTRL, header + attr(CTRL_NAME, family.encode() + b"\0"))
    number = struct.unpack("=H", attrs(answer[0][4:])[CTRL_ID])[0]
    messages(GENERIC, number, struct.pack("=BBH", command, 1, 0) + body)


def add_pnetid(name, interface, device):
    body = attr(PNETID_NAME, name.encode() + b"\0") + attr(PNETID_ETHNAME, interface.encode() + b"\0")
    body += attr(PNETID_IBNAME, device.encode() + b"\0") + attr(PNETID_IBPORT, b"\1")
    generic("SMC_PNETID", PNETID_ADD, body)


def add_eid(name):
    # It is padded with blanks.
    generic("SMC_GEN_NETLINK", ADD_UEID, attr(EID_ENTRY, name.ljust(EID_BYTES).encode() + b"\0"))


def connections():
    request = struct.pack("=BHB", AF_SMC, 0, 1 << (LGRINFO - 1)) + bytes(48)
    for answer in messages(SOCK_DIAG, BY_FAMILY, request, DUMP):
        state, mode = answer[1], answer[2]
        if state != STATE_ACTIVE:
            continue
        found = attrs(answer[DIAG_BYTES:])
        if MODES[mode] == "tcp":
            print(MODES[mode], *map(hex, struct.unpack("=II", found[FALLBACK])))
        else:
            device = found.get(LGRINFO, b"")[NAME_AT : NAME_AT + NAME_BYTES].split(b"\0")[0].decode()
            print(MODES[mode], device or "-")


def main():
    {"pnetid": add_pnetid, "eid": add_eid, "connections": connections}[sys.argv[1]](*sys.argv[2:])


main()
