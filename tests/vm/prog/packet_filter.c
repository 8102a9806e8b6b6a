// SPDX-License-Identifier: GPL-2.0
/*
 * packet_filter HOOK NETDEV pass|drop FILE: attach a BPF program to the packets that the interface
 * receives (or, at tcx-egress, sends). It passes all packets, or drops RoCEv2 packets, until this
 * process is terminated. FILE is created when the BPF program is attached. HOOK is xdp,
 * xdp-generic,
 * tcx-ingress or tcx-egress.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/pkt_cls.h>
#include <linux/udp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util.h"

#define ROCE_PORT 4791

/* <linux/bpf.h> defines them since 6.6. */
#define TCX_INGRESS 46
#define TCX_EGRESS 47

struct hook {
	const char *name;
	uint32_t prog_type;
	uint32_t attach_type;
	uint32_t flags;
	int16_t data; /* offsets of the packet's start and end in the context */
	int16_t data_end;
	int32_t pass;
	int32_t drop;
};

static const struct hook hooks[] = {
	{ "xdp", BPF_PROG_TYPE_XDP, BPF_XDP, XDP_FLAGS_DRV_MODE, offsetof(struct xdp_md, data),
	  offsetof(struct xdp_md, data_end), XDP_PASS, XDP_DROP },
	{ "xdp-generic", BPF_PROG_TYPE_XDP, BPF_XDP, XDP_FLAGS_SKB_MODE,
	  offsetof(struct xdp_md, data), offsetof(struct xdp_md, data_end), XDP_PASS, XDP_DROP },
	{ "tcx-ingress", BPF_PROG_TYPE_SCHED_CLS, TCX_INGRESS, 0, offsetof(struct __sk_buff, data),
	  offsetof(struct __sk_buff, data_end), TC_ACT_UNSPEC, TC_ACT_SHOT },
	{ "tcx-egress", BPF_PROG_TYPE_SCHED_CLS, TCX_EGRESS, 0, offsetof(struct __sk_buff, data),
	  offsetof(struct __sk_buff, data_end), TC_ACT_UNSPEC, TC_ACT_SHOT },
};

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

#define INSN(op, dst_reg_, src_reg_, off_, imm_)                                              \
	((struct bpf_insn){ .code = (op),                                                     \
			    .dst_reg = (dst_reg_),                                            \
			    .src_reg = (src_reg_),                                            \
			    .off = (off_),                                                    \
			    .imm = (imm_) })
#define LOAD(size, dst, src, off) INSN(BPF_LDX | BPF_MEM | (size), dst, src, off, 0)
#define MOVE(dst, src) INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define SET(dst, imm) INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm)
#define ADD(dst, imm) INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm)
#define JUMP_IF_BEYOND(dst, src, off) INSN(BPF_JMP | BPF_JGT | BPF_X, dst, src, off, 0)
#define JUMP_UNLESS(dst, imm, off) INSN(BPF_JMP | BPF_JNE | BPF_K, dst, 0, off, imm)
#define EXIT() INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* r0 is the verdict, r2 the start of the packet, r3 its end. */
static int load(const struct hook *hook, bool drop)
{
	const int ip = ETH_HLEN;
	const int udp4 = ip + sizeof(struct iphdr), udp6 = ip + sizeof(struct ipv6hdr);
	const int port = offsetof(struct udphdr, dest);
	const struct bpf_insn insns[] = {
		LOAD(BPF_W, 2, 1, hook->data),
		LOAD(BPF_W, 3, 1, hook->data_end),
		SET(0, hook->pass),
		/* IPv4: otherwise jump to the next family, or to the end. */
		MOVE(4, 2),
		ADD(4, udp4 + sizeof(struct udphdr)),
		JUMP_IF_BEYOND(4, 3, 15),
		LOAD(BPF_H, 5, 2, offsetof(struct ethhdr, h_proto)),
		JUMP_UNLESS(5, htons(ETH_P_IP), 5),
		LOAD(BPF_B, 5, 2, ip + offsetof(struct iphdr, protocol)),
		JUMP_UNLESS(5, IPPROTO_UDP, 11),
		LOAD(BPF_H, 5, 2, udp4 + port),
		JUMP_UNLESS(5, htons(ROCE_PORT), 9),
		INSN(BPF_JMP | BPF_JA, 0, 0, 7, 0),
		/* IPv6 */
		MOVE(4, 2),
		ADD(4, udp6 + sizeof(struct udphdr)),
		JUMP_IF_BEYOND(4, 3, 5),
		LOAD(BPF_B, 5, 2, ip + offsetof(struct ipv6hdr, nexthdr)),
		JUMP_UNLESS(5, IPPROTO_UDP, 3),
		LOAD(BPF_H, 5, 2, udp6 + port),
		JUMP_UNLESS(5, htons(ROCE_PORT), 1),
		SET(0, drop ? hook->drop : hook->pass),
		EXIT(),
	};
	union bpf_attr attr = {
		.prog_type = hook->prog_type,
		.expected_attach_type = hook->attach_type,
		.insns = (uintptr_t)insns,
		.insn_cnt = sizeof(insns) / sizeof(*insns),
		.license = (uintptr_t) "GPL",
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0)
		die("the kernel refuses the program: %s", strerror(errno));
	return fd;
}

static void attach(const struct hook *hook, const char *netdev, int prog)
{
	union bpf_attr attr = {
		.link_create = {
			.prog_fd = prog,
			.target_ifindex = if_nametoindex(netdev),
			.attach_type = hook->attach_type,
			.flags = hook->flags,
		},
	};

	if (bpf(BPF_LINK_CREATE, &attr) < 0)
		die("%s cannot be attached to %s: %s", hook->name, netdev, strerror(errno));
}

int main(int argc, char **argv)
{
	const struct hook *hook = hooks, *end = hooks + sizeof(hooks) / sizeof(*hooks);
	sigset_t term;
	bool drop;
	int sig;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	if (argc != 5)
		die("usage: packet_filter HOOK NETDEV pass|drop FILE");
	while (hook < end && strcmp(hook->name, argv[1]))
		hook++;
	drop = !strcmp(argv[3], "drop");
	if (hook == end || (!drop && strcmp(argv[3], "pass")))
		die("no hook \"%s\", or neither pass nor drop: \"%s\"", argv[1], argv[3]);
	attach(hook, argv[2], load(hook, drop));
	if (open(argv[4], O_CREAT | O_WRONLY, 0600) < 0)
		die("%s: %s", argv[4], strerror(errno));
	sigwait(&term, &sig);
	return 0;
}
