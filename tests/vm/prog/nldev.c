// SPDX-License-Identifier: GPL-2.0
/* Links by RDMA netlink: requests and replies. */
#include <errno.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "nldev.h"
#include "util.h"

static int sock;

/* A message with its attributes. */
struct message {
	struct nlmsghdr head;
	char attrs[256];
};

void nldev_open(void)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

	sock = socket(AF_NETLINK, SOCK_RAW, NETLINK_RDMA);
	if (sock < 0 || connect(sock, (struct sockaddr *)&kernel, sizeof(kernel)))
		die("no RDMA netlink: %m");
}

static struct message message(int command, int flags)
{
	return (struct message){ .head = { .nlmsg_len = NLMSG_HDRLEN,
					   .nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
					   .nlmsg_flags = NLM_F_REQUEST | flags } };
}

static void add_attr(struct message *m, int type, const void *value, size_t len)
{
	struct nlattr *attr = (void *)m + m->head.nlmsg_len;

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	memcpy((void *)attr + NLA_HDRLEN, value, len);
	m->head.nlmsg_len += NLMSG_ALIGN(attr->nla_len);
}

/* Send a command, and wait for its acknowledgement. */
static bool command(const struct message *m)
{
	char reply[4096];
	struct nlmsghdr *head = (void *)reply;
	struct nlmsgerr *err = NLMSG_DATA(head);

	if (send(sock, m, m->head.nlmsg_len, 0) < 0)
		return false;
	do {
		if (recv(sock, reply, sizeof(reply), 0) < 0)
			return false;
	} while (head->nlmsg_type != NLMSG_ERROR);
	errno = -err->error;
	return !err->error;
}

bool nldev_newlink(const char *name, const char *netdev)
{
	struct message m = message(RDMA_NLDEV_CMD_NEWLINK, NLM_F_ACK);

	add_attr(&m, RDMA_NLDEV_ATTR_DEV_NAME, name, strlen(name) + 1);
	add_attr(&m, RDMA_NLDEV_ATTR_LINK_TYPE, "rxe", 4);
	add_attr(&m, RDMA_NLDEV_ATTR_NDEV_NAME, netdev, strlen(netdev) + 1);
	return command(&m);
}

/* Return: the index if the message is about the device, else -1. */
static int index_in(const struct nlmsghdr *head, const char *name)
{
	const void *at = NLMSG_DATA(head), *end = (const void *)head + head->nlmsg_len;
	bool found = false;
	int index = -1;

	while (at < end) {
		const struct nlattr *attr = at;
		const void *value = at + NLA_HDRLEN;

		if (attr->nla_type == RDMA_NLDEV_ATTR_DEV_INDEX)
			memcpy(&index, value, sizeof(index));
		if (attr->nla_type == RDMA_NLDEV_ATTR_DEV_NAME)
			found = !strcmp(value, name);
		at += NLMSG_ALIGN(attr->nla_len);
	}
	return found ? index : -1;
}

static int index_of(const char *name)
{
	struct message m = message(RDMA_NLDEV_CMD_GET, NLM_F_DUMP);
	char reply[16384];
	int index = -1;

	if (send(sock, &m, m.head.nlmsg_len, 0) < 0)
		return -1;
	for (;;) {
		struct nlmsghdr *head = (void *)reply;
		ssize_t len = recv(sock, reply, sizeof(reply), 0);

		if (len < 0)
			return -1;
		for (; NLMSG_OK(head, len); head = NLMSG_NEXT(head, len)) {
			if (head->nlmsg_type == NLMSG_DONE || head->nlmsg_type == NLMSG_ERROR)
				return index;
			if (index < 0)
				index = index_in(head, name);
		}
	}
}

bool nldev_dellink(const char *name)
{
	struct message m = message(RDMA_NLDEV_CMD_DELLINK, NLM_F_ACK);
	uint32_t index = index_of(name);

	add_attr(&m, RDMA_NLDEV_ATTR_DEV_INDEX, &index, sizeof(index));
	return command(&m);
}
