#include <attn/core/error.hpp>
#include <attn/core/execution.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/system.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/bytes/gzip.hpp>
#include <attn/io/bytes/mapped_files.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <list>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace attn::io {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t first_capacity = std::size_t{1} << 20;

/// Anonymous memory that grows in place or moves without being copied.
class GrowingBuffer {
 public:
  GrowingBuffer() = default;
  ~GrowingBuffer() {
    if (memory_ != nullptr) system::unmap(memory_, capacity_);
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
    const std::size_t page = system::page_bytes();
    bytes = (bytes + page - 1) / page * page;
    void* grown = memory_ == nullptr ? system::map(bytes) : system::remap(memory_, capacity_, bytes);
    if (grown == nullptr) return false;
    memory_ = grown;
    capacity_ = bytes;
    // First touch of 512 MB in huge pages takes 25 ms instead of 230 ms.
    if (bytes >= 2 * huge_page) system::prefer_huge_pages(memory_, capacity_);
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

Error truncated(const std::string& label, std::uint64_t there, std::uint64_t count) {
  return Error(ErrorKind::input, label, "is truncated: " + std::to_string(there) + " bytes of " + std::to_string(count),
               "copy or make it again");
}

/// Of a stream that has more bytes than those that are left.
Error too_long(const std::string& label, std::size_t left) {
  return Error(ErrorKind::memory, label,
               "is a stream of more than the " + std::to_string(left) + " bytes that are " +
                   (!memory_account().is_limited()       ? "available"
                    : left == memory_account().allowed() ? "allowed"
                                                         : "left of those allowed"),
               "give it as a file, uncompressed, which is not held in memory, or allow more");
}

constexpr std::size_t ahead_step = std::size_t{4} << 20;    // two huge pages, some 0.3 ms of clearing
constexpr std::size_t ahead_reach = std::size_t{16} << 20;  // what a stream that ends early may cost in vain

/// While it lives, a thread touches the pages of a large buffer a little ahead of the reader that fills it. The kernel
/// clears each page on its first access: inside a read(2), this takes as long as the copy itself, while the writer of
/// the pipe waits.
class PagesAhead {
 public:
  PagesAhead(unsigned char* data, std::size_t bytes);
  ~PagesAhead();
  PagesAhead(const PagesAhead&) = delete;
  PagesAhead& operator=(const PagesAhead&) = delete;

  /// Tells the thread that this number of bytes is filled.
  void filled(std::size_t bytes);

 private:
  void run();

  unsigned char* const data_;
  const std::size_t bytes_;
  std::mutex mutex_;
  std::condition_variable moved_;
  std::size_t allowed_;  ///< limit of touched pages, never far beyond the filled bytes
  bool ended_ = false;
  std::thread thread_;
};

PagesAhead::PagesAhead(unsigned char* data, std::size_t bytes)
    : data_(data), bytes_(bytes), allowed_(std::min(bytes, ahead_reach)) {
  // A small buffer is not worth a thread, and on one processor the thread would only take turns with the reader.
  if (bytes < 2 * ahead_reach || usable_threads() < 2) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // then pages come as they are touched
  }
}

PagesAhead::~PagesAhead() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  moved_.notify_one();
  thread_.join();
}

void PagesAhead::filled(std::size_t bytes) {
  if (!thread_.joinable()) return;
  const std::size_t allowed = std::min(bytes_, (bytes / ahead_step) * ahead_step + ahead_reach);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (allowed == allowed_) return;
    allowed_ = allowed;
  }
  moved_.notify_one();
}

void PagesAhead::run() {
  for (std::size_t done = 0; done < bytes_;) {
    std::size_t count = 0;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      moved_.wait(lock, [&] { return ended_ || allowed_ > done; });
      if (ended_) return;
      count = std::min(ahead_step, allowed_ - done);
    }
    // Where it cannot be done, as on older systems, pages come as they are touched.
    if (!system::populate(data_ + done, count)) return;
    done += count;
  }
}

}  // namespace

/// Bytes of a stream that come when they are awaited, and go when they are discarded and no owner holds them. In
/// between they count in memory_account().
class Arrival : public std::enable_shared_from_this<Arrival> {
 public:
  /// `read` gives the next bytes, fewer at the end. The buffer has room for all of them.
  using Read = std::function<std::size_t(void* to, std::size_t count)>;
  Arrival(std::unique_ptr<GrowingBuffer> buffer, std::size_t size, std::string label, Read read, ProgressHook progress)
      : buffer_(std::move(buffer)),
        size_(size),
        label_(std::move(label)),
        read_(std::move(read)),
        progress_(std::move(progress)) {}
  ~Arrival() { memory_account().remove(come_ - gone_.inside(0, come_)); }
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;

