// The gradients of whole models against PyTorch's, every parameter within 1e-10 in double, and short trainings.
//
// models/NAME below tests/conformance/gradients: config.json, model.safetensors (f32) and gradients.h5, computed for
// this project with PyTorch and transformers 5.24 in f64; `in` is the batch with labels, `out` loss and logits,
// `grad` the gradients by name; trajectory.h5 has the losses of 30 steps, and for two models the last parameters.

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/io/input.hpp>
#include <attn/json/node.hpp>
#include <attn/transformer/checkpoint.hpp>
#include <attn/transformer/training.hpp>
#include <attn/transformer/training_text.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <string>

namespace attn {
namespace {

struct Known {
  std::string name;
  double rate = 0;  ///< of the steps of trajectory.h5
};

const Known models[] = {{"transformer-post-norm-tied", 0.05},
                        {"bert-classify", 0.05},
                        {"bert-masked-lm", 0.05},
                        {"roberta-tokens", 0.05},
                        {"t5", 0.02},
                        {"bart", 0.05},
                        {"gpt2", 0.1},
                        {"llama", 0.1},
                        {"vit-classify", 0.05},
                        {"qwen3"},
                        {"gemma3"},
                        {"modernbert"}};

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

/// A model of the folder with the batch that it learns from.
struct Case {
  ModelDescription description;
  std::unique_ptr<Source> weights, expected;
  TrainingBatch batch;
  LossParameters loss;
};

Case case_of(const std::string& name, const std::string& file) {
  const std::string folder = std::string(ATTN_GRADIENTS) + "/" + name;
  std::ifstream config(folder + "/config.json");
  const std::string text{std::istreambuf_iterator<char>(config), {}};
  Case found{describe_model(Settings(text, "config.json")),
             io::open_source(folder + "/model.safetensors"),
             io::open_source(folder + "/" + file),
             {},
             {}};
  const auto inputs = io::open_source(folder + "/gradients.h5");
  const auto input = [&](const char* tensor) -> std::optional<TensorView> {
    const std::string path = std::string("in/") + tensor;
    return inputs->find(path) == nullptr ? std::nullopt : std::optional(inputs->read(path));
  };
  TrainingBatch& batch = found.batch;
  const bool sees = input("pixel_values").has_value();
  batch.source.ids = sees ? *input("pixel_values") : *input("input_ids");
  batch.source.padding_mask = input("attention_mask");
  if (!sees && !batch.source.padding_mask)
    batch.source.padding_mask = padding_mask_of(batch.source.ids, found.description.tokens.padding);
  batch.source.types = input("token_type_ids");
  if (const auto ids = input("decoder_input_ids")) batch.target = TokenBatch{*ids};
  batch.labels = *input("labels");
  if (!found.description.encoder) batch.labels = shifted(batch.labels);
  if (found.description.model_type == "transformer") found.loss.label_smoothing = 0.1;
  return found;
}

/// The lines of a batch, in any order and number.
TrainingBatch lines_of(const TrainingBatch& batch, const std::vector<std::size_t>& lines) {
  const auto part = [&](const TensorView& x) { return contiguous(rows_of(x, lines)); };
  TrainingBatch some{{part(batch.source.ids)}, std::nullopt, part(batch.labels)};
  if (batch.source.padding_mask) some.source.padding_mask = part(*batch.source.padding_mask);
  if (batch.source.types) some.source.types = part(*batch.source.types);
  if (batch.target) some.target = TokenBatch{part(batch.target->ids)};
  return some;
}

void check_gradients(Source& expected, const std::map<std::string, TensorView>& gradients) {
  // Where the true gradient is 0, the scale is that of the others.
  double scale = 0;
  std::size_t compared = 0;
  for (const TensorInfo& info : expected.tensors())
    if (info.name.rfind("grad/", 0) == 0) scale = std::max(scale, largest(expected.read(info.name)));
  for (const TensorInfo& info : expected.tensors()) {
    if (info.name.rfind("grad/", 0) != 0) continue;
    const std::string parameter = info.name.substr(5);
    CAPTURE(parameter);
    REQUIRE(gradients.count(parameter) == 1);
    const TensorView truth = expected.read(info.name);
    CHECK(largest_difference(gradients.at(parameter), truth) <= 1e-10 * std::max(largest(truth), 1e-3 * scale));
    ++compared;
  }
  CHECK(compared > 20);
}

void check_batch(const std::string& name, Engine engine) {
  CAPTURE(name);
  const Case given = case_of(name, "gradients.h5");
  const auto& [description, weights, expected, batch, parameters] = given;

  const Model model(description, *weights, DType::f64);
  ParameterGradients gradients(*weights, DType::f64);
  Execution execution;
  execution.engine = engine;
  const TrainingResult result = backward(model, batch, parameters, gradients, execution);
  CHECK(largest_difference(result.logits, expected->read("out/logits")) < 1e-11);
  CHECK(to_scalar(result.loss) == doctest::Approx(to_scalar(expected->read("out/loss"))).epsilon(1e-12));
  check_gradients(*expected, gradients.tensors());
}

TEST_CASE("gradients of whole models") {
  for (const auto& [name, rate] : models) {
    check_batch(name, Engine::automatic);
    check_batch(name, Engine::reference);
  }
}

TEST_CASE("lines many times over, in batches of any size, have the mean gradient of the lines") {
  for (const auto& [name, rate] : models) {
    CAPTURE(name);
    const Case given = case_of(name, "gradients.h5");
    ModelDescription description = given.description;
    const Weights weights = checked_weights(description, *given.weights);
    TrainerParameters parameters;
    parameters.loss = given.loss;
    Trainer trainer(description, weights, parameters, DType::f64);
    const std::size_t lines = given.batch.labels.shape[0], times = std::max<std::size_t>(4, 65 / lines + 1);
    for (const std::size_t size : {1, 15, 16, 17, 33, 64}) {
      CAPTURE(size);
      std::map<std::string, TensorView> mean;
      double loss = 0, labels = 0;
      for (std::size_t first = 0; first < lines * times; first += size) {
        std::vector<std::size_t> some;
        for (std::size_t i = first; i < std::min(first + size, lines * times); ++i) some.push_back(i % lines);
        const TrainingBatch batch = lines_of(given.batch, some);
        Trainer::LeafGradients leaves = trainer.differentiate(batch);
        const std::vector<std::int64_t> all = to_integers(batch.labels);
        const auto count =
            static_cast<double>(all.size()) - static_cast<double>(std::count(all.begin(), all.end(), -100));
        const double share = count / (labels + count);
        labels += count;
        loss += share * (std::accumulate(leaves.losses.begin(), leaves.losses.end(), 0.0) - loss);
        for (const auto& [parameter, gradient] : root_of(std::move(leaves.nodes)).tensors()) {
          Tensor next(DType::f64, gradient.shape);
          const double* const from = gradient.contiguous_data<double>();
          const double* const before = mean.count(parameter) > 0 ? mean[parameter].contiguous_data<double>() : from;
          for (std::size_t i = 0; i < next.size(); ++i)
            next.data_as<double>()[i] = before[i] + share * (from[i] - before[i]);
          mean[parameter] = next.view();
        }
      }
      CHECK(loss == doctest::Approx(to_scalar(given.expected->read("out/loss"))).epsilon(1e-12));
      check_gradients(*given.expected, mean);
    }
  }
}

TEST_CASE("a parameter that learns alone has the gradient that it has among all") {
  for (const auto& [name, rate] : models) {
    CAPTURE(name);
    const Case given = case_of(name, "gradients.h5");
    const Model model(given.description, *given.weights, DType::f64);
    ParameterGradients all(*given.weights, DType::f64);
    backward(model, given.batch, given.loss, all);
    for (const auto& [parameter, gradient] : all.tensors()) {
      CAPTURE(parameter);
      ParameterGradients one(*given.weights, DType::f64, {parameter});
      backward(model, given.batch, given.loss, one);
      REQUIRE(one.tensors().size() == 1);
      CHECK(largest_difference(one.tensors().at(parameter), gradient) == 0);
    }
  }
}

/// The losses of 30 steps on batches of two rows, round and round, within `tolerance`.
Trainer trained(const Case& given, const TrainerParameters& parameters, DType dtype, const std::string& losses,
                double tolerance) {
  ModelDescription description = given.description;
  const Weights weights = checked_weights(description, *given.weights);
  Trainer trainer(description, weights, parameters, dtype);
  const TensorView truth = given.expected->read(losses);
  const std::size_t batches = given.batch.labels.shape[0] / 2;
  for (std::size_t step = 0; step < 30; ++step) {
    CAPTURE(step);
    const double expected = truth.contiguous_data<double>()[step];
    const std::size_t first = step % batches * 2;
    const double loss = trainer(lines_of(given.batch, {first, first + 1})).loss;
    CHECK(std::abs(loss - expected) <= tolerance * expected);
  }
  return trainer;
}

TEST_CASE("trajectories of gradient descent and AdamW") {
  for (const auto& [name, rate] : models) {
    if (rate == 0) continue;
    CAPTURE(name);
    const Case given = case_of(name, "trajectory.h5");
    TrainerParameters descent;
    descent.loss = given.loss;
    descent.optimizer.kind = OptimizerKind::sgd;
    descent.optimizer.learning_rate = rate;
    trained(given, descent, DType::f32, "sgd/loss", 1e-4);
    const Trainer trainer = trained(given, descent, DType::f64, "sgd/loss", 1e-10);
    for (const TensorInfo& info : given.expected->tensors()) {
      if (info.name.rfind("sgd/parameters/", 0) != 0) continue;
      CAPTURE(info.name);
      const TensorView truth = given.expected->read(info.name);
      CHECK(largest_difference(trainer.parameters().at(info.name.substr(15)), truth) <= 1e-9 * largest(truth));
    }
    TrainerParameters adam;
    adam.loss = given.loss;
    adam.optimizer.learning_rate = 0.004;
    adam.optimizer.beta2 = 0.98;
    adam.optimizer.weight_decay = 0.01;
    adam.clip_norm = 1;
    adam.schedule = {ScheduleKind::linear, 5, 30};
    trained(given, adam, DType::f64, "adamw/loss", 1e-8);
    trained(given, adam, DType::f32, "adamw/loss", 1e-4);
  }
}

TEST_CASE("a batch learns in leaves of lines, with the same bits for any number of threads, and with dropout") {
  const Case given = case_of("transformer-post-norm-tied", "trajectory.h5");
  std::vector<std::size_t> lines;
  for (std::size_t i = 0; i < 50; ++i) lines.push_back(i * 7 % given.batch.labels.shape[0]);
  TrainingBatch batch = lines_of(given.batch, lines);

  TrainerParameters parameters;
  parameters.loss = given.loss;
  parameters.clip_norm = 0.1;
  parameters.dropout = {0.1, 3};
  ModelDescription description = given.description;
  const Weights weights = checked_weights(description, *given.weights);
  Trainer alone(description, weights, parameters, DType::f64), together(description, weights, parameters, DType::f64);
  const Trainer::Step step = alone(batch);
  ThreadPool pool(3);
  Execution threads;
  threads.pool = &pool;
  CHECK(together(batch, threads).loss == step.loss);
  for (const TensorInfo& info : alone.parameters().tensors()) {
    CAPTURE(info.name);
    CHECK(largest_difference(alone.parameters().at(info.name), together.parameters().at(info.name)) == 0);
  }

  const Model model(description, *given.weights, DType::f64);
  ParameterGradients gradients(*given.weights, DType::f64);
  batch.dropout = parameters.dropout.below(0);
  const TrainingResult whole = backward(model, batch, given.loss, gradients);
  std::vector<TensorView> all;
  for (const auto& [name, gradient] : gradients.tensors()) all.push_back(gradient);
  CHECK(step.loss == doctest::Approx(to_scalar(whole.loss)).epsilon(1e-13));
  CHECK(step.gradient_norm == doctest::Approx(norm_of(all)).epsilon(1e-12));
}

/// sum of a * b.
double dot(const TensorView& a, const TensorView& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a.contiguous_data<double>()[i] * b.contiguous_data<double>()[i];
  return sum;
}

TEST_CASE("dropout keeps the mean, and the gradients are those of the loss with the same elements dropped") {
  Tensor ones(DType::f64, {200, 50});
  std::fill_n(ones.data_as<double>(), ones.size(), 1.0);
  const Dropout some{0.3, 5};
  const TensorView y = some(ones.view());
  const double* const first = y.contiguous_data<double>();
  const auto dropped = static_cast<double>(std::count(first, first + y.size(), 0.0));
  CHECK(std::abs(dropped / 10000 - 0.3) < 0.02);  // four standard deviations
  CHECK(*std::max_element(first, first + y.size()) == 1 / 0.7);
  CHECK(largest_difference(Dropout{0.3, 5, 120}(rows_of(ones.view(), {0})), rows_of(y, {120})) == 0);
  CHECK(largest_difference(some.below(1)(ones.view()), y) > 1);

  for (const auto& [name, rate] : models) {
    CAPTURE(name);
    Case given = case_of(name, "gradients.h5");
    given.batch.dropout = some;
    // theta + e u along a random direction u.
    const double e = 1e-5;
    TensorMap up("up"), down("down");
    std::vector<std::pair<std::string, TensorView>> direction;
    std::uint64_t state = 1;
    for (const TensorInfo& info : given.weights->tensors()) {
      const TensorView theta = cast(given.weights->read(info.name), DType::f64);
      Tensor u(DType::f64, theta.shape), plus(DType::f64, theta.shape), minus(DType::f64, theta.shape);
      for (std::size_t i = 0; i < theta.size(); ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        u.data_as<double>()[i] = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
        plus.data_as<double>()[i] = theta.contiguous_data<double>()[i] + e * u.data_as<double>()[i];
        minus.data_as<double>()[i] = theta.contiguous_data<double>()[i] - e * u.data_as<double>()[i];
      }
      direction.emplace_back(info.name, u.view());
      up.add(info.name, plus.view());
      down.add(info.name, minus.view());
    }
    const auto loss_at = [&](TensorMap& weights) {
      const Model model(given.description, weights, DType::f64);
      ParameterGradients ignored(weights, DType::f64);
      return to_scalar(backward(model, given.batch, given.loss, ignored).loss);
    };
    const Model model(given.description, *given.weights, DType::f64);
    ParameterGradients gradients(*given.weights, DType::f64);
    backward(model, given.batch, given.loss, gradients);
    const auto all = gradients.tensors();
    double slope = 0;
    for (const auto& [parameter, u] : direction)
      if (all.count(parameter) > 0) slope += dot(all.at(parameter), u);
    CHECK((loss_at(up) - loss_at(down)) / (2 * e) == doctest::Approx(slope).epsilon(1e-6));
  }
}

TEST_CASE("initial parameters of T5 have the deviations that transformers gives them") {
  const Case given = case_of("t5", "gradients.h5");
  const double factor = 0.5;  // initializer_factor
  const TensorMap all = initial_parameters(given.description, factor, 5);
  const auto deviation = [&](const char* name) {
    const TensorView x = cast(all.at(name), DType::f64);
    return std::sqrt(dot(x, x) / static_cast<double>(x.size())) / factor;
  };
  const auto width = static_cast<double>(given.description.width);
  const BlockDescription& block = given.description.encoder->block;
  const auto head_width = static_cast<double>(block.head_width),
             heads = static_cast<double>(block.self_attention.heads);
  CHECK(deviation("shared.weight") == doctest::Approx(1).epsilon(0.1));
  CHECK(deviation("encoder.block.0.layer.0.SelfAttention.k.weight") ==
        doctest::Approx(1 / std::sqrt(width)).epsilon(0.2));
  CHECK(deviation("encoder.block.0.layer.0.SelfAttention.q.weight") ==
        doctest::Approx(1 / std::sqrt(width * head_width)).epsilon(0.2));
  CHECK(deviation("decoder.block.0.layer.1.EncDecAttention.o.weight") ==
        doctest::Approx(1 / std::sqrt(heads * head_width)).epsilon(0.2));
  CHECK(deviation("encoder.final_layer_norm.weight") == 1);
}

TEST_CASE("learning rates") {
  const LearningSchedule cosine{ScheduleKind::cosine, 5, 30}, root{ScheduleKind::inverse_sqrt, 5, 30};
  CHECK(cosine.factor(0) == doctest::Approx(0.2));
  CHECK(cosine.factor(5) == doctest::Approx(1));
  CHECK(cosine.factor(6) == doctest::Approx(0.99605735));  // transformers 5.24
  CHECK(cosine.factor(29) == doctest::Approx(0.00394265));
  CHECK(root.factor(5) == doctest::Approx(1));
  CHECK(root.factor(6) == doctest::Approx(0.91287093));
}

/// The targets of a line for a model with the labels A, B and C, and a tokenizer of one model and one way to split.
std::vector<std::int64_t> targets_of(const std::string& line, const std::string& splitter, const std::string& model) {
  const text::Tokenizer tokenizer = text::tokenizer_from_json(
      R"({"added_tokens": [{"id": 0, "content": "[UNK]", "special": true}, {"id": 1, "content": "[CLS]", "special": true},
          {"id": 2, "content": "[SEP]", "special": true}], "normalizer": null, "decoder": null, "post_processor":
          {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]}, "pre_tokenizer": )" +
      splitter + R"(, "model": )" + model + "}");
  const ModelDescription description = describe_model(
      Settings(R"({"model_type": "bert", "architectures": ["BertForTokenClassification"], "vocab_size": 12,
                   "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 4,
                   "max_position_embeddings": 16, "id2label": {"0": "A", "1": "B", "2": "C"}})",
               "config.json"));
  return TrainingText(description, tokenizer).read(line).target;
}

