// SPDX-License-Identifier: GPL-2.0
/*
 * RC ping-pong between two processes that checks every byte of every message at both ends.
 *
 *	checked_pingpong -d DEVICE -g GID-INDEX [OPTION]... [SERVER]
 *
 * The two processes are a server and a client, and have the same options:
 *
 *	-p PORT		TCP port at which the processes exchange the addresses of their queue pairs
 *	-m MTU		path MTU in bytes
 *	-s SIZE		bytes of a message
 *	-n ROUNDS	number of round trips; 0 means until SIGTERM to the client, which marks the
 *			last round by immediate data
 *	-e		sleep until a completion event instead of polling
 *	-u CODE		local ACK timeout: 14 (67 ms) if not given, 18 is a second
 *
 * Each queue has one slot: the next message is posted when the SEND of the last one has completed
 * and the reply has arrived. ibv_rc_pingpong does the same, but with -c it compares one byte of
 * each page, at the server, after the last message, and its status does not show the result.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pair.h"

#define SEND_ID	    1u
#define RECV_ID	    2u
#define GUARD	    64u /* bytes after the buffer of a message, which the peer must not change */
#define UNTOUCHED   0xaa
#define PAGE	    4096u
#define PSN_MASK    0xffffffu
#define ACK_TIMEOUT 14u	   /* as ibv_rc_pingpong */
#define LOOK	    10000u /* empty polls between two checks of the TCP connection */

/*
 * Differences between the contents of two messages, and of two words of one message. No byte of
 * twice MESSAGE_STEP is 0x00 or 0xff: each byte differs from the one that the last message left in
 * the same place. WORD_STEP is odd: no two words of a message are equal.
 */
#define MESSAGE_STEP 0x1b873593a5c4d72dull
#define WORD_STEP    0x9e3779b97f4a7c15ull

struct options {
	const char *device, *server;
	const char *port;
	int gid_index;
	enum ibv_mtu mtu;
	uint32_t size;
	uint64_t rounds;
	bool events;
	uint8_t ack_timeout;
};

/* The processes exchange these by TCP. All fields are in network byte order. */
struct address {
	uint32_t qpn, psn;
	union ibv_gid gid;
};

/**
 * struct end - one end of the ping-pong
 * @out: message that is sent
 * @in: message that is received, in the same memory region
 * @sock: TCP connection to the peer, which closes it when it ends
 * @sent: the SEND has completed
 * @received: a message has arrived
 * @last: it was the last one of the client
 */
struct end {
	struct side side;
	struct ibv_comp_channel *channel;
	uint8_t *out, *in;
	int sock;
	bool sent, received, last;
};

static struct options opt = {
	.port = "18515",
	.gid_index = -1,
	.mtu = IBV_MTU_1024,
	.size = 4096,
	.rounds = 1000,
	.ack_timeout = ACK_TIMEOUT,
};
static volatile sig_atomic_t ending;

static void on_term(int sig)
{
	(void)sig;
	ending = 1;
}

/* The bytes of message @n start with this word; each further word adds WORD_STEP. */
static uint64_t first_word(uint64_t n)
{
	return (n + 1) * MESSAGE_STEP;
}

static void fill(uint8_t *buf, uint64_t n)
{
	uint64_t word = first_word(n);
	uint32_t at;

	for (at = 0; at + sizeof(word) <= opt.size; at += sizeof(word), word += WORD_STEP)
		memcpy(buf + at, &word, sizeof(word));
	memcpy(buf + at, &word, opt.size - at);
}

/* Die because of the first byte from @at on that is not a byte of @word. */
static void bad_word(const uint8_t *buf, uint64_t n, uint32_t at, uint64_t word)
{
	const uint8_t *expected = (const uint8_t *)&word;
	uint32_t k = 0;

	while (buf[at + k] == expected[k])
		k++;
	die("message %lu: byte %u of %u is %02x, expected %02x", n, at + k, opt.size, buf[at + k],
	    expected[k]);
}

static void check(const uint8_t *buf, uint64_t n)
{
	uint64_t word = first_word(n), found;
	uint32_t at, k;

	for (at = 0; at + sizeof(word) <= opt.size; at += sizeof(word), word += WORD_STEP) {
		memcpy(&found, buf + at, sizeof(found));
		if (found != word)
			bad_word(buf, n, at, word);
	}
	if (memcmp(buf + at, &word, opt.size - at))
		bad_word(buf, n, at, word);
	for (k = 0; k < GUARD; k++)
		if (buf[opt.size + k] != UNTOUCHED)
			die("message %lu: byte %u after its end is %02x, expected %02x", n, k,
			    buf[opt.size + k], UNTOUCHED);
}

