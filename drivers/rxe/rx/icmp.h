/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ICMP errors for packets of a device: "fragmentation needed" and "packet too big".
 */
#ifndef RXE_ICMP_H
#define RXE_ICMP_H

struct sk_buff;
struct sock;

/**
 * rxe_icmp_err() - encap_err_lookup handler of the UDP sockets: note that packets are too big
 * @sk: socket
 * @skb: ICMP error, skb->data and the network header at the IP header of the packet that caused
 *	it, the transport header at its UDP header
 *
 * The packet is one of the device that has its source address.
 *
 * Context: softirq, RCU read lock held.
 * Return: -ENOENT: the network stack does with the error what it does without the socket.
 */
int rxe_icmp_err(struct sock *sk, struct sk_buff *skb);

#endif
