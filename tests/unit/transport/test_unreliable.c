// SPDX-License-Identifier: GPL-2.0
/* UC, UD and raw QPs: transmit. */
#include "qp_fixture.h"

#define K *1024u

static void connections(void **state)
{
	static const struct row rows[] = {
		{ "a SEND completes at the next call",
		  { POST(SEND, .len = 5), TX, TX, DEADLINE },
		  "tx SO@100<0+5 wc 1=ok tx - never" },
		{ "no packet has AckReq, and there is no window",
		  { WINDOW(1), ACK_INTERVAL(1), POST(SEND, .len = 5 K + 1), TX, TX },
		  "tx SF@100<0+1024 tx SM@101x4<1024+1024 tx SL@105<5120+1 wc 1=ok tx -" },
		{ "several in a batch, in order",
		  { POST(SEND_IMM, .imm = 7, .flags = ROCE_WR_SOLICITED),
		    POST(WRITE, .va = 0x1000, .len = 1500),
		    POST(WRITE_IMM, .va = 0x10, .len = 4, .imm = 9), TX, TX },
		  "tx SOi@100[7]<0+0S tx WF@101[0x1000,1500]<0+1024 tx WL@102<1024+476 tx WOi@103[0x10,4][9]<0+4 wc 1=ok wc 2=ok wc 3=ok tx -" },
		{ "in pieces: completed with the last",
		  { POST(SEND, .len = 4 K), TXN(1), TXN(2), TXN(1), TXN(1) },
		  "tx SF@100<0+1024 tx SM@101x2<1024+1024 tx SL@103<3072+1024 wc 1=ok tx -" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), POST(SEND, .len = 4 K), POST(SEND),
		    TX, TX },
		  "tx SF@16777214<0+1024 tx SM@16777215x2<1024+1024 tx SL@1<3072+1024 tx SO@2<0+0 wc 1=ok wc 2=ok tx -" },
		{ "without room, copied WQEs complete and no packet is sent",
		  { POST(SEND, .len = 2 K), POST(SEND), TXN(2), TXN(0), TX },
		  "tx SF@100<0+1024 tx SL@101<1024+1024 wc 1=ok tx - tx SO@102<0+0" },
		{ "an unsignaled SEND has no completion",
		  { POST(SEND, .flags = ROCE_WR_SIGNALED), TX, TX },
		  "tx SO@100<0+0 tx -" },
		{ "a fence waits for nothing",
		  { POST(SEND), POST(SEND, .flags = ROCE_WR_FENCE), TX },
		  "tx SO@100<0+0 tx SO@101<0+0" },
		{ "local operations in order",
		  { POST(REG_MR), POST(SEND), POST(BIND_MW), POST(SEND), TX, TX },
		  "local(1) wc 1=ok local(3) tx SO@100<0+0 tx SO@101<0+0 wc 2=ok wc 3=ok wc 4=ok tx -" },
		{ "a key is invalidated after the payloads that use it are copied",
		  { POST(SEND), POST(LOCAL_INV), POST(SEND), TX, TX, TX },
		  "tx SO@100<0+0 wc 1=ok local(2) wc 2=ok tx SO@101<0+0 wc 3=ok tx -" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UC, false);
}

