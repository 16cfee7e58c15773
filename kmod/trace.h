/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.h - tracepoints: /sys/kernel/tracing/events/nfp_chan.
 *
 * Names are kept in arrays: what __string() and __assign_str() take has
 * changed between kernels.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM nfp_chan

#if !defined(NFPC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define NFPC_TRACE_H

#include <linux/string.h>
#include <linux/tracepoint.h>

#define NFPC_TRACE_NAME	32

TRACE_EVENT(nfp_chan_attach,
	    TP_PROTO(const char *pci, const char *card, bool attached),
	    TP_ARGS(pci, card, attached),
	    TP_STRUCT__entry(__array(char, pci, NFPC_TRACE_NAME)
			     __array(char, card, NFPC_TRACE_NAME)
			     __field(bool, attached)),
	    TP_fast_assign(strscpy(__entry->pci, pci, NFPC_TRACE_NAME);
			   strscpy(__entry->card, card, NFPC_TRACE_NAME);
			   __entry->attached = attached;),
	    TP_printk("%s %s %s", __entry->pci, __entry->card,
		      __entry->attached ? "attached" : "detached")
);

TRACE_EVENT(nfp_chan_command,
	    TP_PROTO(const char *card, u16 cmd, u16 pipe, u32 seq, int err, s64 us),
	    TP_ARGS(card, cmd, pipe, seq, err, us),
	    TP_STRUCT__entry(__array(char, card, NFPC_TRACE_NAME)
			     __field(u16, cmd)
			     __field(u16, pipe)
			     __field(u32, seq)
			     __field(int, err)
			     __field(s64, us)),
	    TP_fast_assign(strscpy(__entry->card, card, NFPC_TRACE_NAME);
			   __entry->cmd = cmd;
			   __entry->pipe = pipe;
			   __entry->seq = seq;
			   __entry->err = err;
			   __entry->us = us;),
	    TP_printk("%s %s pipe=%u seq=%u err=%d us=%lld", __entry->card,
		      __print_symbolic(__entry->cmd, { 1, "HELLO" }, { 2, "OPEN" },
				       { 3, "CLOSE" }, { 4, "CANCEL" }),
		      __entry->pipe, __entry->seq, __entry->err, __entry->us)
);

TRACE_EVENT(nfp_chan_signal,
	    TP_PROTO(const char *card, const char *chan),
	    TP_ARGS(card, chan),
	    TP_STRUCT__entry(__array(char, card, NFPC_TRACE_NAME)
			     __array(char, chan, NFPC_TRACE_NAME)),
	    TP_fast_assign(strscpy(__entry->card, card, NFPC_TRACE_NAME);
			   strscpy(__entry->chan, chan, NFPC_TRACE_NAME);),
	    TP_printk("%s %s", __entry->card, __entry->chan)
);

TRACE_EVENT(nfp_chan_interrupt,
	    TP_PROTO(const char *chan, unsigned int pipe, unsigned long count),
	    TP_ARGS(chan, pipe, count),
	    TP_STRUCT__entry(__array(char, chan, NFPC_TRACE_NAME)
			     __field(unsigned int, pipe)
			     __field(unsigned long, count)),
	    TP_fast_assign(strscpy(__entry->chan, chan, NFPC_TRACE_NAME);
			   __entry->pipe = pipe;
			   __entry->count = count;),
	    TP_printk("%s pipe=%u count=%lu", __entry->chan, __entry->pipe,
		      __entry->count)
);

/* Through read() and write() only: mapped rings are not seen by the kernel. */
TRACE_EVENT(nfp_chan_message,
	    TP_PROTO(const char *chan, unsigned int pipe, u32 dir, u32 seq, u32 len),
	    TP_ARGS(chan, pipe, dir, seq, len),
	    TP_STRUCT__entry(__array(char, chan, NFPC_TRACE_NAME)
			     __field(unsigned int, pipe)
			     __field(u32, dir)
			     __field(u32, seq)
			     __field(u32, len)),
	    TP_fast_assign(strscpy(__entry->chan, chan, NFPC_TRACE_NAME);
			   __entry->pipe = pipe;
			   __entry->dir = dir;
			   __entry->seq = seq;
			   __entry->len = len;),
	    TP_printk("%s pipe=%u %s seq=%u len=%u", __entry->chan, __entry->pipe,
		      __print_symbolic(__entry->dir, { 1, "to-host" }, { 2, "to-nfp" }),
		      __entry->seq, __entry->len)
);

#endif /* NFPC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
