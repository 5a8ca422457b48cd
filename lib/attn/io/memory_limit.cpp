#include <attn/core/error.hpp>
#include <attn/core/memory.hpp>
#include <attn/io/memory_limit.hpp>

namespace attn::io {

MemoryLimit::MemoryLimit(std::size_t most) : most_(most), held_(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

std::uint64_t MemoryLimit::allowed() const noexcept {
  if (is_given()) return most_;
  static const std::uint64_t usable = usable_memory();
  return usable;
}

std::uint64_t MemoryLimit::left() const noexcept {
  const std::uint64_t all = allowed(), gone = held();
  return gone < all ? all - gone : 0;
}

void MemoryLimit::require(std::uint64_t bytes, const std::string& subject) const {
  if (bytes <= left()) return;
  const bool alone = held() == 0;
  const std::string beside = alone ? "" : " beside the " + std::to_string(held()) + " that inputs hold already";
  throw Error(ErrorKind::memory, subject, "would need " + std::to_string(bytes) + " bytes of memory" + beside,
              std::to_string(allowed()) + (is_given() ? " are allowed" : " are there") +
                  (alone ? "; read a part of it as [start:stop]" : "; give streams as files"));
}

std::shared_ptr<const void> MemoryLimit::hold(std::uint64_t bytes, std::shared_ptr<const void> owner) const {
  const void* const what = owner.get();
  *held_ += bytes;
  return {what, [held = held_, bytes, kept = std::move(owner)](const void*) { *held -= bytes; }};
}

}  // namespace attn::io
