#pragma once
// The legend of letters, and the conversion from users' shapes to the shape of the engines.
//
//     B  batch            H  query heads      H_kv  key-value heads, H % H_kv == 0
//     L  queries          S  keys             i  a query, j  a key
//     d  width of queries and keys (d_q, d_k where a score lets them differ)
//     d_v  width of values
//
// Indices follow the letters: query(b, h, i, c), key(b, g, j, c) with g = h / (H / H_kv), weights(b, h, i, j).

#include <attn/core/tensor.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ATTN_API attn {

/// The order of the axes.
enum class Layout : std::uint8_t {
  batch_first,         ///< (B, H, L, d); of rank 3: (B, L, d), one head
  heads_first,         ///< (B, H, L, d); of rank 3: (H, L, d), one batch
  batch_length_heads,  ///< (B, L, H, d); of rank 3: (L, H, d), one batch
  length_batch,        ///< (L, B, H, d); of rank 3: (L, B, d), one head
};

struct AttentionSizes {
  std::size_t batch = 1, heads = 1, kv_heads = 1;               ///< B, H, H_kv
  std::size_t queries = 0, keys = 0;                            ///< L, S
  std::size_t query_width = 0, key_width = 0, value_width = 0;  ///< d_q, d_k, d_v
};

/// The remedy if shapes show that heads are the third axis.
extern const char* const other_layout;

/// The remedy for a tensor of more than `most` axes: the command that joins the leading ones.
std::string joining_axes(const Shape& shape, std::size_t most);

/// Are the heads of x side by side in its last axis? (B, L, H * d), (L, B, H * d) or (L, H * d), if heads are given.
bool is_packed(const TensorView& x, std::optional<std::size_t> heads);

/// The layout in which heads that are packed have an axis of their own.
Layout unpacked(Layout layout, bool is_packed);

/// x as (B, H, L, d), from rank 3 and 4 by the layout, rank 3 packed if heads are given, (L, d), one column (L), or one
/// number. No element is copied unless the last axis has gaps. Throws Error(data) naming x for another rank, and for a
/// packed width that the heads do not divide; throws Error(usage) for 3 packed axes in a layout with an axis of heads.
TensorView to_heads(const TensorView& x, Layout layout, std::optional<std::size_t> heads);

/// The axis of the queries, or of the keys, in a tensor of that rank.
std::size_t length_axis(std::size_t rank, Layout layout, std::optional<std::size_t> heads);

/// heads (B, H, L, d) with the axes of the layout.
TensorView in_layout(const TensorView& heads, Layout layout);

/// x (L, B, d) of length_batch as (B, L, d), or back; x itself in other layouts and without a batch.
TensorView batch_and_length_swapped(const TensorView& x, Layout layout);

/// The strides of b, h and i in heads that are stored in the layout.
std::array<std::ptrdiff_t, 3> strides_in(const AttentionSizes& sizes, std::size_t width, Layout layout);

/// The shape of the pooled values for the user's `query`: its leading axes, with an axis for the batch if one batch of
/// queries serves several of keys, and `width` columns for each head.
Shape like_query(const TensorView& query, const AttentionSizes& sizes, std::size_t width, Layout layout,
                 std::optional<std::size_t> heads);

/// The leading axes of weights and scores, letters of "BHL": the query's, heads before queries.
std::string leading_axes(const TensorView& query, const AttentionSizes& sizes, Layout layout,
                         std::optional<std::size_t> heads);

/// The shape of weights and scores, `width` = S: the leading axes and S.
Shape rows_like_query(const TensorView& query, const AttentionSizes& sizes, std::size_t width, Layout layout,
                      std::optional<std::size_t> heads);

}  // namespace attn
