// SPDX-License-Identifier: GPL-2.0
/*
 * A raw packet queue pair sends frames of all sizes, from memory and inline. A packet socket at the
 * other end of the wire receives the same bytes in the same order. Invalid and forbidden frames
 * fail
 * with the specified error.
 *
 * 	raw DEVICE NETDEV MTU [forever | crowded | held FILE | shared QPS]
 *
 * NETDEV is the other end's interface; the wire carries no other traffic. With "held", "crowded"
 * and
 * "shared", NETDEV is the device's own interface: it accepts no packets while FILE contains "Y", or
 * only a few at a time.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BUF	      16384
#define DEPTH	      256
#define BURST	      64
#define SHARERS	      64
#define SHARE	      1024 /* packets per QP under equal shares */
#define VLAN	      4
#define ETHERTYPE     0x88b5 /* EtherType for local experiments */
#define WAIT_MS	      10000

static struct ibv_context *ctx;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_qp *qp;
static struct ibv_mr *mr;
static uint8_t buf[BUF];
static int wire;
static unsigned int mtu;

static void open_device(const char *name)
{
	ctx = device_open(name);
	pd = ibv_alloc_pd(ctx);
	cq = pd ? ibv_create_cq(ctx, SHARERS * DEPTH, NULL, NULL, 0) : NULL;
	mr = cq ? ibv_reg_mr(pd, buf, sizeof(buf), IBV_ACCESS_LOCAL_WRITE) : NULL;
	if (!mr)
		die("%s: %s", name, strerror(errno));
}

static void open_wire(const char *netdev)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = if_nametoindex(netdev),
	};

	wire = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
	if (wire < 0 || !address.sll_ifindex ||
	    bind(wire, (struct sockaddr *)&address, sizeof(address)))
		die("%s: %s", netdev, strerror(errno));
}

static struct ibv_qp *create_qp(void)
{
	struct ibv_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.qp_type = IBV_QPT_RAW_PACKET,
		.cap = { .max_send_wr = DEPTH,
			 .max_recv_wr = 4,
			 .max_send_sge = 4,
			 .max_recv_sge = 1,
			 .max_inline_data = 256 },
	};

	return ibv_create_qp(pd, &init);
}

static void bring_to(enum ibv_qp_state state)
{
	struct ibv_qp_attr attr = { .qp_state = state, .port_num = 1 };
	int mask = IBV_QP_STATE | (state == IBV_QPS_INIT ? IBV_QP_PORT : 0);
	int err = ibv_modify_qp(qp, &attr, mask);

	if (err)
		die("to state %d: %s", state, strerror(err));
}

static void start(void)
{
	bring_to(IBV_QPS_INIT);
	bring_to(IBV_QPS_RTR);
	bring_to(IBV_QPS_RTS);
}

static enum ibv_qp_state state_of(struct ibv_qp *of)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (ibv_query_qp(of, &attr, IBV_QP_STATE, &init))
		die("cannot query the queue pair");
	if (init.qp_type != IBV_QPT_RAW_PACKET)
		die("queried as of type %d", init.qp_type);
	return attr.qp_state;
}

/**
 * struct frame - a message
 * @len: length in bytes
 * @cuts: number of SGEs, 0: inline
 * @opcode: opcode of the work request
 * @tagged: has a VLAN tag
 * @bad_key: the last SGE has an invalid L_Key
 */
struct frame {
	unsigned int len;
	unsigned int cuts;
	enum ibv_wr_opcode opcode;
	bool tagged;
	bool bad_key;
};

/* Bytes that differ between frames and between offsets in a frame. */
static void fill(const struct frame *f, uint8_t salt)
{
	static const uint8_t header[] = { 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1 };
	static const uint8_t tag[] = { 0x81, 0, 0, 5 };
	uint8_t *p = buf;
	size_t i;

	for (i = 0; i < f->len; i++)
		buf[i] = salt + i + (i >> 8) * 3;
	memcpy(p, header, sizeof(header));
	p += sizeof(header);
	if (f->tagged) {
		memcpy(p, tag, sizeof(tag));
		p += sizeof(tag);
	}
	p[0] = ETHERTYPE >> 8;
	p[1] = ETHERTYPE & 0xff;
}

