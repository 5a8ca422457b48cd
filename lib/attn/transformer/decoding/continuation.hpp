#pragma once
// Decoding step by step: a decoder that continues from the tokens it has seen.

#include <attn/transformer/generation.hpp>
#include <attn/transformer/model.hpp>

#include <memory>
#include <optional>

namespace attn {

/// The decoder of a model for generation.
std::unique_ptr<Continuation> make_continuation(const Model& model, const std::optional<Memory>& memory,
                                                std::size_t capacity, const Execution& execution = {});

}  // namespace attn
