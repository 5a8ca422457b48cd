#include <attn/core/eintr.hpp>
#include <attn/core/memory_account.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/bytes/gzip.hpp>
#include <attn/io/bytes/mapped_files.hpp>
#include <attn/io/bytes/prefault.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace attn::io {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t first_capacity = std::size_t{1} << 20;

/// Anonymous memory that grows in place or moves without being copied.
class GrowingBuffer {
 public:
  GrowingBuffer() = default;
  ~GrowingBuffer() {
    if (memory_ != nullptr) munmap(memory_, capacity_);
  }
  GrowingBuffer(const GrowingBuffer&) = delete;
  GrowingBuffer& operator=(const GrowingBuffer&) = delete;

  unsigned char* data() const noexcept { return static_cast<unsigned char*>(memory_); }
  std::size_t capacity() const noexcept { return capacity_; }

  void reserve(std::size_t bytes, const std::string& label) {
    if (!has_room(bytes))
      throw Error(ErrorKind::memory, label, "cannot allocate " + std::to_string(bytes) + " bytes to read it into");
  }

  /// Makes room for so many bytes, if the system lets it.
  bool has_room(std::size_t bytes) {
    if (bytes <= capacity_) return true;
    bytes = (bytes + 4095) / 4096 * 4096;
    void* grown = memory_ == nullptr
                      ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                      : mremap(memory_, capacity_, bytes, MREMAP_MAYMOVE);
    if (grown == MAP_FAILED) return false;
    memory_ = grown;
    capacity_ = bytes;
    // First touch of 512 MB in huge pages takes 25 ms instead of 230 ms.
    if (bytes >= 2 * huge_page) madvise(memory_, capacity_, MADV_HUGEPAGE);
    return true;
  }

