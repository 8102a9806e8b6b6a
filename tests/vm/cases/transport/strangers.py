#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
strangers.py SOURCE DESTINATION COUNT SEED [QPN PSN]: send COUNT forged RoCEv2 packets with a correct
ICRC, from the address SOURCE.

Without QPN, they go to random QPNs. With QPN, they go to that queue pair, with PSNs from 2^12 to 2^22
before PSN and from 2^22 to 2^23 after it. All other header fields are at or beside their limits.
"""
import random
import socket
import struct
import sys
import zlib

PORT = 4791
OPCODES = [*range(0x00, 0x20), *range(0x20, 0x28), 0x64, 0x65, 0x81, 0xe0, 0xff]
LENGTHS = (0, 1, 3, 4, 8, 12, 16, 28, 255, 256, 257, 1024, 1025)
NUMBERS = (0, 1, 0x7fffffff, 0x80000000, 0xffffffff)


def bth(rng, qpn, psn):
    """A base transport header, seldom with an invalid P_Key, version or pad count."""
    flags = rng.choice((0x00, 0x40, 0x80, 0x10, 0x30, 0x0f, 0xc0))
    pkey = rng.choice((0xffff, 0xffff, 0xffff, 0x7fff, 0, 1))
    ack_req = rng.choice((0, 0x80))
    return struct.pack(">BBHII", rng.choice(OPCODES), flags, pkey, qpn, ack_req << 24 | psn & 0xffffff)


def rest(rng):
    """Extended headers and payload: numbers at their limits, then random bytes."""
    words = b"".join(struct.pack(">I", rng.choice((*NUMBERS, rng.getrandbits(32)))) for _ in range(7))
    return (words + rng.randbytes(1024))[:rng.choice(LENGTHS)]


def icrc(ip, udp, body):
    """The ICRC, with the fields masked that change on the way (IBTA A17.3.3)."""
    masked = bytearray(ip)
    masked[1] = masked[8] = 0xff
    masked[10:12] = b"\xff\xff"
    head = bytearray(body)
    head[4] = 0xff
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(masked) + udp[:6] + b"\xff\xff" + bytes(head)))


def packet(source, destination, body):
    """IPv4 packet with a correct ICRC; the kernel fills in the IP checksum, which the ICRC does not cover."""
    length = 20 + 8 + len(body) + 4
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, length, 1, 0x4000, 64, 17, 0, source, destination)
    udp = struct.pack(">HHHH", 49152, PORT, length - 20, 0)
    return ip + udp + body + icrc(ip, udp, body)


def main():
    """Send the packets."""
    source, destination, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    target = [int(word) for word in sys.argv[5:7]]
    rng = random.Random(seed)
    raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
    addresses = socket.inet_aton(source), socket.inet_aton(destination)
    sent = 0
    for _ in range(count):
        qpn, psn = rng.getrandbits(24), rng.getrandbits(24)
        if target:
            qpn = target[0]
            psn = target[1] + rng.choice((-rng.randint(1 << 12, 1 << 22), rng.randint(1 << 22, (1 << 23) - 1)))
        data = packet(*addresses, bth(rng, qpn, psn) + rest(rng))
        raw.sendto(data, (destination, 0))
        sent += len(data)
    print(sent)


main()
