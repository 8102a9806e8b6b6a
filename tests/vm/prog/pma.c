// SPDX-License-Identifier: GPL-2.0
/*
 * Performance management: query a device's counters, from another device and over the network
 * between
 * them, and check that it rejects unsupported requests.
 *
 * 	pma DEVICE GID-INDEX PEER-DEVICE PEER-GID-INDEX
 *
 * The counters in the peer's reply must lie between those in its sysfs before and after.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pair.h"

#define MAD_SIZE	256
#define DATA_OFFSET	64 /* of a performance management MAD */
#define CLASS_PERF	4
#define GSI_QPN		1
#define GSI_QKEY	0x80010000u
#define ANSWER_MS	10000

enum { GET = 0x01, SET = 0x02, GET_RESP = 0x81 };
enum {
	CLASS_PORT_INFO = 0x01,
	PORT_SAMPLES = 0x10,
	PORT_COUNTERS = 0x12,
	PORT_COUNTERS_EXT = 0x1d
};
enum { OK = 0, BAD_VERSION = 0x04, BAD_METHOD = 0x08, BAD_ATTRIBUTE = 0x0c };

/* The header common to all MADs. */
struct mad {
	uint8_t base_version;
	uint8_t mgmt_class;
	uint8_t class_version;
	uint8_t method;
	uint16_t status;
	uint16_t class_specific;
	uint64_t tid;
	uint16_t attr_id;
	uint16_t reserved;
	uint32_t attr_mod;
	uint8_t rest[MAD_SIZE - 24];
};

struct message {
	struct ib_user_mad_hdr hdr;
	struct mad mad;
};

static const char *device, *peer;
static int umad;
static struct ib_user_mad_reg_req agent;
static union ibv_gid peer_gid;
static int gid_index;

static void read_line(const char *path, char *line, size_t size)
{
	FILE *f = fopen(path, "r");

	if (!f || !fgets(line, size, f))
		die("%s: %m", path);
	fclose(f);
	line[strcspn(line, "\n")] = 0;
}

/* Open the MAD character device of @device. */
static int open_umad(void)
{
	char path[512], name[64];
	struct dirent *entry;
	DIR *dir = opendir("/sys/class/infiniband_mad");
	int fd = -1;

	while (dir && fd < 0 && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "umad", 4))
			continue;
		snprintf(path, sizeof(path), "/sys/class/infiniband_mad/%s/ibdev", entry->d_name);
		read_line(path, name, sizeof(name));
		if (strcmp(name, device))
			continue;
		snprintf(path, sizeof(path), "/dev/infiniband/%s", entry->d_name);
		fd = open(path, O_RDWR | O_NONBLOCK);
	}
	if (fd < 0)
		die("no device for MADs of %s: %m", device);
	closedir(dir);
	return fd;
}

static void open_agent(void)
{
	agent = (struct ib_user_mad_reg_req){
		.qpn = GSI_QPN,
		.mgmt_class = CLASS_PERF,
		.mgmt_class_version = 1,
	};
	umad = open_umad();
	if (ioctl(umad, IB_USER_MAD_ENABLE_PKEY) || ioctl(umad, IB_USER_MAD_REGISTER_AGENT, &agent))
		die("no agent for performance management: %m");
}

static void ask(struct message *m)
{
	struct pollfd p = { .fd = umad, .events = POLLIN };
	static uint32_t tid;

	m->mad.tid = htobe64(++tid);
	m->hdr = (struct ib_user_mad_hdr){
		.id = agent.id,
		.timeout_ms = 1000,
		.retries = 5,
		.qpn = htonl(GSI_QPN),
		.qkey = htonl(GSI_QKEY),
		.grh_present = 1,
		.gid_index = gid_index,
		.hop_limit = 64,
	};
	memcpy(m->hdr.gid, &peer_gid, sizeof(m->hdr.gid));
	if (write(umad, m, sizeof(*m)) != sizeof(*m))
		die("a MAD cannot be sent: %m");
	if (poll(&p, 1, ANSWER_MS) != 1 || read(umad, m, sizeof(*m)) < 0)
		die("no answer in %d ms", ANSWER_MS);
	if (m->hdr.status)
		die("no answer: %s", strerror(m->hdr.status));
	if (m->mad.method != GET_RESP || (uint32_t)be64toh(m->mad.tid) != tid)
		die("an answer of method %#x to something else", m->mad.method);
}

