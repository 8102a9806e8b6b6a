#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Connect two WireGuard interfaces, by generic netlink.

    wireguard.py NETNS-A ADDRESS-A NETNS-B ADDRESS-B NAME PORT

Each interface NAME gets a key, listens on PORT, and has the other as its only peer, at that ADDRESS (IPv4) and for
all destinations.
"""
import ctypes
import os
import socket
import struct
import sys

from nlattr import attr, attrs

CTRL, CTRL_GETFAMILY, CTRL_NAME, CTRL_ID = 16, 3, 2, 1
GET, SET = 0, 1
IFNAME, PRIVATE, PUBLIC, PORT, PEERS = 2, 3, 4, 6, 8
PEER_KEY, PEER_ENDPOINT, PEER_IPS = 1, 4, 9
IP_FAMILY, IP_ADDRESS, IP_PREFIX = 1, 2, 3
REQUEST, ACK, DUMP, NESTED = 1, 4, 0x300, 0x8000
ERROR, DONE = 2, 3
CLONE_NEWNET = 0x40000000


class Netlink:
    def __init__(self):
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
        self.sock.bind((0, 0))

    def call(self, family, command, data, flags=ACK):
        body = struct.pack("=BBH", command, 1, 0) + data
        self.sock.send(struct.pack("=IHHII", 16 + len(body), family, REQUEST | flags, 1, 0) + body)
        answer = b""
        while True:
            message = self.sock.recv(65536)
            while message:
                length, kind = struct.unpack_from("=IH", message)
                if kind == ERROR:
                    error = -struct.unpack_from("=i", message, 16)[0]
                    if error:
                        raise OSError(error, os.strerror(error))
                    return answer
                if kind == DONE:
                    return answer
                answer += message[20:length]
                message = message[(length + 3) & ~3 :]


def enter(netns):
    with open(f"/run/netns/{netns}") as f:
        if ctypes.CDLL(None, use_errno=True).setns(f.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"cannot enter {netns}")


def open_netlink(netns):
    enter(netns)
    netlink = Netlink()
    answer = netlink.call(CTRL, CTRL_GETFAMILY, attr(CTRL_NAME, b"wireguard\0"))
    return netlink, struct.unpack("=H", attrs(answer)[CTRL_ID])[0]


def main():
    ends = [(sys.argv[1], sys.argv[2]), (sys.argv[3], sys.argv[4])]
    name = attr(IFNAME, sys.argv[5].encode() + b"\0")
    port = int(sys.argv[6])
    links, keys = [], []
    for netns, _ in ends:
        netlink, family = open_netlink(netns)
        key = attr(PRIVATE, os.urandom(32)) + attr(PORT, struct.pack("=H", port))
        netlink.call(family, SET, name + key)
        keys.append(attrs(netlink.call(family, GET, name, DUMP))[PUBLIC])
        links.append((netlink, family))
    for i in range(2):
        endpoint = struct.pack("=H", socket.AF_INET) + struct.pack("!H", port) + socket.inet_aton(ends[1 - i][1])
        ips = b""
        for family, length in ((socket.AF_INET, 4), (socket.AF_INET6, 16)):
            ip = attr(IP_FAMILY, struct.pack("=H", family)) + attr(IP_ADDRESS, bytes(length))
            ips += attr(NESTED, ip + attr(IP_PREFIX, b"\0"))
        peer = attr(PEER_KEY, keys[1 - i]) + attr(PEER_ENDPOINT, endpoint + bytes(8)) + attr(PEER_IPS | NESTED, ips)
        links[i][0].call(links[i][1], SET, name + attr(PEERS | NESTED, attr(NESTED, peer)))


main()
