// SPDX-License-Identifier: GPL-2.0
/*
 * The program of docs/lab.md: SEND, SEND with immediate and WRITE between two hosts.
 *
 *   lab DEVICE GID-INDEX          waits for the other side
 *   lab DEVICE GID-INDEX ADDRESS  connects to it and executes the three operations
 */
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PORT 18700
#define SIZE 4096

/* Connection parameters that the two sides exchange over TCP before they use RDMA. */
struct peer {
	uint32_t qpn;
	uint32_t psn;
	uint32_t rkey;
	uint64_t addr;
	union ibv_gid gid;
};

static struct ibv_context *ctx;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_qp *qp;
static struct ibv_mr *mr;
static char buf[SIZE];

static void require(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static void open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	int i;

	require(list != NULL, "ibv_get_device_list");
	for (i = 0; list[i] && strcmp(ibv_get_device_name(list[i]), name); i++)
		;
	require(list[i] != NULL, name);
	ctx = ibv_open_device(list[i]);
	require(ctx != NULL, "ibv_open_device");
	ibv_free_device_list(list);
}

static void create_objects(void)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1 },
	};

	require((pd = ibv_alloc_pd(ctx)) != NULL, "ibv_alloc_pd");
	mr = ibv_reg_mr(pd, buf, SIZE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	require(mr != NULL, "ibv_reg_mr");
	require((cq = ibv_create_cq(ctx, 8, NULL, NULL, 0)) != NULL, "ibv_create_cq");
	init.send_cq = cq;
	init.recv_cq = cq;
	require((qp = ibv_create_qp(pd, &init)) != NULL, "ibv_create_qp");
}

/* Each side sends its parameters and receives its peer's. Returns the socket. */
static int exchange(const char *address, const struct peer *mine, struct peer *theirs)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	int fd, s = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	if (address) {
		require(inet_pton(AF_INET, address, &sin.sin_addr) == 1, address);
		require(!connect(s, (struct sockaddr *)&sin, sizeof(sin)), "connect");
		fd = s;
	} else {
		setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		require(!bind(s, (struct sockaddr *)&sin, sizeof(sin)), "bind");
		require(!listen(s, 1), "listen");
		require((fd = accept(s, NULL, NULL)) >= 0, "accept");
	}
	require(write(fd, mine, sizeof(*mine)) == sizeof(*mine), "write");
	require(recv(fd, theirs, sizeof(*theirs), MSG_WAITALL) == sizeof(*theirs), "recv");
	return fd;
}

/* INIT: the access rights of the peer; RTR: the address of the peer; RTS: retries and timeouts. */
static void connect_qp(const struct peer *mine, const struct peer *theirs, int gid_index)
{
	struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT,
				    .port_num = 1,
				    .qp_access_flags = IBV_ACCESS_REMOTE_WRITE };
	struct ibv_qp_attr rtr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = theirs->qpn,
		.rq_psn = theirs->psn,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
		.ah_attr = { .is_global = 1,
			     .port_num = 1,
			     .grh = { .dgid = theirs->gid,
				      .sgid_index = gid_index,
				      .hop_limit = 64 } },
	};
	struct ibv_qp_attr rts = { .qp_state = IBV_QPS_RTS,
				   .sq_psn = mine->psn,
				   .timeout = 14,
				   .retry_cnt = 7,
				   .rnr_retry = 7,
				   .max_rd_atomic = 1 };

	require(!ibv_modify_qp(qp, &init,
			       IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				       IBV_QP_ACCESS_FLAGS),
		"INIT");
	require(!ibv_modify_qp(qp, &rtr,
			       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				       IBV_QP_MIN_RNR_TIMER),
		"RTR");
	require(!ibv_modify_qp(qp, &rts,
			       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				       IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
		"RTS");
}

static void post_recv(void)
{
	struct ibv_sge sge = { .addr = (uintptr_t)buf, .length = SIZE, .lkey = mr->lkey };
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;

	require(!ibv_post_recv(qp, &wr, &bad), "ibv_post_recv");
}

static struct ibv_wc wait_completion(void)
{
	struct ibv_wc wc;
	int n;

	while (!(n = ibv_poll_cq(cq, 1, &wc)))
		;
	require(n > 0, "ibv_poll_cq");
	if (wc.status != IBV_WC_SUCCESS) {
		fprintf(stderr, "completion: %s\n", ibv_wc_status_str(wc.status));
		exit(1);
	}
	return wc;
}

static void send_text(const char *text, enum ibv_wr_opcode opcode, const struct peer *to)
{
	struct ibv_sge sge = { .addr = (uintptr_t)buf,
			       .length = strlen(text) + 1,
			       .lkey = mr->lkey };
	struct ibv_send_wr wr = { .sg_list = &sge,
				  .num_sge = 1,
				  .opcode = opcode,
				  .send_flags = IBV_SEND_SIGNALED,
				  .imm_data = htonl(42) },
			   *bad;

	strcpy(buf, text);
	wr.wr.rdma.remote_addr = to->addr;
	wr.wr.rdma.rkey = to->rkey;
	require(!ibv_post_send(qp, &wr, &bad), "ibv_post_send");
	wait_completion();
	printf("sent: %s\n", text);
}

static void receive(void)
{
	struct ibv_wc wc = wait_completion();

	printf("received %u bytes: %s\n", wc.byte_len, buf);
	if (wc.wc_flags & IBV_WC_WITH_IMM)
		printf("immediate data: %u\n", ntohl(wc.imm_data));
}

/* Wait for the peer on the TCP socket: RDMA itself has no such synchronisation. */
static void rendezvous(int fd)
{
	char c = 0;

	require(write(fd, &c, 1) == 1 && recv(fd, &c, 1, MSG_WAITALL) == 1, "rendezvous");
}

static void operate(int fd, const char *address, const struct peer *theirs)
{
	if (address) {
		send_text("a SEND", IBV_WR_SEND, theirs);
		rendezvous(fd);
		send_text("a SEND with immediate data", IBV_WR_SEND_WITH_IMM, theirs);
		rendezvous(fd);
		send_text("a WRITE", IBV_WR_RDMA_WRITE, theirs);
		rendezvous(fd);
		return;
	}
	receive();
	post_recv();
	rendezvous(fd);
	receive();
	rendezvous(fd);
	/* A WRITE completes only at its sender, which reports it over TCP. */
	rendezvous(fd);
	printf("found in memory: %s\n", buf);
}

int main(int argc, char **argv)
{
	const char *address = argc > 3 ? argv[3] : NULL;
	struct peer mine, theirs;
	int fd, gid_index;

	if (argc < 3) {
		fprintf(stderr, "usage: lab DEVICE GID-INDEX [ADDRESS]\n");
		return 2;
	}
	gid_index = atoi(argv[2]);
	open_device(argv[1]);
	create_objects();
	mine = (struct peer){ .qpn = qp->qp_num,
			      .psn = getpid() & 0xffffff,
			      .rkey = mr->rkey,
			      .addr = (uintptr_t)buf };
	require(!ibv_query_gid(ctx, 1, gid_index, &mine.gid), "ibv_query_gid");
	fd = exchange(address, &mine, &theirs);
	connect_qp(&mine, &theirs, gid_index);
	post_recv();
	rendezvous(fd); /* both are ready to receive */
	operate(fd, address, &theirs);

	ibv_destroy_qp(qp);
	ibv_destroy_cq(cq);
	ibv_dereg_mr(mr);
	ibv_dealloc_pd(pd);
	ibv_close_device(ctx);
	return 0;
}
