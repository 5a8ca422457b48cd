#pragma once
// Positions as a bias on the scores: ALiBi, T5's buckets, XLNet's relative encodings.

#include <attn/core/execution.hpp>
#include <attn/core/tensor.hpp>

#include <cstdint>
#include <vector>

namespace ATTN_API attn {

/// The numbers of queries and keys; query i has position i + offset among the keys.
struct RelativeSpan {
  std::size_t queries = 0, keys = 0;
  std::int64_t offset = 0;
};

/// ALiBi: bias(h, i, j) = -slope[h] |i + offset - j|, (H, L, S). Source: Press et al. 2022.
Tensor alibi_bias(const std::vector<double>& slopes, const RelativeSpan& span, DType dtype);

/// T5's buckets of relative positions (Raffel et al. 2020). The initialisers are the defaults of T5.
struct RelativeBuckets {
  std::size_t buckets = 32;
  std::size_t max_distance = 128;  ///< distance from which all keys share the last bucket
  bool bidirectional = true;       ///< as in an encoder: half of the buckets are for keys after the query
};

/// The bucket of r = key position - query position. With n buckets for one direction: |r| for |r| < n / 2, else n/2 +
/// floor(log(|r| / (n/2)) / log(max_distance / (n/2)) (n - n/2)), at most n - 1. Throws Error(usage) for numbers that
/// leave no bucket.
std::size_t relative_bucket(std::int64_t relative, const RelativeBuckets& buckets);

/// bias(h, i, j) = table(bucket(j - i - offset), h), (H, L, S); table (buckets, H).
Tensor bucketed_bias(const TensorView& table, const RelativeBuckets& buckets, const RelativeSpan& span, DType dtype);

/// The gradient by the slopes of alibi_bias() for dy (H, L, S): dslope(h) = -sum of dy(h, i, j) |i + offset - j|, (H)
/// in f64.
Tensor alibi_bias_vjp(const TensorView& dy, const RelativeSpan& span);

/// The gradient by the table of bucketed_bias() for dy (H, L, S): the sum of dy(h, i, j) of each bucket, (buckets, H)
/// in f64.
Tensor bucketed_bias_vjp(const TensorView& dy, const TensorView& table, const RelativeBuckets& buckets,
                         const RelativeSpan& span);

/// The term of the score for a query and a distance, (B, H, L, S) in the queries' type:
///
///     score(b, h, i, j) = scale (query(b, h, i) + bias(h)) . encoding(h, distance i + offset - j)
///
/// query     (B, H, L, d)
/// bias      (H, d)
/// encoding  (H, L + S - 1, d): the projected encodings of the distances L - 1 + offset down to offset - S + 1
/// source    Dai et al. 2019, section 3.3, term (b) + (d); Yang et al. 2019
TensorView relative_scores(const TensorView& query, const TensorView& bias, const TensorView& encoding, double scale,
                           const RelativeSpan& span, const Execution& execution = {});

}  // namespace attn
