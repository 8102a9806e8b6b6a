// SPDX-License-Identifier: GPL-2.0
/* Unreliable datagrams: receive. */
#include "qp_fixture.h"

static void receives(void **state)
{
	static const struct row rows[] = {
		{ "the payload follows the GRH, and byte_len includes both",
		  { RECV(100), RX(SEND_ONLY, 200, .len = 10, .ack = true, .se = true), TX },
		  "grh scatter(40,10) rwc 1001=50<0x11S tx -" },
		{ "an empty one", { RECV(40), RX(SEND_ONLY, 200) }, "grh rwc 1001=40<0x11" },
		{ "with immediate",
		  { RECV(41), RX(SEND_ONLY_IMM, 200, .len = 1, .imm = 6) },
		  "grh scatter(40,1) rwc 1001=41i6<0x11" },
		{ "any PSN: there are many senders",
		  { QUIET, WATCH(OUT_OF_SEQ), RECV(99), RECV(99), RECV(99),
		    RX(SEND_ONLY, 0xffffff), RX(SEND_ONLY, 0), RX(SEND_ONLY, 0) },
		  "rwc 1001=40<0x11 rwc 1002=40<0x11 rwc 1003=40<0x11" },
		{ "in RTR, with no connection to establish",
		  { QUIET, TO(RESET), TO(INIT),
		    MODIFY(ALL_ATTRS | ROCE_QP_STATE, .state = ROCE_RTR, .qkey = FIXTURE_QKEY),
		    RECV(99), RX(SEND_ONLY, 200) },
		  "rwc 1001=40<0x11" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UD, false);
}

static void drops(void **state)
{
	static const struct row rows[] = {
		{ "another Q_Key",
		  { WATCH(BAD_QKEY), RECV(99), RX(SEND_ONLY, 200, .qkey = 0x1235), STATE },
		  "+bad-qkey RTS" },
		{ "the former Q_Key",
		  { WATCH(BAD_QKEY), MODIFY(ROCE_QP_QKEY, .qkey = 0x80010000), RECV(99),
		    RX(SEND_ONLY, 200), RX(SEND_ONLY, 200, .qkey = 0x80010000) },
		  "+bad-qkey grh rwc 1001=40<0x11" },
		{ "no receive WQE",
		  { WATCH(NO_RECV), RX(SEND_ONLY, 200), STATE },
		  "+no-recv RTS" },
		{ "too long for the receive WQE, which is kept",
		  { WATCH(BAD_REQUEST), RECV(44), RX(SEND_ONLY, 200, .len = 5),
		    RX(SEND_ONLY, 201, .len = 4), STATE },
		  "+bad-req grh scatter(40,4) rwc 1001=44<0x11 RTS" },
		{ "no room for the GRH",
		  { WATCH(BAD_REQUEST), RECV(39), RX(SEND_ONLY, 200), STATE },
		  "+bad-req RTS" },
		{ "other services' packets",
		  { WATCH(BAD_STATE), RECV(99), RX(SEND_ONLY, 200, .foreign = true),
		    RX(ACKNOWLEDGE, 100, .foreign = true) },
		  "+bad-state +bad-state" },
		{ "all packets in ERR",
		  { WATCH(BAD_STATE), TO(ERR), RX(SEND_ONLY, 200) },
		  "+bad-state" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UD, false);
}

static void own_errors(void **state)
{
	static const struct row rows[] = {
		{ "a malformed receive WQE",
		  { FAULT(RECV), RECV(99), RX(SEND_ONLY, 200), STATE },
		  "rwc 1001=loc-op ERR" },
		{ "memory of the GRH",
		  { FAULT(GRH), RECV(99), RX(SEND_ONLY, 200), STATE },
		  "grh rwc 1001=loc-prot ERR" },
		{ "memory of the payload",
		  { FAULT(SCATTER), RECV(99), RX(SEND_ONLY, 200, .len = 1), STATE },
		  "grh scatter(40,1) rwc 1001=loc-prot ERR" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UD, false);
}

/* A receive WQE of a shared queue that a QP cannot use must fail, not be kept. */
static void shared(void **state)
{
	static const struct row rows[] = {
		{ "too long for the receive WQE",
		  { RECV(44), RX(SEND_ONLY, 200, .len = 5), STATE },
		  "rwc 1001=loc-len ERR" },
		{ "no room for the GRH", { RECV(39), RX(SEND_ONLY, 200), STATE }, "rwc 1001=loc-len ERR" },
		{ "no receive WQE",
		  { WATCH(NO_RECV), RX(SEND_ONLY, 200), STATE },
		  "+no-recv RTS" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UD, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(receives),
		cmocka_unit_test(drops),
		cmocka_unit_test(own_errors),
		cmocka_unit_test(shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
