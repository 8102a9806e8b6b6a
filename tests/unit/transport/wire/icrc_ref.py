#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The ICRC of RoCEv2 packets, from IBTA annex A17.3.3 and Python's zlib.

Shares nothing with the implementation under test. Checks the vectors of
icrc_vectors.h, or appends the ICRC to packets given in hexadecimal, from the
IP header to the last pad byte.
"""

import argparse
import pathlib
import re
import sys
import zlib

VECTORS = pathlib.Path(__file__).with_name("icrc_vectors.h")


def variant_bytes(packet):
    """Offset and mask of all bits that routers may change."""
    if packet[0] >> 4 == 4:
        udp = 4 * (packet[0] & 15)
        yield from {1: 0xFF, 8: 0xFF, 10: 0xFF, 11: 0xFF}.items()
    else:
        udp = 40
        yield from {0: 0x0F, 1: 0xFF, 2: 0xFF, 3: 0xFF, 7: 0xFF}.items()
    yield from {udp + 6: 0xFF, udp + 7: 0xFF, udp + 8 + 4: 0xFF}.items()


def icrc(packet):
    """ICRC over @packet (IP header to pad), as the four bytes on the wire."""
    masked = bytearray(packet)
    for offset, mask in variant_bytes(packet):
        masked[offset] |= mask
    return zlib.crc32(b"\xff" * 8 + masked).to_bytes(4, "little")


def vectors(path):
    """(name, packet with ICRC) of every row of the table at @path."""
    for name, strings in re.findall(r'\{\s*"([^"]*)",\s*((?:"[0-9a-f ]*"\s*)+)\}', path.read_text()):
        yield name, bytes.fromhex("".join(re.findall(r'"([^"]*)"', strings)))


def check(path):
    rows = list(vectors(path))
    if not rows:
        sys.exit(f"{path}: no vectors")
    for name, packet in rows:
        if icrc(packet[:-4]) != packet[-4:]:
            sys.exit(f'{path}: "{name}": ICRC is {packet[-4:].hex()}, not {icrc(packet[:-4]).hex()}')
    print(f"{len(rows)} ICRC vectors agree with the definition")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packet", nargs="*", help="hexadecimal, without its ICRC")
    args = parser.parse_args()
    for packet in map(bytes.fromhex, args.packet):
        print(packet.hex() + icrc(packet).hex())
    if not args.packet:
        check(VECTORS)


if __name__ == "__main__":
    main()
