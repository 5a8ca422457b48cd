#pragma once
// The components of a tokenizer.json, each from its own object.

#include <attn/json/node.hpp>
#include <attn/text/files/document.hpp>
#include <attn/text/pipeline/pipeline.hpp>

namespace attn::text {

NormalizerPtr read_normalizer(const JsonNode& node);
PreTokenizerPtr read_pre_tokenizer(const JsonNode& node);
/// The model, with the tables of its document, which are moved from.
ModelPtr read_model(const JsonNode& node, ModelTables& tables);
DecoderPtr read_decoder(const JsonNode& node);
PostProcessor read_post_processor(const JsonNode& node);

/// A pattern: {"String": ...} or {"Regex": ...}.
Pattern read_pattern(const JsonNode& node);

/// The steps of a "Sequence", read by `read`.
template <class Read>
auto read_steps(const JsonNode& list, Read read) {
  std::vector<decltype(read(list))> steps;
  for (std::size_t i = 0; i < list.size(); ++i) steps.push_back(read(list[i]));
  return steps;
}

}  // namespace attn::text