static void errors(void **state)
{
	static const struct row rows[] = {
		{ "an unsupported operation fails; WQEs before it succeed",
		  { POST(SEND), POST(READ, .len = 1), POST(SEND), TX, TX, STATE, FLUSH(9), TX },
		  "tx SO@100<0+0 wc 1=ok wc 2=loc-op,1 tx - SQE wc 3=flush flushed tx -" },
		{ "an atomic", { POST(FETCH_ADD, .len = 8), TX, STATE }, "wc 1=loc-op,8 tx - SQE" },
		{ "a congestion notification is ignored: there is no window",
		  { WATCH(CNP_IGNORED), RX(CNP, 0, .foreign = true, .becn = true), STATE },
		  "+cnp-ignored RTS" },
		{ "a SEND with invalidate", { POST(SEND_INV), TX, STATE }, "wc 1=loc-op tx - SQE" },
		{ "found when it was posted",
		  { POST(SEND, .status = ROCE_LOC_LEN_ERR), TX, STATE },
		  "wc 1=loc-len tx - SQE" },
		{ "keys", { FAULT(SGES), POST(SEND), TX, STATE }, "wc 1=loc-prot tx - SQE" },
		{ "inline data has no keys",
		  { FAULT(SGES), POST(SEND, .flags = ROCE_WR_INLINE), TX, STATE },
		  "tx SO@100<0+0 RTS" },
		{ "a local operation",
		  { FAULT(LOCAL), POST(BIND_MW), POST(SEND), TX, STATE, FLUSH(9) },
		  "local(1) wc 1=bind tx - SQE wc 2=flush flushed" },
		{ "memory invalidated before the copy; WQEs copied before it succeed",
		  { POST(SEND), POST(SEND), POST(SEND), TX, TX_FAILED(1), STATE, FLUSH(9), TX },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0 wc 1=ok wc 2=loc-prot SQE wc 3=flush flushed tx -" },
		{ "of two runs of one batch the first counts",
		  { POST(SEND, .len = 3 K), TX, TX_FAILED(0), TX_FAILED(1), STATE },
		  "tx SF@100<0+1024 tx SM@101<1024+1024 tx SL@102<2048+1024 wc 1=loc-prot SQE" },
		{ "WQEs posted in SQE are flushed, too, in parts",
		  { POST(READ), TX, FLUSH(9), POST(SEND), POST(SEND), FLUSH(1), FLUSH(9) },
		  "wc 1=loc-op tx - flushed wc 2=flush more wc 3=flush flushed" },
		{ "the receive queue is not affected",
		  { QUIET, RECV(9), POST(READ), TX, FLUSH(9), RX(SEND_ONLY, 200), STATE },
		  "wc 1=loc-op tx - flushed rwc 1001=0 SQE" },
		{ "back to RTS: flushed WQEs are not sent, and the PSN continues",
		  { POST(SEND), POST(READ), POST(SEND), TX, TX, TO(RTS), POST(SEND), TX, TX },
		  "tx SO@100<0+0 wc 1=ok wc 2=loc-op tx - wc 3=flush tx SO@101<0+0 wc 4=ok tx -" },
		{ "into ERR: the receive queue, too",
		  { RECV(1), POST(READ), POST(SEND), TX, TO(ERR), FLUSH(9) },
		  "wc 1=loc-op tx - wc 2=flush rwc 1001=flush flushed" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UC, false);
}

static void states(void **state)
{
	static const struct row rows[] = {
		{ "drained at once", { TO(SQD), STATE }, "ev drained SQD" },
		{ "drained when the started WQE has been copied; no new one is started",
		  { POST(SEND, .len = 2 K), POST(SEND), TXN(1), TO(SQD), TX, TX, TX, TO(RTS), TX },
		  "tx SF@100<0+1024 tx SL@101<1024+1024 wc 1=ok ev drained tx - tx - tx SO@102<0+0" },
		{ "an error while draining",
		  { POST(SEND), TX, TO(SQD), TX_FAILED(0), STATE },
		  "tx SO@100<0+0 wc 1=loc-prot SQE" },
		{ "ERR flushes WQEs in transmission",
		  { POST(SEND), POST(SEND), TXN(1), TO(ERR), TX, FLUSH(9) },
		  "tx SO@100<0+0 tx - wc 1=flush wc 2=flush flushed" },
		{ "a failed payload comes too late in ERR",
		  { POST(SEND), TX, TO(ERR), FLUSH(9), TX_FAILED(0), STATE },
		  "tx SO@100<0+0 wc 1=flush flushed ERR" },
		{ "RESET drops all WQEs, and the QP can be used again",
		  { POST(SEND, .len = 2 K), TXN(1), TO(RESET), TX, TO(INIT),
		    MODIFY(ALL_ATTRS | ROCE_QP_STATE, .state = ROCE_RTR, .dest_qpn = FIXTURE_QPN,
			   .sq_psn = 7, .mtu = 256),
		    TO(RTS), POST(SEND, .len = 257), TX, TX },
		  "tx SF@100<0+1024 tx - tx SF@7<0+256 tx SL@8<256+1 wc 2=ok tx -" },
		{ "RTR sends nothing",
		  { TO(RESET), TO(INIT), TO(RTR), POST(SEND), TX },
		  "tx -" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UC, false);
}

static void datagrams(void **state)
{
	static const struct row rows[] = {
		{ "each is a packet, with Q_Key and sender",
		  { POST(SEND, .len = 1024), POST(SEND_IMM, .len = 3, .imm = 5), TX, TX },
		  "tx SO@100[0x1234,0x22]<0+1024 tx SOi@101[0x1234,0x22][5]<0+3 wc 1=ok wc 2=ok tx -" },
		{ "over the PSN wrap, solicited",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), POST(SEND),
		    POST(SEND, .flags = ROCE_WR_SOLICITED), TX },
		  "tx SO@16777215[0x1234,0x22]<0+0 tx SO@0[0x1234,0x22]<0+0S" },
		{ "longer than the MTU: fails in order",
		  { POST(SEND), POST(SEND, .len = 1025), POST(SEND), TX, TX, STATE, FLUSH(9) },
		  "tx SO@100[0x1234,0x22]<0+0 wc 1=ok wc 2=loc-len tx - SQE wc 3=flush flushed" },
		{ "no WRITE", { POST(WRITE), TX, STATE }, "wc 1=loc-op tx - SQE" },
		{ "no memory windows", { POST(BIND_MW), TX, STATE }, "wc 1=loc-op tx - SQE" },
		{ "keys", { FAULT(SGES), POST(SEND), TX, STATE }, "wc 1=loc-prot tx - SQE" },
		{ "memory invalidated before the copy",
		  { POST(SEND, .len = 1), TX, TX_FAILED(0), STATE },
		  "tx SO@100[0x1234,0x22]<0+1 wc 1=loc-prot SQE" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_OP_UD, false);
}

/* The path MTU does not limit frames. */
static void frames(void **state)
{
	static const struct row rows[] = {
		{ "each is a message, with nothing added",
		  { POST(SEND, .len = 14), POST(SEND, .len = 9003), TX, TX, DEADLINE },
		  "tx frame+14 tx frame+9003 wc 1=ok wc 2=ok tx - never" },
		{ "in pieces",
		  { POST(SEND, .len = 60), POST(SEND, .len = 61), TXN(1), TXN(1), TXN(1) },
		  "tx frame+60 wc 1=ok tx frame+61 wc 2=ok tx -" },
		{ "the PSN, which frames do not carry, wraps",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), POST(SEND, .len = 60),
		    POST(SEND, .len = 61), POST(SEND, .len = 62), TX, TX },
		  "tx frame+60 tx frame+61 tx frame+62 wc 1=ok wc 2=ok wc 3=ok tx -" },
		{ "nothing but SEND",
		  { POST(SEND, .len = 60), POST(SEND_IMM, .len = 60), POST(SEND), TX, TX, STATE,
		    FLUSH(9) },
		  "tx frame+60 wc 1=ok wc 2=loc-op tx - SQE wc 3=flush flushed" },
		{ "no memory windows", { POST(BIND_MW), TX, STATE }, "wc 1=loc-op tx - SQE" },
		{ "keys", { FAULT(SGES), POST(SEND), TX, STATE }, "wc 1=loc-prot tx - SQE" },
		{ "memory invalidated before the copy",
		  { POST(SEND, .len = 60), TX, TX_FAILED(0), STATE },
		  "tx frame+60 wc 1=loc-prot SQE" },
		{ "it receives nothing; posted receive WQEs are flushed",
		  { WATCH(BAD_STATE), RECV(99), RX(SEND_ONLY, 200, .foreign = true), TO(ERR),
		    FLUSH(9) },
		  "+bad-state rwc 1001=flush flushed" },
	};

	(void)state;
	fixture_run_all_service(rows, ROCE_RAW, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(connections),
		cmocka_unit_test(errors),
		cmocka_unit_test(states),
		cmocka_unit_test(datagrams),
		cmocka_unit_test(frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