/* Return the data of the reply to @method with class version @version. */
static const uint8_t *answer(uint8_t method, uint8_t version, uint16_t attr, uint16_t status)
{
	static struct message m;

	memset(&m, 0, sizeof(m));
	m.mad.base_version = 1;
	m.mad.mgmt_class = CLASS_PERF;
	m.mad.class_version = version;
	m.mad.method = method;
	m.mad.attr_id = htons(attr);
	((uint8_t *)&m.mad)[DATA_OFFSET + 1] = 1; /* the port */
	ask(&m);
	if (ntohs(m.mad.status) != status)
		die("method %#x, attribute %#x: status %#x, not %#x", method, attr,
		    ntohs(m.mad.status), status);
	return (const uint8_t *)&m.mad + DATA_OFFSET;
}

static uint64_t sysfs_counter(const char *name)
{
	char path[256], line[64];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/counters/%s", peer, name);
	read_line(path, line, sizeof(line));
	return strtoull(line, NULL, 10);
}

static uint32_t get_u32(const uint8_t *p)
{
	uint32_t value;

	memcpy(&value, p, sizeof(value));
	return ntohl(value);
}

static uint64_t get_u64(const uint8_t *p)
{
	return (uint64_t)get_u32(p) << 32 | get_u32(p + 4);
}

/* A counter that both attributes have. */
static const struct counter {
	const char *name;
	unsigned int at, at_ext;
} counters[] = {
	{ "port_xmit_data", 24, 8 },
	{ "port_rcv_data", 28, 16 },
	{ "port_xmit_packets", 32, 24 },
	{ "port_rcv_packets", 36, 32 },
};

#define COUNTERS (sizeof(counters) / sizeof(counters[0]))

static void test_counters(bool ext)
{
	uint64_t before[COUNTERS], told[COUNTERS], after;
	const uint8_t *data;
	size_t i;

	for (i = 0; i < COUNTERS; i++)
		before[i] = sysfs_counter(counters[i].name);
	data = answer(GET, 1, ext ? PORT_COUNTERS_EXT : PORT_COUNTERS, OK);
	if (data[1] != 1)
		die("counters of port %u", data[1]);
	for (i = 0; i < COUNTERS; i++)
		told[i] = ext ? get_u64(data + counters[i].at_ext) : get_u32(data + counters[i].at);
	for (i = 0; i < COUNTERS; i++) {
		after = sysfs_counter(counters[i].name);
		if (told[i] < before[i] || told[i] > after || !told[i])
			die("%s%s is %llu, between %llu and %llu", counters[i].name,
			    ext ? ", 64 bits" : "", (unsigned long long)told[i],
			    (unsigned long long)before[i], (unsigned long long)after);
	}
}

static void test_class_port_info(void)
{
	const uint8_t *data = answer(GET, 1, CLASS_PORT_INFO, OK);
	const uint16_t wide_not_ietf = 1 << 10;

	if (data[0] != 1 || data[1] != 1)
		die("versions %u and %u of performance management", data[0], data[1]);
	if (!((data[2] << 8 | data[3]) & wide_not_ietf))
		die("capabilities %#x without wide counters", data[2] << 8 | data[3]);
}

int main(int argc, char **argv)
{
	struct side s;

	if (argc != 5)
		die("usage: pma DEVICE GID-INDEX PEER-DEVICE PEER-GID-INDEX");
	device = argv[1];
	gid_index = atoi(argv[2]);
	peer = argv[3];
	side_open(&s, peer, atoi(argv[4]), 4096);
	peer_gid = s.gid;
	side_close(&s);
	open_agent();
	test_class_port_info();
	test_counters(false);
	test_counters(true);
	/* A peer cannot reset the counters. Sampling is not supported. */
	answer(SET, 1, PORT_COUNTERS, BAD_METHOD);
	answer(GET, 1, PORT_SAMPLES, BAD_ATTRIBUTE);
	answer(GET, 2, PORT_COUNTERS, BAD_VERSION);
	close(umad);
	printf("performance management answers as it should\n");
	return 0;
}
