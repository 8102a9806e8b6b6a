// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <net/if.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "host.h"
#include "netdev.h"
#include "netns.h"
#include "nlsock.h"
#include "verbs.h"

struct fake_world world;

struct nlsock {
	const char *ns;
	const char *message;
};

struct netns {
	const char *name;
	struct nlsock rdma;
};

struct exchange {
	struct nlsock *sk;
	struct nlattr **tb;
	void (*reply)(struct nlmsghdr *nlh, void *arg);
	void *arg;
};

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static struct fake_dev *dev_by_index(struct nlattr *index)
{
	for (int i = 0; index && i < FAKE_MAX; i++)
		if (world.devs[i].name && world.devs[i].index == nla_get_u32(index))
			return world.devs[i].vanishes ? NULL : &world.devs[i];
	return NULL;
}

static struct fake_netdev *netdev_by_name(const char *ns, const char *name)
{
	for (int i = 0; i < FAKE_MAX; i++)
		if (world.netdevs[i].name && same(world.netdevs[i].ns, ns) &&
		    !strcmp(world.netdevs[i].name, name))
			return &world.netdevs[i];
	return NULL;
}

static struct nl_msg *new_reply(void)
{
	struct nl_msg *msg = nlmsg_alloc_simple(0, 0);

	if (!msg)
		abort();
	return msg;
}

static void send_reply(struct exchange *x, struct nl_msg *msg)
{
	if (world.garbled) {
		nlmsg_free(msg);
		msg = new_reply();
		nla_put_u8(msg, RDMA_NLDEV_ATTR_DEV_INDEX, 1);
	}
	x->reply(nlmsg_hdr(msg), x->arg);
	nlmsg_free(msg);
}

static int get_devices(struct exchange *x)
{
	for (int i = 0; i < FAKE_MAX; i++) {
		struct fake_dev *dev = &world.devs[i];
		struct nl_msg *msg;

		if (!dev->name)
			continue;
		msg = new_reply();
		nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, dev->index);
		nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, dev->name);
		nla_put_u64(msg, RDMA_NLDEV_ATTR_NODE_GUID, dev->guid);
		/* From a kernel newer than the program. */
		nla_put_u32(msg, RDMA_NLDEV_ATTR_MAX + 5, 0);
		send_reply(x, msg);
	}
	return 0;
}

static int get_port(struct exchange *x, struct fake_dev *dev)
{
	struct nlattr *port = x->tb[RDMA_NLDEV_ATTR_PORT_INDEX];
	struct nl_msg *msg;

	if (!port || nla_get_u32(port) != 1)
		return -EINVAL;
	msg = new_reply();
	nla_put_u8(msg, RDMA_NLDEV_ATTR_PORT_STATE, dev->state);
	nla_put_u8(msg, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, dev->phys_state);
	if (dev->netdev && same(dev->ns, x->sk->ns))
		nla_put_string(msg, RDMA_NLDEV_ATTR_NDEV_NAME, dev->netdev);
	send_reply(x, msg);
	return 0;
}

static int get_chardev(struct exchange *x, struct fake_dev *dev)
{
	struct nlattr *type = x->tb[RDMA_NLDEV_ATTR_CHARDEV_TYPE];
	struct nl_msg *msg;

	if (!type || nla_strcmp(type, "uverbs") || dev->driver < 0)
		return -EOPNOTSUPP;
	msg = new_reply();
	nla_put_u64(msg, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, (uint64_t)dev->driver);
	send_reply(x, msg);
	return 0;
}

static void put_resource(struct nl_msg *msg, const char *kind, uint64_t count)
{
	struct nlattr *entry = nla_nest_start(msg, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY);

	nla_put_string(msg, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME, kind);
	nla_put_u64(msg, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR, count);
	nla_nest_end(msg, entry);
}

static int get_resources(struct exchange *x, struct fake_dev *dev)
{
	struct nl_msg *msg = new_reply();
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_RES_SUMMARY);

	put_resource(msg, "pd", 77);
	put_resource(msg, "qp", dev->qps);
	put_resource(msg, "mr", 78);
	nla_nest_end(msg, table);
	send_reply(x, msg);
	return 0;
}

static int refuse(struct exchange *x)
{
	if (!world.root)
		return -EPERM;
	x->sk->message = world.message;
	return world.refuse;
}

static int check_new(const char *ns, const char *name, const char *netdev)
{
	if (!netdev_by_name(ns, netdev))
		return -ENODEV;
	if (!world.module)
		return -EINVAL;
	for (int i = 0; i < FAKE_MAX; i++) {
		if (!world.devs[i].name)
			continue;
		if (same(world.devs[i].netdev, netdev) && same(world.devs[i].ns, ns))
			return -EEXIST;
		if (!strcmp(world.devs[i].name, name))
			return -ENFILE;
	}
	return 0;
}

