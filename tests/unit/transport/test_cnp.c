// SPDX-License-Identifier: GPL-2.0
/* Congestion notification: CNPs sent, reactions to CNPs. */
#include "qp_fixture.h"

#define US 1000ull
#define MARKED_SEND(psn) RX(SEND_ONLY, psn, .ce = true)
#define CNP		 RX(CNP, 0, .foreign = true, .becn = true)

static void notifications(void **state)
{
	static const struct row rows[] = {
		{ "a marked request",
		  { QUIET, WATCH(CE), RECV(0), MARKED_SEND(200), TX, TX },
		  "+ce rwc 1001=0 tx CNP@0 tx -" },
		{ "with its ACK",
		  { QUIET, RECV(0), RX(SEND_ONLY, 200, .ce = true, .ack = true), TX },
		  "rwc 1001=0 tx CNP@0 tx ACK@200m1" },
		{ "a marked READ response",
		  { QUIET, POST(READ, .len = 10), TX,
		    RX(READ_RESP_ONLY, 100, .len = 10, .syn = ROCE_AETH_UNLIMITED, .ce = true),
		    TX },
		  "tx R@100[0,10]A wc 1=ok,10 tx CNP@0" },
		{ "the READ request behind it has BECN, once",
		  { QUIET, POST(READ, .len = 10), TX,
		    RX(READ_RESP_ONLY, 100, .len = 10, .syn = ROCE_AETH_UNLIMITED, .ce = true),
		    POST(READ, .len = 10), POST(READ, .len = 10), TX },
		  "tx R@100[0,10]A wc 1=ok,10 tx CNP@0 tx R@101[0,10]B tx R@102[0,10]A" },
		{ "once in 50 us",
		  { QUIET, RECV(0), RECV(0), RECV(0), MARKED_SEND(200), TX, PASS(49 * US),
		    MARKED_SEND(201), TX, PASS(1 * US), MARKED_SEND(202), TX },
		  "rwc 1001=0 tx CNP@0 rwc 1002=0 tx - rwc 1003=0 tx CNP@0" },
		{ "a marked ACK: no CNP",
		  { QUIET, WATCH(CE), POST(SEND), TX,
		    RX(ACKNOWLEDGE, 100, .syn = ROCE_AETH_UNLIMITED, .ce = true), TX },
		  "tx SO@100<0+0A +ce wc 1=ok tx -" },
		{ "the next packet is no CNP",
		  { QUIET, RECV(0), MARKED_SEND(200), TX, POST(SEND), TX },
		  "rwc 1001=0 tx CNP@0 tx SO@100<0+0A" },
		{ "not marked", { QUIET, RECV(0), RX(SEND_ONLY, 200), TX }, "rwc 1001=0 tx -" },
		{ "before requests and responses, also while responses are paused",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 10, .ce = true), PAUSE(1),
		    POST(SEND), TX },
		  "backlogged tx CNP@0 tx SO@100<0+0A" },
		{ "not in ERR", { QUIET, TO(ERR), MARKED_SEND(200), TX }, "tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void reactions(void **state)
{
	static const struct row rows[] = {
		{ "the window is reduced once in a round trip",
		  { QUIET, WATCH(CNP_HANDLED), POST(WRITE, .len = 256 * 1024), TX, CNP, CNP,
		    ACK(163), TX },
		  "tx WF@100[0,262144]<0+1024 tx WM@101x63<1024+1024A "
		  "tx WM@164x64<65536+1024A +cnp +cnp tx WM@228x16<131072+1024 "
		  "tx WM@244x16<147456+1024 tx WM@260x16<163840+1024 tx WM@276x16<180224+1024A" },
		{ "BECN of an ACK is a CNP, too",
		  { QUIET, WATCH(CNP_HANDLED), POST(WRITE, .len = 256 * 1024), TX,
		    RX(ACKNOWLEDGE, 163, .syn = ROCE_AETH_UNLIMITED, .becn = true), TX },
		  "tx WF@100[0,262144]<0+1024 tx WM@101x63<1024+1024A "
		  "tx WM@164x64<65536+1024A +cnp tx WM@228x16<131072+1024 "
		  "tx WM@244x16<147456+1024 tx WM@260x16<163840+1024 tx WM@276x16<180224+1024A" },
		{ "READ responses are paced",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 64 * 1024), TXN(8),
		    PASS(100 * US), CNP, TX, TX, TX, DEADLINE, TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x7<0x1400+1024 tx RM@208<0x3000+1024 "
		  "tx RM@209<0x3400+1024 tx - tx RM@210<0x3800+1024" },
		{ "not of requesters that react to marks themselves",
		  { QUIET,
		    RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 64 * 1024, .becn = true),
		    WATCH(CNP_HANDLED), TXN(8), PASS(100 * US), CNP, TXN(8) },
		  "tx RF@200m1<0x1000+1024 tx RM@201x7<0x1400+1024 +cnp tx RM@208x8<0x3000+1024" },
		{ "a marked READ response halves the window",
		  { QUIET, WINDOW(64), POST(READ, .len = 256 * 1024), TX, PASS(10 * US),
		    RX(READ_RESP_FIRST, 100, .len = 1024, .syn = ROCE_AETH_UNLIMITED, .ce = true),
		    TX },
		  "tx R@100[0,65536]A tx CNP@0 tx R@164[0x10000,32768]BA" },
		{ "so does a packet that this host drops",
		  { QUIET, POST(WRITE, .len = 256 * 1024), TX, DROPPED, DROPPED, ACK(163), TX },
		  "tx WF@100[0,262144]<0+1024 tx WM@101x63<1024+1024A tx WM@164x64<65536+1024A "
		  "tx WM@228x16<131072+1024 tx WM@244x16<147456+1024 tx WM@260x16<163840+1024 "
		  "tx WM@276x16<180224+1024A" },
		{ "no packet in flight: no effect",
		  { QUIET, CNP, POST(WRITE, .len = 256 * 1024), TX },
		  "tx WF@100[0,262144]<0+1024 tx WM@101x63<1024+1024A tx WM@164x64<65536+1024A" },
		{ "not in ERR", { QUIET, WATCH(CNP_HANDLED), TO(ERR), CNP, TX }, "tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notifications),
		cmocka_unit_test(reactions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
