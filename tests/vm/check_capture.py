#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check the RoCEv2 packets of a capture (pcap, Ethernet).

Each must be whole, of a known RC opcode or a CNP, and carry the ICRC that the definition
gives, computed by tests/unit/transport/wire/icrc_ref.py, which shares nothing with the driver.
--all demands that every RC opcode occurs.
"""

import argparse
import collections
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "unit" / "transport" / "wire"))
from icrc_ref import icrc  # pylint: disable=wrong-import-position

ROCE_PORT = 4791
ETHERTYPES = {0x0800: 4, 0x86DD: 6}
RC_OPCODES = {
    0x00: "SEND First", 0x01: "SEND Middle", 0x02: "SEND Last", 0x03: "SEND Last Imm",
    0x04: "SEND Only", 0x05: "SEND Only Imm", 0x06: "WRITE First", 0x07: "WRITE Middle",
    0x08: "WRITE Last", 0x09: "WRITE Last Imm", 0x0A: "WRITE Only", 0x0B: "WRITE Only Imm",
    0x0C: "READ Request", 0x0D: "READ Resp First", 0x0E: "READ Resp Middle",
    0x0F: "READ Resp Last", 0x10: "READ Resp Only", 0x11: "ACK", 0x12: "ATOMIC ACK",
    0x13: "CmpSwap", 0x14: "FetchAdd", 0x16: "SEND Last Inv", 0x17: "SEND Only Inv",
}
CNP = 0x81


def records(path):
    """The frames of a classic pcap file."""
    data = path.read_bytes()
    magic = data[:4]
    orders = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">"}
    if magic not in orders:
        sys.exit(f"{path}: not a pcap file with microseconds: magic {magic.hex()}")
    order = orders[magic]
    (linktype,) = struct.unpack(order + "I", data[20:24])
    if linktype != 1:
        sys.exit(f"{path}: link type {linktype}, not Ethernet")
    at = 24
    while at + 16 <= len(data):
        kept, original = struct.unpack(order + "II", data[at + 8:at + 16])
        if kept != original:
            sys.exit(f"{path}: a frame of {original} bytes was cut to {kept}")
        yield data[at + 16:at + 16 + kept]
        at += 16 + kept


def roce(frame):
    """The IP packet of a RoCEv2 frame and the offset of its BTH, or None."""
    version = ETHERTYPES.get(int.from_bytes(frame[12:14], "big"))
    ip = frame[14:]
    if version == 4 and ip[9] == 17:
        udp, length = 4 * (ip[0] & 15), int.from_bytes(ip[2:4], "big")
    elif version == 6 and ip[6] == 17:
        udp, length = 40, 40 + int.from_bytes(ip[4:6], "big")
    else:
        return None
    if int.from_bytes(ip[udp + 2:udp + 4], "big") != ROCE_PORT:
        return None
    if int.from_bytes(ip[udp + 4:udp + 6], "big") != length - udp:
        sys.exit("UDP length differs from the IP length")
    return ip[:length], udp + 8


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("capture", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="every RC opcode must occur")
    args = parser.parse_args()
    seen = collections.Counter()
    for number, frame in enumerate(records(args.capture), 1):
        found = roce(frame)
        if not found:
            continue
        packet, bth = found
        name = "CNP" if packet[bth] == CNP else RC_OPCODES.get(packet[bth])
        if name is None:
            sys.exit(f"frame {number}: opcode {packet[bth]:#x} is none of RC's")
        if icrc(packet[:-4]) != packet[-4:]:
            sys.exit(f"frame {number}: {name}: ICRC {packet[-4:].hex()}, not {icrc(packet[:-4]).hex()}")
        seen[name] += 1
    for name, count in sorted(seen.items()):
        print(f"{count:8} {name}")
    missing = set(RC_OPCODES.values()) - set(seen)
    if not seen or (args.all and missing):
        sys.exit(f"not captured: {', '.join(sorted(missing))}")


if __name__ == "__main__":
    main()
