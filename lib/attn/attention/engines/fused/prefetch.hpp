#pragma once
// For short sequences, waiting for memory takes longer than computing. So the memory of the next block of rows is
// fetched into the caches while the current block is computed, a few lines at a time.

#include <attn/attention/engines/fused/plan.hpp>

#include <array>

namespace attn::fused {

class FetchAhead {
 public:
  FetchAhead() = default;
  /// Fetches the queries of `next`, and the keys and values that `current` does not use, in about so many steps.
  template <class T>
  FetchAhead(const Plan<T>& plan, const RowBlock& current, const RowBlock& next, std::size_t steps);

  /// The next part to fetch, of about so many remaining parts, for kernels that fetch it themselves.
  simd::LinesAhead part(std::size_t left) noexcept;

  /// Fetches the next few lines.
  void step() noexcept {
    for (std::size_t left = lines_of_step_; left > 0 && at_ < count_; --left) fetch_line();
  }

 private:
  /// Rows of so many bytes.
  struct Region {
    const unsigned char* row = nullptr;
    std::ptrdiff_t stride = 0;
    std::size_t rows = 0, bytes = 0;
  };
  void add(const TensorView& x, std::size_t b, std::size_t h, std::size_t first, std::size_t rows);
  void fetch_line() noexcept {
    Region& region = regions_[at_];
    __builtin_prefetch(region.row + byte_, 0, 2);
    byte_ += line;
    if (byte_ < region.bytes) return;
    byte_ = 0;
    region.row += region.stride;
    if (--region.rows == 0) ++at_;
  }

  static constexpr std::size_t line = 64;

  std::array<Region, 8> regions_;
  std::size_t count_ = 0, at_ = 0, byte_ = 0, lines_of_step_ = 0;
};

}  // namespace attn::fused
