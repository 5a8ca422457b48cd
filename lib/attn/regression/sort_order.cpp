#include <attn/regression/sort_order.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>

namespace attn {
namespace {

constexpr int digit_bits = 11, digits = 6;
constexpr std::size_t buckets = std::size_t{1} << digit_bits;

// Unsigned numbers in the order of the doubles: negative ones reversed, positive ones above them.
std::uint64_t to_key(double value) noexcept {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits ^ ((bits >> 63) != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63);
}
double from_key(std::uint64_t key) noexcept {
  key ^= (key >> 63) != 0 ? std::uint64_t{1} << 63 : ~std::uint64_t{0};
  double value;
  std::memcpy(&value, &key, sizeof value);
  return value;
}

struct Entry {
  std::uint64_t key;
  std::uint32_t place;
};

}  // namespace

std::vector<std::uint32_t> sort_with_order(double* values, std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  const auto below = [](double a, double b) { return to_key(a) < to_key(b); };
  if (std::is_sorted(values, values + n, below)) return order;
  constexpr std::size_t small = 2048;  // below, the counting tables cost more than comparing (measured)
  if (n < small) {
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return below(values[a], values[b]); });
    std::vector<double> sorted(n);
    for (std::size_t i = 0; i < n; ++i) sorted[i] = values[order[i]];
    std::copy(sorted.begin(), sorted.end(), values);
    return order;
  }
  std::unique_ptr<Entry[]> from(new Entry[n]), to(new Entry[n]);
  auto counts = std::make_unique<std::array<std::array<std::uint32_t, buckets>, digits>>();
  for (auto& table : *counts) table.fill(0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t key = to_key(values[i]);
    from[i] = {key, static_cast<std::uint32_t>(i)};
    for (int digit = 0; digit < digits; ++digit) ++(*counts)[digit][(key >> (digit * digit_bits)) & (buckets - 1)];
  }
  for (int digit = 0; digit < digits; ++digit) {
    auto& table = (*counts)[digit];
    if (*std::max_element(table.begin(), table.end()) == n) continue;
    std::exclusive_scan(table.begin(), table.end(), table.begin(), 0u);
    for (std::size_t i = 0; i < n; ++i) to[table[(from[i].key >> (digit * digit_bits)) & (buckets - 1)]++] = from[i];
    from.swap(to);
  }
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = from_key(from[i].key);
    order[i] = from[i].place;
  }
  return order;
}

}  // namespace attn
