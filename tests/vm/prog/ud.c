// SPDX-License-Identifier: GPL-2.0
/*
 * Test UD by verbs: which QPs receive a datagram, with which headers, which requests fail, and that
 * each member of a multicast group receives a copy.
 *
 * 	ud DEVICE GID-INDEX DEVICE GID-INDEX GROUP
 *
 * GROUP is an IPv6 address, or an IPv4-mapped one.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <rdma/rdma_user_rxe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair.h"

#define QKEY	  0x11223344u
#define OTHER_KEY 0x55667788u
#define GRH	  40u
#define SLOT	  2048u
#define MTU	  1024u
#define MEMBERS	  3
#define HOPS	  17
#define TCLASS	  0x28 /* the network may change the two lower bits */
#define FLOW	  0xabcde
#define MCAST_QPN 0xffffffu

static struct ibv_qp *create_qp(struct side *s, uint32_t qkey)
{
	struct ibv_qp_init_attr init = {
		.send_cq = s->cq,
		.recv_cq = s->cq,
		.cap = { 16, 16, 2, 2, 64 },
		.qp_type = IBV_QPT_UD,
		.sq_sig_all = 1,
	};
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = qkey };
	struct ibv_qp *qp = ibv_create_qp(s->pd, &init);

	if (!qp)
		die("cannot create a UD QP: %m");
	if (ibv_modify_qp(qp, &attr,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY))
		die("UD QP to INIT: %m");
	attr.qp_state = IBV_QPS_RTR;
	if (ibv_modify_qp(qp, &attr, IBV_QP_STATE))
		die("UD QP to RTR: %m");
	attr.qp_state = IBV_QPS_RTS;
	if (ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN))
		die("UD QP to RTS: %m");
	return qp;
}

static struct ibv_ah *create_ah(struct side *s, struct ibv_pd *pd, const union ibv_gid *to)
{
	struct ibv_ah_attr attr = {
		.is_global = 1,
		.port_num = 1,
		.grh = {
			.dgid = *to,
			.sgid_index = s->gid_index,
			.hop_limit = HOPS,
			.traffic_class = TCLASS,
			.flow_label = FLOW,
		},
	};
	struct ibv_ah *ah = ibv_create_ah(pd, &attr);

	if (!ah)
		die("cannot create an AH: %m");
	return ah;
}

static void post_recv(struct side *s, struct ibv_qp *qp, uint32_t slot)
{
	struct ibv_sge sge = { (uintptr_t)s->buf + slot * SLOT, SLOT, s->mr->lkey };
	struct ibv_recv_wr *bad, wr = { .wr_id = slot, .sg_list = &sge, .num_sge = 1 };

	memset(s->buf + slot * SLOT, 0xee, SLOT);
	if (ibv_post_recv(qp, &wr, &bad))
		die("cannot post a receive");
}

/* Send @len bytes of @fill from slot 15. */
static void post_send(struct side *s, struct ibv_qp *qp, struct ibv_ah *ah, uint32_t qpn,
		      uint32_t qkey, uint8_t fill, uint32_t len)
{
	struct ibv_sge sge = { (uintptr_t)s->buf + 15 * SLOT, len, s->mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = 1000,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.wr.ud = { ah, qpn, qkey },
	};

	memset(s->buf + 15 * SLOT, fill, len);
	if (ibv_post_send(qp, &wr, &bad))
		die("cannot post a send");
}

static void send_one(struct side *s, struct ibv_qp *qp, struct ibv_ah *ah, uint32_t qpn,
		 uint32_t qkey, uint8_t fill)
{
	struct ibv_wc wc;

	post_send(s, qp, ah, qpn, qkey, fill, 100);
	side_expect(s, 1000, IBV_WC_SUCCESS, &wc);
}

static void check(int ok, const char *what)
{
	if (!ok)
		die("%s", what);
}

static int is_v4(const union ibv_gid *gid)
{
	return IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)gid->raw);
}

