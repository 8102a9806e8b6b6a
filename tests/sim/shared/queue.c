// SPDX-License-Identifier: GPL-2.0
/*
 * fq_codel drops from the longest flow queue when it is full, serves flow queues by deficit round
 * robin, new ones first, and runs CoDel in each. Flow ids do not collide as hashes would.
 */
#include <math.h>
#include <stdlib.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "queue.h"

/* RED: weight of the present length in the average, as tc-red(8) suggests for such queues. */
#define RED_WEIGHT	(1.0 / 512)

/* Defaults of tc-fq_codel(8). */
#define CODEL_TARGET	(5 * MS)
#define CODEL_INTERVAL	(100 * MS)
#define FQ_QUANTUM	1514
#define FQ_LIMIT_PKTS	10240

static void list_init(struct fq_list *l)
{
	l->head = NULL;
	l->tail = &l->head;
}

static void list_push(struct fq_list *l, struct fq_flow *f)
{
	f->next = NULL;
	*l->tail = f;
	l->tail = &f->next;
}

static void list_pop(struct fq_list *l)
{
	l->head = l->head->next;
	if (!l->head)
		l->tail = &l->head;
}

void queue_init(struct queue *q, const struct queue_config *config, struct rng *rng,
		void (*drop)(struct queue *q, struct packet *p))
{
	u32 i;

	memset(q, 0, sizeof(*q));
	q->config = *config;
	q->rng = rng;
	q->drop = drop;
	fifo_init(&q->fifo);
	if (config->discipline != FQ_CODEL)
		return;
	if (!q->config.limit_pkts)
		q->config.limit_pkts = FQ_LIMIT_PKTS;
	q->flows = calloc(FQ_FLOWS, sizeof(*q->flows));
	if (!q->flows)
		abort();
	for (i = 0; i < FQ_FLOWS; i++)
		fifo_init(&q->flows[i].fifo);
	list_init(&q->new_flows);
	list_init(&q->old_flows);
}

static void drop(struct queue *q, struct packet *p)
{
	q->drop(q, p);
	packet_free(p);
}

static bool mark(struct packet *p)
{
	if (!p->ect)
		return false;
	if (!p->ce && p->tally)
		p->tally->marked++;
	p->ce = true;
	return true;
}

/* Whether RED signals congestion to the packet that arrives. */
static bool red_signals(struct queue *q)
{
	const struct queue_config *c = &q->config;
	double share;

	if (c->red_min == c->red_max)
		return q->bytes >= c->red_min;
	q->average += (q->bytes - q->average) * RED_WEIGHT;
	if (q->average < c->red_min)
		return false;
	if (q->average >= c->red_max)
		return true;
	share = (q->average - c->red_min) / (c->red_max - c->red_min);
	return rng_ppm(q->rng, share * c->red_percent * 10000);
}

static bool full(const struct queue *q, const struct packet *p)
{
	const struct queue_config *c = &q->config;

	if (c->limit_pkts)
		return p->joins ? q->dropped_last : q->pkts >= c->limit_pkts;
	return c->limit && q->bytes + p->bytes > c->limit;
}

/* What @p counts for in the number of packets. */
static u32 weight(const struct queue *q, const struct packet *p)
{
	return q->config.limit_pkts && p->joins ? 0 : 1;
}

static struct packet *fq_take(struct queue *q, struct fq_flow *f)
{
	struct packet *p = fifo_pop(&f->fifo);

	if (p) {
		f->bytes -= p->bytes;
		q->bytes -= p->bytes;
		q->pkts--;
	}
	return p;
}

static void fq_drop_from_longest(struct queue *q)
{
	struct fq_flow *longest = q->flows;
	u32 i;

	for (i = 1; i < FQ_FLOWS; i++)
		if (q->flows[i].bytes > longest->bytes)
			longest = &q->flows[i];
	drop(q, fq_take(q, longest));
}

static void fq_push(struct queue *q, struct packet *p)
{
	struct fq_flow *f = &q->flows[p->flow % FQ_FLOWS];
	const struct queue_config *c = &q->config;

	fifo_push(&f->fifo, p);
	f->bytes += p->bytes;
	q->bytes += p->bytes;
	q->pkts++;
	if (!f->listed) {
		f->listed = true;
		f->deficit = FQ_QUANTUM;
		list_push(&q->new_flows, f);
	}
	while (q->pkts > c->limit_pkts || (c->limit && q->bytes > c->limit))
		fq_drop_from_longest(q);
}

