// SPDX-License-Identifier: GPL-2.0
/*
 * Server of the path test: several clients, idle clients, keepalive. Its QPs are fakes. NAT between
 * the ends.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "perf/local.h"
#include "perf/nat.h"
#include "perf/server.h"
#include "perf/wire.h"

static char fake_rc;

/* Numbers of clients served well and not; in memory shared with the processes of the server. */
struct seen {
	int well;
	int badly;
	char wrong[ERRBUF_SIZE];
};

static struct seen *seen;

struct in6_addr peer_local_gid(const struct sockaddr_storage *address)
{
	(void)address;
	return in6addr_loopback;
}

struct rc *peer_local_open(const struct in6_addr *gid, char device[NLDEV_NAME_SIZE],
			   unsigned int *index, char *why)
{
	(void)gid;
	(void)device;
	(void)index;
	(void)why;
	return (struct rc *)&fake_rc;
}

void rc_close(struct rc *rc)
{
	(void)rc;
}

bool rc_renew(struct rc *rc, char *why)
{
	(void)rc;
	(void)why;
	return true;
}

void rc_self(const struct rc *rc, struct rc_end *self)
{
	(void)rc;
	*self = (struct rc_end){ .qpn = 17, .mtu = 1024 };
}

bool rc_connect(struct rc *rc, const struct rc_end *peer, char *why)
{
	(void)rc;
	(void)peer;
	(void)why;
	return true;
}

static void served(const char *address, const char *wrong, void *arg)
{
	(void)address;
	(void)arg;
	__atomic_add_fetch(wrong ? &seen->badly : &seen->well, 1, __ATOMIC_SEQ_CST);
	if (wrong)
		snprintf(seen->wrong, sizeof(seen->wrong), "%s", wrong);
}