static int is_group(const union ibv_gid *gid)
{
	return is_v4(gid) ? (gid->raw[12] & 0xf0) == 0xe0 : gid->raw[0] == 0xff;
}

/* To a host, the hop limit is the route's instead of the program's: the case ttl tests which. */
static int hops_ok(uint8_t hops, const union ibv_gid *to)
{
	return is_group(to) ? hops == HOPS : hops != 0;
}

static void check_grh4(const uint8_t *ip, const union ibv_gid *from, const union ibv_gid *to)
{
	unsigned int i, sum = 0;

	check(ip[0] == 0x45, "IPv4 header begins with 0x45");
	check(ip[1] == TCLASS, "IPv4: the type of service given");
	check((ip[2] << 8 | ip[3]) == 20 + 8 + 20 + 100 + 4, "IPv4: total length");
	check(hops_ok(ip[8], to), "IPv4: the TTL given, to a host any but 0");
	check(ip[9] == 17, "IPv4: UDP");
	check(!memcmp(ip + 12, from->raw + 12, 4), "IPv4: source address");
	check(!memcmp(ip + 16, to->raw + 12, 4), "IPv4: destination address");
	for (i = 0; i < 20; i += 2)
		sum += ip[i] << 8 | ip[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	check(((sum & 0xffff) + (sum >> 16)) == 0xffff, "IPv4: checksum");
}

static void check_grh6(const uint8_t *ip, const union ibv_gid *from, const union ibv_gid *to)
{
	uint32_t first = 6u << 28 | TCLASS << 20 | FLOW;

	check(ntohl(*(const uint32_t *)ip) == first, "IPv6: traffic class and flow label given");
	check((ip[4] << 8 | ip[5]) == 8 + 20 + 100 + 4, "IPv6: payload length");
	check(ip[6] == 17, "IPv6: UDP");
	check(hops_ok(ip[7], to), "IPv6: the hop limit given, to a host any but 0");
	check(!memcmp(ip + 8, from->raw, 16), "IPv6: source address");
	check(!memcmp(ip + 24, to->raw, 16), "IPv6: destination address");
}

/* Expect a receive completion in @slot: 100 bytes of @fill that were sent to @to. */
static void expect_recv(struct side *s, uint32_t slot, uint32_t src_qpn, uint8_t fill,
			const union ibv_gid *from, const union ibv_gid *to)
{
	const uint8_t *buf = s->buf + slot * SLOT;
	struct ibv_wc wc;
	uint32_t i;

	side_expect(s, slot, IBV_WC_SUCCESS, &wc);
	check(wc.opcode == IBV_WC_RECV, "it is a receive");
	check(wc.byte_len == GRH + 100, "byte_len counts the 40 bytes in front");
	check(wc.wc_flags & IBV_WC_GRH, "IBV_WC_GRH is set");
	check(wc.src_qp == src_qpn, "src_qp is the sender's");
	for (i = 0; i < 100; i++)
		check(buf[GRH + i] == fill, "the data is what was sent");
	check(buf[GRH + 100] == 0xee, "nothing is written behind the data");
	if (is_v4(to))
		check_grh4(buf + 20, from, to);
	else
		check_grh6(buf, from, to);
}

static void test_unicast(struct side *a, struct side *b)
{
	struct ibv_qp *qa = create_qp(a, QKEY), *qb = create_qp(b, QKEY);
	struct ibv_ah *ah = create_ah(a, a->pd, &b->gid);

	puts("a datagram, its headers, its sender");
	post_recv(b, qb, 0);
	send_one(a, qa, ah, qb->qp_num, QKEY, 1);
	expect_recv(b, 0, qa->qp_num, 1, &a->gid, &b->gid);

	puts("one with another Q_Key is dropped");
	post_recv(b, qb, 0);
	send_one(a, qa, ah, qb->qp_num, OTHER_KEY, 2);
	send_one(a, qa, ah, qb->qp_num, QKEY, 3);
	expect_recv(b, 0, qa->qp_num, 3, &a->gid, &b->gid);

	puts("a controlled Q_Key is replaced by the QP's");
	post_recv(b, qb, 0);
	send_one(a, qa, ah, qb->qp_num, 0x80000000u | OTHER_KEY, 4);
	expect_recv(b, 0, qa->qp_num, 4, &a->gid, &b->gid);

	puts("an AH may be destroyed once its WQE is posted");
	post_recv(b, qb, 0);
	post_send(a, qa, ah, qb->qp_num, QKEY, 5, 100);
	check(!ibv_destroy_ah(ah), "AH destroyed");
	side_expect(a, 1000, IBV_WC_SUCCESS, &(struct ibv_wc){});
	expect_recv(b, 0, qa->qp_num, 5, &a->gid, &b->gid);

	check(!ibv_destroy_qp(qa) && !ibv_destroy_qp(qb), "QPs destroyed");
}

static void test_self(struct side *a)
{
	struct ibv_qp *from = create_qp(a, QKEY), *to = create_qp(a, QKEY);
	struct ibv_ah *ah = create_ah(a, a->pd, &a->gid);
	struct ibv_wc wc;
	int i;

	puts("a datagram to oneself");
	post_recv(a, to, 0);
	post_send(a, from, ah, to->qp_num, QKEY, 6, 100);
	for (i = 0; i < 2; i++) {
		side_wait(a, &wc);
		check(wc.status == IBV_WC_SUCCESS, "it is sent and received");
		check(wc.wr_id != 0 || wc.src_qp == from->qp_num, "src_qp is the sender's");
	}
	check(!ibv_destroy_ah(ah), "AH destroyed");
	check(!ibv_destroy_qp(from) && !ibv_destroy_qp(to), "QPs destroyed");
}

/* The send fails with @status and the next is flushed: the QP is in SQE. */
static void expect_stopped(struct side *s, struct ibv_qp *qp, struct ibv_ah *ah, uint32_t len,
			   enum ibv_wc_status status)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	struct ibv_wc wc;

	post_send(s, qp, ah, 99, QKEY, 0, len);
	side_expect(s, 1000, status, &wc);
	check(!ibv_query_qp(qp, &attr, IBV_QP_STATE, &init), "query");
	check(attr.qp_state == IBV_QPS_SQE, "the QP is in state SQE");
	post_send(s, qp, ah, 99, QKEY, 0, 8);
	side_expect(s, 1000, IBV_WC_WR_FLUSH_ERR, &wc);
	attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS };
	check(!ibv_modify_qp(qp, &attr, IBV_QP_STATE), "from SQE to RTS");
}

