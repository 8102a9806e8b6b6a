// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of RDS over RDMA that are sent back, each word of which is checked at both ends.
 *
 *   rds ADDRESS                       answers at that address, until it is killed
 *   rds ADDRESS PEER COUNT SIZE       sends messages of up to SIZE bytes, and waits for each to
 *                                     come back; COUNT 0: until SIGTERM
 *   rds info                          prints connections, queued messages and counters
 *
 * RDS keeps the order of messages, and sends again on a new connection what a broken one has lost.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/rds.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util.h"

#define PORT		18800
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

/* Return: false if @flags has MSG_DONTWAIT, and there is no room at this end or the other. */
static bool send_to(int fd, const struct sockaddr_in *to, size_t length, int flags)
{
	ssize_t sent = sendto(fd, words, length, flags, (const struct sockaddr *)to, sizeof(*to));

	if (sent < 0 && flags & MSG_DONTWAIT && (errno == EAGAIN || errno == ENOBUFS))
		return false;
	if (sent != (ssize_t)length)
		die("sendto: %zd of %zu: %s", sent, length, strerror(errno));
	return true;
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
		send_to(fd, &from, length, 0);
	}
}

/*
 * Send message @number. While answers are outstanding it does not wait for room: the other end may
 * wait for the same, until this one has read its answers.
 */
static bool ask_one(int fd, const struct sockaddr_in *to, uint32_t number, uint32_t max,
		    bool outstanding)
{
	uint32_t i, n = count_of(number, max);

	for (i = 0; i < n; i++)
		words[i] = word_of(number, i);
	return send_to(fd, to, n * 4, outstanding ? MSG_DONTWAIT : 0);
}

static void ask(int fd, const char *peer, uint32_t count, uint32_t size)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT) }, from;
	uint32_t max = size / 4, sent = 0, received = 0;
	double began = seconds();

	inet_pton(AF_INET, peer, &to.sin_addr);
	while (received < sent || (count ? sent < count : !stopped)) {
		while (sent - received < WINDOW && (count ? sent < count : !stopped) &&
		       ask_one(fd, &to, sent, max, sent != received))
			sent++;
		check(received, count_of(received, max), receive(fd, &from));
		received++;
	}
	printf("%u messages in %.3f s\n", received, seconds() - began);
}

/* Print an information of RDS: entries of a size that the kernel returns. */
static void info(int fd, int which, void (*print)(const void *entry))
{
	socklen_t length = sizeof(words);
	int size, i;

	size = getsockopt(fd, SOL_RDS, which, words, &length);
	if (size < 0)
		die("information %d of RDS: %s", which, strerror(errno));
	for (i = 0; size && i + size <= (int)length; i += size)
		print((const char *)words + i);
}

static void print_connection(const void *entry)
{
	const struct rds_info_connection *c = entry;

	printf("connection %08x %08x: next sent %llu, next received %llu, %s%s%s\n", ntohl(c->laddr),
	       ntohl(c->faddr), (unsigned long long)c->next_tx_seq,
	       (unsigned long long)c->next_rx_seq,
	       c->flags & RDS_INFO_CONNECTION_FLAG_SENDING ? "sending " : "",
	       c->flags & RDS_INFO_CONNECTION_FLAG_CONNECTING ? "connecting " : "",
	       c->flags & RDS_INFO_CONNECTION_FLAG_CONNECTED ? "connected" : "");
}

static void print_message(const void *entry)
{
	const struct rds_info_message *m = entry;

	printf("message %llu: %u bytes, flags %#x\n", (unsigned long long)m->seq, m->len, m->flags);
}

static void print_counter(const void *entry)
{
	const struct rds_info_counter *c = entry;

	if (c->value)
		printf("%.32s %llu\n", c->name, (unsigned long long)c->value);
}

static void print_info(void)
{
	int fd = socket(AF_RDS, SOCK_SEQPACKET, 0);

	if (fd < 0)
		die("no RDS: %s", strerror(errno));
	info(fd, RDS_INFO_CONNECTIONS, print_connection);
	printf("to be sent:\n");
	info(fd, RDS_INFO_SEND_MESSAGES, print_message);
	printf("sent, not acknowledged:\n");
	info(fd, RDS_INFO_RETRANS_MESSAGES, print_message);
	printf("received, not read:\n");
	info(fd, RDS_INFO_RECV_MESSAGES, print_message);
	info(fd, RDS_INFO_COUNTERS, print_counter);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = stop, .sa_flags = SA_RESTART };
	int fd;

	if (argc != 2 && argc != 5)
		die("usage: rds info|ADDRESS [PEER COUNT SIZE]");
	if (!strcmp(argv[1], "info")) {
		print_info();
		return 0;
	}
	fd = open_at(argv[1]);
	if (argc == 2)
		answer(fd);
	if (atoi(argv[4]) < 4 || atoi(argv[4]) / 4 > MAX_WORDS)
		die("SIZE \"%s\": 4 to %d", argv[4], MAX_WORDS * 4);
	sigaction(SIGTERM, &action, NULL);
	ask(fd, argv[2], atoi(argv[3]), atoi(argv[4]));
	return 0;
}
