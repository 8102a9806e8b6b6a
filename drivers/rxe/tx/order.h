/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Order of transmission across per-CPU backlogs.
 *
 * veth, loopback and other virtual interfaces queue a packet in the backlog of the CPU that sends
 * it (netif_rx()). If an endpoint sends one batch on CPU 0 and the next on CPU 1, CPU 1 may receive
 * its batch first. So while the backlog of a CPU may hold packets of an endpoint, only that CPU
 * sends for the endpoint (as skb->ooo_okay does for TCP), and nothing is received inline (veth.h).
 * Other CPUs hand the endpoint over to it.
 *
 * The counters of RFS show whether packets have entered the backlog, and which have left it. On
 * their way through a bridge, packets enter it again: so the packets in the backlog when they have
 * left it have to leave it, too, before the endpoint is free. Without CONFIG_RPS there are no
 * counters, and endpoints are not bound. Network cards, NAPI and RPS to another CPU do not use the
 * backlog of the sender, so that they do not bind either.
 */
#ifndef RXE_TX_ORDER_H
#define RXE_TX_ORDER_H

#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/smp.h>

/* Passes through the backlog: a veth pair is one, a bridge between two pairs another. */
#define RXE_TX_ORDER_PASSES 2

/* 1 s: when the endpoint is free in any case; long before the counters of the backlog wrap. */
#define RXE_TX_ORDER_TIMEOUT HZ

/**
 * struct rxe_tx_order - the CPU that a sender is bound to
 * @node: entry in the list of senders handed over to CPU @handed_to
 * @run: sends on the CPU that the sender has been handed over to; called in softirq, with the RCU
 *	read lock held; implemented by the owner
 * @cpu: CPU whose backlog the last packets may be in, if @passes is not 0
 * @handed_to: CPU of the list that @node is in
 * @end: position in the backlog of @cpu: the packets before it have to leave
 * @sent: when the last packets were sent, jiffies
 * @passes: how often they still have to
 *
 * @node and @handed_to are protected by the lock of the list; the others belong to the context that
 * sends.
 */
struct rxe_tx_order {
	struct list_head node;
	void (*run)(struct rxe_tx_order *order);
	int cpu;
	int handed_to;
	u32 end;
	unsigned long sent;
	u8 passes;
};

/* Start and stop the tasklets of all CPUs. Context: process; rxe_tx_order_stop() sleeps. */
void rxe_tx_order_start(void);
void rxe_tx_order_stop(void);

/* Initialise @order. */
void rxe_tx_order_init(struct rxe_tx_order *order, void (*run)(struct rxe_tx_order *order));

/* Tail of this CPU's backlog: the number of packets that have entered it. */
static inline u32 rxe_tx_order_tail(void)
{
#ifdef CONFIG_RPS
	return raw_cpu_read(softnet_data.input_queue_tail);
#else
	return 0;
#endif
}

/* Note that packets have been sent, and that rxe_tx_order_tail() was @tail before. */
static inline void rxe_tx_order_sent(struct rxe_tx_order *order, u32 tail)
{
	u32 end = rxe_tx_order_tail();

	if (end == tail)
		return;
	order->cpu = smp_processor_id();
	order->end = end;
	order->sent = jiffies;
	order->passes = RXE_TX_ORDER_PASSES;
}

/* Return true if no packet is in a backlog. Context: the context that sends. */
static inline bool rxe_tx_order_drained(struct rxe_tx_order *order)
{
#ifdef CONFIG_RPS
	const struct softnet_data *sd;

	if (!order->passes)
		return true;
	sd = &per_cpu(softnet_data, order->cpu);
	if (time_after(jiffies, order->sent + RXE_TX_ORDER_TIMEOUT)) {
		order->passes = 0;
		return true;
	}
	/* Acquire: a packet that enters the backlog again does so before it counts as received. */
	if ((s32)(smp_load_acquire(&sd->input_queue_head) - order->end) < 0)
		return false;
	order->passes--;
	order->end = READ_ONCE(sd->input_queue_tail);
	if (sd->input_queue_head == order->end)
		order->passes = 0;
#endif
	return !order->passes;
}

/* Return true if this CPU may send. Context: the context that sends. */
static inline bool rxe_tx_order_here(struct rxe_tx_order *order)
{
	return !order->passes || order->cpu == smp_processor_id() || rxe_tx_order_drained(order);
}

/**
 * rxe_tx_order_hand_over() - have @order->run called on CPU @order->cpu
 * @order: the sender; it may have been handed over already
 *
 * Context: the owner's lock held, bottom halves off.
 * Return: false if that CPU is offline, which has emptied its backlog.
 */
bool rxe_tx_order_hand_over(struct rxe_tx_order *order);

/*
 * Take @order off the list. Its @run may still be called until an RCU grace period has passed.
 * Context: process; the owner is dead, so it is not handed over again.
 */
void rxe_tx_order_cancel(struct rxe_tx_order *order);

#endif
