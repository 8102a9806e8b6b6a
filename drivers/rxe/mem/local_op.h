/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operands of the local operations BIND_MW and REG_MR. The transport carries them in fields of
 * struct roce_send_wqe that these opcodes do not use otherwise.
 */
#ifndef RXE_LOCAL_OP_H
#define RXE_LOCAL_OP_H

#include <linux/types.h>
#include <roce/qp.h>

/**
 * struct rxe_bind - operands of BIND_MW
 * @addr: first byte of the window
 * @length: bytes of the window; 0 unbinds a type 1 window
 * @lkey: L_Key of the region
 * @access: IB_ACCESS_*
 * @old_rkey: R_Key that the window has now
 * @new_rkey: R_Key that the window gets
 *
 * All fields come unchecked from user space.
 */
struct rxe_bind {
	u64 addr;
	u64 length;
	u32 lkey;
	u32 access;
	u32 old_rkey;
	u32 new_rkey;
};

/**
 * struct rxe_reg - operands of REG_MR
 * @key: L_Key and R_Key that the region gets
 * @access: IB_ACCESS_*
 * @iova: address of byte 0 in the key's address space
 * @length: bytes
 */
struct rxe_reg {
	u32 key;
	u32 access;
	u64 iova;
	u64 length;
};

static inline void rxe_bind_pack(const struct rxe_bind *bind, struct roce_send_wqe *wqe)
{
	wqe->remote_addr = bind->addr;
	wqe->compare = bind->length;
	wqe->swap_add = (u64)bind->lkey << 32 | bind->access;
	wqe->inv_rkey = bind->old_rkey;
	wqe->rkey = bind->new_rkey;
}

static inline void rxe_bind_unpack(const struct roce_send_wqe *wqe, struct rxe_bind *bind)
{
	bind->addr = wqe->remote_addr;
	bind->length = wqe->compare;
	bind->lkey = wqe->swap_add >> 32;
	bind->access = (u32)wqe->swap_add;
	bind->old_rkey = wqe->inv_rkey;
	bind->new_rkey = wqe->rkey;
}

static inline void rxe_reg_pack(const struct rxe_reg *reg, struct roce_send_wqe *wqe)
{
	wqe->rkey = reg->key;
	wqe->inv_rkey = reg->access;
	wqe->remote_addr = reg->iova;
	wqe->compare = reg->length;
}

static inline void rxe_reg_unpack(const struct roce_send_wqe *wqe, struct rxe_reg *reg)
{
	reg->key = wqe->rkey;
	reg->access = wqe->inv_rkey;
	reg->iova = wqe->remote_addr;
	reg->length = wqe->compare;
}

#endif
