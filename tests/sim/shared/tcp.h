/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A TCP connection that sends without end: CUBIC (RFC 9438), HyStart as Linux has it, SACK, loss
 * detection by RACK (RFC 8985), proportional rate reduction (RFC 6937), RTO (RFC 6298), delayed
 * ACKs, and ECN (RFC 3168) and pacing if asked for. Sequence numbers count segments.
 */
#ifndef SHARED_TCP_H
#define SHARED_TCP_H

#include "net.h"

#define TCP_MSS	 1448u
#define TCP_RING 65536u /* segments that may be in flight, twice; a power of two */

/* A bit for each segment, by its number modulo TCP_RING. */
struct seg_bits {
	u64 word[TCP_RING / 64];
};

/**
 * struct cubic - congestion control; windows in segments, times in ns
 * @cwnd: congestion window
 * @ssthresh: slow-start threshold
 * @wmax: window before the last reduction
 * @origin: window at the plateau
 * @k: time from the start of the epoch to the plateau, seconds
 * @west: window that Reno would have
 * @epoch: start of the current growth; 0: none
 * @round_start: HyStart: when this round began
 * @round_end: HyStart: its last segment
 * @last_ack: HyStart: the last ACK of its train
 * @round_rtt: HyStart: minimum of the first samples of this round
 * @samples: HyStart: samples so far
 */
struct cubic {
	double cwnd;
	double ssthresh;
	double wmax;
	double origin;
	double k;
	double west;
	u64 epoch;
	u64 round_start;
	u32 round_end;
	u64 last_ack;
	u64 round_rtt;
	u32 samples;
};

enum tcp_state {
	TCP_OPEN,
	TCP_RECOVERY,
	TCP_LOSS,
};

/* A transmission: segment, time and number. */
struct tcp_xmit {
	u32 seq;
	u64 at;
	u64 no;
};

/**
 * struct tcp - see above
 * @access: the sender's own link; its packets enter the network there
 * @sender: ACKs arrive here
 * @receiver: data arrives here
 * @ecn: data is sent as ECT
 * @paced: data is paced as Linux does it under fq
 * @una: oldest unacknowledged segment
 * @nxt: next new segment
 * @recovery_point: @nxt when the last loss was detected or ECE was seen
 * @high_sacked: one past the last segment known to have arrived
 * @rexmit_hint: no segment before needs to be retransmitted
 * @sacked: segments that have arrived out of order
 * @lost: segments taken for lost
 * @rexmitted: of @lost, those that are on their way again
 * @nsacked: bits set in @sacked
 * @nlost: bits set in @lost
 * @nrexmitted: bits set in @rexmitted
 * @last: each segment's last transmission, by segment modulo TCP_RING
 * @xmits: transmissions in order, a ring of TCP_RING from @xmit_head to @xmit_tail
 * @nxmits: transmissions in all
 * @rack_no: last transmission that has arrived
 * @rack_at: when that was sent
 * @reordering: a segment that was not lost has arrived late
 * @prr_delivered: segments delivered since recovery began
 * @prr_out: segments sent since
 * @prior_cwnd: window before
 * @reduced_until: ECN: no further reduction before this segment is acknowledged
 * @send_cwr: ECN: the next segment carries CWR
 * @srtt, @rttvar, @min_rtt, @rto: round-trip time estimation (RFC 6298)
 * @tlp_sent: the tail has been probed
 * @timer: TLP or RTO
 * @pace: the next segment may leave
 * @pace_at: when
 * @rcv_nxt: receiver: next segment expected
 * @rcv_have: receiver: segments received
 * @rcv_recent: receiver: segments of the latest blocks
 * @rcv_unacked: receiver: segments that an ACK is owed for
 * @rcv_total: receiver: segments received in all, without duplicates
 * @rcv_echo: receiver: timestamp to be echoed
 * @rcv_ece: receiver: CE was seen, and no CWR since
 * @delack: receiver: the delayed ACK is due
 */
struct tcp {
	struct net *net;
	struct lane access;
	struct port sender;
	struct port receiver;
	struct tally tally;
	u32 id;
	bool ecn;
	bool paced;
	enum tcp_state state;
	struct cubic cubic;
	u32 una;
	u32 nxt;
	u32 recovery_point;
	u32 high_sacked;
	u32 rexmit_hint;
	struct seg_bits sacked;
	struct seg_bits lost;
	struct seg_bits rexmitted;
	u32 nsacked;
	u32 nlost;
	u32 nrexmitted;
	struct tcp_xmit *last;
	struct tcp_xmit *xmits;
	u32 xmit_head;
	u32 xmit_tail;
	u64 nxmits;
	u64 rack_no;
	u64 rack_at;
	bool reordering;
	u32 prr_delivered;
	u32 prr_out;
	double prior_cwnd;
	u32 reduced_until;
	bool send_cwr;
	u64 srtt;
	u64 rttvar;
	u64 min_rtt;
	u64 rto;
	bool tlp_sent;
	struct event timer;
	struct event pace;
	u64 pace_at;
	u32 rcv_nxt;
	struct seg_bits rcv_have;
	u32 rcv_recent[TCP_SACKS];
	u32 rcv_unacked;
	u64 rcv_total;
	u64 rcv_echo;
	bool rcv_ece;
	struct event delack;
};

/* A connection that begins to send at @start. */
void tcp_init(struct tcp *tcp, struct net *net, const struct lane_config *access, u64 start,
	      bool ecn, bool paced);
void tcp_destroy(struct tcp *tcp);

/* Congestion control, in a file of its own. */
void cubic_init(struct cubic *c);
void cubic_on_loss(struct cubic *c);
void cubic_on_ack(struct cubic *c, const struct tcp *tcp, u64 now, u32 acked, u64 rtt);

#endif
