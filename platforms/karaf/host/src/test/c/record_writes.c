/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into a process: records its operations on files of a folder, in order of their effects, for the crash checker.
 *
 * SEXTANT_RECORD_FOLDER  the folder, absolute, without a link in it
 * SEXTANT_RECORD_FILE    where the records go
 *
 * A record, little endian: u8 operation, u16 length of the name, the name, u64 offset, u32 length, the bytes.
 *   'w' bytes at an offset   't' the file has so many bytes   's' the file is synced   'd' the folder is synced
 *   'c' the file is there, empty   'u' the name is gone   'r' renamed: the bytes are the new name   'm' the folder is there
 * Names are below the folder, "" for itself.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *names[FILES]; /* of descriptors; "" for the folder itself */
static char folders[FILES]; /* descriptors of folders */
static const char *folder;
static int out = -1;

#define REAL(type, name, ...) \
	static type (*real)(__VA_ARGS__); \
	if (!real) \
		real = dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void begin(void)
{
	const char *file = getenv("SEXTANT_RECORD_FILE");

	folder = getenv("SEXTANT_RECORD_FOLDER");
	if (folder && file)
		out = open(file, O_CREAT | O_WRONLY | O_APPEND, 0600);
}

/* The name below the folder, "" for the folder, NULL for anything else. */
static const char *inside(const char *path)
{
	size_t length = folder ? strlen(folder) : 0;

	if (!length || strncmp(path, folder, length))
		return NULL;
	if (!path[length] || !strcmp(path + length, "/") || !strcmp(path + length, "/."))
		return "";
	return path[length] == '/' ? path + length + 1 : NULL;
}

static void put(const void *bytes, size_t length)
{
	REAL(ssize_t, "write", int, const void *, size_t);
	for (const char *at = bytes; length;) {
		ssize_t done = real(out, at, length);

		if (done <= 0)
			_exit(99);
		at += done;
		length -= done;
	}
}

static void record(char operation, const char *name, uint64_t offset, const void *bytes, uint32_t length)
{
	uint16_t named = strlen(name);

	put(&operation, 1);
	put(&named, 2);
	put(name, named);
	put(&offset, 8);
	put(&length, 4);
	put(bytes, length);
}

static const char *name_of(int fd)
{
	return out >= 0 && fd >= 0 && fd < FILES ? names[fd] : NULL;
}

static int opened(int fd, const char *path, int flags, int was_there)
{
	const char *name = out >= 0 && fd >= 0 && fd < FILES ? inside(path) : NULL;
	struct stat found;

	if (!name)
		return fd;
	free(names[fd]);
	names[fd] = strdup(name);
	folders[fd] = !fstat(fd, &found) && S_ISDIR(found.st_mode);
	if (*name && flags & O_CREAT && !was_there)
		record('c', name, 0, "", 0);
	else if (*name && flags & O_TRUNC)
		record('t', name, 0, "", 0);
	return fd;
}

static int there(const char *path)
{
	struct stat found;

	return !stat(path, &found);
}

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		REAL(int, #name, const char *, int, ...); \
		va_list rest; \
		int mode, fd, was_there; \
		va_start(rest, flags); \
		mode = va_arg(rest, int); \
		va_end(rest); \
		pthread_mutex_lock(&lock); \
		was_there = there(path); \
		fd = opened(real(path, flags, mode), path, flags, was_there); \
		pthread_mutex_unlock(&lock); \
		return fd; \
	}
OPEN(open)
OPEN(open64)

int close(int fd)
{
	REAL(int, "close", int);
	pthread_mutex_lock(&lock);
	if (name_of(fd)) {
		free(names[fd]);
		names[fd] = NULL;
	}
	int result = real(fd);
	pthread_mutex_unlock(&lock);
	return result;
}

#define PWRITE(name, off) \
	ssize_t name(int fd, const void *bytes, size_t length, off offset) \
	{ \
		REAL(ssize_t, #name, int, const void *, size_t, off); \
		pthread_mutex_lock(&lock); \
		ssize_t done = real(fd, bytes, length, offset); \
		if (done > 0 && name_of(fd)) \
			record('w', name_of(fd), offset, bytes, done); \
		pthread_mutex_unlock(&lock); \
		return done; \
	}
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *bytes, size_t length)
{
	REAL(ssize_t, "write", int, const void *, size_t);
	pthread_mutex_lock(&lock);
	ssize_t done = real(fd, bytes, length);
	if (done > 0 && name_of(fd))
		record('w', name_of(fd), lseek(fd, 0, SEEK_CUR) - done, bytes, done);
	pthread_mutex_unlock(&lock);
	return done;
}

#define TRUNCATE(name, off) \
	int name(int fd, off length) \
	{ \
		REAL(int, #name, int, off); \
		pthread_mutex_lock(&lock); \
		int result = real(fd, length); \
		if (!result && name_of(fd)) \
			record('t', name_of(fd), length, "", 0); \
		pthread_mutex_unlock(&lock); \
		return result; \
	}
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

/* Recorded when it has returned: a concurrent write counts as synced only if it was recorded before the sync began. */
#define SYNC(name) \
	int name(int fd) \
	{ \
		REAL(int, #name, int); \
		pthread_mutex_lock(&lock); \
		int result = real(fd); \
		if (!result && name_of(fd)) \
			record(folders[fd] ? 'd' : 's', name_of(fd), 0, "", 0); \
		pthread_mutex_unlock(&lock); \
		return result; \
	}
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path)
{
	REAL(int, "unlink", const char *);
	pthread_mutex_lock(&lock);
	int result = real(path);
	const char *name = inside(path);
	if (!result && name && out >= 0)
		record('u', name, 0, "", 0);
	pthread_mutex_unlock(&lock);
	return result;
}

int mkdir(const char *path, mode_t mode)
{
	REAL(int, "mkdir", const char *, mode_t);
	pthread_mutex_lock(&lock);
	int result = real(path, mode);
	const char *name = inside(path);
	if (!result && name && *name && out >= 0)
		record('m', name, 0, "", 0);
	pthread_mutex_unlock(&lock);
	return result;
}

int rename(const char *from, const char *to)
{
	REAL(int, "rename", const char *, const char *);
	pthread_mutex_lock(&lock);
	int result = real(from, to);
	const char *name = inside(from), *named = inside(to);
	if (!result && name && named && out >= 0)
		record('r', name, 0, named, strlen(named));
	pthread_mutex_unlock(&lock);
	return result;
}
