// SPDX-License-Identifier: GPL-2.0
/*
 * The table. Unless a row says otherwise: 1 Gb/s, an RTT of 0.2 ms, a queue of 250 KB, a path MTU
 * of 1024 bytes, and senders whose links are ten times as fast as the bottleneck.
 */
#include <linux/kernel.h>

#include "row.h"

#define KIB 1024u
#define MIB (1024u * KIB)
#define MBIT 1000000ull
#define GBIT (1000 * MBIT)

#define AT_LEAST(metric, value)      \
	{                            \
		(metric), (value), 0 \
	}
#define AT_MOST(metric, value)       \
	{                            \
		(metric), 0, (value) \
	}
#define BETWEEN(metric, least, most)      \
	{                                 \
		(metric), (least), (most) \
	}

/* Links of the senders. */
#define ACCESS(bps)                  \
	{                            \
		.access.rate = (bps) \
	}
#define FAST			     .sender = ACCESS(10 * GBIT), .receiver = ACCESS(10 * GBIT)
#define INFINITE		     .sender = ACCESS(0), .receiver = ACCESS(0)

#define LINE(bps, bytes)	     .line = { .rate = (bps), .queue.limit = (bytes) }
#define SHORT_PATH		     .rtt = 200 * US, LINE(GBIT, 250000), FAST
#define SECONDS(from, to) .warmup = (from)*SEC, .time = (to)*SEC

/* A host whose processor handles half a million packets a second. */
#define SLOW                   \
	{                      \
		.pkt_ns = 2000 \
	}

/* A host that shares its processor: it runs, and waits, for up to 20 ms at a time. */
#define BUSY                                           \
	{                                              \
		.run_ns = 20 * MS, .pause_ns = 20 * MS \
	}

/*
 * Messages to a slow host that shares its processor: @us for a packet; it runs for up to @run ms,
 * and waits for up to @pause ms.
 */
#define TO_STARVED(us, run, pause)                                                          \
	.rtt = 20 * US, LINE(10 * GBIT, 0), .sender = SLOW, .qps = 1, .time = 400 * SEC,    \
	.receiver = { .pkt_ns = (us)*US, .run_ns = (run)*MS, .pause_ns = (pause)*MS },      \
	.qp = { .mtu = 1024, .rd_atomic = 16, .rnr_timer = 12, .no_reorder = true },        \
	.stream = { ROCE_WR_SEND, 1 * MIB, 1, .messages = 20 }

/* Connections. RNR timer code 12 is 0.64 ms, 1 is 10 us. */
#define QP(bytes, rd)		     .qp = { .mtu = (bytes), .rd_atomic = (rd), .rnr_timer = 12 }
#define WRITES(bytes, n)	     .stream = { ROCE_WR_WRITE, (bytes), (n) }
#define READS(bytes, n)		     .stream = { ROCE_WR_READ, (bytes), (n) }
#define SENDS(bytes, n)		     .stream = { ROCE_WR_SEND, (bytes), (n) }

#define WRITERS(n, bytes)	     .qps = (n), QP(bytes, 16), WRITES(1 * MIB, 16)

/* A queue that signals congestion early: tc-red(8) with ECN, and a step. */
#define MARKING(bytes)               \
	{                            \
		.discipline = RED,   \
		.limit = 250000,     \
		.red_min = (bytes),  \
		.red_max = (bytes),  \
		.red_percent = 100,  \
	}

/* As many CUBIC flows with ECN as QPs with ECT behind a queue that marks from @bytes on. */
#define ECN_BESIDE(n, us, mbit, bytes, most)                                                \
	.rtt = (us)*US, .tcp_ecn = true, .qps = (n), .tcps = (n), SECONDS(1, 6),            \
	.line = { .rate = (mbit)*MBIT,                                            \
		  .queue = { .discipline = RED,                                   \
			     .limit = (most),                                     \
			     .red_min = (bytes),                                  \
			     .red_max = (bytes),                                  \
						  .red_percent = 100 } },                   \
	.sender = ACCESS((mbit)*10 * MBIT), .receiver = ACCESS((mbit)*10 * MBIT),           \
	.qp = { .mtu = 1024, .rd_atomic = 16, .rnr_timer = 12, .ect = true },               \
	.goals = { BETWEEN(M_SHARE, 0.5, 2), AT_MOST(M_DROPS, 0) }