static void post_recv(struct end *e)
{
	struct ibv_sge sge = { (uintptr_t)e->in, opt.size, e->side.mr->lkey };
	struct ibv_recv_wr *bad, wr = { .wr_id = RECV_ID, .sg_list = &sge, .num_sge = 1 };

	if (ibv_post_recv(e->side.qp, &wr, &bad))
		die("a receive cannot be posted");
	e->received = false;
}

static void post_send(struct end *e, uint64_t n, bool last)
{
	struct ibv_sge sge = { (uintptr_t)e->out, opt.size, e->side.mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = SEND_ID,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = last ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};

	fill(e->out, n);
	if (ibv_post_send(e->side.qp, &wr, &bad))
		die("message %lu cannot be posted", n);
	e->sent = false;
}

static bool take_completion(struct end *e, uint64_t n)
{
	struct ibv_wc wc;
	int got = ibv_poll_cq(e->side.cq, 1, &wc);

	if (got < 0)
		die("polling failed");
	if (!got)
		return false;
	if (wc.status != IBV_WC_SUCCESS)
		die("message %lu: %s: %s", n, wc.wr_id == SEND_ID ? "SEND" : "receive",
		    ibv_wc_status_str(wc.status));
	if (wc.wr_id == SEND_ID) {
		e->sent = true;
		return true;
	}
	if (wc.byte_len != opt.size)
		die("message %lu has %u bytes, not %u", n, wc.byte_len, opt.size);
	e->received = true;
	e->last = wc.wc_flags & IBV_WC_WITH_IMM;
	return true;
}

static void arm(struct end *e)
{
	if (ibv_req_notify_cq(e->side.cq, 0))
		die("no completion events");
}

/* Sleep until a completion event or, while a message is missing, the end of the peer. */
static void await_event(struct end *e)
{
	struct pollfd fds[] = {
		{ .fd = e->channel->fd, .events = POLLIN },
		{ .fd = e->received ? -1 : e->sock, .events = POLLIN },
	};
	struct ibv_cq *cq;
	void *context;

	if (poll(fds, 2, -1) < 0 || !fds[0].revents)
		return;
	if (ibv_get_cq_event(e->channel, &cq, &context))
		die("no completion event");
	ibv_ack_cq_events(cq, 1);
	arm(e);
}

/*
 * The peer ends when its last SEND has completed. So the last message has a completion by then,
 * unless the peer has failed.
 */
static void check_peer(struct end *e, uint64_t n)
{
	char c;

	if (!e->received && !recv(e->sock, &c, 1, MSG_DONTWAIT) && !take_completion(e, n))
		die("message %lu: the peer has failed", n);
}

/* Wait until the last SEND has completed and message @n has arrived. */
static void await(struct end *e, uint64_t n)
{
	uint32_t empty = 0;

	while (!e->sent || !e->received) {
		if (take_completion(e, n))
			continue;
		if (e->channel)
			await_event(e);
		if (e->channel || !(++empty % LOOK))
			check_peer(e, n);
	}
}

/* Message 2 * round goes to the server, and 2 * round + 1 to the client. */
static uint64_t serve(struct end *e)
{
	uint64_t round = 0;
	bool last;

	do {
		await(e, 2 * round);
		check(e->in, 2 * round);
		last = opt.rounds ? round + 1 == opt.rounds : e->last;
		if (!last)
			post_recv(e);
		post_send(e, 2 * round + 1, false);
		round++;
	} while (!last);
	await(e, 2 * round);
	return round;
}

static uint64_t request(struct end *e)
{
	uint64_t round = 0;
	bool last;

	do {
		last = opt.rounds ? round + 1 == opt.rounds : ending;
		post_send(e, 2 * round, last && !opt.rounds);
		await(e, 2 * round + 1);
		check(e->in, 2 * round + 1);
		if (!last)
			post_recv(e);
		round++;
	} while (!last);
	return round;
}

static int tcp_connect(void)
{
	struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM }, *found;
	int sock = socket(AF_INET, SOCK_STREAM, 0);

	if (getaddrinfo(opt.server, opt.port, &hints, &found))
		die("no such host: %s", opt.server);
	if (connect(sock, found->ai_addr, found->ai_addrlen))
		die("cannot connect to %s, port %s: %m", opt.server, opt.port);
	freeaddrinfo(found);
	return sock;
}

