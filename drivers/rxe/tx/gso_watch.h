/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GSO watch: detection of paths on which segmentation does not count up the IPv4 identification.
 *
 * The ICRC covers the identification, which is expected to increase by one from packet to packet of
 * a GSO buffer (skb_build.c). The kernel does so, but adapters that segment inside tunnels may not,
 * nor may the host of a virtual machine. Then the peer drops all packets of a buffer but the first.
 *
 * Input: the first PSN and the number of packets of each buffer, and SND.UNA. Heuristic: after a
 * retransmission, the sender remembers which PSNs in flight were never that of the first packet of
 * a buffer: the later packets. Each rewind to SND.UNA, if that is one of them, adds 1 to a score.
 * So does each READ response that is re-requested after others that are not. If a later packet is
 * acknowledged, the path is good, and the score returns to 0. Decision: at RXE_GSO_WATCH_SCORE, the
 * path gets one packet a buffer. Bound: a wrong decision costs speed only, never packets.
 *
 * On a path without losses, a buffer costs two comparisons and a store.
 */
#ifndef RXE_GSO_WATCH_H
#define RXE_GSO_WATCH_H

#include <linux/types.h>
#include <roce/packet.h>
#include <roce/psn.h>

/*
 * Later packets missing in a row. If 10 % of the packets are lost at random, 12 of them are with a
 * probability of 1e-12; if 25 % are reordered so far that they are retransmitted, with one of 6e-8.
 */
#define RXE_GSO_WATCH_SCORE 12

/* Buffers without a retransmission after which watching ends. */
#define RXE_GSO_WATCH_BUFFERS 255

/* PSNs from SND.UNA on that are remembered; a power of 2. */
#define RXE_GSO_WATCH_PSNS 256

/**
 * struct rxe_gso_watch - watched buffers of one direction: requests or READ responses
 * @end: one past the highest PSN sent
 * @nxt: one past the last PSN of the latest buffer; valid with @left
 * @una: oldest unacknowledged PSN, as far as known
 * @left: buffers to watch yet; 0: there was no retransmission recently
 * @score: how bad the path is
 * @rnr: the next retransmission is for an RNR NAK, not for a loss
 * @later: a bit for each PSN from @una on, by its remainder: a later packet
 */
struct rxe_gso_watch {
	u32 end;
	u32 nxt;
	u32 una;
	u8 left;
	u8 score;
	bool rnr;
	u8 later[RXE_GSO_WATCH_PSNS / 8];
};

/* Start; @psn: PSN of the next packet. */
static inline void rxe_gso_watch_init(struct rxe_gso_watch *w, u32 psn)
{
	*w = (struct rxe_gso_watch){ .end = psn };
}

/* rxe_gso_watch_buffer() of a path with losses. */
bool rxe_gso_watch_lossy(struct rxe_gso_watch *w, const struct roce_tx_run *run, u32 psn,
			 u32 npkts, u32 una);

/**
 * rxe_gso_watch_buffer() - note a buffer of an RC QP
 * @watch: state of requests, and of READ responses
 * @run: run of the first packet
 * @psn: PSN of the first packet
 * @npkts: packets in the buffer
 * @una: oldest unacknowledged PSN of the requester
 *
 * Return: true if segmentation does not count up the identification.
 */
static inline bool rxe_gso_watch_buffer(struct rxe_gso_watch watch[2],
					const struct roce_tx_run *run, u32 psn, u32 npkts, u32 una)
{
	struct rxe_gso_watch *w = &watch[!run->payload.wqe];

	/* Not ACKs, and not READ requests, which have the PSNs of the responses. */
	if (!run->seg_len)
		return false;
	if (w->left || roce_psn_before(psn, w->end))
		return rxe_gso_watch_lossy(w, run, psn, npkts, una);
	w->end = roce_psn_add(psn, npkts);
	return false;
}

/* Note an RNR NAK. */
static inline void rxe_gso_watch_rnr(struct rxe_gso_watch watch[2])
{
	watch[0].rnr = true;
}

#endif
