/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RXE_RCV_H
#define RXE_RCV_H

struct sk_buff;
struct sock;

/**
 * rxe_rcv_udp() - encap_rcv handler of the UDP sockets
 * @sk: socket
 * @skb: data at the UDP header; consumed
 *
 * Return: 0, always: the buffer has been taken.
 */
int rxe_rcv_udp(struct sock *sk, struct sk_buff *skb);

/*
 * pkt->cookie of a packet handed to rxe_ep_rx(): its skb. pkt->payload_off is
 * counted from the BTH, which lies at rxe_rcv_bth_off() of the skb's data.
 */
#define rxe_rcv_bth_off		((u32)sizeof(struct udphdr))

#endif
