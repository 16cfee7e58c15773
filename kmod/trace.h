/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.h - tracepoints: /sys/kernel/tracing/events/nfp_chan.
 *
 * The events hold names in arrays, because the arguments of __string() and
 * __assign_str() differ between kernels.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM nfp_chan

#if !defined(NFPC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define NFPC_TRACE_H

#include <linux/string.h>
#include <linux/tracepoint.h>
#include <nfp_chan_fw.h>

#define NFPC_TRACE_NAME	32

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
		      __print_symbolic(__entry->cmd,
				       { NFP_CHAN_FW_CMD_HELLO, "HELLO" },
				       { NFP_CHAN_FW_CMD_OPEN, "OPEN" },
				       { NFP_CHAN_FW_CMD_CLOSE, "CLOSE" },
				       { NFP_CHAN_FW_CMD_CANCEL, "CANCEL" },
				       { NFP_CHAN_FW_CMD_BIND, "BIND" },
				       { NFP_CHAN_FW_CMD_UNBIND, "UNBIND" },
				       { NFP_CHAN_FW_CMD_LINK, "LINK" },
				       { NFP_CHAN_FW_CMD_UNLINK, "UNLINK" },
				       { NFP_CHAN_FW_CMD_DEVICE, "DEVICE" },
				       { NFP_CHAN_FW_CMD_GOODBYE, "GOODBYE" }),
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

#endif /* NFPC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
