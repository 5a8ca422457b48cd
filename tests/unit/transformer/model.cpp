#include <attn/transformer/decoding/generate.hpp>
#include <attn/transformer/model.hpp>
#include <attn/transformer/stack/pass.hpp>

#include <doctest/doctest.h>

#include <map>

#include "support/closeness.hpp"
#include "support/small_model.hpp"

using namespace attn;
using support::describe;
using support::message_of;
using support::random_weights;
using support::same_bits;
using support::small_config;

namespace {

using Tokens = std::vector<std::int64_t>;

/// Row b, positions [0, length).
TensorView row(const TensorView& x, std::size_t b, std::size_t length) {
  const auto i = static_cast<std::int64_t>(b);
  return slice(x, {{i, std::nullopt, 1, true}, {0, static_cast<std::int64_t>(length), 1, false}});
}

}  // namespace

TEST_CASE("model: a batch gives the bits of single lines, in encoder and decoder") {
  for (const char* norm : {"\"norm_first\": false", "\"norm_first\": true"}) {
    const ModelDescription description = describe(small_config("\"norm_first\": false", norm));
    TensorMap weights = random_weights(description);
    for (const DType dtype : {DType::f32, DType::f64}) {
      const Model model(description, weights, dtype);
      const std::vector<Tokens> lines{{3, 4, 5, 2}, {6, 2}, {7, 8, 9, 10, 3, 2}};
      const TokenBatch batch = padded_batch(lines, 0);
      const TensorView together = model.encode(batch);
      StackRun decoding = StackRun::decoder(model, Memory{together, batch.padding_mask}, 4);
      const TensorView hidden = decoding(padded_batch({{1, 3, 4}, {1, 5, 6}, {1, 7, 8}}, 0));
      for (std::size_t b = 0; b < lines.size(); ++b) {
        const TokenBatch single = padded_batch({lines[b]}, 0);
        CHECK_FALSE(single.padding_mask.has_value());
        const TensorView alone = model.encode(single);
        CHECK(same_bits(row(together, b, lines[b].size()), row(alone, 0, lines[b].size())));
        StackRun one = StackRun::decoder(model, Memory{alone, std::nullopt}, 4);
        const auto start = static_cast<std::int64_t>(3 + 2 * b);
        CHECK(same_bits(row(hidden, b, 3), row(one(padded_batch({{1, start, start + 1}}, 0)), 0, 3)));
      }
    }
  }
}

TEST_CASE("model: with cache or without, the same bits") {
  const ModelDescription description = describe(small_config());
  TensorMap weights = random_weights(description);
  const Model model(description, weights, DType::f32);
  const TensorView memory = model.encode(padded_batch({{3, 4, 5, 2}}, 0));
  const Tokens ids{1, 3, 4, 5, 6, 7, 8, 9, 10};
  StackRun whole = StackRun::decoder(model, Memory{memory, std::nullopt}, 16);
  StackRun steps = StackRun::decoder(model, Memory{memory, std::nullopt}, 1);
  const TensorView all = whole(padded_batch({ids}, 0));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const TensorView one = steps(padded_batch({{ids[i]}}, 0));
    const auto at = static_cast<std::int64_t>(i);
    CHECK(same_bits(one, slice(all, {{}, {at, at + 1, 1, false}})));
  }
}

TEST_CASE("model: rows that are selected, doubled and dropped go on as they were") {
  const ModelDescription description = describe(small_config());
  TensorMap weights = random_weights(description);
  const Model model(description, weights, DType::f32);
  const TokenBatch batch = padded_batch({{3, 4, 5, 2}, {6, 2}}, 0);
  const Memory memory{model.encode(batch), batch.padding_mask};
  const auto both = make_continuation(model, memory, 4);
  both->advance({{1}, {1}});
  both->select({1, 1, 0});
  const TensorView after = both->advance({{3}, {4}, {3}});
  const auto plain = make_continuation(model, memory, 4);
  plain->advance({{1}, {1}});
  const TensorView expected = plain->advance({{3}, {3}});
  CHECK(same_bits(element(after, 0), element(expected, 1)));
  CHECK(same_bits(element(after, 2), element(expected, 0)));
  CHECK_FALSE(same_bits(element(after, 1), element(expected, 1)));
}

