// SPDX-License-Identifier: GPL-2.0
/* Detection of paths on which segmentation does not count up the IPv4 identification. */
#include <roce/qp.h>

#include "unit.h"
#include "tx/gso_watch.h"

#define FIRST 0xfffff0u /* the PSN wraps within the tests */
#define HITS  RXE_GSO_WATCH_SCORE

/* A QP, and what its next buffer shows. */
struct path {
	struct rxe_gso_watch watch[2];
	bool bad;
};

static u32 psn(u32 n)
{
	return roce_psn_add(FIRST, n);
}

static struct path new_path(void)
{
	struct path p = { 0 };

	rxe_gso_watch_init(&p.watch[0], FIRST);
	rxe_gso_watch_init(&p.watch[1], FIRST);
	return p;
}

static void send_run(struct path *p, struct roce_send_wqe *wqe, bool new_skb, u32 at, u32 npkts,
		     u32 una)
{
	struct roce_tx_run run = { .seg_len = 1024, .new_skb = new_skb, .payload.wqe = wqe };

	p->bad |= rxe_gso_watch_buffer(p->watch, &run, psn(at), npkts, psn(una));
}

static void requests(struct path *p, u32 at, u32 npkts, u32 una)
{
	struct roce_send_wqe wqe;

	send_run(p, &wqe, false, at, npkts, una);
}

static void tail_duplicate(struct path *p, u32 at, u32 una)
{
	struct roce_send_wqe wqe;

	send_run(p, &wqe, true, at, 1, una);
}

static void responses(struct path *p, u32 at, u32 npkts)
{
	send_run(p, NULL, false, at, npkts, 0);
}

/* Of each buffer only the first packet arrives; the requester resends two packets at a time. */
static void requests_of_a_bad_path(void **state)
{
	struct path p = new_path();
	u32 i;

	requests(&p, 0, 64, 0);
	for (i = 1; i <= HITS; i++) {
		requests(&p, i, 2, i);
		assert_false(p.bad);
	}
	requests(&p, i, 2, i);
	assert_true(p.bad);
}

/* The retransmission timer resends one packet, which arrives. */
static void single_packets_between(void **state)
{
	struct path p = new_path();
	u32 i;

	requests(&p, 0, 64, 0);
	for (i = 1; !p.bad && i < 60; i += 2) {
		requests(&p, i, 1, i);
		requests(&p, i + 1, 2, i + 1);
	}
	assert_true(p.bad);
}

/* New buffers of two packets: the second is resent alone. */
static void new_buffers(void **state)
{
	struct path p = new_path();
	u32 i;

	for (i = 0; !p.bad && i < 100; i += 2) {
		requests(&p, i, 2, i);
		requests(&p, i + 1, 1, i + 1);
	}
	assert_true(p.bad);
	assert_in_range(i, 2 * HITS, 2 * HITS + 4);
}

/* The receiver held the first packets of later buffers: the ACK passes second packets at times. */
static void held_packets(void **state)
{
	struct path p = new_path();
	u32 i;

	requests(&p, 0, 8, 0);
	for (i = 1; !p.bad && i < 400; i += 3) {
		requests(&p, i, 3, i);	       /* i arrives */
		requests(&p, i + 1, 1, i + 1); /* arrives */
		requests(&p, i + 2, 1, i + 2); /* arrives */
	}
	assert_true(p.bad);
}

/* A packet that was never the first of a buffer arrives: the path is good. */
static void later_packets_arrive(void **state)
{
	struct path p = new_path();
	u32 round, i, at = 0;

	for (round = 0; round < 100; round++) {
		requests(&p, at, 64, at);
		for (i = 1; i < HITS; i++)
			requests(&p, at + i, 2, at + i);
		at += 64;
	}
	assert_false(p.bad);
}

/* Losses at other places of a buffer, and of whole buffers. */
static void other_losses(void **state)
{
	struct path p = new_path();
	u32 i;

	for (i = 0; i < 100; i++) {
		requests(&p, 64 * i, 64, 64 * i);
		requests(&p, 64 * i, 64, 64 * i);
		requests(&p, 64 * i + 7, 57, 64 * i + 7);
	}
	assert_false(p.bad);
}

