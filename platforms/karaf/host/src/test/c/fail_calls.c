/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into a process: write, pwrite, fsync, fdatasync, ftruncate and rename on files below a folder fail where the process
 * asks for it, by opening a name that is nowhere:
 *
 *   /sextant-fail/N/ERRNO/1   the N-th call from now on fails with ERRNO
 *   /sextant-fail/N/ERRNO/0   so do all behind it; N = 0: none
 *   /sextant-fail/made        opens if a call has failed since then
 *
 * or where another process writes the same into the file SEXTANT_FAIL_CONTROL, a struct orders.
 *
 * SEXTANT_FAIL_FOLDER    the folder, absolute, without a link in it
 * SEXTANT_FAIL_READ_ONLY  if it is set, no file below it opens to be written, and no folder is made: EROFS
 * SEXTANT_FAIL_LOCKS      if it is set, no lock of a file below it is given: ENOLCK
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char below[FILES]; /* descriptors of files below the folder */

/* In the order of the file; a writer sets number last. */
static struct orders {
	volatile long number, error, once, calls, made;
} own, *orders = &own;

__attribute__((constructor)) static void share(void)
{
	const char *path = getenv("SEXTANT_FAIL_CONTROL");
	int fd = path ? open(path, O_RDWR) : -1;
	void *mapped = fd < 0 ? MAP_FAILED : mmap(0, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (mapped != MAP_FAILED)
		orders = mapped;
	if (fd >= 0)
		close(fd);
}

#define REAL(type, name, ...) \
	static type (*real)(__VA_ARGS__); \
	if (!real) \
		real = dlsym(RTLD_NEXT, name)

static int inside(const char *path)
{
	const char *folder = getenv("SEXTANT_FAIL_FOLDER");

	return folder && !strncmp(path, folder, strlen(folder));
}

/* True if this call fails; errno is set. */
static int fails(void)
{
	int is_so = 0, error = 0;

	pthread_mutex_lock(&lock);
	if (orders->number) {
		orders->calls++;
		is_so = orders->once ? orders->calls == orders->number : orders->calls >= orders->number;
		orders->made |= is_so;
		error = (int)orders->error;
	}
	pthread_mutex_unlock(&lock);
	if (is_so)
		errno = error;
	return is_so;
}

static int fd_fails(int fd)
{
	return fd >= 0 && fd < FILES && below[fd] && fails();
}

/* True if the name is an order to this library. */
static int ordered(const char *path)
{
	long number;
	int with, only;

	if (sscanf(path, "/sextant-fail/%ld/%d/%d", &number, &with, &only) != 3)
		return 0;
	pthread_mutex_lock(&lock);
	orders->calls = 0;
	orders->made = 0;
	orders->error = with;
	orders->once = only;
	orders->number = number;
	pthread_mutex_unlock(&lock);
	return 1;
}

static int read_only(int flags)
{
	if (!(flags & (O_WRONLY | O_RDWR | O_CREAT)) || !getenv("SEXTANT_FAIL_READ_ONLY"))
		return 0;
	errno = EROFS;
	return 1;
}

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		REAL(int, #name, const char *, int, ...); \
		va_list rest; \
		int mode, fd; \
		va_start(rest, flags); \
		mode = va_arg(rest, int); \
		va_end(rest); \
		if (ordered(path)) { \
			errno = ENOENT; \
			return -1; \
		} \
		if (orders->made && !strcmp(path, "/sextant-fail/made")) \
			return real("/dev/null", flags, mode); \
		if (inside(path) && read_only(flags)) \
			return -1; \
		fd = real(path, flags, mode); \
		if (fd >= 0 && fd < FILES) \
			below[fd] = inside(path); \
		return fd; \
	}
OPEN(open)
OPEN(open64)

int close(int fd)
{
	REAL(int, "close", int);
	if (fd >= 0 && fd < FILES)
		below[fd] = 0;
	return real(fd);
}

int mkdir(const char *path, mode_t mode)
{
	REAL(int, "mkdir", const char *, mode_t);
	return inside(path) && read_only(O_CREAT) ? -1 : real(path, mode);
}

#define FCNTL(name) \
	int name(int fd, int command, ...) \
	{ \
		REAL(int, #name, int, int, ...); \
		va_list rest; \
		va_start(rest, command); \
		void *argument = va_arg(rest, void *); \
		va_end(rest); \
		if ((command == F_SETLK || command == F_SETLKW) && fd >= 0 && fd < FILES && below[fd] && \
		    getenv("SEXTANT_FAIL_LOCKS")) { \
			errno = ENOLCK; \
			return -1; \
		} \
		return real(fd, command, argument); \
	}
FCNTL(fcntl)
FCNTL(fcntl64)

ssize_t write(int fd, const void *bytes, size_t length)
{
	REAL(ssize_t, "write", int, const void *, size_t);
	return fd_fails(fd) ? -1 : real(fd, bytes, length);
}

#define PWRITE(name, off) \
	ssize_t name(int fd, const void *bytes, size_t length, off offset) \
	{ \
		REAL(ssize_t, #name, int, const void *, size_t, off); \
		return fd_fails(fd) ? -1 : real(fd, bytes, length, offset); \
	}
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, off) \
	int name(int fd, off length) \
	{ \
		REAL(int, #name, int, off); \
		return fd_fails(fd) ? -1 : real(fd, length); \
	}
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
	int name(int fd) \
	{ \
		REAL(int, #name, int); \
		return fd_fails(fd) ? -1 : real(fd); \
	}
SYNC(fsync)
SYNC(fdatasync)

int rename(const char *from, const char *to)
{
	REAL(int, "rename", const char *, const char *);
	return inside(to) && fails() ? -1 : real(from, to);
}
