#include <attn/core/memory.hpp>
#include <attn/regression/samples/argsort.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

namespace attn {
namespace {

constexpr int digit_bits = 9;  // the counts of a digit stay in the first cache
constexpr std::size_t digit_values = std::size_t{1} << digit_bits;

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

struct Ranked {
  std::uint64_t key;
  std::uint32_t place;
};

// A bucket, which stays in the caches: digit by digit, lowest first, over the bits that are not the same in all.
void sort_bucket(Ranked* entries, std::size_t n, std::vector<Ranked>& scratch) {
  constexpr std::size_t few = 192;  // below, counting costs more than comparing (measured)
  if (n < few) {
    std::sort(entries, entries + n,
              [](const Ranked& a, const Ranked& b) { return a.key != b.key ? a.key < b.key : a.place < b.place; });
    return;
  }
  std::uint64_t differing = 0;
  for (std::size_t i = 1; i < n; ++i) differing |= entries[i].key ^ entries[0].key;
  if (scratch.size() < n) scratch.resize(n);
  Ranked *from = entries, *to = scratch.data();
  for (int shift = 0; shift < 64; shift += digit_bits) {
    if (((differing >> shift) & (digit_values - 1)) == 0) continue;
    const auto digit = [shift](const Ranked& entry) { return (entry.key >> shift) & (digit_values - 1); };
    std::array<std::uint32_t, digit_values> at{};
    for (std::size_t i = 0; i < n; ++i) ++at[digit(from[i])];
    std::exclusive_scan(at.begin(), at.end(), at.begin(), 0u);
    for (std::size_t i = 0; i < n; ++i) to[at[digit(from[i])]++] = from[i];
    std::swap(from, to);
  }
  if (from != entries) std::copy_n(from, n, entries);
}

// The numbers cut into 2^bits buckets of about the same size; equal numbers share a bucket.
template <int bits>
class Buckets {
 public:
  static constexpr std::size_t count = std::size_t{1} << bits;

  Buckets(const double* values, std::size_t n, const Execution& execution)
      : n_(n), memory_(allocate_bytes(n * sizeof(Ranked))), bucket_(new Number[n]), at_(chunks * count, 0) {
    find_borders(values);
    execution.parallel(chunks, [&](std::size_t chunk, std::size_t) {
      std::array<std::uint32_t, count> sizes{};
      for (std::size_t i = first_of(chunk); i < first_of(chunk + 1); ++i)
        ++sizes[bucket_[i] = bucket_of(to_key(values[i]))];
      std::copy(sizes.begin(), sizes.end(), at_.begin() + static_cast<std::ptrdiff_t>(chunk * count));
    });
    std::uint32_t total = 0;
    for (std::size_t bucket = 0; bucket < count; ++bucket) {
      first_[bucket] = total;
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) total += std::exchange(at_[chunk * count + bucket], total);
    }
    first_[count] = total;
    Ranked* to = entries();
    execution.parallel(chunks, [&](std::size_t chunk, std::size_t) {
      std::uint32_t* at = at_.data() + chunk * count;
      for (std::size_t i = first_of(chunk); i < first_of(chunk + 1); ++i)
        to[at[bucket_[i]]++] = {to_key(values[i]), static_cast<std::uint32_t>(i)};
    });
  }
  std::size_t first(std::size_t bucket) const noexcept { return first_[bucket]; }
  Ranked* entries() noexcept { return static_cast<Ranked*>(memory_.get()); }

 private:
  using Number = std::conditional_t<bits <= 8, std::uint8_t, std::uint16_t>;
  static constexpr std::size_t chunks = 32;
  std::size_t first_of(std::size_t chunk) const noexcept { return n_ * chunk / chunks; }

  // Quantiles of every so many numbers.
  void find_borders(const double* values) {
    constexpr std::size_t looks = 8 * count;
    std::vector<std::uint64_t> sample(std::min(n_, looks));
    for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = to_key(values[n_ * i / sample.size()]);
    std::sort(sample.begin(), sample.end());
    for (std::size_t bucket = 1; bucket < count; ++bucket)
      borders_[bucket - 1] = sample[sample.size() * bucket / count];
  }
  // How many borders are not above the key, without branches.
  Number bucket_of(std::uint64_t key) const noexcept {
    std::size_t below = 0;
    for (int bit = bits - 1; bit >= 0; --bit) {
      const std::size_t middle = below + (std::size_t{1} << bit) - 1;
      below += static_cast<std::size_t>(borders_[middle] <= key) << bit;
    }
    return static_cast<Number>(below);
  }

  std::size_t n_;
  std::shared_ptr<void> memory_;  // entries, in huge pages: filled at `count` places at once
  std::unique_ptr<Number[]> bucket_;
  std::vector<std::uint32_t> at_;  // where the next number of each chunk and bucket goes
  std::array<std::uint64_t, count - 1> borders_{};
  std::array<std::size_t, count + 1> first_{};
};

template <int bits>
void sort_in_buckets(double* values, std::vector<std::uint32_t>& order, const Execution& execution) {
  Buckets<bits> buckets(values, order.size(), execution);
  std::vector<std::vector<Ranked>> scratch(execution.threads());
  execution.parallel(buckets.count, [&](std::size_t bucket, std::size_t worker) {
    const std::size_t begin = buckets.first(bucket), end = buckets.first(bucket + 1);
    Ranked* entries = buckets.entries();
    sort_bucket(entries + begin, end - begin, scratch[worker]);
    for (std::size_t i = begin; i < end; ++i) {
      values[i] = from_key(entries[i].key);
      order[i] = entries[i].place;
    }
  });
}

}  // namespace

std::vector<std::uint32_t> sort_with_order(double* values, std::size_t n, const Execution& execution) {
  std::vector<std::uint32_t> order(n);
  const auto below = [](double a, double b) { return to_key(a) < to_key(b); };
  if (std::is_sorted(values, values + n, below)) {
    std::iota(order.begin(), order.end(), 0u);
    return order;
  }
  constexpr std::size_t many = std::size_t{1} << 22;  // then 256 buckets with their scratch leave the second cache
  if (n < many)
    sort_in_buckets<8>(values, order, execution);
  else
    sort_in_buckets<10>(values, order, execution);
  return order;
}

}  // namespace attn
