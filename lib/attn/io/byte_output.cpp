#include <attn/core/error.hpp>
#include <attn/core/system.hpp>
#include <attn/io/byte_output.hpp>
#include <attn/io/bytes/folder_lock.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/output.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

namespace attn::io {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

/// A remedy if the folder of an output does not exist.
std::string way_to_folder(const std::string& path, const std::string& folder) {
  if (path.find("://") != std::string::npos) return "only files are written: write one, and send it there";
  if (path.front() == '~') return "the shell expands ~ only where a word begins: put a blank before it";
  return "make the folder " + folder.substr(0, folder.size() - 1) + " first";
}

/// N where the path is an entry of the folder of this process' descriptors.
std::optional<int> descriptor_at(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1;
  const char* const end = path.data() + path.size();
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(path.data() + name, end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  std::error_code none;  // then there is no path
  const fs::path folder = fs::canonical(path.substr(0, name), none);
  if (folder.empty() || folder != fs::canonical(system::folder_of_descriptors(), none)) return std::nullopt;
  return static_cast<int>(number);
}

/// The name of a temporary file that a signal handler must remove, in a fixed place, because a handler may take no lock
/// and allocate nothing.
struct Unfinished {
  std::atomic<bool> taken{false};
  std::atomic<bool> armed{false};
  char path[PATH_MAX] = {};  // constant, so that no page of it is touched at the start of every program
};

std::array<Unfinished, 64> unfinished;

/// Null if there is no free entry; the file is still written.
Unfinished* remember(const std::string& path) {
  if (path.size() >= PATH_MAX) return nullptr;
  for (Unfinished& slot : unfinished) {
    if (slot.taken.exchange(true)) continue;
    std::memcpy(slot.path, path.c_str(), path.size() + 1);
    slot.armed.store(true);
    return &slot;
  }
  return nullptr;
}

void forget(Unfinished* slot) {
  if (slot == nullptr) return;
  slot->armed.store(false);
  slot->taken.store(false);
}

}  // namespace

struct ByteOutput::State {
  std::string path, label, target, temporary;
  Unfinished* slot = nullptr;
  int fd = -1;
  bool owns_fd = false;
  bool overwrite = false;
  bool adds = false;                   ///< the output contains the old contents
  std::optional<struct stat> present;  ///< the file that is there
  std::optional<FolderLock> lock;
  bool takes_pages = false;  ///< a pipe: pages of files go into it without a copy
  ProgressHook progress;
  std::size_t written = 0, expected = 0;  ///< bytes, for progress

  ~State() { abandon(); }

  void abandon() {
    if (owns_fd) close(fd);
    owns_fd = false;
    if (!temporary.empty()) unlink(temporary.c_str());
    temporary.clear();
    forget(slot);
    slot = nullptr;
  }

  void begin() {
    const OutputPlace place = place_of_output(path);
    if (place.descriptor) return write_through(*place.descriptor);
    struct stat status;
    present.reset();
    target = place.file;
    if (stat(path.c_str(), &status) != 0) {
      if (errno != ENOENT) throw Error(ErrorKind::create, label, "cannot be made: " + reason());
      return open_temporary();
    }
    if (S_ISDIR(status.st_mode)) throw Error(ErrorKind::create, label, "is a directory", "name a file in it");
    if (!S_ISREG(status.st_mode)) return open_stream();
    if (!overwrite) refuse_existing();
    present = status;
    // A link in /proc leads to a file that another program has open, even if another file has that name now.
    if (!is_unchanged())
      throw Error(ErrorKind::create, label, "is a deleted file that another program has open", "name another file");
    open_temporary();
  }

  [[noreturn]] void refuse_existing() const {
    throw Error(ErrorKind::create, label, "exists", "give -f to overwrite it");
  }

  [[noreturn]] void refuse_changed() const {
    throw Error(ErrorKind::create, label, "was changed by another program during the run", "run it again");
  }

  void write_through(int descriptor) {
    // Checked before anything is computed; a closed standard output fails at the write.
    const int mode = fcntl(descriptor, F_GETFL);
    if (path != "-" && (mode < 0 || (mode & O_ACCMODE) == O_RDONLY))
      throw Error(ErrorKind::create, label, "is not open for writing",
                  "open it, as in " + std::to_string(descriptor) + ">FILE");
    fd = descriptor;
    enlarge_pipe();
  }

  void open_stream() {
    fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) throw Error(ErrorKind::create, label, "cannot be opened for writing: " + reason());
    owns_fd = true;
    enlarge_pipe();
  }

  void enlarge_pipe() {
    struct stat status;
    takes_pages = fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
    if (takes_pages) system::widen_pipe(fd);
  }

  /// Writes; the pages of a mapped file go into a pipe without a copy.
  ssize_t put(const char* from, std::size_t bytes) {
    constexpr std::size_t worth_it = std::size_t{64} << 10;
    if (takes_pages && bytes >= worth_it && lies_in_mapped_file(from, bytes)) {
      const ssize_t done = system::write_pages(fd, from, bytes);
      if (done >= 0 || (errno != EINVAL && errno != ENOSYS && errno != EPERM)) return done;
      takes_pages = false;  // not this kernel
    }
    return ::write(fd, from, bytes);
  }

  void open_temporary() {
    const std::string directory = folder(), name = target.substr(directory.size());
    for (int attempt = 0;; ++attempt) {
      // Process and attempt distinguish the writers of one output; O_EXCL ensures it.
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
      throw Error(ErrorKind::create, label,
                  (target == path ? "" : "leads to " + target + ", which ") + "cannot be made: " + reason(),
                  why == ENOENT && target == path ? way_to_folder(path, directory) : "");
    }
    owns_fd = true;
    // HDF5 opens it by name for writing, with any permissions of the file that it replaces.
    constexpr mode_t until_written = S_IRUSR | S_IWUSR;
    if (present) take_mode((present->st_mode & 07777) | until_written);
  }

