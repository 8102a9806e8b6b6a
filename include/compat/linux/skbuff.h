/* SPDX-License-Identifier: GPL-2.0 */
/* Socket buffers: helpers and fields that older kernels lack. */
#ifndef COMPAT_LINUX_SKBUFF_H
#define COMPAT_LINUX_SKBUFF_H

#include_next <linux/skbuff.h>

#ifndef RXE_HAVE_SKB_FRAG_FILL
static inline void skb_frag_fill_page_desc(skb_frag_t *frag, struct page *page, int off, int size)
{
	__skb_frag_set_page(frag, page);
	skb_frag_off_set(frag, off);
	skb_frag_size_set(frag, size);
}
#endif

#ifndef RXE_HAVE_SKB_FRAGS_READABLE
/* Older kernels have no fragments of device memory, which CPUs cannot read. */
static inline bool skb_frags_readable(const struct sk_buff *skb)
{
	return true;
}
#endif

#ifndef RXE_HAVE_NAPI_BUILD_SKB
#define napi_build_skb(data, frag_size) build_skb(data, frag_size)
#endif

/*
 * Flags of the shared information, SKBFL_* and those of drivers. Without the field all are set: a
 * driver that would say there what an adapter did cannot.
 */
static inline u8 rxe_skb_flags(const struct sk_buff *skb)
{
#ifdef RXE_HAVE_SKBFL
	return skb_shinfo(skb)->flags;
#else
	return U8_MAX;
#endif
}

#endif
