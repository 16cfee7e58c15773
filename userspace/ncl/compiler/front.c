// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Run clang, which compiles a file to an LLVM module.
 *
 * clang compiles the user's file once, for the machine that nclc runs on, so the file can include
 * headers of hosts. flatten.c then takes the functions that kernels call from this module for the
 * device. That works because the machine and BPF are both little-endian with 64-bit pointers.
 */
#include <errno.h>
#include <llvm-c/BitReader.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nclc.h"
#include "front.h"

#ifndef NCLC_CLANG
#define NCLC_CLANG "clang"
#endif

#ifndef NCLC_INCLUDE
#define NCLC_INCLUDE "/usr/local/include/ncl"
#endif

/* Directory of ncl.h: ../include/ncl of the command if installed, else that of the source tree */
static char *include_folder(void)
{
	char exe[4096], *slash = NULL, *folder;
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (n > 0) {
		exe[n] = 0;
		slash = strrchr(exe, '/');
	}
	if (!slash)
		return text("%s", NCLC_INCLUDE);
	*slash = 0;
	folder = text("%s/../include/ncl", exe);
	return access(text("%s/ncl.h", folder), R_OK) ? text("%s", NCLC_INCLUDE) : folder;
}

/* Start a program. Its standard output goes to the file @to, or stays as it is (NULL). */
static pid_t spawn(const char **argv, const char *to)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		fail(EXIT_REFUSED, "fork: %s", strerror(errno));
	if (!pid) {
		if (to && !freopen(to, "w", stdout))
			fail(EXIT_REFUSED, "%s: %s", to, strerror(errno));
		execvp(argv[0], (char **)argv);
		fprintf(stderr, "nclc: %s: %s (set NCLC_CLANG to the path of clang)\n", argv[0],
			strerror(errno));
		_exit(127);
	}
	return pid;
}

int clang_start(const char *path, const char *bitcode, enum clang kind)
{
	static const char *const common[] = {
		"-c", "-emit-llvm", "-O2", "-Xclang", "-disable-llvm-passes", "-g",
		"-fno-discard-value-names", "-fno-strict-aliasing", "-fwrapv", "-o",
	};
	const char **argv = need(options.clang_count + 32, sizeof(*argv));
	unsigned int n = 0, i;
	pid_t pid;

	argv[n++] = getenv("NCLC_CLANG") ?: NCLC_CLANG;
	for (i = 0; i < sizeof(common) / sizeof(*common); i++)
		argv[n++] = common[i];
	argv[n++] = bitcode;
	if (kind == CLANG_DEVICE) {
		argv[n++] = "--target=bpf";
		argv[n++] = "-mcpu=v3";
	} else {
		argv[n++] = text("-I%s", include_folder());
		argv[n++] = "-fPIE";
	}
	argv[n++] = kind == CLANG_USER ? "-Wall" : "-w";
	for (i = 0; i < options.clang_count && kind == CLANG_USER; i++)
		argv[n++] = options.clang[i];
	argv[n++] = path;
	pid = spawn(argv, NULL);
	free(argv);
	return pid;
}

int clang_print(const char *path, const char *name, const char *to)
{
	const char **argv = need(options.clang_count + 16, sizeof(*argv));
	char *filter = text("-ast-dump-filter=%s", name);
	unsigned int n = 0, i;
	pid_t pid;

	argv[n++] = getenv("NCLC_CLANG") ?: NCLC_CLANG;
	argv[n++] = "-fsyntax-only";
	argv[n++] = "-w";
	argv[n++] = "-Xclang";
	argv[n++] = "-ast-print";
	argv[n++] = "-Xclang";
	argv[n++] = filter;
	argv[n++] = "-I";
	argv[n++] = include_folder();
	for (i = 0; i < options.clang_count; i++)
		argv[n++] = options.clang[i];
	argv[n++] = path;
	pid = spawn(argv, to);
	free(argv);
	free(filter);
	return pid;
}

LLVMModuleRef clang_module(int pid, const char *bitcode)
{
	LLVMMemoryBufferRef mem;
	LLVMModuleRef m;
	char *err;
	int status;

	if (waitpid(pid, &status, 0) < 0)
		fail(EXIT_REFUSED, "waitpid: %s", strerror(errno));
	if (WIFSIGNALED(status))
		fail(EXIT_REFUSED, "clang was killed by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status))
		exit(EXIT_REFUSED);	/* clang or spawn() has printed the error. */
	if (LLVMCreateMemoryBufferWithContentsOfFile(bitcode, &mem, &err))
		fail(EXIT_REFUSED, "%s: %s", bitcode, err);
	if (LLVMParseBitcodeInContext2(LLVMGetGlobalContext(), mem, &m))
		fail(EXIT_REFUSED, "this clang writes bitcode that LLVM %u cannot read; set NCLC_CLANG to the path of clang %u",
		     LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR);
	LLVMDisposeMemoryBuffer(mem);
	return m;
}
