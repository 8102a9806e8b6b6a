// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>

#include "base/params.h"

#define WITHOUT_EFFECT "Without effect, taken for compatibility: "

/**
 * struct limit - an integer parameter that is automatic while it has its default
 * @initial: the default, which may be written as well, to put things back as they were
 * @value: what is read back: the default or what was written
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
      "Upper bound of a QP's packets that may be unacknowledged; automatic at its default");
LIMIT(max_pkt_per_ack, 64,
      "Upper bound of packets for which one acknowledgement is asked; automatic at its default");
LIMIT(inflight_skbs_per_qp_high, 64,
      "Upper bound of a QP's packets on their way; automatic at its default");

static int inflight_skbs_per_qp_low = 16;
module_param(inflight_skbs_per_qp_low, int, 0644);
MODULE_PARM_DESC(inflight_skbs_per_qp_low,
		 WITHOUT_EFFECT "sending goes on with each acknowledgement");

static int max_iterations = 1024;
module_param(max_iterations, int, 0644);
MODULE_PARM_DESC(max_iterations, "Packets that a QP sends before others have their turn");

static bool use_sg = true;
module_param(use_sg, bool, 0644);
MODULE_PARM_DESC(use_sg, "Send packets in page fragments, many to a buffer where the interface "
			 "allows it; otherwise each in a buffer of its own");

static bool dump_qp_on_error;
module_param(dump_qp_on_error, bool, 0644);
MODULE_PARM_DESC(dump_qp_on_error, "Log where a QP stands when it enters the error state");

static int param_ndelay;
module_param_named(ndelay, param_ndelay, int, 0644);
MODULE_PARM_DESC(ndelay, WITHOUT_EFFECT "nothing waits between packets");

static bool disable_numa_balance = true;
module_param(disable_numa_balance, bool, 0644);
MODULE_PARM_DESC(disable_numa_balance,
		 WITHOUT_EFFECT "rings lie on the node of whoever creates them");

static unsigned long long exclude_numa_mask;
module_param(exclude_numa_mask, ullong, 0644);
MODULE_PARM_DESC(exclude_numa_mask, WITHOUT_EFFECT "memory policies say which nodes are used");

static bool log_numa;
module_param(log_numa, bool, 0644);
MODULE_PARM_DESC(log_numa, WITHOUT_EFFECT "there are no counters of nodes");

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

	p->max_window = min(psns, skbs);
	p->cwnd_limited_by_txq = skbs < psns;
	p->max_ack_interval = limit_of(&max_pkt_per_ack);
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
