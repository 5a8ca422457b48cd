#include <attn/api/model.hpp>

#include <attn/core/export.hpp>
#include <attn/io/input.hpp>
#include <attn/models/model_folder.hpp>
#include <attn/transformer/generation_config.hpp>
#include <attn/transformer/inference.hpp>

#include <algorithm>

namespace ATTN_API attn {

struct LoadedModel::State {
  OpenedModel opened;
  Model model;
  std::optional<text::Tokenizer> tokenizer;  ///< none: the folder holds none
  Execution execution;

  bool generates() const { return model.description().task == Task::generate; }
};

namespace {

OpenedModel opened_for(const std::string& folder, const std::string& task) {
  OpenedModel opened(folder, task);
  if (opened.description.task == Task::generate) opened.read_generation();
  return opened;
}

std::optional<text::Tokenizer> tokenizer_of(const OpenedModel& opened) {
  try {
    return opened.tokenizer();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return std::nullopt;
  }
}

}  // namespace

LoadedModel::LoadedModel(std::shared_ptr<const State> state) : state_(std::move(state)) {}

LoadedModel load(const std::string& folder, const LoadParameters& parameters) {
  OpenedModel opened = opened_for(folder, parameters.task);
  Model model = opened.load(parameters.dtype);
  std::optional<text::Tokenizer> tokenizer = tokenizer_of(opened);
  return LoadedModel(std::make_shared<const LoadedModel::State>(
      LoadedModel::State{std::move(opened), std::move(model), std::move(tokenizer), parameters.execution}));
}

xt::xtensor<std::int64_t, 2> LoadedModel::encode(const std::vector<std::string>& texts) const {
  std::vector<std::vector<std::int64_t>> rows;
  for (const std::string& text : texts)
    rows.push_back(tokens_of(text, model().description(), tokenizer(), std::nullopt).ids);
  return to_xtensor<std::int64_t, 2>(padded_batch(rows, model().description().tokens.padding.value_or(0)).ids);
}

std::string LoadedModel::decode(const std::vector<std::int64_t>& ids) const { return tokenizer().decode(ids); }

TensorView LoadedModel::logits_of(const TensorView& ids, const std::optional<TensorView>& decoder_ids) const {
  const ModelDescription& description = model().description();
  const bool takes_two = description.encoder && description.decoder && !description.decoder_reads_source;
  if (takes_two && !decoder_ids) throw Error(ErrorKind::usage, "decoder ids", "are missing: the model has a decoder");
  if (!takes_two && decoder_ids)
    throw Error(ErrorKind::usage, "decoder ids", "are not read: the model takes one sequence");
  if (!description.head) throw Error(ErrorKind::usage, state_->opened.folder.path(), "has no head that makes logits");
  TokenBatch source{ids};
  if (!state_->opened.sees()) source.padding_mask = padding_mask_of(ids, description.tokens.padding);
  const std::optional<TensorView> target = description.encoder ? decoder_ids : ids;
  InferenceRequest request;
  request.logits = true;
  return infer(model(), source, target, {}, request, state_->execution).head.value();
}

TensorView LoadedModel::vectors_of(const std::vector<std::string>& texts,
                                   const std::optional<TextTaskParameters>& parameters) const {
  if (model().description().task != Task::embed)
    throw Error(ErrorKind::usage, state_->opened.folder.path(), "has a head of its own",
                "load it with the task feature-extraction");
  const auto found =
      perform(model(), tokenizer(), texts, parameters ? *parameters : text_parameters(), state_->execution);
  std::size_t width = model().description().width;
  for (const LinePredictions& line : found)
    if (!line.vector.empty()) width = line.vector.size();
  Tensor vectors(DType::f64, {texts.size(), width});
  auto* row = vectors.data_as<double>();
  for (const LinePredictions& line : found) {
    if (line.error) throw Error(*line.error);
    if (line.vector.size() != width) throw Error(ErrorKind::data, "text", "is empty, which has no vector");
    row = std::copy(line.vector.begin(), line.vector.end(), row);
  }
  return vectors.view("vectors");
}

std::vector<std::string> LoadedModel::generate(const std::vector<std::string>& texts,
                                               const std::optional<TextGenerationParameters>& parameters) const {
  const TextGenerationParameters given = parameters ? *parameters : generation_parameters();
  validate(given.generation);
  std::vector<std::string> answers;
  for (const LineAnswers& line : TextGenerator(model(), tokenizer())(texts, given, state_->execution)) {
    if (line.error) throw Error(*line.error);
    for (const Answer& answer : line.answers) answers.push_back(answer.text);
  }
  return answers;
}

TextGenerationParameters LoadedModel::generation_parameters() const {
  if (!state_->generates())
    throw Error(ErrorKind::usage, state_->opened.folder.path(), "generates nothing",
                "load it with the task text-generation");
  TextGenerationParameters parameters;
  parameters.generation = without_idle(state_->opened.generation, state_->opened.generation);
  parameters.generation.end_tokens = model().description().tokens.end;
  return parameters;
}

TextTaskParameters LoadedModel::text_parameters(const std::string& prompt) const {
  return state_->opened.text_parameters(model().dtype(), std::nullopt, prompt);
}

const Model& LoadedModel::model() const noexcept { return state_->model; }

const text::Tokenizer& LoadedModel::tokenizer() const {
  if (!state_->tokenizer) throw Error(ErrorKind::input, state_->opened.folder.path(), "has no tokenizer");
  return *state_->tokenizer;
}

TensorView read_tensor(const std::string& operand) {
  io::Inputs inputs;
  return inputs.read(io::parse_operand(operand), {"y", "x"});
}

}  // namespace attn
