// SPDX-License-Identifier: GPL-2.0
/* Unreliable connection: receive. */
#include "qp_fixture.h"

/* Payload of a full packet. */
#define FULL .len = FIXTURE_MTU

static void accepts(void **state)
{
	static const struct row rows[] = {
		{ "a SEND, without an ACK even with AckReq",
		  { RECV(9), RX(SEND_ONLY, 200, .len = 5, .ack = true, .se = true), TX },
		  "scatter(0,5) rwc 1001=5S tx -" },
		{ "a SEND of three packets, with immediate",
		  { RECV(4000), RX(SEND_FIRST, 200, FULL), RX(SEND_MIDDLE, 201, FULL),
		    RX(SEND_LAST_IMM, 202, .len = 2, .imm = 3) },
		  "scatter(0,1024) scatter(1024,1024) scatter(2048,2) rwc 1001=2050i3" },
		{ "a WRITE",
		  { RX(WRITE_FIRST, 200, FULL, .va = 0x1000, .dma_len = 1025),
		    RX(WRITE_LAST, 201, .len = 1) },
		  "key(W,0x1000,1025) write(0x1000,1024) write(0x1400,1)" },
		{ "a WRITE with immediate",
		  { RECV(0),
		    RX(WRITE_ONLY_IMM, 200, .va = 0x10, .dma_len = 3, .len = 3, .imm = 4) },
		  "key(W,0x10,3) write(0x10,3) rwc 1001=w3i4" },
		{ "over the PSN wrap",
		  { QUIET, WATCH(OUT_OF_SEQ), MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xfffffe),
		    RECV(9000), RECV(9), RX(SEND_FIRST, 0xfffffe, FULL),
		    RX(SEND_MIDDLE, 0xffffff, FULL), RX(SEND_LAST, 0, .len = 4),
		    RX(SEND_ONLY, 1) },
		  "rwc 1001=2052 rwc 1002=0" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UC, false);
}

/* A lost packet discards its message and no other. */
static void losses(void **state)
{
	static const struct row rows[] = {
		{ "a whole message",
		  { WATCH(OUT_OF_SEQ), RECV(9), RX(SEND_ONLY, 203, .len = 5) },
		  "+out-of-seq scatter(0,5) rwc 1001=5" },
		{ "a first packet: the rest is dropped, the next message is received",
		  { QUIET, WATCH(BAD_REQUEST), RECV(4000), RX(SEND_MIDDLE, 201, FULL),
		    RX(SEND_LAST, 202, FULL), RX(SEND_ONLY, 203, .len = 5) },
		  "+bad-req +bad-req rwc 1001=5" },
		{ "a middle one: the next message uses the receive WQE",
		  { WATCH(OUT_OF_SEQ), RECV(4000), RECV(9), RX(SEND_FIRST, 200, FULL),
		    RX(SEND_LAST, 202, .len = 1), RX(SEND_ONLY, 203, .len = 5) },
		  "scatter(0,1024) +out-of-seq scatter(0,5) rwc 1001=5" },
		{ "a last one: another message starts",
		  { WATCH(OUT_OF_SEQ), RECV(4000), RX(SEND_FIRST, 200, FULL),
		    RX(SEND_FIRST, 202, FULL), RX(SEND_LAST, 203, .len = 1) },
		  "scatter(0,1024) +out-of-seq scatter(0,1024) scatter(1024,1) rwc 1001=1025" },
		{ "of a WRITE",
		  { RX(WRITE_FIRST, 200, FULL, .va = 0x1000, .dma_len = 3072),
		    RX(WRITE_LAST, 202, FULL),
		    RX(WRITE_ONLY, 203, .va = 0x9000, .dma_len = 1, .len = 1) },
		  "key(W,0x1000,3072) write(0x1000,1024) key(W,0x9000,1) write(0x9000,1)" },
		{ "across the PSN wrap",
		  { QUIET, WATCH(OUT_OF_SEQ), MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xffffff),
		    RECV(9000), RX(SEND_FIRST, 0xffffff, FULL), RX(SEND_LAST, 1, .len = 4),
		    RX(SEND_ONLY, 2) },
		  "+out-of-seq rwc 1001=0" },
		{ "a duplicate packet: its message is dropped",
		  { WATCH(OUT_OF_SEQ), RECV(9000), RX(SEND_FIRST, 200, FULL),
		    RX(SEND_MIDDLE, 201, FULL), RX(SEND_MIDDLE, 201, FULL),
		    RX(SEND_LAST, 202, .len = 1) },
		  "scatter(0,1024) scatter(1024,1024) +out-of-seq" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UC, false);
}

