// SPDX-License-Identifier: GPL-2.0
#include <linux/minmax.h>
#include <linux/string.h>

#include <roce/psn.h>
#include "transport/responder/resources.h"

/* Slot of the record that is @age records old, 0 the latest. */
static u32 slot_of_age(const struct roce_resp *resp, u32 age)
{
	return (resp->res_head + resp->res_size - 1 - age) % resp->res_size;
}

/* Take @res out of the middle of the queue. */
static void dequeue(struct roce_resp *resp, struct roce_rsrc *res)
{
	u32 n = resp->res_size, slot = res - resp->res, from, to = 0;

	for (from = 0; from < resp->pend_count; from++) {
		u8 other = resp->pend[(resp->pend_head + from) % n];

		if (other != slot)
			resp->pend[(resp->pend_head + to++) % n] = other;
	}
	resp->pend_count = to;
	res->pending = false;
}

struct roce_rsrc *roce_rsrc_new(struct roce_resp *resp)
{
	struct roce_rsrc *res;

	if (!resp->res_size)
		return NULL;
	res = &resp->res[resp->res_head];
	if (res->pending && !res->completed)
		return NULL;
	/* A request that late shows that the requester has had its answer. */
	roce_rsrc_cancel(resp, res);
	resp->res_head = (resp->res_head + 1) % resp->res_size;
	memset(res, 0, sizeof(*res));
	res->valid = true;
	return res;
}

void roce_rsrc_release_last(struct roce_resp *resp)
{
	resp->res_head = slot_of_age(resp, 0);
	resp->res[resp->res_head].valid = false;
}

/* The latest first: PSNs go round, and an old record may cover @psn as well. */
struct roce_rsrc *roce_rsrc_find(struct roce_resp *resp, u32 psn, enum roce_rsrc_kind kind)
{
	u32 age;

	for (age = 0; age < resp->res_size; age++) {
		struct roce_rsrc *res = &resp->res[slot_of_age(resp, age)];

		if (res->valid && res->kind == kind &&
		    roce_psn_within(psn, res->first_psn, res->last_psn))
			return res;
	}
	return NULL;
}

/*
 * Queue @res in the order of PSNs, which is the order in which the requester takes
 * responses. It may go in front of a READ that is being answered: behind one that
 * is asked for again and again it would never have its turn.
 */
static void enqueue(struct roce_resp *resp, struct roce_rsrc *res)
{
	u32 n = resp->res_size, i, slot;

	for (i = resp->pend_count++; i > 0; i--) {
		slot = resp->pend[(resp->pend_head + i - 1) % n];
		if (!roce_psn_after(resp->res[slot].first_psn, res->first_psn))
			break;
		resp->pend[(resp->pend_head + i) % n] = slot;
		resp->res[slot].restart = true;
	}
	resp->pend[(resp->pend_head + i) % n] = res - resp->res;
	res->pending = true;
}

void roce_rsrc_schedule(struct roce_resp *resp, struct roce_rsrc *res, u32 psn, u32 end)
{
	if (!res->pending) {
		enqueue(resp, res);
		res->end_psn = end;
	} else {
		if (roce_psn_after(end, res->end_psn))
			res->end_psn = end;
		if (!roce_psn_before(psn, res->next_psn))
			return;	/* on its way already */
	}
	res->next_psn = psn;
	res->restart = true;
}

struct roce_rsrc *roce_rsrc_pending(const struct roce_resp *resp)
{
	if (!resp->pend_count)
		return NULL;
	return &resp->res[resp->pend[resp->pend_head]];
}

void roce_rsrc_complete(struct roce_resp *resp)
{
	struct roce_rsrc *res = &resp->res[resp->pend[resp->pend_head]];

	res->pending = false;
	res->completed = true;
	resp->pend_head = (resp->pend_head + 1) % resp->res_size;
	resp->pend_count--;
}

void roce_rsrc_cancel(struct roce_resp *resp, struct roce_rsrc *res)
{
	if (res->pending)
		dequeue(resp, res);
}

void roce_rsrc_cancel_all(struct roce_resp *resp)
{
	while (resp->pend_count)
		roce_rsrc_complete(resp);
}

void roce_rsrc_clear(struct roce_resp *resp)
{
	if (resp->res_size)
		memset(resp->res, 0, resp->res_size * sizeof(*resp->res));
	resp->res_head = 0;
	resp->pend_head = 0;
	resp->pend_count = 0;
}

/* Copy the latest records to the front of @to, oldest first. */
static u32 copy_latest(const struct roce_resp *resp, struct roce_rsrc *to, u32 n)
{
	u32 keep = min_t(u32, n, resp->res_size), kept = 0, i;

	for (i = keep; i-- > 0;) {
		const struct roce_rsrc *res = &resp->res[slot_of_age(resp, i)];

		if (res->valid)
			to[kept++] = *res;
	}
	return kept;
}

struct roce_rsrc *roce_set_resources(struct roce_qp *qp, struct roce_rsrc *res, u8 **pend, u32 n)
{
	struct roce_resp *resp = &qp->resp;
	struct roce_rsrc *old_res = resp->res;
	u8 *old_pend = resp->pend;
	u32 kept = n ? copy_latest(resp, res, n) : 0;
	u32 i;

	resp->res = res;
	resp->pend = *pend;
	resp->res_size = n;
	resp->res_head = n ? kept % n : 0;
	resp->pend_head = 0;
	resp->pend_count = 0;
	for (i = 0; i < kept; i++)
		if (res[i].pending)
			enqueue(resp, &res[i]);
	*pend = old_pend;
	return old_res;
}
