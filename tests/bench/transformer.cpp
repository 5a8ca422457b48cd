// The base model of "Attention Is All You Need" (6 + 6 layers, 512, 8 heads, 2048) with random weights: encoding
// against the multiply-add peak, decoding with a key-value cache against the bandwidth that reading the weights needs.
//
//     bench-transformer [--threads N] [--isa NAME] [--by-line] [CONFIG.json] [FILTER]
//
// With a config.json it is that model: 16 lines of 128 tokens, or 8 pictures, and decoding where it has a decoder.

#include "measure.hpp"

#include <attn/core/source_sink.hpp>
#include <attn/transformer/decoding/generate.hpp>
#include <attn/transformer/stages.hpp>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace attn;

constexpr const char* base_config = R"({"model_type": "transformer", "d_model": 512, "nhead": 8,
    "num_encoder_layers": 6, "num_decoder_layers": 6, "dim_feedforward": 2048, "layer_norm_eps": 1e-5,
    "scale_embedding": true, "position_embedding_type": "sinusoidal", "max_position_embeddings": 1024,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1, "activation": "relu",
    "norm_first": false, "tie_word_embeddings": true, "vocab_size": 37000})";

/// Uniform numbers of the size that keeps activations where they are: 1 / sqrt(inputs).
TensorMap random_weights(const ModelDescription& model) {
  TensorMap weights("random weights");
  std::uint64_t state = 1;
  for (const TensorInfo& info : tensor_table(model)) {
    Tensor x(DType::f32, info.shape);
    auto* values = x.data_as<float>();
    const float scale = 2.0f / std::sqrt(static_cast<float>(info.shape.back()));
    for (std::size_t i = 0, n = x.size(); i < n; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      values[i] = (static_cast<float>(state >> 40) / 16777216.0f - 0.5f) * scale;
    }
    weights.add(info.name, x.view());
  }
  return weights;
}

std::vector<std::vector<std::int64_t>> sequences(std::size_t rows, std::size_t length) {
  std::vector<std::vector<std::int64_t>> ids(rows, std::vector<std::int64_t>(length));
  for (std::size_t b = 0; b < rows; ++b)
    for (std::size_t i = 0; i < length; ++i) ids[b][i] = static_cast<std::int64_t>(3 + (b * 131 + i * 17) % 36000);
  return ids;
}

std::size_t flops_per_token(const ModelDescription& model, const Weights& weights, const char* place) {
  std::size_t flops = 0;
  for (const StageSummary& stage : summarize(model, weights))
    if (stage.name.rfind(place, 0) == 0) flops += stage.flops;
  return flops;
}

/// The configuration that an argument names, or the base model's.
Settings config_of(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (const std::string path = argv[i]; path.size() > 5 && path.compare(path.size() - 5, 5, ".json") == 0) {
      std::ifstream file(path);
      return {std::string(std::istreambuf_iterator<char>(file), {}), path};
    }
  return {base_config, "base"};
}

/// 16 lines of 128 tokens, or 8 pictures.
TokenBatch batch_of(const ModelDescription& description) {
  if (!description.source->pictures) return padded_batch(sequences(16, 128), 0);
  const PictureDescription& p = *description.source->pictures;
  Tensor pixels(DType::f32, {8, p.channels, p.height, p.width});
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels.data_as<float>()[i] = static_cast<float>(i * 7919 % 1024) / 512 - 1;
  return {pixels.view("pixels")};
}

void bench_encoder(const Model& model, const Weights& weights, const bench::Limit& peak,
                   const bench::Arguments& arguments) {
  const ModelDescription& description = model.description();
  const TokenBatch batch = batch_of(description);
  const auto& pictures = description.source->pictures;
  const std::size_t rows = batch.ids.shape[0], length = pictures ? pictures->tokens() : batch.ids.shape[1];
  const double products = static_cast<double>(rows * length * flops_per_token(description, weights, "encoder/"));
  const double attention = static_cast<double>(rows * length * length * attention_flops(*description.encoder));
  const std::string name = "encode " + std::to_string(rows) + " x " + std::to_string(length);
  if (!arguments.selects(name)) return;
  bench::report(
      name, products + attention, [&] { model.encode(batch, arguments.execution); }, peak, "GFLOP/s", 4);
}

void bench_decoder(const Model& model, const Weights& weights, const bench::Limit& peak,
                   const bench::Arguments& arguments) {
  const Execution& execution = arguments.execution;
  const ModelDescription& description = model.description();
  // Each step reads all of the decoder but the maps of the memory's keys and values, which were applied once.
  const StackDescription& decoder = *description.decoder;
  const std::size_t of_memory = description.encoder ? decoder.layers * 4 * description.width * description.width : 0;
  const auto step_flops = static_cast<double>(flops_per_token(description, weights, "decoder/") - of_memory +
                                              flops_per_token(description, weights, "logits"));
  const bench::Limit bandwidth = bench::read_limit(std::size_t{256} << 20, execution);
  std::optional<Memory> memory;
  if (description.encoder) memory = Memory{model.encode(padded_batch(sequences(1, 128), 0), execution), std::nullopt};
  constexpr std::size_t steps = 64;
  const auto decode = [&](std::size_t rows) {
    const auto decoding = make_continuation(model, memory, steps, execution);
    if (rows > 1 && memory) decoding->select(std::vector<std::size_t>(rows, 0));
    for (std::size_t step = 0; step < steps; ++step)
      decoding->advance(std::vector<std::vector<std::int64_t>>(rows, {static_cast<std::int64_t>(3 + step)}));
  };
  // One sequence cannot be faster than its weights are read; beams share them, and multiply them for each.
  for (const std::size_t rows : {std::size_t{1}, std::size_t{16}}) {
    const std::string name = "decode 64 tokens of " + std::to_string(rows) + (rows == 1 ? " sequence" : " beams");
    if (!arguments.selects(name)) continue;
    bench::report(
        name, steps * step_flops / 2 * sizeof(float), [&] { decode(rows); }, bandwidth, "GB/s of weights", 4);
    if (rows > 1)
      bench::report(
          name, steps * step_flops * static_cast<double>(rows), [&] { decode(rows); }, peak, "GFLOP/s", 4);
  }
  // The same with the search itself: log p of the vocabulary, the best of all continuations, caches that follow them.
  GenerationParameters generation;
  generation.beams = 16;
  generation.max_new_tokens = steps;
  if (arguments.selects("search 64 tokens with 16 beams"))
    bench::report(
        "search 64 tokens with 16 beams", steps * step_flops * 16,
        [&] { generate(model, memory, {Prompt{{1}}}, generation, execution); }, peak, "GFLOP/s", 4);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments = bench::parse(argc, argv);
  const Settings config = config_of(argc, argv);
  if (arguments.filter.find(".json") != std::string::npos) arguments.filter.clear();
  const ModelDescription description = describe_model(config);
  TensorMap source = random_weights(description);
  const Model model(description, source, DType::f32);
  const Weights weights(source);
  const bench::Limit peak = bench::fma_limit(arguments.execution.isa, DType::f32, arguments.execution);
  if (description.encoder) bench_encoder(model, weights, peak, arguments);
  if (description.decoder) bench_decoder(model, weights, peak, arguments);
  return arguments.status();
}
