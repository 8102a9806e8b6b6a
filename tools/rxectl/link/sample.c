// SPDX-License-Identifier: GPL-2.0
/* Samples of load, and the rates between two of them. */
#include <inttypes.h>
#include <json-c/json.h>
#include <netlink/attr.h>
#include <rdma/rdma_netlink.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "link/links.h"
#include "link/sample.h"
#include "sys/nlsock.h"
#include "sys/port_names.h"
#include "util/clock.h"
#include "util/files.h"

#define PSN_MASK 0xffffffu

enum count { TX_BYTES, RX_BYTES, TX_PACKETS, RX_PACKETS, RETRIES, DROPS, N_COUNTS };

static const struct {
	const char *old; /* key of version 0.1.0 */
	const char *key;
	unsigned int times; /* 8 converts bytes to bits */
} counts[N_COUNTS] = {
	[TX_BYTES] = { "tx", "tx_bits_per_second", 8 },
	[RX_BYTES] = { "rx", "rx_bits_per_second", 8 },
	[TX_PACKETS] = { "tx_packets", "tx_packets_per_second", 1 },
	[RX_PACKETS] = { "rx_packets", "rx_packets_per_second", 1 },
	[RETRIES] = { "retries", "retries_per_second", 1 },
	[DROPS] = { "drops", "drops_per_second", 1 },
};

/* Counters that are summed into each count; all counters "drop_*" go into DROPS. */
static const struct {
	const char *name;
	enum count count;
} counters[] = {
	{ "sent_bytes", TX_BYTES },	      { "rcvd_bytes", RX_BYTES },
	{ "sent_pkts", TX_PACKETS },	      { "rcvd_pkts", RX_PACKETS },
	{ "completer_retry_err", RETRIES },
};

struct sample_device {
	uint32_t index;
	char name[NLDEV_NAME_SIZE];
	char netdev[IF_NAMESIZE];
	uint8_t state;
	uint64_t counts[N_COUNTS];
};

/* @peer, @pid and @owner[0] are 0 if unknown. */
struct sample_qp {
	uint32_t device;
	uint32_t qpn;
	uint32_t peer;
	uint32_t psn;
	uint32_t pid;
	uint8_t type;
	uint8_t state;
	char owner[32];
};

static void add_counter(const char *name, uint64_t value, void *arg)
{
	struct sample_device *device = arg;

	if (!strncmp(name, "drop_", 5))
		device->counts[DROPS] += value;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		if (!strcmp(name, counters[i].name))
			device->counts[counters[i].count] += value;
}

static uint32_t number(struct nlattr *attr)
{
	return attr ? nla_get_u32(attr) : 0;
}

struct qp_reader {
	struct sample *sample;
	uint32_t device;
};

static void add_qp(struct nlattr **tb, void *arg)
{
	const struct qp_reader *reader = arg;
	struct sample *sample = reader->sample;
	struct sample_qp *grown = reallocarray(sample->qps, sample->n_qps + 1, sizeof(*grown));
	struct sample_qp *qp;

	if (!grown)
		return;
	sample->qps = grown;
	qp = &grown[sample->n_qps++];
	*qp = (struct sample_qp){
		.device = reader->device,
		.qpn = number(tb[RDMA_NLDEV_ATTR_RES_LQPN]),
		.peer = number(tb[RDMA_NLDEV_ATTR_RES_RQPN]),
		.psn = number(tb[RDMA_NLDEV_ATTR_RES_SQ_PSN]),
		.pid = number(tb[RDMA_NLDEV_ATTR_RES_PID]),
	};
	if (tb[RDMA_NLDEV_ATTR_RES_TYPE])
		qp->type = nla_get_u8(tb[RDMA_NLDEV_ATTR_RES_TYPE]);
	if (tb[RDMA_NLDEV_ATTR_RES_STATE])
		qp->state = nla_get_u8(tb[RDMA_NLDEV_ATTR_RES_STATE]);
	resource_owner(tb, qp->owner, sizeof(qp->owner));
}

static void read_device(struct sample *sample, struct nlsock *rdma, const struct rxe_link *link)
{
	struct sample_device *device = &sample->devices[sample->n_devices++];
	struct qp_reader reader = { .sample = sample, .device = link->dev.index };

	device->index = link->dev.index;
	device->state = link->port.state;
	memcpy(device->name, link->dev.name, sizeof(device->name));
	memcpy(device->netdev, link->netdev, sizeof(device->netdev));
	nldev_counters(rdma, link->dev.index, add_counter, device);
	nldev_dump(rdma, link->dev.index, RDMA_NLDEV_CMD_RES_QP_GET, RDMA_NLDEV_ATTR_RES_QP,
		   add_qp, &reader);
}

