// SPDX-License-Identifier: GPL-2.0
/*
 * Open and close connections through the connection manager, in batches. One process has both ends.
 *
 * 	churn ADDRESS PORT CONNECTIONS BATCH
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <rdma/rdma_cma.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"

#define TIMEOUT_MS 10000

struct connection {
	struct rdma_cm_id *active;
	struct rdma_cm_id *passive;
};

static struct rdma_event_channel *channel;
static unsigned int opened, closed;

static void create_qp(struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr init = { .cap = { 1, 1, 1, 1, 0 }, .qp_type = IBV_QPT_RC };

	if (rdma_create_qp(id, NULL, &init))
		die("rdma_create_qp: %m");
}

static void connect_active(struct rdma_cm_id *id)
{
	struct rdma_conn_param param = {
		.responder_resources = 1,
		.initiator_depth = 1,
		.retry_count = 7,
		.rnr_retry_count = 7,
	};

	create_qp(id);
	if (rdma_connect(id, &param))
		die("rdma_connect: %m");
}

/* Match the listener's new ID to the connecting ID by its source port. */
static void accept_passive(struct rdma_cm_id *id, struct connection *batch, unsigned int n)
{
	struct rdma_conn_param param = { .responder_resources = 1, .initiator_depth = 1 };
	unsigned int i;

	create_qp(id);
	if (rdma_accept(id, &param))
		die("rdma_accept: %m");
	for (i = 0; i < n; i++) {
		if (rdma_get_src_port(batch[i].active) != rdma_get_dst_port(id))
			continue;
		batch[i].passive = id;
		return;
	}
	die("a connection from a port that nobody has");
}

static void handle(struct rdma_cm_event *event, struct connection *batch, unsigned int n)
{
	struct rdma_cm_id *id = event->id;

	switch (event->event) {
	case RDMA_CM_EVENT_ADDR_RESOLVED:
		if (rdma_resolve_route(id, TIMEOUT_MS))
			die("rdma_resolve_route: %m");
		break;
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
		connect_active(id);
		break;
	case RDMA_CM_EVENT_CONNECT_REQUEST:
		accept_passive(id, batch, n);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		opened++;
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
		/* One end's reply to the disconnect ends the connection of the other. */
		rdma_disconnect(id);
		closed++;
		break;
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
		break;
	default:
		die("%s, status %d", rdma_event_str(event->event), event->status);
	}
}

static void run_until(const unsigned int *count, unsigned int wanted, struct connection *batch,
		      unsigned int n)
{
	struct rdma_cm_event *event;

	while (*count < wanted) {
		if (rdma_get_cm_event(channel, &event))
			die("rdma_get_cm_event: %m");
		handle(event, batch, n);
		rdma_ack_cm_event(event);
	}
}

static void open_batch(struct connection *batch, unsigned int n, struct sockaddr *to)
{
	unsigned int i;

	opened = 0;
	for (i = 0; i < n; i++) {
		if (rdma_create_id(channel, &batch[i].active, NULL, RDMA_PS_TCP) ||
		    rdma_resolve_addr(batch[i].active, NULL, to, TIMEOUT_MS))
			die("cannot begin a connection: %m");
	}
	run_until(&opened, 2 * n, batch, n);
}

static void destroy(struct rdma_cm_id *id)
{
	rdma_destroy_qp(id);
	if (rdma_destroy_id(id))
		die("rdma_destroy_id: %m");
}

static void close_batch(struct connection *batch, unsigned int n)
{
	unsigned int i;

	closed = 0;
	for (i = 0; i < n; i++)
		if (rdma_disconnect(batch[i].active))
			die("rdma_disconnect: %m");
	run_until(&closed, 2 * n, batch, n);
	for (i = 0; i < n; i++) {
		destroy(batch[i].active);
		destroy(batch[i].passive);
	}
	memset(batch, 0, n * sizeof(*batch));
}

int main(int argc, char **argv)
{
	struct addrinfo *to, hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	unsigned int total, batch_size, done, n;
	struct rdma_cm_id *listener;
	struct connection *batch;

	if (argc != 5 || getaddrinfo(argv[1], argv[2], &hints, &to))
		die("usage: churn ADDRESS PORT CONNECTIONS BATCH");
	total = atoi(argv[3]);
	batch_size = atoi(argv[4]);
	batch = calloc(batch_size, sizeof(*batch));
	channel = rdma_create_event_channel();
	if (!batch || !channel || rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP) ||
	    rdma_bind_addr(listener, to->ai_addr) || rdma_listen(listener, batch_size))
		die("cannot listen: %m");
	for (done = 0; done < total; done += n) {
		n = total - done < batch_size ? total - done : batch_size;
		open_batch(batch, n, to->ai_addr);
		close_batch(batch, n);
	}
	rdma_destroy_id(listener);
	rdma_destroy_event_channel(channel);
	freeaddrinfo(to);
	free(batch);
	return 0;
}
