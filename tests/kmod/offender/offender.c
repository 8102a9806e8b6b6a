// SPDX-License-Identifier: GPL-2.0
/*
 * Commit the offence that the parameter names, so that the checks of the kernel and of the test
 * runner can be tested.
 */
#include <linux/debug_locks.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

static char *offence = "none";
module_param(offence, charp, 0444);
MODULE_PARM_DESC(offence, "none, leak, order, race, sleep, stop");

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
static DEFINE_SPINLOCK(lock);

/* Memory that nothing points to. */
static noinline void leak(void)
{
	int i;

	for (i = 0; i < 8; i++)
		memset(kmalloc(3000, GFP_KERNEL), i, 3000);
}

/* Two locks in both orders. */
static void order(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);
	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
}

static void sleep_in_atomic(void)
{
	spin_lock(&lock);
	mutex_lock(&first);
	mutex_unlock(&first);
	spin_unlock(&lock);
}

static void stop_lockdep(void)
{
#ifdef CONFIG_LOCKDEP
	debug_locks_off();
#endif
}

static unsigned long raced;

/* Not inlined, so that each turn accesses memory. */
static noinline void race_once(void)
{
	raced++;
}

static int race_thread(void *unused)
{
	while (!kthread_should_stop()) {
		race_once();
		cond_resched();
	}
	return 0;
}

/* Two tasks that add to a variable, neither of which marks it, for a second. */
static void race(void)
{
	struct task_struct *other = kthread_run(race_thread, NULL, "offender");
	unsigned long end = jiffies + HZ;

	if (IS_ERR(other))
		return;
	while (time_before(jiffies, end)) {
		race_once();
		cond_resched();
	}
	kthread_stop(other);
}

static int __init offender_init(void)
{
	if (!strcmp(offence, "leak"))
		leak();
	else if (!strcmp(offence, "order"))
		order();
	else if (!strcmp(offence, "race"))
		race();
	else if (!strcmp(offence, "sleep"))
		sleep_in_atomic();
	else if (!strcmp(offence, "stop"))
		stop_lockdep();
	return 0;
}

static void __exit offender_exit(void)
{
}

module_init(offender_init);
module_exit(offender_exit);
MODULE_DESCRIPTION("Offences that the checks of the kernel must report");
MODULE_LICENSE("GPL");
