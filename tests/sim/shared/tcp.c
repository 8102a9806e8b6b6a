// SPDX-License-Identifier: GPL-2.0
/*
 * Timers: RTO, armed while segments are in flight, expires after tcp.rto and retransmits everything
 * not SACKed; TLP, instead of the RTO while no loss is known, expires after two RTTs and sends one
 * segment; delayed ACK, 40 ms after a segment that was not acknowledged at once.
 */
#include <math.h>
#include <stdlib.h>
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "tcp.h"

#define TCP_BYTES     (LINE_OVERHEAD + 20 + 32 + TCP_MSS)
#define ACK_BYTES     (LINE_OVERHEAD + 20 + 32)
#define SACK_BYTES    (4 + 8 * TCP_SACKS)

#define RTO_MIN	      (200 * MS)
#define RTO_MAX	      (120 * SEC)
#define RTO_INITIAL   (1 * SEC)
#define TLP_MIN	      (2 * MS)
#define DELACK	      (40 * MS)

/* An ACK for each segment at first, so as not to slow slow start down (Linux: quick ACKs). */
#define QUICK_ACKS    16

/* SACKed segments that show a loss if no reordering has been seen (RFC 8985, 6.2). */
#define DUPTHRESH     3

/* Linux: tcp_pacing_ss_ratio, tcp_pacing_ca_ratio. */
#define PACE_SS	      2.0
#define PACE_CA	      1.2

static bool bit(const struct seg_bits *b, u32 i)
{
	i %= TCP_RING;
	return b->word[i / 64] >> (i % 64) & 1;
}

static void set_bit(struct seg_bits *b, u32 i)
{
	i %= TCP_RING;
	b->word[i / 64] |= 1ull << (i % 64);
}

/* Clear a bit and return whether it was set. */
static bool clear_bit(struct seg_bits *b, u32 i)
{
	bool was = bit(b, i);

	i %= TCP_RING;
	b->word[i / 64] &= ~(1ull << (i % 64));
	return was;
}

/* Whether @i begins a word all of whose bits are set. */
static bool full_word(const struct seg_bits *b, u32 i)
{
	return i % 64 == 0 && b->word[i % TCP_RING / 64] == ~0ull;
}

/*
 * Receiver
 */

/* The block of received segments around @seq. */
static struct seg_range block_around(const struct tcp *tcp, u32 seq)
{
	const struct seg_bits *have = &tcp->rcv_have;
	struct seg_range r = { seq, seq + 1 };

	while (r.start > tcp->rcv_nxt && bit(have, r.start - 1))
		r.start -= r.start - 64 > tcp->rcv_nxt && full_word(have, r.start - 64) ? 64 : 1;
	while (bit(have, r.end))
		r.end += full_word(have, r.end) ? 64 : 1;
	return r;
}

static void add_sacks(struct tcp *tcp, struct tcp_fields *f)
{
	u32 i, j;

	for (i = 0; i < TCP_SACKS; i++) {
		struct seg_range r;

		if (tcp->rcv_recent[i] <= tcp->rcv_nxt)
			continue;
		r = block_around(tcp, tcp->rcv_recent[i]);
		for (j = 0; j < f->nsacks && f->sack[j].start != r.start; j++)
			;
		if (j == f->nsacks)
			f->sack[f->nsacks++] = r;
	}
}

static void send_ack(struct tcp *tcp)
{
	struct packet *p = packet_new();

	p->dst = &tcp->sender;
	p->flow = tcp->id;
	p->tcp.ack = tcp->rcv_nxt;
	p->tcp.sent_at = tcp->rcv_echo;
	p->tcp.ece = tcp->rcv_ece;
	add_sacks(tcp, &p->tcp);
	p->bytes = ACK_BYTES + (p->tcp.nsacks ? SACK_BYTES : 0);
	tcp->rcv_unacked = 0;
	event_set(&tcp->net->evs, &tcp->delack, EVENT_NEVER);
	lane_send(&tcp->net->back, p);
}

static void on_delack(struct event *ev)
{
	send_ack(container_of(ev, struct tcp, delack));
}

/* A segment beyond a hole becomes part of the first SACK block. */
static void note_recent(struct tcp *tcp, u32 seq)
{
	struct seg_range r = block_around(tcp, seq);
	u32 i, last = TCP_SACKS - 1;

	for (i = 0; i < last; i++)
		if (tcp->rcv_recent[i] >= r.start && tcp->rcv_recent[i] < r.end)
			break;
	memmove(&tcp->rcv_recent[1], &tcp->rcv_recent[0], i * sizeof(tcp->rcv_recent[0]));
	tcp->rcv_recent[0] = seq;
}