#define SHAPER			     .access = { .rate = 200 * MBIT, .queue.limit = 82000 }
#define TINY_QUEUE		     .access = { .rate = 50 * MBIT, .queue.limit_pkts = 10 }

/* A switch with a short queue: less than 300 us of it do not show in the RTT. */
#define SHORT_QUEUE(packets)                                                                \
	.rtt = 100 * US, LINE(10 * GBIT, (packets)*1100), .sender = ACCESS(40 * GBIT),      \
	.receiver = ACCESS(40 * GBIT), SECONDS(1, 3)

/* The responder finds out by trials whether its rate causes losses. */
#define SHORT_QUEUE_STANDARD_READS(packets)                                                 \
	SHORT_QUEUE(packets), .standard = 1, QP(1024, 16), READS(64 * KIB, 16)

/*
 * The in-tree driver re-requests READ responses after a timeout alone. The goals are what it has
 * from a responder without pacing, as its own is: 10.7 Mb/s of READs of 64 KiB at a loss of 1 %.
 */
#define IN_TREE(depth)                                                                      \
	.qp = { .mtu = 1024, .rd_atomic = (depth), .rnr_timer = 12, .timer_only = true }

/* Its host takes 250 Mb/s. The responder needs some seconds to learn about the requester. */
#define SLOW_IN_TREE(ppm)                                                                   \
	.rtt = 100 * US,                                                                    \
	.line = { .rate = 250 * MBIT, .loss = (ppm), .queue.limit = 16000000 }, FAST,       \
	.standard = 1, IN_TREE(128), READS(64 * KIB, 128), SECONDS(20, 40)

#define LONG_PATH(ppm)                                                                      \
	.qps = 1, QP(1024, 16), WRITES(8 * MIB, 16), .rtt = 100 * MS,                       \
	.line = { .rate = GBIT, .loss = (ppm), .queue.limit = 12500000 },                   \
	.sender = ACCESS(GBIT), .receiver = ACCESS(10 * GBIT), SECONDS(10, 30)

/*
 * Random loss and reordering, which must not be taken for congestion. The goals are a few percent
 * below the rates of a window that each loss reduces by a quarter, to 64 packets at least.
 */
#define NOISY(...)                                                                          \
	.rtt = 200 * US, .line = { .rate = GBIT, .queue.limit = 250000, __VA_ARGS__ },      \
	.sender = ACCESS(GBIT), .receiver = ACCESS(10 * GBIT), SECONDS(1, 5)

#define COLD_READ(ms)                                                                       \
	.qps = 1, QP(1024, 16), .rtt = (ms)*MS, LINE(GBIT, 0), FAST, .time = 30 * SEC,      \
	.stream = { ROCE_WR_READ, 512 * KIB, 1, .messages = 1 }

/* As many CUBIC flows as QPs: a QP has the share of a flow, be it half or twice that. */
#define BESIDE(n, us, mbit, bytes)                                                          \
	.rtt = (us)*US, LINE((mbit)*MBIT, bytes), FAST, .qps = (n), .tcps = (n),             \
	QP(1024, 64), SECONDS(1, 6), .goals = { BETWEEN(M_SHARE, 0.5, 2) }

#define BIG_READS(us)                                                                       \
	.qps = 1, QP(1024, 1), READS(8 * MIB, 4), .rtt = (us)*US, LINE(10 * GBIT, 0),       \
	INFINITE, .warmup = 500 * MS, .time = 3500 * MS, .reference = REF_STANDARD

#define READ_AND_SEND(us)                                                                   \
	.qps = 1, QP(1024, 16), .rtt = (us)*US, LINE(10 * GBIT, 0), INFINITE,               \
	.time = 10 * SEC,                                                                   \
	.stream = { ROCE_WR_READ, 8 * MIB, 1, .messages = 1, .last_send = 64 }

