// SPDX-License-Identifier: GPL-2.0
/*
 * CUBIC congestion control (RFC 9438) with HyStart as in Linux (tcp_cubic).
 */
#include <math.h>
#include <linux/minmax.h>

#include "tcp.h"

#define INIT_CWND 10

/* RFC 9438, 4.6 and 5; also what Linux does when it sees ECE. */
#define CUBIC_C	    0.4
#define CUBIC_BETA  0.7

/* RFC 9438, 4.3: as fast as Reno with a factor of one half. */
#define RENO_ALPHA  (3 * (1 - CUBIC_BETA) / (1 + CUBIC_BETA))

/* HyStart, as tcp_cubic has it. */
#define HYSTART_LOW_CWND  16
#define HYSTART_SAMPLES	  8
#define HYSTART_ACK_DELTA (2 * MS)
#define HYSTART_DELAY_MIN (4 * MS)
#define HYSTART_DELAY_MAX (16 * MS)

void cubic_init(struct cubic *c)
{
	*c = (struct cubic){ .cwnd = INIT_CWND, .ssthresh = 1e9 };
}

void cubic_on_loss(struct cubic *c)
{
	c->epoch = 0;
	/* Fast convergence: leave room for flows that have just come. */
	c->wmax = c->cwnd < c->wmax ? c->cwnd * (1 + CUBIC_BETA) / 2 : c->cwnd;
	c->ssthresh = fmax(c->cwnd * CUBIC_BETA, 2);
}

/* End slow start when the ACKs of a round span half an RTT, or when the delay has grown. */
static void hystart(struct cubic *c, const struct tcp *tcp, u64 now, u64 rtt)
{
	u64 thresh = clamp_t(u64, tcp->min_rtt / 8, HYSTART_DELAY_MIN, HYSTART_DELAY_MAX);

	if (tcp->una >= c->round_end) {
		c->round_start = now;
		c->last_ack = now;
		c->round_end = tcp->nxt;
		c->round_rtt = ~0ull;
		c->samples = 0;
	}
	if (c->cwnd < HYSTART_LOW_CWND)
		return;
	if (now - c->last_ack <= HYSTART_ACK_DELTA) {
		c->last_ack = now;
		if (now - c->round_start > (tcp->paced ? tcp->min_rtt : tcp->min_rtt / 2))
			c->ssthresh = c->cwnd;
	}
	if (c->samples < HYSTART_SAMPLES) {
		c->samples++;
		c->round_rtt = min(c->round_rtt, rtt);
	} else if (c->round_rtt > tcp->min_rtt + thresh) {
		c->ssthresh = c->cwnd;
	}
}

static void start_epoch(struct cubic *c, u64 now)
{
	c->epoch = now;
	c->west = c->cwnd;
	c->origin = fmax(c->wmax, c->cwnd);
	c->k = cbrt((c->origin - c->cwnd) / CUBIC_C);
}

/* Congestion avoidance: @acked segments have been acknowledged. */
static void avoid(struct cubic *c, const struct tcp *tcp, u64 now, u32 acked)
{
	double t, target;

	if (!c->epoch)
		start_epoch(c, now);
	t = (double)(now - c->epoch + tcp->min_rtt) / SEC - c->k;
	target = fmin(fmax(c->origin + CUBIC_C * t * t * t, c->cwnd), 1.5 * c->cwnd);
	c->west += (c->west < c->wmax ? RENO_ALPHA : 1) * acked / c->cwnd;
	c->cwnd += (target - c->cwnd) / c->cwnd * acked;
	if (c->west > c->cwnd)
		c->cwnd = c->west;
}

void cubic_on_ack(struct cubic *c, const struct tcp *tcp, u64 now, u32 acked, u64 rtt)
{
	if (c->cwnd < c->ssthresh) {
		hystart(c, tcp, now, rtt);
		c->cwnd = fmin(c->cwnd + acked, fmax(c->ssthresh, c->cwnd));
		return;
	}
	avoid(c, tcp, now, acked);
}
