#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/core/memory_account.hpp>

#include <algorithm>
#include <utility>

namespace attn {
namespace {

constexpr std::uint64_t smallest_large = std::uint64_t{64} << 10;

}  // namespace

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

}  // namespace attn
