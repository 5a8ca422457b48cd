// A library for LD_PRELOAD: one call of a kind fails, as it does on a machine that runs full. FAULT=KIND:N fails the
// N-th call of the kind, FAULT_LEFT names a file that receives how many calls there were.
//
//     allocate   memory of 1 KiB or more                    ENOMEM
//     open       files opened or created                    EMFILE
//     read       read, pread of files                       EIO
//     write      write, pwrite, writev, of files and pipes  ENOSPC
//     sync       fsync                                      EIO
//     rename     rename, link                               EIO

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum Kind { allocate, open_file, read_file, write_file, sync_file, rename_file, kinds };
constexpr const char* names[] = {"allocate", "open", "read", "write", "sync", "rename"};

// Zero before main's constructors have run, so that what the loader does is not counted.
std::atomic<int> kind{kinds};
std::atomic<long> calls{0};
long failing = 0;

bool fails(Kind k) { return kind.load() == k && ++calls == failing; }
bool lacks(std::size_t bytes) { return bytes >= 1024 && fails(allocate); }

template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

// Standard error is how the tool says what happened.
bool counts(int fd) { return fd != STDERR_FILENO; }

char left[4096] = "";

__attribute__((constructor)) void begin() {
  const char* fault = std::getenv("FAULT");
  if (fault == nullptr) return;
  if (const char* path = std::getenv("FAULT_LEFT")) std::snprintf(left, sizeof left, "%s", path);
  for (int k = 0; k < kinds; ++k) {
    const std::size_t length = std::strlen(names[k]);
    if (std::strncmp(fault, names[k], length) != 0 || fault[length] != ':') continue;
    failing = std::atol(fault + length + 1);
    kind = k;
  }
  unsetenv("LD_PRELOAD");  // programs that the tool starts are left alone
}

__attribute__((destructor)) void end() {
  if (kind.exchange(kinds) == kinds || left[0] == 0) return;
  char text[32];
  const int length = std::snprintf(text, sizeof text, "%ld\n", calls.load());
  const int fd = real<int(const char*, int, mode_t)>("open")(left, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd >= 0 && real<ssize_t(int, const void*, std::size_t)>("write")(fd, text, static_cast<std::size_t>(length)) > 0)
    close(fd);
}

template <class T>
T with_errno(int code, T result) {
  errno = code;
  return result;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return lacks(size) ? with_errno<void*>(ENOMEM, nullptr) : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return lacks(count * size) ? with_errno<void*>(ENOMEM, nullptr) : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  return lacks(size) ? with_errno<void*>(ENOMEM, nullptr) : __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return lacks(size) ? with_errno<void*>(ENOMEM, nullptr) : __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  if (lacks(size)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (fails(open_file)) return with_errno(EMFILE, -1);
  return real<int(const char*, int, mode_t)>("open")(path, flags, mode);
}
ssize_t read(int fd, void* data, std::size_t size) {
  if (fails(read_file)) return with_errno<ssize_t>(EIO, -1);
  return real<ssize_t(int, void*, std::size_t)>("read")(fd, data, size);
}
ssize_t pread(int fd, void* data, std::size_t size, off_t at) {
  if (fails(read_file)) return with_errno<ssize_t>(EIO, -1);
  return real<ssize_t(int, void*, std::size_t, off_t)>("pread")(fd, data, size, at);
}
ssize_t write(int fd, const void* data, std::size_t size) {
  if (counts(fd) && fails(write_file)) return with_errno<ssize_t>(ENOSPC, -1);
  return real<ssize_t(int, const void*, std::size_t)>("write")(fd, data, size);
}
ssize_t pwrite(int fd, const void* data, std::size_t size, off_t at) {
  if (counts(fd) && fails(write_file)) return with_errno<ssize_t>(ENOSPC, -1);
  return real<ssize_t(int, const void*, std::size_t, off_t)>("pwrite")(fd, data, size, at);
}
ssize_t writev(int fd, const iovec* parts, int count) {
  if (counts(fd) && fails(write_file)) return with_errno<ssize_t>(ENOSPC, -1);
  return real<ssize_t(int, const iovec*, int)>("writev")(fd, parts, count);
}
int fsync(int fd) { return fails(sync_file) ? with_errno(EIO, -1) : real<int(int)>("fsync")(fd); }
int rename(const char* from, const char* to) {
  return fails(rename_file) ? with_errno(EIO, -1) : real<int(const char*, const char*)>("rename")(from, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (fails(rename_file)) return with_errno(EIO, -1);
  return real<int(int, const char*, int, const char*, unsigned)>("renameat2")(from_folder, from, to_folder, to, flags);
}
int link(const char* from, const char* to) {
  return fails(rename_file) ? with_errno(EIO, -1) : real<int(const char*, const char*)>("link")(from, to);
}

}  // extern "C"
