#include <attn/attention/problem/past.hpp>

#include <algorithm>

namespace attn {

std::optional<BlockSource> joined_blocks(const ProblemViews& v) {
  constexpr std::size_t converted_bytes = std::size_t{8} << 20;
  bool converts = false;
  std::size_t whole = 0;
  for (const GivenRows* rows : {&v.key, &v.value}) {
    const auto& [past, present] = *rows;
    const bool differs = present.dtype != v.dtype || (past && past->dtype != v.dtype);
    const std::size_t bytes = ((past ? past->size() : 0) + present.size()) * element_size(v.dtype);
    if (past || differs) whole += past && differs ? 2 * bytes : bytes;
    converts |= differs;
  }
  const std::size_t each = std::max<std::size_t>(bytes_of_key(v.sizes, v.dtype), 1), block = leaf_keys;
  const std::size_t keys = converts ? std::max<std::size_t>(converted_bytes / each / block, 1) * block : block;
  const std::size_t S = v.sizes.keys, P = v.key.before();
  // Joined parts are in memory twice for a while, apart and together.
  if (2 * std::min(keys, S) * each + bytes_of_states(v.sizes) >= whole) return std::nullopt;
  // If past and present have the same dtype, only the block at the end of the past is copied.
  const auto end = [=](std::size_t first) {
    if (converts) return std::min(first + keys, S);
    if (first >= P) return S;
    return first + keys <= P ? P / keys * keys : std::min(first + keys, S);
  };
  const auto read = [&v](std::size_t first, std::size_t last, const UseBlock& use) {
    use(v.key.part(first, last, v.dtype), v.value.part(first, last, v.dtype));
  };
  return BlockSource{end, read};
}

}  // namespace attn
