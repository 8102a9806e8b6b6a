/* SPDX-License-Identifier: GPL-2.0 */
/* The DSCP of a struct flowi4. */
#ifndef COMPAT_NET_FLOW_H
#define COMPAT_NET_FLOW_H

#include_next <net/flow.h>
#include <net/inet_dscp.h>

/* flowi4_tos (a TOS byte) became flowi4_dscp (a dscp_t). */
static inline void rxe_flowi4_set_dscp(struct flowi4 *fl4, dscp_t dscp)
{
#ifdef flowi4_dscp
	fl4->flowi4_dscp = dscp;
#else
	fl4->flowi4_tos = inet_dscp_to_dsfield(dscp);
#endif
}

#endif
