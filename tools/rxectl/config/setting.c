// SPDX-License-Identifier: GPL-2.0
/* Settings by name: sysctls, module parameters, driver settings. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/setting.h"
#include "sys/ethtool.h"
#include "sys/netdev.h"
#include "sys/route.h"
#include "util/files.h"

#define QUEUES "/sys/class/net/%s/queues"
#define LIMIT  "byte_queue_limits/limit_min"

/**
 * struct kind - a kind of settings, by the prefix of their names
 * @prefix: of the name; the functions get the rest of the name
 * @shared: setting of the whole system
 * @read: reads the value; false if the setting does not exist
 * @aim: computes the value to write; NULL to write the wish
 * @write: writes a value; 0 or -errno
 */
struct kind {
	const char *prefix;
	bool shared;
	bool (*read)(const struct netns *ns, const char *netdev, const char *rest, char *value);
	void (*aim)(const struct netns *ns, const char *netdev, const char *wish, char *value);
	int (*write)(const struct netns *ns, const char *netdev, const char *rest,
		     const char *value);
};

/* Replace each run of white space by one blank; sysctls separate numbers by tabs. */
static void squeeze(char *text)
{
	char *save, *to = text;

	for (char *word = strtok_r(text, " \t\n", &save); word;
	     word = strtok_r(NULL, " \t\n", &save)) {
		size_t n = strlen(word);

		if (to != text)
			*to++ = ' ';
		memmove(to, word, n);
		to += n;
	}
	*to = '\0';
}

/* "net.core.x" is /proc/sys/net/core/x. */
static void sysctl_path(const char *rest, char path[256])
{
	snprintf(path, 256, "/proc/sys/net/%s", rest);
	for (char *c = path; *c; c++)
		if (*c == '.')
			*c = '/';
}

static bool read_sysctl(const struct netns *ns, const char *netdev, const char *rest, char *value)
{
	char path[256];

	(void)ns;
	(void)netdev;
	sysctl_path(rest, path);
	if (!file_line(value, SETTING_VALUE, "%s", path))
		return false;
	squeeze(value);
	return true;
}

static int write_sysctl(const struct netns *ns, const char *netdev, const char *rest,
			const char *value)
{
	char path[256];

	(void)ns;
	(void)netdev;
	sysctl_path(rest, path);
	return file_put(path, value);
}

/* Keep the larger of each pair of numbers: sysctls only grow. */
static void aim_sysctl(const struct netns *ns, const char *netdev, const char *wish, char *value)
{
	char now[SETTING_VALUE], *end = now;
	size_t n = 0;

	(void)ns;
	(void)netdev;
	snprintf(now, sizeof(now), "%s", value);
	while (*wish) {
		char *next;
		unsigned long long wanted = strtoull(wish, &next, 10);
		unsigned long long has = strtoull(end, &end, 10);

		if (next == wish)
			break;
		wish = next;
		n += (size_t)snprintf(value + n, SETTING_VALUE - n, "%s%llu", n ? " " : "",
				      has > wanted ? has : wanted);
	}
}

static bool read_parameter(const struct netns *ns, const char *netdev, const char *rest,
			   char *value)
{
	(void)ns;
	(void)netdev;
	return file_line(value, SETTING_VALUE, "/sys/module/rdma_rxe/parameters/%s", rest);
}

static int write_parameter(const struct netns *ns, const char *netdev, const char *rest,
			   const char *value)
{
	char path[256];

	(void)ns;
	(void)netdev;
	snprintf(path, sizeof(path), "/sys/module/rdma_rxe/parameters/%s", rest);
	return file_put(path, value);
}

/*
 * Taking the interface down would remove its IPv6 addresses and routes: set keep_addr_on_down
 * during the change, and restore the routes.
 */
