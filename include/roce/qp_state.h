/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of a queue pair: attributes, send queue, requester and responder. Private to the transport;
 * the header is public because the caller embeds struct roce_qp by value. Callers use the functions
 * of <roce/qp.h>, and set only the fields that roce_qp_init() names.
 *
 * Each sub-struct of struct roce_req is written by the files of transport/requester that have its
 * name, and by these:
 *
 *	snd	rewind.[ch]; see struct roce_snd
 *	cc	cc_aimd.c, cc_delay.c; pacing.h: next_tx, paced
 *	ackreq	send_queue.c: wanted
 *	rtt	cc_delay.c: min, min_expired, when the path has been drained
 *	loss	recovery.c, rewind.c; cc.c: window
 *	hole	ooo_read.c: ooo_bitmap, ooo_count, ooo_wqe_hint
 *
 * transport.c initialises all of them.
 */
#ifndef ROCE_QP_STATE_H
#define ROCE_QP_STATE_H

#include <linux/types.h>
#include <roce/ops.h>

/* Expiry of a timer that is not running, ns. */
#define ROCE_NEVER	(~0ull)

/* QP states (IBTA 10.3.1), in the order of the verbs API. */
enum roce_state {
	ROCE_RESET,
	ROCE_INIT,
	ROCE_RTR,
	ROCE_RTS,
	ROCE_SQD,
	ROCE_SQE,
	ROCE_ERR,
};

/**
 * struct roce_attr - QP attributes, set by roce_modify()
 * @state: enum roce_state
 * @access: ROCE_ACCESS_REMOTE_* and ROCE_ACCESS_FLUSH_* that the QP grants to its peer
 * @pkey: P_Key, host byte order
 * @dest_qpn: QPN of the peer, 24 bits
 * @rq_psn: first PSN expected, 24 bits
 * @sq_psn: first PSN sent, 24 bits
 * @mtu: path MTU, bytes: 256, 512, 1024, 2048 or 4096. UD: MTU of the port, the maximum message
 *	size.
 * @timeout: local ACK timeout, 0..31: 4.096 us << @timeout; 0 is infinite
 * @retry_cnt: transport retries, 0..7
 * @rnr_retry: RNR retries, 0..7; 7 is infinite
 * @min_rnr_timer: timer code of RNR NAKs sent, 0..31 (IBTA table 45)
 * @max_rd_atomic: initiator depth: READs and atomics in flight, 0..255; 0 forbids them
 * @qkey: UD: Q_Key that received packets must carry
 */
struct roce_attr {
	u8 state;
	u8 timeout;
	u8 retry_cnt;
	u8 rnr_retry;
	u8 min_rnr_timer;
	u8 max_rd_atomic;
	u16 pkey;
	u32 access;
	u32 dest_qpn;
	u32 rq_psn;
	u32 sq_psn;
	u32 mtu;
	u32 qkey;
};

/* Attributes that roce_modify() changes: bits of its mask, as in the verbs API. */
#define ROCE_QP_STATE			(1u << 0)
#define ROCE_QP_ACCESS			(1u << 3)
#define ROCE_QP_PKEY			(1u << 4)
#define ROCE_QP_QKEY			(1u << 6)
#define ROCE_QP_PATH_MTU		(1u << 8)
#define ROCE_QP_TIMEOUT			(1u << 9)
#define ROCE_QP_RETRY_CNT		(1u << 10)
#define ROCE_QP_RNR_RETRY		(1u << 11)
#define ROCE_QP_RQ_PSN			(1u << 12)
#define ROCE_QP_MAX_RD_ATOMIC		(1u << 13)
#define ROCE_QP_MIN_RNR_TIMER		(1u << 15)
#define ROCE_QP_SQ_PSN			(1u << 16)
#define ROCE_QP_DEST_QPN		(1u << 20)

/* Maximum PSNs in flight: those of the largest READ, 2 GiB, at a path MTU of 256 bytes. */
#define ROCE_MAX_INFLIGHT	0x800000u