bool queue_push(struct queue *q, u64 now, struct packet *p)
{
	bool ok;

	p->stamp = now;
	if (q->config.discipline == FQ_CODEL) {
		fq_push(q, p);
		return true;
	}
	ok = !full(q, p);
	if (ok && q->config.discipline == RED && red_signals(q))
		ok = mark(p) || !q->config.red_drops;
	q->dropped_last = !ok;
	if (!ok) {
		drop(q, p);
		return false;
	}
	fifo_push(&q->fifo, p);
	q->bytes += p->bytes;
	q->pkts += weight(q, p);
	return true;
}

/* Whether the flow's delay has been above the target for an interval (RFC 8289, 5.5). */
static bool codel_ok_to_drop(struct fq_flow *f, u64 now, const struct packet *p)
{
	if (!p || now - p->stamp < CODEL_TARGET || f->bytes <= FQ_QUANTUM) {
		f->codel.first_above = 0;
		return false;
	}
	if (!f->codel.first_above) {
		f->codel.first_above = now + CODEL_INTERVAL;
		return false;
	}
	return now >= f->codel.first_above;
}

static u64 control_law(const struct codel *c, u64 from)
{
	return from + CODEL_INTERVAL / sqrt(c->count);
}

/* Begin to drop, at the rate at which it ended if that was not long ago. */
static void codel_start(struct codel *c, u64 now)
{
	u32 delta = c->count - c->lastcount;

	c->dropping = true;
	c->count = delta > 1 && now - c->drop_next < 16 * CODEL_INTERVAL ? delta : 1;
	c->lastcount = c->count;
	c->drop_next = control_law(c, now);
}

static struct packet *codel_pop(struct queue *q, struct fq_flow *f, u64 now)
{
	struct packet *p = fq_take(q, f);
	struct codel *c = &f->codel;
	bool ok = codel_ok_to_drop(f, now, p);

	if (c->dropping && !ok) {
		c->dropping = false;
	} else if (!c->dropping && ok) {
		if (!mark(p)) {
			drop(q, p);
			p = fq_take(q, f);
			codel_ok_to_drop(f, now, p);
		}
		codel_start(c, now);
	}
	while (c->dropping && now >= c->drop_next) {
		c->count++;
		c->drop_next = control_law(c, c->drop_next);
		if (mark(p))
			break;
		drop(q, p);
		p = fq_take(q, f);
		c->dropping = codel_ok_to_drop(f, now, p);
	}
	return p;
}

static struct packet *fq_pop(struct queue *q, u64 now)
{
	for (;;) {
		struct fq_list *list = q->new_flows.head ? &q->new_flows : &q->old_flows;
		struct fq_flow *f = list->head;
		struct packet *p;

		if (!f)
			return NULL;
		if (f->deficit <= 0) {
			f->deficit += FQ_QUANTUM;
			list_pop(list);
			list_push(&q->old_flows, f);
			continue;
		}
		p = codel_pop(q, f, now);
		if (p) {
			f->deficit -= p->bytes;
			return p;
		}
		list_pop(list);
		if (list == &q->new_flows && q->old_flows.head)
			list_push(&q->old_flows, f);
		else
			f->listed = false;
	}
}

struct packet *queue_pop(struct queue *q, u64 now)
{
	struct packet *p;

	if (q->config.discipline == FQ_CODEL)
		return fq_pop(q, now);
	p = fifo_pop(&q->fifo);
	if (p) {
		q->bytes -= p->bytes;
		q->pkts -= weight(q, p);
	}
	return p;
}

void queue_destroy(struct queue *q)
{
	struct packet *p;
	u32 i;

	while ((p = fifo_pop(&q->fifo)))
		packet_free(p);
	for (i = 0; q->flows && i < FQ_FLOWS; i++)
		while ((p = fifo_pop(&q->flows[i].fifo)))
			packet_free(p);
	free(q->flows);
}
