#pragma once
// Encodings as tensors.

#include <attn/core/source_sink.hpp>
#include <attn/text/encoding.hpp>

#include <memory>
#include <vector>

namespace ATTN_API attn {
namespace text {

/// B encodings as tensors of B rows, padded to one length L: the longest, or min_length, rounded up to a multiple of
/// options.multiple. Numbers take 4 bytes each in memory and are padded while they are written.
class EncodingBatch {
 public:
  explicit EncodingBatch(const PaddingOptions& options, std::size_t min_length = 0);

  /// Adds rows. Throws Error(memory), and Error(data) for numbers beyond 31 bits.
  void add(const std::vector<Encoding>& encodings);

  TensorProducer ids() const;       ///< (B, L), i64
  TensorProducer mask() const;      ///< (B, L), u8: 1 for a token, 0 for padding
  TensorProducer type_ids() const;  ///< (B, L), i64
  TensorProducer offsets() const;   ///< (B, L, 2), i64: bytes [begin, end); (0, 0) if encodings have none

 private:
  struct Rows;
  template <class T, class Write>
  TensorProducer filled(T fill, std::size_t width, Write&& write) const;

  std::shared_ptr<Rows> rows_;  ///< shared with the producers
};

}  // namespace text
}  // namespace attn