int sample_read(const struct ctx *ctx, const char *name, struct sample *sample)
{
	struct links links;
	int status = links_get(ctx, name, &links);

	memset(sample, 0, sizeof(*sample));
	sample->devices = calloc(links.n + 1, sizeof(*sample->devices));
	for (size_t i = 0; i < links.n && sample->devices && !status; i++)
		read_device(sample, netns_rdma(links.own), &links.links[i]);
	sample->when = clock_seconds();
	links_put(&links);
	return status;
}

void sample_put(struct sample *sample)
{
	free(sample->devices);
	free(sample->qps);
}

static const struct sample_device *find_device(const struct sample *sample, uint32_t index)
{
	for (size_t i = 0; i < sample->n_devices; i++)
		if (sample->devices[i].index == index)
			return &sample->devices[i];
	return NULL;
}

static int count_qps(const struct sample *sample, uint32_t device)
{
	int n = 0;

	for (size_t i = 0; i < sample->n_qps; i++)
		n += sample->qps[i].device == device;
	return n;
}

/* The rate of a device that the first sample lacks is 0. */
static double rate(const struct sample_device *before, const struct sample_device *after,
		   enum count count, double seconds)
{
	if (!before || after->counts[count] <= before->counts[count] || seconds <= 0)
		return 0;
	return (double)(after->counts[count] - before->counts[count]) * counts[count].times /
	       seconds;
}

static struct json_object *device_row(const struct sample *before, const struct sample *after,
				      const struct sample_device *device)
{
	const struct sample_device *old = find_device(before, device->index);
	struct json_object *row = json_object_new_object();

	json_object_object_add(row, "device", json_object_new_string(device->name));
	json_object_object_add(row, "netdev", output_string(device->netdev));
	json_object_object_add(row, "state", json_object_new_string(port_state(device->state)));
	json_object_object_add(row, "qps", json_object_new_int(count_qps(after, device->index)));
	for (int c = 0; c < N_COUNTS; c++)
		output_number(row, counts[c].old, counts[c].key,
			      json_object_new_double(rate(old, device, (enum count)c,
							  after->when - before->when)));
	return row;
}

struct json_object *sample_devices(const struct sample *before, const struct sample *after)
{
	struct json_object *rows = json_object_new_array();

	for (size_t i = 0; i < after->n_devices; i++)
		json_object_array_add(rows, device_row(before, after, &after->devices[i]));
	return rows;
}

static const struct sample_qp *find_qp(const struct sample *sample, const struct sample_qp *qp)
{
	for (size_t i = 0; i < sample->n_qps; i++)
		if (sample->qps[i].device == qp->device && sample->qps[i].qpn == qp->qpn)
			return &sample->qps[i];
	return NULL;
}

/* A difference above half of the PSN range means that the QP was reconnected. */
static double psn_rate(const struct sample_qp *before, const struct sample_qp *after,
		       double seconds)
{
	uint32_t n = before ? (after->psn - before->psn) & PSN_MASK : 0;

	return n > PSN_MASK / 2 || seconds <= 0 ? 0 : n / seconds;
}

static struct json_object *positive(uint32_t value)
{
	return value ? json_object_new_int64(value) : NULL;
}

static struct json_object *qp_row(const struct sample *before, const struct sample *after,
				  const struct sample_qp *qp)
{
	struct json_object *row = json_object_new_object();
	double packets = psn_rate(find_qp(before, qp), qp, after->when - before->when);

	json_object_object_add(
		row, "device",
		json_object_new_string(find_device(after, qp->device)->name));
	json_object_object_add(row, "qpn", json_object_new_int64(qp->qpn));
	json_object_object_add(row, "type", json_object_new_string(resource_qp_type(qp->type)));
	json_object_object_add(row, "state",
			       json_object_new_string(resource_qp_state(qp->state)));
	json_object_object_add(row, "peer_qpn", positive(qp->peer));
	output_number(row, "packets", "packets_per_second", json_object_new_double(packets));
	json_object_object_add(row, "pid", positive(qp->pid));
	json_object_object_add(row, "command", output_string(qp->owner));
	return row;
}

struct json_object *sample_qps(const struct sample *before, const struct sample *after)
{
	struct json_object *rows = json_object_new_array();

	for (size_t i = 0; i < after->n_qps; i++)
		json_object_array_add(rows, qp_row(before, after, &after->qps[i]));
	return rows;
}