/* Slots of the reorder queue of requests; a power of two. */
#define ROCE_REORDER_SLOTS		1024u

/* PSNs from snd.una on whose READ responses are placed out of order; a power of two. */
#define ROCE_OOO_READ_WINDOW		2048u

enum roce_rsrc_kind {
	ROCE_RSRC_READ,
	ROCE_RSRC_ATOMIC,
	ROCE_RSRC_PLACED,	/* FLUSH, ATOMIC WRITE; of length 0 */
};

enum roce_rsrc_state {
	ROCE_RSRC_FREE,
	ROCE_RSRC_SCHEDULED,	/* responses are scheduled, and some have never been sent */
	ROCE_RSRC_SENT,		/* all responses have been sent once */
	ROCE_RSRC_REPLAYING,	/* a duplicate request has scheduled them again */
	ROCE_RSRC_REPLAYED,	/* they have been retransmitted, or the replay was cancelled */
};

/**
 * struct roce_rsrc - responder resource: an accepted READ, atomic, FLUSH or ATOMIC WRITE
 * @va: address of the data
 * @atomic_orig: atomic: the value that it returned
 * @rkey: key of the data
 * @length: bytes of the data
 * @first_psn: PSN of the request, and of its first response
 * @last_psn: PSN of its last response
 * @sent_time: when responses were last sent, ns
 * @start_time: when the READ was begun, or begun again, ns
 * @start_psn: the first response that was sent then
 * @next_psn: PSN of the next response to send, while some are scheduled
 * @end_psn: PSN of the last response to send, while some are scheduled
 * @msn: MSN that its responses carry
 * @state: enum roce_rsrc_state
 * @kind: enum roce_rsrc_kind
 * @restart: the next response begins a READ, or begins it again: its opcode is FIRST or ONLY
 *
 * The slot is kept until a later request needs it, so that a duplicate request can be answered
 * (IBTA 9.7.5.1.3): a READ by reading memory again, an atomic with @atomic_orig, a FLUSH or
 * ATOMIC WRITE with an empty READ response.
 */
struct roce_rsrc {
	u64 va;
	u64 atomic_orig;
	u64 sent_time;
	u64 start_time;
	u32 start_psn;
	u32 rkey;
	u32 length;
	u32 first_psn;
	u32 last_psn;
	u32 next_psn;
	u32 end_psn;
	u32 msn;
	u8 state;
	u8 kind;
	bool restart;
};

/**
 * struct roce_sq - send queue
 * @wqes: 2^n slots of @stride bytes
 * @mask: slots - 1
 * @stride: bytes of a slot
 * @prod: producer index: WQEs posted so far
 * @cons: consumer index: WQEs completed so far
 * @next: index of the WQE to transmit from
 *
 * The indices are free-running, modulo 2^32; @cons <= @next <= @prod.
 */
struct roce_sq {
	void *wqes;
	u32 mask;
	u32 stride;
	u32 prod;
	u32 cons;
	u32 next;
};

/**
 * enum roce_snd_mode - packets that the requester sends from snd.nxt on
 * @ROCE_SND_NEW: new packets: snd.nxt is snd.max
 * @ROCE_SND_TLP: one packet is retransmitted, as a tail loss probe or tail duplicate
 * @ROCE_SND_FILL_HOLE: requests of missing READ responses below hole.rexmit_end are retransmitted
 * @ROCE_SND_GO_BACK_N: all packets up to snd.max are retransmitted
 */
enum roce_snd_mode {
	ROCE_SND_NEW,
	ROCE_SND_TLP,
	ROCE_SND_FILL_HOLE,
	ROCE_SND_GO_BACK_N,
};

