/*
 * Preloaded before libc. Performs every call that changes a file or a name under RECORDER_ROOT, then
 * appends it to RECORDER_LOG. The log is opened with O_APPEND and each record is one write, so that
 * several processes share one order. Within a process, a mutex around the call and its record keeps the
 * log in the order of the calls.
 *
 * Record format: length of the rest (4 bytes), kind (1), inode (8), number (8), length of the path (2),
 * path, bytes written. Little-endian, like every machine this is compiled on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
  CREATE_FILE = 1,
  CREATE_FOLDER = 2,
  WRITE = 3,
  TRUNCATE = 4,
  SYNC = 5,
  RENAME = 6,
  REMOVE = 7,
  /* 8 is a note from a client. */
  LINK = 9
};

#define MAX_FDS 65536
static ino_t watched[MAX_FDS];
static char root[PATH_MAX];
static size_t root_length;
static int log_fd = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))real_##name)
#define FIND(name) (real_##name = dlsym(RTLD_NEXT, #name))
static void *real_open, *real_openat, *real_write, *real_writev, *real_pwrite, *real_pwritev,
    *real_ftruncate, *real_fsync, *real_fdatasync, *real_rename, *real_link, *real_unlink, *real_unlinkat,
    *real_rmdir, *real_mkdir, *real_mkdtemp, *real_close;

/* An incomplete recording would prove nothing, so any failure aborts the process. */
static void fail(const char *what) {
  fprintf(stderr, "write-recorder: %s: %s\n", what, strerror(errno));
  abort();
}

