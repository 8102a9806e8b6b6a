/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RoCEv2 packets from IP header to ICRC, in hexadecimal. The captured ones were
 * sent by adapters of others; the ICRC of the rest was computed by icrc_ref.py,
 * which checks all of them.
 */
#ifndef TESTS_ICRC_VECTORS_H
#define TESTS_ICRC_VECTORS_H

static const struct icrc_vector {
	const char *name;
	const char *hex;
} icrc_vectors[] = {
	/* clang-format off */
	{ "CNP, captured on a ConnectX-4 Lx",
	  "45c2003c718c4000401191610a0011010a001201000012b7002800008100ffff"
	  "40000118000000000000000000000000000000000000000082fd002a" },
	{ "UC SEND Only with pad, captured on a ConnectX",
	  "45010040047840004011b4d5c0a80007c0a80007c00012b7002caca22460ffff"
	  "000000d300cf17104630818be28935d90e9a95505401be885e50000078f353f3" },
	{ "RDMA WRITE Only of 16 bytes, captured",
	  "4500004c000100004011f54cc0a80201c0a8020201f412b70038ffa60a00ffff"
	  "0000000200000000000000000000123000000000000000100001020304050607"
	  "08090a0b0c0d0e0fca47470e" },
	{ "IPv4 acknowledge",
	  "4500003000004000401126bb0a0000010a000002c12312b7001c00001140ffff"
	  "00000011000000001f0000016827800f" },
	{ "IPv4 READ response, type of service, time to live and UDP checksum set",
	  "456b0034fedc40000111666f0a0000010a000002c12312b70020beef1050ffff"
	  "0001234500ffffff1f00ffff6162630012cd032c" },
	{ "IPv4 SEND First, FECN, BECN and reserved bits set",
	  "4500004c000040004011269f0a0000010a000002c12312b7003800000040ffff"
	  "d5ffffff80800000000102030405060708090a0b0c0d0e0f1011121314151617"
	  "18191a1b1c1d1e1f578bb55b" },
	{ "IPv6 acknowledge",
	  "60000000001c1140fe80000000000000021122fffe334455fe80000000000000"
	  "021122fffe334466c12312b7001c12341140ffff00000011000000001f000001"
	  "7822a9a9" },
	{ "IPv6 SEND Only with pad, traffic class and flow label set",
	  "66aabcde002011fffe80000000000000021122fffe334455fe80000000000000"
	  "021122fffe334466c12312b70020abcd04f0ffff000000778000000968656c6c"
	  "6f00000078d08e0f" },
	{ "IPv6 compare and swap, BECN set",
	  "6000000000341103fe80000000000000021122fffe334455fe80000000000000"
	  "021122fffe334466c12312b7003400001340ffff4000000180abcdef10111213"
	  "1415161718191a1b1c1d1e1f202122232425262728292a2b9bbb91c1" },
	/* clang-format on */
};

#endif
