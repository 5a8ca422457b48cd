#pragma once
// How a folder of sentence-transformers makes one vector of a text: modules.json and the files that it names.

#include <attn/text/tokenizer.hpp>
#include <attn/transformer/capture.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ATTN_API attn {

struct SentenceSettings {
  std::string transformer;  ///< folder of the model itself, below that of modules.json; empty: the same
  std::optional<Pooling> pooling;
  std::string unknown_pooling;  ///< what is said instead of a pooling that is known here
  bool normalize = false;
  std::optional<std::size_t> max_length;  ///< tokens of a text
  std::vector<std::string> unused;        ///< what the files ask for and is not done, for people
};

/// The settings of a folder, or nothing when it has no modules.json. Throws Error(data) for damaged files.
std::optional<SentenceSettings> read_sentence_settings(const text::ReadFile& read, const std::string& folder);

}  // namespace attn
