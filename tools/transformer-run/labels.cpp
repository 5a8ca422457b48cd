#include "transformer-run/labels.hpp"

#include <attn/core/error.hpp>
#include <attn/io/operand.hpp>
#include <attn/io/output.hpp>

#include <algorithm>

namespace transformer_run {

using attn::TensorView;

namespace {

/// The tokens of ids (B, L); an id that the tokenizer lacks becomes its number.
TensorView tokens_of(const TensorView& ids, const attn::text::Tokenizer& tokenizer) {
  attn::Tensor tokens(attn::DType::string, ids.shape);
  auto* token = tokens.data_as<std::string>();
  for (const std::int64_t id : attn::to_integers(ids)) {
    const bool known = id >= 0 && static_cast<std::size_t>(id) < tokenizer.vocabulary_size();
    *token++ = known ? tokenizer.token(id) : std::to_string(id);
  }
  return tokens.view("tokens");
}

bool holds_text(const cli::Output& output) {
  using attn::io::Format;
  const auto by_suffix = output.text == "-" ? std::nullopt : attn::io::format_from_path(output.operand.source);
  const Format format = output.options.format.value_or(by_suffix.value_or(Format::hdf5));
  return format == Format::hdf5;
}

}  // namespace

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

}  // namespace transformer_run