/* Store a segment; true if the ACK must not wait. */
static bool store(struct tcp *tcp, u32 seq)
{
	bool hole = seq != tcp->rcv_nxt;

	if (seq < tcp->rcv_nxt || bit(&tcp->rcv_have, seq))
		return true;
	tcp->rcv_total++;
	set_bit(&tcp->rcv_have, seq);
	if (hole) {
		note_recent(tcp, seq);
		return true;
	}
	while (clear_bit(&tcp->rcv_have, tcp->rcv_nxt))
		tcp->rcv_nxt++;
	return tcp->rcv_nxt != seq + 1 || tcp->rcv_total < QUICK_ACKS;
}

static void on_data(struct port *port, struct packet *p)
{
	struct tcp *tcp = container_of(port, struct tcp, receiver);
	bool now = p->ce;

	if (p->tcp.cwr)
		tcp->rcv_ece = false;
	if (p->ce)
		tcp->rcv_ece = true;
	if (!tcp->rcv_unacked++)
		tcp->rcv_echo = p->tcp.sent_at;
	now |= store(tcp, p->tcp.seq);
	packet_free(p);
	if (now || tcp->rcv_unacked >= 2)
		send_ack(tcp);
	else
		event_set(&tcp->net->evs, &tcp->delack, tcp->net->evs.now + DELACK);
}

/*
 * Sender
 */

/* Segments that are on their way (RFC 6675). */
static u32 pipe(const struct tcp *tcp)
{
	return tcp->nxt - tcp->una - tcp->nsacked - tcp->nlost + tcp->nrexmitted;
}

static void arm(struct tcp *tcp)
{
	u64 now = tcp->net->evs.now, tlp = 2 * tcp->srtt + TLP_MIN;
	bool probe = tcp->state == TCP_OPEN && !tcp->nsacked && !tcp->tlp_sent && tcp->srtt;

	if (tcp->una == tcp->nxt)
		event_set(&tcp->net->evs, &tcp->timer, EVENT_NEVER);
	else
		event_set(&tcp->net->evs, &tcp->timer,
			  now + (probe ? min(tlp, tcp->rto) : tcp->rto));
}

static void transmit(struct tcp *tcp, u32 seq)
{
	u64 now = tcp->net->evs.now;
	struct packet *p = packet_new();

	p->dst = &tcp->receiver;
	p->flow = tcp->id;
	p->tally = &tcp->tally;
	p->bytes = TCP_BYTES;
	p->ect = tcp->ecn;
	p->tcp.seq = seq;
	p->tcp.sent_at = now;
	p->tcp.cwr = tcp->send_cwr;
	tcp->send_cwr = false;
	tcp->last[seq % TCP_RING] =
		(struct tcp_xmit){ .seq = seq, .at = now, .no = ++tcp->nxmits };
	tcp->xmits[tcp->xmit_tail++ % TCP_RING] = tcp->last[seq % TCP_RING];
	tcp->prr_out++;
	lane_send(&tcp->access, p);
}

/* The next segment to be retransmitted; false if there is none. */
static bool next_lost(struct tcp *tcp, u32 *seq)
{
	if (tcp->nlost == tcp->nrexmitted)
		return false;
	for (*seq = max(tcp->rexmit_hint, tcp->una); *seq != tcp->nxt; ++*seq)
		if (bit(&tcp->lost, *seq) && !bit(&tcp->rexmitted, *seq))
			break;
	tcp->rexmit_hint = *seq;
	return *seq != tcp->nxt;
}

/* Whether pacing lets a segment leave now; if not, it sees to it that the sender tries again. */
static bool pace_ok(struct tcp *tcp)
{
	const struct cubic *c = &tcp->cubic;
	u64 now = tcp->net->evs.now;
	double gain = c->cwnd < c->ssthresh / 2 ? PACE_SS : PACE_CA;

	if (!tcp->paced || !tcp->srtt)
		return true;
	if (now < tcp->pace_at) {
		event_set(&tcp->net->evs, &tcp->pace, tcp->pace_at);
		return false;
	}
	tcp->pace_at = now + tcp->srtt / (gain * c->cwnd);
	return true;
}

static void send_allowed(struct tcp *tcp)
{
	bool idle = tcp->una == tcp->nxt;
	u32 seq;

	while (pipe(tcp) + 1 <= tcp->cubic.cwnd && pace_ok(tcp)) {
		if (next_lost(tcp, &seq)) {
			set_bit(&tcp->rexmitted, seq);
			tcp->nrexmitted++;
		} else if (tcp->nxt - tcp->una < TCP_RING / 2 - 1 &&
			   tcp->xmit_tail - tcp->xmit_head < TCP_RING - 1) {
			seq = tcp->nxt++;
		} else {
			break;
		}
		transmit(tcp, seq);
	}
	if (idle)
		arm(tcp);
}