/* Errors of the peer drop the message, without a NAK or a change of state. */
static void drops(void **state)
{
	static const struct row rows[] = {
		{ "no receive WQE at the first packet, although one is posted before the last",
		  { WATCH(NO_RECV), RX(SEND_FIRST, 200, FULL), RECV(9000),
		    RX(SEND_LAST, 201, .len = 1), RX(SEND_ONLY, 202), TX, STATE },
		  "+no-recv rwc 1001=0 tx - RTS" },
		{ "a message that does not fit: the receive WQE is kept",
		  { WATCH(BAD_REQUEST), RECV(4), RX(SEND_ONLY, 200, .len = 5),
		    RX(SEND_ONLY, 201, .len = 4), STATE },
		  "+bad-req scatter(0,4) rwc 1001=4 RTS" },
		{ "a message whose last packet does not fit",
		  { QUIET, WATCH(BAD_REQUEST), RECV(1030), RX(SEND_FIRST, 200, FULL),
		    RX(SEND_LAST, 201, .len = 7), RX(SEND_ONLY, 202), STATE },
		  "+bad-req rwc 1001=0 RTS" },
		{ "a first packet that is not full",
		  { WATCH(BAD_REQUEST), RECV(9), RX(SEND_FIRST, 200, .len = 4), STATE },
		  "+bad-req RTS" },
		{ "an empty last packet",
		  { QUIET, WATCH(BAD_REQUEST), RECV(9000), RX(SEND_FIRST, 200, FULL),
		    RX(SEND_LAST, 201), STATE },
		  "+bad-req RTS" },
		{ "a WRITE going on as a SEND, and as neither",
		  { QUIET, WATCH(BAD_REQUEST), RECV(9000),
		    RX(WRITE_FIRST, 200, FULL, .dma_len = 3072), RX(SEND_LAST, 201, .len = 1),
		    RX(WRITE_LAST, 202, FULL), STATE },
		  "+bad-req +bad-req RTS" },
		{ "a message within a message: the first is dropped",
		  { RECV(9000), RX(SEND_FIRST, 200, FULL), RX(SEND_ONLY, 201, .len = 1) },
		  "scatter(0,1024) scatter(0,1) rwc 1001=1" },
		{ "an invalid key",
		  { WATCH(BAD_REQUEST), RX(WRITE_ONLY, 200, .rkey = 5, .dma_len = 1, .len = 1),
		    STATE },
		  "key(W,0,1) +bad-req RTS" },
		{ "a right that the QP does not grant",
		  { WATCH(BAD_REQUEST), MODIFY(ROCE_QP_ACCESS, .access = ROCE_ACCESS_REMOTE_READ),
		    RX(WRITE_ONLY, 200, .dma_len = 1, .len = 1), STATE },
		  "+bad-req RTS" },
		{ "a WRITE longer than any message",
		  { WATCH(BAD_REQUEST), RX(WRITE_FIRST, 200, FULL, .dma_len = 0x80000001), STATE },
		  "+bad-req RTS" },
		{ "a WRITE longer and one shorter than announced",
		  { QUIET, WATCH(BAD_REQUEST), RX(WRITE_ONLY, 200, .dma_len = 3, .len = 4),
		    RX(WRITE_ONLY, 201, .dma_len = 3, .len = 2),
		    RX(WRITE_FIRST, 202, FULL, .dma_len = 1024), STATE },
		  "+bad-req +bad-req +bad-req RTS" },
		{ "invalidated memory, and the rest of the message",
		  { WATCH(BAD_REQUEST), FAULT(WRITE),
		    RX(WRITE_FIRST, 200, FULL, .va = 0x1000, .dma_len = 1025), FAULT(KEY),
		    RX(WRITE_LAST, 201, .len = 1), STATE },
		  "key(W,0x1000,1025) write(0x1000,1024) +bad-req +bad-req RTS" },
		{ "a WRITE with immediate and no receive WQE: the memory is left alone",
		  { WATCH(NO_RECV), RX(WRITE_ONLY_IMM, 200, .dma_len = 1, .len = 1), STATE },
		  "key(W,0,1) +no-recv RTS" },
		{ "other services' packets, acknowledgements among them",
		  { WATCH(BAD_STATE), RECV(9), RX(SEND_ONLY, 200, .foreign = true),
		    RX(ACKNOWLEDGE, 100, .foreign = true),
		    RX(READ_REQUEST, 200, .foreign = true, .dma_len = 1), TX },
		  "+bad-state +bad-state +bad-state tx -" },
		{ "all packets in ERR",
		  { WATCH(BAD_STATE), RECV(9), TO(ERR), RX(SEND_ONLY, 200) },
		  "+bad-state" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UC, false);
}

/* Local errors move the QP to ERR, without a NAK. */
static void own_errors(void **state)
{
	static const struct row rows[] = {
		{ "a malformed receive WQE",
		  { FAULT(RECV), RECV(9), RX(SEND_ONLY, 200), STATE, TX, FLUSH(9) },
		  "rwc 1001=loc-op ERR tx - flushed" },
		{ "its memory",
		  { QUIET, FAULT(SCATTER), RECV(9), RECV(9), RX(SEND_ONLY, 200, .len = 1), STATE,
		    TX, FLUSH(9) },
		  "rwc 1001=loc-prot ERR tx - rwc 1002=flush flushed" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UC, false);
}

static void states(void **state)
{
	static const struct row rows[] = {
		{ "the first packet in RTR establishes the connection",
		  { QUIET, TO(RESET), TO(INIT),
		    MODIFY(ALL_ATTRS | ROCE_QP_STATE, .state = ROCE_RTR, .rq_psn = 5,
			   .mtu = 256),
		    RECV(9), RECV(9), RX(SEND_ONLY, 5), RX(SEND_ONLY, 6) },
		  "ev comm-est rwc 1001=0 rwc 1002=0" },
		{ "RESET drops the message and its receive WQE",
		  { QUIET, WATCH(BAD_REQUEST), RECV(9000), RX(SEND_FIRST, 200, FULL), TO(RESET),
		    TO(INIT),
		    MODIFY(ALL_ATTRS | ROCE_QP_STATE, .state = ROCE_RTR, .rq_psn = 201,
			   .mtu = 1024),
		    RECV(9), RX(SEND_LAST, 201, .len = 1), RX(SEND_ONLY, 202) },
		  "ev comm-est +bad-req rwc 1002=0" },
		{ "ERR flushes the receive WQE in use",
		  { QUIET, RECV(9000), RECV(9), RX(SEND_FIRST, 200, FULL), TO(ERR), FLUSH(9) },
		  "rwc 1001=flush rwc 1002=flush flushed" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UC, false);
}

static void shared(void **state)
{
	static const struct row rows[] = {
		{ "too long for a receive WQE of a shared queue",
		  { RECV(1025), RX(SEND_FIRST, 200, .len = FIXTURE_MTU),
		    RX(SEND_LAST, 201, .len = 2),
		    STATE },
		  "scatter(0,1024) rwc 1001=loc-len ERR" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UC, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts),    cmocka_unit_test(losses), cmocka_unit_test(drops),
		cmocka_unit_test(own_errors), cmocka_unit_test(states), cmocka_unit_test(shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