/* The second packet is resent for an RNR NAK, each time: it arrived. */
static void rnr_naks(void **state)
{
	struct path p = new_path();
	u32 i;

	requests(&p, 0, 64, 0);
	for (i = 1; i < 60; i++) {
		rxe_gso_watch_rnr(p.watch);
		requests(&p, i, 64 - i, i);
	}
	assert_false(p.bad);
}

/* The second packet is sent twice, at the tail of the burst: it is no hit if it is resent. */
static void tails_sent_twice(void **state)
{
	struct path p = new_path();
	u32 i;

	for (i = 0; i < 100; i += 2) {
		requests(&p, i, 2, i);
		tail_duplicate(&p, i + 1, i);
		requests(&p, i + 1, 1, i + 1);
	}
	assert_false(p.bad);
}

static void responses_of_a_bad_path(void **state)
{
	struct path p = new_path();
	u32 i;

	for (i = 0; i <= HITS + 1; i++) {
		assert_false(p.bad);
		responses(&p, i, 64);
	}
	assert_true(p.bad);
}

static void responses_lost_elsewhere(void **state)
{
	struct path p = new_path();
	u32 i, at = 0;

	for (i = 0; i < 100; i++) {
		responses(&p, at, 64);
		responses(&p, at + 1, 64);
		responses(&p, at + 7, 64);
		at += 100;
		responses(&p, at, 64);
		responses(&p, at + 9, 64);
		at += 100;
	}
	assert_false(p.bad);
}

/* Four READs of 16 responses; of each buffer only the first arrives, and the rest is repeated. */
static void holes_of_several_reads(void **state)
{
	struct path p = new_path();
	u32 round, i;

	for (i = 0; i < 4; i++)
		responses(&p, 16 * i, 16);
	for (round = 1; !p.bad && round < 16; round++)
		for (i = 0; i < 4; i++)
			responses(&p, 16 * i + round, 16 - round);
	assert_true(p.bad);
	assert_in_range(round, HITS / 4, HITS / 4 + 2);
}

/* The first holes of each round show a bad path, but a later packet has arrived behind them. */
static void a_later_response_between_holes(void **state)
{
	struct path p = new_path();
	u32 round, i;

	for (i = 0; i < 8; i++)
		responses(&p, 16 * i, 16);
	for (round = 1; round < 6; round++) {
		for (i = 0; i < 6; i++)
			responses(&p, 16 * i + round, 16 - round);
		/* The response between these has arrived. */
		responses(&p, 97, 2 + 2 * round);
		responses(&p, 100 + 2 * round, 4);
	}
	assert_false(p.bad);
}

/* Go-back-N repeats all READs from the first missing response on: the others may have arrived. */
static void go_back_n_of_reads(void **state)
{
	struct path p = new_path();
	u32 round, i;

	for (round = 0; round < 20; round++) {
		for (i = 0; i < 8; i++)
			responses(&p, 128 * round + 16 * i, 16);
		responses(&p, 128 * round + 5, 11);
		for (i = 1; i < 8; i++)
			responses(&p, 128 * round + 16 * i, 16);
	}
	assert_false(p.bad);
}

/* Requests and responses share the PSNs of a QP's two directions, not the watch. */
static void directions_are_apart(void **state)
{
	struct path p = new_path();
	u32 i;

	requests(&p, 0, 64, 0);
	for (i = 1; i <= HITS; i++) {
		requests(&p, i, 2, i);
		responses(&p, 64 * i, 64);
	}
	assert_false(p.bad);
	requests(&p, i, 2, i);
	assert_true(p.bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_of_a_bad_path),
		cmocka_unit_test(single_packets_between),
		cmocka_unit_test(new_buffers),
		cmocka_unit_test(held_packets),
		cmocka_unit_test(later_packets_arrive),
		cmocka_unit_test(other_losses),
		cmocka_unit_test(rnr_naks),
		cmocka_unit_test(tails_sent_twice),
		cmocka_unit_test(responses_of_a_bad_path),
		cmocka_unit_test(responses_lost_elsewhere),
		cmocka_unit_test(holes_of_several_reads),
		cmocka_unit_test(a_later_response_between_holes),
		cmocka_unit_test(go_back_n_of_reads),
		cmocka_unit_test(directions_are_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