static void on_pace(struct event *ev)
{
	send_allowed(container_of(ev, struct tcp, pace));
}

static void update_rtt(struct tcp *tcp, u64 rtt)
{
	u64 err = rtt > tcp->srtt ? rtt - tcp->srtt : tcp->srtt - rtt;

	tcp->min_rtt = min(tcp->min_rtt, rtt);
	if (!tcp->srtt) {
		tcp->srtt = rtt;
		tcp->rttvar = rtt / 2;
	} else {
		tcp->rttvar += err / 4 - tcp->rttvar / 4;
		tcp->srtt += rtt / 8 - tcp->srtt / 8;
	}
	tcp->rto = tcp->srtt + max(4 * tcp->rttvar, RTO_MIN);
}

/* The segment has arrived: cumulatively acknowledged, or SACKed. */
static void delivered(struct tcp *tcp, u32 seq)
{
	bool rexmitted = clear_bit(&tcp->rexmitted, seq);
	const struct tcp_xmit *x = &tcp->last[seq % TCP_RING];

	if (clear_bit(&tcp->lost, seq))
		tcp->nlost--;
	else if (seq < tcp->high_sacked)
		tcp->reordering = true;
	tcp->nrexmitted -= rexmitted;
	tcp->prr_delivered++;
	if (x->no > tcp->rack_no) {
		tcp->rack_no = x->no;
		tcp->rack_at = x->at;
	}
}

static u32 take_ack(struct tcp *tcp, const struct tcp_fields *f)
{
	u32 n = 0;

	for (; tcp->una < f->ack; tcp->una++) {
		if (clear_bit(&tcp->sacked, tcp->una)) {
			tcp->nsacked--;
			continue;
		}
		delivered(tcp, tcp->una);
		n++;
	}
	tcp->high_sacked = max(tcp->high_sacked, tcp->una);
	return n;
}

static u32 take_sack(struct tcp *tcp, struct seg_range r)
{
	u32 i = max(r.start, tcp->una), n = 0;

	while (i < r.end) {
		if (i + 64 <= r.end && full_word(&tcp->sacked, i)) {
			i += 64;
			continue;
		}
		if (!bit(&tcp->sacked, i)) {
			set_bit(&tcp->sacked, i);
			tcp->nsacked++;
			delivered(tcp, i);
			n++;
		}
		i++;
	}
	tcp->high_sacked = max(tcp->high_sacked, r.end);
	return n;
}

/* A later transmission has arrived before @x: its segment is lost, unless @x is stale. */
static void judge(struct tcp *tcp, const struct tcp_xmit *x)
{
	if (x->seq < tcp->una || tcp->last[x->seq % TCP_RING].no != x->no ||
	    bit(&tcp->sacked, x->seq))
		return;
	if (!bit(&tcp->lost, x->seq)) {
		set_bit(&tcp->lost, x->seq);
		tcp->nlost++;
	} else if (clear_bit(&tcp->rexmitted, x->seq)) {
		tcp->nrexmitted--;
	}
	tcp->rexmit_hint = min(tcp->rexmit_hint, x->seq);
}

/* Loss detection by time of transmission (RFC 8985). */
static void detect_losses(struct tcp *tcp)
{
	u64 reo_wnd = tcp->reordering ? tcp->min_rtt / 4 : 0;

	while (tcp->xmit_head != tcp->xmit_tail) {
		const struct tcp_xmit *x = &tcp->xmits[tcp->xmit_head % TCP_RING];
		bool stale = x->seq < tcp->una || bit(&tcp->sacked, x->seq) ||
			     tcp->last[x->seq % TCP_RING].no != x->no;

		if (!stale && (x->no >= tcp->rack_no || x->at + reo_wnd > tcp->rack_at))
			break;
		if (!stale && tcp->state == TCP_OPEN && tcp->nsacked < DUPTHRESH)
			break;
		judge(tcp, x);
		tcp->xmit_head++;
	}
}

static void enter_recovery(struct tcp *tcp)
{
	tcp->prior_cwnd = tcp->cubic.cwnd;
	cubic_on_loss(&tcp->cubic);
	tcp->state = TCP_RECOVERY;
	tcp->recovery_point = tcp->nxt;
	tcp->reduced_until = tcp->nxt;
	tcp->send_cwr = tcp->ecn;
	tcp->prr_delivered = 0;
	tcp->prr_out = 0;
}

/* Proportional rate reduction, and slow start up to ssthresh below it (RFC 6937). */
static void prr(struct tcp *tcp, u32 n, bool advanced)
{
	double ssthresh = tcp->cubic.ssthresh;
	double in = pipe(tcp), out = tcp->prr_out, del = tcp->prr_delivered, send;

	if (in > ssthresh)
		send = ceil(del * ssthresh / tcp->prior_cwnd) - out;
	else
		send = fmin(ssthresh - in, fmax(del - out, n) + advanced);
	tcp->cubic.cwnd = in + fmax(send, tcp->prr_out ? 0 : 1);
}

