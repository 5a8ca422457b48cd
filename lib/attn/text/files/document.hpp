#pragma once
// A tokenizer.json in memory: its components as a small document, and separately its large tables.

#include <attn/json/node.hpp>
#include <attn/text/models/model.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// model.vocab and model.merges, in any of their forms.
struct ModelTables {
  Vocabulary vocabulary;
  std::vector<double> scores;  ///< scores of a vocabulary that is a list of tokens and scores
  bool scored = false;         ///< the vocabulary is such a list
  MergeList merges;
  bool has_merges = false;
};

struct TokenizerDocument {
  JsonNode components;  ///< everything else, with `true` in place of the tables
  ModelTables tables;
};

/// Changes the components before they are read.
using EditComponents = std::function<void(nlohmann::json& components)>;

/// Throws Error(data) that names a damaged entry.
TokenizerDocument read_tokenizer_document(std::string_view text, const std::string& file,
                                          const EditComponents& edit = {});

}  // namespace attn::text
