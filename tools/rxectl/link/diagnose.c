// SPDX-License-Identifier: GPL-2.0
/* Diagnosis of a refused link, by errno. */
#include <errno.h>
#include <net/if_arp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "link/diagnose.h"
#include "link/links.h"
#include "sys/host.h"
#include "sys/netdev.h"
#include "sys/nlsock.h"

/*
 * Each check returns 0 if it does not explain the refusal, or reports and returns the exit status.
 * Missing privileges come first, since they hide other reasons; then the arguments, existing
 * devices and links, and the capabilities of the module.
 */
typedef int (*check_fn)(const struct ctx *ctx, const struct link_refusal *r);

static int check_right(const struct ctx *ctx, const struct link_refusal *r)
{
	if ((r->err != -EPERM && r->err != -EACCES) || host_net_admin())
		return 0;
	return fail(ctx, EXIT_RUNTIME, r->name, "run it as root",
		    "cannot add \"%s\": needs CAP_NET_ADMIN", r->name);
}

/*
 * Return: the name of the namespace that has the interface, to be freed; NULL if no named one has
 * it.
 */
static char *search_netdev(const char *name)
{
	struct netns **named;
	char *found = NULL;
	size_t n;

	if (netns_open_named(&named, &n))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		struct netdev netdev;

		if (!found && !netdev_get(named[i], name, &netdev)) {
			found = strdup(netns_name(named[i]));
			netdev_put(&netdev);
		}
		netns_close(named[i]);
	}
	free(named);
	return found;
}

static int fail_no_netdev(const struct ctx *ctx, const struct link_refusal *r)
{
	char *elsewhere = search_netdev(r->netdev);
	char remedy[512];
	int status;

	if (!elsewhere)
		return fail(ctx, EXIT_RUNTIME, r->netdev, "ip -brief link lists them",
			    "no network interface \"%s\"", r->netdev);
	snprintf(remedy, sizeof(remedy), "ip netns exec %s rxectl link add %s netdev %s", elsewhere,
		 r->name, r->netdev);
	status = fail(ctx, EXIT_RUNTIME, r->netdev, remedy,
		      "network interface \"%s\" is in network namespace \"%s\"", r->netdev,
		      elsewhere);
	free(elsewhere);
	return status;
}

static int check_netdev(const struct ctx *ctx, const struct link_refusal *r)
{
	struct netdev netdev;
	int err = netdev_get(r->ns, r->netdev, &netdev);

	if (err == -ENODEV)
		return fail_no_netdev(ctx, r);
	if (!err)
		netdev_put(&netdev);
	return 0;
}

/* ib_core returns -ENFILE for a name in use. */
static int check_name(const struct ctx *ctx, const struct link_refusal *r)
{
	/* With exclusive namespaces, a device in another one may use the name. */
	if (r->err != -ENFILE &&
	    (r->err != -EEXIST || !link_name_taken(netns_rdma(r->ns), r->name)))
		return 0;
	return fail(ctx, EXIT_RUNTIME, r->name,
		    "choose another name; rxectl link lists those in use",
		    "an RDMA device \"%s\" exists already", r->name);
}

static int check_linked(const struct ctx *ctx, const struct link_refusal *r)
{
	const struct rxe_link *link;
	char remedy[128];
	struct links links;
	int status;

	if (r->err != -EEXIST && r->err != -EBUSY && r->err != -ENFILE)
		return 0;
	status = links_get(ctx, NULL, &links);
	link = status ? NULL : links_on(&links, r->ns, r->netdev);
	if (link) {
		snprintf(remedy, sizeof(remedy), "use it, or remove it with rxectl link del %s",
			 link->dev.name);
		status = fail(ctx, EXIT_RUNTIME, r->netdev, remedy,
			      "\"%s\" has a link already, \"%s\"", r->netdev, link->dev.name);
	}
	links_put(&links);
	return status;
}

/* Neither the name nor the interface is in use by a device that is listed. */
static int check_settling(const struct ctx *ctx, const struct link_refusal *r)
{
	if (r->err != -EEXIST)
		return 0;
	return fail(ctx, EXIT_RUNTIME, r->netdev, "try again; dmesg may show the reason",
		    "a link on \"%s\" is being added or removed", r->netdev);
}

static int check_module(const struct ctx *ctx, const struct link_refusal *r)
{
	if (r->err != -EINVAL || host_module_loaded())
		return 0;
	return fail(ctx, EXIT_RUNTIME, NULL, host_load_remedy(), "module rdma_rxe is not loaded");
}

static int fail_type(const struct ctx *ctx, const struct link_refusal *r,
		     const struct netdev *netdev)
{
	if (netdev->type == ARPHRD_INFINIBAND)
		return fail(ctx, EXIT_RUNTIME, r->netdev,
			    "use the RDMA device of the InfiniBand adapter, which rdma link shows",
			    "\"%s\" is IP over InfiniBand", r->netdev);
	/* libnl has no number of its own for EPROTONOSUPPORT. */
	if ((r->err == -EINVAL || r->err == -EPROTONOSUPPORT) && netdev->type != ARPHRD_ETHER &&
	    netdev->type != ARPHRD_LOOPBACK)
		return fail(ctx, EXIT_RUNTIME, r->netdev,
			    "choose an interface that carries IP, such as Ethernet or WireGuard",
			    "the loaded rdma_rxe does not support interfaces such as \"%s\"",
			    r->netdev);
	if (!strcmp(netdev->kind, "vlan"))
		return fail(ctx, EXIT_RUNTIME, r->netdev,
			    "add a link to its parent interface: programs on that device use the "
			    "addresses of the VLAN, too",
			    "\"%s\" is a VLAN interface, which gets no device of its own",
			    r->netdev);
	return 0;
}

static int check_type(const struct ctx *ctx, const struct link_refusal *r)
{
	struct netdev netdev;
	int status;

	if (netdev_get(r->ns, r->netdev, &netdev))
		return 0;
	status = fail_type(ctx, r, &netdev);
	netdev_put(&netdev);
	return status;
}

static int check_port(const struct ctx *ctx, const struct link_refusal *r)
{
	if (r->err != -EADDRINUSE)
		return 0;
	return fail(ctx, EXIT_RUNTIME, r->netdev, "ss -ulnp 'sport = :4791' shows the process",
		    "cannot add \"%s\": UDP port 4791 is in use", r->name);
}

int link_diagnose(const struct ctx *ctx, const struct link_refusal *r)
{
	static const check_fn checks[] = {
		check_right,	check_netdev, check_linked, check_name,
		check_settling, check_module, check_type,   check_port,
	};
	/* The kernel rejects names of IFNAMSIZ or more as malformed; its message does not help. */
	const char *kernel = strlen(r->netdev) < IF_NAMESIZE ? nlsock_message(netns_rdma(r->ns)) :
							       NULL;
	int status;

	for (size_t i = 0; !kernel && i < sizeof(checks) / sizeof(checks[0]); i++) {
		status = checks[i](ctx, r);
		if (status)
			return status;
	}
	return fail_refused(ctx, r->name, kernel, r->err, "cannot add \"%s\" to \"%s\"", r->name,
			    r->netdev);
}
