// SPDX-License-Identifier: GPL-2.0-only
/*
 * splats.c - a module with one bug of each kind that the debug kernels must report. insmod
 * splats.ko what=NAME executes the bug NAME and then fails, so that the module does not stay
 * loaded.
 */
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>

static char *what = "";
module_param(what, charp, 0);
MODULE_PARM_DESC(what, "the mistake: locks, sleep, timer, shift, dma, leak, freed or race");

static DEFINE_MUTEX(lock_a);
static DEFINE_MUTEX(lock_b);

/* Take two locks in both orders. */
static void make_locks(void)
{
	mutex_lock(&lock_a);
	mutex_lock(&lock_b);
	mutex_unlock(&lock_b);
	mutex_unlock(&lock_a);

	mutex_lock(&lock_b);
	mutex_lock(&lock_a);
	mutex_unlock(&lock_a);
	mutex_unlock(&lock_b);
}

static void make_sleep(void)
{
	static DEFINE_SPINLOCK(lock);

	spin_lock(&lock);
	might_sleep();
	spin_unlock(&lock);
}

static void tick(struct timer_list *t)
{
}

/* Free memory that has a pending timer in it. */
static void make_timer(void)
{
	struct timer_list *timer = kmalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return;
	timer_setup(timer, tick, 0);
	mod_timer(timer, jiffies + 3600 * HZ);
	kfree(timer);
}

static void make_shift(void)
{
	static int by = 77;
	int value = 1;

	OPTIMIZER_HIDE_VAR(by);
	value <<= by;
	pr_info("%d\n", value);
}

/* Unmap a DMA mapping with a wrong size. */
static void make_dma(void)
{
	struct platform_device *pdev = platform_device_register_simple("splats", -1, NULL, 0);
	dma_addr_t addr;
	void *buf;

	if (IS_ERR(pdev))
		return;
	buf = kmalloc(256, GFP_KERNEL);
	if (buf && !dma_coerce_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64))) {
		addr = dma_map_single(&pdev->dev, buf, 256, DMA_TO_DEVICE);
		if (!dma_mapping_error(&pdev->dev, addr))
			dma_unmap_single(&pdev->dev, addr, 128, DMA_TO_DEVICE);
	}
	kfree(buf);
	platform_device_unregister(pdev);
}

static void make_leak(void)
{
	char *lost = kmalloc(1000, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(lost);
}

static void make_freed(void)
{
	char *buf = kmalloc(64, GFP_KERNEL);

	if (!buf)
		return;
	kfree(buf);
	OPTIMIZER_HIDE_VAR(buf);
	pr_info("%d\n", buf[3]);
}

static int raced;

static int racer(void *unused)
{
	while (!kthread_should_stop()) {
		raced++;
		cond_resched();
	}
	return 0;
}

/* Increment one variable in two threads without a lock. */
static void make_race(void)
{
	struct task_struct *other = kthread_run(racer, NULL, "splats");
	int i;

	if (IS_ERR(other))
		return;
	for (i = 0; i < 1000000; i++) {
		raced++;
		cond_resched();
	}
	kthread_stop(other);
}

static const struct {
	const char *name;
	void (*make)(void);
} mistakes[] = {
	{ "locks", make_locks },
	{ "sleep", make_sleep },
	{ "timer", make_timer },
	{ "shift", make_shift },
	{ "dma", make_dma },
	{ "leak", make_leak },
	{ "freed", make_freed },
	{ "race", make_race },
};

/* Always fail: then the kernel frees the module's memory, and finds the objects that it leaked. */
static int __init splats_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		if (!strcmp(what, mistakes[i].name)) {
			mistakes[i].make();
			return -EAGAIN;
		}
	}
	return -EINVAL;
}
module_init(splats_init);

MODULE_DESCRIPTION("Mistakes for the debug kernels to find");
MODULE_LICENSE("GPL");
