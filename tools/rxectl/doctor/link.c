// SPDX-License-Identifier: GPL-2.0
/* Checks of each rxe device: interface, address, GID, MTU, namespace. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/exam.h"
#include "link/gid_owner.h"
#include "link/wait.h"
#include "sys/ethtool.h"
#include "sys/gid.h"
#include "sys/gid_table.h"
#include "sys/host.h"
#include "sys/mtu_calc.h"
#include "sys/netdev.h"
#include "sys/nldev.h"
#include "sys/nlsock.h"
#include "sys/pmtu.h"
#include "util/files.h"

/* enum ib_port_state */
#define PORT_ACTIVE 4

/* Packets sent through the network stack that are worth a finding; fewer may be a start-up. */
#define STACK_PACKETS 1000

/* Age up to which a dropped packet is worth a finding, seconds. */
#define RECENT_SECONDS 60

typedef void (*link_check_fn)(struct exam *exam, const struct rxe_link *link,
			      const struct netdev *netdev);

/* Run a check for each device whose interface is accessible. */
static void each_link(struct exam *exam, link_check_fn check)
{
	for (size_t i = 0; i < exam->links.n; i++) {
		const struct rxe_link *link = &exam->links.links[i];
		struct netdev netdev;

		if (!link->ns || netdev_get(link->ns, link->netdev, &netdev))
			continue;
		check(exam, link, &netdev);
		netdev_put(&netdev);
	}
}

/* Prefix a command so that it runs in the namespace of the interface. */
static const char *in_namespace(const struct rxe_link *link, char remedy[256], const char *command)
{
	const char *ns = link_namespace(link);

	if (ns)
		snprintf(remedy, 256, "ip netns exec %s %s", ns, command);
	else
		snprintf(remedy, 256, "%s", command);
	return remedy;
}

static void check_links(struct exam *exam)
{
	if (!exam->rdma_error && host_module_loaded() && !exam->links.n)
		doctor_add_finding(
			exam, SEVERITY_WARNING,
			"rxectl link add netdev \"$(ip -o route show default | grep -o 'dev [^ ]*' | "
			"head -n 1 | cut -d ' ' -f 2)\"",
			"no rxe device exists");
}

/* A node shares its device with pods: its table has the address of an interface in @ns. */
static bool serves_namespace(const struct rxe_link *link, const struct netns *ns)
{
	bool serves = false;
	struct gid *gids;
	size_t n;

	if (gids_get(link->dev.name, &gids, &n))
		return false;
	for (size_t i = 0; i < n && !serves; i++)
		serves = gid_is_in(&gids[i], ns);
	free(gids);
	return serves;
}

/*
 * One finding for all devices of other namespaces, since a host of containers may have hundreds.
 * The remedy is a shell in their namespace if that is one and has a name.
 */
static void report_elsewhere(struct exam *exam)
{
	char names[300] = "", remedy[128];
	const char *place = NULL;
	bool same = true;
	size_t n = 0;

	for (size_t i = 0; i < exam->links.n; i++) {
		const struct rxe_link *link = &exam->links.links[i];
		const char *ns = link_namespace(link);
		size_t len = strlen(names);

		if (!ns || serves_namespace(link, exam->links.own))
			continue;
		if (n++ < 4)
			snprintf(names + len, sizeof(names) - len, "%s\"%.32s\" in \"%.32s\"",
				 len ? ", " : "", link->dev.name, ns);
		same &= !place || !strcmp(place, ns);
		place = ns;
	}
	if (!n)
		return;
	snprintf(remedy, sizeof(remedy), "ip netns exec %.64s \"$SHELL\"", place);
	doctor_add_finding(exam, SEVERITY_WARNING, same && strcmp(place, "?") ? remedy : NULL,
			   "programs in this network namespace cannot use %zu device%s of other "
			   "namespaces: %s%s",
			   n, n == 1 ? "" : "s", names, n > 4 ? ", ..." : "");
}

static void check_namespace(struct exam *exam)
{
	bool shared = true;

	report_elsewhere(exam);
	if (!exam->rdma_error && !nldev_shared(netns_rdma(exam->links.own), &shared) && !shared)
		doctor_add_finding(
			exam, SEVERITY_INFO, NULL,
			"RDMA devices are exclusive to network namespaces: those of other "
			"namespaces are not shown");
}

