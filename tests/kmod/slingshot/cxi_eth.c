// SPDX-License-Identifier: GPL-2.0
/*
 * Stub of the adapters' own module, with the parameter that their setup requires.
 */
#include <linux/module.h>

static int large_pkts_buf_count;
module_param(large_pkts_buf_count, int, 0444);
MODULE_PARM_DESC(large_pkts_buf_count, "read by others");

MODULE_DESCRIPTION("Parameters of an adapter");
MODULE_LICENSE("GPL");
