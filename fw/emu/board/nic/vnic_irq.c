// SPDX-License-Identifier: BSD-2-Clause
/*
 * vnic_irq.c - interrupts of the vNICs. A cause register masks each vector, and moderation by
 * frames and time delays interrupts (Netronome/nfd me/blocks/vnic, MSI-X).
 */
#include "bytes.h"
#include "nffw.h"
#include "vnic.h"
#include "vnic_bar.h"

#define ICR_RXTX		1
#define ICR_LSC			2

/* A tick of the moderation timer is 16 ME cycles. */
#define TICK_CYCLES		16

/*
 * A vector's cause register masks the vector. The board sets the register when the vector fires.
 * The driver clears it after it has served the rings. Events in between are reported then.
 */
static bool masked(struct board *b, unsigned int vnic, uint8_t vector)
{
	return bd_vnic_bar(b, vnic)[CFG_ICR + vector];
}

static void fire(struct board *b, unsigned int vnic, uint8_t vector, uint8_t cause)
{
	bd_vnic_bar(b, vnic)[CFG_ICR + vector] = cause;
	/* While the host has masked @vector in the MSI-X table, the interrupt stays pending. */
	board_msix(b, vector);
}

void bd_vnic_report(struct bd_irq *irq, uint32_t n)
{
	if (!irq->count && irq->ns)
		irq->since = board_now_ns(NULL);
	irq->count += n;
}

/* Clear the counts of all rings that share @vector: the driver serves all of them when it fires. */
static void reported(struct bd_vnic *v, uint8_t vector)
{
	unsigned int i;

	for (i = 0; i < BD_VNIC_RINGS; i++) {
		if (v->tx[i].vector == vector)
			v->tx[i].irq.count = 0;
		if (v->rx[i].vector == vector)
			v->rx[i].irq.count = 0;
	}
}

static void ring_irq(struct board *b, unsigned int vnic, uint8_t vector, const struct bd_irq *irq)
{
	struct bd_vnic *v = &b->nic->vnic[vnic];

	if (!irq->count || masked(b, vnic, vector))
		return;
	if (irq->ns && irq->count < irq->frames) {
		uint64_t due = irq->since + irq->ns;

		if (board_now_ns(b) < due) {
			if (due < v->irq_at)
				v->irq_at = due;
			return;
		}
	}
	fire(b, vnic, vector, ICR_RXTX);
	reported(v, vector);
}

void bd_vnic_irq(struct board *b, unsigned int vnic)
{
	struct bd_vnic *v = &b->nic->vnic[vnic];
	unsigned int i;
	uint8_t lsc;

	v->irq_at = BD_NEVER;
	for (i = 0; i < BD_VNIC_RINGS; i++) {
		ring_irq(b, vnic, v->tx[i].vector, &v->tx[i].irq);
		ring_irq(b, vnic, v->rx[i].vector, &v->rx[i].irq);
	}
	if (!v->lsc_unreported)
		return;
	/*
	 * While the vNIC is off or has no vector for link changes, drop the report. The driver
	 * reads the link state itself at ifup.
	 */
	lsc = bd_vnic_bar(b, vnic)[CFG_LSC];
	if (!(v->ctrl & CTRL_ENABLE) || lsc == LSC_NONE) {
		v->lsc_unreported = false;
	} else if (!masked(b, vnic, lsc)) {
		fire(b, vnic, lsc, ICR_LSC);
		v->lsc_unreported = false;
	}
}

/* @tick: ns of a tick; 0: without moderation */
static void latch(struct bd_irq *irq, const uint8_t *word, uint32_t tick)
{
	uint32_t v = bd_get32(word);

	irq->frames = v >> 16;
	irq->ns = (v & 0xffff) * tick;
	/* Without moderation @since was not recorded, so the delay starts now. */
	if (irq->count && !irq->since)
		irq->since = board_now_ns(NULL);
}

void bd_vnic_irq_latch(struct board *b, unsigned int vnic)
{
	const uint8_t *bar = bd_vnic_bar(b, vnic);
	struct bd_vnic *v = &b->nic->vnic[vnic];
	uint32_t tick = TICK_CYCLES * 1000u / bd_firmware(b)->vnic.me_mhz;
	unsigned int i;

	if (!(v->ctrl & CTRL_IRQMOD))
		tick = 0;
	for (i = 0; i < BD_VNIC_RINGS; i++) {
		latch(&v->tx[i].irq, bar + CFG_TXR_IRQ_MOD + 4 * i, tick);
		latch(&v->rx[i].irq, bar + CFG_RXR_IRQ_MOD + 4 * i, tick);
	}
}

uint64_t bd_vnic_deadline(const struct board *b)
{
	uint64_t at = BD_NEVER;
	unsigned int i;

	for (i = 0; i < BD_VNICS; i++)
		if (b->nic->vnic[i].tx_mask | b->nic->vnic[i].rx_mask && b->nic->vnic[i].irq_at < at)
			at = b->nic->vnic[i].irq_at;
	return at;
}