/* Down, without carrier, and inactive for a moment while the kernel updates the port. */
static void check_up_of(struct exam *exam, const struct rxe_link *link, const struct netdev *netdev)
{
	char command[128], remedy[256];
	bool up = true;

	if (link->port.state == PORT_ACTIVE)
		return;
	ethtool_up(link->ns, link->netdev, &up);
	snprintf(command, sizeof(command), "ip link set dev %s up", link->netdev);
	if (!up)
		doctor_add_finding(exam, SEVERITY_ERROR, in_namespace(link, remedy, command),
				   "\"%s\" is not active: \"%s\" is down", link->dev.name,
				   link->netdev);
	else
		doctor_add_finding(exam, SEVERITY_ERROR, NULL, "\"%s\" is not active: \"%s\" %s",
				   link->dev.name, link->netdev,
				   netdev->running ? "is up, but the port does not follow it" :
						     "has no carrier (cable, or the other end)");
}

static void check_up(struct exam *exam)
{
	each_link(exam, check_up_of);
}

/* Link-local addresses have GIDs, too, but programs need a wider scope. */
static void check_address_of(struct exam *exam, const struct rxe_link *link,
			     const struct netdev *netdev)
{
	for (size_t i = 0; i < netdev->n_addresses; i++)
		if (strncmp(netdev->addresses[i], "fe80:", 5))
			return;
	doctor_add_finding(exam, SEVERITY_WARNING, NULL,
			   "\"%s\" has no IP address, so programs cannot connect over \"%s\": give it "
			   "an address of your network",
			   link->netdev, link->dev.name);
}

static void check_address(struct exam *exam)
{
	each_link(exam, check_address_of);
}

/* The user ABI has 8 bits for the GID index: programs get the GID of index 0 instead of 256. */
static void check_gid_indices(struct exam *exam, const struct rxe_link *link,
			      const struct gid *gids, size_t n)
{
	size_t above = 0;

	for (size_t i = 0; i < n; i++)
		above += gids[i].index > 255;
	if (above)
		doctor_add_finding(exam, SEVERITY_WARNING, NULL,
				   "programs cannot use %zu GID%s of \"%s\", whose index is above 255: "
				   "remove addresses of \"%s\" and of interfaces above it, then delete "
				   "and add the link",
				   above, above == 1 ? "" : "s", link->dev.name, link->netdev);
}

static void check_unassigned_gid(struct exam *exam, const struct rxe_link *link,
				 struct gid *gids, size_t n)
{
	gids_check(gids, n, link->ns, link->netdev);
	if (n && gids[0].unassigned)
		doctor_add_finding(exam, SEVERITY_INFO, NULL,
				   "GID 0 of \"%s\" is made from the MAC address and is no address of "
				   "\"%s\": programs that take it by default cannot connect; rxectl "
				   "gids for PEER shows the one to use",
				   link->dev.name, link->netdev);
}

static void check_gid(struct exam *exam)
{
	for (size_t i = 0; i < exam->links.n; i++) {
		const struct rxe_link *link = &exam->links.links[i];
		struct gid *gids;
		size_t n;

		if (gids_get(link->dev.name, &gids, &n))
			continue;
		check_unassigned_gid(exam, link, gids, n);
		if (!gids_best(gids, n))
			doctor_add_finding(exam, SEVERITY_ERROR, NULL,
					   "\"%s\" has no GID for RoCE v2", link->dev.name);
		check_gid_indices(exam, link, gids, n);
		free(gids);
	}
}

static void check_mtu_of(struct exam *exam, const struct rxe_link *link,
			 const struct netdev *netdev)
{
	unsigned int fits = mtu_fitting(netdev->mtu);
	char command[128], remedy[256];

	snprintf(command, sizeof(command), "ip link set dev %s mtu 1500", link->netdev);
	in_namespace(link, remedy, command);
	if (!fits)
		doctor_add_finding(
			exam, SEVERITY_ERROR, remedy,
			"MTU %u of \"%s\" is less than the %u bytes that the smallest RoCE packets need",
			netdev->mtu, link->netdev, MTU_MIN + MTU_OVERHEAD);
	else if (fits < 1024)
		doctor_add_finding(
			exam, SEVERITY_WARNING, remedy,
			"MTU %u of \"%s\" leaves a path MTU of %u: slow, and peers expect 1024",
			netdev->mtu, link->netdev, fits);
}