TEST_CASE("model: rows go on from any other, whatever their place, as if each had come alone") {
  const ModelDescription description = describe(small_config());
  TensorMap weights = random_weights(description);
  const Model model(description, weights, DType::f32);
  const Memory memory{model.encode(padded_batch({{3, 4, 5, 2}}, 0)), std::nullopt};
  const auto rows = make_continuation(model, memory, 9);
  std::vector<std::vector<std::int64_t>> history{{}}, next{{1}};
  support::Random random(17);
  for (const std::size_t count : {3, 3, 5, 5, 2, 4, 1, 5}) {
    const TensorView logits = rows->advance(next);
    for (std::size_t i = 0; i < history.size(); ++i) {
      history[i].insert(history[i].end(), next[i].begin(), next[i].end());
      CHECK(same_bits(element(logits, i), element(make_continuation(model, memory, 9)->advance({history[i]}), 0)));
    }
    std::vector<std::size_t> origins;
    std::vector<std::vector<std::int64_t>> chosen;
    next.clear();
    for (std::size_t i = 0; i < count; ++i) {
      origins.push_back(random.between(0, history.size() - 1));
      chosen.push_back(history[origins.back()]);
      next.push_back({static_cast<std::int64_t>(3 + i)});
    }
    rows->select(origins);
    history = std::move(chosen);
  }
}

TEST_CASE("model: the trace hook sees every place of the architecture") {
  const ModelDescription description = describe(small_config());
  TensorMap weights = random_weights(description);
  const Model model(description, weights, DType::f32);
  std::map<std::string, Shape> seen;
  Execution execution;
  execution.trace = [&](const std::string& name, const TensorView& x) { seen[name] = x.shape; };
  const TensorView memory = model.encode(padded_batch({{3, 4, 5, 2}}, 0), execution, true);
  StackRun decoding = StackRun::decoder(model, Memory{memory, std::nullopt}, 4, execution);
  model.logits(decoding(padded_batch({{1, 3}}, 0)), execution);
  CHECK(seen.at("encoder/embedding") == Shape{1, 4, 8});
  CHECK(seen.at("encoder/1/self_attn/q") == Shape{1, 2, 4, 4});
  CHECK(seen.at("encoder/0/self_attn/weights") == Shape{1, 2, 4, 4});
  CHECK(seen.at("encoder/0/feed_forward/hidden") == Shape{1, 4, 12});
  CHECK(seen.at("decoder/1/cross_attn/k") == Shape{1, 2, 4, 4});
  CHECK(seen.at("decoder/1/norm3") == Shape{1, 2, 8});
  CHECK(seen.at("logits") == Shape{1, 2, 11});
}

TEST_CASE("description: what is wrong with a configuration is said with the field") {
  CHECK(message_of([] { describe(small_config("\"transformer\"", "\"tranformer\"")); }) ==
        "config.json: model_type is \"tranformer\", expected one of: transformer, timesformer, roberta, camembert, "
        "mpnet, albert, llama, bart, marian, xlnet and 17 more");
  CHECK(message_of([] { describe(small_config("\"nhead\": 2", "\"nhead\": 3")); }) ==
        "config.json: nhead is 3, expected a divisor of the model's width 8");
  CHECK(message_of([] { describe(small_config("\"relu\"", "\"swoosh\"")); }) ==
        "config.json: activation is \"swoosh\", expected a known activation; known are none, relu, gelu, gelu-tanh, "
        "silu, tanh, sigmoid, quick-gelu, gelu-fast, gelu-10, relu2, relu6, leaky-relu, mish, hardswish, laplace");
  CHECK(message_of([] {
          describe(small_config("\"eos_token_id\": 2", "\"eos_token_id\": 11"));
        }).rfind("config.json: eos_token_id is 11, expected a whole number", 0) == 0);
  CHECK(message_of([] {
          describe(small_config("\"nhead\"", "\"window\": 4, \"nhead\""));
        }).rfind("config.json: unknown field \"window\" with value 4;", 0) == 0);
  CHECK(message_of([] {
          describe(small_config("\"num_encoder_layers\": 2", "\"num_encoder_layers\": 99999999"));
        }).rfind("config.json: num_encoder_layers is 99999999, expected a whole number from 0 to", 0) == 0);
}

TEST_CASE("generation and windows of Llama end where its positions are stretched to, its texts nowhere") {
  const auto longest = [](const std::string& fields) {
    const ModelDescription model =
        describe(R"({"model_type": "llama", "max_position_embeddings": 4096, )" + fields + "}");
    CHECK(model.max_positions > 1000000);
    return model.window();
  };
  CHECK(longest(R"("rope_theta": 10000.0)") == 4096);
  // lmsys/vicuna-7b-v1.5-16k
  CHECK(longest(R"("max_sequence_length": 16384, "rope_scaling": {"factor": 4.0, "type": "linear"})") == 16384);
  CHECK(longest(R"("rope_scaling": {"rope_type": "dynamic", "factor": 2.0})") == 8192);
  CHECK(longest(R"("rope_scaling": {"rope_type": "yarn", "factor": 8.0})") == 32768);
  const std::string of_1024 = R"("factor": 2.0, "original_max_position_embeddings": 1024})";
  CHECK(longest(R"("rope_scaling": {"rope_type": "yarn", )" + of_1024) == 4096);
  CHECK(longest(R"("rope_scaling": {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0, )" +
                of_1024) == 4096);
}