static int new_link(struct exchange *x)
{
	static char names[FAKE_MAX][2][64];
	char type[16];
	int err, i = 0;

	if (!x->tb[RDMA_NLDEV_ATTR_DEV_NAME] || !x->tb[RDMA_NLDEV_ATTR_LINK_TYPE] ||
	    !x->tb[RDMA_NLDEV_ATTR_NDEV_NAME])
		return -EINVAL;
	err = refuse(x);
	if (err)
		return err;
	while (world.devs[i].name)
		i++;
	nla_strlcpy(names[i][0], x->tb[RDMA_NLDEV_ATTR_DEV_NAME], sizeof(names[i][0]));
	nla_strlcpy(names[i][1], x->tb[RDMA_NLDEV_ATTR_NDEV_NAME], sizeof(names[i][1]));
	nla_strlcpy(type, x->tb[RDMA_NLDEV_ATTR_LINK_TYPE], sizeof(type));
	err = strcmp(type, "rxe") ? -EINVAL : check_new(x->sk->ns, names[i][0], names[i][1]);
	if (!err)
		world.devs[i] = (struct fake_dev){ .index = 40 + (uint32_t)i,
						   .name = names[i][0],
						   .netdev = names[i][1],
						   .driver = RDMA_DRIVER_RXE };
	return err;
}

static int del_link(struct exchange *x, struct fake_dev *dev)
{
	int err = refuse(x);

	if (!err)
		memset(dev, 0, sizeof(*dev));
	return err;
}

static int about_device(struct exchange *x, int command)
{
	struct fake_dev *dev = dev_by_index(x->tb[RDMA_NLDEV_ATTR_DEV_INDEX]);

	if (!dev)
		return -EINVAL;
	switch (command) {
	case RDMA_NLDEV_CMD_PORT_GET:
		return get_port(x, dev);
	case RDMA_NLDEV_CMD_GET_CHARDEV:
		return get_chardev(x, dev);
	case RDMA_NLDEV_CMD_RES_GET:
		return get_resources(x, dev);
	case RDMA_NLDEV_CMD_DELLINK:
		return del_link(x, dev);
	}
	return -EINVAL;
}

int nlsock_talk(struct nlsock *sk, struct nl_msg *request,
		void (*reply)(struct nlmsghdr *nlh, void *arg), void *arg)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	struct exchange x = { .sk = sk, .tb = tb, .reply = reply, .arg = arg };
	struct nlmsghdr *nlh = nlmsg_hdr(request);
	int command = RDMA_NL_GET_OP(nlh->nlmsg_type);
	bool dump = (nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;

	sk->message = NULL;
	if (RDMA_NL_GET_CLIENT(nlh->nlmsg_type) != RDMA_NL_NLDEV ||
	    !(nlh->nlmsg_flags & NLM_F_REQUEST) ||
	    nlmsg_parse(nlh, 0, tb, RDMA_NLDEV_ATTR_MAX - 1, NULL) < 0)
		return -EINVAL;
	if (command == RDMA_NLDEV_CMD_GET)
		return dump ? get_devices(&x) : -EINVAL;
	if (command == RDMA_NLDEV_CMD_NEWLINK)
		return new_link(&x);
	return about_device(&x, command);
}

const char *nlsock_message(const struct nlsock *sk)
{
	return sk->message;
}

int netns_open(const char *name, struct netns **out)
{
	struct netns *ns;

	if (world.no_rdma)
		return -EPROTONOSUPPORT;
	if (name && !world.root)
		return -EPERM;
	ns = calloc(1, sizeof(*ns));
	if (!ns)
		abort();
	ns->name = name;
	ns->rdma.ns = name;
	*out = ns;
	return 0;
}

void netns_close(struct netns *ns)
{
	free(ns);
}

const char *netns_name(const struct netns *ns)
{
	return ns->name;
}

struct nlsock *netns_rdma(const struct netns *ns)
{
	return &((struct netns *)ns)->rdma;
}

int netns_open_named(struct netns ***all, size_t *n)
{
	*n = 0;
	*all = calloc(FAKE_MAX, sizeof(**all));
	if (!*all)
		abort();
	for (int i = 0; i < FAKE_MAX && world.namespaces[i]; i++)
		if (!netns_open(world.namespaces[i], &(*all)[*n]))
			(*n)++;
	return 0;
}

int netdev_get(const struct netns *ns, const char *name, struct netdev *netdev)
{
	struct fake_netdev *fake = netdev_by_name(ns->name, name);

	memset(netdev, 0, sizeof(*netdev));
	if (!fake)
		return -ENODEV;
	netdev->type = fake->type;
	netdev->mtu = fake->mtu;
	netdev->speed = fake->speed;
	snprintf(netdev->kind, sizeof(netdev->kind), "%s", fake->kind ? fake->kind : "");
	snprintf(netdev->driver, sizeof(netdev->driver), "%s", fake->driver ? fake->driver : "");
	while (fake->addresses[netdev->n_addresses])
		netdev->n_addresses++;
	netdev->addresses = (char **)fake->addresses;
	return 0;
}

void netdev_put(struct netdev *netdev)
{
	netdev->n_addresses = 0;
}

unsigned int verbs_active_mtu(const char *name)
{
	for (int i = 0; i < FAKE_MAX; i++)
		if (world.devs[i].name && !strcmp(world.devs[i].name, name))
			return world.devs[i].active_mtu;
	return 0;
}

bool host_module_loaded(void)
{
	return world.module;
}

bool host_net_admin(void)
{
	return world.root;
}

bool host_rdma_parent(const char *name, char *parent, size_t size)
{
	for (int i = 0; i < FAKE_MAX; i++) {
		if (!world.devs[i].name || !world.devs[i].parent ||
		    strcmp(world.devs[i].name, name))
			continue;
		snprintf(parent, size, "%s", world.devs[i].netdev);
		return true;
	}
	return false;
}
