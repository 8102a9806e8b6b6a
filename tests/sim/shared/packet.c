// SPDX-License-Identifier: GPL-2.0
/* Packets of the network: allocation and count. */
#include <stdlib.h>
#include <linux/string.h>

#include "packet.h"

static struct packet *pool;
static u64 in_use;

struct packet *packet_new(void)
{
	struct packet *p = pool;

	if (p)
		pool = p->next;
	else
		p = malloc(sizeof(*p));
	if (!p)
		abort();
	memset(p, 0, sizeof(*p));
	in_use++;
	return p;
}

void packet_free(struct packet *p)
{
	p->next = pool;
	pool = p;
	in_use--;
}

u64 packets_in_use(void)
{
	return in_use;
}
