// SPDX-License-Identifier: GPL-2.0
/*
 * Order of transmission across per-CPU backlogs: the senders handed over to each CPU.
 */
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

#include "tx/order.h"

/**
 * struct rxe_tx_handover - senders handed over to a CPU
 * @lock: protects @senders, and setting @kicked
 * @senders: list of struct rxe_tx_order
 * @kick: interrupt of this CPU, which schedules @tasklet
 * @tasklet: runs the senders
 * @kicked: @kick is on its way: senders that are added now are run
 */
struct rxe_tx_handover {
	spinlock_t lock;
	struct list_head senders;
	call_single_data_t kick;
	struct tasklet_struct tasklet;
	bool kicked;
};

static DEFINE_PER_CPU(struct rxe_tx_handover, rxe_tx_handovers);

/*
 * Hard interrupt. @kicked is cleared last: rxe_tx_order_stop() then finds the tasklet scheduled. It
 * runs after this interrupt, so it does not miss a sender that was added while @kicked was set.
 */
static void rxe_tx_order_kick(void *info)
{
	struct rxe_tx_handover *to = info;

	tasklet_schedule(&to->tasklet);
	smp_store_release(&to->kicked, false);
}

static struct rxe_tx_order *rxe_tx_order_pop(struct rxe_tx_handover *to)
{
	struct rxe_tx_order *order;

	spin_lock(&to->lock);
	order = list_first_entry_or_null(&to->senders, struct rxe_tx_order, node);
	if (order)
		list_del_init(&order->node);
	spin_unlock(&to->lock);
	return order;
}

static void rxe_tx_order_tasklet(struct tasklet_struct *tasklet)
{
	struct rxe_tx_handover *to = from_tasklet(to, tasklet, tasklet);
	struct rxe_tx_order *order;

	rcu_read_lock();
	while ((order = rxe_tx_order_pop(to)))
		order->run(order);
	rcu_read_unlock();
}

static bool rxe_tx_order_send_kick(struct rxe_tx_handover *to, int cpu)
{
	if (READ_ONCE(to->kicked))
		return true;
	WRITE_ONCE(to->kicked, true);
	if (!smp_call_function_single_async(cpu, &to->kick))
		return true;
	WRITE_ONCE(to->kicked, false);
	return false;
}

bool rxe_tx_order_hand_over(struct rxe_tx_order *order)
{
	struct rxe_tx_handover *to = per_cpu_ptr(&rxe_tx_handovers, order->cpu);
	bool done = true;

	spin_lock(&to->lock);
	if (list_empty(&order->node)) {
		done = rxe_tx_order_send_kick(to, order->cpu);
		if (done) {
			order->handed_to = order->cpu;
			list_add_tail(&order->node, &to->senders);
		}
	}
	spin_unlock(&to->lock);
	return done;
}

void rxe_tx_order_cancel(struct rxe_tx_order *order)
{
	struct rxe_tx_handover *to = per_cpu_ptr(&rxe_tx_handovers, order->handed_to);

	spin_lock_bh(&to->lock);
	list_del_init(&order->node);
	spin_unlock_bh(&to->lock);
}

void rxe_tx_order_init(struct rxe_tx_order *order, void (*run)(struct rxe_tx_order *order))
{
	INIT_LIST_HEAD(&order->node);
	order->run = run;
}

void rxe_tx_order_start(void)
{
	struct rxe_tx_handover *to;
	int cpu;

	for_each_possible_cpu(cpu) {
		to = per_cpu_ptr(&rxe_tx_handovers, cpu);
		spin_lock_init(&to->lock);
		INIT_LIST_HEAD(&to->senders);
		to->kick.func = rxe_tx_order_kick;
		to->kick.info = to;
		tasklet_setup(&to->tasklet, rxe_tx_order_tasklet);
	}
}

void rxe_tx_order_stop(void)
{
	struct rxe_tx_handover *to;
	int cpu;

	for_each_possible_cpu(cpu) {
		to = per_cpu_ptr(&rxe_tx_handovers, cpu);
		while (smp_load_acquire(&to->kicked))
			msleep(1);
		tasklet_kill(&to->tasklet);
	}
}