  const unsigned char* data() const noexcept { return buffer_->data(); }

  void await(const unsigned char* begin, std::size_t count) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t offset = offset_of(begin);
    if (gone_.inside(offset, offset + count) > 0)
      throw Error(ErrorKind::defect, label_, "bytes are read again that were given back");
    fill(offset + count);
  }

  /// Some more bytes of a stream whose size is not known; returns how many have come.
  std::size_t grow() {
    constexpr std::size_t some = std::size_t{1} << 20;
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t left = memory_account().left(), got = read_(buffer_->data() + come_, some);
    if (got > left || come_ + got + some > size_) throw too_long(label_, left);
    memory_account().add(got);
    come_ += got;
    return come_;
  }

  /// The rest will not be read, it only has to be there.
  void skip() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<char> passing(std::size_t{1} << 20);
    while (come_ < size_) {
      const std::size_t wanted = std::min(passing.size(), size_ - come_), got = read_(passing.data(), wanted);
      gone_.add(come_, come_ + got);
      come_ += got;
      memory_account().add(got);
      memory_account().remove(got);
      if (progress_) progress_(come_, size_);
      if (got < wanted) throw truncated(label_, come_, size_);
    }
  }

  std::shared_ptr<const void> hold(const unsigned char* begin, std::size_t count) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t offset = offset_of(begin);
    const auto held = held_.insert(held_.end(), {offset, offset + count});
    return {begin, [self = shared_from_this(), held](const void*) { self->let_go(held); }};
  }

  void discard(const unsigned char* begin, std::size_t count) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (begin < data() || begin + count > data() + size_) return;
    discarded_.add(offset_of(begin), offset_of(begin) + count);
    give_back(offset_of(begin), offset_of(begin) + count);
  }

 private:
  using Span = std::pair<std::size_t, std::size_t>;

  std::size_t offset_of(const unsigned char* place) const noexcept { return static_cast<std::size_t>(place - data()); }

  void let_go(std::list<Span>::iterator held) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto [begin, end] = *held;
    held_.erase(held);
    give_back(begin, end);
  }

  /// Bytes up to `end`, and as many more as one read takes anyway.
  void fill(std::size_t end) {
    constexpr std::size_t at_least = std::size_t{256} << 10, piece = std::size_t{4} << 20;
    if (end <= come_) return;
    const std::size_t wanted = std::min(std::max(end, come_ + at_least), size_), begin = come_;
    std::optional<PagesAhead> pages;
    if (wanted - begin > piece) pages.emplace(buffer_->data() + begin, wanted - begin);
    while (come_ < wanted) {
      const std::size_t some = std::min(piece, wanted - come_);
      if (some > memory_account().left()) memory_account().require(wanted - come_, label_);
      const std::size_t got = read_(buffer_->data() + come_, some);
      memory_account().add(got);
      come_ += got;
      if (pages) pages->filled(come_ - begin);
      if (progress_) progress_(come_, size_);
      if (got < some) throw truncated(label_, come_, size_);
    }
  }

  /// The pages of these bytes, if all of them were discarded and nobody holds them.
  void give_back(std::size_t begin, std::size_t end) {
    if (discarded_.inside(begin, end) < end - begin) return;
    const std::size_t page = system::page_bytes();
    begin = begin / page * page;
    end = std::min((end + page - 1) / page * page, size_);
    // Pages at both ends may have neighbours that are still to be used.
    const std::size_t first_end = std::min(begin + page, size_), last_begin = end > 0 ? (end - 1) / page * page : 0;
    if (discarded_.inside(begin, first_end) < first_end - begin) begin = first_end;
    if (discarded_.inside(last_begin, end) < end - last_begin) end = last_begin;
    if (begin >= end) return;
    for (const auto& [first, last] : held_)
      if (first < end && begin < last) return;
    system::give_back(buffer_->data() + begin, end - begin);
    memory_account().remove(gone_.add(begin, end));
  }

  std::mutex mutex_;
  const std::unique_ptr<GrowingBuffer> buffer_;
  const std::size_t size_;
  const std::string label_;
  const Read read_;
  const ProgressHook progress_;
  std::size_t come_ = 0;
  Parts discarded_, gone_;
  std::list<Span> held_;
};

void Bytes::await(const unsigned char* begin, std::size_t count) const {
  if (arrival != nullptr) arrival->await(begin, count);
}

bool Bytes::grow() {
  const std::size_t before = size;
  if (arrival != nullptr) size = arrival->grow();
  return size > before;
}

std::shared_ptr<const void> Bytes::hold(const unsigned char* begin, std::size_t count) const {
  return arrival == nullptr ? owner : arrival->hold(begin, count);
}

