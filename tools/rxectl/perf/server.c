// SPDX-License-Identifier: GPL-2.0
/*
 * Server of the path test: a process for each client, with a QP on the device that has the address
 * which the client connected to.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf/local.h"
#include "perf/server.h"
#include "perf/wire.h"
#include "sys/gid.h"

/* Clients served at a time; others wait in the backlog of the socket. */
#define MAX_CLIENTS 64

/* A client without keepalive may measure for up to one hour between lines: seconds. */
#define LEGACY_PATIENCE 3700

long peer_server_idle = 60;

/* Create and connect a QP for each line of the client, until the client closes the connection. */
static bool serve_rounds(int fd, struct rc *rc, const struct in6_addr *from, char *why)
{
	struct rc_end client, self;
	bool left;

	for (;;) {
		if (!peer_wire_receive(fd, &client, &left, why))
			return left;
		peer_wire_patience(fd, SO_RCVTIMEO,
				   client.keepalive ? peer_server_idle : LEGACY_PATIENCE);
		if (!rc_renew(rc, why))
			return false;
		rc_self(rc, &self);
		self.keepalive = client.keepalive;
		self.from = *from;
		if (self.mtu > client.mtu)
			self.mtu = client.mtu;
		client.mtu = self.mtu;
		if (!rc_connect(rc, &client, why) || !peer_wire_send(fd, &self, why))
			return false;
	}
}

static bool serve_client(int fd, const struct in6_addr *from, char *why)
{
	struct sockaddr_storage local;
	socklen_t len = sizeof(local);
	char device[NLDEV_NAME_SIZE];
	struct in6_addr gid;
	unsigned int index;
	struct rc *rc;
	bool well;

	peer_wire_patience(fd, SO_RCVTIMEO, PEER_PATIENCE);
	peer_wire_patience(fd, SO_SNDTIMEO, PEER_PATIENCE);
	if (getsockname(fd, (struct sockaddr *)&local, &len))
		return errbuf_set(why, "%s", strerror(errno));
	gid = peer_local_gid(&local);
	rc = peer_local_open(&gid, device, &index, why);
	if (!rc) {
		peer_wire_refuse(fd, why);
		return false;
	}
	well = serve_rounds(fd, rc, from, why);
	rc_close(rc);
	return well;
}

/* Falls back to IPv4 if the kernel has no IPv6. */
int peer_server_listen(uint16_t port, char *why)
{
	struct sockaddr_in6 any6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	struct sockaddr_in any4 = { .sin_family = AF_INET, .sin_port = htons(port) };
	int yes = 1, no = 0, failed;
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0) {
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
		failed = bind(fd, (struct sockaddr *)&any6, sizeof(any6));
	} else {
		fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
		failed = bind(fd, (struct sockaddr *)&any4, sizeof(any4));
	}
	if (!failed && !listen(fd, 8))
		return fd;
	errbuf_set(why, "cannot listen on TCP port %u: %s", port, strerror(errno));
	close(fd);
	return -1;
}

uint16_t peer_server_port(int listener)
{
	struct sockaddr_in6 address = { 0 };
	socklen_t len = sizeof(address);

	/* sin_port and sin6_port have the same offset. */
	getsockname(listener, (struct sockaddr *)&address, &len);
	return ntohs(address.sin6_port);
}

/* Serve the client of a connection and report it. */
static bool serve_and_report(int fd, const struct sockaddr_storage *client, peer_served_fn served,
			     void *arg)
{
	char address[INET6_ADDRSTRLEN], wrong[ERRBUF_SIZE];
	struct in6_addr gid = peer_local_gid(client);
	bool well = serve_client(fd, &gid, wrong);

	gid_address(&gid, address);
	served(address, well ? NULL : wrong, arg);
	return well;
}

/* Serve a client in a process of its own, which ends with the server. Return: false without one. */
static bool serve_in_child(int listener, int fd, const struct sockaddr_storage *client,
			   peer_served_fn served, void *arg)
{
	pid_t child = fork();

	if (child)
		return child > 0;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	close(listener);
	_exit(serve_and_report(fd, client, served, arg) ? 0 : 1);
}

/* Wait until at most @most children run, and count those that have failed. */
static void reap(unsigned int most, unsigned int *running, unsigned int *failed)
{
	int status;

	while (*running && waitpid(-1, &status, *running > most ? 0 : WNOHANG) > 0) {
		*failed += !WIFEXITED(status) || WEXITSTATUS(status);
		(*running)--;
	}
}

bool peer_server_run(int listener, unsigned int count, peer_served_fn served, void *arg, char *why)
{
	unsigned int failed = 0, running = 0;

	for (unsigned int i = 0; !count || i < count; i++) {
		struct sockaddr_storage client;
		socklen_t len = sizeof(client);
		int fd;

		reap(MAX_CLIENTS - 1, &running, &failed);
		fd = accept(listener, (struct sockaddr *)&client, &len);
		if (fd < 0)
			return errbuf_set(why, "cannot accept clients: %s", strerror(errno));
		if (count != 1 && serve_in_child(listener, fd, &client, served, arg))
			running++;
		else
			failed += !serve_and_report(fd, &client, served, arg);
		close(fd);
	}
	reap(0, &running, &failed);
	return !failed || errbuf_set(why, "%u of %u clients could not be served", failed, count);
}

bool peer_serve(uint16_t port, unsigned int count, void (*listening)(uint16_t port, void *arg),
		peer_served_fn served, void *arg, char *why)
{
	int listener = peer_server_listen(port, why);
	bool all_well;

	if (listener < 0)
		return false;
	listening(port, arg);
	all_well = peer_server_run(listener, count, served, arg, why);
	close(listener);
	return all_well;
}
