// SPDX-License-Identifier: GPL-2.0
/* One direction of a link: queue disciplines, rate, delay, random loss. */
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "lane.h"

static u64 line_ns(const struct lane *lane, u64 bytes)
{
	return bytes * 8 * SEC / lane->config.rate;
}

/* Counters that the packet has to be counted in, besides the lane's. */
static struct tally *tally_of(const struct lane *lane, const struct packet *p)
{
	return lane->counts ? p->tally : NULL;
}

static void on_drop(struct queue *q, struct packet *p)
{
	struct lane *lane = container_of(q, struct lane, queue);
	struct tally *t = tally_of(lane, p);

	lane->total.dropped++;
	if (t)
		t->dropped++;
}

static void pass_on(struct lane *lane, struct packet *p)
{
	p->joins = false;
	if (lane->next)
		lane_send(lane->next, p);
	else
		p->dst->receive(p->dst, p);
}

static void on_arrive(struct event *ev)
{
	struct lane *lane = container_of(ev, struct lane, arrive_event);
	u64 now = lane->evs->now;

	while (lane->flying.head && lane->flying.head->stamp <= now)
		pass_on(lane, fifo_pop(&lane->flying));
	if (lane->flying.head)
		event_set(lane->evs, ev, lane->flying.head->stamp);
}

/* A packet that is delivered out of order finds its lane by its destination. */
static void on_late_arrival(struct event *ev)
{
	struct packet *p = container_of(ev, struct packet, arrival);

	p->dst->receive(p->dst, p);
}

static u64 propagation(const struct lane *lane, u64 at)
{
	const struct lane_config *c = &lane->config;

	return c->step_at && at >= c->step_at ? c->step_delay : c->delay;
}

/* The line has sent @p by time @at. */
static void propagate(struct lane *lane, struct packet *p, u64 at)
{
	const struct lane_config *c = &lane->config;
	struct tally *t = tally_of(lane, p);

	if (rng_ppm(lane->rng, c->loss)) {
		lane->total.lost++;
		if (t)
			t->lost++;
		packet_free(p);
		return;
	}
	at += propagation(lane, at);
	if (!lane->next && rng_ppm(lane->rng, c->reorder)) {
		p->arrival.fire = on_late_arrival;
		event_set(lane->evs, &p->arrival, at + c->late);
		return;
	}
	lane->last_arrival = max(lane->last_arrival, at);
	p->stamp = lane->last_arrival;
	if (!lane->flying.head)
		event_set(lane->evs, &lane->arrive_event, p->stamp);
	fifo_push(&lane->flying, p);
}

static void count_out(struct lane *lane, const struct packet *p, u64 delay)
{
	struct tally *t = tally_of(lane, p);

	lane->total.out++;
	lane->total.bytes += p->bytes;
	if (lane->counts)
		delay_add(&lane->delay, lane->evs->now, delay);
	if (t) {
		t->out++;
		t->bytes += p->bytes;
		t->delay_sum += delay;
		t->delay_max = max(t->delay_max, delay);
	}
}

static void send_next(struct lane *lane)
{
	u64 now = lane->evs->now;
	struct packet *p = queue_pop(&lane->queue, now);

	lane->sending = p;
	if (!p)
		return;
	lane->sent_at = now + line_ns(lane, p->bytes);
	event_set(lane->evs, &lane->idle_event, lane->sent_at);
	count_out(lane, p, now - p->stamp);
	propagate(lane, p, lane->sent_at);
}

static void on_idle(struct event *ev)
{
	send_next(container_of(ev, struct lane, idle_event));
}

bool lane_send(struct lane *lane, struct packet *p)
{
	struct tally *t = tally_of(lane, p);
	bool queued;

	lane->total.in++;
	if (t)
		t->in++;
	if (!lane->config.rate) {
		count_out(lane, p, 0);
		if (lane->config.delay || lane->config.loss)
			propagate(lane, p, lane->evs->now);
		else
			pass_on(lane, p);
		return true;
	}
	queued = queue_push(&lane->queue, lane->evs->now, p);
	if (!lane->sending)
		send_next(lane);
	return queued;
}

u64 lane_backlog_ns(const struct lane *lane)
{
	u64 now = lane->evs->now, left;

	if (!lane->config.rate)
		return 0;
	left = lane->sending && lane->sent_at > now ? lane->sent_at - now : 0;
	return left + line_ns(lane, lane->queue.bytes);
}

void lane_init(struct lane *lane, struct events *evs, struct rng *rng,
	       const struct lane_config *config, struct lane *next)
{
	memset(lane, 0, sizeof(*lane));
	lane->evs = evs;
	lane->rng = rng;
	lane->config = *config;
	lane->next = next;
	lane->idle_event.fire = on_idle;
	lane->arrive_event.fire = on_arrive;
	fifo_init(&lane->flying);
	queue_init(&lane->queue, &config->queue, rng, on_drop);
}

/* Free the packets that propagate out of order; only their events know them. */
static void free_late_packets(struct events *evs)
{
	u32 i = 0;

	while (i < evs->n) {
		struct event *ev = evs->heap[i].ev;

		if (ev->fire == on_late_arrival) {
			event_set(evs, ev, EVENT_NEVER);
			packet_free(container_of(ev, struct packet, arrival));
			i = 0;
		} else {
			i++;
		}
	}
}

void lane_destroy(struct lane *lane)
{
	struct packet *p;

	free_late_packets(lane->evs);

	while ((p = fifo_pop(&lane->flying)))
		packet_free(p);
	queue_destroy(&lane->queue);
}
