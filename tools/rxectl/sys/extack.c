// SPDX-License-Identifier: GPL-2.0
/* Extended acknowledgement (extack) of netlink: the message of an error. */
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "sys/extack.h"

/*
 * Bytes of the payload in front of the attributes: struct nlmsgerr, and the request unless
 * NLM_F_CAPPED is set.
 */
static size_t error_length(const struct nlmsghdr *nlh, const struct nlmsgerr *nlerr)
{
	size_t echoed = 0;

	if (!(nlh->nlmsg_flags & NLM_F_CAPPED) && nlerr->msg.nlmsg_len >= NLMSG_HDRLEN)
		echoed = NLMSG_ALIGN(nlerr->msg.nlmsg_len) - NLMSG_HDRLEN;
	return sizeof(*nlerr) + echoed;
}

void extack_copy(const struct nlmsghdr *nlh, char *text, size_t size)
{
	const struct nlmsgerr *nlerr = nlmsg_data(nlh);
	const struct nlattr *attr;
	size_t skip;

	text[0] = '\0';
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) || nlh->nlmsg_len < NLMSG_LENGTH(sizeof(*nlerr)))
		return;
	skip = error_length(nlh, nlerr);
	if (skip > (size_t)nlmsg_datalen(nlh))
		return;
	attr = nla_find((const struct nlattr *)((const char *)nlerr + skip),
			nlmsg_datalen(nlh) - (int)skip, NLMSGERR_ATTR_MSG);
	if (attr)
		nla_strlcpy(text, attr, size);
}
