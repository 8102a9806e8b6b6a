/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Self-checks of the model: rates and fairness of TCP alone, disciplines, conservation of packets.
 */
#ifndef SHARED_SELF_CHECK_H
#define SHARED_SELF_CHECK_H

#include <linux/types.h>

/* Run and print all checks; false if one fails. */
bool self_check(void);

#endif
