#include <attn/core/texts.hpp>

#include <algorithm>
#include <utility>

namespace attn {

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
