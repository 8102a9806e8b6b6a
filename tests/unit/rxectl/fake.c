// SPDX-License-Identifier: GPL-2.0
/* Fake kernel for the tests of rxectl. */
#include <arpa/inet.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <net/if.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fake.h"
#include "perf/client.h"
#include "perf/server.h"
#include "sys/ethtool.h"
#include "sys/gid.h"
#include "sys/host.h"
#include "sys/netdev.h"
#include "sys/netns.h"
#include "sys/nlsock.h"
#include "sys/route.h"
#include "sys/verbs.h"
#include "util/clock.h"
#include "util/files.h"

struct fake_world world;

struct nlsock {
	const char *ns;
	const char *message;
};

/* @place: NULL in the tables is the caller's namespace, however it was opened. */
struct netns {
	const char *name;
	const char *place;
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

		if (!dev->name || dev->unlisted)
			continue;
		msg = new_reply();
		nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, dev->index);
		nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, dev->name);
		nla_put_u64(msg, RDMA_NLDEV_ATTR_NODE_GUID, dev->guid);
		/* Unknown attribute, as of a kernel newer than the program. */
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

static const struct {
	int command;
	const char *kind;
	int table;
	int id;
} kinds[] = {
	{ RDMA_NLDEV_CMD_RES_QP_GET, "qp", RDMA_NLDEV_ATTR_RES_QP, RDMA_NLDEV_ATTR_RES_LQPN },
	{ RDMA_NLDEV_CMD_RES_MR_GET, "mr", RDMA_NLDEV_ATTR_RES_MR, RDMA_NLDEV_ATTR_RES_MRN },
	{ RDMA_NLDEV_CMD_RES_CQ_GET, "cq", RDMA_NLDEV_ATTR_RES_CQ, RDMA_NLDEV_ATTR_RES_CQN },
	{ RDMA_NLDEV_CMD_RES_PD_GET, "pd", RDMA_NLDEV_ATTR_RES_PD, RDMA_NLDEV_ATTR_RES_PDN },
};

static void put_object(struct nl_msg *msg, const struct fake_object *object, int id)
{
	/* The parser ignores the type of an entry. */
	struct nlattr *entry = nla_nest_start(msg, 1);

	nla_put_u32(msg, id, object->id);
	if (!strcmp(object->kind, "qp")) {
		nla_put_u8(msg, RDMA_NLDEV_ATTR_RES_TYPE, object->type);
		nla_put_u8(msg, RDMA_NLDEV_ATTR_RES_STATE, object->state);
		nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_SQ_PSN, 7);
	}
	if (object->peer)
		nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_RQPN, object->peer);
	if (!strcmp(object->kind, "mr"))
		nla_put_u64(msg, RDMA_NLDEV_ATTR_RES_MRLEN, object->size);
	if (!strcmp(object->kind, "cq"))
		nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_CQE, (uint32_t)object->size);
	if (object->pid)
		nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_PID, object->pid);
	else
		nla_put_string(msg, RDMA_NLDEV_ATTR_RES_KERN_NAME, object->kernel);
	nla_nest_end(msg, entry);
}

static int dump_objects(struct exchange *x, struct fake_dev *dev, int k)
{
	struct nl_msg *msg = new_reply();
	struct nlattr *table = nla_nest_start(msg, kinds[k].table);

	for (int i = 0; i < FAKE_MAX && world.objects[i].kind; i++)
		if (world.objects[i].device == dev->index &&
		    !strcmp(world.objects[i].kind, kinds[k].kind))
			put_object(msg, &world.objects[i], kinds[k].id);
	nla_nest_end(msg, table);
	send_reply(x, msg);
	return 0;
}

static int get_counters(struct exchange *x)
{
	struct nl_msg *msg = new_reply();
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS);

	for (int i = 0; i < FAKE_MAX && world.counters[i].name; i++) {
		struct fake_counter *counter = &world.counters[i];
		struct nlattr *entry = nla_nest_start(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY);

		nla_put_string(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, counter->name);
		nla_put_u64(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, counter->value);
		counter->value += counter->growth;
		nla_nest_end(msg, entry);
	}
	nla_nest_end(msg, table);
	send_reply(x, msg);
	return 0;
}

