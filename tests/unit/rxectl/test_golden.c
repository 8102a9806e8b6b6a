// SPDX-License-Identifier: GPL-2.0
/* Golden tests: command lines with their exact output and exit status. */
#include <errno.h>
#include <json-c/json.h>
#include <net/if_arp.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <cmocka.h>

#include "cmd/commands.h"
#include "fake.h"
#include "util/files.h"
#include "util/redact.h"

#define RXE0 "/sys/class/infiniband/rxe0/ports/1/"

static const struct fake_world empty = { .module = true, .root = true };

static const struct fake_world one_netdev = {
	.module = true,
	.root = true,
	.netdevs = { { .name = "eth0", .type = ARPHRD_ETHER, .mtu = 1500 } },
};

/* Two rxe devices, one of them with its interface in another namespace, and an HCA. */
static const struct fake_world full = {
	.module = true,
	.root = true,
	.devs = {
		{ .index = 0, .name = "mlx5_0", .driver = RDMA_DRIVER_MLX5, .guid = 1, .state = 4,
		  .phys_state = 5, .netdev = "eth9" },
		{ .index = 3, .name = "rxe0", .driver = RDMA_DRIVER_RXE, .parent = true,
		  .guid = 0x505400fffe123456, .state = 4, .phys_state = 5, .netdev = "eth0",
		  .qps = 5, .active_mtu = 1024 },
		{ .index = 4, .name = "rxe_red", .driver = RDMA_DRIVER_RXE, .parent = true,
		  .guid = 0x2, .state = 1, .phys_state = 3, .netdev = "veth1", .ns = "red",
		  .qps = 1, .active_mtu = 4096 },
	},
	.netdevs = {
		{ .name = "eth0", .type = ARPHRD_ETHER, .driver = "virtio_net", .speed = 2500,
		  .mtu = 1500, .addresses = { "192.168.7.1", "fd07::1" } },
		{ .name = "eth9", .type = ARPHRD_ETHER, .driver = "mlx5_core", .speed = 100000,
		  .mtu = 9000 },
		{ .ns = "red", .name = "veth1", .type = ARPHRD_ETHER, .kind = "veth",
		  .driver = "veth", .speed = 10000, .mtu = 9000 },
		{ .name = "eth0.5", .type = ARPHRD_ETHER, .kind = "vlan", .mtu = 1500 },
		{ .name = "tun0", .type = ARPHRD_NONE, .kind = "tun", .mtu = 1500 },
		{ .name = "lo", .type = ARPHRD_LOOPBACK, .mtu = 65536 },
	},
	.namespaces = { "blue", "red" },
	.objects = {
		{ .device = 3, .kind = "qp", .id = 1, .type = 1, .state = 3, .kernel = "ib_core" },
		{ .device = 3, .kind = "qp", .id = 17, .type = 2, .state = 6, .peer = 18,
		  .pid = 4711 },
		{ .device = 4, .kind = "qp", .id = 17, .type = 9, .state = 9, .pid = 4712 },
		{ .device = 3, .kind = "mr", .id = 5, .size = 8589934592, .pid = 4711 },
		{ .device = 3, .kind = "cq", .id = 6, .size = 128, .pid = 4711 },
		{ .device = 3, .kind = "pd", .id = 7, .pid = 4711 },
	},
	.counters = {
		{ "sent_pkts", 100, 2500 },
		{ "drop_icrc", 3 },
		{ "drop_pkey", 0 },
		{ "from_the_future", 1 },
	},
	.files = {
		{ "/proc/4711/comm", "ib_write_bw\n" },
		{ RXE0 "gids/0", "fe80:0000:0000:0000:5054:00ff:fe12:3456\n" },
		{ RXE0 "gid_attrs/types/0", "RoCE v2\n" },
		{ RXE0 "gid_attrs/ndevs/0", "eth0\n" },
		{ RXE0 "gids/1", "0000:0000:0000:0000:0000:ffff:c0a8:0701\n" },
		{ RXE0 "gid_attrs/types/1", "RoCE v2\n" },
		{ RXE0 "gid_attrs/ndevs/1", "eth0\n" },
		{ RXE0 "gids/2", "0000:0000:0000:0000:0000:0000:0000:0000\n" },
		{ RXE0 "gids/3", "fd07:0000:0000:0000:0000:0000:0000:0001\n" },
		{ RXE0 "gid_attrs/types/3", "RoCE v2\n" },
	},
	.routes = {
		{ "192.168.7.2", "192.168.7.1", "eth0" },
		{ "fd07::2", "fd07::1", "eth0" },
		{ "10.0.0.1", "10.0.0.9", "eth5" },
	},
};

/* A driver that the kernel does not report; a device that is removed; odd states and names. */
static const struct fake_world odd = {
	.module = true,
	.devs = {
		{ .index = 1, .name = "rxe0", .driver = -1, .parent = true, .state = 9,
		  .phys_state = 9, .netdev = "e\033[2Jth", .qps = 0 },
		{ .index = 2, .name = "siw0", .driver = -1, .netdev = "eth1" },
		{ .index = 3, .name = "rxe1", .driver = RDMA_DRIVER_RXE, .vanishes = true },
		{ .index = 4, .name = "rxe2", .driver = RDMA_DRIVER_RXE, .parent = true,
		  .netdev = "veth1", .ns = "red" },
		{ .index = 5, .name = "rxe3", .driver = RDMA_DRIVER_RXE },
	},
	.netdevs = { { .name = "e\033[2Jth", .speed = 100, .mtu = 576 } },
	.namespaces = { "red" },
};

#define GIDS1 "/sys/class/infiniband/rxe1/ports/1/"
#define VERBS "/sys/class/infiniband_verbs/uverbs0/"

/* Several interfaces, one link, and a configuration with errors. */
static const struct fake_world site = {
	.module = true,
	.root = true,
	.devs = { { .index = 1, .name = "rxe_old", .driver = RDMA_DRIVER_RXE, .state = 4,
		    .netdev = "eth2" } },
	.netdevs = {
		{ .name = "lo", .type = ARPHRD_LOOPBACK },
		{ .name = "hsn0", .type = ARPHRD_ETHER, .driver = "cxi_ss1", .mtu = 9000, .mac = "02:00:00:00:00:01" },
		{ .name = "hsn1", .type = ARPHRD_ETHER, .driver = "cxi_ss1", .mtu = 1500, .mac = "02:00:00:00:00:02" },
		{ .name = "eth1", .type = ARPHRD_ETHER, .driver = "e1000e", .mtu = 1500, .path = "0000:00:1f.6" },
		{ .name = "eth2", .type = ARPHRD_ETHER, .driver = "virtio_net", .mtu = 1500, .mac = "0a:00:00:00:00:02" },
		{ .ns = "red", .name = "veth0", .type = ARPHRD_ETHER, .driver = "veth", .mtu = 1500 },
	},
	.namespaces = { "red" },
	.files = {
		{ "/etc/rxe/10.conf", "# Slingshot\n[link]\nnetdev = hsn*\nname = rxe%n\nmtu = 9000\n" },
		{ "/etc/rxe/20.conf", "[link]\nmac = 0A:00:00:00:00:02\nname=rxe_%i\n"
				      "colour = blue\n[link]\nname = all\n[pipe]\nx = y\n"
				      "[link]\ndriver = veth\nnetns = red\nmtu = big\n" },
		{ "/etc/rxe/30.conf", "[link]\npath = 0000:00:1f.*\n[link]\nmac = 0a\nnetdev = *\n"
				      "[link]\nnetdev = *\nnetns = blue\n" },
		{ "/etc/rxe/40.conf.bak", "[link]\nnetdev = *\n" },
	},
};

/*
 * Complaints about lines, then about a nonexistent namespace, which is entered if all interfaces
 * are planned.
 */
#define LINE_COMPLAINTS                                                                            \
	"error: /etc/rxe/20.conf:4: \"colour = blue\": no such key\n"                                                \
	"error: /etc/rxe/20.conf:5: the section names no interface: netdev, mac, driver or path\n" \
	"error: /etc/rxe/20.conf:7: \"[pipe]\": the only kind of section is [link]\n"                         \
	"error: /etc/rxe/20.conf:8: \"x = y\": the line is outside of any section [link]\n"                   \
	"error: /etc/rxe/20.conf:12: \"mtu = big\": not an MTU from 340 to 65535\n"                              \
	"error: /etc/rxe/30.conf:4: \"mac = 0a\": not a MAC address such as 00:11:22:33:44:55\n"

#define COMPLAINTS                                                                                 \
	LINE_COMPLAINTS                                                                            \
	"error: /etc/rxe/30.conf:6: network namespace \"blue\": No such file or directory\n"

/* A Slingshot interface with default settings and two transmit queues that have limits. */
static const struct fake_world hsn = {
	.module = true,
	.root = true,
	.netdevs = { { .name = "hsn0", .type = ARPHRD_ETHER, .driver = "cxi_ss1", .mtu = 1500,
		       .mac = "02:00:00:00:00:01", .queues = 4, .flag = "roce-opt" } },
	.files = {
		{ "/etc/rxe/hsn.conf", "[link]\nnetdev = hsn*\nmtu = 4200\nprofile = slingshot\n"
				       "wait = 5\n" },
		{ "/proc/sys/net/core/netdev_budget", "300\n" },
		{ "/proc/sys/net/core/rmem_max", "999999999\n" },
		{ "/proc/sys/net/ipv4/udp_mem", "1\t2\t99999999\n" },
		{ "/proc/sys/net/ipv6/conf/hsn0/keep_addr_on_down", "0\n" },
		{ "/sys/class/net/hsn0/ifalias", "" },
		{ "/sys/class/net/hsn0/queues/tx-0/byte_queue_limits/limit_min", "0\n" },
		{ "/sys/class/net/hsn0/queues/tx-1/byte_queue_limits/limit_min", "7\n" },
		{ "/sys/class/net/hsn0/queues/rx-0/rps_cpus", "0\n" },
		{ "/sys/module/cxi_eth/parameters/large_pkts_buf_count", "2048\n" },
		{ "/sys/module/rdma_rxe/parameters/max_pkt_per_ack", "64\n" },
		{ "/run/rxe/.keep", "" },
	},
};

/* What firewalld prints of a zone. Other lines name the port, too. */
#define ZONE(target, services, ports)                                                              \
	"public (active)\n  target: " target "\n  icmp-block-inversion: no\n  interfaces: eth1\n"    \
	"  sources: \n  services: " services "\n  ports: " ports "\n  protocols: \n  forward: yes\n"  \
	"  masquerade: no\n  forward-ports: \n\tport=4791:proto=udp:toport=80:toaddr=\n"            \
	"  source-ports: 4791/udp\n  icmp-blocks: \n  rich rules: \n"

/* A system without problems. */
static const struct fake_world well = {
	.module = true,
	.root = true,
	.devs = { { .index = 1, .name = "rxe1", .driver = RDMA_DRIVER_RXE, .state = 4,
		    .phys_state = 5, .netdev = "eth1", .active_mtu = 1024 } },
	.netdevs = { { .name = "eth1", .type = ARPHRD_ETHER, .mtu = 1500,
		       .addresses = { "fe80::1", "10.0.0.1" } } },
	.namespaces = { "red" },
	.files = {
		{ "/sys/module/rdma_rxe/version", "0.1.0\n" },
		{ "/etc/os-release", "ID=debian\nVERSION_ID=12\n" },
		{ "/etc/libibverbs.d/rxe.driver", "driver rxe\n" },
		{ "/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so", "" },
		{ VERBS "ibdev", "rxe1\n" },
		{ VERBS "abi_version", "2\n" },
		{ "/dev/infiniband/uverbs0", "" },
		{ "/dev/infiniband/rdma_cm", "" },
		{ "/proc/sys/net/core/netdev_max_backlog", "1000\n" },
		{ GIDS1 "gids/0", "0000:0000:0000:0000:0000:ffff:0a00:0001\n" },
		{ GIDS1 "gid_attrs/types/0", "RoCE v2\n" },
	},
	.commands = {
		{ "nft -a list ruleset", "table inet t { # handle 1\n"
					 "\tchain in { # handle 1\n"
					 "\t\ttype filter hook input priority 0; policy drop;\n"
					 "\t\tudp dport 4791 accept # handle 2\n"
					 "\t\tudp dport 4791 drop # handle 3\n"
					 "\t}\n"
					 "\tchain out { # handle 4\n"
					 "\t\ttype filter hook output priority 0; policy drop;\n"
					 "\t\tudp dport 4791 drop # handle 5\n"
					 "\t}\n"
					 "}\n" },
		{ "iptables-legacy-save", "*filter\n:INPUT DROP [0:0]\n"
					  "-A INPUT -p udp -m udp --dport 4791 -j ACCEPT\n" },
		{ "firewall-cmd --state", "running\n" },
		{ "firewall-cmd --zone=public --list-all", ZONE("default", "ssh", "4791/udp") },
		{ "firewall-cmd --get-zone-of-interface=eth1", "public\n" },
		{ "firewall-cmd --permanent --zone=public --list-all",
		  ZONE("default", "ssh", "22/tcp 4791/udp") },
		{ "firewall-cmd --get-default-zone", "public\n" },
	},
};

#define PARAMETERS "/sys/module/rdma_rxe/parameters/"

/* Parameters set at run time, by modprobe.d, by the kernel's command line, and not at all. */
static const struct fake_world tuned = {
	.module = true,
	.root = true,
	.files = {
		{ "/sys/module/rdma_rxe/version", "0.1.0\n" },
		{ PARAMETERS "use_sg", "N\n" },
		{ PARAMETERS "max_unacked_psns", "64\n" },
		{ PARAMETERS "max_iterations", "2048\n" },
		{ PARAMETERS "xmit_hard", "Y\n" },
		{ PARAMETERS "simd", "128\n" },
		{ "/proc/cmdline", "quiet rdma_rxe.max_iterations=2048 ro\n" },
		{ "/etc/modprobe.d/site.conf",
		  "options rdma_rxe max_unacked_psns=0x40 use_sg=1\noptions other use_sg=0\n"
		  "options rdma-rxe xmit_hard=1\n" },
		{ "/etc/modprobe.d/a.conf", "options rdma_rxe max_unacked_psns=32\n" },
		{ "/usr/lib/modprobe.d/site.conf", "options rdma_rxe simd=0\n" },
	},
};

#define NO_RDMA "the kernel's RDMA subsystem and module rdma_rxe are not loaded"

/**
 * struct row - a command line
 * @world: state of the system
 * @args: arguments, separated by blanks; "''" is an empty one
 * @status: expected exit status
 * @out: expected standard output
 * @err: expected standard error
 * @change: changes the world before the run; may be NULL
 */
struct row {
	const struct fake_world *world;
	const char *args;
	int status;
	const char *out;
	const char *err;
	void (*change)(void);
};

static void no_rdma(void)
{
	world.no_rdma = true;
	world.module = false;
}

static void peer_silent(void)
{
	world.peer = (struct fake_peer){ 0, "192.168.7.2 does not answer", "run a server", 0, 0 };
}

static void peer_well(void)
{
	world.peer = (struct fake_peer){ 5, NULL, NULL, 4096, 4096 };
}

static void peer_narrow(void)
{
	world.peer = (struct fake_peer){ 5, NULL, NULL, 1024, 4096 };
}

static void hsn_down(void)
{
	world.netdevs[0].stopped = true;
}

static void no_traffic(void)
{
	for (int i = 0; i < FAKE_MAX; i++)
		world.counters[i].value = world.counters[i].growth = 0;
}

static void no_module(void)
{
	world.module = false;
}

/* A terminal of 80 columns. */
static void narrow(void)
{
	setenv("COLUMNS", "80", 1);
}

/* The same, with many addresses. */
static void narrow_ipv6(void)
{
	static const char *const addresses[] = { "192.168.7.1", "2001:db8:1234:5678:9abc:def0:1234:5678",
						 "fe80::1" };

	narrow();
	for (int i = 0; i < 3; i++)
		world.netdevs[0].addresses[i] = addresses[i];
}

static void no_root(void)
{
	world.root = false;
}

static void garbled(void)
{
	world.garbled = true;
}

static void busy_port(void)
{
	world.refuse = -EADDRINUSE;
}

static void in_tree_vlan(void)
{
	world.refuse = -EPERM;
}

static void bad_type(void)
{
	world.refuse = -EINVAL;
}

static void out_of_memory(void)
{
	world.refuse = -ENOMEM;
}

static void extended(void)
{
	world.refuse = -EINVAL;
	world.message = "the moon is in the wrong phase";
}

static void set_file(const char *path, const char *text)
{
	int i = 0;

	while (world.files[i].path && strcmp(world.files[i].path, path))
		i++;
	assert_in_range(i, 0, FAKE_FILES - 1);
	world.files[i] = (struct fake_file){ path, text };
}

/* Move the others up: the list ends at the first free entry. */
static void drop_file(const char *path)
{
	int i = 0;

	while (strcmp(world.files[i].path, path))
		i++;
	for (; i < FAKE_FILES - 1; i++)
		world.files[i] = world.files[i + 1];
}

static void set_sent(uint64_t all, uint64_t stack)
{
	world.counters[0] = (struct fake_counter){ "sent_pkts", all };
	world.counters[1] = (struct fake_counter){ "xmit_stack", stack };
}

static void filtered(void)
{
	set_sent(6000, 5000);
	set_file("/sys/class/infiniband/rxe1/xmit_veto", "netfilter hook\n");
}

static void filtered_briefly(void)
{
	filtered();
	set_sent(60000, 5000);
}

static void idle_filtered(void)
{
	filtered();
	set_sent(900, 900);
}

static void on_loopback(void)
{
	filtered();
	set_file("/sys/class/infiniband/rxe1/xmit_veto", "route\n");
}

static void misaddressed(void)
{
	set_file("/sys/class/infiniband/rxe1/misaddressed", "192.0.2.1 QP 17, 3 s ago\n");
}

static void misaddressed_long_ago(void)
{
	set_file("/sys/class/infiniband/rxe1/misaddressed", "192.0.2.1 QP 17, 61 s ago\n");
}

static void never_misaddressed(void)
{
	set_file("/sys/class/infiniband/rxe1/misaddressed", "none\n");
}

static void too_big(void)
{
	set_file("/sys/class/infiniband/rxe1/pmtu_exceeded", "192.0.2.1 MTU 1280, 60 s ago\n");
}

static void too_big_long_ago(void)
{
	set_file("/sys/class/infiniband/rxe1/pmtu_exceeded", "192.0.2.1 MTU 1280, 61 s ago\n");
}

static void never_too_big(void)
{
	set_file("/sys/class/infiniband/rxe1/pmtu_exceeded", "none\n");
}

/* The path of the test is too narrow. */
static void peer_too_big(void)
{
	peer_narrow();
	set_file("/sys/class/infiniband/rxe0/pmtu_exceeded", "host MTU 1280, 3 s ago\n");
}

/* The path to another peer is too narrow, too. */
static void other_too_big(void)
{
	peer_narrow();
	set_file("/sys/class/infiniband/rxe0/pmtu_exceeded", "other MTU 1280, 3 s ago\n");
}

static void in_tree(void)
{
	drop_file("/sys/module/rdma_rxe/version");
}

static void not_built(void)
{
	in_tree();
	set_file("/usr/src/rdma-rxe-0.9.1/dkms.conf", "");
}

static void barred(void)
{
	set_file("/etc/modprobe.d/site.conf", "# no\n\nblacklist  rdma-rxe\nblacklist nouveau\n");
}

