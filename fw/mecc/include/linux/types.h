/* SPDX-License-Identifier: BSD-2-Clause */
/* linux/types.h - the types that the headers of uapi need. */
#ifndef LINUX_TYPES_H
#define LINUX_TYPES_H

#include <stdint.h>

typedef uint8_t __u8;
typedef uint16_t __u16;
typedef uint32_t __u32;
typedef uint64_t __u64;
typedef int32_t __s32;
typedef int64_t __s64;
typedef __u16 __le16;
typedef __u32 __le32;
typedef __u64 __le64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u64 __be64;

#define __aligned_u64	__u64 __attribute__((aligned(8)))
#define __aligned_le64	__le64 __attribute__((aligned(8)))

#endif /* LINUX_TYPES_H */
