#pragma once
// Kernels of fused attention: what is compiled once per instruction set. Letters as in attention/shapes.hpp.
//
// Queries come in groups of rows (6, then 4, 2 and 1),
// keys in panels, packed depth first. An element is always the same chains of multiply-adds, first to last, so that its
// bits do not depend on the group, the panel or the tile that it lies in.

#include <attn/core/smoothing_kernel.hpp>
#include <attn/simd/gemm.hpp>

#include <cstddef>
#include <cstdint>

namespace attn::simd {

/// Chains of a score begin anew after so many coordinates and are added up in their order: the error of one chain grows
/// with its length, that of squares, which never cancel, the faster. (Additive scores, whose terms are bounded, are
/// one.)
inline constexpr std::size_t product_chain = 128, square_chain = 32;

/// Keys of one panel, transposed: packed (depth, panel width), columns from `count` on are 0.
struct KeyPanel {
  const void* keys = nullptr;  ///< (count, depth), elements as `storage` says
  std::ptrdiff_t stride = 0;   ///< from key to key, in elements
  Storage storage = Storage::full;
  std::size_t count = 0, depth = 0;
};

/// scores (rows, panel width) = factor * pair(q, k) for a panel of keys and any number of queries, which are grouped.
template <class T>
struct ScoreGroup {
  const T* queries = nullptr;  ///< (rows, depth)
  std::ptrdiff_t query_stride = 0;
  const T* keys = nullptr;  ///< (depth, panel width)
  std::size_t rows = 0, depth = 0;
  std::size_t columns = ~std::size_t{0};  ///< keys of the panel; vectors of scores behind them may stay as they are
  const T* weights = nullptr;  ///< additive: w (depth); of differences: what each is multiplied by, null: nothing
  T factor = 1;
  T* scores = nullptr;
  std::ptrdiff_t stride = 0;
  /// (rows, vector width), rows `stride` apart: the largest score of each lane so far, which these join; null: nobody
  /// asks. additive_scores and stream_scores keep none.
  T* maxima = nullptr;
};

/// Most rows whose scores become weights together.
inline constexpr std::size_t most_weight_rows = 32;

/// For each row: softcap, bias and masks, maximum, weights exp(s - maximum) in place of the scores and their sum; then
/// the block is added to the row's running maximum and total, and keep and add are what pooled values are scaled with:
///     o = o keep + block add.
/// A key that takes no part has the weight -0, which changes no sum and can be told from a weight that is 0.
template <class T>
struct WeightRows {
  T* scores = nullptr;
  std::ptrdiff_t stride = 0;
  std::size_t rows = 0, columns = 0;   ///< columns: one panel width or a multiple
  const std::size_t* first = nullptr;  ///< (rows): columns before it and from `last` on take no part
  const std::size_t* last = nullptr;
  const T* const* bias = nullptr;  ///< (rows) of (columns), -inf: takes no part; null: none, for all or a row
  const T* maxima = nullptr;       ///< as ScoreGroup keeps them, of all columns; null: unknown
  T softcap = 0;                   ///< 0: none
  bool are_shown = false;          ///< each is as exact by itself as its size allows, not by that of the largest
  T* maximum = nullptr;            ///< (rows), running
  T* total = nullptr;
  T* keep = nullptr;  ///< (rows)
  T* add = nullptr;
};

/// For each row of w, whose maximum, total, keep and add are not used: scores become weights exp(s - lse), and the
/// cotangents dw of weights those of scores behind softcap, biases and masks, w (dw - delta). Where a key takes no part
/// both are -0.
template <class T>
struct GradientRows {
  WeightRows<T> w;
  T* dweights = nullptr;                     ///< as the scores
  T* slopes = nullptr;                       ///< as the scores: takes 1 - tanh^2 of the softcap, if there is one
  const T *lse = nullptr, *delta = nullptr;  ///< (rows)
};

/// The weights of plain_weights().
enum class PlainWeight : std::uint8_t {
  score,        ///< s
  exponential,  ///< e^s
  one           ///< 1; scores are not read
};

/// A smoothing kernel of distances: u = sqrt(square) / width.
struct Smoothing {
  Kernel kernel = Kernel::gaussian;
  double width = 1, factor = 1;
};

/// out (rows, columns) = out keep + (weights values) add for one group of rows.
template <class T>
struct PoolGroup {
  const T* weights = nullptr;  ///< (rows, count)
  std::ptrdiff_t weights_stride = 0;
  const void* values = nullptr;  ///< (count, columns), elements as `storage` says
  std::ptrdiff_t values_stride = 0;
  Storage storage = Storage::full;
  std::size_t rows = 0, count = 0, columns = 0;  ///< columns: a multiple of the vector width
  T* out = nullptr;
  std::ptrdiff_t out_stride = 0;
  const T* keep = nullptr;
  const T* add = nullptr;
  bool streams = false;   ///< values come from memory, for these rows alone
  bool excludes = false;  ///< some weight is -0: its value may be NaN or infinite and must not count
};

/// Adds the states of another block of keys to the running ones, as weights and pool do with a block of their own.
template <class T>
struct MergeRows {
  std::size_t rows = 0, columns = 0;  ///< columns: a multiple of the vector width, also the stride
  T* maximum = nullptr;               ///< (rows), running
  T* total = nullptr;
  T* out = nullptr;
  const T* block_maximum = nullptr;
  const T* block_total = nullptr;
  const T* block_out = nullptr;
};

template <class T>
struct AttentionKernels {
  std::size_t panel_width;
  std::size_t vector_width;
  /// y = factor x, n numbers; a zero becomes positive.
  void (*scale)(const T* x, std::size_t n, T factor, T* y);
  /// sum (w x)^2 of n numbers, in f64; null: all w are 1.
  double (*square)(const T* x, const T* w, std::size_t n);
  /// x / |x| of n numbers in place, in f64 and rounded once; the zero vector stays.
  void (*to_unit)(T* x, std::size_t n);
  void (*pack_keys)(const KeyPanel&, T* packed);
  /// out (count, width), 0 from `columns` on.
  void (*pack_values)(const void* values, Storage storage, std::ptrdiff_t stride, std::size_t count,
                      std::size_t columns, T* out, std::size_t width);
  void (*dot_scores)(const ScoreGroup<T>&);       ///< sum_c q_c k_c, whatever the factor
  void (*product_scores)(const ScoreGroup<T>&);   ///< the same times the factor
  void (*gaussian_scores)(const ScoreGroup<T>&);  ///< sum_c (w_c (q_c - k_c))^2
  void (*additive_scores)(const ScoreGroup<T>&);  ///< sum_c w_c tanh(q_c + k_c)
  /// dot_scores from keys as they lie in memory, for few queries: scores (rows, count, up to a whole vector); of the
  /// group queries, rows and scores count.
  void (*stream_scores)(const KeyPanel&, const ScoreGroup<T>&);
  void (*weights)(const WeightRows<T>&);
  void (*gradients)(const GradientRows<T>&);
  /// weights() without a maximum: the running one is 0 from the first key on, and blocks are added. Their sums may have
  /// any sign. A score that is not finite becomes NaN in f32.
  void (*plain_weights)(const WeightRows<T>&, PlainWeight);
  /// squares (n, whole vectors) become factor K(u); NaN stays NaN.
  void (*smooth)(const Smoothing&, T* squares, std::size_t n);
  void (*pool)(const PoolGroup<T>&);
  void (*merge)(const MergeRows<T>&);
};

/// isa must be available here (available_isas()).
template <class T>
const AttentionKernels<T>& attention_kernels(Isa isa) noexcept;

}  // namespace attn::simd