/* Packets that a route, or a link behind a router, does not carry. */
static void check_pmtu(struct exam *exam)
{
	for (size_t i = 0; i < exam->links.n; i++) {
		const struct rxe_link *link = &exam->links.links[i];
		struct pmtu_report report;

		if (!pmtu_recent(link->dev.name, &report))
			continue;
		doctor_add_finding(exam, SEVERITY_WARNING, NULL,
				   "packets to %s exceed an MTU of %u on the way from \"%s\" and are "
				   "lost: use a smaller path MTU; rxectl test %s finds it",
				   report.peer, report.mtu, link->dev.name, report.peer);
	}
}

static void check_mtu(struct exam *exam)
{
	each_link(exam, check_mtu_of);
	check_pmtu(exam);
}

static void check_fabric_of(struct exam *exam, const struct rxe_link *link,
			    const struct netdev *netdev)
{
	char command[128], remedy[256];
	bool on;

	if (is_hsn_unassigned(link->netdev, netdev->mac))
		doctor_add_finding(
			exam, SEVERITY_ERROR, NULL,
			"\"%s\" has no algorithmic MAC address yet: the fabric delivers no "
			"packets to %s",
			link->netdev, netdev->mac);
	snprintf(command, sizeof(command), "rxectl tune %s profile slingshot",
		 link->netdev);
	if (!ethtool_flag(link->ns, link->netdev, "roce-opt", &on) && !on)
		doctor_add_finding(
			exam, SEVERITY_WARNING, in_namespace(link, remedy, command),
			"the private flag roce-opt of \"%s\" is off: ICRCs are computed in software",
			link->netdev);
}

static void check_fabric(struct exam *exam)
{
	each_link(exam, check_fabric_of);
}

struct sent {
	uint64_t all;
	uint64_t stack;
};

static void add_sent(const char *name, uint64_t value, void *arg)
{
	struct sent *sent = arg;

	if (!strcmp(name, "sent_pkts"))
		sent->all = value;
	else if (!strcmp(name, "xmit_stack"))
		sent->stack = value;
}

/* Loopback, tunnels and WireGuard have no direct transmit: nothing can be done about it. */
static bool is_avoidable(const char *veto)
{
	return strcmp(veto, "route") && strcmp(veto, "no link layer header");
}

/* Direct transmit is off for at least half of the packets. */
static void check_transmit(struct exam *exam)
{
	for (size_t i = 0; i < exam->links.n; i++) {
		const struct rxe_link *link = &exam->links.links[i];
		struct sent sent = { 0 };
		char veto[64];

		nldev_counters(netns_rdma(exam->links.own), link->dev.index, add_sent, &sent);
		if (sent.stack < STACK_PACKETS || sent.stack < sent.all / 2 ||
		    !file_line(veto, sizeof(veto), "/sys/class/infiniband/%s/xmit_veto",
			       link->dev.name) ||
		    !is_avoidable(veto))
			continue;
		doctor_add_finding(exam, SEVERITY_INFO, NULL,
				   "\"%s\" has sent %" PRIu64 " of %" PRIu64 " packets through the "
				   "network stack, which is slower; the last reason: %s",
				   link->dev.name, sent.stack, sent.all, veto);
	}
}

/* Packets have arrived recently whose addresses are not those of their connection. */
static void check_peers(struct exam *exam)
{
	for (size_t i = 0; i < exam->links.n; i++) {
		const struct rxe_link *link = &exam->links.links[i];
		unsigned int qpn, age;
		char line[128], address[64];

		if (!file_line(line, sizeof(line), "/sys/class/infiniband/%s/misaddressed",
			       link->dev.name) ||
		    sscanf(line, "%63s QP %u, %u s ago", address, &qpn, &age) != 3 ||
		    age > RECENT_SECONDS)
			continue;
		doctor_add_finding(exam, SEVERITY_WARNING, NULL,
				   "packets from %s to QP %u of \"%s\" are dropped: that connection has "
				   "other addresses; NAT is on the way, or the peer sends from another "
				   "of its addresses",
				   address, qpn, link->dev.name);
	}
}

const struct check doctor_link_checks[] = {
	{ "link", check_links },
	{ "namespace", check_namespace },
	{ "netdev", check_up },
	{ "address", check_address },
	{ "gid", check_gid },
	{ "mtu", check_mtu },
	{ "fabric", check_fabric },
	{ "transmit", check_transmit },
	{ "peers", check_peers },
	{ 0 },
};
