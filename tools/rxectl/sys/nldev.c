// SPDX-License-Identifier: GPL-2.0
/* RDMA devices, by netlink (RDMA_NL_NLDEV). */
#include <errno.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <rdma/rdma_netlink.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sys/nldev.h"
#include "sys/nlsock.h"

/* libnl checks type and length of received attributes against this policy. */
static struct nla_policy policy[RDMA_NLDEV_ATTR_MAX] = {
	[RDMA_NLDEV_ATTR_DEV_INDEX] = { .type = NLA_U32 },
	[RDMA_NLDEV_ATTR_DEV_NAME] = { .type = NLA_STRING },
	[RDMA_NLDEV_ATTR_NODE_GUID] = { .type = NLA_U64 },
	[RDMA_NLDEV_ATTR_PORT_STATE] = { .type = NLA_U8 },
	[RDMA_NLDEV_ATTR_PORT_PHYS_STATE] = { .type = NLA_U8 },
	[RDMA_NLDEV_ATTR_NDEV_NAME] = { .type = NLA_STRING },
	[RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID] = { .type = NLA_U64 },
	[RDMA_NLDEV_ATTR_RES_QP] = { .type = NLA_NESTED },
	[RDMA_NLDEV_ATTR_RES_MR] = { .type = NLA_NESTED },
	[RDMA_NLDEV_ATTR_RES_CQ] = { .type = NLA_NESTED },
	[RDMA_NLDEV_ATTR_RES_PD] = { .type = NLA_NESTED },
	[RDMA_NLDEV_ATTR_RES_LQPN] = { .type = NLA_U32 },
	[RDMA_NLDEV_ATTR_RES_RQPN] = { .type = NLA_U32 },
	[RDMA_NLDEV_ATTR_RES_TYPE] = { .type = NLA_U8 },
	[RDMA_NLDEV_ATTR_RES_STATE] = { .type = NLA_U8 },
	[RDMA_NLDEV_ATTR_RES_SQ_PSN] = { .type = NLA_U32 },
	[RDMA_NLDEV_ATTR_RES_RQ_PSN] = { .type = NLA_U32 },
	[RDMA_NLDEV_ATTR_RES_PID] = { .type = NLA_U32 },
	[RDMA_NLDEV_ATTR_RES_KERN_NAME] = { .type = NLA_STRING },
	[RDMA_NLDEV_ATTR_RES_MRN] = { .type = NLA_U32 },
	[RDMA_NLDEV_ATTR_RES_MRLEN] = { .type = NLA_U64 },
	[RDMA_NLDEV_ATTR_RES_CQN] = { .type = NLA_U32 },
	[RDMA_NLDEV_ATTR_RES_CQE] = { .type = NLA_U32 },
	[RDMA_NLDEV_ATTR_RES_PDN] = { .type = NLA_U32 },
	[RDMA_NLDEV_ATTR_RES_USECNT] = { .type = NLA_U64 },
	[RDMA_NLDEV_ATTR_STAT_HWCOUNTERS] = { .type = NLA_NESTED },
	[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME] = { .type = NLA_STRING },
	[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE] = { .type = NLA_U64 },
	[RDMA_NLDEV_SYS_ATTR_NETNS_MODE] = { .type = NLA_U8 },
	[RDMA_NLDEV_ATTR_RES_SUMMARY] = { .type = NLA_NESTED },
	[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME] = { .type = NLA_STRING },
	[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR] = { .type = NLA_U64 },
};

typedef struct nlattr *attr_table[RDMA_NLDEV_ATTR_MAX];

/* Attributes newer than the program's headers are skipped. */
static bool parse(struct nlmsghdr *nlh, attr_table tb)
{
	return nlmsg_parse(nlh, 0, tb, RDMA_NLDEV_ATTR_MAX - 1, policy) >= 0;
}

static struct nl_msg *new_request(int command, int flags)
{
	return nlmsg_alloc_simple(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command), NLM_F_REQUEST | flags);
}

/* Send @msg, which is consumed; NULL is -ENOMEM. */
static int talk(struct nlsock *sk, struct nl_msg *msg,
		void (*reply)(struct nlmsghdr *nlh, void *arg), void *arg)
{
	int err;

	if (!msg)
		return -ENOMEM;
	err = nlsock_talk(sk, msg, reply, arg);
	nlmsg_free(msg);
	return err;
}

