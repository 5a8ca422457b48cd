#include <attn/core/system.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#if defined(__linux__)
#include <malloc.h>
#include <sched.h>
#include <sys/syscall.h>
#endif

namespace attn::system {
namespace {

#if !defined(MAP_NORESERVE)
constexpr int MAP_NORESERVE = 0;
#endif

/// A file that has lost its name.
[[maybe_unused]] int nameless(std::string name) noexcept {
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) return descriptor;
  unlink(name.c_str());
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

std::string temporary_name() {
  std::error_code none;  // then making a file there says so
  return std::filesystem::temp_directory_path(none) / "attn.XXXXXX";
}

}  // namespace

std::size_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

void* map(std::size_t bytes) noexcept {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void* remap(void* memory, std::size_t bytes, std::size_t new_bytes) noexcept {
#if defined(__linux__)
  void* const moved = mremap(memory, bytes, new_bytes, MREMAP_MAYMOVE);
  return moved == MAP_FAILED ? nullptr : moved;
#else
  void* const moved = map(new_bytes);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, memory, std::min(bytes, new_bytes));
  unmap(memory, bytes);
  return moved;
#endif
}

void unmap(void* memory, std::size_t bytes) noexcept { munmap(memory, bytes); }

void prefer_huge_pages(void* memory, std::size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
  madvise(memory, bytes, MADV_HUGEPAGE);
#else
  static_cast<void>(memory), static_cast<void>(bytes);
#endif
}

bool populate(void* memory, std::size_t bytes) noexcept {
#if defined(__linux__)
  constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, since Linux 5.14
  return madvise(memory, bytes, populate_write) == 0;
#else
  static_cast<void>(memory), static_cast<void>(bytes);
  return false;
#endif
}

void advise(void* memory, std::size_t bytes, Access access) noexcept {
  posix_madvise(memory, bytes,
                access == Access::soon     ? POSIX_MADV_WILLNEED
                : access == Access::random ? POSIX_MADV_RANDOM
                                           : POSIX_MADV_NORMAL);
}

void give_back(void* memory, std::size_t bytes) noexcept {
  madvise(memory, bytes, MADV_DONTNEED);  // POSIX's own advice keeps the pages
}

int memory_file() noexcept {
#if defined(__linux__)
  return memfd_create("attn", MFD_CLOEXEC);
#else
  return nameless(temporary_name());
#endif
}

int unnamed_file(const std::string& folder) noexcept {
#if defined(__linux__)
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#else
  const int descriptor = nameless((folder.empty() ? "." : folder) + "/.attn.XXXXXX");
#endif
  return descriptor >= 0 ? descriptor : nameless(temporary_name());
}

const char* folder_of_descriptors() noexcept {
#if defined(__linux__)
  return "/proc/self/fd";
#else
  return "/dev/fd";
#endif
}

bool rename_if_free(const std::string& from, const std::string& to) noexcept {
#if defined(__linux__)
  constexpr unsigned no_replace = 1;  // RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), no_replace) == 0) return true;
  if (errno == EEXIST) return false;
#endif
  // File systems that know no such renaming: a hard link refuses an existing name as well.
  if (link(from.c_str(), to.c_str()) != 0) return false;
  unlink(from.c_str());
  return true;
}

void widen_pipe(int descriptor) noexcept {
#if defined(F_SETPIPE_SZ)
  fcntl(descriptor, F_SETPIPE_SZ, 1 << 20);
#else
  static_cast<void>(descriptor);
#endif
}

ssize_t write_pages(int descriptor, const void* pages, std::size_t bytes) noexcept {
#if defined(__linux__)
  const iovec span{const_cast<void*>(pages), bytes};
  return vmsplice(descriptor, &span, 1, 0);
#else
  static_cast<void>(descriptor), static_cast<void>(pages), static_cast<void>(bytes);
  errno = ENOSYS;
  return -1;
#endif
}

std::optional<std::size_t> processors() noexcept {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
#endif
  return std::nullopt;
}

void return_large_blocks(std::size_t bytes) noexcept {
#if defined(M_MMAP_THRESHOLD)
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(bytes));
#else
  static_cast<void>(bytes);
#endif
}

std::string program() {
#if defined(__linux__)
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length > 0) return {path, static_cast<std::size_t>(length)};
#endif
  return {};
}

}  // namespace attn::system
