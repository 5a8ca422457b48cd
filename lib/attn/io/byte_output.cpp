#include <attn/core/error.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/io/mapped_files.hpp>
#include <attn/io/output.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace attn::io {
namespace {

/// Names of temporary files that a signal handler must remove. Fixed slots, because a handler may take no lock and
/// allocate nothing; a file that finds no free slot is written all the same.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> armed{false};
  char path[PATH_MAX] = {};  // constant, so that no page of it is touched at the start of every program
};
std::array<Slot, 64> unfinished;

Slot* remember(const std::string& path) {
  if (path.size() >= PATH_MAX) return nullptr;
  for (Slot& slot : unfinished) {
    if (slot.taken.exchange(true)) continue;
    std::memcpy(slot.path, path.c_str(), path.size() + 1);
    slot.armed.store(true);
    return &slot;
  }
  return nullptr;
}

void forget(Slot* slot) {
  if (slot == nullptr) return;
  slot->armed.store(false);
  slot->taken.store(false);
}

std::string reason() { return std::strerror(errno); }

/// The file that a chain of symbolic links ends at, so that the link stays and its target is replaced.
std::string resolved(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string target = real;
  std::free(real);
  return target;
}

}  // namespace

void remove_unfinished_outputs() noexcept {
  for (Slot& slot : unfinished)
    if (slot.armed.load()) unlink(slot.path);
}

struct ByteOutput::State {
  std::string label, target, temporary;
  Slot* slot = nullptr;
  int fd = -1;
  bool owns_fd = false;
  bool overwrite = false;
  std::optional<struct stat> replaced;  ///< the file that was there
  bool expects_unchanged = false;
  bool takes_pages = false;  ///< a pipe: pages of files go into it without a copy
  ProgressHook progress;
  std::size_t written = 0, expected = 0;  ///< bytes, for progress

  ~State() {
    if (owns_fd) close(fd);
    if (!temporary.empty()) unlink(temporary.c_str());
    forget(slot);
  }

  [[noreturn]] void refuse_existing() const {
    if (expects_unchanged) {
      require_unchanged();
      throw Error(ErrorKind::create, label, "is a link to a file that does not exist", "name that file, or remove it");
    }
    throw Error(ErrorKind::create, label, "exists", "give -f to overwrite it");
  }

  void open_stream() {
    fd = open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) throw Error(ErrorKind::create, label, "cannot be opened for writing: " + reason());
    owns_fd = true;
    enlarge_pipe();
  }

  void enlarge_pipe() {
    struct stat status;
    takes_pages = fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
    if (takes_pages) fcntl(fd, F_SETPIPE_SZ, 1 << 20);
  }

  /// write(2), or for the pages of a mapped file on their way into a pipe vmsplice(2).
  ssize_t put(const char* from, std::size_t bytes) {
    constexpr std::size_t worth_it = std::size_t{64} << 10;
    if (takes_pages && bytes >= worth_it && lies_in_mapped_file(from, bytes)) {
      const iovec pages{const_cast<char*>(from), bytes};
      const ssize_t done = vmsplice(fd, &pages, 1, 0);
      if (done >= 0 || (errno != EINVAL && errno != ENOSYS && errno != EPERM)) return done;
      takes_pages = false;  // not this kernel
    }
    return ::write(fd, from, bytes);
  }

  void open_temporary(const struct stat* existing) {
    const std::size_t slash = target.rfind('/');
    const std::string directory = slash == std::string::npos ? "" : target.substr(0, slash + 1);
    const std::string name = target.substr(directory.size());
    for (int attempt = 0;; ++attempt) {
      // Process and attempt tell apart the writers of one output; O_EXCL makes sure.
      temporary = directory + "." + name.substr(0, 200) + "." + std::to_string(getpid()) + "-" +
                  std::to_string(attempt) + ".tmp";
      slot = remember(temporary);
      fd = open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd >= 0) break;
      const int why = errno;
      forget(slot);
      slot = nullptr;
      temporary.clear();
      if (why == EEXIST && attempt < 10000) continue;
      errno = why;
      throw Error(ErrorKind::create, label, "cannot be made: " + reason());
    }
    owns_fd = true;
    if (existing != nullptr && fchmod(fd, existing->st_mode & 07777) != 0)
      throw Error(ErrorKind::create, label, "cannot be given the mode of the file it replaces: " + reason());
  }

  /// rename, but never over a file that appeared in the meantime and was not to be overwritten.
  void rename_into_place() {
    if (overwrite) {
      if (rename(temporary.c_str(), target.c_str()) != 0)
        throw Error(ErrorKind::create, label, "cannot be put in place: " + reason());
      return;
    }
    constexpr unsigned no_replace = 1;  // RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(), no_replace) == 0) return;
    if (errno == EEXIST) refuse_existing();
    // File systems without RENAME_NOREPLACE: a hard link refuses an existing name as well.
    if (link(temporary.c_str(), target.c_str()) == 0) {
      unlink(temporary.c_str());
      return;
    }
    if (errno == EEXIST) refuse_existing();
    if (rename(temporary.c_str(), target.c_str()) != 0)
      throw Error(ErrorKind::create, label, "cannot be put in place: " + reason());
  }

  bool is_unchanged() const {
    struct stat now;
    if (stat(target.c_str(), &now) != 0) return !replaced && errno == ENOENT;
    return replaced && now.st_dev == replaced->st_dev && now.st_ino == replaced->st_ino &&
           now.st_size == replaced->st_size && now.st_mtim.tv_sec == replaced->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == replaced->st_mtim.tv_nsec;
  }

  void require_unchanged() const {
    if (is_unchanged()) return;
    throw Error(ErrorKind::create, label, "was changed by another writer meanwhile", "run it again");
  }

  int open_directory() const {
    const std::size_t slash = target.rfind('/');
    const std::string directory = slash == std::string::npos ? "." : target.substr(0, slash + 1);
    return open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }

  /// Writers look and replace one after the other, so that none comes between the look of one that expects the file as
  /// it was and its rename: the folder is their lock. Where it cannot be locked they do so at once, and also where it
  /// stays locked, perhaps by who waits for this writer, as flock(1) does.
  void put_in_place() {
    struct Lock {
      explicit Lock(int folder) : handle(folder) {
        constexpr int tries = 200;
        constexpr useconds_t pause = 10000;
        for (int i = 0; handle >= 0 && i < tries && flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++i)
          usleep(pause);
      }
      ~Lock() {
        if (handle >= 0) close(handle);
      }
      const int handle;
    } const lock(open_directory());
    if (expects_unchanged) require_unchanged();
    rename_into_place();
  }

  void sync_directory() const {
    const int handle = open_directory();
    if (handle < 0) return;
    fsync(handle);
    close(handle);
  }
};

