// SPDX-License-Identifier: GPL-2.0
/*
 * Responder resources: allocation, lookup and scheduling of responses.
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include <roce/psn.h>
#include "transport/responder/resources.h"

/* The slot that @age newer slots follow. */
static struct roce_rsrc *rsrc_of_age(const struct roce_resp *resp, u32 age)
{
	return &resp->res[(resp->res_head + resp->res_size - 1 - age) % resp->res_size];
}

static u32 age_of(const struct roce_resp *resp, const struct roce_rsrc *res)
{
	return (resp->res_head + resp->res_size - 1 - (u32)(res - resp->res)) % resp->res_size;
}

static bool is_scheduled(const struct roce_rsrc *res)
{
	return res->state == ROCE_RSRC_SCHEDULED || res->state == ROCE_RSRC_REPLAYING;
}

/* Usually the next slot: only a replay leaves others between scheduled ones. */
static struct roce_rsrc *next_scheduled(const struct roce_resp *resp, const struct roce_rsrc *res)
{
	u32 age = age_of(resp, res);

	while (age-- > 0) {
		struct roce_rsrc *next = rsrc_of_age(resp, age);

		if (is_scheduled(next))
			return next;
	}
	return NULL;
}

struct roce_rsrc *roce_rsrc_new(struct roce_resp *resp)
{
	struct roce_rsrc *res;

	if (!resp->res_size)
		return NULL;
	res = &resp->res[resp->res_head];
	if (res->state == ROCE_RSRC_SCHEDULED)
		return NULL;
	/* The requester has sent a later request, so it has received the responses. */
	roce_rsrc_cancel_replay(resp, res);
	resp->res_head = (resp->res_head + 1) % resp->res_size;
	memset(res, 0, sizeof(*res));
	return res;
}

const struct roce_rsrc *roce_rsrc_newest(const struct roce_resp *resp)
{
	return rsrc_of_age(resp, 0);
}

void roce_rsrc_release_last(struct roce_resp *resp)
{
	resp->res_head = rsrc_of_age(resp, 0) - resp->res;
}

/* The newest first: PSNs wrap, so an old resource may have responses at @psn, too. */
struct roce_rsrc *roce_rsrc_find(struct roce_resp *resp, u32 psn, enum roce_rsrc_kind kind)
{
	u32 age;

	for (age = 0; age < resp->res_size; age++) {
		struct roce_rsrc *res = rsrc_of_age(resp, age);

		if (res->state != ROCE_RSRC_FREE && res->kind == kind &&
		    roce_psn_within(psn, res->first_psn, res->last_psn))
			return res;
	}
	return NULL;
}

/*
 * A replay is sent before later READs, of which the first goes on where it was: behind a READ that
 * the requester keeps re-requesting the replay would never be sent.
 */
static void put_in_order(struct roce_resp *resp, struct roce_rsrc *res)
{
	struct roce_rsrc *first = resp->first_scheduled;

	if (!first || age_of(resp, res) >= age_of(resp, first))
		resp->first_scheduled = res;
}

void roce_rsrc_schedule(struct roce_resp *resp, struct roce_rsrc *res, u32 psn, u32 end)
{
	if (!is_scheduled(res)) {
		put_in_order(resp, res);
		res->state = res->state == ROCE_RSRC_FREE ? ROCE_RSRC_SCHEDULED :
							    ROCE_RSRC_REPLAYING;
		res->end_psn = end;
	} else {
		if (roce_psn_after(end, res->end_psn))
			res->end_psn = end;
		if (!roce_psn_before(psn, res->next_psn))
			return;
	}
	res->next_psn = psn;
	res->restart = true;
}

void roce_rsrc_complete(struct roce_resp *resp)
{
	struct roce_rsrc *res = resp->first_scheduled;

	res->state = res->state == ROCE_RSRC_SCHEDULED ? ROCE_RSRC_SENT : ROCE_RSRC_REPLAYED;
	resp->first_scheduled = next_scheduled(resp, res);
}

void roce_rsrc_cancel_replay(struct roce_resp *resp, struct roce_rsrc *res)
{
	if (res->state != ROCE_RSRC_REPLAYING)
		return;
	res->state = ROCE_RSRC_REPLAYED;
	if (resp->first_scheduled == res)
		resp->first_scheduled = next_scheduled(resp, res);
}

void roce_rsrc_cancel_all(struct roce_resp *resp)
{
	while (resp->first_scheduled)
		roce_rsrc_complete(resp);
}

void roce_rsrc_clear(struct roce_resp *resp)
{
	if (resp->res_size)
		memset(resp->res, 0, resp->res_size * sizeof(*resp->res));
	resp->res_head = 0;
	resp->first_scheduled = NULL;
}

u32 roce_scheduled_responses(const struct roce_qp *qp)
{
	const struct roce_rsrc *res = qp->resp.first_scheduled;
	u32 n = 0;

	for (; res; res = next_scheduled(&qp->resp, res))
		n++;
	return n;
}

/* Copy the newest @n resources to the front of @to, oldest first. */
static u32 copy_newest(const struct roce_resp *resp, struct roce_rsrc *to, u32 n)
{
	u32 keep = min_t(u32, n, resp->res_size), kept = 0, i;

	for (i = keep; i-- > 0;) {
		const struct roce_rsrc *res = rsrc_of_age(resp, i);

		if (res->state != ROCE_RSRC_FREE)
			to[kept++] = *res;
	}
	return kept;
}

struct roce_rsrc *roce_set_resources(struct roce_qp *qp, struct roce_rsrc *res, u32 n)
{
	struct roce_resp *resp = &qp->resp;
	struct roce_rsrc *old = resp->res;
	u32 kept = copy_newest(resp, res, n), i;

	resp->res = res;
	resp->res_size = n;
	resp->res_head = n ? kept % n : 0;
	resp->first_scheduled = NULL;
	for (i = kept; i-- > 0;)
		if (is_scheduled(&res[i]))
			resp->first_scheduled = &res[i];
	return old;
}
