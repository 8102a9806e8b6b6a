// SPDX-License-Identifier: GPL-2.0
/* Completer: ACKs, NAKs, READ and atomic responses. */
#include "qp_fixture.h"

#define K *1024u

/* Three SENDs in flight, PSNs 100 to 102. */
#define THREE QUIET, POST(SEND), POST(SEND), POST(SEND), SENT
static void acks(void **state)
{
	static const struct row rows[] = {
		{ "one by one", { THREE, ACK(100), ACK(101), ACK(102) }, "wc 1=ok wc 2=ok wc 3=ok" },
		{ "all at once", { THREE, ACK(102) }, "wc 1=ok wc 2=ok wc 3=ok" },
		{ "twice", { THREE, ACK(101), ACK(101) }, "wc 1=ok wc 2=ok" },
		{ "out of order",
		  { THREE, ACK(101), ACK(100), ACK(102) },
		  "wc 1=ok wc 2=ok wc 3=ok" },
		{ "part of a message",
		  { QUIET, POST(SEND, .len = 3 K), SENT, ACK(101), ACK(102) },
		  "wc 1=ok" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), THREE, ACK(0), ACK(0xffffff),
		    ACK(1) },
		  "wc 1=ok wc 2=ok wc 3=ok" },
		{ "of a PSN beyond snd.max",
		  { WATCH(GHOST_ACK), THREE, ACK(103), STATE },
		  "+ghost RTS" },
		{ "of a PSN behind snd.una", { WATCH(GHOST_ACK), THREE, ACK(99), STATE }, "RTS" },
		{ "with nothing in flight",
		  { WATCH(GHOST_ACK), ACK(100), ACK(99), STATE },
		  "+ghost RTS" },
		{ "SENDs are counted, WRITEs are not",
		  { WATCH(SENDS), POST(SEND), POST(WRITE), POST(SEND_IMM), POST(SEND_INV), SENT,
		    ACK(103) },
		  "+sends wc 1=ok wc 2=ok +sends wc 3=ok +sends wc 4=ok" },
		{ "credits do not matter", { THREE, RX(ACKNOWLEDGE, 100, .syn = 0) }, "wc 1=ok" },
		{ "reserved kind of syndrome",
		  { THREE, RX(ACKNOWLEDGE, 100, .syn = 0x40), STATE },
		  "RTS" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void reads(void **state)
{
	static const struct row rows[] = {
		{ "one packet",
		  { POST(READ, .len = 9), SENT, RX(READ_RESP_ONLY, 100, .len = 9) },
		  "sges(1) scatter(0,9) wc 1=ok,9" },
		{ "empty",
		  { POST(READ), SENT, RX(READ_RESP_ONLY, 100) },
		  "sges(1) scatter(0,0) wc 1=ok" },
		{ "four packets",
		  { POST(READ, .len = 3 K + 1), SENT, RX(READ_RESP_FIRST, 100, .len = 1 K),
		    RX(READ_RESP_MIDDLE, 101, .len = 1 K), RX(READ_RESP_MIDDLE, 102, .len = 1 K),
		    RX(READ_RESP_LAST, 103, .len = 1) },
		  "sges(1) scatter(0,1024) scatter(1024,1024) scatter(2048,1024) scatter(3072,1) wc 1=ok,3073" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), POST(READ, .len = 3 K), SENT,
		    RX(READ_RESP_FIRST, 0xffffff, .len = 1 K), RX(READ_RESP_MIDDLE, 0, .len = 1 K),
		    RX(READ_RESP_LAST, 1, .len = 1 K) },
		  "sges(1) scatter(0,1024) scatter(1024,1024) scatter(2048,1024) wc 1=ok,3072" },
		{ "the response acknowledges the SENDs before it",
		  { QUIET, POST(SEND), POST(SEND), POST(READ, .len = 9), SENT,
		    RX(READ_RESP_ONLY, 102, .len = 9) },
		  "wc 1=ok wc 2=ok wc 3=ok,9" },
		{ "a duplicate response",
		  { POST(READ, .len = 2 K), SENT, RX(READ_RESP_FIRST, 100, .len = 1 K),
		    RX(READ_RESP_FIRST, 100, .len = 1 K), RX(READ_RESP_LAST, 101, .len = 1 K),
		    RX(READ_RESP_LAST, 101, .len = 1 K) },
		  "sges(1) scatter(0,1024) scatter(1024,1024) wc 1=ok,2048" },
		{ "a hole in the response: re-requested at once, and once",
		  { QUIET, WATCH(REWIND), POST(READ, .len = 5 K), SENT,
		    RX(READ_RESP_FIRST, 100, .len = 1 K), RX(READ_RESP_MIDDLE, 102, .len = 1 K), TX,
		    RX(READ_RESP_MIDDLE, 103, .len = 1 K), TX },
		  "+rewind tx R@101[0x400,1024]A tx -" },
		{ "the first response lost",
		  { QUIET, POST(READ, .len = 2 K), SENT, RX(READ_RESP_LAST, 101, .len = 1 K), TX },
		  "tx R@100[0,1024]A" },
		{ "lost as a whole: shown by an ACK beyond it",
		  { QUIET, POST(READ, .len = 2 K), POST(SEND), SENT, ACK(102), TX },
		  "tx R@100[0,2048]A" },
		{ "lost as a whole: shown by the next READ's response",
		  { QUIET, POST(READ, .len = 1), POST(READ, .len = 2), SENT,
		    RX(READ_RESP_ONLY, 101, .len = 2), TX },
		  "tx R@100[0,1]A" },
		{ "an ACK of its PSN does not complete it",
		  { QUIET, POST(READ, .len = 1), SENT, ACK(100), TX,
		    RX(READ_RESP_ONLY, 100, .len = 1) },
		  "tx R@100[0,1]A wc 1=ok,1" },
		{ "after READs, local operations",
		  { QUIET, POST(READ, .len = 1), POST(REG_MR), POST(READ, .len = 1), SENT,
		    RX(READ_RESP_ONLY, 100, .len = 1), RX(READ_RESP_ONLY, 101, .len = 1) },
		  "wc 1=ok,1 wc 2=ok wc 3=ok,1" },
		{ "memory invalidated",
		  { POST(READ, .len = 9), SENT, FAULT(SCATTER), RX(READ_RESP_ONLY, 100, .len = 9),
		    STATE },
		  "sges(1) scatter(0,9) wc 1=loc-prot,9 ERR" },
		{ "too short",
		  { POST(READ, .len = 9), SENT, RX(READ_RESP_ONLY, 100, .len = 8), STATE },
		  "sges(1) wc 1=bad-resp,9 ERR" },
		{ "too long",
		  { POST(READ, .len = 9), SENT, RX(READ_RESP_ONLY, 100, .len = 10) },
		  "sges(1) wc 1=bad-resp,9" },
		{ "first packet too short",
		  { QUIET, POST(READ, .len = 2 K), SENT, RX(READ_RESP_FIRST, 100, .len = 4) },
		  "wc 1=bad-resp,2048" },
		{ "LAST before the end",
		  { QUIET, POST(READ, .len = 2 K), SENT, RX(READ_RESP_ONLY, 100, .len = 1 K) },
		  "wc 1=bad-resp,2048" },
		{ "a MIDDLE in place of the LAST",
		  { QUIET, POST(READ, .len = 2 K), SENT, RX(READ_RESP_FIRST, 100, .len = 1 K),
		    RX(READ_RESP_MIDDLE, 101, .len = 1 K) },
		  "wc 1=bad-resp,2048" },
		{ "data for a SEND",
		  { QUIET, POST(SEND, .len = 8), SENT, RX(READ_RESP_ONLY, 100, .len = 8), STATE },
		  "wc 1=bad-resp ERR" },
		{ "data for an atomic",
		  { QUIET, POST(FETCH_ADD, .len = 8), SENT, RX(READ_RESP_ONLY, 100, .len = 8) },
		  "wc 1=bad-resp,8" },
		{ "a response to no request",
		  { QUIET, WATCH(GHOST_ACK), POST(READ, .len = 8), SENT,
		    RX(READ_RESP_ONLY, 101, .len = 8), STATE },
		  "+ghost RTS" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void atomics(void **state)
{
	static const struct row rows[] = {
		{ "the original value is stored",
		  { POST(FETCH_ADD, .len = 8), SENT, RX(ATOMIC_ACKNOWLEDGE, 100, .compare = 77) },
		  "sges(1) scatter64(77) wc 1=ok,8" },
		{ "a duplicate",
		  { QUIET, POST(COMPARE_SWAP, .len = 8), SENT, RX(ATOMIC_ACKNOWLEDGE, 100),
		    RX(ATOMIC_ACKNOWLEDGE, 100) },
		  "wc 1=ok,8" },
		{ "a lost response, shown by the next one",
		  { QUIET, POST(FETCH_ADD, .len = 8), POST(FETCH_ADD, .len = 8), SENT,
		    RX(ATOMIC_ACKNOWLEDGE, 101), TX, RX(ATOMIC_ACKNOWLEDGE, 100),
		    RX(ATOMIC_ACKNOWLEDGE, 101) },
		  "tx FA@100[0,0,0] tx FA@101[0,0,0]A wc 1=ok,8 wc 2=ok,8" },
		{ "for a READ",
		  { QUIET, POST(READ, .len = 8), SENT, RX(ATOMIC_ACKNOWLEDGE, 100) },
		  "wc 1=bad-resp,8" },
		{ "for a SEND",
		  { QUIET, POST(SEND, .len = 8), SENT, RX(ATOMIC_ACKNOWLEDGE, 100) },
		  "wc 1=bad-resp" },
		{ "memory invalidated",
		  { QUIET, POST(FETCH_ADD, .len = 8), SENT, FAULT(SCATTER),
		    RX(ATOMIC_ACKNOWLEDGE, 100), STATE },
		  "wc 1=loc-prot,8 ERR" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void naks(void **state)
{
	static const struct row rows[] = {
		{ "invalid request",
		  { THREE, NAK(101, ROCE_NAK_INV_REQ), STATE, TX, FLUSH(9) },
		  "wc 1=ok wc 2=rem-inv ERR tx - wc 3=flush flushed" },
		{ "remote access", { THREE, NAK(100, ROCE_NAK_REM_ACCESS) }, "wc 1=rem-acc" },
		{ "remote operational",
		  { THREE, NAK(102, ROCE_NAK_REM_OP) },
		  "wc 1=ok wc 2=ok wc 3=rem-op" },
		{ "invalid RD request", { THREE, NAK(100, ROCE_NAK_INV_RD_REQ) }, "wc 1=rem-inv" },
		{ "reserved code", { THREE, NAK(100, 0x7f) }, "wc 1=bad-resp" },
		{ "of the middle of a message",
		  { QUIET, POST(WRITE, .len = 4 K), SENT, NAK(102, ROCE_NAK_REM_ACCESS) },
		  "wc 1=rem-acc" },
		{ "of a READ",
		  { QUIET, POST(READ, .len = 4 K), SENT, NAK(100, ROCE_NAK_REM_ACCESS) },
		  "wc 1=rem-acc,4096" },
		{ "of a request after a READ without a response",
		  { QUIET, POST(READ, .len = 1), POST(REG_MR), POST(SEND), SENT,
		    NAK(101, ROCE_NAK_INV_REQ) },
		  "wc 1=flush,1 wc 2=ok wc 3=rem-inv" },
		{ "of a PSN beyond snd.max",
		  { THREE, WATCH(GHOST_ACK), NAK(103, ROCE_NAK_INV_REQ) },
		  "+ghost" },
		{ "of a PSN behind snd.una",
		  { THREE, ACK(100), NAK(100, ROCE_NAK_INV_REQ), STATE },
		  "wc 1=ok RTS" },
		{ "PSN sequence: rewind at once",
		  { THREE, WATCH(RCVD_SEQ_NAK), NAK(101, ROCE_NAK_PSN_SEQ), TX },
		  "wc 1=ok +rcvd-nak tx SO@101<0+0 tx SO@102<0+0A" },
		{ "PSN sequence beyond a READ without a response: both",
		  { QUIET, POST(READ, .len = 1), POST(SEND), POST(SEND), SENT,
		    NAK(102, ROCE_NAK_PSN_SEQ), TX },
		  "tx R@100[0,1] tx SO@102<0+0A" },
		{ "a repeated NAK within an RTT is ignored",
		  { QUIET, WATCH(REWIND), POST(SEND), SENT, PASS(100000), ACK(100), POST(SEND),
		    POST(SEND), SENT, PASS(100000), NAK(101, ROCE_NAK_PSN_SEQ),
		    NAK(101, ROCE_NAK_PSN_SEQ), PASS(99999), NAK(101, ROCE_NAK_PSN_SEQ), PASS(1),
		    NAK(101, ROCE_NAK_PSN_SEQ) },
		  "wc 1=ok +rewind +rewind" },
		{ "PSN sequence takes no retry: the peer responds",
		  { MODIFY(ROCE_QP_RETRY_CNT, .retry_cnt = 0), QUIET, WATCH(REWIND), THREE,
		    NAK(100, ROCE_NAK_PSN_SEQ), PASS(10 * MS), NAK(100, ROCE_NAK_PSN_SEQ),
		    PASS(10 * MS), NAK(100, ROCE_NAK_PSN_SEQ), STATE },
		  "+rewind +rewind +rewind RTS" },
		{ "PSN sequence without progress takes a retry per local ACK timeout",
		  { MODIFY(ROCE_QP_RETRY_CNT, .retry_cnt = 2), THREE, NAK(100, ROCE_NAK_PSN_SEQ),
		    PASS(251 * MS), NAK(100, ROCE_NAK_PSN_SEQ), PASS(251 * MS),
		    NAK(100, ROCE_NAK_PSN_SEQ), PASS(249 * MS), NAK(100, ROCE_NAK_PSN_SEQ), STATE,
		    PASS(2 * MS), NAK(100, ROCE_NAK_PSN_SEQ), STATE },
		  "RTS wc 1=retry ERR" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void rnr(void **state)
{
	static const struct row rows[] = {
		{ "retransmits after the delay in the NAK",
		  { THREE, WATCH(RCVD_RNR), RNR(101, 14), TX, PASS(1280 * 1000 - 1), TX, PASS(1),
		    TX, ACK(102) },
		  "wc 1=ok +rcvd-rnr tx - tx - tx SO@101<0+0A wc 2=ok wc 3=ok" },
		{ "code 0 is the longest",
		  { THREE, RNR(100, 0), PASS(655 * MS), TX, PASS(MS), TXN(1) },
		  "tx - tx SO@100<0+0A" },
		{ "rnr_retry 7 is unlimited",
		  { THREE,	 RNR(100, 1), PASS(MS),	   SENT,	RNR(100, 1),
		    PASS(MS),	 SENT,	      RNR(100, 1), PASS(MS),	SENT,
		    RNR(100, 1), PASS(MS),    SENT,	   RNR(100, 1), PASS(MS),
		    SENT,	 RNR(100, 1), PASS(MS),	   SENT,	RNR(100, 1),
		    PASS(MS),	 SENT,	      RNR(100, 1), PASS(MS),	STATE },
		  "RTS" },
		{ "rnr_retry 1 is one",
		  { MODIFY(ROCE_QP_RNR_RETRY, .rnr_retry = 1), WATCH(RNR_RETRY_EXC), THREE,
		    RNR(100, 1), PASS(MS), SENT, STATE, RNR(100, 1), STATE },
		  "RTS +rnr-exc wc 1=rnr ERR" },
		{ "rnr_retry 0 is none",
		  { MODIFY(ROCE_QP_RNR_RETRY, .rnr_retry = 0), THREE, RNR(101, 1), FLUSH(9) },
		  "wc 1=ok wc 2=rnr wc 3=flush flushed" },
		{ "progress gives the retries back",
		  { MODIFY(ROCE_QP_RNR_RETRY, .rnr_retry = 1), THREE, RNR(100, 1), PASS(MS), SENT,
		    ACK(100), RNR(101, 1), PASS(MS), SENT, STATE },
		  "wc 1=ok RTS" },
		{ "twice for the same packet, within the wait",
		  { MODIFY(ROCE_QP_RNR_RETRY, .rnr_retry = 1), THREE, RNR(100, 1), RNR(100, 1),
		    STATE },
		  "RTS" },
		{ "a sequence NAK of the packets behind it, within the wait",
		  { THREE, RNR(100, 14), NAK(100, ROCE_NAK_PSN_SEQ), TX, PASS(2 * MS), TXN(1) },
		  "tx - tx SO@100<0+0A" },
		{ "the RNR delay takes no retries of retry_cnt",
		  { MODIFY(ROCE_QP_RETRY_CNT, .retry_cnt = 0), THREE, RNR(100, 31), PASS(491 * MS),
		    STATE, PASS(2 * MS), TXN(1), STATE },
		  "RTS tx SO@100<0+0A RTS" },
		{ "beyond a READ without a response: the READ first",
		  { QUIET, POST(READ, .len = 1), POST(SEND), SENT, RNR(101, 14), TX },
		  "tx R@100[0,1] tx SO@101<0+0A" },
		{ "an ACK within the wait ends it",
		  { THREE, RNR(101, 31), ACK(101), TX },
		  "wc 1=ok wc 2=ok tx SO@102<0+0A" },
		{ "an ACK of all packets within the wait: no timer remains",
		  { THREE, RNR(101, 31), ACK(102), DEADLINES(20), STATE },
		  "wc 1=ok wc 2=ok wc 3=ok never RTS" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void states(void **state)
{
	static const struct row rows[] = {
		{ "RTR takes no responses", { WATCH(BAD_STATE), TO(RTR), ACK(100) }, "+bad-state" },
		{ "SQD takes them",
		  { QUIET, TO(RTR), TO(RTS), POST(SEND), SENT, TO(SQD), ACK(100), STATE },
		  "wc 1=ok ev drained SQD" },
		{ "ERR does not",
		  { QUIET, WATCH(BAD_STATE), TO(RTR), TO(RTS), POST(SEND), SENT, TO(ERR), ACK(100),
		    FLUSH(9) },
		  "+bad-state wc 1=flush flushed" },
	};

	(void)state;
	fixture_run_all(rows, false);
}

/* FLUSH and ATOMIC WRITE end with an empty READ response. */
static void placed(void **state)
{
	static const struct row rows[] = {
		{ "a FLUSH, whatever its length, is one packet",
		  { POST(FLUSH, .va = 0x10, .len = 5000, .n = ROCE_FLUSH_GLOBAL), TX,
		    RX(READ_RESP_ONLY, 100) },
		  "tx FL@100[1,0][0x10,5000]A wc 1=ok" },
		{ "of a region, persistent",
		  { POST(FLUSH, .n = ROCE_FLUSH_PERSISTENT, .syn = ROCE_FLUSH_MR), TX },
		  "tx FL@100[2,1][0,0]A" },
		{ "an ATOMIC WRITE",
		  { POST(ATOMIC_WRITE, .va = 0x10, .len = 8), TX, RX(READ_RESP_ONLY, 100) },
		  "tx AW@100[0x10,8]<0+8A wc 1=ok" },
		{ "an ACK does not complete it, only the WQEs before it",
		  { POST(WRITE), POST(FLUSH, .n = 1), TX, ACK(100), ACK(101), TX,
		    RX(READ_RESP_ONLY, 101) },
		  "tx WO@100[0,0]<0+0 tx FL@101[1,0][0,0]A wc 1=ok tx FL@101[1,0][0,0]A wc 2=ok" },
		{ "re-requested after a timeout, across the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), POST(FLUSH, .n = 1),
		    POST(ATOMIC_WRITE, .len = 8), TX, RX(READ_RESP_ONLY, 0xffffff), DEADLINE, TX,
		    RX(READ_RESP_ONLY, 0) },
		  "tx FL@16777215[1,0][0,0] tx AW@0[0,8]<0+8A wc 1=ok tx AW@0[0,8]<0+8A wc 2=ok" },
		{ "limited by the initiator depth",
		  { MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 1), POST(FLUSH, .n = 1),
		    POST(FLUSH, .n = 1), TX, RX(READ_RESP_ONLY, 100), TX },
		  "tx FL@100[1,0][0,0]A wc 1=ok tx FL@101[1,0][0,0]A" },
		{ "with an initiator depth of 0",
		  { MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 0), POST(FLUSH, .n = 1), TX },
		  "wc 1=loc-op tx -" },
		{ "a fence waits for it",
		  { POST(FLUSH, .n = 1), POST(SEND, .flags = ROCE_WR_FENCE), TX,
		    RX(READ_RESP_ONLY, 100), TX },
		  "tx FL@100[1,0][0,0]A wc 1=ok tx SO@101<0+0A" },
		{ "a response with data",
		  { POST(FLUSH, .n = 1), TX, RX(READ_RESP_ONLY, 100, .len = 4), STATE },
		  "tx FL@100[1,0][0,0]A wc 1=bad-resp ERR" },
		{ "the first packet of a response",
		  { POST(FLUSH, .n = 1), TX, RX(READ_RESP_FIRST, 100), STATE },
		  "tx FL@100[1,0][0,0]A wc 1=bad-resp ERR" },
		{ "an atomic's response",
		  { POST(ATOMIC_WRITE, .len = 8), TX, RX(ATOMIC_ACKNOWLEDGE, 100), STATE },
		  "tx AW@100[0,8]<0+8A wc 1=bad-resp ERR" },
		{ "refused",
		  { POST(FLUSH, .n = 1), TX, NAK(100, ROCE_NAK_REM_ACCESS), STATE },
		  "tx FL@100[1,0][0,0]A wc 1=rem-acc ERR" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(placed),  cmocka_unit_test(acks), cmocka_unit_test(reads),
		cmocka_unit_test(atomics), cmocka_unit_test(naks), cmocka_unit_test(rnr),
		cmocka_unit_test(states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
