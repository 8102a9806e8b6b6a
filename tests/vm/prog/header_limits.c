// SPDX-License-Identifier: GPL-2.0
/*
 * Send forged RoCEv2 packets to an idle connected RC queue pair, and show that they change nothing:
 * neither its state, as "rdma resource" shows it, nor its memory, nor its CQ. At the end, the queue
 * pair exchanges data with its peer.
 *
 *	header_limits DEVICE_A GID_INDEX DEVICE_B GID_INDEX SOURCE DESTINATION COUNT SEED [peer]
 *
 * The interfaces are eth0 in the network namespaces "a" and "b". COUNT packets go from a to the
 * queue pair of DEVICE_B, with the address SOURCE, IPv4 or IPv6, in their headers. Each header
 * field is at times at or beside its limits, or beside its right value. Without "peer", SOURCE is
 * no peer, and all else may be right: QPN, PSN and R_Key. With "peer", SOURCE is the address of the
 * peer, and each packet has a flaw for which it must be dropped silently. Prints the number of
 * bytes in the IP packets.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pair.h"

#define BUF	    4096
#define MTU	    1024
#define BATCH	    64
#define MAX_PACKET  (40 + 8 + 12 + 28 + MTU + 4 + 4)
#define UDP_LEN	    8
#define BTH_LEN	    12
#define ICRC_LEN    4
#define ROCE_PORT   4791
#define SOURCE_PORT 49152
#define PATTERN_A   0x5a
#define PATTERN_B   0xa5

static struct side a, b;
static const struct pair_attr attr = { .mtu = IBV_MTU_1024, .timeout = 14, .psn = 0xfffff0 };

/* Addresses of the forged packets, in network byte order. */
static bool v6, from_peer;
static uint8_t source[16], destination[16];

/**
 * struct packet - a forged packet
 * @ip_len: length of the IP header
 * @ext_len: length of the headers behind the BTH
 * @len: of all, with the ICRC
 * @keep_udp_sum: the UDP checksum is one of the fields that were changed
 * @data: from the IP header on
 */
struct packet {
	size_t ip_len;
	size_t ext_len;
	size_t len;
	bool keep_udp_sum;
	uint8_t data[MAX_PACKET];
};

static struct packet batch[BATCH];

/* xorshift64* */
static uint64_t random_state;

static uint32_t rnd(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (random_state * 0x2545f4914f6cdd1dull) >> 32;
}

static uint32_t below(uint32_t n)
{
	return rnd() % n;
}

static bool one_in(uint32_t n)
{
	return !below(n);
}

/* The field of @bits bits, 32 at most, that begins @at bits behind @data. */
static uint32_t get_bits(const uint8_t *data, unsigned int at, unsigned int bits)
{
	uint32_t value = 0;

	for (; bits; bits--, at++)
		value = value << 1 | (data[at / 8] >> (7 - at % 8) & 1);
	return value;
}

static void set_bits(uint8_t *data, unsigned int at, unsigned int bits, uint32_t value)
{
	for (at += bits; bits; bits--, value >>= 1) {
		at--;
		data[at / 8] &= ~(0x80 >> at % 8);
		data[at / 8] |= (value & 1) << (7 - at % 8);
	}
}

