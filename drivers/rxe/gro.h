/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GRO: packets of one flow that an interface has received in a row go up the network stack as
 * one buffer, each in its own memory. rxe_rcv_gso() takes them from there.
 */
#ifndef RXE_GRO_H
#define RXE_GRO_H

struct list_head;
struct sk_buff;
struct sock;

/**
 * rxe_gro_receive() - gro_receive handler of the UDP sockets
 * @sk: socket
 * @held: buffers of the interface that packets may be joined to
 * @skb: one packet, the GRO offset at the BTH
 *
 * Context: softirq, RCU read lock held.
 * Return: the buffer of @held that is to go up now, or NULL.
 */
struct sk_buff *rxe_gro_receive(struct sock *sk, struct list_head *held, struct sk_buff *skb);

/**
 * rxe_gro_complete() - gro_complete handler of the UDP sockets
 * @sk: socket
 * @skb: buffer that packets have been joined to
 * @bth: bytes from skb->data to its BTH
 *
 * Context: softirq, RCU read lock held.
 * Return: 0.
 */
int rxe_gro_complete(struct sock *sk, struct sk_buff *skb, int bth);

#endif
