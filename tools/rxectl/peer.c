// SPDX-License-Identifier: GPL-2.0
/*
 * A line from the client for each connection it wants, one back from the server:
 * "rxectl-test 1 MTU QPN PSN RKEY VA GID", numbers in hexadecimal. The server's MTU is the one
 * to use. The client's end of file ends the test.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "files.h"
#include "gid.h"
#include "peer.h"

#define GREETING      "rxectl-test 1"
#define REFUSAL	      "rxectl-error "
#define LINE	      200
#define TCP_PATIENCE  10 /* seconds */
#define IDLE_PATIENCE 3700

#define MIN_MTU	   256
#define MAX_MTU	   4096
#define READ_LEN   8
#define READS	   1000
#define WRITE_LEN  65536U
#define WRITES	   16 /* under way at a time: all of the buffer */

static bool because(char *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool because(char *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, RC_WHY, fmt, ap);
	va_end(ap);
	return false;
}

static void set_patience(int fd, int option, long seconds)
{
	struct timeval limit = { .tv_sec = seconds };

	setsockopt(fd, SOL_SOCKET, option, &limit, sizeof(limit));
}

/* IPv4 mapped, as in GIDs. */
static struct in6_addr as_gid(const struct sockaddr_storage *address)
{
	struct in6_addr gid = IN6ADDR_ANY_INIT;

	if (address->ss_family == AF_INET6)
		return ((const struct sockaddr_in6 *)address)->sin6_addr;
	memset(&gid.s6_addr[10], 0xff, 2);
	memcpy(&gid.s6_addr[12], &((const struct sockaddr_in *)address)->sin_addr, 4);
	return gid;
}

static void print_address(const struct in6_addr *gid, char text[INET6_ADDRSTRLEN])
{
	if (IN6_IS_ADDR_V4MAPPED(gid))
		inet_ntop(AF_INET, &gid->s6_addr[12], text, INET6_ADDRSTRLEN);
	else
		inet_ntop(AF_INET6, gid, text, INET6_ADDRSTRLEN);
}

/* Looks for an address in the table of one device. */
static bool find_in(const char *device, const struct in6_addr *gid, unsigned int *index)
{
	const struct gid *match;
	struct gid *gids;
	size_t n;

	if (gids_get(device, &gids, &n))
		return false;
	match = gids_find(gids, n, gid);
	if (match)
		*index = match->index;
	free(gids);
	return match;
}

static bool find_device(const struct in6_addr *gid, char device[NLDEV_NAME_SIZE],
			unsigned int *index)
{
	char **names;
	size_t n = file_list("/sys/class/infiniband", "", &names);
	bool found = false;

	for (size_t i = 0; i < n && !found; i++) {
		found = find_in(names[i], gid, index);
		if (found)
			snprintf(device, NLDEV_NAME_SIZE, "%s", names[i]);
	}
	file_list_free(names, n);
	return found;
}

static struct rc *open_by_address(const struct in6_addr *gid, char device[NLDEV_NAME_SIZE],
				  unsigned int *index, char *why)
{
	char text[INET6_ADDRSTRLEN];

	if (find_device(gid, device, index))
		return rc_open(device, *index, gid, why);
	print_address(gid, text);
	because(why, "no RDMA device has the address %s", text);
	return NULL;
}

static bool send_end(int fd, const struct rc_end *end, char *why)
{
	char line[LINE], gid[33];

	for (int i = 0; i < 16; i++)
		sprintf(gid + 2 * i, "%02x", end->gid.s6_addr[i]);
	snprintf(line, sizeof(line), GREETING " %x %x %x %x %" PRIx64 " %s\n", end->mtu, end->qpn,
		 end->psn, end->rkey, end->va, gid);
	if (send(fd, line, strlen(line), MSG_NOSIGNAL) == (ssize_t)strlen(line))
		return true;
	return because(why, "the other side has gone: %s", strerror(errno));
}

/* Return: bytes without the end of the line; 0 for an end of file, -1 for an error. */
static int receive_line(int fd, char line[LINE])
{
	int n = 0;

	while (n < LINE - 1) {
		ssize_t got = recv(fd, line + n, 1, 0);

		if (got <= 0)
			return got || n ? -1 : 0;
		if (line[n] == '\n')
			break;
		n++;
	}
	line[n] = '\0';
	return n;
}

static bool parse_end(const char *line, struct rc_end *end)
{
	char gid[33];

	if (sscanf(line, GREETING " %x %x %x %x %" SCNx64 " %32[0-9a-f]", &end->mtu, &end->qpn,
		   &end->psn, &end->rkey, &end->va, gid) != 6 ||
	    strlen(gid) != 32)
		return false;
	for (int i = 0; i < 16; i++)
		sscanf(gid + 2 * i, "%2hhx", &end->gid.s6_addr[i]);
	return end->mtu >= MIN_MTU && end->mtu <= MAX_MTU && end->qpn < 1 << 24 &&
	       end->psn < 1 << 24;
}

