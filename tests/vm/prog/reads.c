// SPDX-License-Identifier: GPL-2.0
/*
 * READs of all lengths and alignments, many at a time, over a lossy network: they complete in
 * order,
 * and each stores exactly the bytes that it requested.
 *
 * 	reads DEVICE GID-INDEX DEVICE GID-INDEX READS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"

#define LONGEST	  65536u
#define SLOT	  (LONGEST + 64u)
#define DEPTH	  16u
#define UNTOUCHED 0xaa

static const struct pair_attr attr = { IBV_MTU_1024, 14, 0xffff00 };

/* The byte at offset @at of the peer's memory. No two packets have the same payload. */
static uint8_t content(uint32_t at)
{
	return at * 31 + at / 256 * 7;
}

static uint32_t length_of(uint64_t i)
{
	return i % 4 ? i * 40503 % LONGEST + 1 : LONGEST;
}

static uint32_t place_of(uint64_t i)
{
	return i * 7919 % LONGEST;
}

static void post(struct side *s, const struct side *peer, uint64_t i)
{
	uint8_t *slot = s->buf + i % DEPTH * SLOT;
	struct ibv_sge sge = { (uintptr_t)slot, length_of(i), s->mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = i,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_RDMA_READ,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { (uintptr_t)peer->buf + place_of(i), peer->mr->rkey },
	};

	memset(slot, UNTOUCHED, SLOT);
	if (ibv_post_send(s->qp, &wr, &bad))
		die("READ %lu cannot be posted", i);
}

static void check(const struct side *s, uint64_t i)
{
	const uint8_t *slot = s->buf + i % DEPTH * SLOT;
	uint32_t k;

	for (k = 0; k < SLOT; k++) {
		uint8_t expect = k < length_of(i) ? content(place_of(i) + k) : UNTOUCHED;

		if (slot[k] != expect)
			die("READ %lu: byte %u of %u is %02x, not %02x", i, k, length_of(i),
			    slot[k], expect);
	}
}

int main(int argc, char **argv)
{
	uint64_t n, i, posted = 0;
	struct side a, b;
	struct ibv_wc wc;

	if (argc != 6)
		die("usage: reads DEVICE GID-INDEX DEVICE GID-INDEX READS");
	n = strtoul(argv[5], NULL, 0);
	side_open(&a, argv[1], atoi(argv[2]), DEPTH * SLOT);
	side_open(&b, argv[3], atoi(argv[4]), 2 * LONGEST);
	for (i = 0; i < b.size; i++)
		b.buf[i] = content(i);
	pair_create(&a, &b, &attr);
	for (i = 0; i < n; i++) {
		for (; posted < n && posted < i + DEPTH; posted++)
			post(&a, &b, posted);
		while (!ibv_poll_cq(a.cq, 1, &wc))
			;
		if (wc.status != IBV_WC_SUCCESS || wc.wr_id != i)
			die("READ %lu of %lu: %s", wc.wr_id, i, ibv_wc_status_str(wc.status));
		check(&a, i);
	}
	pair_destroy(&a, &b);
	printf("%lu READs\n", n);
	return 0;
}
