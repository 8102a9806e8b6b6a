// SPDX-License-Identifier: GPL-2.0
/* Client of the path test, and its steps. */
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf/client.h"
#include "perf/local.h"
#include "perf/nat.h"
#include "perf/server.h"
#include "perf/wire.h"
#include "util/clock.h"

#define READ_LEN  8
#define READS	  1000
#define WRITE_LEN 65536U
#define WRITES	  16 /* in flight; together they cover the buffer */

/* State of a test. */
struct test {
	struct peer_result *result;
	struct rc *rc;
	int fd;
	struct rc_end peer;
	struct nat_view nat;
};

static bool connect_limited(int fd, const struct addrinfo *to)
{
	peer_wire_patience(fd, SO_SNDTIMEO, PEER_PATIENCE);
	peer_wire_patience(fd, SO_RCVTIMEO, PEER_PATIENCE);
	return !connect(fd, to->ai_addr, to->ai_addrlen);
}

static int connect_any(const struct addrinfo *list, struct peer_result *result)
{
	for (const struct addrinfo *to = list; to; to = to->ai_next) {
		int fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

		getnameinfo(to->ai_addr, to->ai_addrlen, result->address, sizeof(result->address),
			    NULL, 0, NI_NUMERICHOST);
		if (fd >= 0 && connect_limited(fd, to))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

static bool reach(struct test *t, const char *host, uint16_t port)
{
	struct addrinfo *list, hints = { .ai_socktype = SOCK_STREAM };
	struct peer_result *result = t->result;
	char service[8];
	int err;

	snprintf(service, sizeof(service), "%u", port);
	err = getaddrinfo(host, service, &hints, &list);
	if (err)
		return errbuf_set(result->why, "\"%s\" is not known: %s", host, gai_strerror(err));
	t->fd = connect_any(list, result);
	err = errno;
	freeaddrinfo(list);
	if (t->fd >= 0)
		return true;
	if (err == ECONNREFUSED)
		snprintf(result->remedy, sizeof(result->remedy),
			 "run rxectl test server on that host");
	else if (err == EINPROGRESS || err == EHOSTUNREACH)
		snprintf(result->remedy, sizeof(result->remedy),
			 "if ping %s works, a firewall blocks TCP port %u", result->address, port);
	return errbuf_set(result->why, "%s does not answer on TCP port %u: %s", result->address,
			  port, err == EINPROGRESS ? "timed out" : strerror(err));
}

/* Connect a new QP with a path MTU of at most @mtu. */
static bool connect_rc(struct test *t, unsigned int mtu)
{
	struct rc_end self;
	char *why = t->result->why;

	if (!rc_renew(t->rc, why))
		return false;
	rc_self(t->rc, &self);
	self.keepalive = true;
	if (mtu < self.mtu)
		self.mtu = mtu;
	if (!peer_wire_send(t->fd, &self, why) || !peer_wire_receive(t->fd, &t->peer, NULL, why))
		return false;
	t->nat.self = self.gid;
	t->nat.self_seen = t->peer.from;
	t->nat.peer = t->peer.gid;
	if (t->peer.mtu > self.mtu)
		return errbuf_set(why, "the peer requests a larger MTU than this port has");
	return rc_connect(t->rc, &t->peer, why);
}

static bool open_rc(struct test *t)
{
	struct sockaddr_storage local, remote;
	socklen_t len = sizeof(local), remote_len = sizeof(remote);
	struct peer_result *result = t->result;
	struct in6_addr gid;

	if (getsockname(t->fd, (struct sockaddr *)&local, &len) ||
	    getpeername(t->fd, (struct sockaddr *)&remote, &remote_len))
		return errbuf_set(result->why, "%s", strerror(errno));
	gid = peer_local_gid(&local);
	t->nat.peer_seen = peer_local_gid(&remote);
	t->rc = peer_local_open(&gid, result->device, &result->index, result->why);
	if (!t->rc && !*result->device)
		snprintf(result->remedy, sizeof(result->remedy),
			 "rxectl link add creates one on its interface");
	return t->rc && connect_rc(t, PEER_MAX_MTU);
}

/* Test pattern, verified after the READ. */
static void fill(unsigned char *buffer, uint32_t len, unsigned char seed)
{
	for (uint32_t i = 0; i < len; i++)
		buffer[i] = (unsigned char)(i * 7 + seed);
}

/* WRITE one packet of the path MTU and READ it back. */
static bool try_mtu(struct test *t, char *why)
{
	unsigned char *buffer = rc_buffer(t->rc), wanted[PEER_MAX_MTU];
	uint32_t len = t->peer.mtu;

	fill(buffer, len, (unsigned char)len);
	memcpy(wanted, buffer, len);
	if (!rc_post(t->rc, false, 0, len, why) || !rc_wait(t->rc, why))
		return false;
	memset(buffer, 0, len);
	if (!rc_post(t->rc, true, 0, len, why) || !rc_wait(t->rc, why))
		return false;
	return !memcmp(buffer, wanted, len) ||
	       errbuf_set(why, "the READ returned other data than the WRITE sent");
}

/* No packet of any size arrives: set the remedy, and the reason if it is known. */
static void blame(struct test *t)
{
	struct peer_result *result = t->result;
	const char *remedy = "run rxectl doctor on both hosts: UDP port 4791 may be blocked";

	if (nat_found(&t->nat, result->why))
		remedy = "RoCE packets cannot pass NAT: use addresses that are not translated";
	snprintf(result->remedy, sizeof(result->remedy), "%s", remedy);
}

/* The path may carry less than both ports support: halve the MTU until packets arrive. */
static bool find_mtu(struct test *t)
{
	struct peer_result *result = t->result;

	result->port_mtu = t->peer.mtu;
	while (!try_mtu(t, result->why)) {
		if (t->peer.mtu / 2 < PEER_MIN_MTU) {
			blame(t);
			return false;
		}
		if (!connect_rc(t, t->peer.mtu / 2))
			return false;
	}
	result->mtu = t->peer.mtu;
	return true;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool measure_latency(struct test *t)
{
	double times[READS], start;
	char *why = t->result->why;

	for (int i = 0; i < READS; i++) {
		start = clock_seconds();
		if (!rc_post(t->rc, true, 0, READ_LEN, why) || !rc_wait(t->rc, why))
			return false;
		times[i] = clock_seconds() - start;
	}
	qsort(times, READS, sizeof(times[0]), compare);
	t->result->latency = times[READS / 2];
	return true;
}

/* Includes the completion of all WRITEs, so that every counted byte has arrived. */
static bool measure_bandwidth(struct test *t, double seconds)
{
	double start = clock_seconds(), spent = 0, alive = 0;
	uint64_t posted = 0, done = 0;
	char *why = t->result->why;

	while (spent < seconds || done < posted) {
		while (spent < seconds && posted - done < WRITES)
			if (!rc_post(t->rc, false, (uint32_t)(posted++ % WRITES) * WRITE_LEN,
				     WRITE_LEN, why))
				return false;
		if (!rc_wait(t->rc, why))
			return false;
		done++;
		spent = clock_seconds() - start;
		if (t->peer.keepalive && spent > alive + PEER_KEEPALIVE) {
			peer_wire_keepalive(t->fd);
			alive = spent;
		}
	}
	t->result->bandwidth = (double)done * WRITE_LEN * 8 / spent;
	return true;
}

static void run(struct test *t, const char *host, uint16_t port, double seconds)
{
	struct peer_result *result = t->result;
	bool well = reach(t, host, port);

	for (result->done = PEER_REACH; well && ++result->done < PEER_STEPS;) {
		switch (result->done) {
		case PEER_CONNECT:
			well = open_rc(t);
			break;
		case PEER_MTU:
			well = find_mtu(t);
			break;
		case PEER_LATENCY:
			well = measure_latency(t);
			break;
		default:
			well = measure_bandwidth(t, seconds);
		}
	}
	rc_close(t->rc);
	if (t->fd >= 0)
		close(t->fd);
}

static void be_quiet(const char *address, const char *wrong, void *arg)
{
	(void)address;
	(void)wrong;
	(void)arg;
}

/* Fork a server on an unused port. */
static void run_alone(struct test *t, const char *address, double seconds)
{
	int listener = peer_server_listen(0, t->result->why);
	char why[ERRBUF_SIZE];
	pid_t server;

	if (listener < 0)
		return;
	server = fork();
	if (!server)
		_exit(peer_server_run(listener, 1, be_quiet, NULL, why) ? 0 : 1);
	if (server > 0)
		run(t, address, peer_server_port(listener), seconds);
	else
		errbuf_set(t->result->why, "cannot start the server: %s", strerror(errno));
	close(listener);
	if (server > 0) {
		kill(server, SIGKILL);
		waitpid(server, NULL, 0);
	}
}

void peer_test(const char *host, const char *device, uint16_t port, double seconds,
	       struct peer_result *result)
{
	struct test t = { .result = result, .fd = -1 };
	char address[INET6_ADDRSTRLEN];

	memset(result, 0, sizeof(*result));
	if (host) {
		run(&t, host, port, seconds);
	} else if (peer_local_address(device, address)) {
		run_alone(&t, address, seconds);
	} else {
		errbuf_set(result->why, "there is no RDMA device %s%swith an address",
			   device ? device : "", device ? " " : "");
		snprintf(result->remedy, sizeof(result->remedy), "rxectl doctor shows why");
	}
}