const struct row rows[] = {
	{ "WRITE, 1 QP",
	  SHORT_PATH, WRITERS(1, 1024), SECONDS(1, 10),
	  .goals = { AT_LEAST(M_GOODPUT, 92), AT_MOST(M_DROPS, 1) } },
	{ "WRITE, 16 QPs",
	  SHORT_PATH, WRITERS(16, 1024), SECONDS(1, 10),
	  .goals = { AT_LEAST(M_GOODPUT, 90), AT_MOST(M_DROPS, 3), AT_LEAST(M_JAIN, 0.9) } },
	{ "WRITE, 64 QPs",
	  SHORT_PATH, WRITERS(64, 1024), SECONDS(1, 10),
	  .goals = { AT_LEAST(M_GOODPUT, 85), AT_MOST(M_DROPS, 5), AT_LEAST(M_JAIN, 0.9) } },
	{ "WRITE, 16 QPs start, 100 Mb/s, 62.5 KB",
	  .rtt = 200 * US, LINE(100 * MBIT, 62500), FAST, WRITERS(16, 1024), SECONDS(0, 2),
	  .goals = { AT_LEAST(M_GOODPUT, 80), AT_MOST(M_DROPS, 11) } },
	{ "READ, 16 QPs start, 100 Mb/s, 62.5 KB",
	  .rtt = 200 * US, LINE(100 * MBIT, 62500), FAST, .qps = 16, QP(1024, 16),
	  READS(64 * KIB, 4), SECONDS(0, 2),
	  .goals = { AT_LEAST(M_GOODPUT, 80), AT_MOST(M_DROPS, 11) } },
	{ "16 CUBIC start, 100 Mb/s, 62.5 KB",
	  .rtt = 200 * US, LINE(100 * MBIT, 62500), FAST, .tcps = 16, SECONDS(0, 2),
	  .goals = { AT_LEAST(M_TCP_MBPS, 5), AT_MOST(M_TCP_DROPS, 13) } },
	{ "4 QPs beside 4 CUBIC",
	  SHORT_PATH, WRITERS(4, 1024), .tcps = 4, SECONDS(1, 10),
	  .goals = { BETWEEN(M_SHARE, 0.5, 2) } },
	{ "16 QPs beside 16 CUBIC",
	  SHORT_PATH, WRITERS(16, 1024), .tcps = 16, SECONDS(1, 10),
	  .goals = { BETWEEN(M_SHARE, 0.5, 2) } },
	{ "WRITEs beside 4 CUBIC, 100 Mb/s",
	  BESIDE(4, 200, 100, 62500), WRITES(64 * KIB, 16) },
	{ "WRITEs beside 4 CUBIC, 10 ms",
	  BESIDE(4, 10000, 1000, 1250000), WRITES(64 * KIB, 16) },
	{ "READs beside 1 CUBIC",
	  BESIDE(1, 200, 1000, 250000), READS(64 * KIB, 16) },
	{ "READs beside 4 CUBIC",
	  BESIDE(4, 200, 1000, 250000), READS(64 * KIB, 16) },
	{ "READs beside 16 CUBIC",
	  BESIDE(16, 200, 1000, 250000), READS(64 * KIB, 16) },
	{ "READs beside 1 CUBIC, 100 Mb/s",
	  BESIDE(1, 200, 100, 62500), READS(64 * KIB, 16) },
	{ "READs beside 4 CUBIC, 100 Mb/s",
	  BESIDE(4, 200, 100, 62500), READS(64 * KIB, 16) },
	{ "READs beside 16 CUBIC, 100 Mb/s",
	  BESIDE(16, 200, 100, 62500), READS(64 * KIB, 16) },
	{ "READs beside 4 CUBIC, 10 ms",
	  BESIDE(4, 10000, 1000, 1250000), READS(64 * KIB, 16) },
	{ "READs beside 16 CUBIC, 100 Mb/s, 10 ms",
	  BESIDE(16, 10000, 100, 125000), READS(64 * KIB, 16) },
	{ "READs of 1 KiB beside 4 CUBIC",
	  BESIDE(4, 200, 1000, 250000), READS(1 * KIB, 64) },
	{ "READs of 4 KiB beside 4 CUBIC, 100 Mb/s",
	  BESIDE(4, 200, 100, 62500), READS(4 * KIB, 32) },
	{ "ECN: 1 QP with ECT beside 1 CUBIC",
	  .rtt = 200 * US, .line = { .rate = GBIT, .queue = MARKING(60000) }, FAST,
	  .qps = 1, .qp = { .mtu = 1024, .rd_atomic = 16, .rnr_timer = 12, .ect = true },
	  WRITES(1 * MIB, 16), .tcps = 1, .tcp_ecn = true, SECONDS(1, 10),
	  .goals = { BETWEEN(M_SHARE, 0.5, 2), AT_MOST(M_DROPS, 0), AT_MOST(M_P99, 1) } },
	{ "ECN: WRITEs beside 4 CUBIC",
	  ECN_BESIDE(4, 200, 1000, 60000, 250000), WRITES(64 * KIB, 16) },
	{ "ECN: WRITEs beside 1 CUBIC, 10 ms",
	  ECN_BESIDE(1, 10000, 1000, 60000, 1250000), WRITES(64 * KIB, 16) },
	{ "ECN: WRITEs beside 1 CUBIC, 10 Gb/s",
	  ECN_BESIDE(1, 200, 10000, 300000, 1250000), WRITES(64 * KIB, 16) },
	{ "ECN: WRITEs beside 4 CUBIC, 10 Gb/s",
	  ECN_BESIDE(4, 200, 10000, 300000, 1250000), WRITES(64 * KIB, 16) },
	{ "ECN: READs beside 1 CUBIC",
	  ECN_BESIDE(1, 200, 1000, 60000, 250000), READS(64 * KIB, 16) },
	{ "ECN: READs beside 4 CUBIC",
	  ECN_BESIDE(4, 200, 1000, 60000, 250000), READS(64 * KIB, 16) },
	{ "ECN: READs beside 16 CUBIC",
	  ECN_BESIDE(16, 200, 1000, 60000, 250000), READS(64 * KIB, 16) },
	{ "ECN: READs beside 1 CUBIC, 10 ms",
	  ECN_BESIDE(1, 10000, 1000, 60000, 1250000), READS(64 * KIB, 16) },
	{ "ECN: READs beside 4 CUBIC, 100 Mb/s",
	  ECN_BESIDE(4, 200, 100, 15000, 62500), READS(64 * KIB, 16) },
	{ "ECN: READs beside 4 CUBIC, 10 Gb/s",
	  ECN_BESIDE(4, 200, 10000, 300000, 1250000), READS(64 * KIB, 16) },
	{ "fq_codel: 4 QPs beside 4 CUBIC",
	  .rtt = 200 * US, .line = { .rate = GBIT, .queue.discipline = FQ_CODEL }, FAST,
	  WRITERS(4, 1024), .tcps = 4, SECONDS(1, 10),
	  .goals = { BETWEEN(M_SHARE, 0.5, 2), AT_MOST(M_DROPS, 3) } },
	{ "WRITE, 16 QPs, 10 Gb/s, MTU 4096",
	  .rtt = 50 * US, LINE(10 * GBIT, 1000000), INFINITE, WRITERS(16, 4096),
	  .warmup = 500 * MS, .time = 5 * SEC,
	  .goals = { AT_LEAST(M_GOODPUT, 95), AT_MOST(M_DROPS, 1), AT_LEAST(M_JAIN, 0.9) } },
	{ "incast, 32 x 1 MiB, 10 Gb/s",
	  .rtt = 50 * US, LINE(10 * GBIT, 250000), .sender = ACCESS(10 * GBIT),
	  .receiver = ACCESS(10 * GBIT), .qps = 32, QP(1024, 16),
	  .stream = { ROCE_WR_WRITE, 1 * MIB, 1, .messages = 1 }, .time = 10 * SEC,
	  .goals = { AT_MOST(M_FINISH, 1.3), AT_MOST(M_DEAD, 0) } },
	{ "standard READs, 16 x 64 KiB",
	  SHORT_PATH, .standard = 1, QP(1024, 16), READS(64 * KIB, 16), SECONDS(1, 10),
	  .goals = { AT_LEAST(M_GOODPUT, 85) } },
	{ "standard READs beside CUBIC",
	  SHORT_PATH, .standard = 1, .tcps = 1, QP(1024, 16), READS(64 * KIB, 16), SECONDS(1, 10),
	  .goals = { AT_LEAST(M_TCP_FAIR, 0.5) } },
	{ "standard READs, 16 x 1 MiB, MTU 4096",
	  SHORT_PATH, .standard = 1, QP(4096, 16), READS(1 * MIB, 16), SECONDS(1, 10),
	  .goals = { AT_LEAST(M_GOODPUT, 85) } },
	{ "standard READs, 4 requesters",
	  SHORT_PATH, .standard = 4, QP(1024, 16), READS(64 * KIB, 16), SECONDS(1, 10),
	  .goals = { AT_LEAST(M_GOODPUT, 80), AT_LEAST(M_JAIN, 0.9) } },
	{ "standard READs, 1 x 8 MiB",
	  SHORT_PATH, .standard = 1, QP(1024, 1), READS(8 * MIB, 1), SECONDS(1, 10),
	  .goals = { AT_LEAST(M_GOODPUT, 65) } },
	{ "standard READs, loss 1 %",
	  NOISY(.loss = 10000), .standard = 1, QP(1024, 16), READS(64 * KIB, 16),
	  .goals = { AT_LEAST(M_GOODPUT, 27) } },
	{ "standard READs, loss 0.1 %",
	  NOISY(.loss = 1000), .standard = 1, QP(1024, 16), READS(64 * KIB, 16),
	  .goals = { AT_LEAST(M_GOODPUT, 81) } },
	{ "standard READs, 10 Gb/s, loss 0.1 %",
	  .rtt = 50 * US,
	  .line = { .rate = 10 * GBIT, .loss = 1000, .queue.limit = 1000000 }, INFINITE,
	  .standard = 1, QP(4096, 16), READS(64 * KIB, 16), .warmup = 500 * MS, .time = 5 * SEC,
	  .goals = { AT_LEAST(M_GOODPUT, 29) } },
	{ "READ, 16 QPs",
	  SHORT_PATH, .qps = 16, QP(1024, 16), READS(1 * MIB, 16), SECONDS(1, 10),
	  .goals = { AT_LEAST(M_GOODPUT, 90), AT_MOST(M_DROPS, 3), AT_LEAST(M_JAIN, 0.9) } },
	{ "queue of 16 packets, 10 Gb/s",
	  SHORT_QUEUE(16), WRITERS(1, 1024),
	  .goals = { AT_LEAST(M_GOODPUT, 60), AT_MOST(M_DROPS, 3) } },
	{ "queue of 32 packets, 10 Gb/s",
	  SHORT_QUEUE(32), WRITERS(1, 1024),
	  .goals = { AT_LEAST(M_GOODPUT, 65), AT_MOST(M_DROPS, 3) } },
	{ "queue of 64 packets, 10 Gb/s",
	  SHORT_QUEUE(64), WRITERS(1, 1024),
	  .goals = { AT_LEAST(M_GOODPUT, 70), AT_MOST(M_DROPS, 3) } },
	{ "READ, queue of 8 packets, 10 Gb/s",
	  SHORT_QUEUE(8), .qps = 1, QP(1024, 16), READS(1 * MIB, 16),
	  .goals = { AT_LEAST(M_GOODPUT, 50), AT_MOST(M_DROPS, 3) } },
	{ "READ, queue of 16 packets, 10 Gb/s",
	  SHORT_QUEUE(16), .qps = 1, QP(1024, 16), READS(1 * MIB, 16),
	  .goals = { AT_LEAST(M_GOODPUT, 60), AT_MOST(M_DROPS, 3) } },
	{ "READ, queue of 64 packets, 10 Gb/s",
	  SHORT_QUEUE(64), .qps = 1, QP(1024, 16), READS(1 * MIB, 16),
	  .goals = { AT_LEAST(M_GOODPUT, 70), AT_MOST(M_DROPS, 3) } },
	{ "WRITE, go-back-N peer, queue of 8 packets, 10 Gb/s",
	  SHORT_QUEUE(8), .qps = 1, WRITES(1 * MIB, 16),
	  .qp = { .mtu = 1024, .rd_atomic = 16, .rnr_timer = 12, .no_reorder = true },
	  .goals = { AT_LEAST(M_GOODPUT, 50), AT_MOST(M_DROPS, 3) } },
	{ "WRITE, go-back-N peer, queue of 16 packets, 10 Gb/s",
	  SHORT_QUEUE(16), .qps = 1, WRITES(1 * MIB, 16),
	  .qp = { .mtu = 1024, .rd_atomic = 16, .rnr_timer = 12, .no_reorder = true },
	  .goals = { AT_LEAST(M_GOODPUT, 60), AT_MOST(M_DROPS, 3) } },
	{ "WRITE, go-back-N peer, queue of 64 packets, 10 Gb/s",
	  SHORT_QUEUE(64), .qps = 1, WRITES(1 * MIB, 16),
	  .qp = { .mtu = 1024, .rd_atomic = 16, .rnr_timer = 12, .no_reorder = true },
	  .goals = { AT_LEAST(M_GOODPUT, 70), AT_MOST(M_DROPS, 3) } },
	{ "WRITE, 16 QPs, queue of 64 packets, 10 Gb/s",
	  SHORT_QUEUE(64), WRITERS(16, 1024),
	  .goals = { AT_LEAST(M_GOODPUT, 70), AT_MOST(M_DROPS, 5), AT_LEAST(M_JAIN, 0.9) } },
	{ "standard READs, queue of 8 packets, 10 Gb/s",
	  SHORT_QUEUE_STANDARD_READS(8), .goals = { AT_LEAST(M_GOODPUT, 50) } },
	{ "standard READs, queue of 16 packets, 10 Gb/s",
	  SHORT_QUEUE_STANDARD_READS(16), .goals = { AT_LEAST(M_GOODPUT, 60) } },
	{ "standard READs, queue of 32 packets, 10 Gb/s",
	  SHORT_QUEUE_STANDARD_READS(32), .goals = { AT_LEAST(M_GOODPUT, 65) } },
	{ "standard READs, queue of 64 packets, 10 Gb/s",
	  SHORT_QUEUE_STANDARD_READS(64), .goals = { AT_LEAST(M_GOODPUT, 70) } },
	{ "standard READs, 10 Gb/s, RTT 100 us, loss 1 %",
	  .rtt = 100 * US, .line = { .rate = 10 * GBIT, .loss = 10000, .queue.limit = 1000000 },
	  .sender = ACCESS(10 * GBIT), .receiver = ACCESS(40 * GBIT), .standard = 1, QP(1024, 16),
	  READS(64 * KIB, 16), SECONDS(1, 3), .goals = { AT_LEAST(M_GOODPUT, 3.5) } },
	{ "in-tree READs, loss 1 %",
	  NOISY(.loss = 10000), .standard = 1, IN_TREE(16), READS(64 * KIB, 16),
	  .goals = { AT_LEAST(M_MBPS, 9) } },
	{ "in-tree READs, slow host, loss 1 %",
	  SLOW_IN_TREE(10000), .goals = { AT_LEAST(M_MBPS, 1.9) } },
	{ "in-tree READs, slow host, loss 0.1 %",
	  SLOW_IN_TREE(1000), .goals = { AT_LEAST(M_MBPS, 18) } },
	{ "in-tree READs, 4 requesters",
	  SHORT_PATH, .standard = 4, IN_TREE(16), READS(64 * KIB, 16), SECONDS(1, 10),
	  .goals = { AT_LEAST(M_MBPS, 28), AT_LEAST(M_JAIN, 0.9) } },
	{ "in-tree READs beside CUBIC",
	  SHORT_PATH, .standard = 1, .tcps = 1, IN_TREE(16), READS(64 * KIB, 16),
	  SECONDS(1, 10), .goals = { AT_LEAST(M_MBPS, 9), AT_LEAST(M_TCP_FAIR, 0.5) } },
	{ "in-tree READs, queue of 64 packets, 10 Gb/s",
	  SHORT_QUEUE(64), .standard = 1, IN_TREE(16), READS(64 * KIB, 16),
	  .goals = { AT_LEAST(M_MBPS, 60) } },
	{ "250 QPs of one packet, 100 Mb/s",
	  .rtt = 200 * US, LINE(100 * MBIT, 60000), FAST, .qps = 250, QP(1024, 16),
	  WRITES(1024, 1), SECONDS(0, 6),
	  .goals = { AT_MOST(M_DEAD, 0), AT_MOST(M_DROPS, 10) } },
	/* 250 CUBIC flows drop 31 %. */
	{ "250 QPs of one READ, 100 Mb/s",
	  .rtt = 200 * US, LINE(100 * MBIT, 60000), FAST, .qps = 250, QP(1024, 16),
	  READS(1024, 1), SECONDS(0, 6),
	  .goals = { AT_MOST(M_DEAD, 0), AT_MOST(M_DROPS, 31) } },
	{ "deep buffer, 100 Mb/s, 1 QP",
	  .rtt = 200 * US, LINE(100 * MBIT, 10000000), FAST, WRITERS(1, 1024), SECONDS(5, 20),
	  .goals = { AT_MOST(M_STANDING, 5), AT_LEAST(M_GOODPUT, 90) } },
	{ "RTT goes from 20 to 100 ms", .rtt = 20 * MS,
	  .line = { .rate = GBIT,
		    .step_at = 5 * SEC,
		    .step_delay = 100 * MS,
				    .queue.limit = 12500000 },
	  .sender = ACCESS(GBIT), .receiver = ACCESS(10 * GBIT), .qps = 1, QP(1024, 16),
	  WRITES(8 * MIB, 16), SECONDS(15, 25), .reference = REF_FRESH,
	  .goals = { AT_LEAST(M_RATIO, 0.8) } },
	{ "RTT 100 ms", LONG_PATH(0), .goals = { AT_LEAST(M_MBPS, 800) } },
	{ "RTT 100 ms, loss 0.01 %", LONG_PATH(100), .goals = { AT_LEAST(M_MBPS, 700) } },
	{ "RTT 100 ms, loss 0.1 %", LONG_PATH(1000), .goals = { AT_LEAST(M_MBPS, 400) } },
	{ "RTT 100 ms, loss 1 %", LONG_PATH(10000), .goals = { AT_LEAST(M_MBPS, 100) } },
	{ "WRITE, 1 QP, loss 1 %",
	  NOISY(.loss = 10000), WRITERS(1, 1024),
	  .goals = { AT_LEAST(M_GOODPUT, 65) } },
	{ "WRITE, 4 QPs, loss 1 %",
	  NOISY(.loss = 10000), WRITERS(4, 1024),
	  .goals = { AT_LEAST(M_GOODPUT, 75) } },
	{ "WRITE, 1 QP, reordering 1 %",
	  NOISY(.reorder = 10000, .late = 100 * US), WRITERS(1, 1024),
	  .goals = { AT_LEAST(M_GOODPUT, 68) } },
	{ "WRITE, 1 QP, loss 1 %, go-back-N peer",
	  NOISY(.loss = 10000), .qps = 1, WRITES(1 * MIB, 16),
	  .qp = { .mtu = 1024, .rd_atomic = 16, .rnr_timer = 12, .no_reorder = true },
	  .goals = { AT_LEAST(M_GOODPUT, 49) } },
	{ "WRITE, 16 QPs, go-back-N peers",
	  SHORT_PATH, .qps = 16, WRITES(1 * MIB, 16), SECONDS(1, 10),
	  .qp = { .mtu = 1024, .rd_atomic = 16, .rnr_timer = 12, .no_reorder = true },
	  .goals = { AT_LEAST(M_GOODPUT, 90), AT_MOST(M_DROPS, 3), AT_LEAST(M_JAIN, 0.9) } },
	{ "READ, 1 QP, loss 1 %",
	  NOISY(.loss = 10000), .qps = 1, QP(1024, 16), READS(1 * MIB, 16),
	  .goals = { AT_LEAST(M_GOODPUT, 77) } },
	{ "READ, 1 QP, reordering 1 %",
	  NOISY(.reorder = 10000, .late = 100 * US), .qps = 1, QP(1024, 16), READS(1 * MIB, 16),
	  .goals = { AT_LEAST(M_GOODPUT, 90) } },
	{ "8 MiB READs, depth 1, RTT 1 ms", BIG_READS(1000), .goals = { AT_LEAST(M_RATIO, 0.9) } },
	{ "8 MiB READs, depth 1, RTT 10 ms",
	  BIG_READS(10000), .goals = { AT_LEAST(M_RATIO, 0.9) } },
	{ "READ 8 MiB, SEND 64, RTT 1 ms",
	  READ_AND_SEND(1000), .goals = { AT_MOST(M_SEND_RTTS, 2) } },
	{ "READ 8 MiB, SEND 64, RTT 10 ms",
	  READ_AND_SEND(10000), .goals = { AT_MOST(M_SEND_RTTS, 2) } },
	{ "busy peer, WRITE 1 MiB at depth 4",
	  .rtt = 20 * US, LINE(10 * GBIT, 0), .receiver = BUSY,
	  .qps = 1, QP(4096, 16), WRITES(1 * MIB, 4), SECONDS(0, 3),
	  .goals = { AT_MOST(M_RESENT, 0.1), AT_MOST(M_RESENT_RUN, 1) } },
	{ "busy peer, READ 1 MiB at depth 4",
	  .rtt = 20 * US, LINE(10 * GBIT, 0), .sender = BUSY,
	  .qps = 1, QP(4096, 16), READS(1 * MIB, 4), SECONDS(0, 3),
	  .goals = { AT_MOST(M_RESENT, 0.1), AT_MOST(M_RESENT_RUN, 1) } },
	{ "starved peer, 2.4 % of a processor", TO_STARVED(50, 5, 200),
	  .goals = { AT_MOST(M_FINISH_MS, 40000), AT_MOST(M_RESENT, 2) } },
	{ "starved peer, 9 % of a processor", TO_STARVED(100, 20, 200),
	  .goals = { AT_MOST(M_FINISH_MS, 25000), AT_MOST(M_RESENT, 2) } },
	{ "starved peer, 0.7 % of a processor", TO_STARVED(50, 2, 300),
	  .goals = { AT_MOST(M_FINISH_MS, 100000), AT_MOST(M_RESENT, 3) } },
	{ "no RECV, 64 SENDs of 4 KiB",
	  .rtt = 20 * US, LINE(10 * GBIT, 0), .qps = 1, SENDS(4 * KIB, 64), SECONDS(0, 1),
	  .qp = { .mtu = 1024, .rd_atomic = 16, .rnr_timer = 1, .no_recv = true },
	  .sender = SLOW, .receiver = SLOW,
	  .goals = { AT_MOST(M_PER_NAK, 2), AT_MOST(M_DEAD, 0) } },
	{ "a RECV each 100 us, SENDs of 4 KiB",
	  .rtt = 20 * US, LINE(10 * GBIT, 0), .qps = 1, SENDS(4 * KIB, 64), SECONDS(0, 3),
	  .qp = { .mtu = 1024, .rd_atomic = 16, .rnr_timer = 1, .recv_ns = 100 * US },
	  .sender = SLOW, .receiver = SLOW,
	  .goals = { AT_LEAST(M_MESSAGES, 8000) } },
	{ "own shaper, 80 MB by WRITE",
	  .rtt = 200 * US, LINE(10 * GBIT, 0), .sender = { SHAPER, .shaped = true },
	  .receiver = { SHAPER, .shaped = true }, .qps = 1, QP(1024, 16), .time = 60 * SEC,
	  .stream = { ROCE_WR_WRITE, 1 * MIB, 16, .messages = 76 },
	  .goals = { AT_MOST(M_FINISH, 1.1), AT_MOST(M_OWN_DROPS, 0.1) } },
	{ "own shaper, 80 MB by READ",
	  .rtt = 200 * US, LINE(10 * GBIT, 0), .sender = { SHAPER, .shaped = true },
	  .receiver = { SHAPER, .shaped = true }, .qps = 1, QP(1024, 16), .time = 60 * SEC,
	  .stream = { ROCE_WR_READ, 1 * MIB, 16, .messages = 76 },
	  .goals = { AT_MOST(M_FINISH, 1.1), AT_MOST(M_OWN_DROPS, 0.1) } },
	{ "own queue of 10 packets, 16 QPs WRITE",
	  .rtt = 200 * US, LINE(10 * GBIT, 0), .sender = { TINY_QUEUE, .shaped = true },
	  .receiver = { TINY_QUEUE, .shaped = true }, .one_host = true, .qps = 16, QP(1024, 16),
	  WRITES(1 * MIB, 16), SECONDS(0, 20),
	  .goals = { AT_MOST(M_DEAD, 0), AT_LEAST(M_GOODPUT, 80) } },
	{ "own queue of 10 packets, 16 QPs READ",
	  .rtt = 200 * US, LINE(10 * GBIT, 0), .sender = { TINY_QUEUE, .shaped = true },
	  .receiver = { TINY_QUEUE, .shaped = true }, .one_host = true, .qps = 16, QP(1024, 16),
	  READS(1 * MIB, 16), SECONDS(0, 20),
	  .goals = { AT_MOST(M_DEAD, 0), AT_LEAST(M_GOODPUT, 80) } },
	{ "cold READ of 512 KiB, RTT 10 ms", COLD_READ(10), .goals = { AT_MOST(M_PACKETS, 1.1) } },
	{ "cold READ of 512 KiB, RTT 100 ms",
	  COLD_READ(100), .goals = { AT_MOST(M_PACKETS, 1.1) } },
	{ "cold READ of 512 KiB, RTT 250 ms", COLD_READ(250), .goals = { AT_MOST(M_PACKETS, 1.1) } },
};

const u32 nrows = ARRAY_SIZE(rows);
