// SPDX-License-Identifier: GPL-2.0
/* Links: list, search, default names. */
#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "link/links.h"
#include "sys/host.h"

/*
 * The driver ID is exact, but needs ib_uverbs. Without it, use the attribute "parent", which
 * rdma-core's udev rules use, too.
 */
static bool is_rxe(struct nlsock *rdma, const struct nldev_dev *dev)
{
	char parent[IF_NAMESIZE];
	uint64_t driver;

	if (!nldev_driver(rdma, dev->index, &driver))
		return driver == RDMA_DRIVER_RXE;
	return host_rdma_parent(dev->name, parent, sizeof(parent));
}

/* The kernel reports the interface of a port only to sockets in that interface's namespace. */
static int search_named(struct links *links, struct rxe_link *link)
{
	struct nldev_port port;
	int err;

	if (!links->named_opened) {
		err = netns_open_named(&links->named, &links->n_named);
		if (err)
			return err;
		links->named_opened = true;
	}
	for (size_t i = 0; i < links->n_named && !link->ns; i++) {
		if (nldev_port(netns_rdma(links->named[i]), link->dev.index, &port) ||
		    !port.netdev[0])
			continue;
		link->ns = links->named[i];
		memcpy(link->netdev, port.netdev, sizeof(link->netdev));
	}
	return 0;
}

static int find_netdev(struct links *links, struct rxe_link *link)
{
	int err;

	if (link->port.netdev[0]) {
		link->ns = links->own;
		memcpy(link->netdev, link->port.netdev, sizeof(link->netdev));
		return 0;
	}
	err = search_named(links, link);
	if (!err && !link->ns &&
	    !host_rdma_parent(link->dev.name, link->netdev, sizeof(link->netdev)))
		link->netdev[0] = '\0';
	return err;
}

/* A device that is removed during the listing is skipped. */
static int add_link(struct links *links, const struct nldev_dev *dev)
{
	struct rxe_link link = { .dev = *dev };
	struct rxe_link *grown;
	int err;

	err = nldev_port(netns_rdma(links->own), dev->index, &link.port);
	if (err == -EINVAL || err == -ENODEV)
		return 0;
	if (!err)
		err = find_netdev(links, &link);
	if (err)
		return err;
	grown = reallocarray(links->links, links->n + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	links->links = grown;
	grown[links->n++] = link;
	return 0;
}

static int fail_no_link(const struct ctx *ctx, const char *name, bool exists)
{
	if (exists)
		return fail(ctx, EXIT_RUNTIME, name, "rxectl link lists the rxe devices",
			    "\"%s\" is not an rxe device", name);
	if (ctx->implied)
		return fail(ctx, EXIT_USAGE, name,
			    "--help lists the commands, rxectl link the devices",
			    "\"%s\" is neither a command nor an RDMA device", name);
	return fail_no_device(ctx, name);
}

static int add_links(const struct ctx *ctx, const char *name, struct links *links,
		     const struct nldev_dev *devs, size_t n)
{
	bool exists = false;
	int err;

	for (size_t i = 0; i < n; i++) {
		if (name && strcmp(devs[i].name, name))
			continue;
		exists = true;
		if (!is_rxe(netns_rdma(links->own), &devs[i]))
			continue;
		err = add_link(links, &devs[i]);
		if (err)
			return fail(ctx, EXIT_RUNTIME, devs[i].name, NULL,
				    "cannot read the state of \"%s\": %s", devs[i].name,
				    strerror(-err));
	}
	if (name && !links->n)
		return fail_no_link(ctx, name, exists);
	return 0;
}

int links_get(const struct ctx *ctx, const char *name, struct links *links)
{
	struct nldev_dev *devs;
	int err, status;
	size_t n;

	memset(links, 0, sizeof(*links));
	err = netns_open(NULL, &links->own);
	if (err)
		return fail_no_rdma(ctx, err);
	err = nldev_devices(netns_rdma(links->own), &devs, &n);
	if (err)
		return fail(ctx, EXIT_RUNTIME, NULL, NULL, "cannot list RDMA devices: %s",
			    strerror(-err));
	status = add_links(ctx, name, links, devs, n);
	free(devs);
	return status;
}

int links_find(struct links *links)
{
	struct nldev_dev *devs;
	size_t n;
	int err;

	memset(links, 0, sizeof(*links));
	err = netns_open(NULL, &links->own);
	if (!err)
		err = nldev_devices(netns_rdma(links->own), &devs, &n);
	if (err)
		return err;
	for (size_t i = 0; i < n && !err; i++)
		if (is_rxe(netns_rdma(links->own), &devs[i]))
			err = add_link(links, &devs[i]);
	free(devs);
	return err;
}

void links_put(struct links *links)
{
	for (size_t i = 0; i < links->n_named; i++)
		netns_close(links->named[i]);
	free(links->named);
	free(links->links);
	netns_close(links->own);
}

const char *link_namespace(const struct rxe_link *link)
{
	return link->ns ? netns_name(link->ns) : "?";
}

static bool is_in(const struct rxe_link *link, const struct netns *ns)
{
	return link->ns && netns_same(link->ns, ns);
}

const struct rxe_link *links_on(const struct links *links, const struct netns *ns,
				const char *netdev)
{
	for (size_t i = 0; i < links->n; i++)
		if (!strcmp(links->links[i].netdev, netdev) && is_in(&links->links[i], ns))
			return &links->links[i];
	return NULL;
}

bool link_name_taken(struct nlsock *rdma, const char *name)
{
	struct nldev_dev *devs;
	bool taken = false;
	size_t n;

	if (nldev_devices(rdma, &devs, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		taken |= !strcmp(devs[i].name, name);
	free(devs);
	return taken;
}

void link_default_name(const char *netdev, char name[NLDEV_NAME_SIZE])
{
	const char *number = netdev + 3;

	if (!strncmp(netdev, "hsn", 3) && *number && !number[strspn(number, "0123456789")])
		snprintf(name, NLDEV_NAME_SIZE, "rxe%.*s", IF_NAMESIZE, number);
	else
		snprintf(name, NLDEV_NAME_SIZE, "rxe_%.*s", IF_NAMESIZE, netdev);
}

bool link_has_default_name(const struct rxe_link *link)
{
	char name[NLDEV_NAME_SIZE];

	link_default_name(link->netdev, name);
	return !strcmp(link->dev.name, name);
}

void links_hint_none(const struct ctx *ctx)
{
	if (host_module_loaded())
		err_hint(ctx, "no rxe device: rxectl link add netdev DEV creates one");
	else
		err_hint(ctx, "no rxe device, and module rdma_rxe is not loaded: %s",
			 host_load_remedy());
}