/* CRC-32 of IEEE 802.3, without the inversion at the end. */
static uint32_t crc32(uint32_t crc, const uint8_t *data, size_t len)
{
	static uint32_t table[256];
	uint32_t i, bit;

	for (i = 0; !table[255] && i < 256; i++)
		for (table[i] = i, bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	while (len--)
		crc = crc >> 8 ^ table[(crc ^ *data++) & 0xff];
	return crc;
}

/* Fields that routers may change count as ones (IBTA A17.3.3). */
static void set_icrc(struct packet *p)
{
	static const uint8_t lrh[8] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	size_t head_len = p->ip_len + UDP_LEN + BTH_LEN, at = p->len - ICRC_LEN;
	uint8_t head[40 + UDP_LEN + BTH_LEN], *udp = head + p->ip_len;
	uint32_t crc;

	memcpy(head, p->data, head_len);
	if (v6) {
		set_bits(head, 4, 28, 0xfffffff);
		head[7] = 0xff;
	} else {
		head[1] = head[8] = head[10] = head[11] = 0xff;
	}
	udp[6] = udp[7] = 0xff;
	udp[UDP_LEN + 4] = 0xff;
	crc = crc32(0xffffffff, lrh, sizeof(lrh));
	crc = crc32(crc, head, head_len);
	crc = ~crc32(crc, p->data + head_len, at - head_len);
	memcpy(p->data + at, &crc, ICRC_LEN);
}

static uint32_t sum16(const uint8_t *data, size_t len)
{
	uint32_t sum = 0;
	size_t i;

	for (i = 0; i < len; i++)
		sum += i % 2 ? data[i] : data[i] << 8;
	return sum;
}

static uint16_t folded(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

/* The checksum of the IPv4 header, or that of UDP over IPv6; over IPv4, UDP has none. */
static void set_checksum(struct packet *p)
{
	uint8_t *udp = p->data + p->ip_len;
	uint16_t sum;

	if (!v6) {
		p->data[10] = p->data[11] = 0;
		set_bits(p->data, 80, 16, folded(sum16(p->data, p->ip_len)));
	} else if (!p->keep_udp_sum) {
		udp[6] = udp[7] = 0;
		sum = folded(sum16(p->data + 8, 32) + IPPROTO_UDP + (p->len - p->ip_len) +
			     sum16(udp, p->len - p->ip_len));
		set_bits(udp, 48, 16, sum ?: 0xffff);
	}
}

/* The length of the headers behind the BTH of @opcode. */
static size_t ext_len_of(uint8_t opcode)
{
	switch (opcode & 0x1f) {
	case 0x06: /* RDMA WRITE First */
	case 0x0a: /* RDMA WRITE Only */
	case 0x0c: /* RDMA READ Request */
		return 16;
	case 0x0b: /* RDMA WRITE Only with Immediate */
		return 20;
	case 0x0d: /* RDMA READ response First */
	case 0x0f: /* RDMA READ response Last */
	case 0x10: /* RDMA READ response Only */
	case 0x11: /* Acknowledge */
		return 4;
	case 0x12: /* ATOMIC Acknowledge */
		return 12;
	case 0x13: /* CmpSwap */
	case 0x14: /* FetchAdd */
		return 28;
	case 0x03: /* SEND Last with Immediate */
	case 0x05: /* SEND Only with Immediate */
	case 0x09: /* RDMA WRITE Last with Immediate */
	case 0x16: /* SEND Last with Invalidate */
	case 0x17: /* SEND Only with Invalidate */
		return 4;
	default:
		return 0;
	}
}

static size_t payload_of(uint8_t opcode)
{
	static const size_t lengths[] = { 0, 1, 3, 4, 64, 255, 256, 1020, MTU };

	switch (opcode & 0x1f) {
	case 0x00: /* SEND First */
	case 0x01: /* SEND Middle */
	case 0x06: /* RDMA WRITE First */
	case 0x07: /* RDMA WRITE Middle */
	case 0x0d: /* RDMA READ response First */
	case 0x0e: /* RDMA READ response Middle */
		return MTU;
	case 0x0c: /* RDMA READ Request */
	case 0x11: /* Acknowledge */
	case 0x12: /* ATOMIC Acknowledge */
	case 0x13: /* CmpSwap */
	case 0x14: /* FetchAdd */
		return 0;
	default:
		return lengths[below(sizeof(lengths) / sizeof(lengths[0]))];
	}
}

/* An extended header with the right address, R_Key and length, or an acknowledgement. */
static void set_extended(uint8_t *ext, size_t len, size_t payload)
{
	uint64_t address = htobe64((uintptr_t)b.buf);
	uint32_t words[7] = { 0, 0, htonl(b.mr->rkey), htonl(payload ?: 8), 0, htonl(1), 0 };

	memcpy(words, &address, sizeof(address));
	if (len == 4 || len == 12)
		words[0] = htonl(b.mr->rkey);
	memcpy(ext, words, len);
}

static void set_ip(struct packet *p)
{
	uint8_t *ip = p->data;

	memset(ip, 0, p->ip_len);
	if (v6) {
		set_bits(ip, 0, 4, 6);
		set_bits(ip, 32, 16, p->len - p->ip_len);
		ip[6] = IPPROTO_UDP;
		ip[7] = 64;
		memcpy(ip + 8, source, 16);
		memcpy(ip + 24, destination, 16);
	} else {
		ip[0] = 0x45;
		set_bits(ip, 16, 16, p->len);
		set_bits(ip, 48, 16, 0x4000);
		ip[8] = 64;
		ip[9] = IPPROTO_UDP;
		memcpy(ip + 12, source, 4);
		memcpy(ip + 16, destination, 4);
	}
}

/* A packet as the peer would send it next. */
static void set_right(struct packet *p, uint8_t opcode)
{
	size_t payload = payload_of(opcode), pad = -payload & 3;
	uint8_t *udp, *bth;

	p->keep_udp_sum = false;
	p->ip_len = v6 ? 40 : 20;
	p->ext_len = ext_len_of(opcode);
	p->len = p->ip_len + UDP_LEN + BTH_LEN + p->ext_len + payload + pad + ICRC_LEN;
	set_ip(p);
	udp = p->data + p->ip_len;
	set_bits(udp, 0, 16, SOURCE_PORT);
	set_bits(udp, 16, 16, ROCE_PORT);
	set_bits(udp, 32, 16, p->len - p->ip_len);
	set_bits(udp, 48, 16, 0);
	bth = udp + UDP_LEN;
	memset(bth, 0, BTH_LEN);
	bth[0] = opcode;
	set_bits(bth, 10, 2, pad);
	set_bits(bth, 16, 16, 0xffff);
	set_bits(bth, 40, 24, b.qp->qp_num);
	set_bits(bth, 72, 24, attr.psn);
	set_extended(bth + BTH_LEN, p->ext_len, payload);
	memset(bth + BTH_LEN + p->ext_len, PATTERN_A, payload + pad);
}

/**
 * struct field - a field of a header
 * @bit: where it begins, from the beginning of the header
 * @bits: its width
 */
struct field {
	unsigned int bit;
	unsigned int bits;
};

static const struct field ip4[] = {
	{ 0, 4 }, /* version */
	{ 4, 4 }, /* header length */
	{ 8, 8 }, /* TOS */
	{ 16, 16 }, /* total length */
	{ 32, 16 }, /* identification */
	{ 48, 16 }, /* fragmentation */
	{ 64, 8 }, /* TTL */
	{ 72, 8 }, /* protocol */
	{ 96, 32 }, /* source */
};

static const struct field ip6[] = {
	{ 0, 4 }, /* version */
	{ 4, 8 }, /* traffic class */
	{ 12, 20 }, /* flow label */
	{ 32, 16 }, /* payload length */
	{ 48, 8 }, /* next header */
	{ 56, 8 }, /* hop limit */
	{ 160, 32 }, /* end of the source */
};

static const struct field udp_fields[] = {
	{ 0, 16 }, /* source port */
	{ 16, 16 }, /* destination port */
	{ 32, 16 }, /* length */
	{ 48, 16 }, /* checksum */
};

static const struct field bth_fields[] = {
	{ 0, 8 }, /* opcode */
	{ 8, 2 }, /* SE and M */
	{ 10, 2 }, /* pad count */
	{ 12, 4 }, /* TVer */
	{ 16, 16 }, /* P_Key */
	{ 32, 8 }, /* FECN, BECN and reserved */
	{ 40, 24 }, /* destination QP */
	{ 64, 1 }, /* AckReq */
	{ 65, 7 }, /* reserved */
	{ 72, 24 }, /* PSN */
};
/* Each word of the headers behind it. */
static const struct field ext_fields[] = {
	{ 0, 32 },
	{ 32, 32 },
	{ 64, 32 },
	{ 96, 32 },
	{ 128, 32 },
	{ 160, 32 },
	{ 192, 32 },
};

/* A limit of a field of @bits bits, a number beside a limit or beside @right, or any number. */
static uint32_t odd(uint32_t right, unsigned int bits)
{
	uint32_t max = 0xffffffff >> (32 - bits);
	const uint32_t values[] = { 0, 1, max, max - 1, max / 2, max / 2 + 1, right - 1, right + 1,
				    rnd() };

	return values[below(sizeof(values) / sizeof(values[0]))] & max;
}

static void change(uint8_t *header, const struct field *fields, size_t n)
{
	const struct field *f = &fields[below(n)];

	set_bits(header, f->bit, f->bits, odd(get_bits(header, f->bit, f->bits), f->bits));
}

#define CHANGE(header, fields) change(header, fields, sizeof(fields) / sizeof((fields)[0]))

static void change_one(struct packet *p)
{
	uint8_t *udp = p->data + p->ip_len, *bth = udp + UDP_LEN;
	uint32_t sum = get_bits(udp, 48, 16);

	switch (below(8)) {
	case 0:
		if (v6)
			CHANGE(p->data, ip6);
		else
			CHANGE(p->data, ip4);
		break;
	case 1:
		CHANGE(udp, udp_fields);
		p->keep_udp_sum |= get_bits(udp, 48, 16) != sum;
		break;
	case 2:
	case 3:
		if (p->ext_len) {
			change(bth + BTH_LEN, ext_fields, p->ext_len / 4);
			break;
		}
		/* fallthrough */
	default:
		CHANGE(bth, bth_fields);
	}
}

/* A number of the IP header may have made the source address that of the peer. */
static bool is_peer(const struct packet *p)
{
	if (v6)
		return !memcmp(p->data + 8, a.gid.raw, 16);
	return !memcmp(p->data + 12, a.gid.raw + 12, 4);
}

enum flaw { BAD_ICRC, BAD_PKEY, BAD_VERSION, BAD_SERVICE, BAD_LENGTH, FLAWS };

/* Opcodes that an RC queue pair does not take; not CNP. */
static uint8_t other_service(void)
{
	static const uint8_t opcodes[] = { 0x20, 0x21, 0x24, 0x26, 0x27, 0x2a, 0x2b, 0x3f, 0x40,
					   0x5f, 0x64, 0x65, 0xa0, 0xb4, 0xc0, 0xff };

	return opcodes[below(sizeof(opcodes))];
}

static void set_flaw(struct packet *p, enum flaw flaw)
{
	uint8_t *udp = p->data + p->ip_len, *bth = udp + UDP_LEN;

	if (flaw == BAD_PKEY)
		set_bits(bth, 17, 15, below(0x7fff));
	else if (flaw == BAD_VERSION)
		set_bits(bth, 12, 4, 1 + below(15));
	else if (flaw == BAD_SERVICE)
		bth[0] = other_service();
	else if (flaw == BAD_LENGTH)
		set_bits(udp, 32, 16, below(UDP_LEN + BTH_LEN + ICRC_LEN));
}

static uint8_t opcode(void)
{
	if (one_in(4))
		return rnd();
	return below(0x18);
}

static void forge(struct packet *p)
{
	enum flaw flaw = from_peer ? below(FLAWS) : FLAWS;
	int changes = one_in(4) ? 0 : one_in(4) ? 3 : 1;

	set_right(p, opcode());
	while (changes--)
		change_one(p);
	if (!from_peer && is_peer(p))
		p->data[v6 ? 23 : 15] ^= 0x40;
	set_flaw(p, flaw);
	set_checksum(p);
	set_icrc(p);
	if (flaw == BAD_ICRC || (flaw == FLAWS && one_in(8)))
		p->data[p->len - 1 - below(ICRC_LEN)] ^= 1 << below(8);
	if (v6)
		set_checksum(p);
}

static void enter(int netns)
{
	if (netns < 0 || setns(netns, CLONE_NEWNET))
		die("cannot enter the network namespace: %m");
	close(netns);
}

/* Where to send to: the link-layer address of eth0 in @netns. */
static void read_mac(const char *netns, struct sockaddr_ll *to)
{
	struct ifreq request = { .ifr_name = "eth0" };
	int fd;

	enter(open(netns, O_RDONLY));
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || ioctl(fd, SIOCGIFHWADDR, &request))
		die("eth0 has no link-layer address: %m");
	close(fd);
	memcpy(to->sll_addr, request.ifr_hwaddr.sa_data, ETH_ALEN);
	to->sll_halen = ETH_ALEN;
}

/* A socket on eth0 of host a that only sends. */
static int open_socket(struct sockaddr_ll *to)
{
	int own = open("/proc/thread-self/ns/net", O_RDONLY);
	int fd, yes = 1;

	read_mac("/run/netns/b", to);
	enter(open("/run/netns/a", O_RDONLY));
	to->sll_family = AF_PACKET;
	to->sll_protocol = htons(v6 ? ETH_P_IPV6 : ETH_P_IP);
	to->sll_ifindex = if_nametoindex("eth0");
	fd = socket(AF_PACKET, SOCK_DGRAM, 0);
	if (fd < 0 || setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof(yes)))
		die("no packet socket: %m");
	enter(own);
	return fd;
}

