# SPDX-License-Identifier: GPL-2.0
"""Netlink attributes (struct nlattr) as bytes."""
import struct


def attr(kind, data):
    """Return an attribute with its padding."""
    return struct.pack("=HH", len(data) + 4, kind) + data + bytes(-len(data) % 4)


def attrs(data):
    """Return the attributes in @data by their kinds, without NLA_F_NESTED."""
    found = {}
    while len(data) >= 4:
        length, kind = struct.unpack_from("=HH", data)
        found[kind & 0x3FFF] = data[4:length]
        data = data[(length + 3) & ~3 :]
    return found
