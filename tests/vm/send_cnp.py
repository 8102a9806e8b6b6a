#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Send congestion notification packets (IBTA A17.9.3) to a queue pair over IPv4.

Shares nothing with the driver: the headers are written here, and the ICRC comes from
tests/unit/transport/wire/icrc_ref.py.
"""

import argparse
import pathlib
import socket
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "unit" / "transport" / "wire"))
from icrc_ref import icrc  # pylint: disable=wrong-import-position

ROCE_PORT = 4791
BECN = 0x40000000


def cnp(source, destination, port, qpn):
    """UDP payload of a CNP to @qpn, with its ICRC."""
    bth = struct.pack(">BBHII", 0x81, 0x40, 0xFFFF, BECN | qpn, 0)
    body = bth + bytes(16)
    udp = struct.pack(">HHHH", port, ROCE_PORT, 8 + len(body) + 4, 0)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp) + len(body) + 4, 0, 0x4000, 64,
                     socket.IPPROTO_UDP, 0, socket.inet_aton(source),
                     socket.inet_aton(destination))
    return body + icrc(ip + udp + body)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", help="IPv4 address of the queue pair's peer, of this host")
    parser.add_argument("destination", help="IPv4 address of the queue pair")
    parser.add_argument("qpn", type=int)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--interval", type=float, default=0.001, help="seconds")
    args = parser.parse_args()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind((args.source, 0))
        # The identification is 0 if fragmentation is forbidden.
        sock.setsockopt(socket.IPPROTO_IP, 10, 2)
        packet = cnp(args.source, args.destination, sock.getsockname()[1], args.qpn)
        for _ in range(args.count):
            sock.sendto(packet, (args.destination, ROCE_PORT))
            time.sleep(args.interval)


if __name__ == "__main__":
    main()
