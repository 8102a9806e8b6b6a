// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of RDS over RDMA that are sent back, each word of which is checked at both ends.
 *
 *   rds ADDRESS                       answers at that address, until it is killed
 *   rds ADDRESS PEER COUNT SIZE       sends messages of up to SIZE bytes, and waits for each to
 *                                     come back; COUNT 0: until SIGTERM
 *
 * RDS keeps the order of messages, and sends again on a new connection what a broken one has lost.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util.h"

#define PORT		18800
#define SOL_RDS		276
#define SO_RDS_TRANSPORT 8
#define RDS_TRANS_IB	0
#define WINDOW		16
#define MAX_WORDS	(1 << 18)

static uint32_t words[MAX_WORDS];
static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* The contents of a message: its number, and words that depend on it. */
static uint32_t word_of(uint32_t number, uint32_t index)
{
	return index ? (number * 2654435761u) ^ (index * 40503u) : number;
}

/* Sizes differ from one message to the next, from one word on. */
static uint32_t count_of(uint32_t number, uint32_t max)
{
	return 1 + (number * 2654435761u >> 8) % max;
}

static void check(uint32_t number, uint32_t count, ssize_t length)
{
	uint32_t i;

	if (length != (ssize_t)count * 4)
		die("message %u: %zd bytes, not %u", number, length, count * 4);
	for (i = 0; i < count; i++)
		if (words[i] != word_of(number, i))
			die("message %u: word %u is %#x, not %#x", number, i, words[i], word_of(number, i));
}

static int open_at(const char *address)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	int transport = RDS_TRANS_IB;
	int fd = socket(AF_RDS, SOCK_SEQPACKET, 0);

	if (fd < 0)
		die("no RDS: %s", strerror(errno));
	if (setsockopt(fd, SOL_RDS, SO_RDS_TRANSPORT, &transport, sizeof(transport)))
		die("no RDS over RDMA: %s", strerror(errno));
	inet_pton(AF_INET, address, &at.sin_addr);
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)))
		die("bind %s: %s", address, strerror(errno));
	return fd;
}

static ssize_t receive(int fd, struct sockaddr_in *from)
{
	socklen_t size = sizeof(*from);

	return recvfrom(fd, words, sizeof(words), 0, (struct sockaddr *)from, &size);
}

static void send_to(int fd, const struct sockaddr_in *to, size_t length)
{
	ssize_t sent = sendto(fd, words, length, 0, (const struct sockaddr *)to, sizeof(*to));

	if (sent != (ssize_t)length)
		die("sendto: %zd of %zu: %s", sent, length, strerror(errno));
}

static void answer(int fd)
{
	struct sockaddr_in from;
	ssize_t length;

	for (;;) {
		length = receive(fd, &from);
		if (length < 4)
			die("recvfrom: %zd: %s", length, strerror(errno));
		check(words[0], length / 4, length);
		send_to(fd, &from, length);
	}
}

static void ask(int fd, const char *peer, uint32_t count, uint32_t size)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT) }, from;
	uint32_t max = size / 4, sent = 0, received = 0, i, n;
	double began = seconds();

	inet_pton(AF_INET, peer, &to.sin_addr);
	while (received < sent || (count ? sent < count : !stopped)) {
		while (sent - received < WINDOW && (count ? sent < count : !stopped)) {
			n = count_of(sent, max);
			for (i = 0; i < n; i++)
				words[i] = word_of(sent, i);
			send_to(fd, &to, n * 4);
			sent++;
		}
		check(received, count_of(received, max), receive(fd, &from));
		received++;
	}
	printf("%u messages in %.3f s\n", received, seconds() - began);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = stop, .sa_flags = SA_RESTART };
	int fd;

	if (argc != 2 && argc != 5)
		die("usage: rds ADDRESS [PEER COUNT SIZE]");
	fd = open_at(argv[1]);
	if (argc == 2)
		answer(fd);
	if (atoi(argv[4]) < 4 || atoi(argv[4]) / 4 > MAX_WORDS)
		die("SIZE \"%s\": 4 to %d", argv[4], MAX_WORDS * 4);
	sigaction(SIGTERM, &action, NULL);
	ask(fd, argv[2], atoi(argv[3]), atoi(argv[4]));
	return 0;
}
