// SPDX-License-Identifier: GPL-2.0
/* Extack messages: complete, absent and truncated. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "sys/extack.h"

#define WORDS "no such thing"

/**
 * struct row - an error message
 * @flags: of the netlink header
 * @echoed: bytes of the request behind its header that the error contains
 * @claimed: bytes that the echoed header claims
 * @words: message text in an attribute at the end
 * @cut: bytes missing at the end
 * @want: expected text
 */
struct row {
	const char *name;
	int flags;
	int echoed;
	int claimed;
	bool words;
	int cut;
	const char *want;
};

static const struct row rows[] = {
	{ "capped", NLM_F_ACK_TLVS | NLM_F_CAPPED, 0, 100, true, 0, WORDS },
	{ "with the request", NLM_F_ACK_TLVS, 24, 24, true, 0, WORDS },
	{ "with a request of odd length", NLM_F_ACK_TLVS, 24, 22, true, 0, WORDS },
	{ "no attributes announced", NLM_F_CAPPED, 0, 0, true, 0, "" },
	{ "no attribute there", NLM_F_ACK_TLVS | NLM_F_CAPPED, 0, 0, false, 0, "" },
	{ "attribute cut short", NLM_F_ACK_TLVS | NLM_F_CAPPED, 0, 0, true, 12, "" },
	{ "request longer than the message", NLM_F_ACK_TLVS, 0, 4096, true, 0, "" },
	{ "request's length wraps", NLM_F_ACK_TLVS, 0, -17, true, 0, "" },
	{ "no error in it", NLM_F_ACK_TLVS | NLM_F_CAPPED, 0, 0, false, 8, "" },
};

static void test_row(void **state)
{
	const struct row *row = *state;
	struct nl_msg *msg = nlmsg_alloc_simple(NLMSG_ERROR, row->flags);
	struct nlmsgerr nlerr = { .error = -EINVAL };
	struct nlmsghdr *nlh, *copy;
	char zero[64] = { 0 };
	char text[64] = "left over";

	nlerr.msg.nlmsg_len = (__u32)(NLMSG_HDRLEN + row->claimed);
	nlmsg_append(msg, &nlerr, sizeof(nlerr), 0);
	nlmsg_append(msg, zero, (size_t)row->echoed, 0);
	if (row->words)
		nla_put_string(msg, NLMSGERR_ATTR_MSG, WORDS);

	/*
	 * The buffer has the length of the message, so that the sanitizer detects a read behind its
	 * end.
	 */
	nlh = nlmsg_hdr(msg);
	nlh->nlmsg_len -= (__u32)row->cut;
	copy = malloc(nlh->nlmsg_len);
	assert_non_null(copy);
	memcpy(copy, nlh, nlh->nlmsg_len);
	extack_copy(copy, text, sizeof(text));
	assert_string_equal(text, row->want);
	free(copy);
	nlmsg_free(msg);
}

static void test_cut_to_size(void **state)
{
	struct nl_msg *msg = nlmsg_alloc_simple(NLMSG_ERROR, NLM_F_ACK_TLVS | NLM_F_CAPPED);
	struct nlmsgerr nlerr = { .error = -EINVAL };
	char text[5];

	(void)state;
	nlmsg_append(msg, &nlerr, sizeof(nlerr), 0);
	nla_put_string(msg, NLMSGERR_ATTR_MSG, WORDS);
	extack_copy(nlmsg_hdr(msg), text, sizeof(text));
	assert_string_equal(text, "no s");
	nlmsg_free(msg);
}

int main(void)
{
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	struct CMUnitTest tests[N + 1];

	for (size_t i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){ .name = rows[i].name,
						.test_func = test_row,
						.initial_state = (void *)&rows[i] };
	tests[N] = (struct CMUnitTest)cmocka_unit_test(test_cut_to_size);
	return cmocka_run_group_tests_name("extended acknowledgement", tests, NULL, NULL);
}
