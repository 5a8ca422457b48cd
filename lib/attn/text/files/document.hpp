#pragma once
// A tokenizer.json in memory: its components as a small document, its large tables apart from it.

#include <attn/json/node.hpp>
#include <attn/text/models/model.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// model.vocab and model.merges, in whichever form the file has them.
struct ModelTables {
  Vocabulary vocabulary;
  std::vector<double> scores;  ///< of a vocabulary that is a list of tokens and scores
  bool scored = false;         ///< it is such a list
  MergeList merges;
  bool has_merges = false;
};

struct TokenizerDocument {
  JsonNode components;  ///< everything else; the tables are `true` in it
  ModelTables tables;
};

/// Changes the components before they are read.
using EditComponents = std::function<void(nlohmann::json& components)>;

/// Throws Error(data) naming the entry that is damaged.
TokenizerDocument read_tokenizer_document(std::string_view text, const std::string& file,
                                          const EditComponents& edit = {});

}  // namespace attn::text