void Bytes::release(const ByteSpan& span) const noexcept {
  if (arrival == nullptr) release_mapped(span.begin, span.bytes);
}

void Bytes::discard(const ByteSpan& span) const noexcept {
  release(span);
  if (arrival != nullptr) arrival->discard(span.begin, span.bytes);
}

ErrorKind kind_of_failed_open(int why) noexcept {
  return why == EMFILE || why == ENFILE || why == ENOMEM ? ErrorKind::memory : ErrorKind::input;
}

struct ByteInput::State {
  std::string label;
  ProgressHook progress;
  int fd = -1;
  bool owns_fd = false;
  bool is_mapped = false;
  Bytes mapped;           // what is left of a mapped file, or of bytes in memory
  Bytes taken;            // the last of it that was taken
  std::string lookahead;  // bytes of a stream that were read but not taken
  std::unique_ptr<Inflater> inflater;
  std::shared_ptr<Arrival> arriving;  // bytes of a stream before those that come next

  /// What follows is read when all of that has come. What was not awaited is not kept.
  void finish_arrival() {
    if (arriving != nullptr) std::exchange(arriving, nullptr)->skip();
  }

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
    if (S_ISFIFO(status.st_mode)) system::widen_pipe(fd);
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

ByteInput::ByteInput(Bytes bytes, std::string label) : state_(std::make_unique<State>()) {
  state_->label = std::move(label);
  state_->is_mapped = true;
  state_->mapped = std::move(bytes);
}

ByteInput::ByteInput(ByteInput&& other) noexcept = default;
ByteInput::~ByteInput() = default;
const std::string& ByteInput::label() const noexcept { return state_->label; }
std::string_view ByteInput::peek(std::size_t count) {
  state_->finish_arrival();
  return state_->peek(count);
}

Bytes ByteInput::take(std::uint64_t count) {
  State& s = *state_;
  s.finish_arrival();
  if (s.in_place()) {
    if (count > s.mapped.size) throw truncated(s.label, s.mapped.size, count);
    release_mapped(s.taken.data, s.taken.size);
    s.taken = s.mapped.part(0, count);
    s.mapped = s.mapped.part(count, s.mapped.size - count);
    return s.taken;
  }
  constexpr std::size_t soon = std::size_t{16} << 20;
  if (count > memory_account().left()) {
    // A stream that ends long before is damaged, or cut off, and not large.
    const std::size_t most = std::min<std::size_t>(soon, memory_account().left()) + 1, there = s.peek(most).size();
    if (there < most) throw truncated(s.label, there, count);
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
  if (got < count) throw truncated(s.label, got, count);
  return {buffer->data(), got, memory_account().hold(got, buffer)};
}

Bytes ByteInput::take_arriving(std::uint64_t count) {
  constexpr std::uint64_t many = std::uint64_t{1} << 20;
  State& s = *state_;
  s.finish_arrival();
  if (s.in_place() || count < many) return take(count);
  auto buffer = std::make_unique<GrowingBuffer>();
  if (!buffer->has_room(count)) return take(count);
  const auto read = [&s](void* to, std::size_t some) { return s.read_stream(to, some); };
  s.arriving = std::make_shared<Arrival>(std::move(buffer), count, s.label, read, s.progress);
  return {s.arriving->data(), count, nullptr, false, s.arriving};
}

Bytes ByteInput::take_growing_rest() {
  State& s = *state_;
  s.finish_arrival();
  if (s.in_place()) return take_rest();
  for (std::size_t room = std::size_t{1} << 44; room >= std::size_t{1} << 36; room >>= 4) {
    auto buffer = std::make_unique<GrowingBuffer>();
    if (!buffer->has_room(room)) continue;
    const auto read = [&s](void* to, std::size_t some) { return s.read_stream(to, some); };
    const auto arrival = std::make_shared<Arrival>(std::move(buffer), room, s.label, read, nullptr);
    return {arrival->data(), 0, nullptr, false, arrival};
  }
  return take_rest();
}

Bytes ByteInput::take_rest() {
  State& s = *state_;
  s.finish_arrival();
  if (s.in_place()) return take(s.mapped.size);
  const auto buffer = std::make_shared<GrowingBuffer>();
  // One byte more than is allowed shows that there is more.
  const std::size_t left = memory_account().left(), most = left + 1;
  std::size_t size = 0;
  for (std::size_t capacity = std::min(first_capacity, most);; capacity = std::min(2 * capacity, most)) {
    buffer->reserve(capacity, s.label);
    size += s.read_stream(buffer->data() + size, capacity - size);
    if (size < capacity) return {buffer->data(), size, memory_account().hold(size, buffer)};
    if (size == most) throw too_long(s.label, left);
  }
}

}  // namespace attn::io
