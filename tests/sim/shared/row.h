/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A row of the table: flows behind a bottleneck, and the goals of some metrics.
 */
#ifndef SHARED_ROW_H
#define SHARED_ROW_H

#include "endpoint.h"

/*
 * Metrics. Rates, drops, marks and delays count from the end of the warm-up on; times and
 * the counts of the transport from the beginning of the run.
 */
enum metric {
	M_NONE,
	M_GOODPUT,     /* payload of all RoCE flows, percent of the line's rate */
	M_MBPS,	       /* the same, Mb/s */
	M_DROPS,       /* RoCE data packets dropped at the bottleneck, percent */
	M_OWN_DROPS,   /* packets dropped by senders' own interfaces, percent */
	M_MARKS,       /* RoCE data packets that left marked CE, percent */
	M_JAIN,	       /* Jain's index of the RoCE flows' payload */
	M_SHARE,       /* payload of a RoCE flow, by that of a TCP flow */
	M_TCP_FAIR,    /* payload of a TCP flow, by an equal share of the line */
	M_TCP_MBPS,    /* payload of a TCP flow, Mb/s */
	M_TCP_DROPS,   /* TCP segments dropped at the bottleneck since the beginning, percent */
	M_DELAY,       /* mean delay of the bottleneck's queue, ms */
	M_P99,	       /* its 99th percentile, ms */
	M_MAX,	       /* its maximum, ms */
	M_ROCE_DELAY,  /* mean delay of RoCE data packets, ms */
	M_TCP_DELAY,   /* mean delay of TCP segments since the beginning, ms */
	M_STANDING,    /* the part that never drains, ms */
	M_RESENT,      /* RoCE packets retransmitted, percent of all that were sent */
	M_RESENT_PKTS, /* the same, packets */
	M_RESENT_RUN,  /* most packets retransmitted in one batch */
	M_TIMEOUTS,    /* retransmission timeouts */
	M_DEAD,	       /* QPs in error */
	M_FINISH,      /* until all messages have completed, by what the line needs for them */
	M_FINISH_MS,   /* the same, ms */
	M_PER_NAK,     /* requests sent for each RNR NAK */
	M_MESSAGES,    /* messages completed a second */
	M_SEND_RTTS,   /* until the SEND behind the READ left, round trips */
	M_PACKETS,     /* READ responses sent, by those needed */
	M_RATIO,       /* goodput, by that of the reference */
	METRICS
};

/* The run that the goodput is compared with. */
enum reference {
	REF_NONE,
	REF_FRESH,    /* the same flow on a path that has had its last delay from the beginning */
	REF_STANDARD, /* a standard READ requester in place of ours */
};

/**
 * struct goal - a bound of a metric
 * @metric: enum metric; M_NONE ends a row's goals
 * @at_least: lower bound
 * @at_most: upper bound; 0 as well as @at_least: it has to be 0; 0 alone: none
 */
struct goal {
	enum metric metric;
	double at_least;
	double at_most;
};

#define GOALS 5

/**
 * struct row - see above; times in ns
 * @name: printed, and matched by --row
 * @qps: connections of the transport
 * @standard: standard READ requesters; they have the responder of @qp
 * @tcps: CUBIC connections
 * @tcp_ecn: they use ECN
 * @rtt: round trip without queues
 * @line: the bottleneck, forward; @line.delay follows from @rtt
 * @one_host: all connections are between the same two hosts
 * @sender: host that data comes from
 * @receiver: host that it goes to
 * @tcp_access: link of a TCP sender
 * @stream: messages, posted on the sender, or on the receiver if they are READs
 * @qp: attributes
 * @warmup: measuring begins
 * @time: end of the run; before, if all messages have completed
 * @reference: for M_RATIO
 * @goals: up to GOALS, ended by M_NONE
 */
struct row {
	const char *name;
	u32 qps;
	u32 standard;
	u32 tcps;
	bool tcp_ecn;
	u64 rtt;
	struct lane_config line;
	bool one_host;
	struct host_config sender;
	struct host_config receiver;
	struct lane_config tcp_access;
	struct stream_config stream;
	struct qp_config qp;
	u64 warmup;
	u64 time;
	enum reference reference;
	struct goal goals[GOALS];
};

/* Measured values, by enum metric. */
struct result {
	double value[METRICS];
};

extern const struct row rows[];
extern const u32 nrows;

const char *metric_name(enum metric m);

/* Run a row. */
void row_run(const struct row *row, u64 seed, struct result *res);

/* Whether the goal has been reached. */
bool goal_reached(const struct goal *g, const struct result *res);

#endif