/* Return: bytes of IP packets. */
static unsigned long long send_batch(int fd, struct sockaddr_ll *to, unsigned int n)
{
	static struct mmsghdr messages[BATCH];
	static struct iovec parts[BATCH];
	unsigned long long bytes = 0;
	unsigned int i;
	int sent;

	for (i = 0; i < n; i++) {
		forge(&batch[i]);
		parts[i] = (struct iovec){ batch[i].data, batch[i].len };
		messages[i].msg_hdr = (struct msghdr){ .msg_name = to,
						       .msg_namelen = sizeof(*to),
						       .msg_iov = &parts[i],
						       .msg_iovlen = 1 };
		bytes += batch[i].len;
	}
	for (i = 0; i < n; i += sent) {
		sent = sendmmsg(fd, messages + i, n - i, 0);
		if (sent <= 0)
			die("cannot send: %m");
	}
	return bytes;
}

static void send_all(unsigned long count)
{
	struct sockaddr_ll to = {};
	unsigned long long bytes = 0;
	int fd = open_socket(&to);
	unsigned int n;

	for (; count; count -= n) {
		n = count < BATCH ? count : BATCH;
		bytes += send_batch(fd, &to, n);
	}
	close(fd);
	printf("%llu\n", bytes);
}

/* What the kernel shows of the queue pair of B: its states, PSNs, and fill levels of its rings. */
static void show_state(char *text, size_t size)
{
	char command[64];
	FILE *pipe;
	size_t len;

	snprintf(command, sizeof(command), "rdma -dd resource show qp lqpn %u", b.qp->qp_num);
	pipe = popen(command, "r");
	len = pipe ? fread(text, 1, size - 1, pipe) : 0;
	text[len] = '\0';
	if (!pipe || pclose(pipe) || !strstr(text, "RTS"))
		die("the queue pair is not in RTS: %s", text);
}

