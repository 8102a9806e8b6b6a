// SPDX-License-Identifier: GPL-2.0
/* Path MTU that fits an interface's MTU. */
#include "sys/mtu_calc.h"

unsigned int mtu_fitting(unsigned int netdev_mtu)
{
	unsigned int mtu = MTU_MAX;

	while (mtu >= MTU_MIN && mtu + MTU_OVERHEAD > netdev_mtu)
		mtu /= 2;
	return mtu >= MTU_MIN ? mtu : 0;
}