static void test_refused(struct side *a, struct side *b)
{
	struct ibv_qp *qp = create_qp(a, QKEY);
	struct ibv_pd *other = ibv_alloc_pd(a->ctx);
	struct ibv_ah *own = create_ah(a, a->pd, &b->gid), *foreign;

	check(other != NULL, "second PD");
	foreign = create_ah(a, other, &b->gid);
	puts("an AH of another protection domain");
	expect_stopped(a, qp, foreign, 8, IBV_WC_LOC_QP_OP_ERR);
	puts("a datagram longer than the port's MTU");
	expect_stopped(a, qp, own, MTU + 1, IBV_WC_LOC_LEN_ERR);
	check(!ibv_destroy_ah(own) && !ibv_destroy_ah(foreign), "AHs destroyed");
	check(!ibv_dealloc_pd(other) && !ibv_destroy_qp(qp), "PD and QP destroyed");
}

/**
 * struct lib_ah - an address handle as stored by the device's library
 * @av: copied into the WQE if @ah_num is 0, as on kernels that do not number address handles
 */
struct lib_ah {
	struct ibv_ah ah;
	struct rxe_av av;
	int ah_num;
};

/*
 * A datagram's source address is always one of the device's own, whatever address the WQE contains.
 */
static void test_forged(struct side *a, struct side *b)
{
	struct ibv_qp *qa = create_qp(a, QKEY), *qb = create_qp(b, QKEY);
	struct ibv_ah *ah = create_ah(a, a->pd, &b->gid);
	struct lib_ah *lib = (struct lib_ah *)ah;
	int num = lib->ah_num;

	puts("a WQE that says itself where it comes from");
	if (num <= 0)
		die("the library keeps address handles in another way: number %d", num);
	lib->ah_num = 0;
	lib->av = (struct rxe_av){
		.port_num = 1,
		.network_type = is_v4(&a->gid) ? RXE_NETWORK_TYPE_IPV4 : RXE_NETWORK_TYPE_IPV6,
		.grh = {
			.flow_label = FLOW,
			.sgid_index = a->gid_index,
			.hop_limit = HOPS,
			.traffic_class = TCLASS,
		},
	};
	memcpy(&lib->av.grh.dgid, &b->gid, sizeof(b->gid));
	/* Old drivers took the source address from this field. */
	memset(&lib->av.sgid_addr, 0x08, sizeof(lib->av.sgid_addr));
	post_recv(b, qb, 0);
	send_one(a, qa, ah, qb->qp_num, QKEY, 11);
	expect_recv(b, 0, qa->qp_num, 11, &a->gid, &b->gid);

	puts("a source that is none of the device's");
	lib->av.grh.sgid_index = 255;
	expect_stopped(a, qa, ah, 8, IBV_WC_LOC_QP_OP_ERR);
	lib->ah_num = num;
	check(!ibv_destroy_ah(ah), "AH destroyed");
	check(!ibv_destroy_qp(qa) && !ibv_destroy_qp(qb), "QPs destroyed");
}