static void check_untouched(const struct side *s, uint8_t pattern)
{
	struct ibv_wc wc;
	size_t i;

	for (i = 0; i < s->size; i++)
		if (s->buf[i] != pattern)
			die("byte %zu is %#x instead of %#x", i, s->buf[i], pattern);
	if (ibv_poll_cq(s->cq, 1, &wc))
		die("a completion: %s", ibv_wc_status_str(wc.status));
}

static void operate(struct side *s, const struct side *peer, enum ibv_wr_opcode code)
{
	struct ibv_sge sge = { (uintptr_t)s->buf, s->size, s->mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.opcode = code,
		.sg_list = &sge,
		.num_sge = 1,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { (uintptr_t)peer->buf, peer->mr->rkey },
	};
	struct ibv_wc wc;

	if (ibv_post_send(s->qp, &wr, &bad))
		die("posting fails: %m");
	side_expect(s, 0, IBV_WC_SUCCESS, &wc);
}

/* Each end still takes and sends requests and responses. */
static void check_works(void)
{
	operate(&a, &b, IBV_WR_RDMA_WRITE);
	check_untouched(&b, PATTERN_A);
	memset(b.buf, PATTERN_B, b.size);
	operate(&a, &b, IBV_WR_RDMA_READ);
	check_untouched(&a, PATTERN_B);
	memset(b.buf, PATTERN_A, b.size);
	operate(&b, &a, IBV_WR_RDMA_WRITE);
	check_untouched(&a, PATTERN_A);
	memset(a.buf, PATTERN_B, a.size);
	operate(&b, &a, IBV_WR_RDMA_READ);
	check_untouched(&b, PATTERN_B);
}

