#include "cli/result.hpp"
#include "transformer-run/inputs.hpp"
#include "transformer-run/lines.hpp"
#include "transformer-run/options.hpp"
#include "transformer-run/runs.hpp"

#include <attn/core/error.hpp>
#include <attn/core/source_sink.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>
#include <attn/models/model_folder.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/stages.hpp>

#include <algorithm>
#include <vector>

namespace transformer_run {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

/// The tokens of ids (B, L); an id that the tokenizer lacks becomes its number.
TensorView tokens_of(const TensorView& ids, const attn::text::Tokenizer& tokenizer) {
  attn::Tensor tokens(attn::DType::string, ids.shape);
  auto* token = tokens.data_as<std::string>();
  for (const std::int64_t id : attn::to_integers(ids)) {
    *token++ = tokenizer.has(id) ? tokenizer.token(id) : std::to_string(id);
  }
  return tokens.view("tokens");
}

bool holds_text(const cli::Output& output) {
  using attn::io::Format;
  const auto by_suffix = output.text == "-" ? std::nullopt : attn::io::format_from_path(output.operand.source);
  const Format format = output.options.format.value_or(by_suffix.value_or(Format::hdf5));
  return format == Format::hdf5;
}

/// `tokens` (B, L) of the encoder, or of a model with only a decoder, and `decoder_tokens` (B, T) of the decoder of an
/// encoder-decoder: those that --emit names, and both with attention maps if the folder has a tokenizer and the format
/// holds text.
std::vector<cli::Result> token_labels(const Options& options, const attn::OpenedModel& opened,
                                      const attn::TokenBatch& source, const attn::InferenceResult& result) {
  const bool has_encoder = opened.description.encoder.has_value();
  const bool beside_maps = std::any_of(options.output.emit.begin(), options.output.emit.end(),
                                       [](const auto& name) { return name.find("attentions") != std::string::npos; });
  const auto wants = [&](const char* name) {
    return options.output.wants(name) || (beside_maps && holds_text(options.output));
  };
  if (opened.sees() || (!wants("tokens") && !wants("decoder_tokens"))) return {};
  std::optional<attn::text::Tokenizer> tokenizer;
  try {
    tokenizer = opened.tokenizer();
  } catch (const attn::Error&) {
    if (options.output.wants("tokens") || options.output.wants("decoder_tokens") ||
        !(options.ids.given() || options.decoder_ids.given()))
      throw;
    return {};  // with given ids, a tokenizer is optional
  }
  std::vector<cli::Result> labels;
  if (wants("tokens")) labels.push_back({"tokens", tokens_of(has_encoder ? source.ids : result.fed->ids, *tokenizer)});
  if (wants("decoder_tokens") && has_encoder && result.fed)
    labels.push_back({"decoder_tokens", tokens_of(result.fed->ids, *tokenizer)});
  return labels;
}

/// Captured tensors and results of the run.
struct Run {
  const Options& options;
  const attn::OpenedModel& opened;
  const attn::Model& model;
  cli::Session& session;
  attn::Execution execution;
  bool attention_weights;
  attn::TextVectorParameters vectors;
};

/// Runs the stages --from ... --to, from a trace or from ids.
std::vector<cli::Result> run_some_stages(const Run& run) {
  const Options& o = run.options;
  const auto stages = attn::stages_of(run.model.description());
  const std::size_t first = o.from.empty() ? 0 : attn::find_stage(stages, o.from, "--from");
  const std::size_t results = stages.size() - (run.opened.pools() && o.from != stages.back().name ? 1 : 0);
  const std::size_t last = o.to.empty() ? results - 1 : attn::find_stage(stages, o.to, "--to");
  if (first > last) throw Error(ErrorKind::usage, "--to", o.to + " comes before " + o.from);
  if (o.replay.given()) {
    const cli::Inputs::Group trace = run.session.inputs.open(o.replay);
    return {
        {"", run_stages(run.model, *trace.source, trace.prefix, first, last, run.execution, run.attention_weights)}};
  }
  const bool reaches_decoder = std::any_of(stages.begin(), stages.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                                           [](const attn::ModelStage& stage) { return !stage.in_encoder; });
  const bool has_both = run.opened.description.decoder && run.opened.description.encoder;
  if (reaches_decoder && has_both && !o.decoder_ids.given())
    throw Error(ErrorKind::usage, "--to", o.to + " needs what the decoder reads, as stages generate nothing",
                "give --decoder-ids");
  attn::TensorMap given("the command line");
  const attn::TokenBatch source = source_batch(o, run.opened, run.vectors, run.session);
  const std::optional<TensorView> target = has_both ? run.session.read(o.decoder_ids) : std::nullopt;
  attn::expect_batches(run.opened.description, source, target);
  const std::string place = run.opened.description.encoder ? "encoder" : "decoder";
  given.add(place + (run.opened.sees() ? "/pixels" : "/ids"), source.ids);
  if (source.padding_mask) given.add(place + "/padding_mask", *source.padding_mask);
  if (source.types) given.add(place + "/type_ids", *source.types);
  if (target) given.add("decoder/ids", *target);
  return {{"", run_stages(run.model, given, "", first, last, run.execution, run.attention_weights)}};
}

/// The main result, then the values of --emit.
std::vector<cli::Result> results_of(const Run& run, const attn::TokenBatch& source,
                                    const std::optional<TensorView>& target, const attn::InferenceResult& result) {
  const Options& o = run.options;
  const bool pools = run.opened.pools();
  const bool heads_vectors = run.opened.description.head && run.opened.description.head->is_vector;
  const auto logits = pools || heads_vectors ? std::nullopt : result.head;
  std::optional<TensorView> vectors;
  if (wants_vectors(o, run.opened) || o.output.wants("pooled")) {
    const bool encodes = result.encoder.has_value();
    if (!encodes && !result.decoder)
      throw Error(ErrorKind::usage, "--emit", "pooled needs vectors; give --decoder-ids instead of --ids");
    const bool reads_text = !o.ids.given() && !o.decoder_ids.given() && !run.opened.sees();
    const std::size_t unpooled = reads_text ? unpooled_tokens(run.opened.tokenizer(), run.vectors) : 0;
    const auto mask = heads_vectors ? std::nullopt : encodes ? source.padding_mask : result.fed->padding_mask;
    vectors = text_vectors(states_to_pool(run.opened.description, result), mask, run.vectors, unpooled, run.execution);
  }
  const TensorView main = result.ids                     ? *result.ids
                          : logits                       ? *logits
                          : wants_vectors(o, run.opened) ? *vectors
                          : result.decoder               ? *result.decoder
                                                         : *result.encoder;
  std::vector<cli::Result> results{{"", main}};
  const auto emit = [&](const char* name, const std::optional<TensorView>& tensor) {
    if (!o.output.wants(name)) return;
    if (!tensor) throw Error(ErrorKind::usage, "--emit", std::string(name) + " is nothing that this run makes");
    results.push_back({name, *tensor});
  };
  emit("ids", result.ids ? result.ids : target);
  emit("scores", result.scores);
  emit("encoder", result.encoder);
  emit("decoder", result.decoder);
  emit("logits", logits);
  for (std::size_t i = 0; i < result.memories.size(); ++i)
    results.push_back({"mems/" + std::to_string(i), result.memories[i]});
  if (o.output.wants("mems") && result.memories.empty()) emit("mems", std::nullopt);
  emit("pooler_output", pools ? result.head : std::nullopt);
  emit("pooled", vectors);
  for (const cli::Result& labels : token_labels(o, run.opened, source, result)) results.push_back(labels);
  return results;
}

std::vector<cli::Result> run_whole_model(const Run& run) {
  const Options& o = run.options;
  attn::GenerationParameters generation = generation_parameters(o, run.opened).generation;
  if (run.execution.dry_run != nullptr) generation.end_tokens.clear();  // longest possible answer
  const attn::TokenBatch source = source_batch(o, run.opened, run.vectors, run.session);
  const std::optional<TensorView> target = run.session.read(o.decoder_ids);
  if (!target) o.generation.note_idle(generation, run.session.report);
  if (!generation.stop.empty() && !target)
    run.session.report.note("stop_strings of generation_config.json end texts; the ids of tensors go on");
  const attn::ModelDescription& description = run.opened.description;
  if (description.task == attn::Task::embed && description.encoder && description.decoder && !target)
    run.session.report.note("the result is of the encoder; --decoder-ids gives that of the decoder");
  const attn::InferenceRequest request{o.output.wants("decoder"), o.output.wants("logits"), run.attention_weights,
                                       o.output.wants("mems")};
  const attn::InferenceResult result = infer(run.model, source, target, generation, request, run.execution);

  ShortAnswers short_answers(generation);
  for (const auto& answers : result.generated)
    for (const attn::Generated& answer : answers) short_answers.count(answer);
  short_answers.say(run.session.report);
  return results_of(run, source, target, result);
}

/// Throws Error(usage) for a group that this model lacks, and in a run of some stages for results of whole runs.
void check_emits(const Options& options, const attn::ModelDescription& model, bool some_stages) {
  const std::vector<std::string> groups = attn::capture_groups(model);
  for (const std::string& name : options.output.emit) {
    if (std::find(groups.begin(), groups.end(), name) != groups.end()) continue;
    const bool is_group =
        name.find("hidden_states") != std::string::npos || name.find("attentions") != std::string::npos;
    if (is_group || some_stages)
      throw Error(ErrorKind::usage, "--emit",
                  name + (is_group ? " is nothing that this model has" : " comes of a whole run, not of some stages"),
                  "there are: " + attn::listed_near(name, groups));
  }
}

}  // namespace