  void take_mode(mode_t mode) const {
    if (fchmod(fd, mode) != 0)
      throw Error(ErrorKind::create, label, "cannot be given the mode of the file it replaces: " + reason());
  }

  /// Folder of the target, with its slash; empty if the name has none.
  std::string folder() const { return target.substr(0, target.rfind('/') + 1); }

  bool is_unchanged() const {
    struct stat now;
    if (stat(target.c_str(), &now) != 0) return !present && errno == ENOENT;
    return present && now.st_dev == present->st_dev && now.st_ino == present->st_ino &&
           now.st_size == present->st_size && now.st_mtim.tv_sec == present->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == present->st_mtim.tv_nsec;
  }

  void synchronise() const {
    if (fsync(fd) != 0) throw Error(ErrorKind::io, label, "cannot be written: " + reason());
  }

  /// Gives the file a name that nothing has; false when something has it.
  bool take_free_name() {
    if (system::rename_if_free(temporary, target)) return true;
    if (errno == EEXIST) return false;
    struct stat there;
    if (lstat(target.c_str(), &there) == 0) return false;
    replace();
    return true;
  }

  void replace() {
    if (rename(temporary.c_str(), target.c_str()) != 0)
      throw Error(ErrorKind::create, label, "cannot be put in place: " + reason());
  }

  void put_in_place() {
    if (adds && !is_unchanged()) refuse_changed();  // by a writer that takes no lock
    if (take_free_name()) return;
    if (adds && !present) refuse_changed();
    if (!overwrite) refuse_existing();
    replace();
  }

  void sync_directory() const {
    const int handle = open_folder(folder());
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
  s.path = path;
  s.label = path == "-" ? "standard output" : path;
  s.overwrite = overwrite;
  s.begin();
}

ByteOutput::~ByteOutput() = default;
const std::string& ByteOutput::label() const noexcept { return state_->label; }
const std::string& ByteOutput::temporary_path() const noexcept { return state_->temporary; }

bool ByteOutput::replaces_file() const noexcept { return state_->present.has_value(); }

bool ByteOutput::is_unchanged() const { return state_->is_unchanged(); }

bool ByteOutput::claim() {
  State& s = *state_;
  s.adds = true;
  s.synchronise();  // others need not wait for it
  if (!s.lock) s.lock.emplace(s.folder());
  return s.is_unchanged();
}

void ByteOutput::start_again() {
  state_->abandon();
  state_->begin();
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
    if (done < 0 && is_to_be_repeated(state_->fd, POLLOUT)) continue;
    if (done < 0) throw Error(ErrorKind::io, state_->label, "cannot be written: " + reason());
    from += done;
    bytes -= static_cast<std::size_t>(done);
    if (!state_->progress) continue;
    state_->written += static_cast<std::size_t>(done);
    state_->progress(std::min(state_->written, state_->expected), state_->expected);
  }
}

void ByteOutput::write_at(std::uint64_t offset, const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = pwrite(state_->fd, from, bytes, static_cast<off_t>(offset));
    if (done < 0 && is_to_be_repeated(state_->fd, POLLOUT)) continue;
    if (done < 0) throw Error(ErrorKind::io, state_->label, "cannot be written: " + reason());
    from += done;
    offset += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::size_t>(done);
  }
}

void ByteOutput::commit() {
  State& s = *state_;
  if (!s.owns_fd) return require_written(s.fd, s.label);
  const bool is_file = !s.temporary.empty();
  if (is_file && s.present) s.take_mode(s.present->st_mode & 07777);
  if (is_file) s.synchronise();
  s.owns_fd = false;
  if (close(s.fd) != 0) throw Error(ErrorKind::io, s.label, "cannot be written: " + reason());
  if (!is_file) return;
  s.put_in_place();
  s.temporary.clear();
  s.abandon();
  s.lock.reset();
  s.sync_directory();
}

OutputPlace place_of_output(const std::string& path) {
  if (path == "-") return {STDOUT_FILENO, {}};
  constexpr int most_links = 40;  // limit of the kernel, which reports more when the file is opened
  fs::path file = path;
  for (int links = 0; links < most_links; ++links) {
    if (const auto descriptor = descriptor_at(file.native())) return {descriptor, {}};
    std::error_code is_no_link;
    const fs::path next = fs::read_symlink(file, is_no_link);
    if (is_no_link) break;
    file = file.parent_path() / next;  // which is `next` where that begins at the root
  }
  return {std::nullopt, file};
}

std::string file_of_descriptor(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::error_code none;  // then there is no name
  return fs::read_symlink(fs::path(system::folder_of_descriptors()) / std::to_string(descriptor), none).filename();
}

bool is_one_output(const std::string& path, const std::string& other) {
  const OutputPlace a = place_of_output(path), b = place_of_output(other);
  if (a.descriptor || b.descriptor) return a.descriptor == b.descriptor;
  std::error_code none;  // then opening it reports the error
  return fs::weakly_canonical(fs::absolute(a.file, none), none) ==
         fs::weakly_canonical(fs::absolute(b.file, none), none);
}

void remove_unfinished_outputs() noexcept {
  for (Unfinished& slot : unfinished)
    if (slot.armed.load()) unlink(slot.path);
}

}  // namespace attn::io
