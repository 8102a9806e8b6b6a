// SPDX-License-Identifier: GPL-2.0
/*
 * Protocol: for each connection, one line of the client and one of the server, "rxectl-test 1 MTU
 * QPN PSN RKEY VA GID" with hexadecimal numbers. The MTU of the server's line is the one to use.
 * The client ends the test by closing the connection. If both lines have the word "keepalive", the
 * client sends empty lines while it measures, and the server disconnects it after a minute without
 * any. The server's line ends with "from" and the source address of the connection, as a GID.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "perf/wire.h"

#define GREETING  "rxectl-test 1"
#define KEEPALIVE " keepalive"
#define FROM	  " from "
#define REFUSAL	  "rxectl-error "
#define LINE	  200
#define GID	  33 /* hexadecimal digits of a GID, and the terminator */

void peer_wire_patience(int fd, int option, long seconds)
{
	struct timeval limit = { .tv_sec = seconds };

	setsockopt(fd, SOL_SOCKET, option, &limit, sizeof(limit));
}

static void print_gid(const struct in6_addr *gid, char text[GID])
{
	for (int i = 0; i < 16; i++)
		sprintf(text + 2 * i, "%02x", gid->s6_addr[i]);
}

static bool parse_gid(const char *text, struct in6_addr *gid)
{
	if (strspn(text, "0123456789abcdef") != GID - 1)
		return false;
	for (int i = 0; i < 16; i++)
		sscanf(text + 2 * i, "%2hhx", &gid->s6_addr[i]);
	return true;
}

bool peer_wire_send(int fd, const struct rc_end *end, char *why)
{
	bool from = !IN6_IS_ADDR_UNSPECIFIED(&end->from);
	char line[LINE], gid[GID], from_gid[GID];

	print_gid(&end->gid, gid);
	print_gid(&end->from, from_gid);
	snprintf(line, sizeof(line), GREETING " %x %x %x %x %" PRIx64 " %s%s%s%s\n", end->mtu,
		 end->qpn, end->psn, end->rkey, end->va, gid, end->keepalive ? KEEPALIVE : "",
		 from ? FROM : "", from ? from_gid : "");
	if (send(fd, line, strlen(line), MSG_NOSIGNAL) == (ssize_t)strlen(line))
		return true;
	return errbuf_set(why, "cannot send to the peer: %s", strerror(errno));
}

void peer_wire_keepalive(int fd)
{
	send(fd, "\n", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Skips empty lines. Return: length without the newline; 0 at the end of file, -1 for an error. */
static int receive_line(int fd, char line[LINE])
{
	int n = 0;

	while (n < LINE - 1) {
		ssize_t got = recv(fd, line + n, 1, 0);

		if (got <= 0)
			return got || n ? -1 : 0;
		if (line[n] != '\n')
			n++;
		else if (n)
			break;
	}
	line[n] = '\0';
	return n;
}

static bool parse_end(const char *line, struct rc_end *end)
{
	const char *from = strstr(line, FROM);
	char gid[GID];

	if (sscanf(line, GREETING " %x %x %x %x %" SCNx64 " %32[0-9a-f]", &end->mtu, &end->qpn,
		   &end->psn, &end->rkey, &end->va, gid) != 6 ||
	    !parse_gid(gid, &end->gid))
		return false;
	if (!from || !parse_gid(from + strlen(FROM), &end->from))
		end->from = in6addr_any;
	end->keepalive = strstr(line, KEEPALIVE);
	return end->mtu >= PEER_MIN_MTU && end->mtu <= PEER_MAX_MTU && end->qpn < 1 << 24 &&
	       end->psn < 1 << 24;
}

/* Replace control characters of the peer, which must not reach the terminal. */
static const char *printable(char *text)
{
	for (char *c = text; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
	return text;
}

bool peer_wire_receive(int fd, struct rc_end *end, bool *left, char *why)
{
	char line[LINE];
	int n = receive_line(fd, line);

	if (left)
		*left = !n;
	if (n > 0 && parse_end(line, end))
		return true;
	if (n > 0 && !strncmp(line, REFUSAL, strlen(REFUSAL)))
		return errbuf_set(why, "the peer reports: %s", printable(line + strlen(REFUSAL)));
	if (n > 0)
		return errbuf_set(why, "the peer does not speak the protocol of rxectl test");
	return errbuf_set(why, n ? "the peer does not answer" : "the peer closed the connection");
}

void peer_wire_refuse(int fd, const char *why)
{
	char line[LINE];

	if (receive_line(fd, line) <= 0)
		return;
	snprintf(line, sizeof(line), REFUSAL "%s\n", why);
	send(fd, line, strlen(line), MSG_NOSIGNAL);
}