__attribute__((constructor)) static void begin(void) {
  FIND(open), FIND(openat), FIND(write), FIND(writev), FIND(pwrite), FIND(pwritev);
  FIND(ftruncate), FIND(fsync), FIND(fdatasync), FIND(rename), FIND(link), FIND(unlink), FIND(unlinkat);
  FIND(rmdir), FIND(mkdir), FIND(mkdtemp), FIND(close);
  const char *folder = getenv("RECORDER_ROOT"), *log = getenv("RECORDER_LOG");
  if (folder == NULL || log == NULL) return;
  if (realpath(folder, root) == NULL) fail(folder);
  root_length = strlen(root);
  int opened = REAL(open)(log, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (opened < 0) fail(log);
  /* A high descriptor, because the process may expect low ones to be free. */
  log_fd = fcntl(opened, F_DUPFD_CLOEXEC, 900);
  if (log_fd < 0) fail(log);
  REAL(close)(opened);
}

/* The path relative to the root, "" for the root itself, or NULL for a path outside it. */
static const char *inside(const char *path) {
  if (log_fd < 0 || strncmp(path, root, root_length) != 0) return NULL;
  if (path[root_length] == 0) return "";
  return path[root_length] == '/' ? path + root_length + 1 : NULL;
}

/* Like `inside`, for a path that may be relative to an open folder or to the current one. */
static const char *inside_at(int folder, const char *path, char *buffer) {
  if (log_fd < 0) return NULL;
  if (path[0] == '/') return inside(path);
  char link[64];
  snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  if (length < 0) return NULL;
  snprintf(buffer + length, PATH_MAX - (size_t)length, "/%s", path);
  return inside(buffer);
}

static void record(enum kind kind, uint64_t inode, uint64_t number, const char *path,
                   const void *bytes, size_t count) {
  unsigned char head[23 + PATH_MAX];
  uint16_t path_length = (uint16_t)strlen(path);
  uint32_t length = (uint32_t)(19 + path_length + count);
  memcpy(head, &length, 4);
  head[4] = (unsigned char)kind;
  memcpy(head + 5, &inode, 8);
  memcpy(head + 13, &number, 8);
  memcpy(head + 21, &path_length, 2);
  memcpy(head + 23, path, path_length);
  struct iovec parts[2] = {{head, 23u + path_length}, {(void *)bytes, count}};
  if (REAL(writev)(log_fd, parts, 2) != (ssize_t)(length + 4)) fail("cannot append to the log");
}

/* Compares inodes, because a descriptor may have been closed and reused without passing through here. */
static int is_watched(int fd, struct stat *found) {
  if (log_fd < 0 || fd < 0 || fd >= MAX_FDS || watched[fd] == 0) return 0;
  if (fstat(fd, found) == 0 && found->st_ino == watched[fd]) return 1;
  watched[fd] = 0;
  return 0;
}

static int opened_file(const char *path, int fd, int flags, int was_there) {
  struct stat found;
  if (path == NULL || fd < 0) return fd;
  if (fd >= MAX_FDS || fstat(fd, &found) != 0) fail("cannot track an open file");
  watched[fd] = found.st_ino;
  if (!was_there) record(CREATE_FILE, found.st_ino, 0, path, NULL, 0);
  else if (flags & O_TRUNC) record(TRUNCATE, found.st_ino, 0, "", NULL, 0);
  return fd;
}

static int open_in(int folder, const char *path, int flags, mode_t mode) {
  char buffer[PATH_MAX * 2];
  const char *name = inside_at(folder, path, buffer);
  if (name == NULL) return REAL(openat)(folder, path, flags, mode);
  struct stat found;
  pthread_mutex_lock(&order);
  int was_there = fstatat(folder, path, &found, AT_SYMLINK_NOFOLLOW) == 0;
  int fd = REAL(openat)(folder, path, flags, mode);
  int error = errno;
  opened_file(name, fd, flags, was_there);
  pthread_mutex_unlock(&order);
  errno = error;
  return fd;
}

#define MODE_OF(flags)                       \
  mode_t mode = 0;                           \
  if (flags & (O_CREAT | O_TMPFILE)) {       \
    va_list rest;                            \
    va_start(rest, flags);                   \
    mode = va_arg(rest, mode_t);             \
    va_end(rest);                            \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_in(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_in(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_in(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_in(folder, path, flags | O_LARGEFILE, mode);
}

int close(int fd) {
  if (fd >= 0 && fd < MAX_FDS) watched[fd] = 0;
  return REAL(close)(fd);
}

static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t at) {
  struct stat found;
  if (!is_watched(fd, &found))
    return at < 0 ? REAL(writev)(fd, parts, count) : REAL(pwritev)(fd, parts, count, at);
  pthread_mutex_lock(&order);
  int is_appending = fcntl(fd, F_GETFL) & O_APPEND;
  off_t from = at;
  if (is_appending) from = lseek(fd, 0, SEEK_END);
  else if (at < 0) from = lseek(fd, 0, SEEK_CUR);
  ssize_t written = at < 0 ? REAL(writev)(fd, parts, count) : REAL(pwritev)(fd, parts, count, at);
  int error = errno;
  size_t left = written > 0 ? (size_t)written : 0;
  for (int part = 0; part < count && left > 0; part += 1) {
    size_t length = parts[part].iov_len < left ? parts[part].iov_len : left;
    record(WRITE, found.st_ino, (uint64_t)from, "", parts[part].iov_base, length);
    from += (off_t)length;
    left -= length;
  }
  pthread_mutex_unlock(&order);
  errno = error;
  return written;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  struct stat found;
  if (!is_watched(fd, &found)) return REAL(write)(fd, bytes, count);
  struct iovec part = {(void *)bytes, count};
  return write_parts(fd, &part, 1, -1);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  return write_parts(fd, parts, count, -1);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  struct iovec part = {(void *)bytes, count};
  return write_parts(fd, &part, 1, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  return pwrite(fd, bytes, count, at);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  return write_parts(fd, parts, count, at);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  return write_parts(fd, parts, count, at);
}

int ftruncate(int fd, off_t size) {
  struct stat found;
  if (!is_watched(fd, &found)) return REAL(ftruncate)(fd, size);
  pthread_mutex_lock(&order);
  int result = REAL(ftruncate)(fd, size);
  int error = errno;
  if (result == 0) record(TRUNCATE, found.st_ino, (uint64_t)size, "", NULL, 0);
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

static int sync_with(int (*sync)(int), int fd) {
  struct stat found;
  if (!is_watched(fd, &found)) return sync(fd);
  pthread_mutex_lock(&order);
  int result = sync(fd);
  int error = errno;
  if (result == 0) record(SYNC, found.st_ino, 0, "", NULL, 0);
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

int fsync(int fd) { return sync_with(REAL(fsync), fd); }
int fdatasync(int fd) { return sync_with(REAL(fdatasync), fd); }

/* The bytes of the record are the new name. */
static int name_with(int (*name)(const char *, const char *), int kind, const char *from,
                     const char *to) {
  const char *old_name = inside(from), *new_name = inside(to);
  if (old_name == NULL || new_name == NULL) return name(from, to);
  pthread_mutex_lock(&order);
  int result = name(from, to);
  int error = errno;
  if (result == 0) record(kind, 0, 0, old_name, new_name, strlen(new_name));
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

int rename(const char *from, const char *to) { return name_with(REAL(rename), RENAME, from, to); }
int link(const char *from, const char *to) { return name_with(REAL(link), LINK, from, to); }

static int remove_with(int folder, const char *path, int flags) {
  char buffer[PATH_MAX * 2];
  const char *name = inside_at(folder, path, buffer);
  if (name == NULL) return REAL(unlinkat)(folder, path, flags);
  pthread_mutex_lock(&order);
  int result = REAL(unlinkat)(folder, path, flags);
  int error = errno;
  if (result == 0) record(REMOVE, 0, 0, name, NULL, 0);
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

int unlink(const char *path) { return remove_with(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return remove_with(AT_FDCWD, path, AT_REMOVEDIR); }
int unlinkat(int folder, const char *path, int flags) { return remove_with(folder, path, flags); }

/* Reimplemented, because libc's remove would not call the functions above. */
int remove(const char *path) {
  if (unlink(path) == 0) return 0;
  return errno == EISDIR || errno == EPERM ? rmdir(path) : -1;
}

static void record_folder(const char *path, const char *name) {
  struct stat found;
  if (stat(path, &found) != 0) fail(path);
  record(CREATE_FOLDER, found.st_ino, 0, name, NULL, 0);
}

int mkdir(const char *path, mode_t mode) {
  const char *name = inside(path);
  if (name == NULL) return REAL(mkdir)(path, mode);
  pthread_mutex_lock(&order);
  int result = REAL(mkdir)(path, mode);
  int error = errno;
  if (result == 0) record_folder(path, name);
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

char *mkdtemp(char *path) {
  if (inside(path) == NULL) return REAL(mkdtemp)(path);
  pthread_mutex_lock(&order);
  char *note = REAL(mkdtemp)(path);
  int error = errno;
  if (note != NULL) record_folder(note, inside(note));
  pthread_mutex_unlock(&order);
  errno = error;
  return note;
}