TEST_CASE("the first token of a word has its label") {
  const std::string pieces = R"({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "Jim": 3, "play": 4, "##s": 5,
    ",": 6, "well": 7}})";
  const std::string words = R"({"type": "WordLevel", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2,
    "\u2581Jim": 3, "\u2581plays,": 4, "\u2581": 5, "\u2581well": 6}})";
  const std::string bert = R"({"type": "BertPreTokenizer"})";
  const std::string spaces = R"({"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"})";
  using Targets = std::vector<std::int64_t>;
  CHECK(targets_of("Jim plays, well\tA B C", bert, pieces) == Targets{-100, 0, 1, -100, -100, 2, -100});
  CHECK(targets_of("  Jim  plays,\tC 1", bert, pieces) == Targets{-100, 2, 1, -100, -100, -100});
  CHECK(targets_of("Jim plays, well\tA B C", spaces, words) == Targets{-100, 0, 1, 2, -100});
  CHECK(targets_of("Jim  well \tA C", spaces, words) == Targets{-100, 0, -100, 2, -100, -100});
  CHECK_THROWS_AS(targets_of("Jim plays\tA", bert, pieces), Error);
  CHECK_THROWS_AS(targets_of("Jim\tD", bert, pieces), Error);
}

TEST_CASE("an epoch has each line once, in batches of like length") {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < 1000; ++i) lengths.push_back(i * 37 % 101);
  const auto batches = batches_of_epoch(lengths, 16, 3, 2);
  CHECK(batches.size() == 63);
  std::vector<bool> seen(lengths.size());
  std::size_t spread = 0;
  for (const auto& batch : batches) {
    for (const std::size_t row : batch) {
      CHECK(!seen[row]);
      seen[row] = true;
    }
    spread = std::max(spread, lengths[batch.back()] - lengths[batch.front()]);
  }
  CHECK(std::count(seen.begin(), seen.end(), true) == 1000);
  CHECK(spread < 5);
  CHECK(batches == batches_of_epoch(lengths, 16, 3, 2));
  CHECK(batches != batches_of_epoch(lengths, 16, 3, 3));
}

}  // namespace
}  // namespace attn
