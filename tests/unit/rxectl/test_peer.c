// SPDX-License-Identifier: GPL-2.0
/* Server of the path test: several clients, idle clients, keepalive. Its QPs are fakes. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_legacy),
	};

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests_name("path test", tests, NULL, NULL);
}