/**
 * struct roce_snd - send sequence of the requester
 * @nxt: PSN of the next packet to send (BSD snd_nxt)
 * @max: one past the highest PSN sent (BSD snd_max)
 * @una: oldest unacknowledged PSN (SND.UNA); within a READ, the PSN of the next response in order
 * @rd_atomic_inflight: outstanding READs and atomics, at most the initiator depth
 * @read_chunks: outstanding READ requests that are not the last chunk of their READ
 * @read_end: one past the last PSN of the READ requested last
 * @sq_drained_reported: the SQ drained event has been raised
 * @mode: enum roce_snd_mode
 *
 * @una <= @nxt <= @max. @nxt == @max unless packets are being retransmitted.
 *
 * Written by rewind.[ch], except for @una (completer.c), the counts, and @sq_drained_reported.
 */
struct roce_snd {
	u32 nxt;
	u32 max;
	u32 una;
	u32 rd_atomic_inflight;
	u32 read_chunks;
	u32 read_end;
	bool sq_drained_reported;
	u8 mode;
};

/**
 * enum roce_loss_trial_state - whether pacing prevents losses that show no queue
 * @ROCE_LOSS_TRIAL_NONE: not tried
 * @ROCE_LOSS_TRIAL_RUNS: pacing is tried, until the next loss
 * @ROCE_LOSS_TRIAL_WON: pacing prevents losses
 */
enum roce_loss_trial_state {
	ROCE_LOSS_TRIAL_NONE,
	ROCE_LOSS_TRIAL_RUNS,
	ROCE_LOSS_TRIAL_WON,
};

/**
 * struct roce_loss_trial - trial of pacing (common/loss_trial.c)
 * @next_time: no trial begins before, ns
 * @psn: the peer had received the packets before it at the last loss
 * @per_loss: packets received from one loss to the next while they are not paced, average
 * @losses: losses from which the average is, up to the number that a trial needs
 * @early: losses in succession that pacing has not delayed
 * @state: state
 */
struct roce_loss_trial {
	u64 next_time;
	u32 psn;
	s32 per_loss;
	s32 losses;
	u32 early;
	enum roce_loss_trial_state state;
};

struct roce_cc_ops;

/**
 * enum roce_cc_search - search of a new QP for a window that the path holds
 * @ROCE_CC_SEARCH_NONE: no packet has been lost
 * @ROCE_CC_SEARCH_RUNS: a window has not been delivered without a loss since
 * @ROCE_CC_SEARCH_OVER: it has
 */
enum roce_cc_search {
	ROCE_CC_SEARCH_NONE,
	ROCE_CC_SEARCH_RUNS,
	ROCE_CC_SEARCH_OVER,
};

/**
 * struct roce_cc - congestion control and pacing; windows in 1/256 of a packet, times in ns
 * @ops: the algorithm
 * @next_tx: pacing: when the next packet may be sent
 * @round_rtt: smallest RTT sample of the round trip in progress, 0 if there is none
 * @last_round_rtt: the same of the round trip before
 * @congested_time: when the path last showed congestion
 * @bursty_time: when READ responses last showed a queue shorter than a burst
 * @full_rtt: RTT of a full queue: the longest of a round, and the RTT at losses, smoothed
 * @delay_rtt: the same of the round that exceeded the delay limit first
 * @trial: whether pacing prevents the losses of a peer that buffers nothing
 * @cwnd_clamp: upper bound of @cwnd, packets, at least 1 (Linux snd_cwnd_clamp)
 * @cwnd: congestion window
 * @ssthresh: slow-start threshold: @cwnd after the last reduction
 * @prior_cwnd: @cwnd before the last reduction, 0 before the first
 * @prior_ssthresh: @ssthresh before the last reduction
 * @drain_cwnd: @cwnd from before the path is drained to measure its minimum RTT, 0 if it is not
 * @untried_cwnd: @cwnd from before @trial
 * @reduce_end: snd.max at the last reduction: losses before it are the same congestion event
 * @round_end: the round trip in progress ends when this PSN is acknowledged
 * @search_end: the search ends when this PSN is acknowledged
 * @loss_rate: losses per packet, smoothed, in 1/65536
 * @read_loss_rate: READ responses that are missing where others have arrived, in the same unit
 * @search: enum roce_cc_search
 * @reordering: share of NAKs that reordering has caused, smoothed, 0..255
 * @bursts: share of losses of consecutive packets, smoothed, 0..255
 * @unbuffered: losses of a peer that is not known to buffer requests, up to a limit
 * @delay_rounds: reductions for delay in a row
 * @reduced: @reduce_end is valid
 * @congested: packets were lost in a full queue less than a second ago: pace the packets
 * @prior_congested: @congested before the last reduction
 * @marked: the path has marked packets since it last counted as not congested
 * @read_becn: the next READ request carries BECN
 * @lossy: losses count without a queue: there are too many
 * @bursty: losses count without a queue: it is shorter than a burst
 * @full: the queue was full in the last round, or a loss has been reacted to since
 * @compete: others fill the queue: ignore the delay limit
 * @paced: the pacing timer is armed
 */
