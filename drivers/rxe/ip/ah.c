// SPDX-License-Identifier: GPL-2.0
/*
 * Address handles (AH): create, modify, query and destroy.
 */
#include <rdma/ib_verbs.h>
#include <rdma/rdma_user_rxe.h>
#include <rdma/uverbs_ioctl.h>

#include "ip/ah.h"
#include "ip/dest.h"
#include "ip/path.h"
#include "base/device.h"

static void rxe_ah_remember(struct rxe_ah *ah, const struct rdma_ah_attr *attr)
{
	ah->attr = *attr;
	ah->attr.grh.sgid_attr = NULL;
}

/*
 * Libraries from before 2021 request no response (outlen is 0): they put an address vector into
 * each WQE instead of the number of the AH.
 */
static int rxe_ah_report(struct rxe_dest *dest, struct ib_udata *udata)
{
	struct rxe_create_ah_resp resp = {};
	int err;

	if (!udata->outlen)
		return 0;
	if (udata->outlen < sizeof(resp)) {
		ibdev_dbg(&dest->dev->ibdev, "user library takes %zu bytes, not %zu\n",
			  udata->outlen, sizeof(resp));
		return -EINVAL;
	}
	err = rxe_dest_publish(dest);
	if (err)
		return err;
	resp.ah_num = dest->num;
	err = ib_copy_to_udata(udata, &resp, sizeof(resp));
	if (err)
		rxe_dest_unpublish(dest);
	return err;
}

int rxe_create_ah(struct ib_ah *ibah, struct rdma_ah_init_attr *init, struct ib_udata *udata)
{
	gfp_t gfp = init->flags & RDMA_CREATE_AH_SLEEPABLE ? GFP_KERNEL : GFP_ATOMIC;
	struct rxe_dev *dev = to_rxe_dev(ibah->device);
	struct rxe_ah *ah = to_rxe_ah(ibah);
	struct rxe_dest *dest;
	int err;

	if (udata && !rxe_path_may_use(init->ah_attr))
		return -EPERM;
	dest = rxe_dest_create(dev, ibah->pd, init->ah_attr, gfp);
	if (IS_ERR(dest)) {
		ibdev_dbg(&dev->ibdev, "no path for an address handle (error %ld)\n",
			  PTR_ERR(dest));
		return PTR_ERR(dest);
	}
	if (udata) {
		err = rxe_ah_report(dest, udata);
		if (err)
			goto err_put_dest;
	}
	ah->dest = dest;
	rxe_ah_remember(ah, init->ah_attr);
	return 0;

err_put_dest:
	rxe_dest_put(dest);
	return err;
}

int rxe_modify_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr)
{
	struct rxe_ah *ah = to_rxe_ah(ibah);
	int err = rxe_dest_set(ah->dest, attr);

	if (!err)
		rxe_ah_remember(ah, attr);
	return err;
}

int rxe_query_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr)
{
	*attr = to_rxe_ah(ibah)->attr;
	return 0;
}

int rxe_destroy_ah(struct ib_ah *ibah, u32 flags)
{
	struct rxe_dest *dest = to_rxe_ah(ibah)->dest;

	rxe_dest_unpublish(dest);
	rxe_dest_put(dest);
	return 0;
}
