// SPDX-License-Identifier: GPL-2.0
/*
 * Bytes by SMC sockets that are sent back, each of which is checked at both ends.
 *
 *   smc PORT                  answers connections, one after the other, until it is killed
 *   smc PORT ADDRESS BYTES    connects, sends BYTES, and waits for all to come back; BYTES 0: until
 *                             SIGTERM
 *
 * Whether the connection uses RDMA or has fallen back to TCP, the kernel says: tests/vm/lib/smc.py.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util.h"

#ifndef AF_SMC
#define AF_SMC 43
#endif
#define CHUNK (1 << 16)

static unsigned char buf[CHUNK];
static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* The byte at this place of the stream. The period is no power of two. */
static unsigned char byte_at(uint64_t place)
{
	return (place * 31 + place / 251) & 0xff;
}

static void check(uint64_t place, ssize_t length)
{
	ssize_t i;

	for (i = 0; i < length; i++)
		if (buf[i] != byte_at(place + i))
			die("byte %ju is %#x, not %#x", (uintmax_t)(place + i), buf[i], byte_at(place + i));
}

static bool send_all(int fd, ssize_t length)
{
	ssize_t sent, done;

	for (done = 0; done < length; done += sent) {
		sent = send(fd, buf + done, length - done, MSG_NOSIGNAL);
		if (sent <= 0)
			return false;
	}
	return true;
}

/* A connection that breaks ends; wrong bytes end the server. */
static void answer(int fd)
{
	uint64_t place = 0;
	ssize_t length;

	for (;;) {
		length = recv(fd, buf, sizeof(buf), 0);
		if (length <= 0)
			break;
		check(place, length);
		place += length;
		if (!send_all(fd, length)) {
			length = -1;
			break;
		}
	}
	printf("%ju bytes answered%s%s\n", (uintmax_t)place, length ? ": " : "",
	       length ? strerror(errno) : "");
	fflush(stdout);
	close(fd);
}

static void serve(int fd, const struct sockaddr_in *at)
{
	int connection, one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (const struct sockaddr *)at, sizeof(*at)) || listen(fd, 8))
		die("listen: %s", strerror(errno));
	while ((connection = accept(fd, NULL, NULL)) >= 0)
		answer(connection);
	die("accept: %s", strerror(errno));
}

/* Sends when there is room, receives when there is something: neither end waits for the other. */
static void ask(int fd, uint64_t total)
{
	struct pollfd event = { .fd = fd };
	uint64_t sent = 0, received = 0;
	double began = seconds();
	ssize_t length, i;

	while (received < sent || (total ? sent < total : !stopped)) {
		event.events = POLLIN;
		if ((total ? sent < total : !stopped) && sent - received < 4 * CHUNK)
			event.events |= POLLOUT;
		if (poll(&event, 1, 60000) == 0)
			die("nothing for 60 s: %ju sent, %ju received", (uintmax_t)sent, (uintmax_t)received);
		if (event.revents & POLLOUT) {
			length = total && total - sent < CHUNK ? total - sent : CHUNK;
			for (i = 0; i < length; i++)
				buf[i] = byte_at(sent + i);
			length = send(fd, buf, length, MSG_NOSIGNAL | MSG_DONTWAIT);
			if (length < 0 && errno != EAGAIN)
				die("send: %s", strerror(errno));
			sent += length > 0 ? length : 0;
		}
		if (event.revents & (POLLIN | POLLERR | POLLHUP)) {
			length = recv(fd, buf, sizeof(buf), MSG_DONTWAIT);
			if (length == 0 || (length < 0 && errno != EAGAIN))
				die("recv: %s", length ? strerror(errno) : "the peer has closed");
			if (length < 0)
				continue;
			check(received, length);
			received += length;
		}
	}
	printf("%ju bytes in %.3f s\n", (uintmax_t)received, seconds() - began);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = stop };
	struct sockaddr_in to = { .sin_family = AF_INET };
	int fd = socket(AF_SMC, SOCK_STREAM, 0);

	if (argc != 2 && argc != 4)
		die("usage: smc PORT [ADDRESS BYTES]");
	if (fd < 0)
		die("no SMC: %s", strerror(errno));
	to.sin_port = htons(atoi(argv[1]));
	if (argc == 2)
		serve(fd, &to);
	sigaction(SIGTERM, &action, NULL);
	inet_pton(AF_INET, argv[2], &to.sin_addr);
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)))
		die("connect: %s", strerror(errno));
	ask(fd, strtoull(argv[3], NULL, 10));
	return 0;
}