/* Fork a server for @count clients. Return: its PID. */
static pid_t start_server(unsigned int count, uint16_t *port)
{
	char why[ERRBUF_SIZE] = "";
	int listener = peer_server_listen(0, why);
	pid_t pid;

	assert_true(listener >= 0);
	memset(seen, 0, sizeof(*seen));
	*port = peer_server_port(listener);
	pid = fork();
	if (!pid)
		_exit(peer_server_run(listener, count, served, NULL, why) ? 0 : 1);
	close(listener);
	return pid;
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int start_client(uint16_t port)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(port),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	peer_wire_patience(fd, SO_RCVTIMEO, 20);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

/* Exchange the lines of one round. Return: the server's line. */
static struct rc_end meet(int fd, bool keepalive)
{
	struct rc_end self = { .qpn = 1, .mtu = 4096, .keepalive = keepalive }, peer;
	char why[ERRBUF_SIZE] = "";

	assert_true(peer_wire_send(fd, &self, why));
	if (!peer_wire_receive(fd, &peer, NULL, why))
		fail_msg("%s", why);
	return peer;
}

/* A client that has a connection does not keep another from being served. */
static void test_several(void **state)
{
	uint16_t port;
	pid_t server = start_server(2, &port);
	int first = start_client(port), second;
	struct rc_end peer;

	(void)state;
	meet(first, true);
	second = start_client(port);
	peer = meet(second, true);
	assert_int_equal(peer.mtu, 1024);
	assert_int_equal(peer.qpn, 17);
	assert_true(peer.keepalive);
	assert_memory_equal(&peer.from, &in6addr_loopback, sizeof(peer.from));
	close(second);
	close(first);
	assert_int_equal(status_of(server), 0);
	assert_int_equal(seen->well, 2);
}

/* A client that sends nothing for the idle time is disconnected; empty lines keep it. */
static void test_idle(void **state)
{
	uint16_t port;
	pid_t server;
	int fd, busy;
	char byte;

	(void)state;
	peer_server_idle = 1;
	server = start_server(2, &port);
	fd = start_client(port);
	busy = start_client(port);
	meet(fd, true);
	meet(busy, true);
	for (int i = 0; i < 4; i++) {
		usleep(500000);
		peer_wire_keepalive(busy);
	}
	assert_int_equal(recv(fd, &byte, 1, 0), 0);
	meet(busy, true);
	close(busy);
	close(fd);
	assert_int_equal(status_of(server), 1);
	assert_int_equal(seen->well, 1);
	assert_int_equal(seen->badly, 1);
	assert_string_equal(seen->wrong, "the peer does not answer");
	peer_server_idle = 60;
}

/* A client without keepalive may be silent for longer, and gets a line without the word. */
static void test_legacy(void **state)
{
	uint16_t port;
	pid_t server;
	int fd;

	(void)state;
	peer_server_idle = 1;
	server = start_server(1, &port);
	fd = start_client(port);
	assert_false(meet(fd, false).keepalive);
	sleep(2);
	assert_false(meet(fd, false).keepalive);
	close(fd);
	assert_int_equal(status_of(server), 0);
	peer_server_idle = 60;
}

/* A line without the source address, or with one that is cut off, is that of an older server. */
static void test_from(void **state)
{
	static const struct {
		const char *words;
		bool known;
	} rows[] = {
		{ "", false },
		{ " keepalive", false },
		{ " keepalive from 00000000000000000000ffffc0a80701", true },
		{ " from 00000000000000000000ffffc0a80701", true },
		{ " from 00000000000000000000ffffc0a8070", false },
		{ " from ", false },
	};
	char line[200], why[ERRBUF_SIZE];
	struct rc_end end;
	int fds[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(line, sizeof(line),
			 "rxectl-test 1 400 11 12 13 14 00000000000000000000ffffc0a80702%s\n",
			 rows[i].words);
		assert_int_equal(send(fds[0], line, strlen(line), 0), strlen(line));
		assert_true(peer_wire_receive(fds[1], &end, NULL, why));
		assert_int_equal(!IN6_IS_ADDR_UNSPECIFIED(&end.from), rows[i].known);
		assert_int_equal(end.gid.s6_addr[15], 2);
	}
	close(fds[0]);
	close(fds[1]);
}

static struct in6_addr address(const char *text)
{
	struct in6_addr addr = in6addr_any;

	if (text)
		assert_int_equal(inet_pton(AF_INET6, text, &addr), 1);
	return addr;
}

static void test_nat(void **state)
{
	static const struct {
		const char *self, *self_seen, *peer, *peer_seen, *why;
	} rows[] = {
		{ "::ffff:10.0.0.1", "::ffff:10.0.0.1", "::ffff:10.0.0.2", "::ffff:10.0.0.2",
		  NULL },
		{ "::ffff:10.0.0.1", NULL, "::ffff:10.0.0.2", "::ffff:10.0.0.2", NULL },
		{ "::ffff:10.0.0.1", "::ffff:192.0.2.1", "::ffff:192.0.2.2", "::ffff:192.0.2.2",
		  "NAT on the way: the address of this host is 10.0.0.1, but the peer sees "
		  "192.0.2.1" },
		{ "::ffff:10.0.0.1", "::ffff:10.0.0.1", "::ffff:172.17.0.2", "::ffff:10.0.0.2",
		  "NAT on the way: 10.0.0.2 leads to a host whose address is 172.17.0.2" },
		{ "fd07::1", "fd08::1", "fd08::2", "fd08::2",
		  "NAT on the way: the address of this host is fd07::1, but the peer sees "
		  "fd08::1" },
	};
	char why[ERRBUF_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct nat_view view = {
			.self = address(rows[i].self),
			.self_seen = address(rows[i].self_seen),
			.peer = address(rows[i].peer),
			.peer_seen = address(rows[i].peer_seen),
		};

		assert_int_equal(nat_found(&view, why), rows[i].why != NULL);
		if (rows[i].why)
			assert_string_equal(why, rows[i].why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_legacy),
		cmocka_unit_test(test_from),
		cmocka_unit_test(test_nat),
	};

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests_name("path test", tests, NULL, NULL);
}
