#pragma once
// Times that a conversion of their numbers moves.

#include <attn/core/source_sink.hpp>

#include <string>

namespace cli {

/// "f32 moves its times by up to 2.8 minutes", if numbers that count a time, as these attributes say, are converted
/// into a float that moves one by a millisecond or more; else empty.
std::string moved_times(const attn::TensorView& x, const attn::Attributes& attributes, attn::DType dtype);

}  // namespace cli
