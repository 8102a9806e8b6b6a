// SPDX-License-Identifier: GPL-2.0
/* Sockets in a network namespace. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/netns.h"
#include "sys/nlsock.h"

#define NETNS_DIR "/run/netns"
#define OWN_NETNS "/proc/thread-self/ns/net"

/**
 * struct netns - sockets in a network namespace
 * @name: as in "ip netns"; NULL for the caller's namespace
 * @dev: device of the namespace's inode in nsfs
 * @ino: inode number in nsfs
 * @rdma: RDMA netlink socket; NULL after netns_open_without_rdma()
 * @route: rtnetlink socket
 * @ioctl_fd: socket for ioctl()
 */
struct netns {
	char *name;
	dev_t dev;
	ino_t ino;
	struct nlsock *rdma;
	struct nl_sock *route;
	int ioctl_fd;
};

static int open_route(struct nl_sock **route)
{
	*route = nl_socket_alloc();
	if (!*route)
		return -ENOMEM;
	if (nl_connect(*route, NETLINK_ROUTE)) {
		nl_socket_free(*route);
		return -EIO;
	}
	return 0;
}

/* All but the RDMA netlink socket. */
static int open_net_sockets(struct netns *ns)
{
	struct stat self;
	int err;

	if (stat(OWN_NETNS, &self))
		return -errno;
	ns->dev = self.st_dev;
	ns->ino = self.st_ino;
	err = open_route(&ns->route);
	if (err)
		return err;
	ns->ioctl_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (ns->ioctl_fd < 0) {
		err = -errno;
		goto err_free_route;
	}
	return 0;

err_free_route:
	nl_socket_free(ns->route);
	return err;
}

/* A socket stays in the namespace that it was created in. */
static int open_sockets(struct netns *ns)
{
	int err = nlsock_open(&ns->rdma);

	if (err)
		return err;
	err = open_net_sockets(ns);
	if (err)
		nlsock_close(ns->rdma);
	return err;
}

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int open_sockets_in(struct netns *ns, const char *name)
{
	char path[sizeof(NETNS_DIR) + NAME_MAX + 1];
	int own, other, err = 0;

	if (snprintf(path, sizeof(path), NETNS_DIR "/%s", name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	own = open_file(OWN_NETNS);
	if (own < 0)
		return own;
	other = open_file(path);
	if (other < 0) {
		err = other;
		goto err_close_own;
	}

	if (setns(other, CLONE_NEWNET)) {
		err = -errno;
	} else {
		err = open_sockets(ns);
		/*
		 * Returning needs the capability that entering needed, so it cannot fail for lack
		 * of it.
		 */
		if (setns(own, CLONE_NEWNET))
			abort();
	}
	close(other);
err_close_own:
	close(own);
	return err;
}

int netns_open_without_rdma(struct netns **out)
{
	struct netns *ns = calloc(1, sizeof(*ns));
	int err = ns ? open_net_sockets(ns) : -ENOMEM;

	if (err)
		free(ns);
	else
		*out = ns;
	return err;
}

int netns_open(const char *name, struct netns **out)
{
	struct netns *ns = calloc(1, sizeof(*ns));
	int err = -ENOMEM;

	if (!ns)
		return -ENOMEM;
	if (name) {
		ns->name = strdup(name);
		if (!ns->name)
			goto err_free;
	}
	err = name ? open_sockets_in(ns, name) : open_sockets(ns);
	if (err)
		goto err_free;
	*out = ns;
	return 0;

err_free:
	free(ns->name);
	free(ns);
	return err;
}

/* sysfs shows the network namespace of the process that mounted it. */
static int remount_sysfs(void)
{
	if (unshare(CLONE_NEWNS) || mount("", "/", NULL, MS_SLAVE | MS_REC, NULL))
		return -errno;
	if (umount2("/sys", MNT_DETACH) && errno != EINVAL)
		return -errno;
	return mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) ? -errno : 0;
}

int netns_enter(const char *name)
{
	char path[sizeof(NETNS_DIR) + NAME_MAX + 1];
	int other, err;

	if (!*name || strchr(name, '/'))
		return -ENOENT;
	if (snprintf(path, sizeof(path), NETNS_DIR "/%s", name) >= (int)sizeof(path))
		return -ENOENT;
	other = open_file(path);
	if (other < 0)
		return other;
	err = setns(other, CLONE_NEWNET) ? -errno : remount_sysfs();
	close(other);
	return err;
}

void netns_close(struct netns *ns)
{
	if (!ns)
		return;
	close(ns->ioctl_fd);
	nl_socket_free(ns->route);
	nlsock_close(ns->rdma);
	free(ns->name);
	free(ns);
}

const char *netns_name(const struct netns *ns)
{
	return ns->name;
}

bool netns_same(const struct netns *a, const struct netns *b)
{
	return a->dev == b->dev && a->ino == b->ino;
}

static bool is_file_of(const struct netns *ns, const char *path)
{
	struct stat file;

	return !stat(path, &file) && file.st_dev == ns->dev && file.st_ino == ns->ino;
}

static bool is_named(const struct netns *ns, const char *name)
{
	char path[sizeof(NETNS_DIR) + NAME_MAX + 1];

	snprintf(path, sizeof(path), NETNS_DIR "/%s", name);
	return name[0] != '.' && is_file_of(ns, path);
}

char *netns_find_name(const struct netns *ns)
{
	char *name = ns->name ? strdup(ns->name) : NULL;
	struct dirent *entry;
	DIR *dir;

	if (name || is_file_of(ns, "/proc/1/ns/net"))
		return name ? name : strdup("");
	dir = opendir(NETNS_DIR);
	while (dir && !name && (entry = readdir(dir)))
		if (is_named(ns, entry->d_name))
			name = strdup(entry->d_name);
	if (dir)
		closedir(dir);
	return name;
}

struct nlsock *netns_rdma(const struct netns *ns)
{
	return ns->rdma;
}

struct nl_sock *netns_route(const struct netns *ns)
{
	return ns->route;
}

int netns_ioctl_fd(const struct netns *ns)
{
	return ns->ioctl_fd;
}

static int add_named(struct netns ***all, size_t *n, const char *name)
{
	struct netns **grown = reallocarray(*all, *n + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	*all = grown;
	/* Skip namespaces that cannot be entered or are being deleted. */
	if (!netns_open(name, &grown[*n]))
		(*n)++;
	return 0;
}

int netns_open_named(struct netns ***all, size_t *n)
{
	DIR *dir = opendir(NETNS_DIR);
	struct dirent *entry;
	int err = 0;

	*all = NULL;
	*n = 0;
	while (dir && !err && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			err = add_named(all, n, entry->d_name);
	if (dir)
		closedir(dir);
	return err;
}
