/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queueing disciplines: drop-tail, RED with ECN, and fq_codel (RFC 8290).
 */
#ifndef SHARED_QUEUE_H
#define SHARED_QUEUE_H

#include "../rng.h"
#include "packet.h"

#define FQ_FLOWS 1024

enum discipline {
	DROPTAIL,
	RED,
	FQ_CODEL,
};

/**
 * struct queue_config - the discipline and its parameters
 * @discipline: enum discipline
 * @limit: bytes; 0: no limit
 * @limit_pkts: buffers; 0: no limit. The packets of a buffer (GSO) are dropped together
 * @red_min: RED: average length below which nothing is marked, bytes
 * @red_max: RED: average length from which on everything is marked, bytes. If it equals @red_min,
 *	the queue's present length counts instead of its average (step marking as for DCTCP)
 * @red_percent: RED: probability at @red_max, percent
 * @red_drops: RED: a packet without ECT is dropped instead of being marked (RFC 3168, 7); else it
 *	passes
 */
struct queue_config {
	enum discipline discipline;
	u32 limit;
	u32 limit_pkts;
	u32 red_min;
	u32 red_max;
	u32 red_percent;
	bool red_drops;
};

/* State of CoDel (RFC 8289) for one flow queue; times in ns. */
struct codel {
	u64 first_above;
	u64 drop_next;
	u32 count;
	u32 lastcount;
	bool dropping;
};

/**
 * struct fq_flow - flow queue of fq_codel
 * @next: in the list of new or old flows
 * @fifo: packets
 * @bytes: in @fifo
 * @deficit: bytes that it may send in this round
 * @listed: is in a list
 */
struct fq_flow {
	struct fq_flow *next;
	struct fifo fifo;
	u32 bytes;
	s32 deficit;
	bool listed;
	struct codel codel;
};

struct fq_list {
	struct fq_flow *head;
	struct fq_flow **tail;
};

/**
 * struct queue - see above
 * @config: discipline
 * @rng: source of randomness
 * @fifo: packets, drop-tail and RED
 * @bytes: queued
 * @pkts: queued; with @config.limit_pkts and drop-tail, buffers
 * @dropped_last: the last packet was dropped, and those that join it will be
 * @average: RED: average of @bytes
 * @idle_since: RED: when the queue ran empty
 * @drop: called for each packet dropped, before it is freed
 * @flows: fq_codel: FQ_FLOWS of them
 */
struct queue {
	struct queue_config config;
	struct rng *rng;
	struct fifo fifo;
	u32 bytes;
	u32 pkts;
	bool dropped_last;
	double average;
	void (*drop)(struct queue *q, struct packet *p);
	struct fq_flow *flows;
	struct fq_list new_flows;
	struct fq_list old_flows;
};

void queue_init(struct queue *q, const struct queue_config *config, struct rng *rng,
		void (*drop)(struct queue *q, struct packet *p));
void queue_destroy(struct queue *q);

/*
 * Queue @p, which belongs to the queue from then on, or drop it or another one. Returns false if @p
 * was dropped, as a qdisc's NET_XMIT_DROP.
 */
bool queue_push(struct queue *q, u64 now, struct packet *p);

/* The next packet to send, NULL if there is none. */
struct packet *queue_pop(struct queue *q, u64 now);

#endif