/* A datagram to the group arrives at the members from @first on, all of which could receive it. */
static void expect_copies(struct side *a, struct side *b, struct ibv_qp *const member[], int first,
			  struct ibv_qp *sender, struct ibv_ah *ah, const union ibv_gid *group,
			  uint8_t fill)
{
	int i;

	for (i = 0; i < MEMBERS; i++)
		post_recv(a, member[i], i);
	send_one(b, sender, ah, MCAST_QPN, QKEY, fill);
	for (i = first; i < MEMBERS; i++)
		expect_recv(a, i, sender->qp_num, fill, &b->gid, group);
}

static void test_group(struct side *a, struct side *b, const union ibv_gid *group)
{
	struct ibv_qp *member[MEMBERS], *sender = create_qp(b, QKEY);
	struct ibv_ah *ah = create_ah(b, b->pd, group), *direct = create_ah(b, b->pd, &a->gid);
	int i;

	for (i = 0; i < MEMBERS; i++) {
		member[i] = create_qp(a, QKEY);
		check(!ibv_attach_mcast(member[i], group, 0), "attached");
		check(!ibv_attach_mcast(member[i], group, 0), "attached once more");
	}
	puts("every member of a group gets a copy");
	expect_copies(a, b, member, 0, sender, ah, group, 7);

	puts("one that has left it does not");
	check(!ibv_detach_mcast(member[0], group, 0), "detached");
	check(ibv_detach_mcast(member[0], group, 0) != 0, "not detached twice");
	expect_copies(a, b, member, 1, sender, ah, group, 8);
	send_one(b, sender, direct, member[0]->qp_num, QKEY, 9);
	expect_recv(a, 0, sender->qp_num, 9, &b->gid, &a->gid);

	puts("one that has come back does");
	for (i = 0; i < MEMBERS * 5; i++) {
		check(!ibv_attach_mcast(member[0], group, 0), "attached again");
		check(!ibv_detach_mcast(member[0], group, 0), "and detached");
	}
	check(!ibv_attach_mcast(member[0], group, 0), "attached again");
	expect_copies(a, b, member, 0, sender, ah, group, 12);
	check(!ibv_detach_mcast(member[0], group, 0), "detached");

	puts("one that has been attached twice has to be detached twice");
	check(!ibv_attach_mcast(member[0], group, 0), "attached");
	check(!ibv_attach_mcast(member[0], group, 1), "attached with another LID");
	expect_copies(a, b, member, 0, sender, ah, group, 13);
	check(!ibv_detach_mcast(member[0], group, 0), "detached");
	expect_copies(a, b, member, 0, sender, ah, group, 14);
	check(!ibv_detach_mcast(member[0], group, 1), "detached with the other LID");

	check(ibv_attach_mcast(member[0], &a->gid, 0) != 0, "no group, no attachment");
	for (i = 1; i < MEMBERS; i++)
		check(!ibv_detach_mcast(member[i], group, 0), "detached");
	for (i = 0; i < MEMBERS; i++)
		check(!ibv_destroy_qp(member[i]), "QP destroyed");
	check(!ibv_destroy_ah(ah) && !ibv_destroy_ah(direct), "AHs destroyed");
	check(!ibv_destroy_qp(sender), "QP destroyed");
}

