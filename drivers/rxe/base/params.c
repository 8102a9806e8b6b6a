// SPDX-License-Identifier: GPL-2.0
/*
 * Module parameters: definitions, and the limits that follow from them.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <net/inet_ecn.h>
#include <roce/qp.h>

#include "base/params.h"

#define IGNORED "Ignored, accepted for compatibility: "

/**
 * struct limit - integer parameter that does not apply while it has its default value
 * @initial: the default; writing it lets the transport choose again
 * @value: the current value, at least 1; written without a lock
 */
struct limit {
	int initial;
	int value;
};

static int limit_set(const char *text, const struct kernel_param *kp)
{
	struct limit *limit = kp->arg;
	int value, err;

	err = kstrtoint(text, 0, &value);
	if (err)
		return err;
	if (value < 1)
		return -EINVAL;
	WRITE_ONCE(limit->value, value);
	return 0;
}

static int limit_get(char *text, const struct kernel_param *kp)
{
	const struct limit *limit = kp->arg;

	return sysfs_emit(text, "%d\n", READ_ONCE(limit->value));
}

static const struct kernel_param_ops limit_ops = {
	.set = limit_set,
	.get = limit_get,
};

#define LIMIT(name, initial, text)                             \
	static struct limit name = { (initial), (initial) };   \
	module_param_cb(name, &limit_ops, &(name), 0644);      \
	__MODULE_PARM_TYPE(name, "int");                       \
	MODULE_PARM_DESC(name, text)

LIMIT(max_unacked_psns, 128,
      "Upper bound of the congestion window: unacknowledged packets per QP; automatic at its default");
LIMIT(max_pkt_per_ack, 64,
      "Upper bound of packets between two acknowledgement requests; automatic at its default");
LIMIT(inflight_skbs_per_qp_high, 64,
      "Upper bound of the congestion window as well, the lower of both applies; automatic at its "
      "default");

static int inflight_skbs_per_qp_low = 16;
module_param(inflight_skbs_per_qp_low, int, 0644);
MODULE_PARM_DESC(inflight_skbs_per_qp_low,
		 IGNORED "each acknowledgement resumes transmission");

/**
 * struct choice - parameter with one of several values
 * @name: returns the value of an index, the default for 0, NULL behind the last one
 * @index: index of the current value; written without a lock
 */
struct choice {
	const char *(*name)(u32 i);
	u32 index;
};

static int choice_set(const char *text, const struct kernel_param *kp)
{
	struct choice *choice = kp->arg;
	const char *name;
	u32 i;

	for (i = 0; (name = choice->name(i)); i++)
		if (sysfs_streq(text, name)) {
			WRITE_ONCE(choice->index, i);
			return 0;
		}
	return -EINVAL;
}

static const char *choice_name(const struct choice *choice)
{
	return choice->name(READ_ONCE(choice->index));
}

static int choice_get(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%s\n", choice_name(kp->arg));
}

static const struct kernel_param_ops choice_ops = {
	.set = choice_set,
	.get = choice_get,
};

#define CHOICE(name, value, text)                          \
	static struct choice name = { (value), 0 };        \
	module_param_cb(name, &choice_ops, &(name), 0644); \
	__MODULE_PARM_TYPE(name, "charp");                 \
	MODULE_PARM_DESC(name, text)

CHOICE(cc, roce_cc_name,
       "Congestion control of queue pairs created from then on: delay, aimd or fixed");

static const char *ecn_name(u32 i)
{
	static const char *const names[] = {
		[RXE_ECN_APP] = "app",
		[RXE_ECN_ALWAYS] = "always",
		[RXE_ECN_NEVER] = "never",
	};

	return i < ARRAY_SIZE(names) ? names[i] : NULL;
}

CHOICE(ecn, ecn_name,
       "ECN of connections made from then on: app, as the application's traffic class says; always, "
       "ECT(0); never, not ECT");

static const char *max_path_mtu_name(u32 i)
{
	static const char *const names[] = { "port", "route" };

	return i < ARRAY_SIZE(names) ? names[i] : NULL;
}

CHOICE(max_path_mtu, max_path_mtu_name,
       "Largest path MTU of new connections: port, what the interface carries; route, what the route to "
       "the peer carries, too");

static int cnp_dscp_set(const char *text, const struct kernel_param *kp)
{
	u8 value;
	int err = kstrtou8(text, 0, &value);

	if (err)
		return err;
	if (value > 63)
		return -EINVAL;
	WRITE_ONCE(*(u8 *)kp->arg, value);
	return 0;
}