static void post(const struct frame *f, uint64_t wr_id)
{
	unsigned int n = f->cuts ? f->cuts : 1, i, piece, at = 0;
	struct ibv_sge sge[4];
	struct ibv_send_wr *bad, wr = {
		.wr_id = wr_id,
		.sg_list = sge,
		.num_sge = n,
		.opcode = f->opcode,
		.send_flags = IBV_SEND_SIGNALED | (f->cuts ? 0 : IBV_SEND_INLINE),
	};
	int err;

	for (i = 0; i < n; i++, at += piece) {
		piece = i == n - 1 ? f->len - at : f->len / n;
		sge[i] = (struct ibv_sge){ (uintptr_t)buf + at, piece, mr->lkey };
	}
	if (f->bad_key)
		sge[n - 1].lkey ^= 0x100;
	err = ibv_post_send(qp, &wr, &bad);
	if (err)
		die("frame of %u bytes: posting: %s", f->len, strerror(err));
}

static bool next_completion(struct ibv_wc *wc)
{
	int n, tries = 0;

	while (!(n = ibv_poll_cq(cq, 1, wc)) && tries++ < WAIT_MS)
		usleep(1000);
	return n == 1;
}

static void expect(uint64_t wr_id, enum ibv_wc_status status)
{
	struct ibv_wc wc;

	if (!next_completion(&wc))
		die("%lu does not end", (unsigned long)wr_id);
	if (wc.wr_id != wr_id || wc.status != status)
		die("%lu ended with %s, instead of %lu with %s", (unsigned long)wc.wr_id,
		    ibv_wc_status_str(wc.status), (unsigned long)wr_id, ibv_wc_status_str(status));
}

/* Packet sockets receive frames with the VLAN tag removed. */
static void arrives(const struct frame *f)
{
	static uint8_t got[BUF];
	struct pollfd fd = { .fd = wire, .events = POLLIN };
	unsigned int want = f->len;
	ssize_t n;

	if (f->tagged) {
		memmove(buf + 12, buf + 12 + VLAN, want - 12 - VLAN);
		want -= VLAN;
	}
	if (poll(&fd, 1, WAIT_MS) != 1)
		die("frame of %u bytes: it does not arrive", f->len);
	n = recv(wire, got, sizeof(got), 0);
	if (n != want || memcmp(got, buf, want))
		die("frame of %u bytes: %zd arrive%s", f->len, n, n == want ? ", others" : "");
}

static void nothing_arrives(const char *what)
{
	struct pollfd fd = { .fd = wire, .events = POLLIN };

	if (poll(&fd, 1, 100))
		die("%s: something arrives", what);
}

static void test_sizes(void)
{
	struct frame f = { .opcode = IBV_WR_SEND };
	unsigned int i = 0;

	for (f.len = ETH_HLEN; f.len <= mtu + ETH_HLEN; f.len += f.len < 300 ? 1 : 101, i++) {
		f.cuts = f.len <= 256 ? i % 5 : 1 + i % 4;
		fill(&f, i);
		post(&f, i);
		expect(i, IBV_WC_SUCCESS);
		arrives(&f);
	}
	f = (struct frame){ .len = mtu + ETH_HLEN, .cuts = 4, .opcode = IBV_WR_SEND };
	fill(&f, 1);
	post(&f, 1);
	expect(1, IBV_WC_SUCCESS);
	arrives(&f);
	f = (struct frame){
		.len = mtu + ETH_HLEN + VLAN, .cuts = 1, .opcode = IBV_WR_SEND, .tagged = true
	};
	fill(&f, 2);
	post(&f, 2);
	expect(2, IBV_WC_SUCCESS);
	arrives(&f);
}

/* Many frames at once are sent in order. */
static void test_order(void)
{
	struct frame f = { .len = 200, .opcode = IBV_WR_SEND };
	unsigned int i;

	for (i = 0; i < 32; i++) {
		fill(&f, i);
		post(&f, i);
	}
	for (i = 0; i < 32; i++) {
		expect(i, IBV_WC_SUCCESS);
		fill(&f, i);
		arrives(&f);
	}
}

static const struct {
	const char *what;
	struct frame frame;
	enum ibv_wc_status status;
} errors[] = {
	{ "no frame", { .len = 13, .cuts = 1, .opcode = IBV_WR_SEND }, IBV_WC_LOC_LEN_ERR },
	{ "longer than the MTU and a tag",
	  { .len = 3019, .cuts = 1, .opcode = IBV_WR_SEND },
	  IBV_WC_LOC_LEN_ERR },
	{ "a key that there is not",
	  { .len = 100, .cuts = 2, .opcode = IBV_WR_SEND, .bad_key = true },
	  IBV_WC_LOC_PROT_ERR },
	{ "immediate data",
	  { .len = 100, .cuts = 1, .opcode = IBV_WR_SEND_WITH_IMM },
	  IBV_WC_LOC_QP_OP_ERR },
	{ "RDMA", { .len = 100, .cuts = 1, .opcode = IBV_WR_RDMA_WRITE }, IBV_WC_LOC_QP_OP_ERR },
};

