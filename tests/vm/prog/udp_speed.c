// SPDX-License-Identifier: GPL-2.0
/*
 * Measure the cost of small messages between two hosts over UDP alone. The programs poll and do no
 * more work than software RDMA must.
 *
 * 	udp_speed serve PORT
 * 	udp_speed rate LIST COUNT PORT ADDRESS
 * 	udp_speed latency COUNT PORT ADDRESS
 *
 * rate sends COUNT datagrams of 64 bytes, LIST with each system call; at most WINDOW of them are
 * unacknowledged, and the server acknowledges every ACK_EVERY-th. Prints the acknowledged datagrams
 * per second. latency prints half the round-trip time in us: median and 99.9th percentile.
 * A server serves one client and ends after a second without a datagram. A client fails then.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "util.h"

#define SIZE	    64
#define WINDOW	    128
#define ACK_EVERY   32
#define MAX_LIST    64
#define PATIENCE    1.0

enum kind { DATA, PING };

/**
 * struct datagram - message in either direction
 * @kind: enum kind
 * @n: sequence number of a PING; number of datagrams received if it acknowledges DATA
 */
struct datagram {
	uint32_t kind;
	uint32_t n;
	uint8_t rest[SIZE - 8];
};

struct list {
	struct datagram datagram[MAX_LIST];
	struct iovec vec[MAX_LIST];
	struct mmsghdr msg[MAX_LIST];
};

static void list_init(struct list *l)
{
	int i;

	memset(l, 0, sizeof(*l));
	for (i = 0; i < MAX_LIST; i++) {
		l->vec[i] = (struct iovec){ &l->datagram[i], SIZE };
		l->msg[i].msg_hdr = (struct msghdr){ .msg_iov = &l->vec[i], .msg_iovlen = 1 };
	}
}

static int udp_socket(void)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (s < 0)
		die("cannot open a socket");
	return s;
}

static int connected(const char *port, const char *address)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(atoi(port)) };
	int s = udp_socket();

	if (!inet_aton(address, &to.sin_addr) || connect(s, (struct sockaddr *)&to, sizeof(to)))
		die("cannot reach %s", address);
	return s;
}

/* Receive one datagram from the peer, without waiting. */
static bool heard(int s, struct datagram *d)
{
	return recv(s, d, SIZE, MSG_DONTWAIT) == SIZE;
}

/* Poll for a datagram until @deadline. */
static bool awaited(int s, struct datagram *d, double deadline)
{
	while (!heard(s, d))
		if (seconds() > deadline)
			return false;
	return true;
}

static void rate(int s, uint32_t list, uint32_t count)
{
	double start = seconds(), silent_since = start;
	uint32_t sent = 0, acked = 0;
	struct datagram ack;
	struct list l;

	list_init(&l);
	while (acked < count) {
		if (sent < count && sent - acked + list <= WINDOW) {
			int n = sendmmsg(s, l.msg, list, 0);

			sent += n > 0 ? n : 0;
		} else if (heard(s, &ack)) {
			acked = ack.n;
			silent_since = seconds();
		} else if (seconds() > silent_since + PATIENCE) {
			die("%u of %u datagrams acknowledged, then silence", acked, count);
		}
	}
	printf("%.0f\n", acked / (seconds() - start));
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void latency(int s, uint32_t count)
{
	double *times = calloc(count, sizeof(*times));
	struct datagram d = { .kind = PING };
	uint32_t i;

	if (!times)
		die("no memory");
	for (i = 0; i < count; i++) {
		double start = seconds();

		d.n = i;
		if (send(s, &d, SIZE, 0) != SIZE || !awaited(s, &d, start + PATIENCE) || d.n != i)
			die("datagram %u of %u was not answered", i, count);
		times[i] = (seconds() - start) / 2 * 1e6;
	}
	qsort(times, count, sizeof(*times), ascending);
	printf("%.2f %.2f\n", times[count / 2], times[count - 1 - count / 1000]);
	free(times);
}

/* Receive until no datagram arrives for a second. Wait for the first one without a limit. */
static void serve(const char *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(atoi(port)) };
	uint32_t came = 0, told = 0;
	double silent_since = 0;
	int s = udp_socket();
	struct list l;

	list_init(&l);
	if (bind(s, (struct sockaddr *)&at, sizeof(at)))
		die("cannot bind port %s", port);
	while (!silent_since || seconds() < silent_since + PATIENCE) {
		struct datagram *first = &l.datagram[0];
		int n;

		l.msg[0].msg_hdr.msg_name = &at;
		l.msg[0].msg_hdr.msg_namelen = sizeof(at);
		n = recvmmsg(s, l.msg, MAX_LIST, MSG_DONTWAIT, NULL);
		if (n <= 0)
			continue;
		silent_since = seconds();
		if (first->kind == DATA) {
			came += n;
			if (came / ACK_EVERY == told / ACK_EVERY)
				continue;
			told = came;
			first->n = came;
		}
		sendto(s, first, SIZE, 0, (struct sockaddr *)&at, sizeof(at));
	}
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "serve")) {
		serve(argv[2]);
	} else if (argc == 6 && !strcmp(argv[1], "rate")) {
		uint32_t list = atoi(argv[2]), count = atoi(argv[3]);

		if (list < 1 || list > MAX_LIST || count % list || count % ACK_EVERY)
			die("LIST from 1 to %u, COUNT a multiple of it and of %u", MAX_LIST,
			    ACK_EVERY);
		rate(connected(argv[4], argv[5]), list, count);
	} else if (argc == 5 && !strcmp(argv[1], "latency") && atoi(argv[2]) > 0) {
		latency(connected(argv[3], argv[4]), atoi(argv[2]));
	} else {
		die("usage: udp_speed serve PORT | rate LIST COUNT PORT ADDRESS | latency COUNT PORT ADDRESS");
	}
	return 0;
}
