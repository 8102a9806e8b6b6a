/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An endpoint: one QP of the transport with its timer, its queue of received packets and its user.
 * There is no memory: payload is a length. A host: a processor and a link to the network, which its
 * endpoints share.
 */
#ifndef SHARED_ENDPOINT_H
#define SHARED_ENDPOINT_H

#include <roce/qp.h>

#include "net.h"

/* Packets handed to roce_rx() at once, and how long the first waits for others. */
#define RX_BATCH 32
#define RX_DELAY (2 * US)

/* An endpoint gives its link no more while it has this much to send: byte queue limits. */
#define TX_QUEUE (100 * US)

/**
 * struct host_config - a host's processor and link
 * @access: the link to the network; without a rate packets reach the bottleneck at once
 * @shaped: the link's queue drops packets (a shaper on the host's own interface), and endpoints do
 *	not look at it
 * @pkt_ns: processor time that a packet costs, either way
 * @run_ns: the processor is the host's for a random time up to this; 0: always
 * @pause_ns: and then other programs' for a random time up to this
 */
struct host_config {
	struct lane_config access;
	bool shaped;
	u64 pkt_ns;
	u64 run_ns;
	u64 pause_ns;
};

/**
 * struct host - see above
 * @access: its way into the network
 * @busy_until: when its processor is free again
 * @run_until: when it next loses its processor
 */
struct host {
	struct net *net;
	struct host_config config;
	struct lane access;
	u64 busy_until;
	u64 run_until;
};

void host_init(struct host *h, struct net *net, const struct host_config *config,
	       struct lane *lane);
void host_destroy(struct host *h);

/**
 * struct stream_config - what an endpoint's user posts
 * @op: ROCE_WR_WRITE, ROCE_WR_SEND or ROCE_WR_READ
 * @size: bytes of a message
 * @depth: messages posted at a time; 0: it posts nothing
 * @messages: how many in all; 0: without end
 * @last_send: behind the last message a SEND of so many bytes is posted; 0: none
 * @start: when it begins, ns
 */
struct stream_config {
	u8 op;
	u32 size;
	u32 depth;
	u32 messages;
	u32 last_send;
	u64 start;
};

/**
 * struct qp_config - attributes of both QPs of a connection
 * @mtu: path MTU
 * @rd_atomic: initiator depth and responder resources
 * @rnr_timer: code of IBTA table 45
 * @recv_ns: RECVs are posted by a program that sleeps so long after each; 0: there is always one
 * @no_recv: no RECV is ever posted
 * @no_reorder: responders keep no request that arrives out of order, as those of many adapters and
 *	of the in-tree driver
 * @timer_only: standard READ requesters notice losses by their timer alone
 * @ect: packets are sent as ECT
 */
struct qp_config {
	u32 mtu;
	u8 rd_atomic;
	u8 rnr_timer;
	u64 recv_ns;
	bool no_recv;
	bool no_reorder;
	bool timer_only;
	bool ect;
};

/**
 * struct endpoint - see above; times in ns
 * @lane: the way out: the host's link
 * @port: packets arrive here
 * @dst: the peer's port
 * @data: counters of its packets at the bottleneck
 * @run: it has something to do
 * @rx: packets that have arrived, @rx_count of them
 * @rx_at: when they are handed to the transport
 * @tx_at: when the link takes more
 * @start_at: when its user begins
 * @max_psn: one past the last PSN requested
 * @max_resp_psn: one past the last PSN of a READ response sent
 * @bytes: payload received in order, or stored at once if it is a READ's
 * @recvs: receive WQEs consumed
 * @recvs_posted: and posted, if the program sleeps in between
 * @recv_at: when it wakes up
 * @posted: messages
 * @completed: messages
 * @done_at: when the last was
 * @sent: packets
 * @own_drops: packets that the host's own interface dropped
 * @resent: packets retransmitted, requests and READ responses
 * @resent_run: most packets retransmitted in one call of roce_tx()
 * @dead: a message has failed
 * @got_send_at: when the first SEND arrived
 * @send_left_at: when the first SEND left, and how much had been received by then
 * @counts: of the transport
 */
struct endpoint {
	struct net *net;
	struct host *host;
	struct port port;
	struct port *dst;
	struct tally data;
	struct qp_config config;
	struct stream_config stream;
	u32 flow;
	struct roce_qp qp;
	struct event run;
	struct fifo rx;
	u32 rx_count;
	u64 rx_at;
	u64 tx_at;
	u64 start_at;
	u32 max_psn;
	u32 max_resp_psn;
	u64 bytes;
	u64 recvs;
	u64 recvs_posted;
	u64 recv_at;
	u32 posted;
	u32 completed;
	u64 done_at;
	u64 sent;
	u64 own_drops;
	u64 resent;
	u32 resent_run;
	bool dead;
	u64 got_send_at;
	u64 send_left_at;
	u64 send_left_bytes;
	u64 counts[ROCE_COUNTS];
	struct roce_tx_batch batch;
};

/* A QP in state RTS, whose packets go to @dst. The caller sets ep->start_at and runs it. */
void endpoint_init(struct endpoint *ep, struct host *host, const struct qp_config *config,
		   const struct stream_config *stream, struct port *dst);
void endpoint_destroy(struct endpoint *ep);

/* All messages have completed, or it is dead. */
bool endpoint_done(const struct endpoint *ep);

/* A packet without payload bytes. @len: from the BTH to the ICRC, payload included. */
struct packet *roce_packet(u32 flow, struct port *dst, u32 len);

/* Parse the header of a packet; false if it is malformed. */
bool roce_packet_parse(struct packet *p, struct roce_pkt *pkt);

#endif