/* The sender's own device has members, the first of which joins late; the other device has none. */
static void test_own_group(struct side *a, const union ibv_gid *group)
{
	struct ibv_qp *member = create_qp(a, QKEY), *sender = create_qp(a, QKEY);
	struct ibv_ah *ah = create_ah(a, a->pd, group);
	struct ibv_wc wc;
	int i;

	puts("members on the sender's own device get theirs, also once it has sent without any");
	send_one(a, sender, ah, MCAST_QPN, QKEY, 9);
	check(!ibv_attach_mcast(member, group, 0), "attached");
	post_recv(a, member, 0);
	post_send(a, sender, ah, MCAST_QPN, QKEY, 10, 100);
	for (i = 0; i < 2; i++) {
		side_wait(a, &wc);
		check(wc.status == IBV_WC_SUCCESS, "it is sent and received");
	}
	check(!ibv_detach_mcast(member, group, 0), "detached");
	check(!ibv_destroy_ah(ah) && !ibv_destroy_qp(member) && !ibv_destroy_qp(sender),
	      "AH and QPs destroyed");
}

/* Exit without detaching: the kernel must detach as many times as the QP was attached. */
static void leave_attached(const char *device, int gid_index, const union ibv_gid *group)
{
	struct side a;
	struct ibv_qp *member;

	side_open(&a, device, gid_index, 16 * SLOT);
	member = create_qp(&a, QKEY);
	check(!ibv_attach_mcast(member, group, 0), "attached");
	check(!ibv_attach_mcast(member, group, 1), "attached with another LID");
	puts("attached");
	fflush(stdout);
	pause();
}

static void send_only(const char *device, int gid_index, const union ibv_gid *group)
{
	struct ibv_qp *sender;
	struct ibv_wc wc;
	struct side a;

	side_open(&a, device, gid_index, 16 * SLOT);
	sender = create_qp(&a, QKEY);
	post_send(&a, sender, create_ah(&a, a.pd, group), MCAST_QPN, QKEY, 10, 100);
	side_wait(&a, &wc);
	printf("sent: %s\n", ibv_wc_status_str(wc.status));
}

int main(int argc, char **argv)
{
	union ibv_gid group;
	struct side a, b;

	if (argc == 5 && inet_pton(AF_INET6, argv[4], group.raw) == 1) {
		if (!strcmp(argv[1], "attach"))
			leave_attached(argv[2], atoi(argv[3]), &group);
		else
			send_only(argv[2], atoi(argv[3]), &group);
		return 0;
	}
	if (argc != 6 || inet_pton(AF_INET6, argv[5], group.raw) != 1)
		die("usage: ud DEVICE GID-INDEX DEVICE GID-INDEX GROUP, or ud attach|send DEVICE GID-INDEX GROUP");
	side_open(&a, argv[1], atoi(argv[2]), 16 * SLOT);
	side_open(&b, argv[3], atoi(argv[4]), 16 * SLOT);
	test_unicast(&a, &b);
	test_self(&a);
	test_refused(&a, &b);
	test_forged(&a, &b);
	test_own_group(&a, &group);
	test_group(&a, &b, &group);
	side_close(&a);
	side_close(&b);
	return 0;
}
