// SPDX-License-Identifier: GPL-2.0
/* RDMA netlink: requests and replies about links, counters and objects. */
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

/* An attribute of 32 bits in a reply; @value is left alone if it is missing. */
static void find_u32(const struct nlmsghdr *head, int type, uint32_t *value)
{
	const void *at = NLMSG_DATA(head), *end = (const void *)head + head->nlmsg_len;
	const struct nlattr *attr;

	for (; at < end; at += NLMSG_ALIGN(attr->nla_len)) {
		attr = at;
		if (attr->nla_type == type)
			memcpy(value, at + NLA_HDRLEN, sizeof(*value));
	}
}

/*
 * Send a command, and wait for its acknowledgement. *@value becomes the attribute @type of a reply
 * before it; NULL: there is none.
 */
static bool command_value(const struct message *m, int type, uint32_t *value)
{
	char reply[4096];
	struct nlmsghdr *head = (void *)reply;
	struct nlmsgerr *err = NLMSG_DATA(head);

	if (send(sock, m, m->head.nlmsg_len, 0) < 0)
		return false;
	for (;;) {
		if (recv(sock, reply, sizeof(reply), 0) < 0)
			return false;
		if (head->nlmsg_type == NLMSG_ERROR)
			break;
		if (value)
			find_u32(head, type, value);
	}
	errno = -err->error;
	return !err->error;
}

static bool command(const struct message *m)
{
	return command_value(m, 0, NULL);
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

int nldev_index(const char *name)
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
	uint32_t index = nldev_index(name);

	add_attr(&m, RDMA_NLDEV_ATTR_DEV_INDEX, &index, sizeof(index));
	return command(&m);
}

size_t nldev_resources(uint32_t index, void *summary, size_t size)
{
	struct message m = message(RDMA_NLDEV_CMD_RES_GET, 0);
	char reply[4096];
	struct nlmsghdr *head = (void *)reply;
	ssize_t len;

	add_attr(&m, RDMA_NLDEV_ATTR_DEV_INDEX, &index, sizeof(index));
	if (send(sock, &m, m.head.nlmsg_len, 0) < 0)
		die("the kernel does not count objects: %m");
	len = recv(sock, reply, sizeof(reply), 0);
	if (len < NLMSG_HDRLEN || head->nlmsg_type == NLMSG_ERROR)
		die("the kernel does not count objects");
	len -= NLMSG_HDRLEN;
	if (len > (ssize_t)size)
		die("the kernel counts too many kinds of objects");
	memcpy(summary, NLMSG_DATA(head), len);
	return len;
}

static struct message counter_message(int command, uint32_t index, uint32_t qpn)
{
	struct message m = message(command, NLM_F_ACK);
	uint32_t port = 1, mode = RDMA_COUNTER_MODE_MANUAL, what = RDMA_NLDEV_ATTR_RES_QP;

	add_attr(&m, RDMA_NLDEV_ATTR_DEV_INDEX, &index, sizeof(index));
	add_attr(&m, RDMA_NLDEV_ATTR_PORT_INDEX, &port, sizeof(port));
	add_attr(&m, RDMA_NLDEV_ATTR_STAT_MODE, &mode, sizeof(mode));
	add_attr(&m, RDMA_NLDEV_ATTR_STAT_RES, &what, sizeof(what));
	add_attr(&m, RDMA_NLDEV_ATTR_RES_LQPN, &qpn, sizeof(qpn));
	return m;
}

bool nldev_bind_counter(uint32_t index, uint32_t qpn, uint32_t *id)
{
	struct message m = counter_message(RDMA_NLDEV_CMD_STAT_SET, index, qpn);

	return command_value(&m, RDMA_NLDEV_ATTR_STAT_COUNTER_ID, id);
}

bool nldev_unbind_counter(uint32_t index, uint32_t qpn, uint32_t id)
{
	struct message m = counter_message(RDMA_NLDEV_CMD_STAT_DEL, index, qpn);

	add_attr(&m, RDMA_NLDEV_ATTR_STAT_COUNTER_ID, &id, sizeof(id));
	return command(&m);
}
