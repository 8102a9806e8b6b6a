// SPDX-License-Identifier: GPL-2.0
/*
 * Destinations of datagrams: reference counts, lookup by AH number, routes.
 */
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include <rdma/ib_cache.h>
#include <roce/wire.h>

#include "ip/dest.h"
#include "base/device.h"

int rxe_dest_set(struct rxe_dest *dest, const struct rdma_ah_attr *attr)
{
	int err;

	spin_lock_bh(&dest->lock);
	err = rxe_path_set(&dest->path, attr, dest->flow, 1);
	spin_unlock_bh(&dest->lock);
	return err;
}

struct rxe_dest *rxe_dest_create(struct rxe_dev *dev, const struct ib_pd *pd,
				 const struct rdma_ah_attr *attr, gfp_t gfp)
{
	struct rxe_dest *dest;
	unsigned long flags;
	int err;

	dest = kzalloc(sizeof(*dest), gfp | __GFP_ACCOUNT | __GFP_NOWARN);
	if (!dest)
		return ERR_PTR(-ENOMEM);
	refcount_set(&dest->refs, 1);
	spin_lock_init(&dest->lock);
	dest->dev = dev;
	dest->pd = pd;
	dest->flow = get_random_u32() & ROCE_BTH_QPN;
	/* Either rxe_net_leave() finds the destination, or rxe_path_set() no membership. */
	spin_lock_irqsave(&dev->dests_lock, flags);
	err = rxe_path_set(&dest->path, attr, dest->flow, 1);
	if (!err)
		list_add_tail(&dest->node, &dev->dests);
	spin_unlock_irqrestore(&dev->dests_lock, flags);
	if (err) {
		kfree(dest);
		return ERR_PTR(err);
	}
	return dest;
}

struct rxe_dest *rxe_dest_create_from_av(struct rxe_dev *dev, const struct ib_pd *pd,
					 const struct rxe_av *av)
{
	struct rdma_ah_attr attr = { .type = RDMA_AH_ATTR_TYPE_ROCE };
	const struct ib_gid_attr *sgid_attr;
	struct rxe_dest *dest;

	sgid_attr = rdma_get_gid_attr(&dev->ibdev, 1, av->grh.sgid_index);
	if (IS_ERR(sgid_attr))
		return ERR_CAST(sgid_attr);
	rdma_ah_set_grh(&attr, (union ib_gid *)av->grh.dgid.raw, av->grh.flow_label,
			av->grh.sgid_index, av->grh.hop_limit, av->grh.traffic_class);
	attr.grh.sgid_attr = sgid_attr;
	dest = rxe_path_may_use(&attr) ? rxe_dest_create(dev, pd, &attr, GFP_ATOMIC) :
					 ERR_PTR(-EPERM);
	rdma_put_gid_attr(sgid_attr);
	return dest;
}

int rxe_dest_publish(struct rxe_dest *dest)
{
	struct rxe_dev *dev = dest->dev;
	int err = xa_alloc_cyclic(&dev->ahs, &dest->num, dest, XA_LIMIT(1, RXE_MAX_AH),
				  &dev->next_ah, GFP_KERNEL_ACCOUNT);

	if (err < 0)
		dest->num = 0;
	if (err == -EBUSY)
		return -ENOSPC;
	return err < 0 ? err : 0;
}

void rxe_dest_unpublish(struct rxe_dest *dest)
{
	if (dest->num)
		xa_erase(&dest->dev->ahs, dest->num);
}

struct rxe_dest *rxe_dest_find(struct rxe_dev *dev, const struct ib_pd *pd, u32 num)
{
	struct rxe_dest *dest;

	rcu_read_lock();
	dest = xa_load(&dev->ahs, num);
	if (dest && (dest->pd != pd || !refcount_inc_not_zero(&dest->refs)))
		dest = NULL;
	rcu_read_unlock();
	return dest;
}

void rxe_dest_put(struct rxe_dest *dest)
{
	struct rxe_dev *dev;
	unsigned long flags;

	if (!dest || !refcount_dec_and_test(&dest->refs))
		return;
	dev = dest->dev;
	spin_lock_irqsave(&dev->dests_lock, flags);
	list_del(&dest->node);
	rxe_path_close(&dest->path);
	spin_unlock_irqrestore(&dev->dests_lock, flags);
	kfree_rcu(dest, rcu);
}

bool rxe_dest_route(struct rxe_dest *dest, u32 npkts, struct rxe_path *path)
{
	bool found;

	spin_lock(&dest->lock);
	found = rxe_path_dst(&dest->path);
	if (found) {
		*path = dest->path;
		dst_hold(path->dst);
		dest->path.ip_id += npkts;
	}
	spin_unlock(&dest->lock);
	return found;
}

void rxe_dests_for_each_path(struct rxe_dev *dev,
			     void (*act)(struct rxe_path *path, const void *arg), const void *arg)
{
	struct rxe_dest *dest;

	spin_lock_irq(&dev->dests_lock);
	list_for_each_entry(dest, &dev->dests, node) {
		spin_lock(&dest->lock);
		act(&dest->path, arg);
		spin_unlock(&dest->lock);
	}
	spin_unlock_irq(&dev->dests_lock);
}