void run_tensors(const Options& options, const attn::OpenedModel& opened, Traced& traced, cli::Session& session) {
  const bool some = !options.from.empty() || !options.to.empty();
  check_emits(options, opened.description, some);
  const auto [encoder, decoder] =
      std::pair(opened.description.encoder.has_value(), opened.description.decoder.has_value());
  if (options.decoder_ids.given() && !decoder)
    throw Error(ErrorKind::usage, "--decoder-ids", "is not read: this model has no decoder", "give --ids");
  if (options.decoder_ids.given() && options.ids.given() && !encoder)
    throw Error(ErrorKind::usage, "--ids", "is not read: this model has no encoder, and --decoder-ids is given",
                "leave one of the two out");
  attn::CaptureParameters chosen = options.capture;
  chosen.groups = options.output.emit;
  chosen.heads.insert(chosen.heads.end(), options.heads.begin(), options.heads.end());
  chosen.targets = options.target_mapping.given();
  attn::Capture capture(opened.description, chosen);
  attn::Execution execution = traced.execution();
  if (traced.is_traced() || !capture.is_empty()) execution.trace = capture.hook(execution.trace);
  const attn::Model model = opened.load(session.dtype());
  const Run run{options,
                opened,
                model,
                session,
                execution,
                traced.is_traced() || capture.needs_attention_weights(),
                vector_rules(options, opened, model.dtype()).vectors};
  std::vector<cli::Result> results = some ? run_some_stages(run) : run_whole_model(run);
  for (const auto& [name, tensor] : capture.tensors()) results.push_back({name, tensor});
  traced.commit();
  session.write(options.output, results);
}

}  // namespace transformer_run