struct roce_cc {
	const struct roce_cc_ops *ops;
	u64 next_tx;
	u64 round_rtt;
	u64 last_round_rtt;
	u64 congested_time;
	u64 bursty_time;
	u64 full_rtt;
	u64 delay_rtt;
	struct roce_loss_trial trial;
	u32 cwnd_clamp;
	u32 cwnd;
	u32 ssthresh;
	u32 prior_cwnd;
	u32 prior_ssthresh;
	u32 drain_cwnd;
	u32 untried_cwnd;
	u32 reduce_end;
	u32 round_end;
	u32 search_end;
	u32 loss_rate;
	u32 read_loss_rate;
	u8 search;
	u8 reordering;
	u8 bursts;
	u8 unbuffered;
	u8 delay_rounds;
	bool reduced;
	bool congested;
	bool prior_congested;
	bool marked;
	bool read_becn;
	bool full;
	bool compete;
	bool lossy;
	bool bursty;
	bool paced;
};

/* RTT samples in progress; more AckReqs than that in flight are not timed. */
#define ROCE_RTT_SAMPLES		8u

/**
 * struct roce_rtt_sample - RTT sample in progress: a packet that asks for a response
 * @sent: when it was sent, ns
 * @end: one past its PSN: the response that reaches this PSN ends the sample
 * @ambiguous: the packet may have been retransmitted since (Karn's problem)
 */
struct roce_rtt_sample {
	u64 sent;
	u32 end;
	bool ambiguous;
};

/**
 * struct roce_rtt - round-trip time estimation; times in ns
 * @srtt: smoothed RTT, 0 before the first sample (RFC 6298)
 * @rttvar: RTT variation (RFC 6298)
 * @clean_srtt: @srtt before the first ambiguous sample, 0 if there was none
 * @clean_rttvar: @rttvar before the first ambiguous sample
 * @latest: the last sample that was not ambiguous, 0 before the first
 * @min: minimum RTT of the last 10 s, 0 before the first sample
 * @max: maximum of the samples that were not ambiguous
 * @min_next: minimum RTT since @min was measured
 * @min_time: when @min was measured
 * @sample: samples in progress, a ring, oldest first
 * @first: index of the oldest sample in @sample
 * @count: samples in progress
 * @srtt_ambiguous: @srtt contains ambiguous samples
 * @min_expired: @min is older than its lifetime; cleared by the congestion control, which drains
 *	the path to measure it again
 */
struct roce_rtt {
	u64 srtt;
	u64 rttvar;
	u64 clean_srtt;
	u64 clean_rttvar;
	u64 latest;
	u64 min;
	u64 min_next;
	u64 max;
	u64 min_time;
	struct roce_rtt_sample sample[ROCE_RTT_SAMPLES];
	u8 first;
	u8 count;
	bool srtt_ambiguous;
	bool min_expired;
};

/**
 * struct roce_rto - loss timers and transport retries; times in ns
 * @timeout: retransmission timeout (RTO) in force, with backoff
 * @expires: when the RTO expires, if packets are in flight
 * @base: when the loss timers were last started: first transmission, ACK or retransmission
 * @pto: probe timeout, from @base on
 * @retry_period_start: start of the local ACK timeout period, each of which costs a retry
 *	(IBTA 9.7.6.1.3)
 * @retries_left: transport retries left
 * @pto_expired: the PTO counts as expired: the requester needs an ACK, and has sent packets since
 *	the last AckReq
 * @sent: packets have been sent in the retry period
 */
