#include <attn/core/memory.hpp>

#include <attn/core/error.hpp>
#include <attn/core/memory/control_group.hpp>
#include <attn/core/system.hpp>
#include <attn/core/tensor.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace attn {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t smallest_kept = std::size_t{64} << 10;  // below, malloc itself is as fast
constexpr std::size_t most_spare = std::size_t{128} << 20;

void* fresh_block(std::size_t bytes) {
  const bool large = bytes >= 2 * huge_page;
  void* const memory = std::aligned_alloc(large ? huge_page : alignment, bytes);
  if (memory != nullptr && large) system::prefer_huge_pages(memory, bytes);
  return memory;
}

/// Freed blocks, by size. With those in use they are at most 128 MiB more than were in use at any time, so that a
/// program takes little more memory than it needs.
class KeptBlocks {
 public:
  /// A kept block of at least `bytes` and less than a quarter more, or a fresh one, or null; `bytes` becomes its size.
  /// Among blocks of one size, the last one freed is used, because its lines may still be in a cache.
  void* take(std::size_t& bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto smallest = blocks_.lower_bound(bytes);
    void* memory = nullptr;
    if (smallest != blocks_.end() && smallest->first <= bytes + bytes / 4) {
      bytes = smallest->first;
      memory = remove(std::prev(blocks_.upper_bound(bytes)));
    } else {
      const std::size_t needed = used_ + bytes, most = std::max(most_used_, needed) + most_spare;
      while (kept_ > 0 && needed + kept_ > most) std::free(remove(std::prev(blocks_.end())));
      memory = fresh_block(bytes);
    }
    if (memory != nullptr) used_ += bytes;
    most_used_ = std::max(most_used_, used_);
    return memory;
  }

  void give_back(void* memory, std::size_t bytes, bool keeps) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    used_ -= bytes;
    try {
      if (!keeps) return std::free(memory);
      blocks_.emplace(bytes, memory);
      kept_ += bytes;
    } catch (const std::bad_alloc&) {
      std::free(memory);
    }
  }

 private:
  using Blocks = std::multimap<std::size_t, void*>;

  void* remove(Blocks::iterator block) {
    void* const memory = block->second;
    kept_ -= block->first;
    blocks_.erase(block);
    return memory;
  }

  std::mutex mutex_;
  Blocks blocks_;
  std::size_t kept_ = 0, used_ = 0, most_used_ = 0;  ///< bytes
};

/// Never destroyed: tensors of static storage duration may be freed after everything else.
KeptBlocks& kept_blocks() {
  static KeptBlocks& blocks = *new KeptBlocks;
  return blocks;
}

constexpr std::uint64_t smallest_large = std::uint64_t{64} << 10;

}  // namespace

std::shared_ptr<void> allocate_scratch(std::size_t bytes) {
  // Large buffers start on a huge page: the first touch of 512 MB then takes 25 ms instead of 230 ms.
  const std::size_t align = bytes >= 2 * huge_page ? huge_page : alignment;
  std::size_t rounded = (std::max<std::size_t>(bytes, 1) + align - 1) / align * align;
  const bool is_kept = rounded >= smallest_kept;
  void* const memory = rounded < bytes ? nullptr : is_kept ? kept_blocks().take(rounded) : fresh_block(rounded);
  if (memory == nullptr) throw Error(ErrorKind::memory, "", "cannot allocate " + std::to_string(bytes) + " bytes");
  return {memory, [rounded, is_kept](void* block) {
            // Under a limit, kept blocks would be memory that is not counted.
            is_kept ? kept_blocks().give_back(block, rounded, !memory_account().is_limited()) : std::free(block);
          }};
}

std::shared_ptr<void> allocate_bytes(std::size_t bytes) {
  memory_account().expect(bytes);
  return std::const_pointer_cast<void>(memory_account().hold(bytes, allocate_scratch(bytes)));
}

std::shared_ptr<void> allocate_beside(std::size_t bytes) {
  constexpr std::size_t region_bytes = 8 * huge_page;
  static std::mutex mutex;
  static std::weak_ptr<void> latest;
  static std::size_t used = 0;
  // Under a limit, no uncounted block may be kept.
  if (bytes >= 2 * huge_page || memory_account().is_limited()) return allocate_bytes(bytes);
  memory_account().expect(bytes);
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<void> region = latest.lock();
  if (region == nullptr || region_bytes - used < rounded) {
    region = allocate_scratch(region_bytes);
    latest = region;
    used = 0;
  }
  void* const block = static_cast<unsigned char*>(region.get()) + used;
  used += rounded;
  return std::const_pointer_cast<void>(memory_account().hold(bytes, std::shared_ptr<void>(std::move(region), block)));
}

