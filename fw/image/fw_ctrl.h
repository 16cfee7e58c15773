/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fw_ctrl.h - bits of CFG_CTRL and CFG_CAP in a vNIC's control BAR (nfp_net_ctrl.h of the Linux
 * driver, NFP_NET_CFG_CTRL_*).
 */
#ifndef FW_CTRL_H
#define FW_CTRL_H

#define CTRL_ENABLE		(1u << 0)
#define CTRL_PROMISC		(1u << 1)
#define CTRL_L2BC		(1u << 2)
#define CTRL_L2MC		(1u << 3)
#define CTRL_RXCSUM		(1u << 4)
#define CTRL_TXCSUM		(1u << 5)
#define CTRL_GATHER		(1u << 9)
#define CTRL_LSO		(1u << 10)
#define CTRL_CMSG_DATA		(1u << 12)
#define CTRL_RXVLAN_V2		(1u << 15)
#define CTRL_RINGCFG		(1u << 16)
#define CTRL_RSS		(1u << 17)
#define CTRL_IRQMOD		(1u << 18)
#define CTRL_MSIXAUTO		(1u << 20)
#define CTRL_TXRWB		(1u << 21)
#define CTRL_TXVLAN_V2		(1u << 23)
#define CTRL_BPF		(1u << 27)
#define CTRL_LSO2		(1u << 28)
#define CTRL_RSS2		(1u << 29)
#define CTRL_CSUM_COMPLETE	(1u << 30)
#define CTRL_LIVE_ADDR		(1u << 31)
#define CTRL_WORD1_USO		(1u << 16)

#endif /* FW_CTRL_H */
