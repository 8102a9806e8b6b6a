// SPDX-License-Identifier: GPL-2.0
/*
 * Out-of-order READ responses: they are stored at once, and only the responses missing before them
 * are re-requested.
 */
#include "qp_fixture.h"

#define K	  *1024
#define FULL	  .len = FIXTURE_MTU
#define MIDDLE(p) RX(READ_RESP_MIDDLE, p, FULL)
#define LAST(p)	  RX(READ_RESP_LAST, p, FULL)
#define ONLY(p)	  RX(READ_RESP_ONLY, p, FULL)

static void out_of_order_responses(void **state)
{
	static const struct row rows[] = {
		{ "stored on arrival; the missing one completes the READ",
		  { POST(READ, .len = 3 K), SENT, RX(READ_RESP_FIRST, 100, FULL), LAST(102), TX,
		    ONLY(101) },
		  "sges(1) scatter(0,1024) scatter(2048,1024) tx R@101[0x400,1024]A scatter(1024,1024) "
		  "wc 1=ok,3072" },
		{ "a duplicate is not stored again",
		  { POST(READ, .len = 3 K), SENT, LAST(102), LAST(102), TX },
		  "sges(1) scatter(2048,1024) tx R@100[0,2048]A" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), POST(READ, .len = 4 K), SENT,
		    LAST(1), MIDDLE(0xffffff), TX, ONLY(0xfffffe), ONLY(0) },
		  "sges(1) scatter(3072,1024) scatter(1024,1024) tx R@16777214[0,3072]A scatter(0,1024) "
		  "scatter(2048,1024) wc 1=ok,4096" },
		{ "of the next READ, with a message between them",
		  { POST(READ, .len = 2 K), POST(SEND), POST(READ, .len = 1), SENT,
		    RX(READ_RESP_ONLY, 103, .len = 1), TX, RX(READ_RESP_FIRST, 100, FULL),
		    LAST(101) },
		  "sges(1) sges(1) scatter(0,1) tx R@100[0,2048]A scatter(0,1024) scatter(1024,1024) "
		  "wc 1=ok,2048 wc 2=ok wc 3=ok,1" },
		{ "of a READ before it",
		  { POST(READ, .len = 3 K), POST(READ, .len = 1), SENT,
		    RX(READ_RESP_ONLY, 103, .len = 1), LAST(102), TX },
		  "sges(1) sges(1) scatter(0,1) scatter(2048,1024) tx R@100[0,2048]A" },
		{ "behind a local operation",
		  { POST(READ, .len = 1), POST(REG_MR), POST(READ, .len = 1), SENT,
		    RX(READ_RESP_ONLY, 101, .len = 1), TX, RX(READ_RESP_ONLY, 100, .len = 1) },
		  "sges(1) local(2) sges(1) scatter(0,1) tx R@100[0,1]A scatter(0,1) "
		  "wc 1=ok,1 wc 2=ok wc 3=ok,1" },
		{ "an invalid one is not stored, and fails in order",
		  { POST(READ, .len = 3 K), SENT, RX(READ_RESP_LAST, 102, .len = 9), TX,
		    RX(READ_RESP_FIRST, 100, FULL), MIDDLE(101),
		    RX(READ_RESP_LAST, 102, .len = 9) },
		  "sges(1) tx R@100[0,3072]A scatter(0,1024) scatter(1024,1024) wc 1=bad-resp,3072" },
		{ "nor a LAST in the middle of a READ request",
		  { POST(READ, .len = 3 K), SENT, LAST(101), TX },
		  "sges(1) tx R@100[0,2048]A" },
		{ "invalid memory: fails in order",
		  { POST(READ, .len = 2 K), SENT, FAULT(SCATTER), LAST(101), TX, RESIDENT,
		    RX(READ_RESP_FIRST, 100, FULL), FAULT(SCATTER), LAST(101) },
		  "sges(1) scatter(1024,1024) tx R@100[0,2048]A scatter(0,1024) scatter(1024,1024) "
		  "wc 1=loc-prot,2048" },
		{ "memory not resident: redelivered",
		  { POST(READ, .len = 2 K), SENT, ABSENT(SCATTER), LAST(101), TX, RESIDENT, HAND_IN,
		    TX },
		  "sges(1) scatter(1024,1024) redeliver(1) tx - scatter(1024,1024) tx R@100[0,1024]A" },
		{ "of an atomic: retransmitted with the missing ones",
		  { QUIET, POST(READ, .len = 1), POST(FETCH_ADD, .len = 8), SENT,
		    RX(ATOMIC_ACKNOWLEDGE, 101, .compare = 7), TX },
		  "tx R@100[0,1] tx FA@101[0,0,0]A" },
		{ "of a FLUSH",
		  { QUIET, POST(READ, .len = 1), POST(FLUSH, .n = 1), SENT, RX(READ_RESP_ONLY, 101),
		    TX },
		  "tx R@100[0,1] tx FL@101[1,0][0,0]A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* An RTT of 10 us has been measured. */
#define TEN_US POST(SEND), SENT, PASS(10000), ACK(100)

static void re_requests(void **state)
{
	static const struct row rows[] = {
		{ "one request per READ, from its first to its last missing response",
		  { QUIET, POST(READ, .len = 6 K), POST(READ, .len = 3 K), SENT, MIDDLE(102),
		    MIDDLE(104), RX(READ_RESP_FIRST, 106, FULL), LAST(108), PASS(2 * MS), TX,
		    RX(READ_RESP_FIRST, 100, FULL), MIDDLE(101), MIDDLE(102), LAST(103), LAST(105),
		    ONLY(107) },
		  "tx R@100[0,6144] tx R@107[0x400,1024]A wc 1=ok,6144 wc 2=ok,3072" },
		{ "a second hole is re-requested an RTT later",
		  { QUIET, TEN_US, POST(READ, .len = 6 K), SENT, PASS(10000), MIDDLE(102), TX,
		    MIDDLE(104), TX, PASS(9999), TX, PASS(1), TX },
		  "wc 1=ok tx R@101[0,1024]A tx - tx - tx R@101[0,3072]A" },
		{ "without progress: the interval doubles each time",
		  { QUIET, TEN_US, POST(READ, .len = 2 K), SENT, PASS(10000), LAST(102), TX,
		    PASS(10000), TX, PASS(19999), TX, PASS(1), TX, PASS(39999), TX, PASS(1), TX },
		  "wc 1=ok tx R@101[0,1024]A tx R@101[0,1024]A tx - tx R@101[0,1024]A tx - "
		  "tx R@101[0,1024]A" },
		{ "without progress: a retry per local ACK timeout",
		  { MODIFY(ROCE_QP_RETRY_CNT, .retry_cnt = 1), QUIET, TEN_US,
		    POST(READ, .len = 2 K), SENT, PASS(10000), LAST(102), EXHAUST(1000), STATE },
		  "wc 1=ok wc 2=retry,2048 after 499990 us ERR" },
		{ "each response that arrives begins the interval again",
		  { QUIET, TEN_US, POST(READ, .len = 4 K), SENT, PASS(10000), LAST(104), TX,
		    PASS(9000), RX(READ_RESP_FIRST, 101, FULL), PASS(9999), TX, PASS(1), TX },
		  "wc 1=ok tx R@101[0,3072]A tx - tx R@102[0x400,2048]A" },
		{ "when one has arrived, the next missing one is re-requested at once",
		  { QUIET, TEN_US, POST(READ, .len = 6 K), SENT, MIDDLE(102), TX, MIDDLE(104),
		    ONLY(101), TX },
		  "wc 1=ok tx R@101[0,1024]A tx R@103[0x800,1024]A" },
		{ "a timeout: received responses are not re-requested",
		  { QUIET, WATCH(TIMEOUT), TEN_US, POST(READ, .len = 3 K), POST(READ, .len = 1),
		    SENT, PASS(10000), LAST(103), RX(READ_RESP_ONLY, 104, .len = 1), DEADLINES(24),
		    TX },
		  "wc 1=ok +timeout tx R@101[0,2048]A" },
		{ "once it is filled, READs are as long as before",
		  { QUIET, MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 16),
		    POST(READ, .len = 2 K), SENT, LAST(101), TX, ONLY(100),
		    POST(READ, .len = 512 K), POST(READ, .len = 1), TX },
		  "tx R@100[0,1024]A wc 1=ok,2048 tx R@102[0,131072] tx R@230[0x20000,131072] tx R@358[0x40000,131072] tx R@486[0x60000,131072]A" },
		{ "four missing responses are no burst of losses",
		  { QUIET, POST(READ, .len = 12 K), SENT, LOG_WINDOW, MIDDLE(104), LOG_WINDOW },
		  "window 256 window 256" },
		{ "five are: the window is halved",
		  { QUIET, POST(READ, .len = 12 K), SENT, LOG_WINDOW, MIDDLE(105), LOG_WINDOW },
		  "window 256 window 128" },
		{ "five of ten are not",
		  { QUIET, TEN_US, POST(READ, .len = 12 K), SENT, PASS(10000), MIDDLE(102),
		    MIDDLE(103), MIDDLE(105), MIDDLE(107), MIDDLE(109), MIDDLE(110), LOG_WINDOW,
		    PASS(20000), LOG_WINDOW },
		  "wc 1=ok window 256 window 256" },
		{ "new requests are sent behind it",
		  { QUIET, POST(READ, .len = 2 K), SENT, LAST(101), POST(SEND), TX },
		  "tx R@100[0,1024] tx SO@102<0+0A" },
		{ "messages beyond the hole that were NAKed are retransmitted with it, once",
		  { QUIET, TEN_US, POST(READ, .len = 2 K), POST(SEND), POST(SEND), SENT, LAST(102),
		    NAK(103, ROCE_NAK_PSN_SEQ), PASS(10000), TX, PASS(20000), TX },
		  "wc 1=ok tx R@101[0,1024] tx SO@103<0+0 tx SO@104<0+0A tx R@101[0,1024]A" },
		{ "not those acknowledged since the NAK",
		  { QUIET, TEN_US, POST(READ, .len = 2 K), POST(SEND), POST(SEND), SENT, LAST(102),
		    TX, NAK(103, ROCE_NAK_PSN_SEQ), ACK(103), PASS(10000), TX },
		  "wc 1=ok tx R@101[0,1024]A tx R@101[0,1024]A" },
		{ "a NAKed message is retransmitted when the hole is filled",
		  { QUIET, TEN_US, POST(READ, .len = 2 K), POST(SEND), SENT, LAST(102), TX,
		    NAK(103, ROCE_NAK_PSN_SEQ), ONLY(101), TX },
		  "wc 1=ok tx R@101[0,1024]A wc 2=ok,2048 tx SO@103<0+0A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* A READ of two packets; the second response arrives 4 us before the first. */
#define REORDERED(p)                                                     \
	POST(READ, .len = 2 K), SENT, LAST((p) + 1), TX, PASS(4000), TX, \
		RX(READ_RESP_FIRST, p, FULL)

static void reordering(void **state)
{
	static const struct row rows[] = {
		{ "a spurious re-request widens the reordering window",
		  { QUIET, TEN_US, REORDERED(101), ONLY(101), REORDERED(103),
		    POST(READ, .len = 2 K), SENT, LAST(106), PASS(4999), TX, PASS(1), TX },
		  "wc 1=ok tx R@101[0,1024]A tx - wc 2=ok,2048 tx - tx - wc 3=ok,2048 "
		  "tx - tx R@105[0,1024]A" },
		{ "without a second one, the next hole is re-requested at once",
		  { QUIET, TEN_US, REORDERED(101), POST(READ, .len = 2 K), SENT, LAST(104), TX },
		  "wc 1=ok tx R@101[0,1024]A tx - wc 2=ok,2048 tx R@103[0,1024]A" },
		{ "a probe may exceed the window, and does not become go-back-N beyond the hole",
		  { QUIET, TEN_US, REORDERED(101), ONLY(101), POST(READ, .len = 2 K),
		    POST(READ, .len = 4 K), SENT, WINDOW(1), DEADLINE, TX, ONLY(103), DEADLINE, TX,
		    RX(READ_RESP_FIRST, 105, FULL), TX, WINDOW(256), PASS(5000), TX },
		  "wc 1=ok tx R@101[0,1024]A tx - wc 2=ok,2048 tx R@103[0,1024]A "
		  "tx R@105[0,4096]A tx - tx R@104[0x400,1024]A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(out_of_order_responses),
		cmocka_unit_test(re_requests),
		cmocka_unit_test(reordering),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