std::size_t usable_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  std::size_t bytes = pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                                            : std::numeric_limits<std::size_t>::max();
  return std::min<std::size_t>(bytes, memory_limit().value_or(bytes));
}

MemoryAccount& memory_account() noexcept {
  static MemoryAccount& account = *new MemoryAccount;  // tensors of static storage duration may be freed later
  return account;
}

std::uint64_t MemoryAccount::allowed() const {
  if (is_limited()) return most_;
  static const std::uint64_t usable = usable_memory();
  return usable;
}

std::uint64_t MemoryAccount::left() const {
  const std::uint64_t all = allowed(), gone = charged();
  return gone < all ? all - gone : 0;
}

void MemoryAccount::remember(std::uint64_t asked) const noexcept {
  const std::uint64_t needed = held() + asked;
  std::uint64_t most = most_needed_;
  while (most < needed && !most_needed_.compare_exchange_weak(most, needed)) {
  }
}

void MemoryAccount::require(std::uint64_t bytes, const std::string& subject) const {
  if (charged() <= allowed() && bytes <= left()) return remember(bytes);
  throw Error(ErrorKind::memory, subject,
              "needs at least " + std::to_string(charged() + bytes) + " bytes of memory, " + std::to_string(allowed()) +
                  (is_limited() ? " are allowed" : " are available"),
              is_limited() ? "allow more, or process a part at a time" : "process a part at a time");
}

void MemoryAccount::expect(std::uint64_t bytes, const std::string& subject) const {
  if (bytes >= smallest_large) require(bytes, subject);
}

std::shared_ptr<const void> MemoryAccount::hold(std::uint64_t bytes, std::shared_ptr<const void> owner) {
  if (bytes < smallest_large) return owner;
  const void* const what = owner.get();
  large_ += bytes;
  remember(0);
  return {what, [this, bytes, kept = std::move(owner)](const void*) { large_ -= bytes; }};
}

std::shared_ptr<const void> MemoryAccount::take(std::uint64_t bytes, const std::string& subject) {
  expect(bytes, subject);
  return hold(bytes, std::make_shared<char>());
}

void MemoryShare::grow(std::uint64_t bytes) {
  const std::uint64_t spared = std::min(spare_, bytes);
  spare_ -= spared;
  uncounted_ += bytes - spared;
  if (uncounted_ < smallest_large) return;
  counted_.push_back(memory_account().take(uncounted_, subject_));
  uncounted_ = 0;
}

void MemoryShare::absorb(MemoryShare&& other) {
  counted_.insert(counted_.end(), other.counted_.begin(), other.counted_.end());
  other.counted_.clear();
  grow(std::exchange(other.uncounted_, 0));
}

std::uint64_t memory_of_text(std::size_t bytes) noexcept {
  // As in libstdc++ and glibc: a text that exceeds the room in std::string gets at least twice that room in a heap
  // block with a prefix, rounded up; large blocks are whole pages.
  constexpr std::uint64_t room = 15, prefix = 8, unit = 16, large = std::uint64_t{128} << 10, page = 4096;
  if (bytes <= room) return 0;
  const std::uint64_t block = std::max<std::uint64_t>(bytes, 2 * room) + 1 + prefix;
  const std::uint64_t multiple = block < large ? unit : page;
  return (block + multiple - 1) / multiple * multiple;
}

std::uint64_t memory_of_texts(const TensorView& x) {
  std::uint64_t bytes = 0;
  if (x.dtype != DType::string) return bytes;
  if (x.rank() > 1 && !x.is_contiguous()) {
    for (std::size_t i = 0; i < x.shape[0]; ++i) bytes += memory_of_texts(element(x, i));
    return bytes;
  }
  const auto* const first = static_cast<const std::string*>(x.data);
  const std::ptrdiff_t step = x.rank() == 1 ? x.strides[0] : 1;
  for (std::size_t i = 0, count = x.size(); i < count; ++i)
    bytes += memory_of_text(first[static_cast<std::ptrdiff_t>(i) * step].size());
  return bytes;
}

TensorView TextMemory::held_by(TensorView x) && {
  const void* const strings = x.owner.get();
  x.owner = {strings, [owner = x.owner, texts = std::make_shared<TextMemory>(std::move(*this))](const void*) {}};
  return x;
}

}  // namespace attn