static int with_interface_down(const struct netns *ns, const char *netdev, const char *value,
			       int (*write)(const struct netns *ns, const char *netdev,
					    const char *rest, const char *value),
			       const char *rest)
{
	struct routes *routes = routes_save(ns, netdev);
	int err, up_again, routed;
	char keep[128], kept[16];
	bool keeps;

	snprintf(keep, sizeof(keep), "/proc/sys/net/ipv6/conf/%s/keep_addr_on_down", netdev);
	keeps = file_line(kept, sizeof(kept), "%s", keep) && !file_put(keep, "1");
	err = ethtool_set_up(ns, netdev, false);
	if (!err)
		err = write(ns, netdev, rest, value);
	up_again = ethtool_set_up(ns, netdev, true);
	if (keeps)
		file_put(keep, kept);
	routed = routes_restore(ns, routes);
	return err ? err : up_again ? up_again : routed;
}

/*
 * Write directly; if the driver returns -EBUSY and the interface is up, write with the interface
 * down.
 */
static int write_adapter(const struct netns *ns, const char *netdev, const char *rest,
			 const char *value,
			 int (*write)(const struct netns *ns, const char *netdev, const char *rest,
				      const char *value))
{
	int err = write(ns, netdev, rest, value);
	bool up;

	if (err == -EBUSY && !ethtool_up(ns, netdev, &up) && up)
		err = with_interface_down(ns, netdev, value, write, rest);
	return err;
}

static bool read_mtu(const struct netns *ns, const char *netdev, const char *rest, char *value)
{
	struct netdev info;

	(void)rest;
	if (netdev_get(ns, netdev, &info))
		return false;
	snprintf(value, SETTING_VALUE, "%u", info.mtu);
	netdev_put(&info);
	return true;
}

static int put_mtu(const struct netns *ns, const char *netdev, const char *rest, const char *value)
{
	(void)rest;
	return netdev_set_mtu(ns, netdev, (unsigned int)strtoul(value, NULL, 10));
}

static int write_mtu(const struct netns *ns, const char *netdev, const char *rest,
		     const char *value)
{
	return write_adapter(ns, netdev, rest, value, put_mtu);
}

static void print_queues(const struct ethtool_queues *queues, char *value)
{
	if (queues->combined)
		snprintf(value, SETTING_VALUE, "combined %u", queues->combined);
	else
		snprintf(value, SETTING_VALUE, "rx %u tx %u", queues->rx, queues->tx);
}

static bool read_queues(const struct netns *ns, const char *netdev, const char *rest, char *value)
{
	struct ethtool_queues queues;

	(void)rest;
	if (ethtool_queues(ns, netdev, &queues, NULL))
		return false;
	print_queues(&queues, value);
	return true;
}

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static void aim_queues(const struct netns *ns, const char *netdev, const char *wish, char *value)
{
	unsigned int n = (unsigned int)strtoul(wish, NULL, 10);
	struct ethtool_queues queues, max;

	if (ethtool_queues(ns, netdev, &queues, &max))
		return;
	if (queues.combined)
		queues.combined = least(n, max.combined);
	else
		queues = (struct ethtool_queues){ least(n, max.rx), least(n, max.tx), 0 };
	print_queues(&queues, value);
}

static int put_queues(const struct netns *ns, const char *netdev, const char *rest,
		      const char *value)
{
	struct ethtool_queues queues = { 0 };

	(void)rest;
	if (sscanf(value, "combined %u", &queues.combined) != 1 &&
	    sscanf(value, "rx %u tx %u", &queues.rx, &queues.tx) != 2)
		return -EINVAL;
	return ethtool_set_queues(ns, netdev, &queues);
}

static int write_queues(const struct netns *ns, const char *netdev, const char *rest,
			const char *value)
{
	return write_adapter(ns, netdev, rest, value, put_queues);
}

static bool read_flag(const struct netns *ns, const char *netdev, const char *rest, char *value)
{
	bool on;

	if (ethtool_flag(ns, netdev, rest, &on))
		return false;
	strcpy(value, on ? "on" : "off");
	return true;
}

static int put_flag(const struct netns *ns, const char *netdev, const char *rest,
		    const char *value)
{
	return ethtool_set_flag(ns, netdev, rest, !strcmp(value, "on"));
}

/*
 * Changes of private flags send no notification. Writing the unchanged alias of the interface sends
 * one, so that the driver rereads the flag.
 */