static struct nl_msg *flagged_request(int command, int flags, uint32_t index)
{
	struct nl_msg *msg = new_request(command, flags);

	if (msg && nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static struct nl_msg *device_request(int command, uint32_t index)
{
	return flagged_request(command, 0, index);
}

static struct nl_msg *port_request(int command, uint32_t index)
{
	struct nl_msg *msg = device_request(command, index);

	if (msg && nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, 1)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

struct device_list {
	struct nldev_dev *devs;
	size_t n;
	int err;
};

static void add_device(struct nlmsghdr *nlh, void *arg)
{
	struct device_list *list = arg;
	struct nldev_dev *devs, *dev;
	attr_table tb;

	if (list->err || !parse(nlh, tb) || !tb[RDMA_NLDEV_ATTR_DEV_INDEX] ||
	    !tb[RDMA_NLDEV_ATTR_DEV_NAME])
		return;
	devs = realloc(list->devs, (list->n + 1) * sizeof(*devs));
	if (!devs) {
		list->err = -ENOMEM;
		return;
	}
	list->devs = devs;
	dev = &devs[list->n++];
	memset(dev, 0, sizeof(*dev));
	dev->index = nla_get_u32(tb[RDMA_NLDEV_ATTR_DEV_INDEX]);
	nla_strlcpy(dev->name, tb[RDMA_NLDEV_ATTR_DEV_NAME], sizeof(dev->name));
	if (tb[RDMA_NLDEV_ATTR_NODE_GUID])
		dev->node_guid = nla_get_u64(tb[RDMA_NLDEV_ATTR_NODE_GUID]);
}

int nldev_devices(struct nlsock *sk, struct nldev_dev **devs, size_t *n)
{
	struct device_list list = { 0 };
	int err = talk(sk, new_request(RDMA_NLDEV_CMD_GET, NLM_F_DUMP), add_device, &list);

	if (!err)
		err = list.err;
	if (err) {
		free(list.devs);
		return err;
	}
	*devs = list.devs;
	*n = list.n;
	return 0;
}

static void read_port(struct nlmsghdr *nlh, void *arg)
{
	struct nldev_port *port = arg;
	attr_table tb;

	if (!parse(nlh, tb))
		return;
	if (tb[RDMA_NLDEV_ATTR_PORT_STATE])
		port->state = nla_get_u8(tb[RDMA_NLDEV_ATTR_PORT_STATE]);
	if (tb[RDMA_NLDEV_ATTR_PORT_PHYS_STATE])
		port->phys_state = nla_get_u8(tb[RDMA_NLDEV_ATTR_PORT_PHYS_STATE]);
	if (tb[RDMA_NLDEV_ATTR_NDEV_NAME])
		nla_strlcpy(port->netdev, tb[RDMA_NLDEV_ATTR_NDEV_NAME], sizeof(port->netdev));
}

int nldev_port(struct nlsock *sk, uint32_t index, struct nldev_port *port)
{
	memset(port, 0, sizeof(*port));
	return talk(sk, port_request(RDMA_NLDEV_CMD_PORT_GET, index), read_port, port);
}

struct number {
	const char *kind;
	uint64_t value;
	bool found;
};

static void read_driver(struct nlmsghdr *nlh, void *arg)
{
	struct number *driver = arg;
	attr_table tb;

	if (!parse(nlh, tb) || !tb[RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID])
		return;
	driver->value = nla_get_u64(tb[RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID]);
	driver->found = true;
}

int nldev_driver(struct nlsock *sk, uint32_t index, uint64_t *driver)
{
	struct nl_msg *msg = device_request(RDMA_NLDEV_CMD_GET_CHARDEV, index);
	struct number number = { 0 };
	int err;

	if (msg && nla_put_string(msg, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs")) {
		nlmsg_free(msg);
		return -ENOMEM;
	}
	err = talk(sk, msg, read_driver, &number);
	if (err)
		return err;
	*driver = number.value;
	return number.found ? 0 : -ENODATA;
}

static void read_resources(struct nlmsghdr *nlh, void *arg)
{
	struct number *count = arg;
	struct nlattr *entry;
	attr_table tb, row;
	int left;

	if (!parse(nlh, tb) || !tb[RDMA_NLDEV_ATTR_RES_SUMMARY])
		return;
	nla_for_each_nested(entry, tb[RDMA_NLDEV_ATTR_RES_SUMMARY], left) {
		if (nla_parse_nested(row, RDMA_NLDEV_ATTR_MAX - 1, entry, policy) < 0 ||
		    !row[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME] ||
		    !row[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR] ||
		    nla_strcmp(row[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME], count->kind))
			continue;
		count->value = nla_get_u64(row[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR]);
		count->found = true;
	}
}

int nldev_resources(struct nlsock *sk, uint32_t index, const char *kind, uint64_t *count)
{
	struct nl_msg *msg = device_request(RDMA_NLDEV_CMD_RES_GET, index);
	struct number number = { .kind = kind };
	int err = talk(sk, msg, read_resources, &number);

	if (err)
		return err;
	*count = number.value;
	return number.found ? 0 : -ENOENT;
}

struct dump {
	int table;
	nldev_object_fn object;
	void *arg;
};

static void read_dump(struct nlmsghdr *nlh, void *arg)
{
	const struct dump *dump = arg;
	struct nlattr *entry;
	attr_table tb, row;
	int left;

	if (!parse(nlh, tb) || !tb[dump->table])
		return;
	nla_for_each_nested(entry, tb[dump->table], left)
		if (nla_parse_nested(row, RDMA_NLDEV_ATTR_MAX - 1, entry, policy) >= 0)
			dump->object(row, dump->arg);
}

int nldev_dump(struct nlsock *sk, uint32_t index, int command, int table, nldev_object_fn object,
	       void *arg)
{
	struct dump dump = { .table = table, .object = object, .arg = arg };

	return talk(sk, flagged_request(command, NLM_F_DUMP, index), read_dump, &dump);
}

struct counters {
	void (*counter)(const char *name, uint64_t value, void *arg);
	void *arg;
};

static void read_counter(struct nlattr **tb, void *arg)
{
	const struct counters *counters = arg;

	if (tb[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME] &&
	    tb[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE])
		counters->counter(nla_get_string(tb[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME]),
				  nla_get_u64(tb[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE]),
				  counters->arg);
}

int nldev_counters(struct nlsock *sk, uint32_t index,
		   void (*counter)(const char *name, uint64_t value, void *arg), void *arg)
{
	struct counters counters = { .counter = counter, .arg = arg };
	struct dump dump = { .table = RDMA_NLDEV_ATTR_STAT_HWCOUNTERS,
			     .object = read_counter,
			     .arg = &counters };

	return talk(sk, port_request(RDMA_NLDEV_CMD_STAT_GET, index), read_dump, &dump);
}

static void read_shared(struct nlmsghdr *nlh, void *arg)
{
	struct number *shared = arg;
	attr_table tb;

	if (!parse(nlh, tb) || !tb[RDMA_NLDEV_SYS_ATTR_NETNS_MODE])
		return;
	shared->value = nla_get_u8(tb[RDMA_NLDEV_SYS_ATTR_NETNS_MODE]);
	shared->found = true;
}

int nldev_shared(struct nlsock *sk, bool *shared)
{
	struct number number = { 0 };
	int err = talk(sk, new_request(RDMA_NLDEV_CMD_SYS_GET, 0), read_shared, &number);

	*shared = number.value;
	return err ? err : number.found ? 0 : -ENODATA;
}

int nldev_newlink(struct nlsock *sk, const char *name, const char *type, const char *netdev)
{
	struct nl_msg *msg = new_request(RDMA_NLDEV_CMD_NEWLINK, 0);

	if (msg && (nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, name) ||
		    nla_put_string(msg, RDMA_NLDEV_ATTR_LINK_TYPE, type) ||
		    nla_put_string(msg, RDMA_NLDEV_ATTR_NDEV_NAME, netdev))) {
		nlmsg_free(msg);
		return -ENOMEM;
	}
	return talk(sk, msg, NULL, NULL);
}

int nldev_dellink(struct nlsock *sk, uint32_t index)
{
	return talk(sk, device_request(RDMA_NLDEV_CMD_DELLINK, index), NULL, NULL);
}

int nldev_rename(struct nlsock *sk, uint32_t index, const char *name)
{
	struct nl_msg *msg = device_request(RDMA_NLDEV_CMD_SET, index);

	if (msg && nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, name)) {
		nlmsg_free(msg);
		return -ENOMEM;
	}
	return talk(sk, msg, NULL, NULL);
}
