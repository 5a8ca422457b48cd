#pragma once
// The layers that a model consists of, as far as it has them.

#include <attn/transformer/model.hpp>
#include <attn/transformer/stack/block.hpp>
#include <attn/transformer/stack/embedding_step.hpp>
#include <attn/transformer/stack/head.hpp>

#include <memory>
#include <optional>

namespace attn {

struct Model::Parts {
  std::unique_ptr<Input> source, target;
  std::optional<Stack> encoder, decoder;
  std::optional<Head> head;
};

}  // namespace attn