struct roce_rto {
	u64 timeout;
	u64 expires;
	u64 base;
	u64 pto;
	u64 retry_period_start;
	u8 retries_left;
	bool pto_expired;
	bool sent;
};

/**
 * enum roce_loss_state - loss recovery (as icsk_ca_state of TCP); see recovery.c
 * @ROCE_LOSS_OPEN: no loss is being repaired
 * @ROCE_LOSS_RECOVERY: snd.una has not reached the recovery point
 * @ROCE_LOSS_FAST_REXMIT: the same, and only the first packets have been retransmitted
 *
 * An RTO in FAST_REXMIT does not leave it: the next ACK does.
 */
enum roce_loss_state {
	ROCE_LOSS_OPEN,
	ROCE_LOSS_RECOVERY,
	ROCE_LOSS_FAST_REXMIT,
};

/**
 * enum roce_rewind - cause of the last go-back-N, if snd.una has not moved since
 * @ROCE_REWIND_NONE: snd.una has moved
 * @ROCE_REWIND_NAK: NAK or RNR NAK, or packets refused beyond a hole
 * @ROCE_REWIND_RTO: RTO, which may have been spurious: no NAK has reported a loss
 * @ROCE_REWIND_REPEATED_RTO: another RTO since
 */
enum roce_rewind {
	ROCE_REWIND_NONE,
	ROCE_REWIND_NAK,
	ROCE_REWIND_RTO,
	ROCE_REWIND_REPEATED_RTO,
};

/* No limit by loss recovery. */
#define ROCE_LOSS_WINDOW_INFINITE	0xffffffffu

/**
 * struct roce_loss - loss detection and recovery; times in ns
 * @rewind_time: time of the last go-back-N
 * @last_rexmit_time: time of the last retransmission or probe
 * @rnr_expires: RNR timer: no request is sent before; 0 if it is not running
 * @window: limit of the packets in flight while a loss is repaired, ROCE_LOSS_WINDOW_INFINITE if
 *	there is none
 * @recovery_point: snd.max when the last loss was detected (RFC 6582)
 * @probe_end: one past the READ response that the last probe of a single one requested;
 *	ROCE_PSN_NONE before the first
 * @rnr_retries_left: RNR retries left
 * @gbn_fallback: losses to be handled by plain go-back-N, as a fast retransmit did not repair one
 * @rewind_backoff: exponent of the NAK suppression interval, one more for each fruitless rewind
 * @state: enum roce_loss_state
 * @rewind: enum roce_rewind; an RTO of READs stays until it has proved to be spurious or not
 * @repeat_nak: the peer has sent another sequence NAK since the last rewind
 * @probe_single: the probe to be sent requests a single READ response
 * @peer_buffers: the peer keeps requests that arrive out of order: after a NAK, it has acknowledged
 *	packets that were not retransmitted
 */
struct roce_loss {
	u64 rewind_time;
	u64 last_rexmit_time;
	u64 rnr_expires;
	u32 window;
	u32 recovery_point;
	u32 probe_end;
	u8 rnr_retries_left;
	u8 gbn_fallback;
	u8 rewind_backoff;
	u8 state;
	u8 rewind;
	bool repeat_nak;
	bool probe_single;
	bool peer_buffers;
};