 private:
  void* memory_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Reads until the buffer is full or the end comes; returns how much there was.
std::size_t read_fully(int fd, void* to, std::size_t count, const std::string& label) {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::read(fd, static_cast<char*>(to) + done, std::min(count - done, std::size_t{1} << 30));
    if (got == 0) break;
    if (got < 0 && is_to_be_repeated(fd, POLLIN)) continue;
    if (got < 0) throw Error(ErrorKind::io, label, std::string("cannot be read: ") + std::strerror(errno));
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace

ErrorKind kind_of_failed_open(int why) noexcept {
  return why == EMFILE || why == ENFILE || why == ENOMEM ? ErrorKind::memory : ErrorKind::input;
}

struct ByteInput::State {
  std::string label;
  ProgressHook progress;
  int fd = -1;
  bool owns_fd = false;
  bool is_mapped = false;
  Bytes mapped;           // what is left of a mapped file
  Bytes taken;            // the last of it that was taken
  std::string lookahead;  // bytes of a stream that were read but not taken
  std::unique_ptr<Inflater> inflater;

  ~State() {
    if (owns_fd) close(fd);
  }

  void open_path(const std::string& path) {
    if (path == "-") {
      fd = STDIN_FILENO;
    } else {
      fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
      owns_fd = true;
      if (fd < 0) {
        const int why = errno;
        owns_fd = false;
        throw Error(kind_of_failed_open(why), label,
                    why == ENOENT ? "does not exist" : std::string("cannot be opened: ") + std::strerror(why));
      }
    }
    struct stat status;
    if (fstat(fd, &status) != 0)
      throw Error(ErrorKind::input, label, std::string("cannot be read: ") + std::strerror(errno));
    if (S_ISDIR(status.st_mode)) throw Error(ErrorKind::input, label, "is a directory", "name a file in it");
    if (S_ISFIFO(status.st_mode)) fcntl(fd, F_SETPIPE_SZ, 1 << 20);
    if (S_ISREG(status.st_mode)) map_regular(static_cast<std::size_t>(status.st_size));
  }

  /// Files without a meaningful size (in /proc) and file systems that cannot map are read as streams.
  void map_regular(std::size_t size) {
    const off_t position = lseek(fd, 0, SEEK_CUR);
    if (position < 0 || static_cast<std::size_t>(position) >= size) return;
    const std::shared_ptr<const void> owner = map_file(fd, size);
    if (owner == nullptr) return;
    is_mapped = true;
    mapped = Bytes{static_cast<const unsigned char*>(owner.get()), size, owner, true}.part(
        static_cast<std::size_t>(position), size - static_cast<std::size_t>(position));
  }

  std::size_t read_raw(void* to, std::size_t count) {
    if (!is_mapped) return read_fully(fd, to, count, label);
    const std::size_t got = std::min(count, mapped.size);
    std::memcpy(to, mapped.data, got);
    copied_from_mapped(mapped.data, got);
    mapped = mapped.part(got, mapped.size - got);
    return got;
  }

  std::size_t read_stream(void* to, std::size_t count) {
    const std::size_t ready = std::min(count, lookahead.size());
    std::memcpy(to, lookahead.data(), ready);
    lookahead.erase(0, ready);
    auto* rest = static_cast<unsigned char*>(to) + ready;
    return ready + (inflater ? inflater->read(rest, count - ready) : read_fully(fd, rest, count - ready, label));
  }

  bool in_place() const noexcept { return is_mapped && !inflater; }

  std::string_view peek(std::size_t count) {
    if (in_place()) return mapped.part(0, std::min(count, mapped.size)).text();
    if (lookahead.size() < count) {
      std::string more(count - lookahead.size(), '\0');
      more.resize(inflater ? inflater->read(more.data(), more.size()) : read_raw(more.data(), more.size()));
      lookahead += more;
    }
    return std::string_view(lookahead).substr(0, count);
  }

  /// Everything from here on is gzip: bytes that were peeked are put back before it.
  void expand() {
    const auto source = [this, pending = std::move(lookahead)](void* to, std::size_t count) mutable {
      const std::size_t ready = std::min(count, pending.size());
      std::memcpy(to, pending.data(), ready);
      pending.erase(0, ready);
      return ready > 0 ? ready : read_raw(to, count);
    };
    lookahead.clear();
    inflater = std::make_unique<Inflater>(source, label);
  }
};

ByteInput::ByteInput(const std::string& path, ProgressHook progress) : state_(std::make_unique<State>()) {
  state_->label = path == "-" ? "standard input" : path;
  state_->progress = std::move(progress);
  state_->open_path(path);
  if (state_->peek(2) == "\x1f\x8b") state_->expand();
}

ByteInput::~ByteInput() = default;
const std::string& ByteInput::label() const noexcept { return state_->label; }
std::string_view ByteInput::peek(std::size_t count) { return state_->peek(count); }

Bytes ByteInput::take(std::uint64_t count) {
  State& s = *state_;
  const auto truncated = [&](std::uint64_t there) {
    return Error(ErrorKind::input, s.label,
                 "is truncated: " + std::to_string(there) + " bytes of " + std::to_string(count),
                 "copy or make it again");
  };
  if (s.in_place()) {
    if (count > s.mapped.size) throw truncated(s.mapped.size);
    release_mapped(s.taken.data, s.taken.size);
    s.taken = s.mapped.part(0, count);
    s.mapped = s.mapped.part(count, s.mapped.size - count);
    return s.taken;
  }
  constexpr std::size_t soon = std::size_t{16} << 20;
  if (count > memory_account().left()) {
    // A stream that ends long before is damaged, or cut off, and not large.
    const std::size_t most = std::min<std::size_t>(soon, memory_account().left()) + 1, there = s.peek(most).size();
    if (there < most) throw truncated(there);
    memory_account().require(count, s.label);
  }
  // Pages are touched shortly before data arrives, so a false size costs addresses and hardly any memory. If there are
  // too few addresses, the buffer grows with the data.
  const auto buffer = std::make_shared<GrowingBuffer>();
  std::size_t got = 0, room = buffer->has_room(std::max<std::size_t>(count, 1)) ? count : std::min(count, soon);
  const auto fill = [&] {
    buffer->reserve(room, s.label);
    const std::size_t begin = got;
    PagesAhead pages(buffer->data() + begin, room - begin);
    constexpr std::size_t piece = std::size_t{4} << 20;
    for (std::size_t wanted = got; got == wanted && got < room; pages.filled(got - begin)) {
      wanted = std::min(got + piece, room);
      got += s.read_stream(buffer->data() + got, wanted - got);
      if (s.progress) s.progress(got, count);
    }
  };
  for (fill(); got == room && room < count; fill()) room = std::min<std::size_t>(2 * room, count);
  if (got < count) throw truncated(got);
  return {buffer->data(), got, memory_account().hold(got, buffer)};
}

Bytes ByteInput::take_rest() {
  State& s = *state_;
  if (s.in_place()) return take(s.mapped.size);
  const auto buffer = std::make_shared<GrowingBuffer>();
  // One byte more than is allowed shows that there is more.
  const std::size_t left = memory_account().left(), most = left + 1;
  std::size_t size = 0;
  for (std::size_t capacity = std::min(first_capacity, most);; capacity = std::min(2 * capacity, most)) {
    buffer->reserve(capacity, s.label);
    size += s.read_stream(buffer->data() + size, capacity - size);
    if (size < capacity) return {buffer->data(), size, memory_account().hold(size, buffer)};
    if (size == most)
      throw Error(ErrorKind::memory, s.label,
                  "is a stream of more than the " + std::to_string(left) + " bytes that are " +
                      (!memory_account().is_limited()       ? "available"
                       : left == memory_account().allowed() ? "allowed"
                                                            : "left of those allowed"),
                  "give it as a file, uncompressed, which is not held in memory, or allow more");
  }
}

}  // namespace attn::io