/* What comes from elsewhere must not steer the terminal. */
static const char *printable(char *text)
{
	for (char *c = text; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
	return text;
}

/* @left: the other side has closed; NULL where it must not. */
static bool receive_end(int fd, struct rc_end *end, bool *left, char *why)
{
	char line[LINE];
	int n = receive_line(fd, line);

	if (left)
		*left = !n;
	if (n > 0 && parse_end(line, end))
		return true;
	if (n > 0 && !strncmp(line, REFUSAL, strlen(REFUSAL)))
		return because(why, "the other side says: %s", printable(line + strlen(REFUSAL)));
	if (n > 0)
		return because(why, "the other side does not speak this program's protocol");
	return because(why, n ? "the other side does not answer" : "the other side has closed");
}

/* For each line of the client a new queue pair, until it closes. */
static bool serve_rounds(int fd, struct rc *rc, char *why)
{
	struct rc_end client, self;
	bool left;

	for (;;) {
		if (!receive_end(fd, &client, &left, why))
			return left;
		/* Who has spoken once may measure for as long as it likes. */
		set_patience(fd, SO_RCVTIMEO, IDLE_PATIENCE);
		if (!rc_renew(rc, why))
			return false;
		rc_self(rc, &self);
		if (self.mtu > client.mtu)
			self.mtu = client.mtu;
		client.mtu = self.mtu;
		if (!rc_connect(rc, &client, why) || !send_end(fd, &self, why))
			return false;
	}
}

/* The client, too, is told, when it has asked. */
static void tell(int fd, const char *why)
{
	char line[LINE];

	if (receive_line(fd, line) <= 0)
		return;
	snprintf(line, sizeof(line), REFUSAL "%s\n", why);
	send(fd, line, strlen(line), MSG_NOSIGNAL);
}

static bool serve_client(int fd, char *why)
{
	struct sockaddr_storage local;
	socklen_t len = sizeof(local);
	char device[NLDEV_NAME_SIZE];
	struct in6_addr gid;
	unsigned int index;
	struct rc *rc;
	bool well;

	set_patience(fd, SO_RCVTIMEO, TCP_PATIENCE);
	set_patience(fd, SO_SNDTIMEO, TCP_PATIENCE);
	if (getsockname(fd, (struct sockaddr *)&local, &len))
		return because(why, "%s", strerror(errno));
	gid = as_gid(&local);
	rc = open_by_address(&gid, device, &index, why);
	if (!rc) {
		tell(fd, why);
		return false;
	}
	well = serve_rounds(fd, rc, why);
	rc_close(rc);
	return well;
}

/* Without IPv6 it is IPv4 alone. */
static int open_listener(uint16_t port, char *why)
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
	because(why, "cannot listen on TCP port %u: %s", port, strerror(errno));
	close(fd);
	return -1;
}

typedef void (*served_fn)(const char *address, const char *wrong, void *arg);

static bool serve_on(int listener, unsigned int count, served_fn served, void *arg, char *why)
{
	bool all_well = true;

	for (unsigned int i = 0; !count || i < count; i++) {
		struct sockaddr_storage client;
		socklen_t len = sizeof(client);
		int fd = accept(listener, (struct sockaddr *)&client, &len);
		char address[INET6_ADDRSTRLEN];
		struct in6_addr gid;
		bool well;

		if (fd < 0)
			break;
		gid = as_gid(&client);
		print_address(&gid, address);
		well = serve_client(fd, why);
		served(address, well ? NULL : why, arg);
		all_well &= well;
		close(fd);
	}
	return all_well;
}

bool peer_serve(uint16_t port, unsigned int count,
		void (*served)(const char *address, const char *wrong, void *arg), void *arg,
		char *why)
{
	int listener = open_listener(port, why);
	bool all_well;

	if (listener < 0)
		return false;
	all_well = serve_on(listener, count, served, arg, why);
	close(listener);
	return all_well;
}

/* A client and the way that it tests. */
struct test {
	struct peer_result *result;
	struct rc *rc;
	int fd;
	struct rc_end peer;
};

static bool connect_limited(int fd, const struct addrinfo *to)
{
	set_patience(fd, SO_SNDTIMEO, TCP_PATIENCE);
	set_patience(fd, SO_RCVTIMEO, TCP_PATIENCE);
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
		return because(result->why, "\"%s\" is not known: %s", host, gai_strerror(err));
	t->fd = connect_any(list, result);
	err = errno;
	freeaddrinfo(list);
	if (t->fd >= 0)
		return true;
	if (err == ECONNREFUSED)
		snprintf(result->remedy, sizeof(result->remedy),
			 "run rxectl test server on that host");
	return because(result->why, "%s does not answer on TCP port %u: %s", result->address, port,
		       err == EINPROGRESS ? "timed out" : strerror(err));
}

/* Connects anew, with packets of at most @mtu. */
static bool connect_rc(struct test *t, unsigned int mtu)
{
	struct rc_end self;
	char *why = t->result->why;

	if (!rc_renew(t->rc, why))
		return false;
	rc_self(t->rc, &self);
	if (mtu < self.mtu)
		self.mtu = mtu;
	if (!send_end(t->fd, &self, why) || !receive_end(t->fd, &t->peer, NULL, why))
		return false;
	if (t->peer.mtu > self.mtu)
		return because(why, "the other side wants a larger MTU than this one has");
	return rc_connect(t->rc, &t->peer, why);
}

