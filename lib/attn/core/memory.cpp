#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/memory/control_group.hpp>
#include <attn/core/memory_account.hpp>

#include <sys/mman.h>
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
constexpr std::size_t most_kept = std::size_t{128} << 20;     // bytes of all kept blocks together

/// Freed blocks, by size.
class KeptBlocks {
 public:
  /// A block of at least `bytes` and less than a quarter more, or null; `bytes` becomes its size. Among blocks of one
  /// size, the last one freed is used, because its lines may still be in a cache.
  void* take(std::size_t& bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto smallest = blocks_.lower_bound(bytes);
    if (smallest == blocks_.end() || smallest->first > bytes + bytes / 4) return nullptr;
    const auto found = std::prev(blocks_.upper_bound(smallest->first));
    void* memory = found->second;
    bytes = found->first;
    kept_ -= bytes;
    blocks_.erase(found);
    return memory;
  }

  void give_back(void* memory, std::size_t bytes) noexcept {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (kept_ + bytes <= most_kept) {
        try {
          blocks_.emplace(bytes, memory);
          kept_ += bytes;
          return;
        } catch (const std::bad_alloc&) {  // then it is not kept
        }
      }
    }
    std::free(memory);
  }

 private:
  std::mutex mutex_;
  std::multimap<std::size_t, void*> blocks_;
  std::size_t kept_ = 0;
};

/// Never destroyed: tensors of static storage duration may be freed after everything else.
KeptBlocks& kept_blocks() {
  static KeptBlocks& blocks = *new KeptBlocks;
  return blocks;
}

/// Allocates `rounded` bytes, at least `bytes` and a multiple of the alignment for such sizes.
void* fresh_block(std::size_t rounded, std::size_t bytes) {
  const bool large = rounded >= 2 * huge_page;
  void* const memory = rounded < bytes ? nullptr : std::aligned_alloc(large ? huge_page : alignment, rounded);
  if (memory == nullptr) throw Error(ErrorKind::memory, "", "cannot allocate " + std::to_string(bytes) + " bytes");
  if (large) madvise(memory, rounded, MADV_HUGEPAGE);
  return memory;
}

}  // namespace

std::shared_ptr<void> allocate_scratch(std::size_t bytes) {
  // Large buffers start on a huge page: the first touch of 512 MB then takes 25 ms instead of 230 ms.
  const bool large = bytes >= 2 * huge_page;
  const std::size_t align = large ? huge_page : alignment;
  std::size_t rounded = (std::max<std::size_t>(bytes, 1) + align - 1) / align * align;
  const bool is_kept = rounded >= smallest_kept;
  void* memory = is_kept ? kept_blocks().take(rounded) : nullptr;
  if (memory == nullptr) memory = fresh_block(rounded, bytes);
  return {memory, [rounded, is_kept](void* block) {
            // Under a limit, kept blocks would be memory that is not counted.
            if (!is_kept || memory_account().is_limited()) return std::free(block);
            kept_blocks().give_back(block, rounded);
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
    region = {fresh_block(region_bytes, region_bytes), std::free};
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

}  // namespace attn
