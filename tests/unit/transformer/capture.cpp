#include <attn/transformer/inference.hpp>

#include <doctest/doctest.h>

#include "support/closeness.hpp"
#include "support/small_model.hpp"

#include <algorithm>

using namespace attn;
using support::message_of;
using support::same_bits;

namespace {

std::map<std::string, TensorView> captured(const CaptureParameters& parameters) {
  const Model model = support::small_model();
  Capture capture(model.description(), parameters);
  Execution execution;
  execution.trace = capture.hook();
  InferenceRequest request;
  request.attention_weights = capture.needs_attention_weights();
  infer(model, padded_batch({{3, 4, 5, 2}}, 0), padded_batch({{1, 3, 4}}, 0).ids, {}, request, execution);
  return capture.tensors();
}

}  // namespace

TEST_CASE("capture: one dataset a layer, shaped and called as transformers does") {
  const auto all = captured({{"encoder_hidden_states", "decoder_attentions", "cross_attentions"}, {}, {}});
  REQUIRE(all.size() == 7);
  CHECK(all.at("encoder_hidden_states/2").shape == Shape{1, 4, 8});
  CHECK(all.at("decoder_attentions/1").shape == Shape{1, 2, 3, 3});
  CHECK(all.at("cross_attentions/0").shape == Shape{1, 2, 3, 4});
  const Model model = support::small_model();
  CHECK(same_bits(all.at("encoder_hidden_states/2"), model.encode(padded_batch({{3, 4, 5, 2}}, 0))));
}

TEST_CASE("capture: chosen layers and heads, counted from either end") {
  const auto all = captured({{"encoder_attentions"}, {}, {}});
  const auto some = captured({{"encoder_attentions"}, {-1}, {1}});
  REQUIRE(some.size() == 1);
  const TensorView& weights = some.at("encoder_attentions/1");
  CHECK(weights.shape == Shape{1, 1, 4, 4});
  CHECK(same_bits(weights, slice(all.at("encoder_attentions/1"), {{}, {1, 2, 1, false}})));
  CHECK(message_of([] {
          captured({{"encoder_attentions"}, {2}, {}});
        }) == "--emit-layers: 2 is out of range, encoder_attentions has 2");
  CHECK(message_of([] {
          captured({{"encoder_attentions"}, {}, {-3}});
        }) == "--emit-heads: -3 is out of range, a layer of encoder_attentions has 2");
}
