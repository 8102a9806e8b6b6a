// SPDX-License-Identifier: GPL-2.0
/* Entry points of the transport: states, attributes, flushing, limits. */
#include "qp_fixture.h"
#include <roce/info.h>

#define K *1024u

static void drains(void **state)
{
	static const struct row rows[] = {
		{ "nothing in flight", { TO(SQD), STATE }, "ev drained SQD" },
		{ "a READ goes on in chunks though the initiator depth becomes 0, new ones fail",
		  { QUIET, MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 1), WINDOW(2), CONGESTED,
		    POST(READ, .len = 5 K), TX, TO(SQD),
		    MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 0), TX,
		    RX(READ_RESP_FIRST, 100, .len = 1 K), RX(READ_RESP_MIDDLE, 101, .len = 1 K),
		    RX(READ_RESP_MIDDLE, 102, .len = 1 K), RX(READ_RESP_LAST, 103, .len = 1 K), TX,
		    RX(READ_RESP_ONLY, 104, .len = 1 K), TO(RTS), POST(READ, .len = 1), TX },
		  "tx R@100[0,4096]A tx - tx R@104[0x1000,1024]A wc 1=ok,5120 ev drained wc 2=loc-op,1 tx -" },
		{ "after the WQEs in flight; no new one is started",
		  { POST(SEND), POST(SEND), TXN(1), TO(SQD), TX, ACK(100), TX, TO(RTS), TX },
		  "tx SO@100<0+0A tx - wc 1=ok ev drained tx - tx SO@101<0+0A" },
		{ "a WQE sent in part is finished",
		  { WINDOW(1), POST(SEND, .len = 2 K), TX, TO(SQD), ACK(100), TX, ACK(101) },
		  "tx SF@100<0+1024A tx SL@101<1024+1024A wc 1=ok ev drained" },
		{ "a lost packet is retransmitted",
		  { POST(SEND), TX, TO(SQD), DEADLINE, TX, ACK(100) },
		  "tx SO@100<0+0A tx SO@100<0+0A wc 1=ok ev drained" },
		{ "one event each time",
		  { TO(SQD), TO(RTS), POST(SEND), TX, TO(SQD), ACK(100), TO(SQD) },
		  "ev drained tx SO@100<0+0A wc 1=ok ev drained" },
		{ "not in RTS", { POST(SEND), TX, ACK(100) }, "tx SO@100<0+0A wc 1=ok" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void flushes(void **state)
{
	static const struct row rows[] = {
		{ "only in ERR", { POST(SEND), RECV(1), FLUSH(9) }, "flushed" },
		{ "both queues, in order",
		  { RECV(1), RECV(1), POST(SEND), POST(WRITE), POST(READ), TO(ERR), FLUSH(99) },
		  "wc 1=flush wc 2=flush wc 3=flush rwc 1001=flush rwc 1002=flush flushed" },
		{ "in pieces",
		  { RECV(1), RECV(1), POST(SEND), POST(SEND), TO(ERR), FLUSH(0), FLUSH(1), FLUSH(2),
		    FLUSH(1), FLUSH(1) },
		  "more wc 1=flush more wc 2=flush rwc 1001=flush more rwc 1002=flush more flushed" },
		{ "the receive WQE in use, too",
		  { QUIET, RECV(9 K), RX(SEND_FIRST, 200, .len = 1 K), TO(ERR), FLUSH(9) },
		  "rwc 1001=flush flushed" },
		{ "a malformed receive WQE, too",
		  { RECV(9), FAULT(RECV), TO(ERR), FLUSH(9) },
		  "rwc 1001=flush flushed" },
		{ "an executed local operation has been executed",
		  { POST(SEND), POST(REG_MR), TX, TO(ERR), FLUSH(9) },
		  "local(2) tx SO@100<0+0A wc 1=flush wc 2=ok flushed" },
		{ "unsignaled ones, too",
		  { POST(SEND, .flags = ROCE_WR_SIGNALED), TO(ERR), FLUSH(9) },
		  "wc 1=flush flushed" },
		{ "the rest of a message is not sent in ERR",
		  { POST(SEND, .len = 3 K), TXN(1), TO(ERR), TX, FLUSH(9) },
		  "tx SF@100<0+1024 tx - wc 1=flush flushed" },
		{ "WQEs posted in ERR",
		  { TO(ERR), FLUSH(9), POST(SEND), RECV(1), TX, FLUSH(9) },
		  "flushed tx - wc 1=flush rwc 1001=flush flushed" },
		{ "nothing is left",
		  { POST(SEND), TO(ERR), FLUSH(9), FLUSH(9) },
		  "wc 1=flush flushed flushed" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* A QP on a shared receive queue. */
static void last_wqe(void **state)
{
	static const struct row rows[] = {
		{ "an unused receive WQE stays in the shared queue; one event",
		  { RECV(9), TO(ERR), FLUSH(9), FLUSH(9), RECV(9), FLUSH(9) },
		  "ev last-wqe flushed flushed flushed" },
		{ "after the receive WQE in use, and the send queue",
		  { QUIET, RECV(9 K), RECV(9), RX(SEND_FIRST, 200, .len = 1 K), POST(SEND), TO(ERR),
		    FLUSH(1), FLUSH(1), FLUSH(1), FLUSH(1) },
		  "wc 1=flush more rwc 1001=flush more ev last-wqe flushed flushed" },
		{ "only in ERR", { RECV(9), FLUSH(9) }, "flushed" },
		{ "again after RESET",
		  { TO(ERR), FLUSH(9), TO(RESET), TO(INIT), TO(ERR), FLUSH(9) },
		  "ev last-wqe flushed ev last-wqe flushed" },
	};

	static const struct row at_fault[] = {
		{ "after the receive WQE at fault",
		  { FAULT(RECV), RECV(9), RX(SEND_ONLY, 200), FLUSH(9) },
		  "rwc 1001=loc-op ev last-wqe flushed" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_RC, true);
	fixture_run_all_service(rows, ROCE_OP_UC, true);
	fixture_run_all_service(at_fault, ROCE_OP_UC, true);
}

static void failed_payloads(void **state)
{
	static const struct row rows[] = {
		{ "of the only WQE",
		  { POST(SEND, .len = 1), TX, TX_FAILED(0), STATE, DEADLINE },
		  "tx SO@100<0+1A wc 1=loc-prot ERR never" },
		{ "of one behind others",
		  { POST(SEND), POST(SEND), POST(SEND), TX, TX_FAILED(1), FLUSH(9) },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0A wc 1=flush wc 2=loc-prot wc 3=flush flushed" },
		{ "of two runs of one batch: the first counts",
		  { POST(SEND, .len = 3 K), TX, TX_FAILED(0), TX_FAILED(1), STATE },
		  "tx SF@100<0+1024 tx SM@101<1024+1024 tx SL@102<2048+1024A wc 1=loc-prot ERR" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

#define AGAIN                                                                              \
	MODIFY(ALL_ATTRS | ROCE_QP_STATE, .state = ROCE_RTR, .pkey = 0xffff,             \
	       .dest_qpn = FIXTURE_QPN, .sq_psn = 7, .rq_psn = 8, .mtu = 256, .timeout = 14, \
	       .retry_cnt = 1, .rnr_retry = 1, .max_rd_atomic = 1)

static void resets(void **state)
{
	static const struct row rows[] = {
		{ "drops all WQEs without completions",
		  { QUIET, RECV(9), POST(SEND), POST(READ, .len = 1), TX, TO(RESET), TX, DEADLINE,
		    FLUSH(9), STATE },
		  "tx SO@100<0+0 tx R@101[0,1]A tx - never flushed RESET" },
		{ "usable again, with other attributes",
		  { QUIET, RECV(9 K), POST(READ, .len = 1), TX, RX(SEND_FIRST, 200, .len = 1 K),
		    TO(RESET), TO(INIT), AGAIN, TO(RTS), RECV(9 K), POST(SEND, .len = 300), TX,
		    RX(SEND_ONLY, 8, .ack = true), TX, ACK(8) },
		  "tx R@100[0,1]A tx SF@7<0+256 tx SL@8<256+44A rwc 1002=0 tx ACK@8m1 wc 2=ok" },
		{ "from ERR, and with the RNR timer active",
		  { QUIET, POST(SEND), TX, RNR(100, 31), TO(ERR), FLUSH(9), TO(RESET), TO(INIT),
		    AGAIN, TO(RTS), POST(SEND), TX, ACK(7) },
		  "tx SO@100<0+0A wc 1=flush flushed tx SO@7<0+0A wc 2=ok" },
		{ "responder resources are freed",
		  { QUIET, WATCH(BAD_DUP), RX(FETCH_ADD, 200), RX(FETCH_ADD, 201), TXN(1),
		    TO(RESET), TO(INIT),
		    MODIFY(ALL_ATTRS | ROCE_QP_STATE, .state = ROCE_RTR, .rq_psn = 201,
			   .mtu = 1024, .dest_qpn = FIXTURE_QPN),
		    RX(FETCH_ADD, 200), TX },
		  "tx AA@200[1]m1 ev comm-est +bad-dup tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void not_ready(void **state)
{
	static const struct row rows[] = {
		{ "INIT sends nothing",
		  { POST(SEND), TX, DEADLINE, TO(ERR), FLUSH(9) },
		  "tx - never wc 1=flush flushed" },
		{ "RTR sends no requests",
		  { TO(RTR), POST(SEND), TX, TO(RTS), TX },
		  "tx - tx SO@100<0+0A" },
		{ "no timeout in RTR", { TO(RTR), PASS(9999 * MS), STATE }, "RTR" },
		{ "SQE sends no requests", { TO(RTR), TO(RTS), POST(SEND), TO(SQE), TX }, "tx -" },
	};

	(void)state;
	fixture_run_all(rows, false);
}

/* IBTA table 45, in microseconds. */
static void rnr_timers(void **state)
{
	static const u32 us[32] = {
		655360, 10,    20,    30,    40,    60,	    80,	    120,    160,    240,    320,
		480,	640,   960,   1280,  1920,  2560,   3840,   5120,   7680,   10240,  15360,
		20480,	30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520,
	};
	u32 code;

	(void)state;
	for (code = 0; code < 32; code++)
		assert_int_equal(roce_rnr_ns(code), us[code] * 1000ull);
}

/* Ring indices wrap at 2^32. */
static void ring_wrap(void **state)
{
	static const struct step post = POST(SEND), tx = TX,
				 ack[] = { ACK(100), ACK(101), ACK(102) };
	static struct fixture f;
	u32 i;

	(void)state;
	fixture_set_up(&f);
	fixture_set_state(&f, ROCE_RTR);
	fixture_set_state(&f, ROCE_RTS);
	f.qp.sq.prod = f.qp.sq.cons = f.qp.sq.next = 0xfffffffe;
	for (i = 0; i < FIXTURE_DEPTH; i++)
		post.run(&f, &post);
	assert_int_equal(roce_sq_room(&f.qp), 0);
	tx.run(&f, &tx);
	f.len = 0;
	f.log[0] = 0;
	for (i = 0; i < ARRAY_SIZE(ack); i++)
		ack[i].run(&f, &ack[i]);
	assert_string_equal(f.log, "wc 1=ok wc 2=ok wc 3=ok");
	assert_int_equal(roce_sq_room(&f.qp), 3);
}

static void congestion_control_algorithms(void **state)
{
	static struct fixture f;
	const struct roce_cc_ops *ops;
	u32 i;

	(void)state;
	fixture_set_up(&f);
	assert_string_equal(roce_cc_name(0), "delay");
	for (i = 0; roce_cc_name(i); i++) {
		assert_int_equal(roce_set_cc(&f.qp, roce_cc_name(i)), 0);
		assert_string_equal(f.qp.req.cc.ops->name, roce_cc_name(i));
	}
	assert_int_equal(i, 3);
	ops = f.qp.req.cc.ops;
	assert_int_equal(roce_set_cc(&f.qp, "reno"), -EINVAL);
	assert_ptr_equal(f.qp.req.cc.ops, ops);
}

/* A requester with WQEs sent and unsent, and a responder with READs whose responses are paused. */
static void information_on_a_qp(void **state)
{
	static const struct step steps[] = {
		QUIET,
		WINDOW(64),
		POST(SEND),
		POST(SEND),
		POST(READ, .len = 10),
		POST(SEND),
		TXN(3),
		ACK(100),
		RX(READ_REQUEST, 200, .dma_len = 10),
		RX(READ_REQUEST, 201, .dma_len = 10),
	};
	static struct fixture f;
	struct roce_qp_info info;
	u32 i;

	(void)state;
	fixture_set_up(&f);
	fixture_set_state(&f, ROCE_INIT);
	fixture_to_rts(&f);
	for (i = 0; i < ARRAY_SIZE(steps); i++)
		steps[i].run(&f, &steps[i]);
	roce_qp_get_info(&f.qp, &info);
	assert_int_equal(info.sq_posted, 3);
	assert_int_equal(info.sq_unsent, 1);
	assert_int_equal(info.una, 101);
	assert_int_equal(info.nxt, 103);
	assert_int_equal(info.max, 103);
	assert_int_equal(info.rd_atomic, 1);
	assert_int_equal(info.epsn, 202);
	assert_int_equal(info.responses_scheduled, 2);
	assert_int_equal(info.reorder_count, 0);
	assert_int_equal(info.window, 64);
	assert_false(info.rnr_wait);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drains),
		cmocka_unit_test(flushes),
		cmocka_unit_test(failed_payloads),
		cmocka_unit_test(resets),
		cmocka_unit_test(not_ready),
		cmocka_unit_test(rnr_timers),
		cmocka_unit_test(ring_wrap),
		cmocka_unit_test(last_wqe),
		cmocka_unit_test(congestion_control_algorithms),
		cmocka_unit_test(information_on_a_qp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
