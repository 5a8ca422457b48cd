// The gradients of whole models against PyTorch's: every parameter within 1e-10 in double.
//
// models/NAME below tests/conformance/gradients: config.json, model.safetensors (f32) and gradients.h5, computed for
// this project with PyTorch 2.9.1 and transformers 5.24 in f64; `in` is the batch with labels, `out` loss and logits,
// `grad` the gradients by name.

#include <attn/io/input.hpp>
#include <attn/json/node.hpp>
#include <attn/transformer/training.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

namespace attn {
namespace {

double largest(const TensorView& x) {
  const TensorView wide = cast(x, DType::f64);
  const double* const first = wide.contiguous_data<double>();
  double top = 0;
  for (std::size_t i = 0; i < wide.size(); ++i) top = std::max(top, std::abs(first[i]));
  return top;
}

double largest_difference(const TensorView& a, const TensorView& b) {
  REQUIRE(a.shape == b.shape);
  const TensorView x = cast(a, DType::f64), y = cast(b, DType::f64);
  double top = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    top = std::max(top, std::abs(x.contiguous_data<double>()[i] - y.contiguous_data<double>()[i]));
  return top;
}

/// Labels of the next token, as logits are compared with: -100 behind the last one.
TensorView shifted(const TensorView& labels) {
  const std::vector<std::int64_t> from = to_integers(labels);
  const std::size_t length = labels.shape[1];
  Tensor to(DType::i64, labels.shape);
  for (std::size_t i = 0; i < from.size(); ++i)
    to.data_as<std::int64_t>()[i] = i % length + 1 < length ? from[i + 1] : -100;
  return to.view(labels.name);
}

void check_gradients(const std::string& name, Engine engine) {
  CAPTURE(name);
  const std::string folder = std::string(ATTN_GRADIENTS) + "/" + name;
  std::ifstream config(folder + "/config.json");
  const std::string text{std::istreambuf_iterator<char>(config), {}};
  const ModelDescription description = describe_model(Settings(text, "config.json"));
  const auto weights = io::open_source(folder + "/model.safetensors"),
             expected = io::open_source(folder + "/gradients.h5");
  const auto input = [&](const char* tensor) -> std::optional<TensorView> {
    const std::string path = std::string("in/") + tensor;
    return expected->find(path) == nullptr ? std::nullopt : std::optional(expected->read(path));
  };

  TrainingBatch batch;
  const bool sees = input("pixel_values").has_value();
  batch.source.ids = sees ? *input("pixel_values") : *input("input_ids");
  batch.source.padding_mask = input("attention_mask");
  if (!sees && !batch.source.padding_mask)
    batch.source.padding_mask = padding_mask_of(batch.source.ids, description.tokens.padding);
  batch.source.types = input("token_type_ids");
  if (const auto ids = input("decoder_input_ids")) batch.target = TokenBatch{*ids};
  batch.labels = *input("labels");
  if (!description.encoder) batch.labels = shifted(batch.labels);
  LossParameters parameters;
  if (description.model_type == "transformer") parameters.label_smoothing = 0.1;

  const Model model(description, *weights, DType::f64);
  ParameterGradients gradients(*weights, DType::f64);
  Execution execution;
  execution.engine = engine;
  const TrainingResult result = backward(model, batch, parameters, gradients, execution);
  CHECK(largest_difference(result.logits, expected->read("out/logits")) < 1e-11);
  CHECK(to_scalar(result.loss) == doctest::Approx(to_scalar(expected->read("out/loss"))).epsilon(1e-12));

  // Where the true gradient is 0, the scale is that of the others.
  const auto all = gradients.tensors();
  double scale = 0;
  std::size_t compared = 0;
  for (const TensorInfo& info : expected->tensors())
    if (info.name.rfind("grad/", 0) == 0) scale = std::max(scale, largest(expected->read(info.name)));
  for (const TensorInfo& info : expected->tensors()) {
    if (info.name.rfind("grad/", 0) != 0) continue;
    const std::string parameter = info.name.substr(5);
    CAPTURE(parameter);
    REQUIRE(all.count(parameter) == 1);
    const TensorView truth = expected->read(info.name);
    CHECK(largest_difference(all.at(parameter), truth) <= 1e-10 * std::max(largest(truth), 1e-3 * scale));
    ++compared;
  }
  CHECK(compared > 20);
}

TEST_CASE("gradients of whole models") {
  for (const char* name : {"transformer-post-norm-tied", "bert-classify", "t5", "gpt2", "vit-classify"}) {
    check_gradients(name, Engine::automatic);
    check_gradients(name, Engine::reference);
  }
}

}  // namespace
}  // namespace attn
