/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ipfix.h - send flow records to an IPFIX collector (RFC 7011), by libfixbuf. */
#ifndef NFPCHAN_IPFIX_H
#define NFPCHAN_IPFIX_H

#include "flow_print.h"

struct ipfix;

/**
 * ipfix_open() - connect to a collector
 * @where: [tcp:]HOST[:PORT]; HOST may be an IPv6 address in brackets
 * @domain: observation domain id of all messages
 * @refresh_s: seconds after which templates are sent again over UDP; 0: they are before each burst of records
 *
 * Return: the sender, or NULL with the reason printed.
 */
struct ipfix *ipfix_open(const char *where, uint32_t domain, uint32_t refresh_s);

/*
 * Add a record to the next message. A message that is full is sent. Returns 0, or EXIT_FAILURE with
 * the reason printed. Over UDP, a collector that refuses messages is a warning.
 */
int ipfix_add(struct ipfix *x, const struct flow *f);

/* Send the message, if it has records. Returns as ipfix_add(). */
int ipfix_flush(struct ipfix *x);

/* NULL is allowed. Records that were not sent are lost. */
void ipfix_close(struct ipfix *x);

#endif /* NFPCHAN_IPFIX_H */