static int get_system(struct exchange *x)
{
	struct nl_msg *msg = new_reply();

	nla_put_u8(msg, RDMA_NLDEV_SYS_ATTR_NETNS_MODE, !world.exclusive);
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
						   .ns = x->sk->ns,
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

static int set_device(struct exchange *x, struct fake_dev *dev)
{
	static char name[64];
	int err = refuse(x);

	if (err)
		return err;
	nla_strlcpy(name, x->tb[RDMA_NLDEV_ATTR_DEV_NAME], sizeof(name));
	dev->name = name;
	return 0;
}

static int about_device(struct exchange *x, int command, bool dump)
{
	struct fake_dev *dev = dev_by_index(x->tb[RDMA_NLDEV_ATTR_DEV_INDEX]);

	if (!dev)
		return -EINVAL;
	for (int k = 0; dump && k < (int)(sizeof(kinds) / sizeof(kinds[0])); k++)
		if (kinds[k].command == command)
			return dump_objects(x, dev, k);
	switch (command) {
	case RDMA_NLDEV_CMD_PORT_GET:
		return get_port(x, dev);
	case RDMA_NLDEV_CMD_GET_CHARDEV:
		return get_chardev(x, dev);
	case RDMA_NLDEV_CMD_RES_GET:
		return get_resources(x, dev);
	case RDMA_NLDEV_CMD_STAT_GET:
		return get_counters(x);
	case RDMA_NLDEV_CMD_SET:
		return set_device(x, dev);
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
	if (command == RDMA_NLDEV_CMD_SYS_GET)
		return get_system(&x);
	return about_device(&x, command, dump);
}

const char *nlsock_message(const struct nlsock *sk)
{
	return sk->message;
}

/* A string of the world, which outlives the caller's. */
static const char *find_namespace(const char *name)
{
	for (int i = 0; i < FAKE_MAX && world.namespaces[i]; i++)
		if (!strcmp(world.namespaces[i], name))
			return world.namespaces[i];
	return NULL;
}

int netns_open_without_rdma(struct netns **out)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		abort();
	return 0;
}

int netns_open(const char *name, struct netns **out)
{
	struct netns *ns;

	if (world.no_rdma)
		return -EPROTONOSUPPORT;
	if (name && !world.root)
		return -EPERM;
	if (name) {
		name = find_namespace(name);
		if (!name)
			return -ENOENT;
	}
	ns = calloc(1, sizeof(*ns));
	if (!ns)
		abort();
	ns->name = name;
	ns->place = same(name, world.own_namespace) ? NULL : name;
	ns->rdma.ns = ns->place;
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

bool netns_same(const struct netns *a, const struct netns *b)
{
	return same(a->place, b->place);
}

char *netns_find_name(const struct netns *ns)
{
	const char *name = ns->place ? ns->place : world.own_namespace;

	return world.own_nameless && !ns->place ? NULL : strdup(name ? name : "");
}

struct nlsock *netns_rdma(const struct netns *ns)
{
	return &((struct netns *)ns)->rdma;
}

/* The named namespace becomes the caller's, and the caller's becomes "init". */
static const char *move(const char *ns, const char *to)
{
	return !ns ? "init" : same(ns, to) ? NULL : ns;
}

int netns_enter(const char *name)
{
	if (!world.root)
		return -EPERM;
	if (!find_namespace(name))
		return -ENOENT;
	for (int i = 0; i < FAKE_MAX; i++) {
		if (world.devs[i].name)
			world.devs[i].ns = move(world.devs[i].ns, name);
		if (world.netdevs[i].name)
			world.netdevs[i].ns = move(world.netdevs[i].ns, name);
	}
	return 0;
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
	struct fake_netdev *fake = netdev_by_name(ns->place, name);

	memset(netdev, 0, sizeof(*netdev));
	if (!fake)
		return -ENODEV;
	netdev->type = fake->type;
	netdev->mtu = fake->mtu;
	netdev->speed = fake->speed;
	snprintf(netdev->kind, sizeof(netdev->kind), "%s", fake->kind ? fake->kind : "");
	snprintf(netdev->driver, sizeof(netdev->driver), "%s", fake->driver ? fake->driver : "");
	snprintf(netdev->path, sizeof(netdev->path), "%s", fake->path ? fake->path : "");
	snprintf(netdev->mac, sizeof(netdev->mac), "%s", fake->mac ? fake->mac : "");
	netdev->running = !fake->stopped && !fake->no_carrier;
	while (fake->addresses[netdev->n_addresses])
		netdev->n_addresses++;
	netdev->addresses = (char **)fake->addresses;
	return 0;
}

void netdev_put(struct netdev *netdev)
{
	netdev->n_addresses = 0;
}

int netdev_list(const struct netns *ns, char (**names)[IF_NAMESIZE], size_t *n)
{
	*n = 0;
	*names = calloc(FAKE_MAX, sizeof(**names));
	for (int i = 0; i < FAKE_MAX; i++)
		if (world.netdevs[i].name && same(world.netdevs[i].ns, ns->place))
			snprintf((*names)[(*n)++], IF_NAMESIZE, "%s", world.netdevs[i].name);
	return 0;
}

int netdev_set_mtu(const struct netns *ns, const char *name, unsigned int mtu)
{
	struct fake_netdev *fake = netdev_by_name(ns->place, name);

	if (!world.root)
		return -EPERM;
	fake->mtu = mtu;
	return 0;
}

int ethtool_queues(const struct netns *ns, const char *netdev, struct ethtool_queues *queues,
		   struct ethtool_queues *max)
{
	struct fake_netdev *fake = netdev_by_name(ns->place, netdev);

	if (!fake || !fake->queues)
		return -EOPNOTSUPP;
	*queues = (struct ethtool_queues){ fake->queues, fake->queues, 0 };
	if (max)
		*max = (struct ethtool_queues){ 8, 16, 0 };
	return 0;
}

int ethtool_set_queues(const struct netns *ns, const char *netdev,
		       const struct ethtool_queues *queues)
{
	struct fake_netdev *fake = netdev_by_name(ns->place, netdev);

	if (!world.root)
		return -EPERM;
	if (!fake->stopped)
		return -EBUSY;
	fake->queues = queues->rx;
	return 0;
}

int ethtool_flag(const struct netns *ns, const char *netdev, const char *flag, bool *on)
{
	struct fake_netdev *fake = netdev_by_name(ns->place, netdev);

	if (!fake || !fake->flag || strcmp(fake->flag, flag))
		return -EOPNOTSUPP;
	*on = fake->flag_on;
	return 0;
}

int ethtool_set_flag(const struct netns *ns, const char *netdev, const char *flag, bool on)
{
	(void)flag;
	if (!world.root)
		return -EPERM;
	netdev_by_name(ns->place, netdev)->flag_on = on;
	return 0;
}

int ethtool_up(const struct netns *ns, const char *netdev, bool *up)
{
	*up = !netdev_by_name(ns->place, netdev)->stopped;
	return 0;
}

int ethtool_set_up(const struct netns *ns, const char *netdev, bool up)
{
	netdev_by_name(ns->place, netdev)->stopped = !up;
	return 0;
}

void peer_test(const char *host, const char *device, uint16_t port, double seconds,
	       struct peer_result *result)
{
	const struct fake_peer *fake = &world.peer;

	*result = (struct peer_result){ .done = (enum peer_step)fake->done,
					.index = port == PEER_PORT ? 1 : 2,
					.mtu = fake->mtu,
					.port_mtu = fake->port_mtu,
					.latency = 12.5e-6,
					.bandwidth = seconds * 1e9 };
	snprintf(result->address, sizeof(result->address), "%s", host ? host : "own");
	snprintf(result->device, sizeof(result->device), "%s", device ? device : "rxe0");
	snprintf(result->why, sizeof(result->why), "%s", fake->why ? fake->why : "");
	snprintf(result->remedy, sizeof(result->remedy), "%s", fake->remedy ? fake->remedy : "");
}

bool peer_serve(uint16_t port, unsigned int count, void (*listening)(uint16_t port, void *arg),
		peer_served_fn served, void *arg, char *why)
{
	errbuf_set(why, "cannot listen on TCP port %u: Address already in use", port);
	if (!count)
		return false;
	listening(port, arg);
	served("192.168.7.2", NULL, arg);
	served("192.168.7.3", "no completion in 5 s", arg);
	return errbuf_set(why, "1 of %u clients could not be served", count);
}

static const struct fake_dev *dev_by_name(const char *name)
{
	for (int i = 0; i < FAKE_MAX; i++)
		if (world.devs[i].name && !strcmp(world.devs[i].name, name))
			return &world.devs[i];
	return NULL;
}

unsigned int verbs_active_mtu(const char *name)
{
	const struct fake_dev *dev = dev_by_name(name);

	return dev ? dev->active_mtu : 0;
}

int verbs_gids(const char *name, struct gid **gids, size_t *n)
{
	const struct fake_dev *dev = dev_by_name(name);

	if (!dev || !dev->gid)
		return -ENODEV;
	*gids = calloc(1, sizeof(**gids));
	if (!*gids)
		return -ENOMEM;
	*n = 1;
	**gids = (struct gid){ .index = 7, .type = "RoCE v2" };
	return inet_pton(AF_INET6, dev->gid, &(*gids)->raw) == 1 ? 0 : -EINVAL;
}

int address_parse(const char *text, struct in6_addr *address)
{
	char mapped[64];

	snprintf(mapped, sizeof(mapped), "%s%s", strchr(text, ':') ? "" : "::ffff:", text);
	return inet_pton(AF_INET6, mapped, address) == 1 ? 0 : -EINVAL;
}

/* The only host with a name is "peer". */
const char *address_resolve(const char *text, struct in6_addr *address)
{
	if (!strcmp(text, "peer"))
		text = "192.168.7.2";
	return address_parse(text, address) ? "Name or service not known" : NULL;
}

int route_get(const struct netns *ns, const struct in6_addr *to, struct in6_addr *source,
	      char netdev[IF_NAMESIZE])
{
	struct in6_addr address;

	(void)ns;
	for (int i = 0; i < FAKE_MAX && world.routes[i].to; i++) {
		if (address_parse(world.routes[i].to, &address) ||
		    !IN6_ARE_ADDR_EQUAL(&address, to))
			continue;
		snprintf(netdev, IF_NAMESIZE, "%s", world.routes[i].netdev);
		return address_parse(world.routes[i].source, source);
	}
	return -ENETUNREACH;
}

struct routes *routes_save(const struct netns *ns, const char *netdev)
{
	(void)ns;
	(void)netdev;
	return NULL;
}

int routes_restore(const struct netns *ns, struct routes *routes)
{
	(void)ns;
	(void)routes;
	return 0;
}

/* Simulated time: only waiting advances it. */
static double now = 1;

double clock_seconds(void)
{
	return now;
}

void clock_stamp(char text[CLOCK_STAMP])
{
	strcpy(text, "2026-01-02T03:04:05.678Z");
}

bool clock_pause(double seconds)
{
	now += seconds;
	if (world.pause)
		world.pause();
	return world.patience && !--world.patience;
}

static char files_dir[] = "/tmp/rxectl-XXXXXX";

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void fake_files_remove(void)
{
	if (files_root == files_dir)
		nftw(files_dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	files_root = "";
}

static void make_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

static void make_file(const struct fake_file *file)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", files_dir, file->path);
	make_directories(path);
	f = fopen(path, "w");
	if (!f || fputs(file->text, f) == EOF || fclose(f))
		abort();
}

void fake_files(void)
{
	fake_files_remove();
	strcpy(files_dir + sizeof(files_dir) - 7, "XXXXXX");
	if (!mkdtemp(files_dir))
		abort();
	files_root = files_dir;
	for (int i = 0; i < FAKE_FILES && world.files[i].path; i++)
		make_file(&world.files[i]);
}

bool host_module_loaded(void)
{
	return world.module;
}

bool host_net_admin(void)
{
	return world.root;
}

bool host_can_use(const char *dir, const char *name)
{
	(void)dir;
	(void)name;
	return world.root;
}

bool host_ipc_lock(void)
{
	return world.ipc_lock;
}

bool host_has_module(const char *name)
{
	(void)name;
	return !world.not_installed;
}

const char *host_load_remedy(void)
{
	return world.not_installed ? "this kernel has none: install rdma-rxe-dkms" :
				     "modprobe rdma_rxe";
}

unsigned long host_memlock(void)
{
	return world.memlock_small ? 64 << 10 : ULONG_MAX;
}

char *host_run(const char *command)
{
	for (int i = 0; i < 2 * FAKE_MAX && world.commands[i].line; i++)
		if (!strcmp(world.commands[i].line, command))
			return strdup(world.commands[i].output);
	return NULL;
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