/**
 * struct roce_hole - missing READ responses; times in ns
 * @end: some responses in [snd.una, @end) are missing: one past the last PSN that the peer is known
 *	to have responded to, at most snd.una + ROCE_OOO_READ_WINDOW when a response has shown it
 * @rexmit_end: end of the part of the hole that has been re-requested; it moves back if the window
 *	has shrunk when that is re-requested again
 * @split_end: READs below this PSN have been re-requested in parts, which may end at any PSN
 * @halved_end: READs below this PSN were requested in larger chunks than those of now
 * @next_start: responses missing before this PSN were noticed at @detected, others later
 * @ooo_wqe_hint: index of the WQE that the last out-of-order response belonged to
 * @ooo_count: bits set in @ooo_bitmap
 * @rexmit_arrived_psn: last re-requested response that arrived; ROCE_PSN_NONE if no loss is
 *	suspected to have been a reordering
 * @backoff: exponent of @timer's backoff: how often it has expired since snd.una moved
 * @go_back_n: the packets from @end on are to be retransmitted after the hole
 * @detected: when a response after the first missing one arrived, or an earlier time
 * @next_detected: the same for responses from @next_start on
 * @timer: expiry of the hole timer, which re-requests the hole; ROCE_NEVER exactly if there is none
 * @rexmit_arrived_delay: delay of the response @rexmit_arrived_psn after a later response
 * @reo_wnd: reordering window: delay after which a missing response counts as lost (RFC 8985)
 * @ooo_bitmap: responses received out of order, by PSN, from snd.una up to snd.una +
 *	ROCE_OOO_READ_WINDOW - 1
 */
struct roce_hole {
	u32 end;
	u32 rexmit_end;
	u32 split_end;
	u32 halved_end;
	u32 next_start;
	u32 ooo_wqe_hint;
	u32 ooo_count;
	u32 rexmit_arrived_psn;
	u8 backoff;
	bool go_back_n;
	u64 detected;
	u64 next_detected;
	u64 timer;
	u64 rexmit_arrived_delay;
	u64 reo_wnd;
	u64 ooo_bitmap[ROCE_OOO_READ_WINDOW / 64];
};

/**
 * struct roce_ackreq - when the requester asks for an ACK
 * @interval: packets between AckReqs, at least 1
 * @pkts_since: packets sent since the last AckReq
 * @quick: AckReqs left that must not be deferred, after a deferral that cost a timeout
 * @wanted: the consumer waits for a completion: the AckReq must not be deferred
 * @is_new: the packets sent last were sent for the first time
 */
struct roce_ackreq {
	u32 interval;
	u32 pkts_since;
	u8 quick;
	bool wanted;
	bool is_new;
};

/**
 * struct roce_cork - small SENDs and WRITEs that wait for an ACK, to leave together
 * @first: index of the first corked WQE
 * @end: one past the last corked WQE
 * @active: WQEs are corked, or were until the call in progress
 */
struct roce_cork {
	u32 first;
	u32 end;
	bool active;
};

/**
 * struct roce_taildup - duplication of tail packets after a loss
 * @last_max: snd.max when the tail was last duplicated or retransmitted
 * @budget: tail packets that are still to be duplicated
 * @outstanding: a duplicate is in flight: one sequence NAK may be caused by it
 */
struct roce_taildup {
	u32 last_max;
	u8 budget;
	bool outstanding;
};

/**
 * struct roce_req - requester and completer
 * @snd: send sequence
 * @cc: congestion control
 * @ackreq: requests for ACKs
 * @cork: coalescing of small sends
 * @taildup: tail duplication
 * @rtt: RTT estimation
 * @rto: loss timers and transport retries
 * @loss: loss detection and recovery
 * @hole: missing READ responses
 */
struct roce_req {
	struct roce_snd snd;
	struct roce_cc cc;
	struct roce_ackreq ackreq;
	struct roce_cork cork;
	struct roce_taildup taildup;
	struct roce_rtt rtt;
	struct roce_rto rto;
	struct roce_loss loss;
	struct roce_hole hole;
};

/**
 * struct roce_delack - acknowledgement that the responder owes
 * @pending: acknowledge all before resp.epsn
 * @pingpong_score: single-packet messages in a row that the consumer has answered at once; a high
 *	score allows a delayed ACK (as TCP's pingpong mode)
 * @delack_expires: expiry of the delayed ACK, ns; ROCE_NEVER if none is delayed
 * @unanswered_since: arrival of the AckReq that no request has answered, ns; 0 if none
 */