/* WQEs before the failed one are sent and those after it are flushed; then the QP resumes. */
static void test_error(size_t i)
{
	struct frame good = { .len = 60, .cuts = 1, .opcode = IBV_WR_SEND };

	fill(&good, i);
	post(&good, 1);
	expect(1, IBV_WC_SUCCESS);
	arrives(&good);
	fill(&errors[i].frame, i);
	post(&errors[i].frame, 2);
	expect(2, errors[i].status);
	if (state_of(qp) != IBV_QPS_SQE)
		die("%s: state %d", errors[i].what, state_of(qp));
	nothing_arrives(errors[i].what);
	bring_to(IBV_QPS_RTS);
	fill(&good, i);
	post(&good, 3);
	expect(3, IBV_WC_SUCCESS);
	arrives(&good);
}

/* A frame of the MTU plus a tag's length, but untagged: too long, so the interface drops it. */
static void test_untagged(void)
{
	struct frame f = { .len = mtu + ETH_HLEN + 1, .cuts = 1, .opcode = IBV_WR_SEND };

	fill(&f, 1);
	post(&f, 1);
	expect(1, IBV_WC_SUCCESS);
	nothing_arrives("a frame one byte too long");
}

static void test_flush(void)
{
	struct ibv_sge sge = { (uintptr_t)buf, 100, mr->lkey };
	struct ibv_recv_wr *bad, wr = { .wr_id = 9, .sg_list = &sge, .num_sge = 1 };
	struct frame f = { .len = 60, .cuts = 1, .opcode = IBV_WR_SEND };

	if (ibv_post_recv(qp, &wr, &bad))
		die("cannot post a receive");
	bring_to(IBV_QPS_ERR);
	expect(9, IBV_WC_WR_FLUSH_ERR);
	fill(&f, 1);
	post(&f, 10);
	expect(10, IBV_WC_WR_FLUSH_ERR);
	bring_to(IBV_QPS_RESET);
	start();
	nothing_arrives("a flushed frame");
}

static void test_privilege(void)
{
	struct ibv_qp *other;

	if (seteuid(65534))
		die("seteuid: %s", strerror(errno));
	other = create_qp();
	if (other || errno != EPERM)
		die("without privilege: %s", other ? "made" : strerror(errno));
	if (seteuid(0))
		die("seteuid: %s", strerror(errno));
}

/* Send until the device is removed. */
static void send_forever(void)
{
	struct frame f = { .len = 1000, .cuts = 1, .opcode = IBV_WR_SEND };

	for (fill(&f, 0);; expect(1, IBV_WC_SUCCESS))
		post(&f, 1);
}

/* Post as many frames as may be queued for an interface that accepts no packets. */
static void post_burst(void)
{
	struct ibv_sge sge = { (uintptr_t)buf, 200, mr->lkey };
	struct ibv_send_wr *bad, wr[BURST];
	unsigned int i;

	for (i = 0; i < BURST; i++)
		wr[i] = (struct ibv_send_wr){ .wr_id = i,
					      .next = i < BURST - 1 ? &wr[i + 1] : NULL,
					      .sg_list = &sge,
					      .num_sge = 1,
					      .opcode = IBV_WR_SEND,
					      .send_flags = IBV_SEND_SIGNALED };
	if (ibv_post_send(qp, wr, &bad))
		die("posting: %s", strerror(errno));
}

static void expect_burst(void)
{
	unsigned int i;

	for (i = 0; i < BURST; i++)
		expect(i, IBV_WC_SUCCESS);
}

static void set_closed(const char *path, char closed)
{
	FILE *f = fopen(path, "w");

	if (!f || fputc(closed, f) == EOF || fclose(f))
		die("%s: %s", path, strerror(errno));
}