static void locked_down(void)
{
	world.module = false;
	set_file("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	set_file("/var/lib/dkms/mok.pub", "");
}

static void unsigned_module(void)
{
	set_file("/sys/module/rdma_rxe/taint", "OE\n");
}

static void no_provider(void)
{
	drop_file("/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so");
}

static void provider_elsewhere(void)
{
	no_provider();
	set_file("/usr/lib64/libibverbs/librxe-rdmav57.so", "");
}

static void no_provider_fedora(void)
{
	no_provider();
	set_file("/etc/os-release", "NAME=Rocky\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n");
}

static void no_provider_suse(void)
{
	no_provider();
	set_file("/etc/os-release", "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n");
}

static void provider_untold(void)
{
	drop_file("/etc/libibverbs.d/rxe.driver");
}

static void new_abi(void)
{
	set_file(VERBS "abi_version", "3\n");
}

static void no_uverbs(void)
{
	drop_file("/dev/infiniband/uverbs0");
}

/* A system in a directory, whose configuration differs from that of this one. */
static void image(void)
{
	set_file("/image/etc/rxe/eth.conf", "[link]\nnetdev = eth*\ndriver = ena\nname = r%n\n");
}

static void image_no_rdma(void)
{
	image();
	no_rdma();
}

static void image_buffers(void)
{
	image_no_rdma();
	set_file("/image/etc/modprobe.d/site.conf", "# cxi\noptions cxi-eth large_pkts_buf_count=10000\n");
}

static void bad_image(void)
{
	set_file("/image/etc/rxe/eth.conf", "[link]\nnetdev = eth0\nmtu = 1\n");
}

static void no_cm(void)
{
	drop_file("/dev/infiniband/rdma_cm");
}

static void memlock(void)
{
	world.memlock_small = true;
}

static void backlog(void)
{
	set_file("/proc/sys/net/core/netdev_max_backlog", "300\n");
}

/* A parameter that would cap the congestion window. */
static void has_window_cap(void)
{
	set_file("/sys/module/rdma_rxe/parameters/max_unacked_psns", "128\n");
	set_file("/sys/module/rdma_rxe/parameters/inflight_skbs_per_qp_high", "64\n");
}

static void profile_on_veth(void)
{
	set_file("/etc/rxe/a.conf", "[link]\nnetdev = eth0\nprofile = slingshot\n");
	world.netdevs[0].driver = "veth";
}

/* The driver does not report its name, but has the private flag. */
static void flag_alone(void)
{
	world.netdevs[0].driver = NULL;
}

static void few_buffers(void)
{
	set_file("/sys/module/cxi_eth/parameters/large_pkts_buf_count", "512\n");
}

static void new_hsn(void)
{
	world.devs[0].netdev = "hsn1";
	world.netdevs[0].name = "hsn1";
	world.netdevs[0].mac = "00:40:A6:83:00:01";
	world.netdevs[0].flag = "roce-opt";
}

static void no_link(void)
{
	world.devs[0].name = NULL;
}

static void elsewhere(void)
{
	world.devs[0].ns = "red";
	world.netdevs[0].ns = "red";
}

/* The device of the node has the address of the pod's interface. */
static void pod(void)
{
	elsewhere();
	world.netdevs[1] = (struct fake_netdev){
		.name = "net1",
		.type = ARPHRD_ETHER,
		.mtu = 1500,
		.addresses = { "10.0.0.2" },
	};
	set_file(GIDS1 "gids/1", "0000:0000:0000:0000:0000:ffff:0a00:0002\n");
	set_file(GIDS1 "gid_attrs/types/1", "RoCE v2\n");
	set_file(GIDS1 "gid_attrs/ndevs/1", "net1\n");
}

/* The link-local address of eth1, fe80::1, is not made from its MAC address. */
static void stable_privacy(void)
{
	set_file(GIDS1 "gids/0", "fe80:0000:0000:0000:5054:00ff:fe12:3456\n");
	set_file(GIDS1 "gid_attrs/ndevs/0", "eth1\n");
	set_file(GIDS1 "gids/1", "fe80:0000:0000:0000:0000:0000:0000:0001\n");
	set_file(GIDS1 "gid_attrs/types/1", "RoCE v2\n");
	set_file(GIDS1 "gid_attrs/ndevs/1", "eth1\n");
}

static void exclusive(void)
{
	world.exclusive = true;
}

static void down(void)
{
	world.devs[0].state = 1;
	world.netdevs[0].stopped = true;
}

static void no_carrier(void)
{
	world.devs[0].state = 1;
	world.netdevs[0].no_carrier = true;
}

static void down_elsewhere(void)
{
	down();
	elsewhere();
}

static void no_address(void)
{
	world.netdevs[0].addresses[1] = NULL;
}

static void no_gid(void)
{
	set_file(GIDS1 "gid_attrs/types/0", "IB/RoCE v1\n");
}

/* The table has 258 entries. */
static void many_gids(void)
{
	static char paths[258][sizeof(GIDS1) + 16], gids[258][48];

	for (int i = 1; i < 258; i++) {
		snprintf(paths[i], sizeof(paths[i]), GIDS1 "gids/%d", i);
		snprintf(gids[i], sizeof(gids[i]), "fd07:0000:0000:0000:0000:0000:0000:%04x\n", i);
		set_file(paths[i], gids[i]);
	}
}

/* libibverbs opens the device, so that no file of the table is read. */
static void verbs_gid(void)
{
	world.devs[1].gid = "fd07::99";
	drop_file(RXE0 "gids/0");
}

static void tiny_mtu(void)
{
	world.netdevs[0].mtu = 339;
}

static void small_mtu(void)
{
	world.netdevs[0].mtu = 1107;
}

#define NFT_CHAIN(policy, rule)                                                                    \
	"table ip f { # handle 7\n\tchain in { # handle 1\n\t\ttype filter hook input priority "   \
	"filter; policy " policy ";\n" rule "\t}\n}\n"

static void nft_drop(void)
{
	world.commands[0].output =
		NFT_CHAIN("accept", "\t\tudp dport { 53, 4791 } counter drop # handle 12\n");
}

static void nft_other_port(void)
{
	world.commands[0].output = NFT_CHAIN("accept", "\t\tudp dport 14791 drop # handle 12\n");
}

static void nft_policy(void)
{
	world.commands[0].output = NFT_CHAIN("drop", "");
}

/* A last rule that drops everything, with the policy accept. */
static void nft_reject_rest(void)
{
	world.commands[0].output =
		NFT_CHAIN("accept", "\t\ttcp dport 22 accept # handle 11\n"
				    "\t\tcounter packets 8 bytes 72 reject with icmp type "
				    "host-prohibited # handle 12\n"
				    "\t\tudp dport 4791 accept # handle 13\n");
}

static void nft_drop_rest(void)
{
	world.commands[0].output =
		NFT_CHAIN("accept", "\t\tudp dport 4791 accept # handle 11\n\t\tdrop # handle 12\n");
}

static void nft_drop_some(void)
{
	world.commands[0].output =
		NFT_CHAIN("accept", "\t\tct state invalid drop # handle 12\n"
				    "\t\tcounter packets 8 bytes 72 # handle 13\n");
}

static void nft_firewalld(void)
{
	world.commands[0].output =
		"table inet firewalld { # handle 7\n\tchain filter_INPUT { # handle 1\n\t\ttype filter "
		"hook input priority filter + 10; policy accept;\n\t\treject with icmpx "
		"admin-prohibited # handle 9\n\t}\n}\n";
}

static void iptables_reject_rest(void)
{
	world.commands[1].output = ":INPUT ACCEPT [0:0]\n"
				   "-A INPUT -p tcp -m tcp --dport 22 -j ACCEPT\n"
				   "-A INPUT -j REJECT --reject-with icmp-host-prohibited\n";
}

static void iptables_drop(void)
{
	world.commands[1].output = "-A INPUT -p udp -m udp --dport 4791 -j DROP\n";
}

static void iptables_policy(void)
{
	world.commands[1].output = ":INPUT DROP [0:0]\n";
}

/* The words that look like the port or the service are others. */
#define ZONE_CLOSED ZONE("default", "ssh rocev2-test", "4791/tcp 14791/udp 47910/udp 4792-5000/udp")

static void firewalld(void)
{
	world.commands[5].output = ZONE_CLOSED;
}

static void firewalld_closed(void)
{
	firewalld();
	world.commands[3].output = ZONE_CLOSED;
}

static void firewalld_until_reload(void)
{
	world.commands[3].output = ZONE_CLOSED;
}

/* Zone "trusted": all packets are accepted, and no port is listed. */
static void firewalld_trusted(void)
{
	world.commands[3].output = ZONE("ACCEPT", "", "");
	world.commands[5].output = ZONE("ACCEPT", "", "");
}

/* The service of the package is open in place of the port. */
static void firewalld_service(void)
{
	world.commands[3].output = ZONE("default", "rocev2", "");
	world.commands[5].output = ZONE("default", "rocev2-test rocev2 ssh", "");
}

static void firewalld_range(void)
{
	world.commands[3].output = ZONE("default", "ssh", "22/tcp 4791-4792/udp");
	world.commands[5].output = ZONE("default", "ssh", "4000-4791/udp");
}

/* A zone of an interface that firewalld does not know, whose answer is on its error output. */
static void firewalld_silent(void)
{
	world.commands[3].output = "";
	world.commands[5].output = "";
}

/* The service is known, and closed. */
static void firewalld_offers_service(void)
{
	firewalld_closed();
	world.commands[7] = (struct fake_command){ "firewall-cmd --info-service=rocev2",
						   "rocev2\n  ports: 4791/udp\n" };
}

static void firewalld_default_zone(void)
{
	world.commands[4].output = "\n";
	world.commands[6].output = "drop\n";
}

static void firewalld_unreadable(void)
{
	no_root();
	world.commands[0].line = "";
	world.commands[1].line = "";
}

static void nothing_installed(void)
{
	no_module();
	world.not_installed = true;
}

static void not_built_and_not_loaded(void)
{
	nothing_installed();
	set_file("/usr/src/rdma-rxe-0.9.1/dkms.conf", "");
}

static void not_built_fedora(void)
{
	not_built_and_not_loaded();
	set_file("/etc/os-release", "ID=fedora\n");
}

/* The bounds exclude the kernel of each machine that runs this test. */
static void kernel_excluded(void)
{
	not_built_and_not_loaded();
	set_file("/usr/src/rdma-rxe-0.9.1/dkms.conf",
		 "PACKAGE_NAME=\"rdma-rxe\"\nBUILD_EXCLUSIVE_KERNEL_MIN=\"1.2\"\n"
		 "BUILD_EXCLUSIVE_KERNEL_MAX=\"2.4.9999\"\n");
}

static void build_failed(void)
{
	static char log[256], headers[256];
	struct utsname kernel;

	not_built_and_not_loaded();
	assert_int_equal(uname(&kernel), 0);
	snprintf(log, sizeof(log), "DKMS make.log for rdma-rxe-0.9.1 for kernel %s (x86_64)\n",
		 kernel.release);
	snprintf(headers, sizeof(headers), "/lib/modules/%s/build/Makefile", kernel.release);
	set_file("/var/lib/dkms/rdma-rxe/0.9.1/build/make.log", log);
	set_file(headers, "");
}

/* The log is that of a build for another kernel. */
static void build_failed_elsewhere(void)
{
	build_failed();
	set_file("/var/lib/dkms/rdma-rxe/0.9.1/build/make.log",
		 "DKMS make.log for rdma-rxe-0.9.1 for kernel 1.2.3 (x86_64)\n");
}

static void not_built_suse(void)
{
	not_built_and_not_loaded();
	set_file("/etc/os-release", "ID=\"sles\"\nID_LIKE=\"suse\"\n");
}

static void no_rdma_installed(void)
{
	no_rdma();
	world.not_installed = true;
}

static void no_rdma_installed_ubuntu(void)
{
	no_rdma_installed();
	set_file("/etc/os-release", "NAME=\"Ubuntu\"\nID=ubuntu\nID_LIKE=debian\n");
}

static void unsupported(void)
{
	world.module = false;
	set_file("/lib/modprobe.d/10-unsupported-modules.conf",
		 "# SUSE\nallow_unsupported_modules 0\n");
	drop_file("/sys/module/rdma_rxe/version");
}

static void unsupported_allowed(void)
{
	unsupported();
	set_file("/etc/modprobe.d/10-unsupported-modules.conf", "allow_unsupported_modules 1\n");
}

static void barred_by_package(void)
{
	set_file("/usr/lib/modprobe.d/hardening.conf", "install rdma_rxe /bin/false\n");
}

static void barred_and_masked(void)
{
	barred_by_package();
	set_file("/etc/modprobe.d/hardening.conf", "# nothing\n");
}

static void memlock_capable(void)
{
	memlock();
	world.ipc_lock = true;
}

static void enrolled(void)
{
	locked_down();
	world.commands[7] = (struct fake_command){
		"sh -c 'mokutil --test-key /var/lib/dkms/mok.pub; true'",
		"/var/lib/dkms/mok.pub is already enrolled\n"
	};
}

static void key_requested(void)
{
	locked_down();
	world.commands[7] = (struct fake_command){
		"sh -c 'mokutil --test-key /var/lib/dkms/mok.pub; true'",
		"/var/lib/dkms/mok.pub is already in the enrollment request\n"
	};
}

static void no_key(void)
{
	locked_down();
	drop_file("/var/lib/dkms/mok.pub");
}

static void new_abi_fedora(void)
{
	new_abi();
	set_file("/etc/os-release", "ID=fedora\n");
}

static void no_provider_unknown(void)
{
	no_provider();
	drop_file("/etc/os-release");
}

static void many_elsewhere(void)
{
	static const char *const names[] = { "a1", "a2", "a3", "a4", "a5" };

	for (int i = 0; i < 5; i++)
		world.devs[1 + i] = (struct fake_dev){ .index = 2 + (uint32_t)i,
						       .name = names[i],
						       .driver = RDMA_DRIVER_RXE,
						       .state = 4,
						       .netdev = "veth0",
						       .ns = "red" };
	world.netdevs[1] = (struct fake_netdev){ .ns = "red",
						 .name = "veth0",
						 .type = ARPHRD_ETHER,
						 .mtu = 1500,
						 .addresses = { "10.1.0.1" } };
}

static int pauses;

static void up_after_an_hour(void)
{
	if (!--pauses)
		world.netdevs[0].stopped = false;
}

/* Up long after the time that its section waits. */
static void hsn_late(void)
{
	hsn_down();
	pauses = 3600;
	world.pause = up_after_an_hour;
}

static void hsn_renamed(void)
{
	world.netdevs[0].name = "lan0";
}

static void hsn_leaves(void)
{
	hsn_down();
	world.pause = hsn_renamed;
}

static void slow_fabric(void)
{
	world.netdevs[1].mac = "00:40:a6:11:22:33";
	world.netdevs[2].stopped = true;
}

static void configured(void)
{
	set_file("/etc/rxe/a.conf", "[link]\nnetdev = eth0\nwait = 5\n");
}

static void configured_default(void)
{
	configured();
	world.devs[1].name = "rxe_eth0";
}

static void moved(void);
static void edited(void);

static void boot_applies(void)
{
	moved();
	world.commands[0] = (struct fake_command){ "sh -c 'systemctl is-enabled rxe.service; true'",
						   "enabled\n" };
}

static void boot_masked(void)
{
	boot_applies();
	world.commands[0].output = "masked\n";
}

static void edited_twice(void)
{
	edited();
	set_file("/etc/rxe/rxe0.conf.off", "");
}

static void no_conf_dir(void)
{
	set_file("/etc/os-release", "ID=debian\n");
}

static void conf_dir_is_file(void)
{
	set_file("/etc/rxe", "");
}

static void tunnel_named_second(void)
{
	set_file("/etc/rxe/a.conf", "[link]\nnetdev = tun0\n");
	set_file("/etc/rxe/0.conf", "[link]\nnetdev = *\n");
}

static void edited(void)
{
	set_file("/etc/rxe/rxe0.conf", "[link]\nnetdev = eth7\nname = rxe0\nmtu = 9000\n");
}

/* Written by persist when the device was on another interface. */
static void moved(void)
{
	set_file("/etc/rxe/rxe0.conf",
		 "# Written by rxectl persist\n[link]\nnetdev = eth7\nname = rxe0\n");
}

static void moved_and_edited(void)
{
	set_file("/etc/rxe/rxe0.conf", "# Written by rxectl persist\n[link]\nnetdev = eth7\nname = rxe0\n"
				       "[link]\nnetdev = eth8\nname = rxe8\n");
}

static void moved_and_widened(void)
{
	set_file("/etc/rxe/rxe0.conf", "# Written by rxectl persist\n[link]\nnetdev = ens*\nname = rxe0\n");
}

static void not_ours(void)
{
	set_file("/etc/rxe/hsn.conf", "[link]\nnetdev = hsn*\nname = rxe%n\n");
}

static void two_sections(void)
{
	set_file("/etc/rxe/rxe0.conf", "[link]\nnetdev = eth0\nname = rxe0\n[link]\nnetdev = *\n");
}

static void made_by_another(void)
{
	moved();
	set_file("/etc/rxe/a.conf", "[link]\nnetdev = eth*\n");
}

static void nameless(void)
{
	configured();
	world.namespaces[1] = NULL;
}

static void in_nameless(void)
{
	configured();
	world.own_nameless = true;
}

static void renamed_interface(void)
{
	set_file("/etc/rxe/a.conf", "[link]\nnetdev = eth0\n\n[link]\nnetdev = eth7\n\n[link]\nmac = "
				    "02:00:00:00:00:77\nnetdev = eth*\n[link]\nnetdev = e*\n");
}

static void commented(void)
{
	set_file("/etc/rxe/a.conf", "[link]\nnetdev = eth0 # uplink\n");
}

static void lose_first(void)
{
	world.devs[1].name = NULL;
}

static void first_goes(void)
{
	world.pause = lose_first;
}

static void another_process(void)
{
	world.netdevs[0].stopped = false;
	world.devs[0] = (struct fake_dev){
		.index = 1, .name = "rxe_eth0", .driver = RDMA_DRIVER_RXE, .netdev = "eth0"
	};
}

/* Another process waits for the same interface and adds the link first. */
static void made_meanwhile(void)
{
	configured();
	world.netdevs[0].stopped = true;
	world.pause = another_process;
}

static void listed(void)
{
	world.devs[0].unlisted = false;
}

static void removed(void)
{
	world.devs[0] = (struct fake_dev){};
}

/* A device that another process is adding: not listed, and its name is in use. */
static void unsettled(void)
{
	configured();
	another_process();
	world.devs[0].unlisted = true;
}

static void being_made(void)
{
	unsettled();
	world.pause = listed;
}

static void being_removed(void)
{
	unsettled();
	world.pause = removed;
}

static void name_being_taken(void)
{
	being_made();
	world.devs[0].netdev = "hsn0";
}

static void another_interface(void)
{
	another_process();
	world.devs[0].netdev = "hsn0";
}

static void name_taken_meanwhile(void)
{
	made_meanwhile();
	world.pause = another_interface;
}

static void dkms_elsewhere(void)
{
	in_tree();
	world.commands[7] = (struct fake_command){ "modinfo -F version rdma_rxe", "0.1.0\n" };
}

static void would_load_in_tree(void)
{
	in_tree();
	world.commands[7] = (struct fake_command){ "modinfo -F version rdma_rxe", "\n" };
}

static void locked_down_ubuntu(void)
{
	locked_down();
	set_file("/var/lib/shim-signed/mok/MOK.der", "");
}

#define NFT_UFW(rule)                                                                              \
	"table ip filter { # handle 7\n\tchain ufw-user-input { # handle 3\n" rule "\t}\n"         \
	"\tchain ufw-user-output { # handle 4\n\t}\n"                                             \
	"\tchain INPUT { # handle 1\n\t\ttype filter hook input priority filter; policy drop;\n"  \
	"\t\tcounter packets 0 bytes 0 jump ufw-user-input # handle 9\n\t}\n"                      \
	"\tchain OUTPUT { # handle 2\n\t\ttype filter hook output priority filter; policy drop;\n" \
	"\t\tudp dport 4791 accept # handle 10\n\t}\n}\n"

static void ufw_closed(void)
{
	world.commands[0].output = NFT_UFW("");
}

static void ufw_profile(void)
{
	ufw_closed();
	set_file("/etc/ufw/applications.d/rocev2", "[RoCEv2]\nports=4791/udp\n");
}

static void ufw_open(void)
{
	world.commands[0].output = NFT_UFW("\t\tudp dport 4791 counter accept # handle 8\n");
}

static void ufw_legacy(void)
{
	world.commands[1].output = ":INPUT DROP [0:0]\n:ufw-user-input - [0:0]\n";
}

static const struct row rows[] = {
	/* The program. */
	{ &empty, "--version", 0, "rxectl 1.2.3\n", "" },
	{ &empty, "-V", 0, "rxectl 1.2.3\n", "" },
	{ &empty, "frob", 2, "",
	  "error: unknown object \"frob\"\n"
	  "hint: rxectl --help lists the objects\n" },
	{ &empty, "''", 2, "",
	  "error: unknown object \"\"\n"
	  "hint: rxectl --help lists the objects\n" },
	{ &empty, "-j frob", 2, "",
	  "{\"error\":{\"message\":\"unknown object \\\"frob\\\"\",\"word\":\"frob\","
	  "\"remedy\":\"rxectl --help lists the objects\"},\"format\":1}\n" },
	{ &empty, "-j", 2, "",
	  "{\"error\":{\"message\":\"no object given\",\"word\":null,\"remedy\":\"rxectl --help "
	  "lists the objects\"},\"format\":1}\n" },
	{ &empty, "--frob link", 2, "",
	  "error: unknown option \"--frob\"\n"
	  "hint: rxectl --help lists the options\n" },
	{ &empty, "link -px show -j", 2, "",
	  "{\n"
	  "  \"error\": {\n"
	  "    \"message\": \"unknown option \\\"-x\\\"\",\n"
	  "    \"word\": \"-x\",\n"
	  "    \"remedy\": \"rxectl --help lists the options\"\n"
	  "  },\n"
	  "  \"format\": 1\n"
	  "}\n" },
	{ &full, "-n red status rxe_red", 0,
	  "NAME     STATE  NETDEV  DRIVER  SPEED  MTU   RDMA-MTU  ADDRESSES  NAMESPACE  QPS\n"
	  "rxe_red  DOWN   veth1   veth    10G    9000  4096      -          -          1\n",
	  "" },
	{ &full, "map --netns red", 0,
	  "NAME     NETDEV  NAMESPACE  STATE\n"
	  "rxe0     eth0    ?          ACTIVE\n"
	  "rxe_red  veth1   -          DOWN\n",
	  "" },
	{ &full, "-n grey status", 1, "",
	  "error: no network namespace \"grey\"\n"
	  "hint: ip netns lists them\n" },
	{ &full, "-n ../red status", 1, "",
	  "error: no network namespace \"../red\"\n"
	  "hint: ip netns lists them\n" },
	{ &full, "-n red status", 1, "",
	  "error: cannot enter network namespace \"red\": needs CAP_SYS_ADMIN\n"
	  "hint: run it as root\n",
	  no_root },
	{ &full, "status -n", 2, "",
	  "error: missing value after \"-n\"\n"
	  "hint: rxectl --help lists the options\n" },
	{ &well, "--color always doctor", 3,
	  "\033[33mwarning\033[0m memlock: programs from this shell may lock 64 KiB of memory, too "
	  "little to register buffers; for later logins: add the user to the group rdma\n"
	  "        fix: prlimit --pid $$ --memlock=unlimited:unlimited\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", memlock },
	{ &well, "-c never doctor", 3,
	  "warning memlock: programs from this shell may lock 64 KiB of memory, too little to "
	  "register buffers; for later logins: add the user to the group rdma\n"
	  "        fix: prlimit --pid $$ --memlock=unlimited:unlimited\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", memlock },
	{ &well, "--color=auto doctor", 3,
	  "warning memlock: programs from this shell may lock 64 KiB of memory, too little to "
	  "register buffers; for later logins: add the user to the group rdma\n"
	  "        fix: prlimit --pid $$ --memlock=unlimited:unlimited\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", memlock },
	{ &well, "--color red doctor", 2, "",
	  "error: \"red\" is not a time to print colors\n"
	  "hint: give auto, always or never\n" },
	{ &empty, "--json=yes link", 2, "",
	  "error: unknown option \"--json=yes\"\n"
	  "hint: rxectl --help lists the options\n" },

	{ &full, "report now", 2, "",
	  "error: unknown word \"now\"\n"
	  "hint: rxectl report [show]\n" },

	/* link show */
	{ &full, "link", 0,
	  "NAME     STATE   PHYSICAL  NETDEV  NAMESPACE  NODE-GUID\n"
	  "rxe0     ACTIVE  LINK_UP   eth0    -          5054:00ff:fe12:3456\n"
	  "rxe_red  DOWN    DISABLED  veth1   red        0000:0000:0000:0002\n",
	  "" },
	{ &full, "l sh rxe0", 0,
	  "NAME  STATE   PHYSICAL  NETDEV  NAMESPACE  NODE-GUID\n"
	  "rxe0  ACTIVE  LINK_UP   eth0    -          5054:00ff:fe12:3456\n",
	  "" },
	{ &full, "link rxe0 -j", 0,
	  "[{\"name\":\"rxe0\",\"device\":\"rxe0\",\"index\":3,\"state\":\"ACTIVE\","
	  "\"physical_state\":\"LINK_UP\",\"netdev\":\"eth0\",\"namespace\":null,"
	  "\"node_guid\":\"5054:00ff:fe12:3456\",\"format\":1}]\n",
	  "" },
	{ &full, "-jp link show rxe_red", 0,
	  "[\n"
	  "  {\n"
	  "    \"name\": \"rxe_red\",\n"
	  "    \"device\": \"rxe_red\",\n"
	  "    \"index\": 4,\n"
	  "    \"state\": \"DOWN\",\n"
	  "    \"physical_state\": \"DISABLED\",\n"
	  "    \"netdev\": \"veth1\",\n"
	  "    \"namespace\": \"red\",\n"
	  "    \"node_guid\": \"0000:0000:0000:0002\",\n"
	  "    \"format\": 1\n"
	  "  }\n"
	  "]\n",
	  "" },
	{ &odd, "link", 0,
	  "NAME  STATE    PHYSICAL  NETDEV   NAMESPACE  NODE-GUID\n"
	  "rxe0  UNKNOWN  UNKNOWN   e?[2Jth  -          0000:0000:0000:0000\n"
	  "rxe2  NOP      NOP       veth1    ?          0000:0000:0000:0000\n"
	  "rxe3  NOP      NOP       -        ?          0000:0000:0000:0000\n",
	  "" },
	{ &empty, "link", 0, "",
	  "hint: no rxe device: rxectl link add netdev DEV creates one\n" },
	{ &empty, "link", 0, "",
	  "hint: no rxe device, and module rdma_rxe is not loaded: modprobe rdma_rxe\n",
	  no_module },
	{ &empty, "-j link", 0, "[]\n", "" },
	{ &full, "-j link", 0, "[]\n", "", garbled },
	{ &full, "link show rxe9", 1, "",
	  "error: no RDMA device \"rxe9\"\n"
	  "hint: rxectl link lists them\n" },
	{ &full, "link show rxe9", 1, "",
	  "error: no RDMA device \"rxe9\"; module rdma_rxe is not loaded\n"
	  "hint: modprobe rdma_rxe\n",
	  no_module },
	{ &full, "link show mlx5_0", 1, "",
	  "error: \"mlx5_0\" is not an rxe device\n"
	  "hint: rxectl link lists the rxe devices\n" },
	{ &full, "link frob", 2, "",
	  "error: \"frob\" is neither a command nor an RDMA device\n"
	  "hint: --help lists the commands, rxectl link the devices\n" },
	{ &full, "link show rxe0 rxe1", 2, "",
	  "error: unknown word \"rxe1\"\n"
	  "hint: rxectl link show [NAME]\n" },
	{ &empty, "link", 1, "",
	  "error: the kernel's RDMA subsystem and module rdma_rxe are not loaded\n"
	  "hint: modprobe rdma_rxe\n",
	  no_rdma },
	{ &empty, "-j status", 1, "",
	  "{\"error\":{\"message\":\"the kernel's RDMA subsystem and module rdma_rxe are not "
	  "loaded\",\"word\":null,\"remedy\":\"modprobe rdma_rxe\"},\"format\":1}\n",
	  no_rdma },

	/* link add */
	{ &one_netdev, "link add rxe0 netdev eth0", 0, "", "" },
	{ &one_netdev, "l a rxe0 type rxe net eth0", 0, "", "" },
	{ &full, "link add rxe1 netdev lo", 0, "", "" },
	{ &full, "link add", 2, "",
	  "error: no \"netdev\" given\n"
	  "hint: rxectl link add [NAME] netdev DEV [wait SECONDS]\n" },
	{ &full, "link add rxe1", 2, "",
	  "error: no \"netdev\" given\n"
	  "hint: rxectl link add [NAME] netdev DEV [wait SECONDS]\n" },
	{ &full, "link add rxe1 netdev", 2, "",
	  "error: missing value after \"netdev\"\n"
	  "hint: rxectl link add [NAME] netdev DEV [wait SECONDS]\n" },
	{ &full, "link add netdev eth0 wait", 2, "",
	  "error: missing value after \"wait\"\n"
	  "hint: rxectl link add [NAME] netdev DEV [wait SECONDS]\n" },
	{ &full, "link add netdev eth0 frob", 2, "",
	  "error: unknown word \"frob\"\n"
	  "hint: rxectl link add [NAME] netdev DEV [wait SECONDS]\n" },
	{ &full, "link add netdev", 2, "",
	  "error: missing value after \"netdev\"\n"
	  "hint: rxectl link add [NAME] netdev DEV [wait SECONDS]\n" },
	{ &full, "link add net netdev lo", 0, "", "" },
	{ &full, "link set rxe0 name rxe7", 2, "",
	  "error: \"set\" is neither a command nor an RDMA device\n"
	  "hint: --help lists the commands, rxectl link the devices\n" },
	{ &full, "link rxe0 name rxe7", 2, "",
	  "error: unknown word \"name\"\n"
	  "hint: rxectl link show [NAME]\n" },
	{ &full, "link list rxe0", 0,
	  "NAME  STATE   PHYSICAL  NETDEV  NAMESPACE  NODE-GUID\n"
	  "rxe0  ACTIVE  LINK_UP   eth0    -          5054:00ff:fe12:3456\n",
	  "" },
	{ &full, "map ls rxe0", 0,
	  "NAME  NETDEV  NAMESPACE  STATE\n"
	  "rxe0  eth0    -          ACTIVE\n",
	  "" },
	{ &full, "s", 2, "",
	  "error: \"s\" is an ambiguous object\n"
	  "hint: it may be status or stats\n" },
	{ &full, "-j m", 2, "",
	  "{\"error\":{\"message\":\"\\\"m\\\" is an ambiguous object\",\"word\":\"m\","
	  "\"remedy\":\"it may be map, mtu, mr or monitor\"},\"format\":1}\n" },
	{ &full, "tune s", 2, "",
	  "error: \"s\" is an ambiguous command of \"tune\"\n"
	  "hint: it may be set or show\n" },
	{ &full, "help frob", 2, "",
	  "error: unknown object \"frob\"\n"
	  "hint: rxectl --help lists the objects\n" },
	{ &full, "link add rxe1 dev eth0", 2, "",
	  "error: unknown word \"dev\"\n"
	  "hint: rxectl link add [NAME] netdev DEV [wait SECONDS]\n" },
	{ &full, "link add rxe1 type siw netdev eth0", 2, "",
	  "error: unknown link type \"siw\"\n"
	  "hint: leave it out, or say rxe\n" },
	{ &full, "link add rxe% netdev eth0", 2, "",
	  "error: \"rxe%\" cannot be the name of an RDMA device\n"
	  "hint: 1 to 63 characters without blanks, \"/\" and \"%\"\n" },
	{ &full, "link add '' netdev eth0", 2, "",
	  "error: \"\" cannot be the name of an RDMA device\n"
	  "hint: 1 to 63 characters without blanks, \"/\" and \"%\"\n" },
	{ &full, "-j link add .. netdev eth0", 2, "",
	  "{\"error\":{\"message\":\"\\\"..\\\" cannot be the name of an RDMA device\","
	  "\"word\":\"..\",\"remedy\":\"1 to 63 characters without blanks, \\\"/\\\" and "
	  "\\\"%\\\"\"},\"format\":1}\n" },
	{ &full,
	  "link add a234567890123456789012345678901234567890123456789012345678901234 netdev eth0",
	  2, "",
	  "error: \"a234567890123456789012345678901234567890123456789012345678901234\" cannot be "
	  "the name of an RDMA device\n"
	  "hint: 1 to 63 characters without blanks, \"/\" and \"%\"\n" },
	{ &full, "link add rxe1 netdev eth5", 1, "",
	  "error: no network interface \"eth5\"\n"
	  "hint: ip -brief link lists them\n" },
	{ &full, "-j link add rxe1 netdev eth5", 1, "",
	  "{\"error\":{\"message\":\"no network interface \\\"eth5\\\"\",\"word\":\"eth5\","
	  "\"remedy\":\"ip -brief link lists them\"},\"format\":1}\n" },
	{ &full, "link add rxe1 netdev an-interface-with-a-long-name", 1, "",
	  "error: no network interface \"an-interface-with-a-long-name\"\n"
	  "hint: ip -brief link lists them\n" },
	{ &full, "link add rxe1 netdev veth1", 1, "",
	  "error: network interface \"veth1\" is in network namespace \"red\"\n"
	  "hint: ip netns exec red rxectl link add rxe1 netdev veth1\n" },
	{ &full, "link add rxe0 netdev lo", 1, "",
	  "error: an RDMA device \"rxe0\" exists already\n"
	  "hint: choose another name; rxectl link lists those in use\n" },
	{ &full, "link add rxe1 netdev eth0", 1, "",
	  "error: \"eth0\" has a link already, \"rxe0\"\n"
	  "hint: use it, or remove it with rxectl link del rxe0\n" },
	{ &one_netdev, "link add rxe0 netdev eth0", 1, "",
	  "error: module rdma_rxe is not loaded\n"
	  "hint: modprobe rdma_rxe\n",
	  no_module },
	{ &one_netdev, "link add rxe0 netdev eth0", 1, "",
	  "error: the kernel's RDMA subsystem and module rdma_rxe are not loaded\n"
	  "hint: modprobe rdma_rxe\n",
	  no_rdma },
	{ &one_netdev, "link add rxe0 netdev eth0", 1, "",
	  "error: cannot add \"rxe0\": needs CAP_NET_ADMIN\n"
	  "hint: run it as root\n",
	  no_root },
	{ &full, "link add rxe1 netdev tun0", 1, "",
	  "error: the loaded rdma_rxe does not support interfaces such as \"tun0\"\n"
	  "hint: choose an interface that carries IP, such as Ethernet or WireGuard\n",
	  bad_type },
	{ &full, "link add rxe1 netdev eth0.5", 1, "",
	  "error: \"eth0.5\" is a VLAN interface, which gets no device of its own\n"
	  "hint: add a link to its parent interface: programs on that device use the addresses of "
	  "the VLAN, too\n",
	  in_tree_vlan },
	{ &full, "link add rxe1 netdev lo", 1, "",
	  "error: cannot add \"rxe1\": UDP port 4791 is in use\n"
	  "hint: ss -ulnp 'sport = :4791' shows the process\n",
	  busy_port },
	{ &full, "link add rxe1 netdev lo", 1, "",
	  "error: cannot add \"rxe1\" to \"lo\": Cannot allocate memory\n"
	  "hint: dmesg may show the reason\n",
	  out_of_memory },
	{ &full, "link add rxe1 netdev lo", 1, "",
	  "error: cannot add \"rxe1\" to \"lo\": the kernel reports: the moon is in the wrong "
	  "phase\n",
	  extended },
	{ &full, "link add rxe1 netdev lo --json", 1, "",
	  "{\"error\":{\"message\":\"cannot add \\\"rxe1\\\" to \\\"lo\\\": the kernel reports: "
	  "the moon is in the wrong phase\",\"word\":\"rxe1\",\"remedy\":null},\"format\":1}\n",
	  extended },

	/* link delete */
	{ &full, "link del rxe0", 0, "", "" },
	{ &full, "link delete rxe_red", 0, "", "" },
	{ &full, "link d", 2, "",
	  "error: no name given\n"
	  "hint: rxectl link delete NAME | netdev DEV\n" },
	{ &full, "link del rxe0 rxe1", 2, "",
	  "error: unknown word \"rxe1\"\n"
	  "hint: rxectl link delete NAME | netdev DEV\n" },
	{ &full, "link del rxe9", 1, "",
	  "error: no RDMA device \"rxe9\"\n"
	  "hint: rxectl link lists them\n" },
	{ &full, "link del mlx5_0", 1, "",
	  "error: \"mlx5_0\" is not an rxe device\n"
	  "hint: rxectl link lists the rxe devices\n" },
	{ &full, "link del rxe0", 1, "",
	  "error: cannot remove \"rxe0\": needs CAP_NET_ADMIN\n"
	  "hint: run it as root\n",
	  no_root },
	{ &full, "link del rxe0", 1, "",
	  "error: cannot remove \"rxe0\": the kernel reports: the moon is in the wrong phase\n",
	  extended },
	{ &full, "link del rxe0", 1, "",
	  "error: cannot remove \"rxe0\": Cannot allocate memory\n"
	  "hint: dmesg may show the reason\n",
	  out_of_memory },

	{ &full, "link del netdev eth0", 0, "", "" },
	{ &full, "link del netdev", 2, "",
	  "error: missing value after \"netdev\"\n"
	  "hint: rxectl link delete NAME | netdev DEV\n" },
	{ &full, "link del netdev eth9", 1, "",
	  "error: no rxe device is on \"eth9\"\n"
	  "hint: rxectl map lists them\n" },
	{ &full, "link del netdev eth77", 1, "",
	  "error: no network interface \"eth77\"\n"
	  "hint: ip -brief link lists them\n" },
	{ &full, "link del --if-exists netdev eth77", 0, "", "" },
	{ &full, "link del --if-exists netdev eth9", 0, "", "" },
	{ &full, "link del --if-exists rxe9", 0, "", "" },
	{ &full, "link del --if-exists rxe0", 0, "", "" },
	{ &full, "link del --if-exists mlx5_0", 1, "",
	  "error: \"mlx5_0\" is not an rxe device\n"
	  "hint: rxectl link lists the rxe devices\n" },
	{ &full, "link del --if-exists rxe9", 0, "", "", no_rdma },
	{ &full, "link del --if-exists rxe0", 1, "",
	  "error: cannot remove \"rxe0\": needs CAP_NET_ADMIN\n"
	  "hint: run it as root\n",
	  no_root },

	/* link rename */
	{ &full, "link rename rxe0 rxe7", 0, "", "" },
	{ &full, "link rename rxe0", 2, "",
	  "error: no new name given\n"
	  "hint: rxectl link rename NAME NEW\n" },
	{ &full, "link rename", 2, "",
	  "error: no name given\n"
	  "hint: rxectl link rename NAME NEW\n" },
	{ &full, "link rename rxe0 a b", 2, "",
	  "error: unknown word \"b\"\n"
	  "hint: rxectl link rename NAME NEW\n" },
	{ &full, "link rename rxe9 rxe7", 1, "",
	  "error: no RDMA device \"rxe9\"\n"
	  "hint: rxectl link lists them\n" },
	{ &full, "link rename mlx5_0 rxe7", 1, "",
	  "error: \"mlx5_0\" is not an rxe device\n"
	  "hint: rxectl link lists the rxe devices\n" },
	{ &full, "link rename rxe0 rxe_red", 1, "",
	  "error: an RDMA device \"rxe_red\" exists already\n"
	  "hint: choose another name; rxectl link lists those in use\n" },
	{ &full, "link rename rxe0 a/b", 2, "",
	  "error: \"a/b\" cannot be the name of an RDMA device\n"
	  "hint: 1 to 63 characters without blanks, \"/\" and \"%\"\n" },
	{ &full, "link rename rxe0 rxe7", 1, "",
	  "error: cannot rename \"rxe0\" to \"rxe7\": needs CAP_NET_ADMIN\n"
	  "hint: run it as root\n",
	  no_root },

	/* env of one library */
	{ &full, "env rxe0 nccl", 0,
	  "# NCCL\n"
	  "export NCCL_IB_HCA='=rxe0:1'\n"
	  "export NCCL_IB_GID_INDEX='1'\n"
	  "export NCCL_SOCKET_IFNAME='=eth0'\n"
	  "export NCCL_NET_GDR_LEVEL='LOC'\n",
	  "" },
	{ &full, "-j env show rxe0 openmpi", 0,
	  "[{\"library\":\"Open MPI\",\"name\":\"OMPI_MCA_pml\",\"value\":\"ucx\",\"format\":1},"
	  "{\"library\":\"Open MPI\",\"name\":\"OMPI_MCA_osc\",\"value\":\"ucx\",\"format\":1},"
	  "{\"library\":\"Open MPI\",\"name\":\"OMPI_MCA_btl\",\"value\":\"^openib\","
	  "\"format\":1}]\n",
	  "" },
	{ &full, "env rxe0 mars", 2, "",
	  "error: unknown library \"mars\"\n"
	  "hint: there are nccl, ucx, libfabric and openmpi\n" },

	/* stats --format */
	{ &full, "stats --format prometheus", 0,
	  "# HELP rxe_device_info interface of the device; the value is 1.\n"
	  "# TYPE rxe_device_info gauge\n"
	  "rxe_device_info{device=\"rxe0\",netdev=\"eth0\",namespace=\"\"} 1\n"
	  "rxe_device_info{device=\"rxe_red\",netdev=\"veth1\",namespace=\"red\"} 1\n"
	  "# HELP rxe_port_active 1 if the port is ACTIVE, otherwise 0.\n"
	  "# TYPE rxe_port_active gauge\n"
	  "rxe_port_active{device=\"rxe0\"} 1\n"
	  "rxe_port_active{device=\"rxe_red\"} 0\n"
	  "# HELP rxe_queue_pairs queue pairs of the device.\n"
	  "# TYPE rxe_queue_pairs gauge\n"
	  "rxe_queue_pairs{device=\"rxe0\"} 5\n"
	  "rxe_queue_pairs{device=\"rxe_red\"} 1\n"
	  "# HELP rxe_sent_packets_total packets sent.\n"
	  "# TYPE rxe_sent_packets_total counter\n"
	  "rxe_sent_packets_total{device=\"rxe0\"} 100\n"
	  "rxe_sent_packets_total{device=\"rxe_red\"} 2600\n"
	  "# HELP rxe_dropped_packets_total received packets that were dropped, by reason.\n"
	  "# TYPE rxe_dropped_packets_total counter\n"
	  "rxe_dropped_packets_total{device=\"rxe0\",reason=\"icrc\"} 3\n"
	  "rxe_dropped_packets_total{device=\"rxe0\",reason=\"pkey\"} 0\n"
	  "rxe_dropped_packets_total{device=\"rxe_red\",reason=\"icrc\"} 3\n"
	  "rxe_dropped_packets_total{device=\"rxe_red\",reason=\"pkey\"} 0\n"
	  "# HELP rxe_from_the_future_total counter of a newer module.\n"
	  "# TYPE rxe_from_the_future_total counter\n"
	  "rxe_from_the_future_total{device=\"rxe0\"} 1\n"
	  "rxe_from_the_future_total{device=\"rxe_red\"} 1\n",
	  "" },
	{ &full, "stats rxe0 --format openmetrics", 0,
	  "# HELP rxe_device_info interface of the device; the value is 1.\n"
	  "# TYPE rxe_device_info gauge\n"
	  "rxe_device_info{device=\"rxe0\",netdev=\"eth0\",namespace=\"\"} 1\n"
	  "# HELP rxe_port_active 1 if the port is ACTIVE, otherwise 0.\n"
	  "# TYPE rxe_port_active gauge\n"
	  "rxe_port_active{device=\"rxe0\"} 1\n"
	  "# HELP rxe_queue_pairs queue pairs of the device.\n"
	  "# TYPE rxe_queue_pairs gauge\n"
	  "rxe_queue_pairs{device=\"rxe0\"} 5\n"
	  "# HELP rxe_sent_packets packets sent.\n"
	  "# TYPE rxe_sent_packets counter\n"
	  "rxe_sent_packets_total{device=\"rxe0\"} 100\n"
	  "# HELP rxe_dropped_packets received packets that were dropped, by reason.\n"
	  "# TYPE rxe_dropped_packets counter\n"
	  "rxe_dropped_packets_total{device=\"rxe0\",reason=\"icrc\"} 3\n"
	  "rxe_dropped_packets_total{device=\"rxe0\",reason=\"pkey\"} 0\n"
	  "# HELP rxe_from_the_future counter of a newer module.\n"
	  "# TYPE rxe_from_the_future counter\n"
	  "rxe_from_the_future_total{device=\"rxe0\"} 1\n"
	  "# EOF\n",
	  "" },
	{ &empty, "stats --format=prometheus", 0, "", "" },
	{ &empty, "stats --format=openmetrics", 0, "# EOF\n", "" },
	{ &full, "stats --format xml", 2, "",
	  "error: unknown format \"xml\"\n"
	  "hint: give prometheus or openmetrics\n" },
	{ &full, "stats rxe9 --format prometheus", 2, "",
	  "error: \"rxe9\" is neither a command nor an RDMA device\n"
	  "hint: --help lists the commands, rxectl link the devices\n" },
	{ &full, "stats --rate --format prometheus", 2, "",
	  "error: \"--rate\" and --format exclude each other\n"
	  "hint: rxectl stats [show] [NAME] [--rate [interval SECONDS] [count N] | --format F]\n" },
	{ &full, "stats --format", 2, "",
	  "error: missing value after \"--format\"\n"
	  "hint: rxectl --help lists the options\n" },

	/* apply --check, --root: without a module or RDMA */
	{ &site, "apply --check", 1,
	  "WHERE      NETDEV  MAC                DRIVER  PATH          NAMESPACE  DEVICE  MTU   "
	  "PROFILE\n"
	  "10.conf:2  hsn*    -                  -       -             -          rxe%n   9000  -\n"
	  "20.conf:1  -       0A:00:00:00:00:02  -       -             -          rxe_%i  -     -\n"
	  "20.conf:9  -       -                  veth    -             red        -       -     -\n"
	  "30.conf:1  -       -                  -       0000:00:1f.*  -          -       -     -\n"
	  "30.conf:6  *       -                  -       -             blue       -       -     -\n",
	  "error: /etc/rxe/20.conf:4: \"colour = blue\": no such key\n"
	  "error: /etc/rxe/20.conf:5: the section names no interface: netdev, mac, driver or path\n"
	  "error: /etc/rxe/20.conf:7: \"[pipe]\": the only kind of section is [link]\n"
	  "error: /etc/rxe/20.conf:8: \"x = y\": the line is outside of any section [link]\n"
	  "error: /etc/rxe/20.conf:12: \"mtu = big\": not an MTU from 340 to 65535\n"
	  "error: /etc/rxe/30.conf:4: \"mac = 0a\": not a MAC address such as 00:11:22:33:44:55\n",
	  no_rdma },
	{ &hsn, "-j apply --check", 0,
	  "[{\"where\":\"hsn.conf:1\",\"netdev\":\"hsn*\",\"mac\":null,\"driver\":null,"
	  "\"path\":null,\"namespace\":null,\"device\":null,\"mtu\":4200,"
	  "\"profile\":\"slingshot\",\"format\":1}]\n",
	  "", no_rdma },
	{ &hsn, "-j diff --root /", 0,
	  "[{\"where\":\"hsn.conf:1\",\"netdev\":\"hsn*\",\"mac\":null,\"driver\":null,"
	  "\"path\":null,\"namespace\":null,\"device\":null,\"mtu\":4200,"
	  "\"profile\":\"slingshot\",\"format\":1}]\n",
	  "", no_rdma },
	{ &empty, "apply --check", 0, "",
	  "hint: nothing is configured: no section [link] in /etc/rxe/*.conf\n", no_rdma },
	{ &empty, "-j apply --check", 0, "[]\n", "", no_rdma },
	{ &hsn, "diff --root /image", 0,
	  "WHERE       NETDEV  MAC  DRIVER  PATH  NAMESPACE  DEVICE  MTU  PROFILE\n"
	  "eth.conf:1  eth*    -    ena     -     -          r%n     -    -\n",
	  "", image },
	{ &hsn, "apply --check --root=/image", 0,
	  "WHERE       NETDEV  MAC  DRIVER  PATH  NAMESPACE  DEVICE  MTU  PROFILE\n"
	  "eth.conf:1  eth*    -    ena     -     -          r%n     -    -\n",
	  "", image },
	{ &hsn, "apply --check --root=/image", 1,
	  "WHERE       NETDEV  MAC  DRIVER  PATH  NAMESPACE  DEVICE  MTU  PROFILE\n"
	  "eth.conf:1  eth0    -    -       -     -          -       -    -\n",
	  "error: /image/etc/rxe/eth.conf:3: \"mtu = 1\": not an MTU from 340 to 65535\n", bad_image },
	{ &hsn, "apply --check --root /nowhere", 1, "",
	  "error: no directory \"/nowhere\"\n" },
	{ &hsn, "apply --root /image", 2, "",
	  "error: apply acts on this system, not on one below \"--root\"\n"
	  "hint: add --check\n",
	  image },
	{ &hsn, "apply hsn0 --check", 2, "",
	  "error: \"hsn0\" cannot be looked up without the system that has it\n"
	  "hint: rxectl apply [run] [DEV] [--late] [--check [--root DIR]]\n" },

	/* cdi */
	{ &well, "cdi write", 1, "",
	  "error: cannot write /run/cdi/rxe.json: No such file or directory\n"
	  "hint: dmesg may show the reason\n" },
	{ &well, "cdi rxe1", 2, "",
	  "error: unknown word \"rxe1\"\n"
	  "hint: rxectl cdi [show|write]\n" },

	/* status */
	{ &full, "status", 0,
	  "NAME     STATE   NETDEV  DRIVER      SPEED  MTU   RDMA-MTU  ADDRESSES            "
	  "NAMESPACE  QPS\n"
	  "rxe0     ACTIVE  eth0    virtio_net  2.5G   1500  1024      192.168.7.1,fd07::1  "
	  "-          5\n"
	  "rxe_red  DOWN    veth1   veth        10G    9000  4096      -                    "
	  "red        1\n",
	  "" },
	{ &full, "statu rxe0 -j", 0,
	  "[{\"name\":\"rxe0\",\"device\":\"rxe0\",\"state\":\"ACTIVE\",\"netdev\":\"eth0\","
	  "\"driver\":\"virtio_net\",\"speed_mbps\":2500,\"netdev_mtu\":1500,\"rdma_mtu\":1024,"
	  "\"addresses\":[\"192.168.7.1\",\"fd07::1\"],\"namespace\":null,\"qps\":5,"
	  "\"format\":1}]\n",
	  "" },
	{ &full, "-j status show rxe_red", 0,
	  "[{\"name\":\"rxe_red\",\"device\":\"rxe_red\",\"state\":\"DOWN\",\"netdev\":\"veth1\","
	  "\"driver\":null,\"speed_mbps\":null,\"netdev_mtu\":null,\"rdma_mtu\":4096,"
	  "\"addresses\":[],\"namespace\":\"?\",\"qps\":1,\"format\":1}]\n",
	  "", no_root },
	{ &full, "status", 0,
	  "NAME     STATE   NETDEV  SPEED  MTU   RDMA-MTU  ADDRESSES    NAMESPACE  QPS\n"
	  "rxe0     ACTIVE  eth0    2.5G   1500  1024      192.168.7.1  -          5\n"
	  "                                                fd07::1\n"
	  "rxe_red  DOWN    veth1   10G    9000  4096      -            red        1\n",
	  "", narrow },
	{ &full, "status", 0,
	  "NAME     STATE   NETDEV  MTU   RDMA-MTU  ADDRESSES\n"
	  "rxe0     ACTIVE  eth0    1500  1024      192.168.7.1\n"
	  "                                         2001:db8:1234:5678:9abc:def0:1234:5678\n"
	  "                                         fe80::1\n"
	  "rxe_red  DOWN    veth1   9000  4096      -\n",
	  "", narrow_ipv6 },
	{ &full, "-j status rxe0", 0,
	  "[{\"name\":\"rxe0\",\"device\":\"rxe0\",\"state\":\"ACTIVE\",\"netdev\":\"eth0\","
	  "\"driver\":\"virtio_net\",\"speed_mbps\":2500,\"netdev_mtu\":1500,\"rdma_mtu\":1024,"
	  "\"addresses\":[\"192.168.7.1\",\"fd07::1\"],\"namespace\":null,\"qps\":5,"
	  "\"format\":1}]\n",
	  "", narrow },
	{ &odd, "status rxe0", 0,
	  "NAME  STATE    NETDEV   DRIVER  SPEED  MTU  RDMA-MTU  ADDRESSES  NAMESPACE  QPS\n"
	  "rxe0  UNKNOWN  e?[2Jth  -       100M   576  -         -          -          0\n",
	  "" },
	{ &empty, "-j status", 0, "[]\n", "" },
	{ &empty, "status", 0, "",
	  "hint: no rxe device: rxectl link add netdev DEV creates one\n" },
	{ &full, "status --watch rxe_red count 2 interval 5", 0,
	  "NAME     STATE  NETDEV  DRIVER  SPEED  MTU   RDMA-MTU  ADDRESSES  NAMESPACE  QPS\n"
	  "rxe_red  DOWN   veth1   veth    10G    9000  4096      -          red        1\n"
	  "\n"
	  "NAME     STATE  NETDEV  DRIVER  SPEED  MTU   RDMA-MTU  ADDRESSES  NAMESPACE  QPS\n"
	  "rxe_red  DOWN   veth1   veth    10G    9000  4096      -          red        1\n",
	  "" },
	{ &full, "-j status --watch count 1", 0,
	  "[{\"name\":\"rxe0\",\"device\":\"rxe0\",\"state\":\"ACTIVE\",\"netdev\":\"eth0\","
	  "\"driver\":\"virtio_net\",\"speed_mbps\":2500,\"netdev_mtu\":1500,\"rdma_mtu\":1024,"
	  "\"addresses\":[\"192.168.7.1\",\"fd07::1\"],\"namespace\":null,\"qps\":5,\"format\":1},"
	  "{\"name\":\"rxe_red\",\"device\":\"rxe_red\",\"state\":\"DOWN\",\"netdev\":\"veth1\","
	  "\"driver\":\"veth\",\"speed_mbps\":10000,\"netdev_mtu\":9000,\"rdma_mtu\":4096,"
	  "\"addresses\":[],\"namespace\":\"red\",\"qps\":1,\"format\":1}]\n",
	  "" },
	{ &full, "status --watch count 0", 2, "",
	  "error: \"0\" is not a number from 1 to 1e+09\n"
	  "hint: rxectl status [show] [NAME] [--watch [interval SECONDS] [count N]]\n" },
	{ &full, "status --watch rxe9 count 1", 2, "",
	  "error: \"rxe9\" is neither a command nor an RDMA device\n"
	  "hint: --help lists the commands, rxectl link the devices\n" },
	{ &full, "status rxe9", 2, "",
	  "error: \"rxe9\" is neither a command nor an RDMA device\n"
	  "hint: --help lists the commands, rxectl link the devices\n" },
	{ &full, "status show rxe0 frob", 2, "",
	  "error: unknown word \"frob\"\n"
	  "hint: rxectl status [show] [NAME] [--watch [interval SECONDS] [count N]]\n" },

	/* mtu, qp, mr, cq, pd, gids, map, env, stats */
	{ &full, "gids", 0,
	  "DEVICE  PORT  INDEX  GID                                      IPV4         TYPE "
	  "    NETDEV  NOTE\n"
	  "rxe0    1     0      fe80:0000:0000:0000:5054:00ff:fe12:3456  -            RoCE "
	  "v2  eth0    no address of the interface\n"
	  "rxe0    1     1      0000:0000:0000:0000:0000:ffff:c0a8:0701  192.168.7.1  RoCE "
	  "v2  eth0    -\n"
	  "rxe0    1     3      fd07:0000:0000:0000:0000:0000:0000:0001  -            RoCE "
	  "v2  -       -\n",
	  "" },
	{ &full, "gids show rxe0", 0,
	  "DEVICE  PORT  INDEX  GID                                      IPV4  TYPE     NETDEV  NOTE\n"
	  "rxe0    1     7      fd07:0000:0000:0000:0000:0000:0000:0099  -     RoCE v2  -       -\n",
	  "",
	  verbs_gid },
	{ &full, "-j gids show rxe0", 0,
	  "[{\"device\":\"rxe0\",\"port\":1,\"index\":0,"
	  "\"gid\":\"fe80:0000:0000:0000:5054:00ff:fe12:3456\",\"ipv4\":null,\"type\":\"RoCE "
	  "v2\",\"netdev\":\"eth0\",\"note\":\"no address of the interface\",\"format\":1},"
	  "{\"device\":\"rxe0\",\"port\":1,\"index\":1,"
	  "\"gid\":\"0000:0000:0000:0000:0000:ffff:c0a8:0701\",\"ipv4\":\"192.168.7.1\","
	  "\"type\":\"RoCE v2\",\"netdev\":\"eth0\",\"note\":null,\"format\":1},"
	  "{\"device\":\"rxe0\",\"port\":1,\"index\":3,"
	  "\"gid\":\"fd07:0000:0000:0000:0000:0000:0000:0001\",\"ipv4\":null,"
	  "\"type\":\"RoCE v2\",\"netdev\":null,\"note\":null,\"format\":1}]\n",
	  "" },
	{ &full, "gids for peer", 0,
	  "DEVICE  PORT  INDEX  GID                                      IPV4         TYPE     "
	  "NETDEV  NOTE\n"
	  "rxe0    1     1      0000:0000:0000:0000:0000:ffff:c0a8:0701  192.168.7.1  RoCE v2  "
	  "eth0    -\n",
	  "" },
	{ &full, "gids for 192.168.7.2", 0,
	  "DEVICE  PORT  INDEX  GID                                      IPV4         TYPE "
	  "    NETDEV  NOTE\n"
	  "rxe0    1     1      0000:0000:0000:0000:0000:ffff:c0a8:0701  192.168.7.1  RoCE "
	  "v2  eth0    -\n",
	  "" },
	/* A pod, with the device of its node. */
	{ &full, "-n red gids for 192.168.7.2", 0,
	  "DEVICE  PORT  INDEX  GID                                      IPV4         TYPE "
	  "    NETDEV  NOTE\n"
	  "rxe0    1     1      0000:0000:0000:0000:0000:ffff:c0a8:0701  192.168.7.1  RoCE "
	  "v2  eth0    -\n",
	  "" },
	{ &full, "gids for fd07::2", 0,
	  "DEVICE  PORT  INDEX  GID                                      IPV4  TYPE     "
	  "NETDEV  NOTE\n"
	  "rxe0    1     3      fd07:0000:0000:0000:0000:0000:0000:0001  -     RoCE v2  "
	  "-       -\n",
	  "" },
	{ &full, "gids for 10.0.0.1", 1, "",
	  "error: packets to 10.0.0.1 leave on \"eth5\" from 10.0.0.9, which is not a GID of any "
	  "rxe device\n"
	  "hint: rxectl link add netdev eth5\n" },
	{ &full, "gids for 10.9.9.9", 1, "",
	  "error: no route to 10.9.9.9: Network is unreachable\n"
	  "hint: ip route shows the routes\n" },
	{ &full, "gids for mars", 1, "",
	  "error: \"mars\" has no IP address: Name or service not known\n"
	  "hint: give the peer's IP address, or a name that getent hosts knows\n" },
	{ &full, "gids for", 2, "",
	  "error: no address given\n"
	  "hint: rxectl gids for ADDR\n" },
	{ &full, "gids for 10.0.0.1 x", 2, "",
	  "error: unknown word \"x\"\n"
	  "hint: rxectl gids for ADDR\n" },
	{ &full, "gids show rxe0 x", 2, "",
	  "error: unknown word \"x\"\n"
	  "hint: rxectl gids [show] [NAME]\n" },
	{ &empty, "gids", 0, "",
	  "hint: no rxe device: rxectl link add netdev DEV creates one\n" },
	{ &full, "gids for 10.0.0.1 -j", 1, "",
	  "{\"error\":{\"message\":\"packets to 10.0.0.1 leave on \\\"eth5\\\" from 10.0.0.9, "
	  "which is not a GID of any rxe device\",\"word\":\"10.0.0.1\",\"remedy\":\"rxectl link "
	  "add netdev eth5\"},\"format\":1}\n" },
	{ &full, "gids for 10.0.0.1", 1, "",
	  "error: the kernel's RDMA subsystem and module rdma_rxe are not loaded\n"
	  "hint: modprobe rdma_rxe\n",
	  no_rdma },
	{ &full, "map", 0,
	  "NAME     NETDEV  NAMESPACE  STATE\n"
	  "rxe0     eth0    -          ACTIVE\n"
	  "rxe_red  veth1   red        DOWN\n",
	  "" },
	{ &full, "map veth1", 0,
	  "NAME     NETDEV  NAMESPACE  STATE\n"
	  "rxe_red  veth1   red        DOWN\n",
	  "" },
	{ &full, "-j map rxe0", 0,
	  "[{\"name\":\"rxe0\",\"device\":\"rxe0\",\"netdev\":\"eth0\",\"namespace\":null,"
	  "\"state\":\"ACTIVE\",\"format\":1}]\n",
	  "" },
	{ &full, "map mars", 1, "",
	  "error: \"mars\" is neither an rxe device nor the interface of one\n"
	  "hint: rxectl map lists all\n" },
	{ &full, "map a b", 2, "",
	  "error: unknown word \"b\"\n"
	  "hint: rxectl map [show] [NAME|DEV]\n" },
	{ &empty, "map", 0, "",
	  "hint: no rxe device: rxectl link add netdev DEV creates one\n" },
	{ &empty, "map", 1, "",
	  "error: the kernel's RDMA subsystem and module rdma_rxe are not loaded\n"
	  "hint: modprobe rdma_rxe\n",
	  no_rdma },
	{ &full, "mtu", 0,
	  "NAME     NETDEV  MTU   RDMA-MTU  WHY                                         "
	  "LARGER\n"
	  "rxe0     eth0    1500  1024      1024 + 84 of headers fit 1500, 2048 do not  "
	  "2048 with MTU 2132\n"
	  "rxe_red  veth1   9000  4096      the largest path MTU                        "
	  "-\n",
	  "" },
	{ &full, "-j mtu rxe0", 0,
	  "[{\"name\":\"rxe0\",\"device\":\"rxe0\",\"netdev\":\"eth0\",\"netdev_mtu\":1500,"
	  "\"rdma_mtu\":1024,\"why\":\"1024 + 84 of headers fit 1500, 2048 do not\","
	  "\"larger\":\"2048 with MTU 2132\",\"format\":1}]\n",
	  "" },
	{ &odd, "mtu", 0,
	  "NAME  NETDEV   MTU  RDMA-MTU  WHY                                      LARGER\n"
	  "rxe0  e?[2Jth  576  -         256 + 84 of headers fit 576, 512 do not  512 with "
	  "MTU 596\n"
	  "rxe2  veth1    -    -         -                                        -\n"
	  "rxe3  -        -    -         -                                        -\n",
	  "" },
	{ &full, "mtu show rxe0 x", 2, "",
	  "error: unknown word \"x\"\n"
	  "hint: rxectl mtu [show] [NAME]\n" },
	{ &full, "mtu show mlx5_0", 1, "",
	  "error: \"mlx5_0\" is not an rxe device\n"
	  "hint: rxectl link lists the rxe devices\n" },
	{ &full, "qp", 0,
	  "DEVICE   QPN  TYPE     STATE    PEER-QPN  SQ-PSN  PID   COMMAND\n"
	  "rxe0     1    GSI      RTS      -         7       -     [ib_core]\n"
	  "rxe0     17   RC       ERR      18        7       4711  ib_write_bw\n"
	  "rxe_red  17   UNKNOWN  UNKNOWN  -         7       4712  -\n",
	  "" },
	{ &full, "-j qp show rxe0", 0,
	  "[{\"device\":\"rxe0\",\"qpn\":1,\"type\":\"GSI\",\"state\":\"RTS\",\"peer_qpn\":null,"
	  "\"sq_psn\":7,\"rq_psn\":null,\"pid\":null,\"command\":\"[ib_core]\",\"format\":1},"
	  "{\"device\":\"rxe0\",\"qpn\":17,\"type\":\"RC\",\"state\":\"ERR\",\"peer_qpn\":18,"
	  "\"sq_psn\":7,\"rq_psn\":null,\"pid\":4711,\"command\":\"ib_write_bw\",\"format\":1}]\n",
	  "" },
	{ &full, "qp show a b", 2, "",
	  "error: unknown word \"b\"\n"
	  "hint: rxectl qp [show] [NAME]\n" },
	{ &empty, "qp", 0, "",
	  "hint: no rxe device: rxectl link add netdev DEV creates one\n" },
	{ &full, "qp show rxe9", 1, "",
	  "error: no RDMA device \"rxe9\"\n"
	  "hint: rxectl link lists them\n" },
	{ &full, "-j qp", 0,
	  "[]\n",
	  "",
	  garbled },
	{ &full, "mr", 0,
	  "DEVICE  MRN  LENGTH      PDN  PID   COMMAND\n"
	  "rxe0    5    8589934592  -    4711  ib_write_bw\n",
	  "" },
	{ &full, "cq", 0,
	  "DEVICE  CQN  CQE  USERS  PID   COMMAND\n"
	  "rxe0    6    128  -      4711  ib_write_bw\n",
	  "" },
	{ &full, "pd -j", 0,
	  "[{\"device\":\"rxe0\",\"pdn\":7,\"users\":null,\"pid\":4711,"
	  "\"command\":\"ib_write_bw\",\"format\":1}]\n",
	  "" },
	{ &full, "pd", 0,
	  "DEVICE  PDN  USERS  PID   COMMAND\n"
	  "rxe0    7    -      4711  ib_write_bw\n",
	  "" },
	{ &full, "mr -j", 0,
	  "[{\"device\":\"rxe0\",\"mrn\":5,\"length\":8589934592,\"bytes\":8589934592,\"pdn\":null,\"pid\":4711,"
	  "\"command\":\"ib_write_bw\",\"format\":1}]\n",
	  "" },
	{ &full, "cq -j", 0,
	  "[{\"device\":\"rxe0\",\"cqn\":6,\"cqe\":128,\"users\":null,\"pid\":4711,"
	  "\"command\":\"ib_write_bw\",\"format\":1}]\n",
	  "" },
	{ &full, "stats rxe0", 0,
	  "DEVICE  COUNTER          VALUE  MEANING\n"
	  "rxe0    sent_pkts        100    packets sent\n"
	  "rxe0    drop_icrc        3      dropped: wrong ICRC\n"
	  "rxe0    from_the_future  1      -\n",
	  "" },
	{ &full, "-j stats rxe0", 0,
	  "[{\"device\":\"rxe0\",\"counter\":\"sent_pkts\",\"value\":100,\"meaning\":\"packets "
	  "sent\",\"format\":1},{\"device\":\"rxe0\",\"counter\":\"drop_icrc\",\"value\":3,"
	  "\"meaning\":\"dropped: wrong ICRC\",\"format\":1},{\"device\":\"rxe0\","
	  "\"counter\":\"drop_pkey\",\"value\":0,\"meaning\":\"dropped: P_Key mismatch\","
	  "\"format\":1},{\"device\":\"rxe0\",\"counter\":\"from_the_future\",\"value\":1,"
	  "\"meaning\":null,\"format\":1}]\n",
	  "" },
	{ &full, "stats rxe0", 0, "",
	  "hint: all 4 counters of \"rxe0\" are 0\n", no_traffic },
	{ &full, "stats", 0, "",
	  "hint: all 8 counters of 2 devices are 0\n", no_traffic },
	{ &full, "stats show rxe0 x", 2, "",
	  "error: unknown word \"x\"\n"
	  "hint: rxectl stats [show] [NAME] [--rate [interval SECONDS] [count N] | --format F]\n" },
	{ &full, "stats --rate rxe0 count 2", 0,
	  "DEVICE  COUNTER    PER-SECOND  MEANING\n"
	  "rxe0    sent_pkts  2.50k       packets sent\n"
	  "DEVICE  COUNTER    PER-SECOND  MEANING\n"
	  "rxe0    sent_pkts  2.50k       packets sent\n",
	  "" },
	{ &full, "-j stats rxe0 --rate count 1 interval 0.5", 0,
	  "[{\"device\":\"rxe0\",\"counter\":\"sent_pkts\",\"value\":2600,\"meaning\":\"packets "
	  "sent\",\"rate\":5000.0,\"per_second\":5000.0,\"format\":1}]\n",
	  "" },
	{ &full, "stats --rate count 1", 0,
	  "DEVICE   COUNTER    PER-SECOND  MEANING\n"
	  "rxe_red  sent_pkts  2.50k       packets sent\n",
	  "", first_goes },
	{ &full, "stats --rate count", 2, "",
	  "error: missing value after \"count\"\n"
	  "hint: rxectl stats [show] [NAME] [--rate [interval SECONDS] [count N] | --format F]\n" },
	{ &full, "stats --rate interval 0", 2, "",
	  "error: \"0\" is not a number from 0.1 to 3600\n"
	  "hint: rxectl stats [show] [NAME] [--rate [interval SECONDS] [count N] | --format F]\n" },
	{ &full, "stats --rate interval nan", 2, "",
	  "error: \"nan\" is not a number from 0.1 to 3600\n"
	  "hint: rxectl stats [show] [NAME] [--rate [interval SECONDS] [count N] | --format F]\n" },
	{ &full, "stats --rate rxe0 frob 1", 2, "",
	  "error: unknown word \"frob\"\n"
	  "hint: rxectl stats [show] [NAME] [--rate [interval SECONDS] [count N] | --format F]\n" },
	{ &full, "stats --rate rxe9 count 1", 2, "",
	  "error: \"rxe9\" is neither a command nor an RDMA device\n"
	  "hint: --help lists the commands, rxectl link the devices\n" },
	{ &full, "link --rate", 2, "",
	  "error: \"link show\" takes no option \"--rate\"\n"
	  "hint: rxectl link --help shows its use\n" },
	{ &full, "-j status --if-missing", 2, "",
	  "{\"error\":{\"message\":\"\\\"status show\\\" takes no option \\\"--if-missing\\\"\","
	  "\"word\":\"--if-missing\",\"remedy\":\"rxectl status --help shows its use\"},"
	  "\"format\":1}\n" },
	{ &full, "env", 0,
	  "# NCCL\n"
	  "export NCCL_IB_HCA='=rxe0:1'\n"
	  "export NCCL_IB_GID_INDEX='1'\n"
	  "export NCCL_SOCKET_IFNAME='=eth0'\n"
	  "export NCCL_NET_GDR_LEVEL='LOC'\n"
	  "# UCX\n"
	  "export UCX_NET_DEVICES='rxe0:1'\n"
	  "export UCX_IB_GID_INDEX='1'\n"
	  "export UCX_TLS='rc_verbs,ud_verbs,sm,self'\n"
	  "export UCX_UD_VERBS_ETH_DGID_CHECK='n'\n"
	  "export UCX_RC_VERBS_SEG_SIZE='32896'\n"
	  "export UCX_RC_VERBS_RX_QUEUE_LEN='1024'\n"
	  "export UCX_RNDV_THRESH='32769'\n"
	  "# libfabric\n"
	  "export FI_PROVIDER='verbs;ofi_rxm'\n"
	  "export FI_VERBS_DEVICE_NAME='rxe0'\n"
	  "export FI_VERBS_IFACE='eth0'\n"
	  "export FI_VERBS_GID_IDX='1'\n"
	  "# Open MPI\n"
	  "export OMPI_MCA_pml='ucx'\n"
	  "export OMPI_MCA_osc='ucx'\n"
	  "export OMPI_MCA_btl='^openib'\n",
	  "" },
	{ &full, "-j env rxe0", 0,
	  "[{\"library\":\"NCCL\",\"name\":\"NCCL_IB_HCA\",\"value\":\"=rxe0:1\",\"format\":1},"
	  "{\"library\":\"NCCL\",\"name\":\"NCCL_IB_GID_INDEX\",\"value\":\"1\",\"format\":1},"
	  "{\"library\":\"NCCL\",\"name\":\"NCCL_SOCKET_IFNAME\",\"value\":\"=eth0\","
	  "\"format\":1},{\"library\":\"NCCL\",\"name\":\"NCCL_NET_GDR_LEVEL\",\"value\":\"LOC\","
	  "\"format\":1},{\"library\":\"UCX\",\"name\":\"UCX_NET_DEVICES\",\"value\":\"rxe0:1\","
	  "\"format\":1},{\"library\":\"UCX\",\"name\":\"UCX_IB_GID_INDEX\",\"value\":\"1\","
	  "\"format\":1},{\"library\":\"UCX\",\"name\":\"UCX_TLS\","
	  "\"value\":\"rc_verbs,ud_verbs,sm,self\",\"format\":1},{\"library\":\"UCX\","
	  "\"name\":\"UCX_UD_VERBS_ETH_DGID_CHECK\",\"value\":\"n\",\"format\":1},"
	  "{\"library\":\"UCX\",\"name\":\"UCX_RC_VERBS_SEG_SIZE\",\"value\":\"32896\","
	  "\"format\":1},{\"library\":\"UCX\",\"name\":\"UCX_RC_VERBS_RX_QUEUE_LEN\","
	  "\"value\":\"1024\",\"format\":1},{\"library\":\"UCX\","
	  "\"name\":\"UCX_RNDV_THRESH\",\"value\":\"32769\",\"format\":1},"
	  "{\"library\":\"libfabric\",\"name\":\"FI_PROVIDER\",\"value\":\"verbs;ofi_rxm\","
	  "\"format\":1},{\"library\":\"libfabric\",\"name\":\"FI_VERBS_DEVICE_NAME\","
	  "\"value\":\"rxe0\",\"format\":1},{\"library\":\"libfabric\","
	  "\"name\":\"FI_VERBS_IFACE\",\"value\":\"eth0\",\"format\":1},"
	  "{\"library\":\"libfabric\",\"name\":\"FI_VERBS_GID_IDX\",\"value\":\"1\",\"format\":1},"
	  "{\"library\":\"Open MPI\",\"name\":\"OMPI_MCA_pml\",\"value\":\"ucx\",\"format\":1},"
	  "{\"library\":\"Open MPI\",\"name\":\"OMPI_MCA_osc\",\"value\":\"ucx\",\"format\":1},"
	  "{\"library\":\"Open MPI\",\"name\":\"OMPI_MCA_btl\",\"value\":\"^openib\","
	  "\"format\":1}]\n",
	  "" },
	{ &full, "env rxe_red", 1, "",
	  "error: \"rxe_red\" has no GID for RoCE v2\n"
	  "hint: bring its interface up and give it an address\n" },
	{ &empty, "env", 1, "",
	  "error: no rxe device exists\n"
	  "hint: rxectl link add netdev DEV creates one\n" },
	{ &full, "env show rxe0 ucx b", 2, "",
	  "error: unknown word \"b\"\n"
	  "hint: rxectl env [show] [NAME [LIBRARY]]\n" },
	{ &full, "env show rxe9", 1, "",
	  "error: no RDMA device \"rxe9\"\n"
	  "hint: rxectl link lists them\n" },
	{ &full, "monitor count 2", 0,
	  "2026-01-02T03:04:05.678Z present device rxe0 netdev eth0\n"
	  "2026-01-02T03:04:05.678Z present port rxe0 1 ACTIVE\n"
	  "2026-01-02T03:04:05.678Z present qp rxe0 1 RTS\n"
	  "2026-01-02T03:04:05.678Z present qp rxe0 17 ERR\n"
	  "2026-01-02T03:04:05.678Z present device rxe_red netdev veth1\n"
	  "2026-01-02T03:04:05.678Z present port rxe_red 1 DOWN\n"
	  "2026-01-02T03:04:05.678Z present qp rxe_red 17 UNKNOWN\n",
	  "" },
	{ &full, "-j monitor count 1", 0,
	  "{\"time\":\"2026-01-02T03:04:05.678Z\",\"event\":\"present\",\"device\":\"rxe0\","
	  "\"object\":\"device rxe0\",\"value\":\"netdev eth0\",\"format\":1}\n"
	  "{\"time\":\"2026-01-02T03:04:05.678Z\",\"event\":\"present\",\"device\":\"rxe0\","
	  "\"object\":\"port rxe0 1\",\"value\":\"ACTIVE\",\"format\":1}\n"
	  "{\"time\":\"2026-01-02T03:04:05.678Z\",\"event\":\"present\",\"device\":\"rxe0\","
	  "\"object\":\"qp rxe0 1\",\"value\":\"RTS\",\"format\":1}\n"
	  "{\"time\":\"2026-01-02T03:04:05.678Z\",\"event\":\"present\",\"device\":\"rxe0\","
	  "\"object\":\"qp rxe0 17\",\"value\":\"ERR\",\"format\":1}\n"
	  "{\"time\":\"2026-01-02T03:04:05.678Z\",\"event\":\"present\",\"device\":\"rxe_red\","
	  "\"object\":\"device rxe_red\",\"value\":\"netdev veth1\",\"format\":1}\n"
	  "{\"time\":\"2026-01-02T03:04:05.678Z\",\"event\":\"present\",\"device\":\"rxe_red\","
	  "\"object\":\"port rxe_red 1\",\"value\":\"DOWN\",\"format\":1}\n"
	  "{\"time\":\"2026-01-02T03:04:05.678Z\",\"event\":\"present\",\"device\":\"rxe_red\","
	  "\"object\":\"qp rxe_red 17\",\"value\":\"UNKNOWN\",\"format\":1}\n",
	  "" },
	{ &full, "monitor frob", 2, "",
	  "error: unknown word \"frob\"\n"
	  "hint: rxectl monitor [show] [interval SECONDS] [count N]\n" },
	{ &full, "monitor count 1", 1, "",
	  "error: the kernel's RDMA subsystem and module rdma_rxe are not loaded\n"
	  "hint: modprobe rdma_rxe\n",
	  no_rdma },
	{ &full, "monitor count 0", 2, "",
	  "error: \"0\" is not a number from 1 to 1e+09\n"
	  "hint: rxectl monitor [show] [interval SECONDS] [count N]\n" },
	{ &full, "monitor count 1e99", 2, "",
	  "error: \"1e99\" is not a number from 1 to 1e+09\n"
	  "hint: rxectl monitor [show] [interval SECONDS] [count N]\n" },
	{ &one_netdev, "link add netdev eth0", 0, "rxe_eth0\n", "" },
	{ &full, "link add netdev lo", 0, "rxe_lo\n", "" },
	{ &hsn, "link add netdev hsn0", 0, "rxe0\n", "" },
	{ &full, "link add --if-missing netdev eth0", 0, "rxe0\n", "" },
	{ &one_netdev, "-j link add netdev eth0", 0,
	  "[{\"name\":\"rxe_eth0\",\"device\":\"rxe_eth0\",\"index\":40,\"state\":\"NOP\","
	  "\"physical_state\":\"NOP\",\"netdev\":\"eth0\",\"namespace\":null,"
	  "\"node_guid\":\"0000:0000:0000:0000\",\"format\":1}]\n",
	  "" },
	{ &full, "-j link add --if-missing rxe0 netdev eth0", 0,
	  "[{\"name\":\"rxe0\",\"device\":\"rxe0\",\"index\":3,\"state\":\"ACTIVE\","
	  "\"physical_state\":\"LINK_UP\",\"netdev\":\"eth0\",\"namespace\":null,"
	  "\"node_guid\":\"5054:00ff:fe12:3456\",\"format\":1}]\n",
	  "" },
	{ &full, "link add rxe0 --if-missing netdev eth0", 0, "", "" },
	{ &full, "link add rxe5 --if-missing netdev eth0", 1, "",
	  "error: \"eth0\" has a link already, \"rxe0\"\n"
	  "hint: use it, or remove it with rxectl link del rxe0\n" },
	{ &full, "link add --if-missing netdev eth0", 0, "rxe0\n", "",
	  no_root },
	{ &full, "link add --if-missing netdev lo", 1, "",
	  "error: cannot add \"rxe_lo\": needs CAP_NET_ADMIN\n"
	  "hint: run it as root\n",
	  no_root },
	{ &full, "link add --if-missing netdev lo", 1, "",
	  "error: the kernel's RDMA subsystem and module rdma_rxe are not loaded\n"
	  "hint: modprobe rdma_rxe\n",
	  no_rdma },

	/* doctor */
	{ &well, "doctor", 0,
	  "No problems found, 22 checks, 0 skipped\n",
	  "" },
	{ &well, "-j doctor", 0,
	  "[]\n",
	  "" },
	{ &well, "doctor", 0,
	  "info    transmit: \"rxe1\" has sent 5000 of 6000 packets through the network stack, "
	  "which is slower; the last reason: netfilter hook\n"
	  "No problems found, 22 checks, 0 skipped\n",
	  "",
	  filtered },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", filtered_briefly },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", idle_filtered },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", on_loopback },
	{ &well, "doctor", 3,
	  "warning peers: packets from 192.0.2.1 to QP 17 of \"rxe1\" are dropped: that connection has "
	  "other addresses; NAT is on the way, or the peer sends from another of its addresses\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  misaddressed },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", misaddressed_long_ago },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", never_misaddressed },
	{ &well, "doctor", 3,
	  "warning mtu: packets to 192.0.2.1 exceed an MTU of 1280 on the way from \"rxe1\" and are lost: "
	  "use a smaller path MTU; rxectl test 192.0.2.1 finds it\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  too_big },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", too_big_long_ago },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", never_too_big },
	{ &well, "doctor check rxe1 now", 2, "",
	  "error: unknown word \"now\"\n"
	  "hint: rxectl doctor [check] [NAME]\n" },
	{ &well, "doctor -j", 4,
	  "[{\"severity\":\"error\",\"check\":\"netdev\",\"reason\":\"\\\"rxe1\\\" is not active: "
	  "\\\"eth1\\\" is down\",\"remedy\":\"ip link set dev eth1 up\",\"format\":1}]\n",
	  "",
	  down },
	{ &well, "doctor", 4,
	  "error   kernel: the kernel's RDMA subsystem is not loaded\n"
	  "        fix: modprobe ib_uverbs\n"
	  "error   module: module rdma_rxe is not loaded\n"
	  "        fix: modprobe rdma_rxe\n"
	  "2 problems found, 22 checks, 0 skipped\n",
	  "",
	  no_rdma },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded\n"
	  "        fix: modprobe rdma_rxe\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  no_module },
	{ &well, "doctor", 3,
	  "warning module: the loaded rdma_rxe is the kernel's own, and the out-of-tree module "
	  "is not installed: install the package rdma-rxe-dkms, or run \"make install\" in its "
	  "sources\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  in_tree },
	{ &well, "doctor", 3,
	  "warning module: the loaded rdma_rxe is the kernel's own, and the out-of-tree module "
	  "is not built for this kernel (which needs the kernel's headers)\n"
	  "        fix: apt-get install linux-headers-$(uname -r) && dkms install rdma-rxe/0.9.1 && rmmod rdma_rxe && modprobe rdma_rxe\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  not_built },
	{ &well, "doctor", 3,
	  "warning module: the loaded rdma_rxe is the kernel's own, though the out-of-tree "
	  "module is installed\n"
	  "        fix: rmmod rdma_rxe && modprobe rdma_rxe\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", dkms_elsewhere },
	{ &well, "doctor", 3,
	  "warning module: the loaded rdma_rxe is the kernel's own, and the out-of-tree module "
	  "is not installed: install the package rdma-rxe-dkms, or run \"make install\" in its "
	  "sources\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", would_load_in_tree },
	{ &well, "doctor", 4,
	  "error   barred: /etc/modprobe.d/site.conf keeps rdma_rxe from being loaded\n"
	  "        fix: sed -i -E '/^(blacklist|install)[[:space:]]+rdma[-_]rxe/d' '/etc/modprobe.d/site.conf'\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  barred },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded\n"
	  "        fix: modprobe rdma_rxe\n"
	  "warning signature: Secure Boot: the kernel loads only signed modules, and the key that "
	  "DKMS signs with is not enrolled (the next boot asks for it)\n"
	  "        fix: mokutil --import /var/lib/dkms/mok.pub\n"
	  "2 problems found, 22 checks, 0 skipped\n",
	  "",
	  locked_down },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded\n"
	  "        fix: modprobe rdma_rxe\n"
	  "warning signature: Secure Boot: the kernel loads only signed modules, and the key that "
	  "DKMS signs with is not enrolled (the next boot asks for it)\n"
	  "        fix: mokutil --import /var/lib/shim-signed/mok/MOK.der\n"
	  "2 problems found, 22 checks, 0 skipped\n",
	  "",
	  locked_down_ubuntu },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded\n"
	  "        fix: modprobe rdma_rxe\n"
	  "warning signature: Secure Boot: the key that DKMS signs with is to be enrolled at the next boot: "
	  "answer MokManager on the console\n"
	  "        fix: reboot\n"
	  "2 problems found, 22 checks, 0 skipped\n",
	  "",
	  key_requested },
	{ &well, "doctor", 0,
	  "info    signature: the loaded rdma_rxe is not signed; Secure Boot would refuse it\n"
	  "No problems found, 22 checks, 0 skipped\n",
	  "",
	  unsigned_module },
	{ &well, "doctor", 4,
	  "error   provider: libibverbs has no provider for rxe (librxe-rdmav*.so)\n"
	  "        fix: apt-get install --reinstall ibverbs-providers\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  no_provider },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", provider_elsewhere },
	{ &well, "doctor", 4,
	  "error   provider: libibverbs has no provider for rxe (librxe-rdmav*.so)\n"
	  "        fix: dnf install libibverbs && dnf reinstall libibverbs\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  no_provider_fedora },
	{ &well, "doctor", 4,
	  "error   provider: libibverbs has no provider for rxe (librxe-rdmav*.so)\n"
	  "        fix: zypper install --force libibverbs\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  no_provider_suse },
	{ &well, "doctor", 4,
	  "error   provider: libibverbs is not configured to load its provider for rxe "
	  "(/etc/libibverbs.d/rxe.driver)\n"
	  "        fix: mkdir -p /etc/libibverbs.d && echo driver rxe >/etc/libibverbs.d/rxe.driver\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  provider_untold },
	{ &well, "doctor", 4,
	  "error   abi: \"rxe1\" speaks ABI 3, which rdma-core's provider may not support\n"
	  "        fix: apt-get install --only-upgrade ibverbs-providers\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  new_abi },
	{ &well, "doctor", 4,
	  "error   abi: /dev/infiniband/uverbs0, through which programs use \"rxe1\", is "
	  "missing\n"
	  "        fix: mkdir -p /dev/infiniband && mknod -m 666 /dev/infiniband/uverbs0 c $(tr : ' ' "
	  "</sys/class/infiniband_verbs/uverbs0/dev)\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  no_uverbs },
	{ &well, "doctor", 3,
	  "warning abi: this user cannot open /dev/infiniband/uverbs0\n"
	  "        fix: chmod 666 /dev/infiniband/uverbs*\n"
	  "skipped firewalld: run as root\n"
	  "1 problem found, 21 checks, 1 skipped\n",
	  "",
	  no_root },
	{ &well, "doctor", 3,
	  "warning rdma_cm: /dev/infiniband/rdma_cm is missing: programs that connect with "
	  "rdma_cm fail\n"
	  "        fix: modprobe rdma_ucm\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  no_cm },
	{ &well, "doctor", 3,
	  "warning memlock: programs from this shell may lock 64 KiB of memory, too little "
	  "to register buffers; for later logins: add the user to the group rdma\n"
	  "        fix: prlimit --pid $$ --memlock=unlimited:unlimited\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  memlock },
	{ &well, "doctor", 3,
	  "warning backlog: net.core.netdev_max_backlog is 300: bursts of packets are dropped\n"
	  "        fix: echo net.core.netdev_max_backlog=10000 >/etc/sysctl.d/90-rxe.conf && sysctl "
	  "-p /etc/sysctl.d/90-rxe.conf\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  backlog },
	{ &well, "doctor", 3,
	  "warning adapter: cxi_eth has 512 buffers for large packets, and RoCE needs 10000\n"
	  "        fix: echo options cxi-eth large_pkts_buf_count=10000 >/etc/modprobe.d/cxi-eth.conf # "
	  "and boot\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  few_buffers },
	{ &well, "doctor", 3,
	  "warning link: no rxe device exists\n"
	  "        fix: rxectl link add netdev \"$(ip -o route show default | grep -o 'dev "
	  "[^ ]*' | head -n 1 | cut -d ' ' -f 2)\"\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  no_link },
	{ &well, "doctor", 3,
	  "warning namespace: programs in this network namespace cannot use 1 device of other "
	  "namespaces: \"rxe1\" in \"red\"\n"
	  "        fix: ip netns exec red \"$SHELL\"\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  elsewhere },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", pod },
	{ &well, "env rxe1 nccl", 0,
	  "# NCCL\n"
	  "export NCCL_IB_HCA='=rxe1:1'\n"
	  "export NCCL_IB_GID_INDEX='1'\n"
	  "export NCCL_SOCKET_IFNAME='=net1'\n"
	  "export NCCL_NET_GDR_LEVEL='LOC'\n",
	  "", pod },
	{ &well, "env rxe1 nccl", 0,
	  "# NCCL\n"
	  "export NCCL_IB_HCA='=rxe1:1'\n"
	  "export NCCL_IB_GID_INDEX='1'\n"
	  "export NCCL_SOCKET_IFNAME='=eth1'\n"
	  "export NCCL_NET_GDR_LEVEL='LOC'\n",
	  "", stable_privacy },
	{ &well, "doctor", 0,
	  "info    gid: GID 0 of \"rxe1\" is made from the MAC address and is no address of \"eth1\": programs that take it by default cannot connect; rxectl gids for PEER shows the one to use\n"
	  "No problems found, 22 checks, 0 skipped\n",
	  "", stable_privacy },
	{ &well, "doctor", 0,
	  "info    namespace: RDMA devices are exclusive to network namespaces: those of other "
	  "namespaces are not shown\n"
	  "No problems found, 22 checks, 0 skipped\n",
	  "",
	  exclusive },
	{ &well, "doctor", 4,
	  "error   netdev: \"rxe1\" is not active: \"eth1\" is down\n"
	  "        fix: ip link set dev eth1 up\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  down },
	{ &well, "doctor", 4,
	  "warning namespace: programs in this network namespace cannot use 1 device of other "
	  "namespaces: \"rxe1\" in \"red\"\n"
	  "        fix: ip netns exec red \"$SHELL\"\n"
	  "error   netdev: \"rxe1\" is not active: \"eth1\" is down\n"
	  "        fix: ip netns exec red ip link set dev eth1 up\n"
	  "2 problems found, 22 checks, 0 skipped\n",
	  "",
	  down_elsewhere },
	{ &well, "doctor", 3,
	  "warning address: \"eth1\" has no IP address, so programs cannot connect over "
	  "\"rxe1\": give it an address of your network\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  no_address },
	{ &well, "doctor", 4,
	  "error   gid: \"rxe1\" has no GID for RoCE v2\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  no_gid },
	{ &well, "doctor", 3,
	  "warning gid: programs cannot use 2 GIDs of \"rxe1\", whose index is above 255: remove "
	  "addresses of \"eth1\" and of interfaces above it, then delete and add the link\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  many_gids },
	{ &well, "doctor", 4,
	  "error   mtu: MTU 339 of \"eth1\" is less than the 340 bytes that the smallest "
	  "RoCE packets need\n"
	  "        fix: ip link set dev eth1 mtu 1500\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  tiny_mtu },
	{ &well, "doctor", 3,
	  "warning mtu: MTU 1107 of \"eth1\" leaves a path MTU of 512: slow, and peers expect "
	  "1024\n"
	  "        fix: ip link set dev eth1 mtu 1500\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  small_mtu },
	{ &well, "doctor", 4,
	  "error   nftables: nftables drops UDP port 4791 in chain in of table ip f; the command "
	  "lasts until the next boot\n"
	  "        fix: nft delete rule ip f in handle 12\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  nft_drop },
	{ &well, "doctor", 0,
	  "No problems found, 22 checks, 0 skipped\n",
	  "",
	  nft_other_port },
	{ &well, "doctor", 3,
	  "warning nftables: nftables drops packets in chain in of table ip f that no rule accepts,"
	  " and no rule names UDP port 4791; the command lasts until the next boot\n"
	  "        fix: nft insert rule ip f in udp dport 4791 accept\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  nft_policy },
	{ &well, "doctor", 4,
	  "error   iptables: iptables-legacy drops UDP port 4791; the command lasts until the next boot\n"
	  "        fix: iptables-legacy -D INPUT -p udp -m udp --dport 4791 -j DROP\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  iptables_drop },
	{ &well, "doctor", 3,
	  "warning iptables: iptables-legacy drops packets that no rule accepts, and no rule "
	  "names UDP port 4791; the command lasts until the next boot\n"
	  "        fix: iptables-legacy -I INPUT -p udp --dport 4791 -j ACCEPT\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  iptables_policy },
	{ &well, "doctor", 3,
	  "warning nftables: nftables drops packets in chain in of table ip f that no rule accepts,"
	  " and no rule names UDP port 4791; the command lasts until the next boot\n"
	  "        fix: nft insert rule ip f in udp dport 4791 accept\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", nft_reject_rest },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", nft_drop_rest },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", nft_drop_some },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", nft_firewalld },
	{ &well, "doctor", 3,
	  "warning iptables: iptables-legacy drops packets that no rule accepts, and no rule "
	  "names UDP port 4791; the command lasts until the next boot\n"
	  "        fix: iptables-legacy -I INPUT -p udp --dport 4791 -j ACCEPT\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", iptables_reject_rest },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", ufw_open },
	{ &well, "doctor", 3,
	  "warning nftables: nftables drops packets in chain INPUT of table ip filter that no "
	  "rule accepts, "
	  "and no rule names UDP port 4791\n"
	  "        fix: ufw allow 4791/udp\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", ufw_closed },
	{ &well, "doctor", 3,
	  "warning iptables: iptables-legacy drops packets that no rule accepts, and no rule "
	  "names UDP port 4791\n"
	  "        fix: ufw allow 4791/udp\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", ufw_legacy },
	{ &well, "doctor", 3,
	  "warning firewalld: firewalld will not accept, after the next boot, UDP port 4791 in zone "
	  "public of \"eth1\"\n"
	  "        fix: firewall-cmd --permanent --zone=public --add-port=4791/udp\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "",
	  firewalld },

	{ &well, "doctor rxe1", 0, "No problems found, 22 checks, 0 skipped\n", "" },
	{ &well, "doctor rxe9", 2, "",
	  "error: \"rxe9\" is neither a command nor an RDMA device\n"
	  "hint: --help lists the commands, rxectl link the devices\n" },
	{ &well, "doctor rxe1", 4,
	  "error   netdev: \"rxe1\" is not active: \"eth1\" is down\n"
	  "        fix: ip link set dev eth1 up\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", down },
	{ &well, "doctor", 4,
	  "error   netdev: \"rxe1\" is not active: \"eth1\" has no carrier (cable, or the other end)\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", no_carrier },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded, and the out-of-tree module is not installed: install the package rdma-rxe-dkms, or run \"make install\" in its sources\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", nothing_installed },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded, and the out-of-tree module is not built for this kernel (which needs the kernel's headers)\n"
	  "        fix: apt-get install linux-headers-$(uname -r) && dkms install rdma-rxe/0.9.1 && modprobe rdma_rxe\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", not_built_and_not_loaded },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded, and version 0.9.1 of the out-of-tree module is for Linux 1.2 to 2.4\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", kernel_excluded },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded, and building the out-of-tree module for this kernel has failed (/var/lib/dkms/rdma-rxe/0.9.1/build/make.log)\n"
	  "        fix: dkms install rdma-rxe/0.9.1 && modprobe rdma_rxe\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", build_failed },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded, and the out-of-tree module is not built for this kernel\n"
	  "        fix: dkms install rdma-rxe/0.9.1 && modprobe rdma_rxe\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", build_failed_elsewhere },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded, and the out-of-tree module is not built for this kernel (which needs the kernel's headers)\n"
	  "        fix: dnf install kernel-devel-$(uname -r) && dkms install rdma-rxe/0.9.1 && modprobe rdma_rxe\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", not_built_fedora },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded, and the out-of-tree module is not built for this kernel (which needs the kernel's headers)\n"
	  "        fix: zypper install kernel-default-devel && dkms install rdma-rxe/0.9.1 && modprobe rdma_rxe\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", not_built_suse },
	{ &well, "doctor", 4,
	  "error   kernel: the kernel's RDMA subsystem is not loaded, and this kernel has no module ib_uverbs\n"
	  "error   module: module rdma_rxe is not loaded, and the out-of-tree module is not installed: install the package rdma-rxe-dkms, or run \"make install\" in its sources\n"
	  "2 problems found, 22 checks, 0 skipped\n",
	  "", no_rdma_installed },
	{ &well, "doctor", 4,
	  "error   kernel: the kernel's RDMA subsystem is not loaded, and module ib_uverbs of this kernel is not installed\n"
	  "        fix: apt-get install linux-modules-extra-$(uname -r) && modprobe ib_uverbs\n"
	  "error   module: module rdma_rxe is not loaded, and the out-of-tree module is not installed: install the package rdma-rxe-dkms, or run \"make install\" in its sources\n"
	  "2 problems found, 22 checks, 0 skipped\n",
	  "", no_rdma_installed_ubuntu },
	{ &well, "doctor", 4,
	  "error   barred: /usr/lib/modprobe.d/hardening.conf keeps rdma_rxe from being loaded\n"
	  "        fix: mkdir -p /etc/modprobe.d && sed -E '/^(blacklist|install)[[:space:]]+rdma[-_]rxe/d' '/usr/lib/modprobe.d/hardening.conf' >'/etc/modprobe.d/hardening.conf'\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", barred_by_package },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", barred_and_masked },
	{ &well, "doctor", 4,
	  "error   barred: /lib/modprobe.d/10-unsupported-modules.conf keeps modules that SUSE does not support from being loaded\n"
	  "        fix: echo allow_unsupported_modules 1 >'/etc/modprobe.d/10-unsupported-modules.conf'\n"
	  "error   module: module rdma_rxe is not loaded\n"
	  "        fix: modprobe rdma_rxe\n"
	  "2 problems found, 22 checks, 0 skipped\n",
	  "", unsupported },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded\n"
	  "        fix: modprobe rdma_rxe\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", unsupported_allowed },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", memlock_capable },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded\n"
	  "        fix: modprobe rdma_rxe\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", enrolled },
	{ &well, "doctor", 4,
	  "error   module: module rdma_rxe is not loaded\n"
	  "        fix: modprobe rdma_rxe\n"
	  "warning signature: Secure Boot: the kernel loads only signed modules, and DKMS has no key to sign with yet: it makes one when it builds the module\n"
	  "2 problems found, 22 checks, 0 skipped\n",
	  "", no_key },
	{ &well, "doctor", 4,
	  "error   abi: \"rxe1\" speaks ABI 3, which rdma-core's provider may not support\n"
	  "        fix: dnf upgrade libibverbs\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", new_abi_fedora },
	{ &well, "doctor", 4,
	  "error   provider: libibverbs has no provider for rxe (librxe-rdmav*.so)\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", no_provider_unknown },
	{ &well, "doctor", 4,
	  "warning namespace: programs in this network namespace cannot use 5 devices of other namespaces: \"a1\" in \"red\", \"a2\" in \"red\", \"a3\" in \"red\", \"a4\" in \"red\", ...\n"
	  "        fix: ip netns exec red \"$SHELL\"\n"
	  "error   gid: \"a1\" has no GID for RoCE v2\n"
	  "error   gid: \"a2\" has no GID for RoCE v2\n"
	  "error   gid: \"a3\" has no GID for RoCE v2\n"
	  "error   gid: \"a4\" has no GID for RoCE v2\n"
	  "error   gid: \"a5\" has no GID for RoCE v2\n"
	  "6 problems found, 22 checks, 0 skipped\n",
	  "", many_elsewhere },
	{ &well, "doctor", 3,
	  "warning abi: this user cannot open /dev/infiniband/uverbs0\n"
	  "        fix: chmod 666 /dev/infiniband/uverbs*\n"
	  "skipped nftables: run as root\n"
	  "skipped iptables: run as root\n"
	  "skipped firewalld: run as root\n"
	  "1 problem found, 19 checks, 3 skipped\n",
	  "", firewalld_unreadable },
	{ &well, "doctor -j", 3,
	  "[{\"severity\":\"warning\",\"check\":\"abi\",\"reason\":\"this user cannot open "
	  "/dev/infiniband/uverbs0\",\"remedy\":\"chmod 666 /dev/infiniband/uverbs*\","
	  "\"format\":1},{\"severity\":\"skipped\",\"check\":\"nftables\",\"reason\":\"run as "
	  "root\",\"remedy\":null,\"format\":1},{\"severity\":\"skipped\",\"check\":\"iptables\","
	  "\"reason\":\"run as root\",\"remedy\":null,\"format\":1},{\"severity\":\"skipped\","
	  "\"check\":\"firewalld\",\"reason\":\"run as root\",\"remedy\":null,\"format\":1}]\n",
	  "", firewalld_unreadable },
	{ &well, "doctor", 3,
	  "warning firewalld: firewalld does not accept UDP port 4791 in zone public of \"eth1\"\n"
	  "        fix: firewall-cmd --permanent --zone=public --add-port=4791/udp && firewall-cmd --zone=public --add-port=4791/udp\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", firewalld_closed },
	{ &well, "doctor", 3,
	  "warning firewalld: firewalld does not accept, until it is reloaded, UDP port 4791 in zone public of \"eth1\"\n"
	  "        fix: firewall-cmd --zone=public --add-port=4791/udp\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", firewalld_until_reload },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", firewalld_trusted },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", firewalld_service },
	{ &well, "doctor", 0, "No problems found, 22 checks, 0 skipped\n", "", firewalld_range },
	{ &well, "doctor", 3,
	  "warning firewalld: firewalld does not accept UDP port 4791 in zone public of \"eth1\"\n"
	  "        fix: firewall-cmd --permanent --zone=public --add-port=4791/udp && firewall-cmd --zone=public --add-port=4791/udp\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", firewalld_silent },
	{ &well, "doctor", 3,
	  "warning firewalld: firewalld does not accept UDP port 4791 in zone public of \"eth1\"\n"
	  "        fix: firewall-cmd --permanent --zone=public --add-service=rocev2 && "
	  "firewall-cmd --zone=public --add-service=rocev2\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", firewalld_offers_service },
	{ &well, "doctor", 3,
	  "warning nftables: nftables drops packets in chain INPUT of table ip filter that no rule "
	  "accepts, and no rule names UDP port 4791\n"
	  "        fix: ufw allow RoCEv2\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", ufw_profile },
	{ &well, "doctor", 3,
	  "warning firewalld: firewalld does not accept UDP port 4791 in zone drop of \"eth1\"\n"
	  "        fix: firewall-cmd --permanent --zone=drop --add-port=4791/udp && firewall-cmd --zone=drop --add-port=4791/udp\n"
	  "1 problem found, 22 checks, 0 skipped\n",
	  "", firewalld_default_zone },
	{ &empty, "link", 0, "",
	  "hint: no rxe device, and module rdma_rxe is not loaded: this kernel has none: install "
	  "rdma-rxe-dkms\n",
	  nothing_installed },
	{ &empty, "link", 1, "",
	  "error: the kernel's RDMA subsystem and module rdma_rxe are not loaded\n"
	  "hint: this kernel has no module ib_uverbs: rxectl doctor\n",
	  no_rdma_installed },
	/* params */
	{ &tuned, "params use_sg", 0,
	  "NAME    VALUE  DEFAULT  UNIT  SET       MEANING\n"
	  "use_sg  N      Y        -     run time  send several packets in one socket buffer (GSO)\n",
	  "" },
	{ &tuned, "-j params max_unacked_psns", 0,
	  "[{\"name\":\"max_unacked_psns\",\"value\":\"64\",\"default\":\"128\","
	  "\"unit\":\"packets\",\"meaning\":\"upper bound of the congestion window\","
	  "\"set\":\"modprobe.d\",\"file\":\"/etc/modprobe.d/site.conf\",\"writable\":true,"
	  "\"format\":1}]\n",
	  "" },
	{ &tuned, "-j params show max_iterations", 0,
	  "[{\"name\":\"max_iterations\",\"value\":\"2048\",\"default\":\"1024\","
	  "\"unit\":\"packets\",\"meaning\":\"packets that a queue pair sends before it yields\","
	  "\"set\":\"command line\",\"file\":\"/proc/cmdline\",\"writable\":true,\"format\":1}]\n",
	  "" },
	{ &tuned, "params xmit_hard", 0,
	  "NAME       VALUE  DEFAULT  UNIT  SET         MEANING\n"
	  "xmit_hard  Y      Y        -     modprobe.d  bypass the network stack where nothing in it "
	  "acts on packets\n",
	  "" },
	{ &tuned, "params simd", 0,
	  "NAME  VALUE  DEFAULT  UNIT  SET      MEANING\n"
	  "simd  128    auto     bits  default  width of the vector registers for ICRCs: 0, 128 or 512\n",
	  "" },
	{ &tuned, "params frob", 2, "",
	  "error: \"frob\" is neither a command nor a parameter\n"
	  "hint: rxectl params lists them\n" },
	{ &tuned, "params show frob", 1, "",
	  "error: rdma_rxe has no parameter \"frob\"\n"
	  "hint: rxectl params lists them\n" },
	{ &tuned, "params show use_sg frob", 2, "",
	  "error: unknown word \"frob\"\n"
	  "hint: rxectl params [show] [PARAMETER]\n" },
	{ &empty, "params use_sg", 0,
	  "NAME    VALUE  DEFAULT  UNIT  SET  MEANING\n"
	  "use_sg  -      Y        -     -    send several packets in one socket buffer (GSO)\n",
	  "hint: module rdma_rxe is not loaded: modprobe rdma_rxe\n", no_module },
	{ &empty, "params use_sg", 0,
	  "NAME    VALUE  DEFAULT  UNIT  SET  MEANING\n"
	  "use_sg  -      Y        -     -    send several packets in one socket buffer (GSO)\n",
	  "hint: the loaded rdma_rxe is the kernel's own, which has no parameters: rxectl doctor\n" },

	/* apply, diff, persist */
	{ &site, "diff", 1,
	  "ACTION  NAME       NETDEV  NAMESPACE  MTU   WHERE\n"
	  "add     rxe0       hsn0    -          -     10.conf:2\n"
	  "mtu     rxe1       hsn1    -          9000  10.conf:2\n"
	  "add     rxe1       hsn1    -          -     10.conf:2\n"
	  "rename  rxe_eth2   eth2    -          -     20.conf:1\n"
	  "add     rxe_veth0  veth0   red        -     20.conf:9\n"
	  "add     rxe_eth1   eth1    -          -     30.conf:1\n",
	  COMPLAINTS },
	{ &site, "apply", 1,
	  "ACTION  NAME       NETDEV  NAMESPACE  MTU   WHERE\n"
	  "add     rxe0       hsn0    -          -     10.conf:2\n"
	  "mtu     rxe1       hsn1    -          9000  10.conf:2\n"
	  "add     rxe1       hsn1    -          -     10.conf:2\n"
	  "rename  rxe_eth2   eth2    -          -     20.conf:1\n"
	  "add     rxe_veth0  veth0   red        -     20.conf:9\n"
	  "add     rxe_eth1   eth1    -          -     30.conf:1\n",
	  COMPLAINTS },
	{ &site, "diff hsn1", 1,
	  "ACTION  NAME  NETDEV  NAMESPACE  MTU   WHERE\n"
	  "mtu     rxe1  hsn1    -          9000  10.conf:2\n"
	  "add     rxe1  hsn1    -          -     10.conf:2\n",
	  LINE_COMPLAINTS },
	{ &site, "-j diff netdev hsn0", 1,
	  "[{\"action\":\"add\",\"name\":\"rxe0\",\"device\":\"rxe0\",\"netdev\":\"hsn0\","
	  "\"namespace\":null,\"mtu\":null,\"where\":\"10.conf:2\",\"format\":1}]\n",
	  "{\"error\":{\"message\":\"/etc/rxe/20.conf:4: \\\"colour = blue\\\": no such key\","
	  "\"word\":\"20.conf:4\",\"remedy\":null},\"format\":1}\n"
	  "{\"error\":{\"message\":\"/etc/rxe/20.conf:5: the section names no interface: netdev, "
	  "mac, driver or path\",\"word\":\"20.conf:5\",\"remedy\":null},\"format\":1}\n"
	  "{\"error\":{\"message\":\"/etc/rxe/20.conf:7: \\\"[pipe]\\\": the only kind of section "
	  "is [link]\",\"word\":\"20.conf:7\",\"remedy\":null},\"format\":1}\n"
	  "{\"error\":{\"message\":\"/etc/rxe/20.conf:8: \\\"x = y\\\": the line is outside of any "
	  "section [link]\",\"word\":\"20.conf:8\",\"remedy\":null},\"format\":1}\n"
	  "{\"error\":{\"message\":\"/etc/rxe/20.conf:12: \\\"mtu = big\\\": not an MTU from 340 "
	  "to 65535\",\"word\":\"20.conf:12\",\"remedy\":null},\"format\":1}\n"
	  "{\"error\":{\"message\":\"/etc/rxe/30.conf:4: \\\"mac = 0a\\\": not a MAC address such "
	  "as 00:11:22:33:44:55\",\"word\":\"30.conf:4\",\"remedy\":null},\"format\":1}\n" },
	{ &site, "diff a b", 2, "",
	  "error: unknown word \"b\"\n"
	  "hint: rxectl diff [show] [DEV] [--root DIR]\n" },
	{ &site, "apply netdev a b", 2, "",
	  "error: unknown word \"a\"\n"
	  "hint: rxectl apply [run] [DEV] [--late] [--check [--root DIR]]\n" },
	{ &one_netdev, "diff eth7", 1, "",
	  "error: no network interface \"eth7\"\n"
	  "hint: ip -brief link lists them\n",
	  configured },
	{ &full, "apply eth9", 0, "",
	  "hint: no section [link] in /etc/rxe/*.conf matches \"eth9\"\n", configured },
	{ &full, "apply tun0", 0, "ACTION  NAME      NETDEV  NAMESPACE  MTU  WHERE\n"
				  "add     rxe_tun0  tun0    -          -    a.conf:1\n",
	  "", tunnel_named_second },
	{ &one_netdev, "apply", 0,
	  "ACTION  NAME      NETDEV  NAMESPACE  MTU  WHERE\n"
	  "add     rxe_eth0  eth0    -          -    a.conf:1\n",
	  "", made_meanwhile },
	{ &one_netdev, "apply", 1, "",
	  "error: an RDMA device \"rxe_eth0\" exists already\n"
	  "hint: choose another name; rxectl link lists those in use\n",
	  name_taken_meanwhile },
	{ &one_netdev, "apply", 0,
	  "ACTION  NAME      NETDEV  NAMESPACE  MTU  WHERE\n"
	  "add     rxe_eth0  eth0    -          -    a.conf:1\n",
	  "", being_made },
	{ &one_netdev, "apply", 0,
	  "ACTION  NAME      NETDEV  NAMESPACE  MTU  WHERE\n"
	  "add     rxe_eth0  eth0    -          -    a.conf:1\n",
	  "", being_removed },
	{ &one_netdev, "apply", 1, "",
	  "error: an RDMA device \"rxe_eth0\" exists already\n"
	  "hint: choose another name; rxectl link lists those in use\n",
	  name_being_taken },
	{ &one_netdev, "link add --if-missing rxe_eth0 netdev eth0", 0, "", "", being_made },
	{ &one_netdev, "link add rxe_eth0 netdev eth0", 0, "", "", being_removed },
	{ &one_netdev, "link add rxe1 netdev eth0", 1, "",
	  "error: \"eth0\" has a link already, \"rxe_eth0\"\n"
	  "hint: use it, or remove it with rxectl link del rxe_eth0\n",
	  being_made },
	{ &one_netdev, "link add rxe_eth0 netdev eth0", 1, "",
	  "error: an RDMA device \"rxe_eth0\" exists already\n"
	  "hint: choose another name; rxectl link lists those in use\n",
	  name_being_taken },
	{ &one_netdev, "link add rxe_eth0 netdev eth0", 1, "",
	  "error: a link on \"eth0\" is being added or removed\n"
	  "hint: try again; dmesg may show the reason\n",
	  unsettled },
	{ &one_netdev, "link add --if-missing netdev eth0 wait 5", 0, "rxe_eth0\n", "", made_meanwhile },
	{ &one_netdev, "link add --if-missing rxe_eth0 netdev eth0 wait 5", 0, "", "", made_meanwhile },
	{ &one_netdev, "link add --if-missing rxe1 netdev eth0 wait 5", 1, "",
	  "error: \"eth0\" has a link already, \"rxe_eth0\"\n"
	  "hint: use it, or remove it with rxectl link del rxe_eth0\n",
	  made_meanwhile },
	{ &one_netdev, "link add netdev eth0 wait 5", 1, "",
	  "error: \"eth0\" has a link already, \"rxe_eth0\"\n"
	  "hint: use it, or remove it with rxectl link del rxe_eth0\n",
	  made_meanwhile },
	{ &one_netdev, "link add rxe_eth0 netdev eth0 wait 5", 1, "",
	  "error: an RDMA device \"rxe_eth0\" exists already\n"
	  "hint: choose another name; rxectl link lists those in use\n",
	  name_taken_meanwhile },
	{ &one_netdev, "diff", 0,
	  "ACTION  NAME      NETDEV  NAMESPACE  MTU  WHERE\n"
	  "add     rxe_eth0  eth0    -          -    a.conf:1\n",
	  "hint: /etc/rxe/a.conf:4 matches no existing interface\n"
	  "hint: /etc/rxe/a.conf:7 matches no existing interface\n",
	  renamed_interface },
	{ &one_netdev, "diff eth0", 0,
	  "ACTION  NAME      NETDEV  NAMESPACE  MTU  WHERE\n"
	  "add     rxe_eth0  eth0    -          -    a.conf:1\n",
	  "", renamed_interface },
	{ &one_netdev, "apply", 1, "",
	  "error: /etc/rxe/a.conf:2: \"netdev = eth0 # uplink\": an interface's name has no blanks, and a comment has its own line\n",
	  commented },
	{ &well, "diff", 0, "",
	  "hint: nothing is configured: no section [link] in /etc/rxe/*.conf\n" },
	{ &well, "-j apply", 0,
	  "[]\n",
	  "" },
	{ &well, "apply", 0, "",
	  "hint: nothing is configured: no section [link] in /etc/rxe/*.conf\n", no_rdma },
	{ &well, "-j diff eth1", 0, "[]\n", "", no_rdma },
	{ &site, "apply hsn1", 1, "",
	  "error: /etc/rxe/20.conf:4: \"colour = blue\": no such key\n"
	  "error: /etc/rxe/20.conf:5: the section names no interface: netdev, mac, driver or path\n"
	  "error: /etc/rxe/20.conf:7: \"[pipe]\": the only kind of section is [link]\n"
	  "error: /etc/rxe/20.conf:8: \"x = y\": the line is outside of any section [link]\n"
	  "error: /etc/rxe/20.conf:12: \"mtu = big\": not an MTU from 340 to 65535\n"
	  "error: /etc/rxe/30.conf:4: \"mac = 0a\": not a MAC address such as 00:11:22:33:44:55\n"
	  "error: /etc/rxe/20.conf:9: network namespace \"red\": Operation not permitted\n"
	  "error: /etc/rxe/30.conf:6: network namespace \"blue\": Operation not permitted\n"
	  "error: cannot set the MTU of \"hsn1\" to 9000: needs CAP_NET_ADMIN\n"
	  "hint: run it as root\n"
	  "error: cannot add \"rxe1\": needs CAP_NET_ADMIN\n"
	  "hint: run it as root\n",
	  no_root },
	{ &hsn, "tune --dry-run hsn0 profile slingshot", 0,
	  "NETDEV  SETTING                   BEFORE        AFTER\n"
	  "-       net.core.netdev_budget    300           5000\n"
	  "-       net.ipv4.udp_mem          1 2 99999999  8388608 33554432 99999999\n"
	  "-       rdma_rxe.max_pkt_per_ack  64            8\n"
	  "hsn0    mtu                       1500          9000\n"
	  "hsn0    queues                    rx 4 tx 4     rx 8 tx 16\n"
	  "hsn0    flag.roce-opt             off           on\n"
	  "hsn0    queue-limit               0,7           8388608\n",
	  "hint: cxi_eth has large_pkts_buf_count=2048: load it with 10000\n" },
	{ &hsn, "tune --dry-run hsn0 profile slingshot", 0,
	  "NETDEV  SETTING                   BEFORE        AFTER\n"
	  "-       net.core.netdev_budget    300           5000\n"
	  "-       net.ipv4.udp_mem          1 2 99999999  8388608 33554432 99999999\n"
	  "-       rdma_rxe.max_pkt_per_ack  64            8\n"
	  "hsn0    mtu                       1500          9000\n"
	  "hsn0    queues                    rx 4 tx 4     rx 8 tx 16\n"
	  "hsn0    flag.roce-opt             off           on\n"
	  "hsn0    queue-limit               0,7           8388608\n",
	  "hint: cxi_eth has large_pkts_buf_count=2048: load it with 10000\n",
	  has_window_cap },
	{ &hsn, "tune --dry-run hsn0 profile slingshot", 0,
	  "NETDEV  SETTING                   BEFORE        AFTER\n"
	  "-       net.core.netdev_budget    300           5000\n"
	  "-       net.ipv4.udp_mem          1 2 99999999  8388608 33554432 99999999\n"
	  "-       rdma_rxe.max_pkt_per_ack  64            8\n"
	  "hsn0    mtu                       1500          9000\n"
	  "hsn0    queues                    rx 4 tx 4     rx 8 tx 16\n"
	  "hsn0    flag.roce-opt             off           on\n"
	  "hsn0    queue-limit               0,7           8388608\n",
	  "hint: cxi_eth has large_pkts_buf_count=2048: load it with 10000\n",
	  flag_alone },
	/* Without RDMA. */
	{ &hsn, "tune --dry-run hsn0 profile slingshot", 0,
	  "NETDEV  SETTING                   BEFORE        AFTER\n"
	  "-       net.core.netdev_budget    300           5000\n"
	  "-       net.ipv4.udp_mem          1 2 99999999  8388608 33554432 99999999\n"
	  "-       rdma_rxe.max_pkt_per_ack  64            8\n"
	  "hsn0    mtu                       1500          9000\n"
	  "hsn0    queues                    rx 4 tx 4     rx 8 tx 16\n"
	  "hsn0    flag.roce-opt             off           on\n"
	  "hsn0    queue-limit               0,7           8388608\n",
	  "hint: cxi_eth has large_pkts_buf_count=2048: load it with 10000\n",
	  no_rdma },
	{ &hsn, "tune hsn7 profile slingshot", 1, "",
	  "error: no network interface \"hsn7\"\n"
	  "hint: ip -brief link lists them\n",
	  no_rdma },
	/* --root: neither the interface nor RDMA netlink of this system */
	{ &hsn, "tune --dry-run --root /image hsn7 profile slingshot", 0,
	  "NETDEV  SETTING                       BEFORE  AFTER\n"
	  "-       net.core.netdev_budget        -       5000\n"
	  "-       net.core.netdev_budget_usecs  -       10000\n"
	  "-       net.core.netdev_max_backlog   -       900000\n"
	  "-       net.core.rmem_max             -       134217728\n"
	  "-       net.core.rmem_default         -       134217728\n"
	  "-       net.ipv4.udp_rmem_min         -       131072\n"
	  "-       net.ipv4.udp_wmem_min         -       131072\n"
	  "-       net.ipv4.udp_mem              -       8388608 33554432 67108864\n"
	  "-       rdma_rxe.max_pkt_per_ack      -       8\n"
	  "hsn7    mtu                           -       9000\n"
	  "hsn7    queues                        -       16\n"
	  "hsn7    flag.roce-opt                 -       on\n"
	  "hsn7    queue-limit                   -       8388608\n",
	  "hint: no file of /image/etc/modprobe.d sets large_pkts_buf_count=10000 for cxi_eth\n", image_no_rdma },
	{ &hsn, "-j tune --dry-run --root /image hsn7 profile slingshot", 0,
	  "[{\"netdev\":null,\"setting\":\"net.core.netdev_budget\",\"before\":null,\"after\":\"5000\",\"format\":1},"
	  "{\"netdev\":null,\"setting\":\"net.core.netdev_budget_usecs\",\"before\":null,\"after\":\"10000\",\"format\":1},"
	  "{\"netdev\":null,\"setting\":\"net.core.netdev_max_backlog\",\"before\":null,\"after\":\"900000\",\"format\":1},"
	  "{\"netdev\":null,\"setting\":\"net.core.rmem_max\",\"before\":null,\"after\":\"134217728\",\"format\":1},"
	  "{\"netdev\":null,\"setting\":\"net.core.rmem_default\",\"before\":null,\"after\":\"134217728\",\"format\":1},"
	  "{\"netdev\":null,\"setting\":\"net.ipv4.udp_rmem_min\",\"before\":null,\"after\":\"131072\",\"format\":1},"
	  "{\"netdev\":null,\"setting\":\"net.ipv4.udp_wmem_min\",\"before\":null,\"after\":\"131072\",\"format\":1},"
	  "{\"netdev\":null,\"setting\":\"net.ipv4.udp_mem\",\"before\":null,\"after\":\"8388608 33554432 67108864\",\"format\":1},"
	  "{\"netdev\":null,\"setting\":\"rdma_rxe.max_pkt_per_ack\",\"before\":null,\"after\":\"8\",\"format\":1},"
	  "{\"netdev\":\"hsn7\",\"setting\":\"mtu\",\"before\":null,\"after\":\"9000\",\"format\":1},"
	  "{\"netdev\":\"hsn7\",\"setting\":\"queues\",\"before\":null,\"after\":\"16\",\"format\":1},"
	  "{\"netdev\":\"hsn7\",\"setting\":\"flag.roce-opt\",\"before\":null,\"after\":\"on\",\"format\":1},"
	  "{\"netdev\":\"hsn7\",\"setting\":\"queue-limit\",\"before\":null,\"after\":\"8388608\",\"format\":1}]\n",
	  "", image_buffers },
	{ &hsn, "tune --dry-run --root /nowhere hsn0 profile slingshot", 1, "",
	  "error: no directory \"/nowhere\"\n" },
	{ &hsn, "tune --root /image hsn0 profile slingshot", 2, "",
	  "error: tune acts on this system, not on one below \"--root\"\n"
	  "hint: add --dry-run\n",
	  image },
	{ &hsn, "tune show --root /image", 2, "",
	  "error: \"tune show\" takes no option \"--root\"\n"
	  "hint: rxectl tune --help shows its use\n" },
	{ &hsn, "tune hsn0", 2, "",
	  "error: no profile given\n"
	  "hint: add profile NAME; there is: slingshot\n" },
	{ &hsn, "tune hsn0 --dry-run", 2, "",
	  "error: no profile given\n"
	  "hint: add profile NAME; there is: slingshot\n" },
	{ &one_netdev, "tune eth0 profile slingshot", 1, "",
	  "error: profile \"slingshot\" is for Slingshot adapters, and the driver of \"eth0\" is "
	  "veth\n"
	  "hint: rxectl tune --force applies it nevertheless\n",
	  profile_on_veth },
	{ &one_netdev, "tune eth0 profile slingshot --dry-run", 1, "",
	  "error: profile \"slingshot\" is for Slingshot adapters, and the driver of \"eth0\" is "
	  "unknown\n"
	  "hint: rxectl tune --force applies it nevertheless\n" },
	{ &one_netdev, "tune eth0 profile slingshot --dry-run --force", 0,
	  "NETDEV  SETTING  BEFORE  AFTER\n"
	  "eth0    mtu      1500    9000\n",
	  "", profile_on_veth },
	{ &one_netdev, "apply", 1,
	  "ACTION  NAME      NETDEV  NAMESPACE  MTU  WHERE\n"
	  "add     rxe_eth0  eth0    -          -    a.conf:1\n",
	  "error: /etc/rxe/a.conf:1: profile \"slingshot\" is for Slingshot adapters, and the driver "
	  "of \"eth0\" is veth\n",
	  profile_on_veth },
	{ &well, "doctor", 4,
	  "error   fabric: \"hsn1\" has no algorithmic MAC address yet: the fabric delivers no "
	  "packets to "
	  "00:40:A6:83:00:01\n"
	  "warning fabric: the private flag roce-opt of \"hsn1\" is off: ICRCs are computed in "
	  "software\n"
	  "        fix: rxectl tune hsn1 profile slingshot\n"
	  "2 problems found, 22 checks, 0 skipped\n",
	  "", new_hsn },
	{ &hsn, "tune show", 0, "", "" },
	{ &hsn, "-j tune show", 0, "[]\n", "" },
	{ &hsn, "tune", 2, "",
	  "error: no network interface given\n"
	  "hint: rxectl tune [set] NETDEV [profile NAME]\n" },
	{ &hsn, "tune hsn0 now", 2, "",
	  "error: unknown word \"now\"\n"
	  "hint: rxectl tune [set] NETDEV [profile NAME]\n" },
	{ &hsn, "tune hsn0 profile", 2, "",
	  "error: missing value after \"profile\"\n"
	  "hint: rxectl tune [set] NETDEV [profile NAME]\n" },
	{ &hsn, "tune hsn0 profile fast", 2, "",
	  "error: unknown profile \"fast\"\n"
	  "hint: there is: slingshot\n" },
	{ &hsn, "tune netdev hsn0 profile slingshot more", 2, "",
	  "error: unknown word \"more\"\n"
	  "hint: rxectl tune [set] NETDEV [profile NAME]\n" },
	{ &hsn, "tune hsn0 --dry-run --revert", 2, "",
	  "error: --dry-run and --revert exclude each other\n"
	  "hint: rxectl tune [set] NETDEV [profile NAME]\n" },
	{ &hsn, "tune hsn7 profile slingshot", 1, "",
	  "error: no network interface \"hsn7\"\n"
	  "hint: ip -brief link lists them\n" },
	{ &hsn, "tune --revert hsn0", 0, "",
	  "hint: nothing has been tuned for \"hsn0\"\n" },
	{ &hsn, "tune show hsn0", 2, "",
	  "error: unknown word \"hsn0\"\n"
	  "hint: rxectl tune show\n" },
	{ &full, "test 192.168.7.2", 1,
	  "STEP   RESULT  DETAIL\n"
	  "reach  failed  192.168.7.2 does not answer\n",
	  "hint: run a server\n", peer_silent },
	{ &full, "test a b", 2, "",
	  "error: unknown word \"b\"\n"
	  "hint: rxectl test [run] [PEER] [device NAME] [port PORT] [seconds N]\n" },
	{ &full, "test seconds", 2, "",
	  "error: missing value after \"seconds\"\n"
	  "hint: rxectl test [run] [PEER] [device NAME] [port PORT] [seconds N]\n" },
	{ &full, "-j test 192.168.7.2", 1,
	  "[{\"step\":\"reach\",\"result\":\"failed\",\"value\":null,\"detail\":\"192.168.7.2 does "
	  "not answer\",\"format\":1}]\n",
	  "{\"error\":{\"message\":\"192.168.7.2 does not answer\",\"word\":\"192.168.7.2\","
	  "\"remedy\":\"run a server\"},\"format\":1}\n",
	  peer_silent },
	{ &full, "test device rxe_red", 0,
	  "STEP       RESULT  DETAIL\n"
	  "reach      ok      own, loopback within this host\n"
	  "connect    ok      rxe_red, GID index 1\n"
	  "mtu        ok      4096 bytes\n"
	  "latency    ok      12.5 us for a READ of 8 bytes\n"
	  "bandwidth  ok      1.00 Gb/s in WRITEs of 64 KiB\n",
	  "", peer_well },
	{ &full, "test host port 7 sec 2", 3,
	  "STEP       RESULT   DETAIL\n"
	  "reach      ok       host\n"
	  "connect    ok       rxe0, GID index 2\n"
	  "mtu        warning  1024 bytes, less than both ports support\n"
	  "latency    ok       12.5 us for a READ of 8 bytes\n"
	  "bandwidth  ok       2.00 Gb/s in WRITEs of 64 KiB\n",
	  "", peer_narrow },
	{ &full, "test host port 7 sec 2", 3,
	  "STEP       RESULT   DETAIL\n"
	  "reach      ok       host\n"
	  "connect    ok       rxe0, GID index 2\n"
	  "mtu        warning  1024 bytes, less than both ports support: the path has an MTU of 1280\n"
	  "latency    ok       12.5 us for a READ of 8 bytes\n"
	  "bandwidth  ok       2.00 Gb/s in WRITEs of 64 KiB\n",
	  "", peer_too_big },
	{ &full, "test host port 7 sec 2", 3,
	  "STEP       RESULT   DETAIL\n"
	  "reach      ok       host\n"
	  "connect    ok       rxe0, GID index 2\n"
	  "mtu        warning  1024 bytes, less than both ports support\n"
	  "latency    ok       12.5 us for a READ of 8 bytes\n"
	  "bandwidth  ok       2.00 Gb/s in WRITEs of 64 KiB\n",
	  "", other_too_big },
	{ &full, "test host device rxe0", 2, "",
	  "error: the route to the peer selects the device\n"
	  "hint: rxectl test [run] [PEER] [device NAME] [port PORT] [seconds N]\n" },
	{ &full, "test host port 0", 2, "",
	  "error: \"0\" is not a number from 1 to 65535\n"
	  "hint: rxectl test [run] [PEER] [device NAME] [port PORT] [seconds N]\n" },
	{ &full, "test host seconds", 2, "",
	  "error: missing value after \"seconds\"\n"
	  "hint: rxectl test [run] [PEER] [device NAME] [port PORT] [seconds N]\n" },
	{ &full, "test host count 3", 2, "",
	  "error: unknown word \"count\"\n"
	  "hint: rxectl test [run] [PEER] [device NAME] [port PORT] [seconds N]\n" },
	{ &full, "test server", 1, "",
	  "error: cannot listen on TCP port 4792: Address already in use\n" },
	{ &full, "test server count 2", 1,
	  "listening on TCP 4792\n"
	  "192.168.7.2: served\n192.168.7.3: no completion in 5 s\n",
	  "error: 1 of 2 clients could not be served\n" },
	{ &full, "-j test server port 5 count 2", 1,
	  "{\"peer\":\"192.168.7.2\",\"error\":null,\"format\":1}\n"
	  "{\"peer\":\"192.168.7.3\",\"error\":\"no completion in 5 s\",\"format\":1}\n",
	  "{\"error\":{\"message\":\"1 of 2 clients could not be served\",\"word\":null,"
	  "\"remedy\":null},\"format\":1}\n" },
	{ &full, "top count 1", 0,
	  "DEVICE   NETDEV  STATE   QPS  TX-BIT/S  RX-BIT/S  TX-PKT/S  RX-PKT/S  RETRY/S  DROPS/S\n"
	  "rxe0     eth0    ACTIVE  2    0.00      0.00      5.00k     0.00      0.00     0.00\n"
	  "rxe_red  veth1   DOWN    1    0.00      0.00      5.00k     0.00      0.00     0.00\n"
	  "\n"
	  "DEVICE   QPN  TYPE     STATE    PEER-QPN  TX-PKT/S  PID   COMMAND\n"
	  "rxe0     1    GSI      RTS      -         0.00      -     [ib_core]\n"
	  "rxe0     17   RC       ERR      18        0.00      4711  ib_write_bw\n"
	  "rxe_red  17   UNKNOWN  UNKNOWN  -         0.00      4712  -\n",
	  "" },
	{ &full, "top count 1", 0,
	  "DEVICE   STATE   QPS  TX-BIT/S  RX-BIT/S  TX-PKT/S  RX-PKT/S  RETRY/S  DROPS/S\n"
	  "rxe0     ACTIVE  2    0.00      0.00      5.00k     0.00      0.00     0.00\n"
	  "rxe_red  DOWN    1    0.00      0.00      5.00k     0.00      0.00     0.00\n"
	  "\n"
	  "DEVICE   QPN  TYPE     STATE    PEER-QPN  TX-PKT/S  PID   COMMAND\n"
	  "rxe0     1    GSI      RTS      -         0.00      -     [ib_core]\n"
	  "rxe0     17   RC       ERR      18        0.00      4711  ib_write_bw\n"
	  "rxe_red  17   UNKNOWN  UNKNOWN  -         0.00      4712  -\n",
	  "", narrow },
	{ &full, "-j top rxe_red count 1", 0,
	  "{\"devices\":[{\"device\":\"rxe_red\",\"netdev\":\"veth1\",\"state\":\"DOWN\","
	  "\"qps\":1,\"tx\":0.0,\"tx_bits_per_second\":0.0,\"rx\":0.0,\"rx_bits_per_second\":0.0,"
	  "\"tx_packets\":2500.0,\"tx_packets_per_second\":2500.0,\"rx_packets\":0.0,"
	  "\"rx_packets_per_second\":0.0,\"retries\":0.0,\"retries_per_second\":0.0,\"drops\":0.0,"
	  "\"drops_per_second\":0.0}],\"qps\":[{\"device\":\"rxe_red\",\"qpn\":17,"
	  "\"type\":\"UNKNOWN\",\"state\":\"UNKNOWN\",\"peer_qpn\":null,\"packets\":0.0,"
	  "\"packets_per_second\":0.0,\"pid\":4712,\"command\":null}],\"format\":1}\n",
	  "" },
	{ &full, "top show rxe9", 1, "",
	  "error: no RDMA device \"rxe9\"\n"
	  "hint: rxectl link lists them\n" },
	{ &full, "top rxe0 intervall 1", 2, "",
	  "error: unknown word \"intervall\"\n"
	  "hint: rxectl top [show] [NAME] [interval SECONDS] [count N]\n" },
	{ &hsn, "link add netdev hsn0 wait soon", 2, "",
	  "error: \"soon\" is not a number of seconds from 0 to 600\n"
	  "hint: rxectl link add [NAME] netdev DEV [wait SECONDS]\n" },
	{ &hsn, "link add wait 3 netdev hsn0", 1, "",
	  "error: \"hsn0\" is not up after 3 s\n"
	  "hint: bring it up, or wait longer\n",
	  hsn_down },
	{ &hsn, "-j diff", 0,
	  "[{\"action\":\"mtu\",\"name\":\"rxe0\",\"device\":\"rxe0\",\"netdev\":\"hsn0\","
	  "\"namespace\":null,\"mtu\":4200,\"where\":\"hsn.conf:1\",\"format\":1},"
	  "{\"action\":\"add\",\"name\":\"rxe0\",\"device\":\"rxe0\",\"netdev\":\"hsn0\","
	  "\"namespace\":null,\"mtu\":null,\"where\":\"hsn.conf:1\",\"format\":1},"
	  "{\"action\":\"tune\",\"name\":\"rxe0\",\"device\":\"rxe0\",\"netdev\":\"hsn0\","
	  "\"namespace\":null,\"mtu\":null,\"where\":\"hsn.conf:1\",\"format\":1}]\n",
	  "" },
	{ &hsn, "diff", 0,
	  "ACTION  NAME  NETDEV  NAMESPACE  MTU   WHERE\n"
	  "mtu     rxe0  hsn0    -          4200  hsn.conf:1\n"
	  "add     rxe0  hsn0    -          -     hsn.conf:1\n"
	  "tune    rxe0  hsn0    -          -     hsn.conf:1\n",
	  "" },
	{ &hsn, "apply", 1,
	  "ACTION  NAME  NETDEV  NAMESPACE  MTU   WHERE\n"
	  "mtu     rxe0  hsn0    -          4200  hsn.conf:1\n"
	  "tune    rxe0  hsn0    -          -     hsn.conf:1\n",
	  "error: \"hsn0\" is not up after 5 s\n"
	  "hint: bring it up and run rxectl apply, or set wait in its section\n",
	  hsn_down },
	{ &hsn, "apply --late", 0,
	  "ACTION  NAME  NETDEV  NAMESPACE  MTU   WHERE\n"
	  "mtu     rxe0  hsn0    -          4200  hsn.conf:1\n"
	  "add     rxe0  hsn0    -          -     hsn.conf:1\n"
	  "tune    rxe0  hsn0    -          -     hsn.conf:1\n",
	  "", hsn_late },
	{ &hsn, "apply hsn0 --late", 0,
	  "ACTION  NAME  NETDEV  NAMESPACE  MTU   WHERE\n"
	  "mtu     rxe0  hsn0    -          4200  hsn.conf:1\n",
	  "", hsn_leaves },
	{ &hsn, "apply --late --check", 2, "",
	  "error: --check and --late exclude each other\n"
	  "hint: rxectl apply [run] [DEV] [--late] [--check [--root DIR]]\n" },
	{ &site, "apply eth1", 1, "",
	  "error: /etc/rxe/20.conf:4: \"colour = blue\": no such key\n"
	  "error: /etc/rxe/20.conf:5: the section names no interface: netdev, mac, driver or path\n"
	  "error: /etc/rxe/20.conf:7: \"[pipe]\": the only kind of section is [link]\n"
	  "error: /etc/rxe/20.conf:8: \"x = y\": the line is outside of any section [link]\n"
	  "error: /etc/rxe/20.conf:12: \"mtu = big\": not an MTU from 340 to 65535\n"
	  "error: /etc/rxe/30.conf:4: \"mac = 0a\": not a MAC address such as 00:11:22:33:44:55\n"
	  "error: /etc/rxe/20.conf:9: network namespace \"red\": Operation not permitted\n"
	  "error: /etc/rxe/30.conf:6: network namespace \"blue\": Operation not permitted\n"
	  "error: cannot add \"rxe_eth1\": needs CAP_NET_ADMIN\n"
	  "hint: run it as root\n",
	  no_root },
	{ &site, "apply", 1,
	  "ACTION  NAME       NETDEV  NAMESPACE  MTU   WHERE\n"
	  "mtu     rxe1       hsn1    -          9000  10.conf:2\n"
	  "rename  rxe_eth2   eth2    -          -     20.conf:1\n"
	  "add     rxe_veth0  veth0   red        -     20.conf:9\n"
	  "add     rxe_eth1   eth1    -          -     30.conf:1\n",
	  "error: /etc/rxe/20.conf:4: \"colour = blue\": no such key\n"
	  "error: /etc/rxe/20.conf:5: the section names no interface: netdev, mac, driver or path\n"
	  "error: /etc/rxe/20.conf:7: \"[pipe]\": the only kind of section is [link]\n"
	  "error: /etc/rxe/20.conf:8: \"x = y\": the line is outside of any section [link]\n"
	  "error: /etc/rxe/20.conf:12: \"mtu = big\": not an MTU from 340 to 65535\n"
	  "error: /etc/rxe/30.conf:4: \"mac = 0a\": not a MAC address such as 00:11:22:33:44:55\n"
	  "error: /etc/rxe/30.conf:6: network namespace \"blue\": No such file or directory\n"
	  "error: \"hsn0\" has no algorithmic MAC address yet after 120 s\n"
	  "hint: bring it up and run rxectl apply, or set wait in its section\n"
	  "error: \"hsn1\" is not up after 120 s\n"
	  "hint: bring it up and run rxectl apply, or set wait in its section\n",
	  slow_fabric },
	{ &site, "diff", 1, "",
	  "error: /etc/rxe/20.conf:4: \"colour = blue\": no such key\n"
	  "error: /etc/rxe/20.conf:5: the section names no interface: netdev, mac, driver or path\n"
	  "error: /etc/rxe/20.conf:7: \"[pipe]\": the only kind of section is [link]\n"
	  "error: /etc/rxe/20.conf:8: \"x = y\": the line is outside of any section [link]\n"
	  "error: /etc/rxe/20.conf:12: \"mtu = big\": not an MTU from 340 to 65535\n"
	  "error: /etc/rxe/30.conf:4: \"mac = 0a\": not a MAC address such as 00:11:22:33:44:55\n"
	  "error: the kernel's RDMA subsystem and module rdma_rxe are not loaded\n"
	  "hint: modprobe rdma_rxe\n",
	  no_rdma },
	{ &site, "apply eth1", 1, "",
	  "error: /etc/rxe/20.conf:4: \"colour = blue\": no such key\n"
	  "error: /etc/rxe/20.conf:5: the section names no interface: netdev, mac, driver or path\n"
	  "error: /etc/rxe/20.conf:7: \"[pipe]\": the only kind of section is [link]\n"
	  "error: /etc/rxe/20.conf:8: \"x = y\": the line is outside of any section [link]\n"
	  "error: /etc/rxe/20.conf:12: \"mtu = big\": not an MTU from 340 to 65535\n"
	  "error: /etc/rxe/30.conf:4: \"mac = 0a\": not a MAC address such as 00:11:22:33:44:55\n"
	  "error: cannot add \"rxe_eth1\" to \"eth1\": Cannot allocate memory\n"
	  "hint: dmesg may show the reason\n",
	  out_of_memory },
	{ &site, "persist", 1, "",
	  "error: /etc/rxe/20.conf:1 gives \"eth2\" a device of another name\n"
	  "hint: set in it name = rxe_old\n" },
	{ &full, "persist rxe0", 1, "",
	  "error: /etc/rxe/a.conf:1 gives \"eth0\" a device of another name\n"
	  "hint: set in it name = rxe0\n",
	  configured },
	{ &full, "persist rxe_eth0", 0, "",
	  "hint: \"rxe_eth0\" is in /etc/rxe/a.conf already\n"
	  "hint: rxe.service is not enabled, so boot does not create the devices: systemctl enable "
	  "rxe\n",
	  configured_default },
	{ &full, "persist rxe0", 1, "",
	  "error: /etc/rxe/rxe0.conf has been edited, and names another interface\n"
	  "hint: set in it netdev = eth0, or move it away\n",
	  edited },
	{ &full, "persist rxe0", 0, "wrote /etc/rxe/rxe0.conf\n",
	  "hint: rxe.service is not enabled, so boot does not create the devices: systemctl enable "
	  "rxe\n",
	  moved },
	{ &full, "persist rxe0", 0, "wrote /etc/rxe/rxe0.conf\n", "", boot_applies },
	{ &full, "persist rxe0", 0, "wrote /etc/rxe/rxe0.conf\n",
	  "hint: rxe.service is masked, so boot does not create the devices: systemctl unmask rxe "
	  "&& systemctl enable rxe\n",
	  boot_masked },
	{ &full, "-j persist rxe0", 0,
	  "[{\"name\":\"rxe0\",\"device\":\"rxe0\",\"file\":\"/etc/rxe/rxe0.conf\","
	  "\"written\":true,\"boot\":true,\"format\":1}]\n",
	  "", boot_applies },
	{ &full, "-j persist rxe_eth0", 0,
	  "[{\"name\":\"rxe_eth0\",\"device\":\"rxe_eth0\",\"file\":\"/etc/rxe/a.conf\","
	  "\"written\":false,\"boot\":false,\"format\":1}]\n",
	  "", configured_default },
	{ &full, "persist delete rxe0", 0, "",
	  "hint: /etc/rxe/rxe0.conf has been edited: it is kept as /etc/rxe/rxe0.conf.off\n",
	  edited },
	{ &full, "persist delete rxe0", 1, "",
	  "error: /etc/rxe/rxe0.conf has been edited, and /etc/rxe/rxe0.conf.off exists\n"
	  "hint: mv /etc/rxe/rxe0.conf.off /etc/rxe/rxe0.conf.old\n",
	  edited_twice },
	{ &full, "persist rxe0", 1, "",
	  "error: /etc/rxe/rxe0.conf has been edited, and names another interface\n"
	  "hint: set in it netdev = eth0, or move it away\n",
	  moved_and_edited },
	{ &full, "persist rxe0", 1, "",
	  "error: /etc/rxe/rxe0.conf has been edited, and names another interface\n"
	  "hint: set in it netdev = eth0, or move it away\n",
	  moved_and_widened },
	{ &full, "persist", 1, "",
	  "error: /etc/rxe/a.conf:1 gives \"eth0\" a device of another name\n"
	  "hint: set in it name = rxe0\n"
	  "error: \"rxe_red\" is in a network namespace without a name\n"
	  "hint: ip netns attach NAME PID, with the PID of one of its processes\n",
	  nameless },
	{ &full, "persist rxe0", 1, "",
	  "error: \"rxe0\" is in a network namespace without a name\n"
	  "hint: ip netns attach NAME PID, with the PID of one of its processes\n",
	  in_nameless },
	{ &full, "persist delete hsn", 1, "",
	  "error: /etc/rxe/hsn.conf does not configure the device \"hsn\" alone\n"
	  "hint: edit it; mv /etc/rxe/hsn.conf /etc/rxe/hsn.conf.off takes all of it out\n",
	  not_ours },
	{ &full, "persist delete rxe0", 1, "",
	  "error: /etc/rxe/rxe0.conf does not configure the device \"rxe0\" alone\n"
	  "hint: edit it; mv /etc/rxe/rxe0.conf /etc/rxe/rxe0.conf.off takes all of it out\n",
	  two_sections },
	{ &full, "persist delete rxe0", 0, "",
	  "hint: /etc/rxe/a.conf:1 still configures a device on \"eth0\"\n", made_by_another },
	{ &site, "persist save a b", 2, "",
	  "error: unknown word \"b\"\n"
	  "hint: rxectl persist [save] [NAME]\n" },
	{ &site, "persist save rxe9", 1, "",
	  "error: no RDMA device \"rxe9\"\n"
	  "hint: rxectl link lists them\n" },
	{ &site, "persist delete rxe9", 1, "",
	  "error: there is no /etc/rxe/rxe9.conf\n"
	  "hint: other files in /etc/rxe may name it\n" },
	{ &site, "persist delete ../passwd", 2, "",
	  "error: \"../passwd\" cannot be the name of an RDMA device\n"
	  "hint: rxectl persist delete NAME\n" },
	{ &site, "persist delete", 2, "",
	  "error: no name given\n"
	  "hint: rxectl persist delete NAME\n" },
	{ &site, "persist delete a b", 2, "",
	  "error: unknown word \"b\"\n"
	  "hint: rxectl persist delete NAME\n" },
	{ &full, "persist rxe0", 0, "wrote /etc/rxe/rxe0.conf\n",
	  "hint: rxe.service is not enabled, so boot does not create the devices: systemctl enable "
	  "rxe\n",
	  no_conf_dir },
	{ &full, "persist rxe0", 1, "",
	  "error: cannot write /etc/rxe/rxe0.conf: Not a directory\n",
	  conf_dir_is_file },
	{ &full, "persist rxe_red", 1, "",
	  "error: the interface of \"rxe_red\" is not accessible\n"
	  "hint: run it as root\n",
	  no_root },
	{ &empty, "persist", 0, "",
	  "hint: no rxe device: rxectl link add netdev DEV creates one\n" },
};

#define MAX_WORDS 16

/**
 * struct result - result of a command line
 * @status: exit status
 * @out: standard output, to be freed
 * @err: standard error, to be freed
 */
struct result {
	int status;
	char *out;
	char *err;
};

/* Append JSON output to the file named by RECORD_JSON, for the check against the schemas. */
static void record(const char *args, const struct result *result)
{
	const char *path = getenv("RECORD_JSON");
	struct json_object *row;
	FILE *f;

	if (!path || !strstr(args, "-j") || strstr(args, "--json="))
		return;
	f = fopen(path, "a");
	assert_non_null(f);
	row = json_object_new_object();
	json_object_object_add(row, "args", json_object_new_string(args));
	json_object_object_add(row, "out", json_object_new_string(result->out));
	json_object_object_add(row, "err", json_object_new_string(result->err));
	fprintf(f, "%s\n", json_object_to_json_string(row));
	json_object_put(row);
	fclose(f);
}

static struct result run(const char *args)
{
	char *line = strdup(args);
	char *argv[MAX_WORDS] = { "rxectl" };
	struct result result;
	size_t n_out, n_err;
	FILE *out, *err;
	int argc = 1;

	for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
		assert_in_range(argc, 1, MAX_WORDS - 2);
		argv[argc++] = strcmp(word, "''") ? word : "";
	}
	out = open_memstream(&result.out, &n_out);
	err = open_memstream(&result.err, &n_err);
	result.status = rxectl(argc, argv, out, err);
	fclose(out);
	fclose(err);
	free(line);
	record(args, &result);
	return result;
}

static void free_result(struct result *result)
{
	free(result->out);
	free(result->err);
}

static void test_row(void **state)
{
	const struct row *row = *state;
	struct result result;

	world = *row->world;
	if (row->change)
		row->change();
	fake_files();
	result = run(row->args);
	unsetenv("COLUMNS");
	fake_files_remove();
	assert_string_equal(result.out, row->out);
	assert_string_equal(result.err, row->err);
	assert_int_equal(result.status, row->status);
	free_result(&result);
}

/* link add and link del have the effect that they report. */
static void test_add_and_delete(void **state)
{
	struct result result;

	(void)state;
	world = one_netdev;
	result = run("link add rxe7 netdev eth0");
	free_result(&result);
	assert_string_equal(world.devs[0].name, "rxe7");
	assert_string_equal(world.devs[0].netdev, "eth0");
	result = run("link del rxe7");
	free_result(&result);
	assert_null(world.devs[0].name);
}

/*
 * The default name is that of the interface, and the number of hsnN; it is the same whatever other
 * devices exist.
 */
static void test_default_names(void **state)
{
	static const char *const wanted[][2] = {
		{ "hsn1", "rxe1" },   { "eth1", "rxe_eth1" },
		{ "lo", "rxe_lo" },   { "enp4s0f0", "rxe_enp4s0f0" },
		{ "hsn", "rxe_hsn" }, { "hsn1x", "rxe_hsn1x" },
	};

	(void)state;
	for (int order = 0; order < 2; order++) {
		world = empty;
		for (int i = 0; i < 6; i++) {
			const char *const *row = wanted[order ? 5 - i : i];
			struct result result;
			char args[64];

			world.netdevs[i].name = row[0];
			snprintf(args, sizeof(args), "link add netdev %s", row[0]);
			result = run(args);
			assert_int_equal(result.status, 0);
			assert_string_equal(world.devs[i].name, row[1]);
			free_result(&result);
		}
	}
}

static void lose_device(void)
{
	world.devs[2].name = NULL;
	world.devs[1].state = 1;
}

static void runs(const char *args, int status, const char *out)
{
	struct result result = run(args);

	assert_string_equal(result.out, out);
	assert_int_equal(result.status, status);
	free_result(&result);
}

static void assert_has(const char *path, const char *wanted)
{
	char *text = file_text(path);

	assert_non_null(text);
	assert_non_null(strstr(text, wanted));
	free(text);
}

/* After apply, diff shows nothing, and a second apply does nothing. */
static void test_apply_twice(void **state)
{
	struct result result;

	(void)state;
	world = site;
	fake_files();
	result = run("apply");
	free_result(&result);
	assert_int_equal(world.netdevs[2].mtu, 9000);
	assert_string_equal(world.devs[0].name, "rxe_eth2");
	runs("apply", 1, "");
	runs("-j diff", 1, "[]\n");
	fake_files_remove();
}

/* Two interfaces for which a pattern gives the same name keep the names that they got. */
static void test_apply_twins(void **state)
{
	(void)state;
	world = one_netdev;
	world.netdevs[0].name = "enp65s0f0";
	world.netdevs[1] = world.netdevs[0];
	world.netdevs[1].name = "enp66s0f0";
	world.files[0] = (struct fake_file){ "/etc/rxe/a.conf", "[link]\nnetdev = enp*\nname = rxe%n\n" };
	fake_files();
	runs("apply", 0,
	     "ACTION  NAME           NETDEV     NAMESPACE  MTU  WHERE\n"
	     "add     rxe0           enp65s0f0  -          -    a.conf:1\n"
	     "add     rxe_enp66s0f0  enp66s0f0  -          -    a.conf:1\n");
	runs("-j apply", 0, "[]\n");
	/*
	 * Apply to the second interface alone: as it appears, while the first exists, and without
	 * the first.
	 */
	world.devs[1].name = NULL;
	runs("apply enp66s0f0", 0,
	     "ACTION  NAME           NETDEV     NAMESPACE  MTU  WHERE\n"
	     "add     rxe_enp66s0f0  enp66s0f0  -          -    a.conf:1\n");
	assert_string_equal(world.devs[1].name, "rxe_enp66s0f0");
	world.devs[0].name = NULL;
	runs("apply enp66s0f0", 0,
	     "ACTION  NAME  NETDEV     NAMESPACE  MTU  WHERE\n"
	     "rename  rxe0  enp66s0f0  -          -    a.conf:1\n");
	assert_string_equal(world.devs[1].name, "rxe0");
	fake_files_remove();
}

/* A link saved in a namespace is created in it again, from any namespace. */
static void test_persist_in_namespace(void **state)
{
	struct result result;

	(void)state;
	world = full;
	world.own_namespace = "blue";
	world.files[0] = (struct fake_file){ "/etc/rxe/rxe9.conf", "" };
	fake_files();
	world.commands[0] = (struct fake_command){ "sh -c 'systemctl is-enabled rxe.service; true'",
						   "enabled\n" };
	result = run("persist");
	assert_string_equal(result.err, "");
	assert_int_equal(result.status, 0);
	free_result(&result);
	assert_has("/etc/rxe/rxe0.conf", "netns = blue\n");
	assert_has("/etc/rxe/rxe_red.conf", "netns = red\n");
	runs("-j diff", 0, "[]\n");
	fake_files_remove();
}

static bool eth1_has_device;

static void look_for_eth1(void)
{
	for (size_t i = 0; i < sizeof(world.devs) / sizeof(world.devs[0]); i++)
		eth1_has_device |= world.devs[i].name && !strcmp(world.devs[i].name, "rxe_eth1");
	world.pause = NULL;
}

/* An interface that is waited for does not delay those of the sections after its own. */
static void test_apply_ready(void **state)
{
	struct result result;

	(void)state;
	world = site;
	slow_fabric();
	world.pause = look_for_eth1;
	fake_files();
	result = run("apply");
	assert_int_equal(result.status, 1);
	assert_true(eth1_has_device);
	free_result(&result);
	fake_files_remove();
}

/* A saved link is created with the same name. */
static void test_persist(void **state)
{
	struct result result;

	(void)state;
	world = full;
	world.files[0] = (struct fake_file){ "/etc/rxe/rxe9.conf", "" };
	fake_files();
	world.commands[0] = (struct fake_command){ "sh -c 'systemctl is-enabled rxe.service; true'",
						   "enabled\n" };
	result = run("persist");
	assert_string_equal(result.err, "");
	assert_int_equal(result.status, 0);
	free_result(&result);
	runs("diff", 0, "");
	file_write("/etc/rxe/rxe0.conf", "[link]\nnetdev = eth0\nname = rxe0\nmtu = 1500\n");
	runs("persist", 0, "");
	assert_has("/etc/rxe/rxe0.conf", "mtu = 1500");
	world.devs[1].name = NULL;
	world.devs[2].name = NULL;
	runs("persist delete rxe0", 0, "");
	runs("-j apply", 0,
	     "[{\"action\":\"add\",\"name\":\"rxe_red\",\"device\":\"rxe_red\",\"netdev\":\"veth1\","
	     "\"namespace\":\"red\",\"mtu\":null,\"where\":\"rxe_red.conf:2\",\"format\":1}]\n");
	fake_files_remove();
}

static void assert_line(const char *path, const char *wanted)
{
	char line[64] = "";

	file_line(line, sizeof(line), "%s", path);
	assert_string_equal(line, wanted);
}

/*
 * Changes are reverted: those of the interface at once, those of the system with the last
 * interface.
 */
static void test_tune(void **state)
{
	const struct fake_netdev *hsn0 = &world.netdevs[0];
	struct result result;

	(void)state;
	world = hsn;
	world.netdevs[1] = (struct fake_netdev){ .name = "hsn1", .mtu = 9000, .mac = "02:0" };
	fake_files();
	result = run("-j tune hsn0 profile slingshot");
	assert_non_null(strstr(result.out, "{\"netdev\":\"hsn0\",\"setting\":\"queues\","
					   "\"before\":\"rx 4 tx 4\",\"after\":"));
	assert_int_equal(result.status, 0);
	free_result(&result);
	assert_int_equal(hsn0->mtu, 9000);
	assert_int_equal(hsn0->queues, 8);
	assert_true(hsn0->flag_on);
	assert_false(hsn0->stopped);
	assert_line("/proc/sys/net/core/netdev_budget", "5000");
	assert_line("/proc/sys/net/core/rmem_max", "999999999");
	assert_line("/proc/sys/net/ipv6/conf/hsn0/keep_addr_on_down", "0");
	assert_line("/sys/class/net/hsn0/queues/tx-1/byte_queue_limits/limit_min", "8388608");
	runs("tune hsn1 profile slingshot --force", 0, "");

	result = run("-j tune --revert hsn0");
	assert_null(strstr(result.out, "net.core"));
	assert_int_equal(result.status, 0);
	free_result(&result);
	assert_int_equal(hsn0->mtu, 1500);
	assert_int_equal(hsn0->queues, 4);
	assert_false(hsn0->flag_on);
	assert_line("/sys/class/net/hsn0/queues/tx-0/byte_queue_limits/limit_min", "0");
	assert_line("/sys/class/net/hsn0/queues/tx-1/byte_queue_limits/limit_min", "7");
	assert_line("/proc/sys/net/core/netdev_budget", "5000");
	file_put("/sys/module/rdma_rxe/parameters/max_pkt_per_ack", "9");
	runs("tune --revert hsn1", 0,
	     "NETDEV  SETTING                 BEFORE                     AFTER\n"
	     "-       net.ipv4.udp_mem        8388608 33554432 99999999  1 2 99999999\n"
	     "-       net.core.netdev_budget  5000                       300\n");
	assert_line("/sys/module/rdma_rxe/parameters/max_pkt_per_ack", "9");
	assert_false(file_exists("/run/rxe/tuned.json"));
	fake_files_remove();
}

/* With a tuned interface that is gone, its settings are, too; those of the system are reverted. */
static void test_tune_gone(void **state)
{
	struct result result;

	(void)state;
	world = hsn;
	fake_files();
	result = run("tune hsn0 profile slingshot");
	assert_int_equal(result.status, 0);
	free_result(&result);
	world.netdevs[0].name = "other0";
	result = run("tune --revert hsn0");
	assert_string_equal(result.err,
			    "hint: \"hsn0\" is gone from this network namespace, and its settings with it\n");
	assert_non_null(strstr(result.out, "net.core.netdev_budget"));
	assert_int_equal(result.status, 0);
	free_result(&result);
	assert_line("/proc/sys/net/core/netdev_budget", "300");
	assert_false(file_exists("/run/rxe/tuned.json"));
	result = run("tune --revert hsn0");
	assert_string_equal(result.err, "error: no network interface \"hsn0\", and nothing recorded for it\n"
					"hint: rxectl tune show lists the changes\n");
	assert_int_equal(result.status, 1);
	free_result(&result);
	fake_files_remove();
}

/* Without privileges, tune fails with a reason, and changes already made can be reverted. */
static void test_tune_refused(void **state)
{
	struct result result;

	(void)state;
	world = hsn;
	world.root = false;
	fake_files();
	result = run("tune hsn0 profile slingshot");
	assert_non_null(strstr(result.err, "cannot set mtu of \"hsn0\" to \"9000\": needs"));
	assert_int_equal(result.status, 1);
	free_result(&result);
	result = run("tune --revert hsn0");
	assert_int_equal(result.status, 0);
	free_result(&result);
	assert_line("/proc/sys/net/core/netdev_budget", "300");
	file_put("/run/rxe/.keep", "");
	file_write("/run/rxe/tuned.json", "[{\"setting\":7}, 3, {}]");
	result = run("tune --revert hsn0");
	assert_int_equal(result.status, 0);
	free_result(&result);
	fake_files_remove();
}

/*
 * A report has all parts. With --mask, it has no address, and equal addresses get equal
 * placeholders.
 */
static void test_report(void **state)
{
	struct result plain, masked, json;

	(void)state;
	world = full;
	fake_files();
	plain = run("report");
	masked = run("report --mask");
	json = run("-j report --mask");
	fake_files_remove();
	assert_non_null(strstr(plain.out, "192.168.7.1"));
	assert_non_null(strstr(plain.out, "--- rxectl doctor\n"));
	assert_null(strstr(masked.out, "192.168.7.1"));
	assert_null(strstr(masked.out, "fd07:"));
	assert_null(strstr(masked.out, "5054:00ff"));
	assert_non_null(strstr(masked.out, "eth0    virtio_net"));
	assert_non_null(strstr(masked.out, "address1,address2"));
	assert_null(strstr(json.out, "192.168.7.1"));
	assert_non_null(strstr(json.out, "\"qp\":[{"));
	assert_int_equal(plain.status | masked.status | json.status, 0);
	free_result(&plain);
	free_result(&masked);
	free_result(&json);
}

/* A host with a configuration, a module built by DKMS, and a log. */
static void report_world(void)
{
	world = full;
	set_file("/etc/os-release", "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n");
	set_file("/etc/rxe/a.conf", "[link]\nnetdev = eth0\ncolour = blue\n");
	set_file("/sys/module/rdma_rxe/version", "0.1.0\n");
	set_file("/sys/module/rdma_rxe/parameters/use_sg", "Y\n");
	set_file("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	world.commands[0] = (struct fake_command){ "modinfo -n rdma_rxe", "/lib/x/rdma_rxe.ko\n" };
	world.commands[1] = (struct fake_command){ "modinfo -F signer rdma_rxe", "DKMS key\n" };
	world.commands[2] = (struct fake_command){ "dkms status rdma-rxe",
						   "rdma-rxe/0.1.0, 6.1.0, x86_64: installed\n" };
	world.commands[3] = (struct fake_command){ "ethtool -i eth0",
						   "driver: virtio_net\nversion: 1.0.0\n" };
	world.commands[4] = (struct fake_command){ "ethtool -k eth0",
						   "Features for eth0:\ntx-checksumming: on\n" };
	world.commands[5] = (struct fake_command){ "dmesg", "[1.0] usb: a mouse\n[2.0] rdma_rxe: "
							    "loaded\n[3.0] eth0: RoCE: 192.168.7.9\n" };
	world.commands[6] = (struct fake_command){ "dpkg-query -W -f '${Version}' libibverbs1",
						   "44.0-2" };
}

static void assert_in(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("no \"%s\" in %s", wanted, text);
}

/* A report describes the host, in both formats, and keeps the errors of its parts. */
static void test_report_host(void **state)
{
	static const char *const texts[] = {
		"\nos Debian GNU/Linux 12 (bookworm)\n",
		"\nrdma_rxe 0.1.0\n",
		"\nmodule file /lib/x/rdma_rxe.ko\n",
		"\nsigner DKMS key\n",
		"\nDKMS rdma-rxe/0.1.0, 6.1.0, x86_64: installed\n",
		"\nlockdown [none] integrity confidentiality\n",
		"\nrdma-core 44.0-2\n",
		"\n--- parameters\nuse_sg Y\n",
		"\n--- ethtool -i eth0\ndriver: virtio_net\nversion: 1.0.0\n",
		"\n--- ethtool -k eth0\nFeatures for eth0:\ntx-checksumming: on\n",
		"\n--- /etc/rxe/a.conf\n[link]\nnetdev = eth0\ncolour = blue\n",
		"\n--- kernel log\n[2.0] rdma_rxe: loaded\n[3.0] eth0: RoCE: 192.168.7.9\n",
	};
	static const char *const members[] = {
		"\"os\":\"Debian GNU/Linux 12 (bookworm)\"",
		"\"module\":\"0.1.0\"",
		"\"module_file\":\"/lib/x/rdma_rxe.ko\"",
		"\"parameters\":{\"use_sg\":\"Y\"}",
		"\"interfaces\":[{\"netdev\":\"eth0\",\"ethtool_i\":\"driver: virtio_net\\nversion: 1.0.0\\n\"",
		"\"kernel_log\":[\"[2.0] rdma_rxe: loaded\",\"[3.0] eth0: RoCE: 192.168.7.9\"]",
		"\"errors\":[{\"part\":\"diff\",\"message\":\"/etc/rxe/a.conf:3: \\\"colour = blue\\\": no such key",
	};
	struct result plain, json;

	(void)state;
	report_world();
	fake_files();
	plain = run("report");
	json = run("-j report");
	fake_files_remove();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_in(plain.out, texts[i]);
	assert_null(strstr(plain.out, "a mouse"));
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		assert_in(json.out, members[i]);
	assert_int_equal(plain.status | json.status, 0);
	free_result(&plain);
	free_result(&json);
}

/* Without RDMA, all parts fail; the report has their errors. */
static void test_report_without_rdma(void **state)
{
	struct result result;

	(void)state;
	world = full;
	no_rdma();
	fake_files();
	result = run("-j report");
	fake_files_remove();
	assert_in(result.out, "\"status\":null");
	assert_in(result.out, "{\"part\":\"status\",\"message\":\"" NO_RDMA "\"");
	assert_in(result.out, "{\"part\":\"kernel log\",\"message\":\"dmesg failed");
	assert_int_equal(result.status, 0);
	free_result(&result);
}

/* Each text with the text that is left after masking. */
static void test_masks(void **state)
{
	static const char *const texts[][2] = {
		{ "192.168.7.1 fd07::1\n", "address1 address2\n" },
		{ "192.168.7.1 0000:0000:0000:0000:0000:ffff:c0a8:0701 ::ffff:192.168.7.1\n",
		  "address1 address1 address1\n" },
		{ "fd07::1 fd07:0000:0000:0000:0000:0000:0000:0001\n", "address1 address1\n" },
		{ "02:AB:00:00:00:01 02:ab:00:00:00:01\n", "address1 address1\n" },
		{ "127.0.0.1 ::1 0.0.0.0 :: 127.1.2.3/8\n", "127.0.0.1 ::1 0.0.0.0 :: 127.1.2.3/8\n" },
		{ "10.0.0.0/8 fe80::/64 10.1.2.3/8\n", "10.0.0.0/8 fe80::/64 address1/8\n" },
		{ "0000:0000:0000:0000:0000:0000:0000:0000\n",
		  "0000:0000:0000:0000:0000:0000:0000:0000\n" },
		{ "a  192.168.7.100  b\nc  -              d\n",
		  "a  address1       b\nc  -              d\n" },
		{ "a  fd07:0000:0000:0000:0000:0000:0000:0001,10.0.0.9  b\n",
		  "a  address1,address2                                 b\n" },
		{ "a  1.2.3.4    b\n", "a  address1   b\n" },
		{ "at 12:30:00 eth0: 6.1.0-13\n", "at 12:30:00 eth0: 6.1.0-13\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *text = NULL;
		size_t n;
		FILE *out = open_memstream(&text, &n);

		redact_addresses(out, texts[i][0]);
		fclose(out);
		assert_string_equal(text, texts[i][1]);
		free(text);
	}
}

/*
 * The specification has the device nodes of each device, and the first 32 of "all" by number; a device
 * without a verbs device is left out.
 */
static void test_cdi(void **state)
{
	struct result result;

	(void)state;
	world = well;
	set_file("/run/.keep", "");
	fake_files();
	runs("cdi write", 0, "wrote /run/cdi/rxe.json\n");
	assert_has("/run/cdi/rxe.json", "\"cdiVersion\": \"0.3.0\"");
	result = run("-j cdi");
	assert_in(result.out, "{\"cdiVersion\":\"0.3.0\",\"kind\":\"rdma/rxe\",\"devices\":[{\"name\":"
			      "\"rxe1\",\"containerEdits\":{\"deviceNodes\":[{\"path\":"
			      "\"/dev/infiniband/uverbs0\",\"permissions\":\"rw\"},{\"path\":"
			      "\"/dev/infiniband/rdma_cm\",\"permissions\":\"rw\"}]}},{\"name\":\"all\"");
	assert_in(result.out, "{\"path\":\"/dev/infiniband/uverbs31\",\"permissions\":\"rw\",\"type\":"
			      "\"c\",\"major\":231,\"minor\":223},{\"path\":\"/dev/infiniband/rdma_cm\"");
	assert_int_equal(result.status, 0);
	free_result(&result);
	world.devs[0].name = "rxe9";
	result = run("cdi show");
	assert_in(result.err, "hint: \"rxe9\" is left out: it has no verbs device");
	assert_null(strstr(result.out, "\"rxe9\""));
	free_result(&result);
	world.devs[0].name = "rxe 1-";
	result = run("cdi show");
	assert_in(result.err, "CDI does not allow the name");
	assert_int_equal(result.status, 0);
	free_result(&result);
	fake_files_remove();
}

/* monitor reports the changes between two samples, and only those. */
static void test_monitor(void **state)
{
	struct result result;

	(void)state;
	world = full;
	world.objects[1].state = 3;
	world.pause = lose_device;
	result = run("monitor count 3");
	assert_null(strstr(result.out, "added"));
	assert_string_equal(strstr(result.out, "removed") - strlen("2026-01-02T03:04:05.678Z "),
			    "2026-01-02T03:04:05.678Z removed device rxe_red netdev veth1\n"
			    "2026-01-02T03:04:05.678Z removed port rxe_red 1 DOWN\n"
			    "2026-01-02T03:04:05.678Z removed qp rxe_red 17 UNKNOWN\n"
			    "2026-01-02T03:04:05.678Z changed port rxe0 1 DOWN\n");
	assert_int_equal(result.status, 0);
	free_result(&result);
}

/* Return: the text with single blanks in place of line ends and indentation, to be freed. */
static char *unwrapped(const char *text)
{
	char *copy = strdup(text), *to = copy;

	for (const char *c = copy; *c; c++)
		if (*c != ' ' && *c != '\n')
			*to++ = *c;
		else if (to != copy && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
	return copy;
}

static void assert_narrow(const char *text)
{
	size_t width = 0;

	for (; *text; text++) {
		width = *text == '\n' ? 0 : width + 1;
		assert_in_range(width, 0, 80);
	}
}

/* The help of an object, in both forms: all of its commands in at most 80 columns. */
static void check_help_of(const struct object *o)
{
	struct result result, alias;
	char args[64], *text;

	snprintf(args, sizeof(args), "help %s", o->name);
	alias = run(args);
	snprintf(args, sizeof(args), "%s --help", o->name);
	result = run(args);
	assert_string_equal(result.out, alias.out);
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	assert_narrow(result.out);
	text = unwrapped(result.out);
	for (const struct command *c = o->commands; c->name; c++)
		assert_non_null(strstr(text, c->summary));
	free(text);
	free_result(&alias);
	free_result(&result);
}

/* Help lists all objects in groups, help of an object all of its commands; both exit with 0. */
static void test_help(void **state)
{
	static const char *const groups[] = { "\nLinks:\n  link ", "\nLook:\n", "\nSet up:\n  apply ",
					      "\nTest:\n", "\nReport:\n" };
	struct result result, alias;

	(void)state;
	world = empty;
	result = run("--help");
	alias = run("help");
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	assert_string_equal(result.out, alias.out);
	assert_narrow(result.out);
	for (const struct object *const *o = objects; *o; o++)
		assert_non_null(strstr(result.out, (*o)->summary));
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		assert_in(result.out, groups[i]);
	free_result(&result);
	free_result(&alias);
	for (const struct object *const *o = objects; *o; o++)
		check_help_of(*o);
}

/* An empty command line prints help to standard error and exits with 2. */
static void test_no_arguments(void **state)
{
	struct result result = run(""), help = run("--help");

	(void)state;
	assert_int_equal(result.status, 2);
	assert_string_equal(result.out, "");
	assert_string_equal(result.err, help.out);
	free_result(&result);
	free_result(&help);
}

/* A full disk makes the run fail. */
static void test_full_disk(void **state)
{
	char *argv[] = { "rxectl", "link", NULL };
	FILE *out = fopen("/dev/full", "w");
	char *text;
	size_t n;
	FILE *err = open_memstream(&text, &n);

	(void)state;
	world = full;
	assert_non_null(out);
	assert_int_equal(rxectl(2, argv, out, err), 1);
	fclose(out);
	fclose(err);
	assert_non_null(strstr(text, "cannot write the output"));
	free(text);
}

int main(void)
{
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_add_and_delete),
		cmocka_unit_test(test_default_names),
		cmocka_unit_test(test_apply_twice),
		cmocka_unit_test(test_apply_twins),
		cmocka_unit_test(test_persist_in_namespace),
		cmocka_unit_test(test_apply_ready),
		cmocka_unit_test(test_persist),
		cmocka_unit_test(test_tune),
		cmocka_unit_test(test_tune_gone),
		cmocka_unit_test(test_tune_refused),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_report_host),
		cmocka_unit_test(test_report_without_rdma),
		cmocka_unit_test(test_masks),
		cmocka_unit_test(test_cdi),
		cmocka_unit_test(test_monitor),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_no_arguments),
		cmocka_unit_test(test_full_disk),
	};
	struct CMUnitTest tests[N];
	int failed;

	for (size_t i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){ .name = rows[i].args,
						.test_func = test_row,
						.initial_state = (void *)&rows[i] };
	failed = cmocka_run_group_tests_name("command lines", tests, NULL, NULL);
	failed += cmocka_run_group_tests_name("others", others, NULL, NULL);
	return failed != 0;
}