struct roce_delack {
	bool pending;
	u8 pingpong_score;
	u64 delack_expires;
	u64 unanswered_since;
};

/**
 * struct roce_reorder - reorder queue: requests that arrived out of order
 * @pkts: ROCE_REORDER_SLOTS packets by PSN, ahead of resp.epsn by less than that; NULL until the
 *	caller provides the array, zeroed, when the first packet is queued at the latest
 * @count: packets in the queue
 * @expires: when they are dropped at the latest, ns
 */
struct roce_reorder {
	struct roce_pkt **pkts;
	u32 count;
	u64 expires;
};

enum roce_nak_state {
	ROCE_NAK_NONE,
	ROCE_NAK_PENDING,	/* raised, to be sent */
	ROCE_NAK_SENT,
};

/**
 * struct roce_nak_delay - delay of sequence NAKs, learnt from reordering; times in ns
 * @window: reordering window: a gap that is older is a loss (as reo_wnd in RFC 8985)
 * @gap_time: when the first request beyond the gap at resp.epsn arrived, 0 if there is no gap
 * @expires: when the NAK is due, ROCE_NEVER if none is delayed
 * @filled_delay: age of the last gap that was filled after its NAK
 * @nak_time: when its NAK was raised
 * @filled_after_nak: time from the NAK to that
 * @rexmit_min: shortest time from a NAK to the retransmission of a lost request, ROCE_NEVER if
 *	none has been lost
 * @twice: requests that arrived twice, while none has been lost
 * @filled_psn: the PSN that filled it; ROCE_PSN_NONE if it is known to have been reordered
 */
struct roce_nak_delay {
	u64 window;
	u64 gap_time;
	u64 expires;
	u64 filled_delay;
	u64 nak_time;
	u64 filled_after_nak;
	u64 rexmit_min;
	u32 filled_psn;
	u8 twice;
};

/**
 * struct roce_nak - NAK of the responder
 * @state: enum roce_nak_state. A sequence or RNR NAK ends when the expected PSN arrives; until
 *	then no other is raised, unless the requester is seen to have rewound without
 *	retransmitting that PSN.
 * @syndrome: AETH syndrome
 * @psn: PSN of the NAK
 */
struct roce_nak {
	u8 state;
	u8 syndrome;
	u32 psn;
};

/**
 * struct roce_read_pacing - pacing of READ responses; times in ns
 * @next_tx: when the next response may be sent
 * @sent_time: when the last was sent
 * @wait_time: when responses last had to wait for @next_tx
 * @reduce_time: when @rate was last reduced, 0 before the first time
 * @raise_time: when @rate was last raised or reduced
 * @mark_time: beginning of the measurement of the delivery rate, 0 before the first READ
 * @next_mark_time: that of the next one
 * @min_rtt: shortest time from a response to the request that acknowledges it, 0 if there is none
 * @latest_rtt: the last one
 * @report_rtt: time from a response to the report of a loss, at the last reduction
 * @sample_time: when @queue was last determined by an RTT, 0 after a loss
 * @mark_psn: the requester had received the responses before it at @mark_time
 * @next_mark_psn: the same at @next_mark_time
 * @repeated_end: one past the last response that a repeated READ asked for
 * @rate: packets per second, 0 if responses are not paced
 * @target: delivery rate at the last congestion: below it, @rate is raised faster
 * @trial: trial of pacing
 * @queue: the last RTT had a queue in it
 * @suspect: the requester has repeated a READ as a whole
 * @timeouts: losses in succession, up to 3, that the requester has noticed by its timer
 * @repeated: a READ has been repeated since the last new one
 * @windowed: the requester has repeated part of a READ, or reacts to CE marks itself: it has a
 *	congestion window for responses
 * @selective_repeats: times in succession that repeated READs did not reach the one requested last,
 *	up to a limit
 * @waiting: the pacing timer is armed
 */
