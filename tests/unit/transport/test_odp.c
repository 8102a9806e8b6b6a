// SPDX-License-Identifier: GPL-2.0
/*
 * ODP: packets whose memory is not resident must be redelivered, with all packets behind them, and
 * have no effect; a payload that is not resident delays transmission, and no packet is skipped.
 */
#include "qp_fixture.h"

#define FULL .len = FIXTURE_MTU

static void requests(void **state)
{
	static const struct row rows[] = {
		{ "a SEND: its receive WQE is kept, and the rest of the batch is redelivered",
		  { RECV(9), RECV(9), ABSENT(SCATTER), RX(SEND_ONLY, 200, .len = 5, .hold = true),
		    RX(SEND_ONLY, 201, .len = 6, .ack = true), TX, RESIDENT, HAND_IN, TX },
		  "scatter(0,5) redeliver(2) tx - scatter(0,5) rwc 1001=5 scatter(0,6) rwc 1002=6 tx ACK@201m2" },
		{ "in the middle of a SEND: the packets before it are acknowledged",
		  { RECV(4000), RX(SEND_FIRST, 200, FULL, .ack = true), ABSENT(SCATTER),
		    RX(SEND_LAST, 201, .len = 1, .ack = true), TX, RESIDENT, HAND_IN, TX },
		  "scatter(0,1024) scatter(1024,1) redeliver(1) tx ACK@200m0 scatter(1024,1) rwc 1001=1025 tx ACK@201m1" },
		{ "a WRITE: its key is checked again, over the PSN wrap",
		  { MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xffffff), ABSENT(WRITE),
		    RX(WRITE_FIRST, 0xffffff, .va = 0x1000, .dma_len = 1030, FULL, .hold = true),
		    RX(WRITE_LAST, 0, .len = 6, .ack = true), RESIDENT, HAND_IN, TX },
		  "key(W,0x1000,1030) write(0x1000,1024) redeliver(2) key(W,0x1000,1030) write(0x1000,1024) write(0x1400,6) tx ACK@0m1" },
		{ "an atomic is executed once, and takes one of the resources",
		  { RES(1), ABSENT(ATOMIC), RX(FETCH_ADD, 200, .va = 0x10), HAND_IN, RESIDENT,
		    HAND_IN, TX, RX(FETCH_ADD, 200, .va = 0x10), TX },
		  "key(A,0x10,8) redeliver(1) key(A,0x10,8) redeliver(1) key(A,0x10,8) atomic(0x10) tx AA@200[1]m1 tx AA@200[1]m1" },
		{ "an ATOMIC WRITE",
		  { RES(1), ABSENT(ATOMIC),
		    RX(ATOMIC_WRITE, 200, .va = 0x10, .dma_len = 8, .len = 8), RESIDENT, HAND_IN,
		    TX },
		  "put(0x10) redeliver(1) put(0x10) tx RO@200m1+0" },
		{ "memory that cannot be made resident",
		  { RECV(9), ABSENT(SCATTER), RX(SEND_ONLY, 200, .len = 5), FAULT(SCATTER), HAND_IN,
		    TX, STATE },
		  "scatter(0,5) redeliver(1) scatter(0,5) rwc 1001=loc-prot ev fatal tx ACK@200!63m0 ERR" },
		{ "redelivery to a QP in ERR: the packet is dropped",
		  { WATCH(BAD_STATE), RECV(9), ABSENT(SCATTER), RX(SEND_ONLY, 200, .len = 5),
		    TO(ERR), HAND_IN, TX },
		  "scatter(0,5) redeliver(1) +bad-state tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void responses(void **state)
{
	static const struct row rows[] = {
		{ "a READ response is redelivered, and not re-requested",
		  { POST(READ, .len = 2000), TX, ABSENT(SCATTER),
		    RX(READ_RESP_FIRST, 100, FULL, .hold = true),
		    RX(READ_RESP_LAST, 101, .len = 976), TX, RESIDENT, HAND_IN },
		  "sges(1) tx R@100[0,2000]A scatter(0,1024) redeliver(2) tx - scatter(0,1024) scatter(1024,976) wc 1=ok,2000" },
		{ "an atomic response is redelivered",
		  { POST(FETCH_ADD, .len = 8), TX, ABSENT(SCATTER),
		    RX(ATOMIC_ACKNOWLEDGE, 100, .compare = 7), RESIDENT, HAND_IN },
		  "sges(1) tx FA@100[0,0,0]A scatter64(7) redeliver(1) scatter64(7) wc 1=ok,8" },
		{ "memory that turns out to be invalid",
		  { POST(FETCH_ADD, .len = 8), TX, ABSENT(SCATTER),
		    RX(ATOMIC_ACKNOWLEDGE, 100, .compare = 7), FAULT(SCATTER), HAND_IN, STATE },
		  "sges(1) tx FA@100[0,0,0]A scatter64(7) redeliver(1) scatter64(7) wc 1=loc-prot,8 ERR" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void sending(void **state)
{
	static const struct row rows[] = {
		{ "a SEND is delayed with the WQEs behind it",
		  { ABSENT(PAYLOAD), POST(SEND, .len = 10), POST(WRITE, .len = 0),
		    TX, RESIDENT, TX },
		  "resident(0,10) tx - resident(0,10) tx SO@100<0+10 tx WO@101[0,0]<0+0A" },
		{ "from its middle on",
		  { RESIDENT, ABSENT(KEY), POST(WRITE, .len = 3000), TXN(1),
		    ABSENT(PAYLOAD), TX, TX,
		    RESIDENT, TX, ACK(102) },
		  "resident(0,1024) tx WF@100[0,3000]<0+1024 resident(0x400,1024) tx - resident(0x400,1024) tx - "
		  "resident(0x400,1024) resident(0x800,952) tx WM@101<1024+1024 tx WL@102<2048+952A wc 1=ok" },
		{ "inline data and empty payloads are not checked",
		  { ABSENT(PAYLOAD), POST(READ, .len = 10), POST(SEND, .len = 0), TX },
		  "sges(1) tx R@100[0,10] tx SO@101<0+0A" },
		{ "a READ response is delayed with the ACK behind it",
		  { ABSENT(PAYLOAD), RX(READ_REQUEST, 200, .va = 0x40, .dma_len = 1030),
		    RX(WRITE_ONLY, 202, .ack = true), TX, RESIDENT, TX },
		  "key(R,0x40,1030) resident(0x40,1024) tx - resident(0x40,1024) resident(0x440,6) "
		  "tx RF@200m1<0x40+1024 tx RL@201m1<0x440+6 tx ACK@202m2" },
		{ "from the middle of the response on",
		  { RX(READ_REQUEST, 200, .va = 0x40, .dma_len = 1030), TXN(1), ABSENT(PAYLOAD), TX,
		    RESIDENT, TX },
		  "key(R,0x40,1030) tx RF@200m1<0x40+1024 resident(0x440,6) tx - resident(0x440,6) tx RL@201m1<0x440+6" },
		{ "an ATOMIC WRITE's eight bytes",
		  { ABSENT(PAYLOAD), POST(ATOMIC_WRITE, .len = 8), TX, RESIDENT, TX },
		  "resident(0,8) tx - resident(0,8) tx AW@100[0,8]<0+8A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void connected_unreliably(void **state)
{
	static const struct row rows[] = {
		{ "the expected PSN does not pass a redelivered packet",
		  { WATCH(OUT_OF_SEQ), RECV(4000), RX(SEND_FIRST, 0xffffff, FULL), ABSENT(SCATTER),
		    RX(SEND_LAST, 0, .len = 1, .hold = true), RX(WRITE_ONLY, 1), HAND_IN,
		    RESIDENT, HAND_IN },
		  "+out-of-seq scatter(0,1024) scatter(1024,1) redeliver(2) scatter(1024,1) redeliver(2) "
		  "scatter(1024,1) rwc 1001=1025" },
		{ "a SEND is delayed, and completes when sent",
		  { ABSENT(PAYLOAD), POST(SEND, .len = 10), TX, RESIDENT, TX, TX },
		  "resident(0,10) tx - resident(0,10) tx SO@100<0+10 wc 1=ok tx -" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UC, false);
}

static void datagrams(void **state)
{
	static const struct row rows[] = {
		{ "the memory of the GRH is not resident",
		  { RECV(100), ABSENT(GRH), RX(SEND_ONLY, 7, .len = 5), RESIDENT, HAND_IN },
		  "grh redeliver(1) grh scatter(40,5) rwc 1001=45<0x11" },
		{ "the memory of the payload is not resident",
		  { RECV(100), ABSENT(SCATTER), RX(SEND_ONLY, 7, .len = 5), RESIDENT, HAND_IN },
		  "grh scatter(40,5) redeliver(1) grh scatter(40,5) rwc 1001=45<0x11" },
		{ "a SEND is delayed",
		  { ABSENT(PAYLOAD), POST(SEND, .len = 10), TX, RESIDENT, TX, TX },
		  "resident(0,10) tx - resident(0,10) tx SO@100[0x1234,0x22]<0+10 wc 1=ok tx -" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UD, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests),  cmocka_unit_test(responses),
		cmocka_unit_test(sending),   cmocka_unit_test(connected_unreliably),
		cmocka_unit_test(datagrams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
