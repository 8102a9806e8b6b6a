// SPDX-License-Identifier: GPL-2.0
/*
 * A wire between two tun interfaces: create one of the same name in each of two network
 * namespaces, and pass packets between them until killed.
 *
 *	tun_wire NETNS-A NETNS-B NAME
 *
 * NETNS-* are names as in "ip netns".
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util.h"

static void enter(const char *netns)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die("cannot enter %s: %m", path);
	close(fd);
}

static int tun(const char *netns, const char *name)
{
	struct ifreq req = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	int fd;

	enter(netns);
	fd = open("/dev/net/tun", O_RDWR);
	if (fd < 0)
		die("/dev/net/tun: %m");
	strncpy(req.ifr_name, name, sizeof(req.ifr_name) - 1);
	if (ioctl(fd, TUNSETIFF, &req))
		die("cannot create %s: %m", name);
	return fd;
}

int main(int argc, char **argv)
{
	struct pollfd ends[2];
	static char buf[65536];
	ssize_t n;
	int i;

	if (argc != 4)
		die("usage: tun_wire NETNS-A NETNS-B NAME");
	for (i = 0; i < 2; i++)
		ends[i] = (struct pollfd){ .fd = tun(argv[i + 1], argv[3]), .events = POLLIN };
	for (;;) {
		if (poll(ends, 2, -1) < 0)
			die("poll: %m");
		for (i = 0; i < 2; i++) {
			if (!ends[i].revents)
				continue;
			n = read(ends[i].fd, buf, sizeof(buf));
			/* Fails while the other interface is down: the packet is lost. */
			if (n > 0 && write(ends[!i].fd, buf, n) < 0)
				continue;
		}
	}
}
