#pragma once
// Tensors as JSON, for attributes: a value, a list, or lists in lists.

#include <attn/core/tensor.hpp>

#include <nlohmann/json_fwd.hpp>

namespace ATTN_API attn {
namespace io {

/// As NumPy's tolist(): booleans are true and false; what is not finite becomes null when it is printed. Without
/// elements [], whatever the shape: of empty lists a file of 1 KB may claim 2^63.
nlohmann::ordered_json json_of(const TensorView& x);

}  // namespace io
}  // namespace attn
