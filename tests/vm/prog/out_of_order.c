// SPDX-License-Identifier: GPL-2.0
/*
 * A peer that sends packets out of order, and never the expected one, each in a segmented buffer of
 * 64 KiB whose other packets are dropped: the reorder queue must retain only the packets, not the
 * buffers.
 *
 *	out_of_order QPS DEVICE GID_INDEX PEER_DEVICE PEER_GID_INDEX
 *
 * Run in the peer's network namespace; the GIDs are IPv6 addresses. Prints the packets sent ahead,
 * and the kB of memory that they took.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pair.h"

#define MAX_QPS	 1024
#define AHEAD	 120 /* of the 128 that the reorder queue may hold */
#define PAYLOAD	 1024
#define SEGMENTS 62
#define PSN	 0xffffff
#define PORT	 4791
#define NOBODY	 0xfffffe
#define NOISE_KB 1536 /* after warm-up */

/* The IP and UDP headers as covered by the ICRC, and the prefix of both. */
struct pseudo {
	uint8_t lrh[8];
	uint8_t first[4];
	uint16_t ip_len;
	uint8_t next_header;
	uint8_t hop_limit;
	struct in6_addr from;
	struct in6_addr to;
	uint16_t from_port;
	uint16_t to_port;
	uint16_t udp_len;
	uint16_t udp_check;
};

struct bth {
	uint8_t opcode;
	uint8_t flags;
	uint16_t pkey;
	uint32_t qpn;
	uint32_t psn;
};

struct packet {
	struct bth bth;
	uint8_t payload[PAYLOAD];
	uint8_t icrc[4];
};

static struct side a, b;
static struct packet buffer[SEGMENTS];
static struct sockaddr_in6 from = { .sin6_family = AF_INET6, .sin6_port = 0 };
static struct sockaddr_in6 to = { .sin6_family = AF_INET6 };

static uint32_t crc32(uint32_t crc, const void *data, size_t len)
{
	const uint8_t *p = data;
	int bit;

	for (; len; len--, p++) {
		crc ^= *p;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return crc;
}

static void set_icrc(struct packet *p)
{
	struct pseudo pseudo = {
		.ip_len = htons(sizeof(struct udphdr) + sizeof(*p)),
		.next_header = IPPROTO_UDP,
		.hop_limit = 0xff,
		.from = from.sin6_addr,
		.to = to.sin6_addr,
		.from_port = from.sin6_port,
		.to_port = to.sin6_port,
		.udp_len = htons(sizeof(struct udphdr) + sizeof(*p)),
		.udp_check = 0xffff,
	};
	struct bth bth = p->bth;
	uint32_t crc;

	memset(pseudo.lrh, 0xff, sizeof(pseudo.lrh));
	memset(pseudo.first, 0xff, sizeof(pseudo.first));
	pseudo.first[0] = 0x6f;
	bth.qpn |= htonl(0xff000000);
	crc = crc32(~0u, &pseudo, sizeof(pseudo));
	crc = crc32(crc, &bth, sizeof(bth));
	crc = ~crc32(crc, p->payload, sizeof(p->payload));
	p->icrc[0] = crc;
	p->icrc[1] = crc >> 8;
	p->icrc[2] = crc >> 16;
	p->icrc[3] = crc >> 24;
}

static long free_kb(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];
	long kb = -1;

	while (f && kb < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "MemFree: %ld kB", &kb);
	if (kb < 0)
		die("/proc/meminfo: %m");
	fclose(f);
	return kb;
}

static int peer_socket(void)
{
	int fd = socket(AF_INET6, SOCK_DGRAM, 0), size = sizeof(struct packet);
	socklen_t len = sizeof(from);

	memcpy(&from.sin6_addr, b.gid.raw, sizeof(b.gid.raw));
	memcpy(&to.sin6_addr, a.gid.raw, sizeof(a.gid.raw));
	to.sin6_port = htons(PORT);
	if (fd < 0 || bind(fd, (struct sockaddr *)&from, sizeof(from)) ||
	    getsockname(fd, (struct sockaddr *)&from, &len) ||
	    setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof(size)))
		die("no socket: %m");
	return fd;
}

/* Send a SEND-only packet without AckReq. */
static void send_ahead(int fd, uint32_t qpn, uint32_t psn)
{
	buffer[0].bth = (struct bth){
		.opcode = 0x04,
		.flags = 0x40,
		.pkey = htons(0xffff),
		.qpn = htonl(qpn),
		.psn = htonl(psn & 0xffffff),
	};
	set_icrc(&buffer[0]);
	if (sendto(fd, buffer, sizeof(buffer), 0, (struct sockaddr *)&to, sizeof(to)) < 0)
		die("sending: %m");
}

/*
 * Memory taken by out-of-order packets on @n QPs. Sends to one QP after another, so that all are
 * sent while the first are still buffered.
 */
static long taken_kb(int fd, const uint32_t *qpns, int n)
{
	long before = free_kb();
	int ahead, i;

	for (ahead = 1; ahead <= AHEAD; ahead++)
		for (i = 0; i < n; i++)
			send_ahead(fd, qpns[i], PSN + ahead);
	return before - free_kb();
}

int main(int argc, char **argv)
{
	static const struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = PSN };
	static struct ibv_qp *qps[MAX_QPS];
	static uint32_t qpns[MAX_QPS];
	uint32_t nobody = NOBODY;
	int fd, i, n, tries = 64;
	long kb;

	if (argc != 6)
		die("usage: out_of_order QPS DEVICE GID_INDEX PEER_DEVICE PEER_GID_INDEX");
	n = atoi(argv[1]);
	if (n < 1 || n > MAX_QPS)
		die("QPS \"%s\": a number from 1 to %d", argv[1], MAX_QPS);
	side_open(&a, argv[2], atoi(argv[3]), PAYLOAD);
	side_open(&b, argv[4], atoi(argv[5]), PAYLOAD);
	side_create_qp(&b);
	fd = peer_socket();
	for (i = 0; i < n; i++) {
		side_create_qp(&a);
		side_to_rtr(&a, &b, &attr);
		qps[i] = a.qp;
		qpns[i] = a.qp->qp_num;
	}
	/*
	 * Warm up: memory of the data path itself, and freed memory that KASAN keeps, is allocated
	 * here.
	 */
	while (tries-- && taken_kb(fd, &nobody, 1) > NOISE_KB)
		;
	kb = taken_kb(fd, qpns, n);
	for (i = 0; i < n; i++)
		ibv_destroy_qp(qps[i]);
	side_destroy_qp(&b);
	close(fd);
	printf("%d %ld\n", n * AHEAD, kb);
	a.qp = NULL;
	side_close(&a);
	side_close(&b);
	return 0;
}
