#pragma once
// Tensors as JSON, for attributes: a value, a list, or nested lists.

#include <attn/core/tensor.hpp>

#include <nlohmann/json_fwd.hpp>

namespace ATTN_API attn {
namespace io {

/// As NumPy's tolist(): booleans are true and false; numbers that are not finite are printed as null. [] without
/// elements, for any shape: a file of 1 KB may claim 2^63 empty lists.
nlohmann::ordered_json json_of(const TensorView& x);

}  // namespace io
}  // namespace attn
