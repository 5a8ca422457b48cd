#include "transformer-run/options.hpp"
#include "transformer-run/runs.hpp"

#include <attn/attention/shapes.hpp>
#include <attn/core/error.hpp>
#include <attn/transformer/checkpoint.hpp>
#include <attn/transformer/inference.hpp>
#include <attn/transformer/torch_layers.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace transformer_run {
namespace {

using attn::Error;
using attn::ErrorKind;
using attn::TensorView;

/// A sequence as (B, L, d): one without a batch has a batch of one.
TensorView as_batch(const TensorView& x, attn::Layout layout) {
  if (x.rank() == 2) return reshaped(contiguous(x), {1, x.shape[0], x.shape[1]});
  if (x.rank() != 3)
    throw attn::shape_error(x.name, x.shape,
                            layout == attn::Layout::length_batch ? "(L, B, d) or (L, d)" : "(B, L, d) or (L, d)");
  return contiguous(attn::batch_and_length_swapped(x, layout));
}

/// The operands in the order of forward() in PyTorch, each as a sequence: what the first stack reads, and what the
/// decoder reads.
struct Sequences {
  TensorView source;
  std::optional<TensorView> target;
  bool has_batch = true;
};

Sequences read_sequences(const Options& o, const attn::TorchLayers& layers, bool has_encoder, cli::Session& session) {
  const bool decodes = layers.description.decoder.has_value();
  const std::size_t expected = decodes ? 2 : 1;
  std::vector<std::string> operands = o.text;
  if (operands.empty()) operands = {"-"};
  if (operands.size() != expected)
    throw Error(ErrorKind::usage, "--encoder",
                "has " +
                    std::string(!decodes      ? "an encoder, which reads one operand, x"
                                : has_encoder ? "encoder and decoder, which read two operands, src and tgt"
                                              : "a decoder, which reads two operands, tgt and memory") +
                    "; given are " + std::to_string(operands.size()));
  std::vector<TensorView> read;
  for (const std::string& operand : operands) read.push_back(session.inputs.read(operand, {"x", "y"}));
  if (decodes && !has_encoder) std::swap(read[0], read[1]);
  Sequences sequences{as_batch(read[0], o.layers.layout), std::nullopt, read[0].rank() == 3};
  if (decodes) sequences.target = as_batch(read[1], o.layers.layout);
  return sequences;
}

std::size_t heads_of_layers(const Options& o) {
  const char* const wrong = o.heads.empty()
                                ? "is required with --encoder: the number of heads, which weights do not say"
                            : o.heads.size() > 1  ? "has several numbers, and the layers of --encoder have one"
                            : o.heads.front() < 1 ? "must be at least 1"
                                                  : nullptr;
  if (wrong != nullptr) throw Error(ErrorKind::usage, "--heads", wrong);
  return static_cast<std::size_t>(o.heads.front());
}

}  // namespace

attn::TorchLayers open_layers(const Options& o, cli::Session& session) {
  const cli::Inputs::Group given = session.inputs.open(o.encoder);
  attn::TorchLayerParameters parameters = o.layers.parameters;
  parameters.heads = heads_of_layers(o);
  parameters.activation = attn::activation_from_name(o.layers.activation);
  attn::TorchLayers layers = attn::torch_layers(*given.source, given.prefix, parameters);
  if (!layers.others.empty())
    session.report.note(given.source->label() + ": " + std::to_string(layers.others.size()) +
                        " tensors are of no layer and are not read: " + attn::listed_near("", layers.others));
  return layers;
}

void run_layers(const Options& o, attn::TorchLayers& layers, Traced& traced, cli::Session& session) {
  const attn::ModelDescription& description = layers.description;
  const bool has_encoder = description.encoder->layers > 0;
  const std::vector<std::string> groups = attn::capture_groups(description);
  for (const std::string& name : o.output.emit)
    if (name != "encoder" && std::find(groups.begin(), groups.end(), name) == groups.end())
      throw Error(ErrorKind::usage, "--emit", name + " is nothing that these layers have",
                  "there are: encoder, " + attn::listed_near(name, groups));
  const Sequences sequences = read_sequences(o, layers, has_encoder, session);
  const auto of_decoder = [&](const cli::OptionalInput& mask) {
    if (mask.given() && !description.decoder) throw Error(ErrorKind::usage, mask.option, "is of a decoder");
    return session.read(mask);
  };
  for (const cli::OptionalInput* mask : {&o.layers.source_mask, &o.layers.source_padding})
    if (mask->given() && !has_encoder)
      throw Error(ErrorKind::usage, mask->option, "is of an encoder, and the weights have a decoder alone");
  attn::DType compute = attn::wider(layers.compute, attn::compute_dtype(sequences.source.dtype));
  if (sequences.target) compute = attn::wider(compute, attn::compute_dtype(sequences.target->dtype));
  const attn::Model model(description, layers.weights, session.at_least(compute));

  attn::TokenBatch source{sequences.source};
  source.padding_mask = session.read(o.layers.source_padding);
  source.mask = session.read(o.layers.source_mask);
  std::optional<attn::TokenBatch> target;
  if (sequences.target) target = attn::TokenBatch{*sequences.target};
  const std::optional<TensorView> target_padding = of_decoder(o.layers.target_padding),
                                  target_mask = of_decoder(o.layers.target_mask),
                                  memory_padding = of_decoder(o.layers.memory_padding),
                                  memory_mask = of_decoder(o.layers.memory_mask);
  if (target) {
    target->padding_mask = target_padding;
    target->mask = target_mask;
  }
  attn::CaptureParameters chosen = o.capture;
  chosen.groups = o.output.emit;
  attn::Capture capture(description, chosen);
  attn::Execution execution = traced.execution();
  if (traced.is_traced() || !capture.is_empty()) execution.trace = capture.hook(execution.trace);
  const attn::LayerResult result = attn::run_layers(model, source, target, memory_padding, memory_mask,
                                                    traced.is_traced() || capture.needs_attention_weights(), execution);
  const auto as_given = [&](const TensorView& y) {
    return sequences.has_batch ? attn::batch_and_length_swapped(y, o.layers.layout) : attn::element(y, 0);
  };
  std::vector<cli::Result> results{{"", as_given(result.decoder.value_or(result.encoder))}};
  if (o.output.wants("encoder")) results.push_back({"encoder", as_given(result.encoder)});
  for (const auto& [name, tensor] : capture.tensors()) results.push_back({name, tensor});
  traced.commit();
  session.write(o.output, results);
}

}  // namespace transformer_run
