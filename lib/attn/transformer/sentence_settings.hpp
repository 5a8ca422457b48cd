#pragma once
// Settings of a folder of sentence-transformers for the vector of a text: modules.json and the files that it names.

#include <attn/text/tokenizer.hpp>
#include <attn/transformer/capture.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

struct SentenceSettings {
  std::string transformer;  ///< folder of the model itself, inside that of modules.json; empty: the same
  std::optional<Pooling> pooling;
  std::string unknown_pooling;  ///< the name of an unknown pooling
  bool normalize = false;
  std::optional<std::size_t> max_length;  ///< largest number of tokens of a text
  std::vector<std::string> unused;        ///< settings of the files that are not used, for people
};

/// The settings of a folder, or nothing if it has no modules.json. Throws Error(data) for damaged files.
std::optional<SentenceSettings> read_sentence_settings(const text::ReadFile& read, const std::string& folder);

}  // namespace attn
