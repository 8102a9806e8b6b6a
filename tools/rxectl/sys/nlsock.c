// SPDX-License-Identifier: GPL-2.0
/* RDMA netlink socket: requests, replies, errors. */
#include <errno.h>
#include <netlink/netlink.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "sys/extack.h"
#include "sys/nlsock.h"

struct nlsock {
	struct nl_sock *sk;
	char message[256];
};

/* A request and its replies. */
struct talk {
	struct nlsock *nlsock;
	void (*reply)(struct nlmsghdr *nlh, void *arg);
	void *arg;
	bool done;
	int err;
};

int nlsock_open(struct nlsock **out)
{
	struct nlsock *s = calloc(1, sizeof(*s));
	int on = 1;
	int err;

	if (!s)
		return -ENOMEM;
	s->sk = nl_socket_alloc();
	if (!s->sk) {
		err = -ENOMEM;
		goto err_free;
	}
	/* libnl maps errno to fewer error codes; it leaves errno itself unchanged. */
	errno = 0;
	if (nl_connect(s->sk, NETLINK_RDMA)) {
		err = errno ? -errno : -EIO;
		goto err_free_socket;
	}
	/* Since Linux 4.12. Without extack, errno is the only reason. */
	setsockopt(nl_socket_get_fd(s->sk), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	*out = s;
	return 0;

err_free_socket:
	nl_socket_free(s->sk);
err_free:
	free(s);
	return err;
}

void nlsock_close(struct nlsock *s)
{
	if (!s)
		return;
	nl_socket_free(s->sk);
	free(s);
}

const char *nlsock_message(const struct nlsock *s)
{
	return *s->message ? s->message : NULL;
}

static int on_valid(struct nl_msg *msg, void *arg)
{
	struct talk *talk = arg;

	if (talk->reply)
		talk->reply(nlmsg_hdr(msg), talk->arg);
	return NL_OK;
}

static int on_end(struct nl_msg *msg, void *arg)
{
	struct talk *talk = arg;

	(void)msg;
	talk->done = true;
	return NL_STOP;
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *nlerr, void *arg)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)((char *)nlerr - NLMSG_HDRLEN);
	struct talk *talk = arg;

	(void)from;
	extack_copy(nlh, talk->nlsock->message, sizeof(talk->nlsock->message));
	talk->err = nlerr->error;
	talk->done = true;
	return NL_STOP;
}

int nlsock_talk(struct nlsock *s, struct nl_msg *request,
		void (*reply)(struct nlmsghdr *nlh, void *arg), void *arg)
{
	struct talk talk = { .nlsock = s, .reply = reply, .arg = arg };
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);

	if (!cb)
		return -ENOMEM;
	s->message[0] = '\0';
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_valid, &talk);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_end, &talk);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_end, &talk);
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, &talk);

	if (nl_send_auto(s->sk, request) < 0)
		talk.err = -EIO;
	while (!talk.err && !talk.done)
		if (nl_recvmsgs(s->sk, cb) < 0 && !talk.err)
			talk.err = -EIO;
	nl_cb_put(cb);
	return talk.err;
}