static const struct kernel_param_ops cnp_dscp_ops = {
	.set = cnp_dscp_set,
	.get = param_get_byte,
};

static u8 cnp_dscp = 48;
module_param_cb(cnp_dscp, &cnp_dscp_ops, &cnp_dscp, 0644);
__MODULE_PARM_TYPE(cnp_dscp, "byte");
MODULE_PARM_DESC(cnp_dscp, "DSCP of congestion notification packets (CNP), 0 to 63");

static int max_iterations = 1024;
module_param(max_iterations, int, 0644);
MODULE_PARM_DESC(max_iterations, "Packets sent per QP before yielding");

static bool use_sg = true;
module_param(use_sg, bool, 0644);
MODULE_PARM_DESC(use_sg, "Send several packets in one socket buffer with page fragments (GSO) if the "
			 "interface supports it; otherwise one packet in each socket buffer");

bool rxe_param_xmit_hard = true;
module_param_named(xmit_hard, rxe_param_xmit_hard, bool, 0644);
MODULE_PARM_DESC(xmit_hard, "Bypass the network stack and hand packets directly to the transmit queue "
			    "where no filter, shaper or other condition is in the way");

bool rxe_param_skb_hash_to_txq = true;
module_param_named(skb_hash_to_txq, rxe_param_skb_hash_to_txq, bool, 0444);
MODULE_PARM_DESC(skb_hash_to_txq, "With xmit_hard: select the transmit queue by QP number instead of by "
				  "CPU, unless the driver selects it");

int rxe_param_simd = -1;
module_param_named(simd, rxe_param_simd, int, 0444);
MODULE_PARM_DESC(simd, "Maximum width in bits of the vector registers for ICRCs: 0, 128 or 512; default: "
		       "the fastest; reads as the width in use");

static bool dump_qp_on_error;
module_param(dump_qp_on_error, bool, 0644);
MODULE_PARM_DESC(dump_qp_on_error, "Log the state of a QP when it enters the error state");

static int param_ndelay;
module_param_named(ndelay, param_ndelay, int, 0644);
MODULE_PARM_DESC(ndelay, IGNORED "no inter-packet delay is implemented");

static bool disable_numa_balance = true;
module_param(disable_numa_balance, bool, 0644);
MODULE_PARM_DESC(disable_numa_balance,
		 IGNORED "rings are allocated on the node of the process that creates them");

static unsigned long long exclude_numa_mask;
module_param(exclude_numa_mask, ullong, 0644);
MODULE_PARM_DESC(exclude_numa_mask, IGNORED "memory policies determine the nodes in use");

static bool log_numa;
module_param(log_numa, bool, 0644);
MODULE_PARM_DESC(log_numa, IGNORED "there are no per-node counters");

static char *cray_version = RXE_VERSION;
module_param(cray_version, charp, 0444);
MODULE_PARM_DESC(cray_version, "Version of this module");

static u32 limit_of(const struct limit *limit)
{
	int value = READ_ONCE(limit->value);

	return value != limit->initial ? value : U32_MAX;
}

void rxe_params_get(struct rxe_params *p)
{
	u32 psns = limit_of(&max_unacked_psns), skbs = limit_of(&inflight_skbs_per_qp_high);

	p->cwnd_clamp = min(psns, skbs);
	p->cwnd_limited_by_txq = skbs < psns;
	p->max_ack_interval = limit_of(&max_pkt_per_ack);
}

const char *rxe_params_cc(void)
{
	return choice_name(&cc);
}

u8 rxe_params_ecn(u8 tclass)
{
	switch (READ_ONCE(ecn.index)) {
	case RXE_ECN_ALWAYS:
		return (tclass & ~INET_ECN_MASK) | INET_ECN_ECT_0;
	case RXE_ECN_NEVER:
		return tclass & ~INET_ECN_MASK;
	default:
		return tclass;
	}
}

u8 rxe_params_cnp_tclass(void)
{
	return READ_ONCE(cnp_dscp) << 2;
}

bool rxe_params_check_route_mtu(void)
{
	return READ_ONCE(max_path_mtu.index);
}

u32 rxe_params_budget(void)
{
	return max(READ_ONCE(max_iterations), 1);
}

bool rxe_params_use_sg(void)
{
	return READ_ONCE(use_sg);
}

bool rxe_params_dump_qp(void)
{
	return READ_ONCE(dump_qp_on_error);
}