TEST_CASE("description: fields that are missing are as transformers' configuration classes have them") {
  struct Expected {
    const char* type;
    std::size_t width, layers, heads, hidden_width, vocabulary, positions;
    Activation activation;
    double epsilon;
  };
  // printed by transformers 5.23 of BertConfig() and so on
  const Expected all[] = {{"bert", 768, 12, 12, 3072, 30522, 512, Activation::gelu, 1e-12},
                          {"roberta", 768, 12, 12, 3072, 50265, 510, Activation::gelu, 1e-12},
                          {"distilbert", 768, 6, 12, 3072, 30522, 512, Activation::gelu, 1e-12},
                          {"gpt2", 768, 12, 12, 3072, 50257, 1024, Activation::gelu_tanh, 1e-5},
                          {"llama", 4096, 32, 32, 11008, 32000, 0, Activation::silu, 1e-6},
                          {"t5", 512, 6, 8, 2048, 32128, 0, Activation::relu, 1e-6},
                          {"bart", 1024, 12, 16, 4096, 50265, 1024, Activation::gelu, 1e-5},
                          {"xlnet", 1024, 24, 16, 4096, 32000, 0, Activation::gelu, 1e-12},
                          {"vit", 768, 12, 12, 3072, 0, 197, Activation::gelu, 1e-12},
                          {"timesformer", 768, 12, 12, 3072, 0, 1569, Activation::gelu, 1e-6}};
  for (const Expected& expected : all) {
    CAPTURE(expected.type);
    const ModelDescription model = describe("{\"model_type\": \"" + std::string(expected.type) + "\"}");
    const StackDescription& stack = model.encoder ? *model.encoder : *model.decoder;
    const InputDescription& input = model.source ? *model.source : *model.target;
    CHECK(model.width == expected.width);
    CHECK(stack.layers == expected.layers);
    CHECK(stack.block.self_attention.heads == expected.heads);
    CHECK(stack.block.hidden_width == expected.hidden_width);
    CHECK(input.vocabulary == expected.vocabulary);
    if (expected.positions > 0) CHECK(model.max_positions == expected.positions);
    CHECK(stack.block.activation == expected.activation);
    CHECK(stack.block.norm.epsilon == expected.epsilon);
  }
  const SpecialTokens bart = describe(R"({"model_type": "bart"})").tokens;
  CHECK(bart.padding == 1);
  CHECK(bart.start == 2);
  CHECK(bart.end == Tokens{2});
  CHECK(bart.forced_last == Tokens{2});
  CHECK(describe(R"({"model_type": "gpt2"})").tokens.end == Tokens{50256});
  CHECK(describe(R"({"model_type": "gpt2", "vocab_size": 60})").tokens.end.empty());
  CHECK(describe(R"({"model_type": "gpt2", "eos_token_id": null})").tokens.end.empty());
  CHECK(describe(R"({"model_type": "xlnet"})").encoder->two_streams->remembered == 512);
  CHECK(describe(R"({"model_type": "xlnet", "mem_len": null})").encoder->two_streams->remembered == 0);
  CHECK_THROWS(describe(R"({"model_type": "gpt2", "n_layer": null})"));
}

TEST_CASE("model: weights that do not fit the configuration are found before anything is computed") {
  const ModelDescription description = describe(small_config());
  const auto load = [&](TensorMap weights) { Model model(description, weights, DType::f32); };
  CHECK_NOTHROW(load(random_weights(description)));
  for (const TensorInfo& tensor : tensor_table(description))
    CHECK(message_of([&] { load(random_weights(description, tensor.name)); }).find("lack the tensor " + tensor.name) !=
          std::string::npos);

  TensorMap misshapen = random_weights(description, "transformer.encoder.norm.bias");
  misshapen.add("transformer.encoder.norm.bias", Tensor::zeros(DType::f32, {9}).view());
  CHECK(message_of([&] { load(misshapen); }).find("has shape (9,), expected (8,)") != std::string::npos);

  TensorMap extra = random_weights(description);
  extra.add("transformer.encoder.layers.2.norm1.weight", Tensor::zeros(DType::f32, {8}).view());
  CHECK(message_of([&] { load(extra); }).find("layers.2.norm1.weight: has no place in the model") != std::string::npos);

  TensorMap integers = random_weights(description, "embedding.weight");
  integers.add("embedding.weight", Tensor::zeros(DType::i32, {11, 8}).view());
  CHECK(message_of([&] { load(integers); }).find("has dtype i32, expected floats") != std::string::npos);
}

TEST_CASE("model: ids beyond the table and sequences beyond the positions are refused") {
  const ModelDescription description = describe(small_config());
  TensorMap weights = random_weights(description);
  const Model model(description, weights, DType::f32);
  CHECK(message_of([&] { model.encode(padded_batch({{3, 11}}, 0)); }).find("is id 11") != std::string::npos);
  CHECK(message_of([&] {
          model.encode(padded_batch({Tokens(17, 3)}, 0));
        }).find("17 tokens, the model has 16 positions") != std::string::npos);
}
