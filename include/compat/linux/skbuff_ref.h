/* SPDX-License-Identifier: GPL-2.0 */
/* skb_frag_ref() and skb_frag_unref() were declared in <linux/skbuff.h> before 6.10. */
#ifndef COMPAT_LINUX_SKBUFF_REF_H
#define COMPAT_LINUX_SKBUFF_REF_H

#ifdef RXE_HAVE_SKBUFF_REF_H
#include_next <linux/skbuff_ref.h>
#else
#include <linux/skbuff.h>
#endif

#endif