void require_written(int fd, const std::string& label) {
  const int copy = dup(fd);
  if (copy >= 0 && close(copy) != 0) throw Error(ErrorKind::io, label, "cannot be written: " + reason());
}

ByteOutput::ByteOutput(const std::string& path, bool overwrite) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.label = path == "-" ? "standard output" : path;
  s.overwrite = overwrite;
  if (path == "-") {
    s.fd = STDOUT_FILENO;
    s.enlarge_pipe();
    return;
  }
  s.target = path;
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) throw Error(ErrorKind::create, s.label, "cannot be made: " + reason());
    s.open_temporary(nullptr);
    return;
  }
  if (S_ISDIR(status.st_mode)) throw Error(ErrorKind::create, s.label, "is a directory", "name a file in it");
  if (!S_ISREG(status.st_mode)) {
    s.open_stream();
    return;
  }
  if (!overwrite) s.refuse_existing();
  s.target = resolved(path);
  s.replaced = status;
  s.open_temporary(&status);
}

ByteOutput::~ByteOutput() = default;
const std::string& ByteOutput::label() const noexcept { return state_->label; }
const std::string& ByteOutput::temporary_path() const noexcept { return state_->temporary; }

void ByteOutput::expect_unchanged() { state_->expects_unchanged = true; }

void ByteOutput::expect_absent() {
  state_->replaced.reset();
  state_->overwrite = false;
  state_->expects_unchanged = true;
  state_->require_unchanged();
}

void ByteOutput::watch(ProgressHook progress) { state_->progress = std::move(progress); }

void ByteOutput::expect(std::size_t bytes) {
  state_->written = 0;
  state_->expected = bytes;
}

void ByteOutput::write(const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  const std::size_t piece = state_->progress ? std::size_t{64} << 20 : std::size_t{1} << 30;
  while (bytes > 0) {
    const ssize_t done = state_->put(from, std::min(bytes, piece));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw Error(ErrorKind::io, state_->label, "cannot be written: " + reason());
    from += done;
    bytes -= static_cast<std::size_t>(done);
    if (!state_->progress) continue;
    state_->written += static_cast<std::size_t>(done);
    state_->progress(std::min(state_->written, state_->expected), state_->expected);
  }
}

void ByteOutput::commit() {
  State& s = *state_;
  if (!s.owns_fd) return require_written(s.fd, s.label);
  const bool is_file = !s.temporary.empty();
  if (is_file && fsync(s.fd) != 0) throw Error(ErrorKind::io, s.label, "cannot be written: " + reason());
  s.owns_fd = false;
  if (close(s.fd) != 0) throw Error(ErrorKind::io, s.label, "cannot be written: " + reason());
  if (!is_file) return;
  s.put_in_place();
  forget(s.slot);
  s.slot = nullptr;
  s.temporary.clear();
  s.sync_directory();
}

}  // namespace attn::io
