/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A packet in the network: its length, its ECN codepoint and its transport headers. Payload is a
 * length only, and no ICRC is computed.
 */
#ifndef SHARED_PACKET_H
#define SHARED_PACKET_H

#include <roce/wire.h>

#include "events.h"

/* Ethernet header, FCS, preamble and gap: what a packet takes of a line besides its IP packet. */
#define LINE_OVERHEAD 38u
#define IP_UDP_LEN    28u

#define TCP_SACKS     3

/* Half-open range of TCP segments. */
struct seg_range {
	u32 start;
	u32 end;
};

/**
 * struct tally - packets of one flow in one direction of the bottleneck
 * @in: packets that arrived at the lane
 * @out: packets that left it
 * @dropped: packets that its queue dropped
 * @lost: packets lost at random on the line behind it
 * @marked: packets whose ECN codepoint it set to CE
 * @bytes: bytes of @out, LINE_OVERHEAD included
 * @delay_sum: of the time that its packets spent in the queue, ns
 * @delay_max: longest of these times, ns
 */
struct tally {
	u64 in;
	u64 out;
	u64 dropped;
	u64 lost;
	u64 marked;
	u64 bytes;
	u64 delay_sum;
	u64 delay_max;
};

/* The RoCE part: @hdr holds BTH and extended headers, @len counts from the BTH to the ICRC. */
struct roce_bytes {
	u32 len;
	u8 hdr[ROCE_MAX_HDR];
};

/**
 * struct tcp_fields - the TCP part; sequence numbers count segments of one MSS
 * @seq: data: the segment
 * @ack: ACK: next segment expected
 * @sent_at: data: when it was sent; ACK: echo of that (RFC 7323)
 * @nsacks: valid entries of @sack, that of the latest segment first
 * @sack: ACK: ranges received beyond @ack
 * @ece: ACK: the receiver has seen CE (RFC 3168)
 * @cwr: data: the sender has reduced its window
 */
struct tcp_fields {
	u32 seq;
	u32 ack;
	u64 sent_at;
	u32 nsacks;
	struct seg_range sack[TCP_SACKS];
	bool ece;
	bool cwr;
};

struct packet;

/**
 * struct port - where packets arrive
 * @receive: takes a packet, which belongs to the port from then on
 */
struct port {
	void (*receive)(struct port *port, struct packet *p);
};

/**
 * struct packet - see above
 * @next: in a queue
 * @dst: where it goes
 * @tally: counters at the bottleneck, NULL if none
 * @arrival: used if it is delivered out of order
 * @stamp: when it entered the queue it is in; on a line, when it arrives
 * @flow: flow queue at an fq_codel
 * @bytes: length on the line, LINE_OVERHEAD included
 * @ect: may be marked
 * @ce: has been marked
 * @joins: on the sender's own interface, in one buffer with the packet before (GSO)
 */
struct packet {
	struct packet *next;
	struct port *dst;
	struct tally *tally;
	struct event arrival;
	u64 stamp;
	u32 flow;
	u32 bytes;
	bool ect;
	bool ce;
	bool joins;
	union {
		struct roce_bytes roce;
		struct tcp_fields tcp;
	};
};

/* First in, first out. */
struct fifo {
	struct packet *head;
	struct packet **tail;
};

static inline void fifo_init(struct fifo *f)
{
	f->head = NULL;
	f->tail = &f->head;
}

static inline void fifo_push(struct fifo *f, struct packet *p)
{
	p->next = NULL;
	*f->tail = p;
	f->tail = &p->next;
}

static inline struct packet *fifo_pop(struct fifo *f)
{
	struct packet *p = f->head;

	if (p) {
		f->head = p->next;
		if (!f->head)
			f->tail = &f->head;
	}
	return p;
}

/* Packets come from a pool that only grows. */
struct packet *packet_new(void);
void packet_free(struct packet *p);

/* Packets allocated and not freed. */
u64 packets_in_use(void);

#endif