/* CE has been seen by the receiver: one reduction for each window (RFC 3168). */
static void on_ece(struct tcp *tcp)
{
	if (tcp->una < tcp->reduced_until || tcp->state != TCP_OPEN)
		return;
	cubic_on_loss(&tcp->cubic);
	tcp->cubic.cwnd = tcp->cubic.ssthresh;
	tcp->reduced_until = tcp->nxt;
	tcp->send_cwr = true;
}

static void on_ack(struct port *port, struct packet *p)
{
	struct tcp *tcp = container_of(port, struct tcp, sender);
	const struct tcp_fields *f = &p->tcp;
	u64 now = tcp->net->evs.now, rtt = now - f->sent_at;
	bool advanced = f->ack > tcp->una;
	u32 i, n = take_ack(tcp, f);

	for (i = 0; i < f->nsacks; i++)
		n += take_sack(tcp, f->sack[i]);
	if (n)
		update_rtt(tcp, rtt);
	detect_losses(tcp);
	if (tcp->state != TCP_OPEN && tcp->una >= tcp->recovery_point) {
		if (tcp->state == TCP_RECOVERY)
			tcp->cubic.cwnd = tcp->cubic.ssthresh;
		tcp->state = TCP_OPEN;
	}
	if (f->ece)
		on_ece(tcp);
	if (tcp->state == TCP_OPEN && tcp->nlost)
		enter_recovery(tcp);
	if (tcp->state == TCP_RECOVERY)
		prr(tcp, n, advanced);
	else if (n && !(f->ece && tcp->una < tcp->reduced_until))
		cubic_on_ack(&tcp->cubic, tcp, now, n, rtt);
	if (n)
		tcp->tlp_sent = false;
	packet_free(p);
	if (n || advanced)
		arm(tcp);
	send_allowed(tcp);
}

/* All segments that have not been SACKed count as lost; slow start retransmits them. */
static void on_rto(struct tcp *tcp)
{
	u32 i;

	if (tcp->state != TCP_LOSS)
		cubic_on_loss(&tcp->cubic);
	tcp->state = TCP_LOSS;
	tcp->recovery_point = tcp->nxt;
	tcp->reduced_until = tcp->nxt;
	tcp->cubic.cwnd = 1;
	for (i = tcp->una; i != tcp->nxt; i++) {
		if (bit(&tcp->sacked, i))
			continue;
		tcp->nrexmitted -= clear_bit(&tcp->rexmitted, i);
		tcp->nlost += !bit(&tcp->lost, i);
		set_bit(&tcp->lost, i);
	}
	tcp->xmit_head = tcp->xmit_tail;
	tcp->rexmit_hint = tcp->una;
	tcp->rto = min(2 * tcp->rto, RTO_MAX);
}

static void on_timer(struct event *ev)
{
	struct tcp *tcp = container_of(ev, struct tcp, timer);

	if (tcp->state == TCP_OPEN && !tcp->nsacked && !tcp->tlp_sent && tcp->srtt) {
		tcp->tlp_sent = true;
		transmit(tcp, tcp->nxt - 1);
	} else {
		on_rto(tcp);
		send_allowed(tcp);
	}
	arm(tcp);
}

static void on_start(struct event *ev)
{
	struct tcp *tcp = container_of(ev, struct tcp, pace);

	tcp->pace.fire = on_pace;
	send_allowed(tcp);
}

void tcp_init(struct tcp *tcp, struct net *net, const struct lane_config *access, u64 start,
	      bool ecn, bool paced)
{
	memset(tcp, 0, sizeof(*tcp));
	tcp->net = net;
	tcp->id = net->flows++;
	tcp->ecn = ecn;
	tcp->paced = paced;
	tcp->sender.receive = on_ack;
	tcp->receiver.receive = on_data;
	tcp->timer.fire = on_timer;
	tcp->pace.fire = on_start;
	tcp->delack.fire = on_delack;
	tcp->min_rtt = EVENT_NEVER;
	tcp->rto = RTO_INITIAL;
	tcp->last = calloc(TCP_RING, sizeof(*tcp->last));
	tcp->xmits = calloc(TCP_RING, sizeof(*tcp->xmits));
	if (!tcp->last || !tcp->xmits)
		abort();
	cubic_init(&tcp->cubic);
	lane_init(&tcp->access, &net->evs, &net->rng, access, &net->forward);
	event_set(&net->evs, &tcp->pace, start);
}

void tcp_destroy(struct tcp *tcp)
{
	lane_destroy(&tcp->access);
	free(tcp->last);
	free(tcp->xmits);
}