static int write_flag(const struct netns *ns, const char *netdev, const char *rest,
		      const char *value)
{
	int err = write_adapter(ns, netdev, rest, value, put_flag);
	char alias[300] = "", path[64];

	if (err)
		return err;
	snprintf(path, sizeof(path), "/sys/class/net/%s/ifalias", netdev);
	file_line(alias, sizeof(alias) - 1, "%s", path);
	strcat(alias, "\n");
	file_put(path, alias);
	return 0;
}

/* Lists receive queues, too; only transmit queues have a limit. */
static size_t list_queues(const char *netdev, char ***names)
{
	char path[64];

	snprintf(path, sizeof(path), QUEUES, netdev);
	return file_list(path, "", names);
}

/* Append the limit of a queue; @same becomes false if it differs from the first. */
static void add_limit(char *value, const char *limit, bool *same)
{
	size_t n = strlen(value);
	const char *first = strchr(value, ',') ? strchr(value, ',') : value + n;

	*same = *same && (!n || (strlen(limit) == (size_t)(first - value) &&
				 !strncmp(value, limit, strlen(limit))));
	snprintf(value + n, SETTING_VALUE - n, "%s%s", n ? "," : "", limit);
}

static bool read_limit(const struct netns *ns, const char *netdev, const char *rest, char *value)
{
	char **names, limit[24];
	bool same = true;
	size_t n = list_queues(netdev, &names);

	(void)ns;
	(void)rest;
	*value = '\0';
	for (size_t i = 0; i < n; i++)
		if (file_line(limit, sizeof(limit), QUEUES "/%s/" LIMIT, netdev, names[i]))
			add_limit(value, limit, &same);
	file_list_free(names, n);
	if (same && strchr(value, ','))
		*strchr(value, ',') = '\0';
	return *value;
}

static int write_limit(const struct netns *ns, const char *netdev, const char *rest,
		       const char *value)
{
	char **names, path[512], limit[24];
	size_t n = list_queues(netdev, &names);
	int err = 0;

	(void)ns;
	(void)rest;
	for (size_t i = 0; i < n && !err; i++) {
		snprintf(path, sizeof(path), QUEUES "/%s/" LIMIT, netdev, names[i]);
		if (!file_exists("%s", path))
			continue;
		snprintf(limit, sizeof(limit), "%.*s", (int)strcspn(value, ","), value);
		err = file_put(path, limit);
		if (strchr(value, ','))
			value = strchr(value, ',') + 1;
	}
	file_list_free(names, n);
	return err;
}

static const struct kind kinds[] = {
	{ "net.", true, read_sysctl, aim_sysctl, write_sysctl },
	{ "rdma_rxe.", true, read_parameter, NULL, write_parameter },
	{ "mtu", false, read_mtu, NULL, write_mtu },
	{ "queues", false, read_queues, aim_queues, write_queues },
	{ "queue-limit", false, read_limit, NULL, write_limit },
	{ "flag.", false, read_flag, NULL, write_flag },
	{ 0 },
};

/* Return: the kind, or NULL if it is unknown, as in a record written by a newer version. */
static const struct kind *kind_of(const char *name)
{
	for (const struct kind *k = kinds; k->prefix; k++)
		if (!strncmp(name, k->prefix, strlen(k->prefix)) &&
		    (k->prefix[strlen(k->prefix) - 1] == '.' || !name[strlen(k->prefix)]))
			return k;
	return NULL;
}

bool setting_is_shared(const char *name)
{
	const struct kind *k = kind_of(name);

	return k && k->shared;
}

bool setting_read(const struct netns *ns, const char *netdev, const char *name,
		  char value[SETTING_VALUE])
{
	const struct kind *k = kind_of(name);

	return k && k->read(ns, netdev, name + strlen(k->prefix), value);
}

void setting_aim(const struct netns *ns, const char *netdev, const char *name, const char *wish,
		 char value[SETTING_VALUE])
{
	const struct kind *k = kind_of(name);

	if (k && k->aim)
		k->aim(ns, netdev, wish, value);
	else
		snprintf(value, SETTING_VALUE, "%s", wish);
}

int setting_write(const struct netns *ns, const char *netdev, const char *name, const char *value)
{
	const struct kind *k = kind_of(name);

	return k ? k->write(ns, netdev, name + strlen(k->prefix), value) : -EOPNOTSUPP;
}