/* The second burst fills the queue, the third has to wait. */
static void test_held(const char *path)
{
	struct frame f = { .len = 200, .opcode = IBV_WR_SEND };
	struct ibv_wc wc;

	fill(&f, 0);
	post_burst();
	expect_burst();
	set_closed(path, 'Y');
	post_burst();
	expect_burst();
	post_burst();
	usleep(100000);
	if (ibv_poll_cq(cq, 1, &wc))
		die("what the interface has no room for is completed");
	set_closed(path, 'N');
	expect_burst();
}

static pid_t crowd(void)
{
	pid_t child = fork();

	if (child < 0 || (!child && prctl(PR_SET_PDEATHSIG, SIGKILL)))
		die("fork: %s", strerror(errno));
	while (!child)
		if (send(wire, buf, 200, 0) < 0 && errno != ENOBUFS)
			die("sending: %s", strerror(errno));
	return child;
}

/*
 * True if another program's queued packets take at least half of what its socket may queue: its
 * sends resume at half. Each packet is accounted as 768 bytes.
 */
static bool is_crowded(void)
{
	int waiting;

	if (ioctl(wire, SIOCOUTQ, &waiting))
		die("SIOCOUTQ: %s", strerror(errno));
	return waiting > 100 * 768;
}

/* An interface kept full by another program still transmits our packets. */
static void test_crowded(void)
{
	struct frame f = { .len = 200, .opcode = IBV_WR_SEND };
	unsigned int i, tries = 0;
	pid_t child;

	fill(&f, 0);
	child = crowd();
	while (!is_crowded() && tries++ < WAIT_MS)
		usleep(1000);
	for (i = 0; i < 3; i++) {
		if (!is_crowded())
			die("nothing is in the way");
		post_burst();
		expect_burst();
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static unsigned int index_of(struct ibv_qp *const qps[], uint32_t qpn)
{
	unsigned int i = 0;

	while (qps[i]->qp_num != qpn)
		i++;
	return i;
}

static void check_shares(const unsigned int done[], unsigned int n)
{
	unsigned int i, least = done[0], most = done[0];

	for (i = 1; i < n; i++) {
		least = done[i] < least ? done[i] : least;
		most = done[i] > most ? done[i] : most;
	}
	if (least < most / 4)
		die("of %u queue pairs one has sent %u packets, one %u", n, least, most);
}

/* @n queue pairs that always have more to send than fits: each gets an equal share. */
static void test_shared(unsigned int n)
{
	unsigned int i, total, done[SHARERS] = { 0 };
	struct ibv_qp *qps[SHARERS] = { qp };
	struct ibv_wc wc;

	if (!n || n > SHARERS)
		die("%u queue pairs", n);
	for (i = 0; i < n; i++, post_burst(), post_burst(), post_burst()) {
		qp = i ? create_qp() : qps[0];
		if (!qp)
			die("no queue pair: %s", strerror(errno));
		if (i)
			start();
		qps[i] = qp;
	}
	for (total = 0; total < n * SHARE; total++) {
		if (!next_completion(&wc))
			die("nothing is completed after %u packets", total);
		if (wc.status != IBV_WC_SUCCESS)
			die("sending ended with %s", ibv_wc_status_str(wc.status));
		i = index_of(qps, wc.qp_num);
		qp = qps[i];
		if (!(++done[i] % BURST))
			post_burst();
	}
	check_shares(done, n);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 4)
		die("usage: raw DEVICE NETDEV MTU [forever | crowded | held FILE | shared QPS]");
	mtu = atoi(argv[3]);
	open_device(argv[1]);
	open_wire(argv[2]);
	qp = create_qp();
	if (!qp)
		die("no queue pair: %s", strerror(errno));
	if (state_of(qp) != IBV_QPS_RESET)
		die("a new one is in state %d", state_of(qp));
	start();
	if (argc > 5) {
		if (!strcmp(argv[4], "shared"))
			test_shared(atoi(argv[5]));
		else
			test_held(argv[5]);
		return 0;
	}
	if (argc > 4 && !strcmp(argv[4], "crowded")) {
		test_crowded();
		return 0;
	}
	if (argc > 4)
		send_forever();
	test_sizes();
	test_order();
	test_untagged();
	for (i = 0; i < ARRAY_SIZE(errors); i++)
		test_error(i);
	test_flush();
	test_privilege();
	ibv_destroy_qp(qp);
	ibv_dereg_mr(mr);
	ibv_destroy_cq(cq);
	ibv_dealloc_pd(pd);
	ibv_close_device(ctx);
	printf("all frames as they were sent\n");
	return 0;
}
