// SPDX-License-Identifier: GPL-2.0
/*
 * Performance management agent (PMA): port counters in MADs (IBTA 16.1), for perfquery.
 */
#include <rdma/ib_pma.h>

#include "base/counters.h"
#include "base/device.h"
#include "verbs/verbs.h"

/* PortCounters saturate at their maximum instead of wrapping (IBTA 16.1.3.5). */
static __be32 rxe_pma_u32(u64 value)
{
	return cpu_to_be32(min_t(u64, value, U32_MAX));
}

static __be16 rxe_pma_u16(u64 value)
{
	return cpu_to_be16(min_t(u64, value, U16_MAX));
}

/* Data counters are in units of 4 bytes. */
static u64 rxe_pma_xmit_words(struct rxe_dev *dev)
{
	return rxe_counter_sum(dev, RXE_CNT_SENT_BYTES) / 4;
}

/*
 * Packets that reached no QP have arrived at the port, too: one port receives what the other has
 * sent, unless packets are lost between the two.
 */
static u64 rxe_pma_rcv_pkts(struct rxe_dev *dev)
{
	return rxe_counter_sum(dev, RXE_CNT_RCVD_PKTS) + rxe_counter_sum(dev, RXE_CNT_DROP_ICRC) +
	       rxe_counter_sum(dev, RXE_CNT_DROP_MALFORMED) +
	       rxe_counter_sum(dev, RXE_CNT_DROP_PKEY) + rxe_counter_sum(dev, RXE_CNT_DROP_NO_QP) +
	       rxe_counter_sum(dev, RXE_CNT_DROP_ADDR);
}

static u64 rxe_pma_rcv_words(struct rxe_dev *dev)
{
	return (rxe_counter_sum(dev, RXE_CNT_RCVD_BYTES) +
		rxe_counter_sum(dev, RXE_CNT_DROP_BYTES)) /
	       4;
}

static u64 rxe_pma_rcv_errors(struct rxe_dev *dev)
{
	return rxe_counter_sum(dev, RXE_CNT_DROP_ICRC) +
	       rxe_counter_sum(dev, RXE_CNT_DROP_MALFORMED);
}

static void rxe_pma_class_port_info(struct ib_class_port_info *info)
{
	info->base_version = IB_MGMT_BASE_VERSION;
	info->class_version = 1;
	/* 64-bit counters, without separate ones for unicast and multicast. */
	info->capability_mask = IB_PMA_CLASS_CAP_EXT_WIDTH_NOIETF;
}

static void rxe_pma_port_counters(struct rxe_dev *dev, struct ib_pma_portcounters *c)
{
	c->link_downed_counter = min_t(u64, rxe_counter_sum(dev, RXE_CNT_LINK_DOWNED), U8_MAX);
	c->port_rcv_errors = rxe_pma_u16(rxe_pma_rcv_errors(dev));
	c->port_xmit_discards = rxe_pma_u16(rxe_counter_sum(dev, RXE_CNT_SEND_ERR));
	c->port_xmit_data = rxe_pma_u32(rxe_pma_xmit_words(dev));
	c->port_rcv_data = rxe_pma_u32(rxe_pma_rcv_words(dev));
	c->port_xmit_packets = rxe_pma_u32(rxe_counter_sum(dev, RXE_CNT_SENT_PKTS));
	c->port_rcv_packets = rxe_pma_u32(rxe_pma_rcv_pkts(dev));
}

static void rxe_pma_port_counters_ext(struct rxe_dev *dev, struct ib_pma_portcounters_ext *c)
{
	c->port_xmit_data = cpu_to_be64(rxe_pma_xmit_words(dev));
	c->port_rcv_data = cpu_to_be64(rxe_pma_rcv_words(dev));
	c->port_xmit_packets = cpu_to_be64(rxe_counter_sum(dev, RXE_CNT_SENT_PKTS));
	c->port_rcv_packets = cpu_to_be64(rxe_pma_rcv_pkts(dev));
}

/* Fill in the data of attribute @attr; @in has the requested port. False: unknown attribute. */
static bool rxe_pma_get(struct rxe_dev *dev, __be16 attr, const u8 *in, u8 *data)
{
	struct ib_pma_portcounters *c = (void *)data;

	if (attr == IB_PMA_CLASS_PORT_INFO) {
		rxe_pma_class_port_info((void *)data);
		return true;
	}
	c->port_select = ((const struct ib_pma_portcounters *)in)->port_select;
	if (attr == IB_PMA_PORT_COUNTERS)
		rxe_pma_port_counters(dev, c);
	else if (attr == IB_PMA_PORT_COUNTERS_EXT)
		rxe_pma_port_counters_ext(dev, (void *)data);
	else
		return false;
	return true;
}

static __be16 rxe_pma_reply(struct rxe_dev *dev, const struct ib_pma_mad *in,
			    struct ib_pma_mad *out)
{
	if (in->mad_hdr.class_version != 1)
		return cpu_to_be16(IB_MGMT_MAD_STATUS_BAD_VERSION);
	/* Set() would let a peer reset the counters of this host. */
	if (in->mad_hdr.method != IB_MGMT_METHOD_GET)
		return cpu_to_be16(IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD);
	if (!rxe_pma_get(dev, in->mad_hdr.attr_id, in->data, out->data))
		return cpu_to_be16(IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB);
	return 0;
}

int rxe_process_mad(struct ib_device *ibdev, int flags, rxe_port_t port, const struct ib_wc *in_wc,
		    const struct ib_grh *in_grh, const struct ib_mad *in, struct ib_mad *out,
		    size_t *out_size, u16 *out_pkey_index)
{
	struct ib_pma_mad *reply = (struct ib_pma_mad *)out;

	static_assert(sizeof(*reply) == sizeof(*out));
	if (in->mad_hdr.mgmt_class != IB_MGMT_CLASS_PERF_MGMT ||
	    (in->mad_hdr.method != IB_MGMT_METHOD_GET && in->mad_hdr.method != IB_MGMT_METHOD_SET))
		return IB_MAD_RESULT_SUCCESS;

	memset(out, 0, sizeof(*out));
	out->mad_hdr = in->mad_hdr;
	out->mad_hdr.method = IB_MGMT_METHOD_GET_RESP;
	out->mad_hdr.status =
		rxe_pma_reply(to_rxe_dev(ibdev), (const struct ib_pma_mad *)in, reply);
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}