static bool open_rc(struct test *t)
{
	struct sockaddr_storage local;
	socklen_t len = sizeof(local);
	struct peer_result *result = t->result;
	struct in6_addr gid;

	if (getsockname(t->fd, (struct sockaddr *)&local, &len))
		return because(result->why, "%s", strerror(errno));
	gid = as_gid(&local);
	t->rc = open_by_address(&gid, result->device, &result->index, result->why);
	if (!t->rc && !*result->device)
		snprintf(result->remedy, sizeof(result->remedy),
			 "rxectl link add makes one on its interface");
	return t->rc && connect_rc(t, MAX_MTU);
}

/* Of the bytes that are to arrive, each way. */
static void fill(unsigned char *buffer, uint32_t len, unsigned char seed)
{
	for (uint32_t i = 0; i < len; i++)
		buffer[i] = (unsigned char)(i * 7 + seed);
}

/* Writes a packet of the largest size, and reads it back. */
static bool try_mtu(struct test *t, char *why)
{
	unsigned char *buffer = rc_buffer(t->rc), wanted[MAX_MTU];
	uint32_t len = t->peer.mtu;

	fill(buffer, len, (unsigned char)len);
	memcpy(wanted, buffer, len);
	if (!rc_post(t->rc, false, 0, len, why) || !rc_wait(t->rc, why))
		return false;
	memset(buffer, 0, len);
	if (!rc_post(t->rc, true, 0, len, why) || !rc_wait(t->rc, why))
		return false;
	return !memcmp(buffer, wanted, len) ||
	       because(why, "other bytes came back than had been sent");
}

/* What the ports allow need not be what the way between them carries. */
static bool find_mtu(struct test *t)
{
	struct peer_result *result = t->result;

	result->port_mtu = t->peer.mtu;
	while (!try_mtu(t, result->why)) {
		if (t->peer.mtu / 2 < MIN_MTU) {
			snprintf(result->remedy, sizeof(result->remedy),
				 "run rxectl doctor on both hosts: UDP port 4791 may be blocked");
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

/* Nothing that is posted is left: what has been written at the end has arrived. */
static bool measure_bandwidth(struct test *t, double seconds)
{
	double start = clock_seconds(), spent = 0;
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

/* The interface of a device may be in another network namespace. */
static bool is_own(const struct in6_addr *gid)
{
	struct sockaddr_in6 own6 = { .sin6_family = AF_INET6, .sin6_addr = *gid };
	struct sockaddr_in own4 = { .sin_family = AF_INET };
	bool v4 = IN6_IS_ADDR_V4MAPPED(gid), own;
	int fd = socket(v4 ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return false;
	memcpy(&own4.sin_addr, &gid->s6_addr[12], 4);
	own = v4 ? !bind(fd, (struct sockaddr *)&own4, sizeof(own4)) :
		   !bind(fd, (struct sockaddr *)&own6, sizeof(own6));
	close(fd);
	return own;
}

/* The best address of a device, if it can be used here. */
static bool own_address(const char *device, char address[INET6_ADDRSTRLEN])
{
	const struct gid *best;
	struct gid *gids;
	size_t n;

	if (gids_get(device, &gids, &n))
		return false;
	best = gids_best(gids, n);
	if (best && !IN6_IS_ADDR_LINKLOCAL(&best->raw) && is_own(&best->raw))
		print_address(&best->raw, address);
	else
		best = NULL;
	free(gids);
	return best;
}

static bool any_address(const char *device, char address[INET6_ADDRSTRLEN])
{
	char **names;
	size_t n = file_list("/sys/class/infiniband", "", &names);
	bool found = false;

	for (size_t i = 0; i < n && !found; i++)
		if (!device || !strcmp(device, names[i]))
			found = own_address(names[i], address);
	file_list_free(names, n);
	return found;
}

static void be_quiet(const char *address, const char *wrong, void *arg)
{
	(void)address;
	(void)wrong;
	(void)arg;
}

static uint16_t port_of(int listener)
{
	struct sockaddr_in6 address = { 0 };
	socklen_t len = sizeof(address);

	/* The port is at the same place for both families. */
	getsockname(listener, (struct sockaddr *)&address, &len);
	return ntohs(address.sin6_port);
}

/* A server of our own, on a port that is free. */
static void run_alone(struct test *t, const char *address, double seconds)
{
	int listener = open_listener(0, t->result->why);
	char why[RC_WHY];
	pid_t server;

	if (listener < 0)
		return;
	server = fork();
	if (!server)
		_exit(serve_on(listener, 1, be_quiet, NULL, why) ? 0 : 1);
	if (server > 0)
		run(t, address, port_of(listener), seconds);
	else
		because(t->result->why, "no process for the server: %s", strerror(errno));
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
	} else if (any_address(device, address)) {
		run_alone(&t, address, seconds);
	} else {
		because(result->why, "there is no RDMA device %s%swith an address",
			device ? device : "", device ? " " : "");
		snprintf(result->remedy, sizeof(result->remedy), "rxectl doctor says why");
	}
}