struct roce_read_pacing {
	u64 next_tx;
	u64 sent_time;
	u64 wait_time;
	u64 reduce_time;
	u64 raise_time;
	u64 mark_time;
	u64 next_mark_time;
	u64 min_rtt;
	u64 latest_rtt;
	u64 report_rtt;
	u64 sample_time;
	u32 mark_psn;
	u32 next_mark_psn;
	u32 repeated_end;
	u32 rate;
	u32 target;
	struct roce_loss_trial trial;
	bool queue;
	bool suspect;
	u8 timeouts;
	u8 selective_repeats;
	bool repeated;
	bool windowed;
	bool waiting;
};

/**
 * struct roce_resp - responder
 * @epsn: expected PSN (IBTA ePSN)
 * @msn: messages completed, 24 bits
 * @cur_msg_class: class of the message being received: ROCE_IS_SEND or ROCE_IS_WRITE; 0 between
 *	messages
 * @offset: bytes received of that message
 * @length: WRITE: bytes announced by the RETH
 * @rkey: WRITE: key of the destination
 * @va: WRITE: address of the next packet's payload
 * @recv_wqe: the receive WQE in use; the caller provides it, as large as needed
 * @has_recv: @recv_wqe holds a WQE
 * @comm_est: the communication established event has been raised
 * @last_wqe: the last WQE reached event has been raised
 * @nak: the NAK for @epsn, or for a fatal error
 * @nak_delay: delay of sequence NAKs
 * @ooo_psn: highest PSN that has arrived out of order since the NAK was raised
 * @next_dup_psn: one past the last duplicate SEND or WRITE, ROCE_PSN_NONE before the first
 * @ack: the acknowledgement that is owed
 * @reorder: reorder queue
 * @pacing: pacing of READ responses
 * @res: responder resources, a ring of @res_size
 * @first_scheduled: the oldest resource with scheduled responses, or NULL
 * @res_size: slots in @res
 * @res_head: the oldest slot, for the next resource
 */
struct roce_resp {
	u32 epsn;
	u32 msn;
	u32 cur_msg_class;
	u32 offset;
	u32 length;
	u32 rkey;
	u64 va;
	struct roce_recv_wqe *recv_wqe;
	bool has_recv;
	bool comm_est;
	bool last_wqe;
	struct roce_nak nak;
	struct roce_nak_delay nak_delay;
	u32 ooo_psn;
	u32 next_dup_psn;
	struct roce_delack ack;
	struct roce_reorder reorder;
	struct roce_read_pacing pacing;
	struct roce_rsrc *res;
	struct roce_rsrc *first_scheduled;
	u16 res_size;
	u16 res_head;
};

/**
 * struct roce_cnp - congestion notification; times in ns
 * @next_time: no CNP is sent before
 * @pending: a CNP is to be sent
 */
struct roce_cnp {
	u64 next_time;
	bool pending;
};

/**
 * struct roce_qp - a queue pair
 * @ops: operations of the caller
 * @qpn: QP number, 24 bits
 * @state: enum roce_state
 * @service: ROCE_OP_RC, ROCE_OP_UC or ROCE_OP_UD, the upper bits of all its opcodes; or ROCE_RAW
 * @srq: receive WQEs come from a shared receive queue: WQEs that no message of this QP has begun
 *	are not flushed, and LAST_WQE_REACHED is raised instead
 * @uses_odp: payloads may be in regions paged on demand: ask ops->payload_resident before sending
 * @ackreq_deferral: AckReqs may be deferred while the consumer does not wait for a completion
 * @attr: attributes
 * @sq: send queue
 * @req: requester and completer
 * @resp: responder
 * @cnp: congestion notification
 *
 * Embedded in the caller's own struct. The caller serialises all calls on a QP, which protects all
 * fields.
 */
struct roce_qp {
	const struct roce_ops *ops;
	u32 qpn;
	u8 state;
	u8 service;
	bool srq;
	bool uses_odp;
	bool ackreq_deferral;
	struct roce_attr attr;
	struct roce_sq sq;
	struct roce_req req;
	struct roce_resp resp;
	struct roce_cnp cnp;
};

#endif
