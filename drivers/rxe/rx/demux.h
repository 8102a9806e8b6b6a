/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Demultiplexing: lookup of the device and the endpoint (QP) of a received packet by its addresses
 * and its destination QPN.
 *
 * Context of all functions: RCU read lock held, which keeps the results alive.
 */
#ifndef RXE_DEMUX_H
#define RXE_DEMUX_H

#include <linux/types.h>

#include "base/counters.h"

struct net_device;
struct rxe_dev;
struct rxe_ep;
struct rxe_net_hdr;
struct sk_buff;

/**
 * rxe_demux_dev() - find the device of the interface that a packet arrived on
 * @skb: packet, network header set
 *
 * Return: the device; NULL if the interface has none.
 */
struct rxe_dev *rxe_demux_dev(struct sk_buff *skb);

/**
 * rxe_demux_dev_serves() - check whether a device receives the packets of an interface
 * @dev: device
 * @ndev: interface
 *
 * Return: true if @ndev is the device's interface or is stacked upon it (VLAN, macvlan, bridge).
 */
bool rxe_demux_dev_serves(struct rxe_dev *dev, const struct net_device *ndev);

/**
 * rxe_demux_find() - find the connected endpoint (RC, UC) of a packet
 * @skb: packet, network header set
 * @dev: device to search first, or NULL
 * @qpn: destination QP
 * @drop: set to RXE_CNT_DROP_ADDR if a QP of that number exists, but not with these addresses;
 *	unchanged otherwise
 *
 * Packets to an own address arrive on the loopback interface, and those to the address of an
 * interface stacked upon the device's arrive on that one. So all devices of the namespace are
 * searched. An endpoint whose source address is in another namespace or VRF does not match.
 *
 * Return: the endpoint, or NULL.
 */
struct rxe_ep *rxe_demux_find(const struct sk_buff *skb, struct rxe_dev *dev, u32 qpn,
			      enum rxe_counter *drop);

/**
 * rxe_demux_find_ud() - find the UD endpoint of a packet
 * @skb: packet
 * @h: its IP header
 * @qpn: destination QP
 * @drop: set to RXE_CNT_DROP_ADDR if no interface has the destination address; unchanged otherwise
 *
 * A datagram may come from any address. If several devices have the QP number, as all of them have
 * QP 1, the device is selected that has the destination address in its GID table.
 *
 * Return: the endpoint, or NULL.
 */
struct rxe_ep *rxe_demux_find_ud(struct sk_buff *skb, const struct rxe_net_hdr *h, u32 qpn,
				 enum rxe_counter *drop);

/**
 * rxe_demux_find_owner() - find the device that a destination address belongs to
 * @skb: packet, network header set
 * @h: IP header with the address
 *
 * Return: the device, or NULL.
 */
struct rxe_dev *rxe_demux_find_owner(struct sk_buff *skb, const struct rxe_net_hdr *h);

/**
 * rxe_demux_match() - check whether a packet is for a connected endpoint of its namespace
 * @skb: packet
 * @ip: its IPv4 or IPv6 header
 * @qpn: destination QP
 *
 * Return: true if both the QP number and the addresses are those of an endpoint.
 */
bool rxe_demux_match(const struct sk_buff *skb, const void *ip, u32 qpn);

/**
 * rxe_demux_match_iif() - rxe_demux_match() for one interface, with a check of the return route
 * @skb: packet
 * @ip: its IPv4 or IPv6 header
 * @qpn: destination QP
 *
 * Return: true if the endpoint is one of the device of the ingress interface, and its cached route
 * leads out of that interface: see rxe_path_egress_is().
 */
bool rxe_demux_match_iif(struct sk_buff *skb, const void *ip, u32 qpn);

#endif