static void read_addresses(const char *from, const char *to)
{
	v6 = strchr(from, ':');
	if (inet_pton(v6 ? AF_INET6 : AF_INET, from, source) != 1 ||
	    inet_pton(v6 ? AF_INET6 : AF_INET, to, destination) != 1)
		die("what are the addresses %s and %s?", from, to);
}

int main(int argc, char **argv)
{
	char before[4096], now[4096];

	if (argc != 9 && argc != 10)
		die("usage: header_limits DEVICE_A GID_INDEX DEVICE_B GID_INDEX SOURCE DESTINATION "
		    "COUNT SEED [peer]");
	read_addresses(argv[5], argv[6]);
	random_state = 0x9e3779b97f4a7c15ull + strtoull(argv[8], NULL, 0);
	from_peer = argc == 10;
	side_open(&a, argv[1], atoi(argv[2]), BUF);
	side_open(&b, argv[3], atoi(argv[4]), BUF);
	pair_create(&a, &b, &attr);
	memset(a.buf, PATTERN_A, BUF);
	memset(b.buf, PATTERN_B, BUF);
	show_state(before, sizeof(before));
	send_all(strtoul(argv[7], NULL, 0));
	show_state(now, sizeof(now));
	if (strcmp(before, now))
		die("the state was\n%s\nand is\n%s", before, now);
	check_untouched(&a, PATTERN_A);
	check_untouched(&b, PATTERN_B);
	check_works();
	pair_destroy(&a, &b);
	side_close(&a);
	side_close(&b);
	return 0;
}