static int tcp_accept(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(atoi(opt.port)) };
	int one = 1, sock, listener = socket(AF_INET, SOCK_STREAM, 0);

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(listener, (struct sockaddr *)&at, sizeof(at)) || listen(listener, 1))
		die("cannot listen at port %s: %m", opt.port);
	sock = accept(listener, NULL, NULL);
	if (sock < 0)
		die("accept: %m");
	close(listener);
	return sock;
}

static void tcp_send(int sock, const struct address *a)
{
	if (send(sock, a, sizeof(*a), MSG_NOSIGNAL) != sizeof(*a))
		die("the peer has closed the TCP connection");
}

static void tcp_recv(int sock, struct address *a)
{
	if (recv(sock, a, sizeof(*a), MSG_WAITALL) != sizeof(*a))
		die("the peer has closed the TCP connection");
}

/* The server's queue pair is ready to receive before the client knows its address. */
static void connect_ends(struct end *e)
{
	struct pair_attr attr = { .mtu = opt.mtu, .timeout = opt.ack_timeout };
	struct address theirs, ours;
	struct ibv_qp peer_qp;
	struct side peer = { .qp = &peer_qp };
	uint32_t psn;

	srand48(getpid() ^ (long)(seconds() * 1e6));
	psn = lrand48() & PSN_MASK;
	ours = (struct address){ htonl(e->side.qp->qp_num), htonl(psn), e->side.gid };
	e->sock = opt.server ? tcp_connect() : tcp_accept();
	if (opt.server)
		tcp_send(e->sock, &ours);
	tcp_recv(e->sock, &theirs);
	peer_qp.qp_num = ntohl(theirs.qpn);
	peer.gid = theirs.gid;
	attr.psn = ntohl(theirs.psn);
	side_to_rtr(&e->side, &peer, &attr);
	attr.psn = psn;
	side_to_rts(&e->side, &attr);
	if (!opt.server)
		tcp_send(e->sock, &ours);
}

static void use_events(struct end *e)
{
	if (!opt.events)
		return;
	e->channel = ibv_create_comp_channel(e->side.ctx);
	ibv_destroy_cq(e->side.cq);
	e->side.cq = e->channel ? ibv_create_cq(e->side.ctx, 2, NULL, e->channel, 0) : NULL;
	if (!e->side.cq)
		die("cannot create a CQ with events");
	arm(e);
}

static void open_end(struct end *e)
{
	uint32_t room = (opt.size + GUARD + PAGE - 1) / PAGE * PAGE;

	memset(e, 0, sizeof(*e));
	side_open(&e->side, opt.device, opt.gid_index, 2 * (size_t)room);
	use_events(e);
	e->out = e->side.buf;
	e->in = e->side.buf + room;
	memset(e->in, UNTOUCHED, room);
	e->side.cap = (struct ibv_qp_cap){ 1, 1, 1, 1, 0 };
	side_create_qp(&e->side);
	post_recv(e);
	e->sent = true;
}

static enum ibv_mtu mtu_code(int bytes)
{
	enum ibv_mtu code;

	for (code = IBV_MTU_256; code <= IBV_MTU_4096; code++)
		if (bytes == 128 << code)
			return code;
	die("no path MTU: %d", bytes);
}

static void read_options(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "d:g:p:m:s:n:eu:")) != -1) {
		switch (c) {
		case 'd':
			opt.device = optarg;
			break;
		case 'g':
			opt.gid_index = atoi(optarg);
			break;
		case 'p':
			opt.port = optarg;
			break;
		case 'm':
			opt.mtu = mtu_code(atoi(optarg));
			break;
		case 's':
			opt.size = atoi(optarg);
			break;
		case 'n':
			opt.rounds = atoll(optarg);
			break;
		case 'e':
			opt.events = true;
			break;
		case 'u':
			opt.ack_timeout = atoi(optarg);
			break;
		default:
			die("see the comment in checked_pingpong.c for the options");
		}
	}
	opt.server = argv[optind];
	if (!opt.device || opt.gid_index < 0 || !opt.size)
		die("usage: checked_pingpong -d DEVICE -g GID-INDEX [OPTION]... [SERVER]");
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_term, .sa_flags = SA_RESTART };
	struct end end;
	uint64_t rounds;
	double began;

	read_options(argc, argv);
	open_end(&end);
	connect_ends(&end);
	if (opt.server && !opt.rounds)
		sigaction(SIGTERM, &action, NULL);
	began = seconds();
	rounds = opt.server ? request(&end) : serve(&end);
	printf("%lu round trips of %u bytes, all checked: %.1f us each\n", rounds, opt.size,
	       rounds ? (seconds() - began) * 1e6 / rounds : 0);
	side_close(&end.side);
	return 0;
}
