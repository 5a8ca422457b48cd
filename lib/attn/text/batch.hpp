#pragma once
// Encodings as tensors.

#include <attn/core/tensor.hpp>
#include <attn/text/encoding.hpp>

#include <optional>
#include <vector>

namespace attn::text {

/// B encodings filled up to one length L.
struct EncodingBatch {
  Tensor ids;                     ///< (B, L), i64
  Tensor mask;                    ///< (B, L), u8: 1 where there is a token, 0 where there is padding
  Tensor type_ids;                ///< (B, L), i64
  std::optional<Tensor> offsets;  ///< (B, L, 2), i64: bytes [begin, end); none where the encodings have none
};

/// Every encoding filled up to the longest one or to min_length, rounded up to a multiple of options.multiple.
EncodingBatch pad(const std::vector<Encoding>& encodings, const PaddingOptions& options, std::size_t min_length = 0);

}  // namespace attn::text
